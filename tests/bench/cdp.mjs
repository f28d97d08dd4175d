// @ts-check
/**
 * A browser spoken to through its own protocol, without a library in between: throttling has to be set on the frame's
 * target before the frame runs, and libraries attach to that target themselves.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FLAGS = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--site-per-process',
];

/**
 * @typedef {Record<string, any>} Values
 * @typedef {(method: string, params: Values, session: string) => void} Listener
 */

export class Browser {
  /** @type {import('node:child_process').ChildProcess} */
  #child;
  #folder = mkdtempSync(join(tmpdir(), 'card-widget-bench-'));
  #next = 1;
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  /** @type {Set<Listener>} */
  #listeners = new Set();

  /** @param {string} program */
  constructor(program) {
    const flags = [...FLAGS, `--user-data-dir=${this.#folder}`, '--remote-debugging-pipe', 'about:blank'];
    const child = spawn(program, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.#child = child;
    let text = '';
    /** @type {import('node:stream').Readable} */ (child.stdio[4]).setEncoding('utf8').on('data', (piece) => {
      const messages = (text + piece).split('\0');
      text = messages.pop() ?? '';
      for (const message of messages) this.#hear(JSON.parse(message));
    });
    child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended'));
    });
  }

  /** @param {Values} message */
  #hear({ id, method, params, result, error, sessionId = '' }) {
    if (id === undefined) {
      for (const listener of this.#listeners) listener(method, params, sessionId);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }

  /**
   * @param {string} method
   * @param {Values} [params]
   * @param {string} [session] The target's; without it, the browser itself.
   * @returns {Promise<any>}
   */
  send(method, params = {}, session) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const message = { id, method, params, ...(session && { sessionId: session }) };
      /** @type {import('node:stream').Writable} */ (this.#child.stdio[3]).write(JSON.stringify(message) + '\0');
    });
  }

  /** @param {Listener} listener */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The value of an expression, a promise's after it settled. @param {string} expression @param {string} session */
  async evaluate(expression, session) {
    const { result, exceptionDetails } = await this.send(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true },
      session,
    );
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async close() {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    await this.send('Browser.close').catch(() => undefined);
    await ended;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
