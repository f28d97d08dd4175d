/** The real service, one per story, with a database folder of its own. It can be stopped, killed and started again. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Built by `cargo xtask test stories`; else the last one that was built. */
const BINARY =
  process.env.CARD_WIDGET_SERVICE ?? fileURLToPath(new URL('../../../target/debug/card-widget-service', import.meta.url));

export class Service {
  #child;
  #log = '';
  /** Where it listens. */
  port = 0;
  origin = '';
  /** Folder of its database. */
  data = '';

  /** Starts it on a free port of `localhost`, in sandbox mode. */
  static async open() {
    const service = new Service();
    service.port = await freePort();
    // Another site than the shop's 127.0.0.1, so that the frame is truly foreign.
    service.origin = `http://localhost:${service.port}`;
    service.data = mkdtempSync(join(tmpdir(), 'card-widget-story-'));
    await service.start();
    return service;
  }

  /** Starts it (again), with the same port and database; resolves when it answers. */
  async start() {
    const args = ['serve', '--sandbox', '--listen', `127.0.0.1:${this.port}`, '--database', this.#database];
    const child = spawn(BINARY, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    child.once('error', (error) => { this.#log += `${error}\n`; });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { this.#log += text; });
    const end = Date.now() + 15_000;
    while (Date.now() < end) {
      if (child.exitCode !== null || child.pid === undefined) throw new Error(`the service ended while starting:\n${this.#log}`);
      const answer = await fetch(`${this.origin}/healthz`).catch(() => undefined);
      if (answer?.ok) return;
      await sleep(25);
    }
    throw new Error(`the service does not answer:\n${this.#log}`);
  }

  /** Ends it and waits for the end: politely, or with `SIGKILL` at once. */
  async stop(signal = 'SIGTERM') {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  /** A new widget key that allows this origin alone. @param {string} origin */
  addKey(origin, { live = false } = {}) {
    const args = ['widget-key', 'add', '--project', 'story', '--origin', origin, '--database', this.#database];
    if (live) args.push('--live');
    return execFileSync(BINARY, args, { encoding: 'utf8' }).trim();
  }

  /** Withdraws a widget key while the service runs. @param {string} key */
  removeKey(key) {
    execFileSync(BINARY, ['widget-key', 'remove', key, '--database', this.#database]);
  }

  get #database() {
    return `sqlite:${join(this.data, 'card-widget.sqlite')}`;
  }

  /** Stops it and removes its data. */
  async close() {
    await this.stop('SIGKILL');
    rmSync(this.data, { recursive: true, force: true });
  }

  /** All that it has printed so far. */
  get log() {
    return this.#log;
  }

  /** The bytes of every file that it keeps, by name. */
  files() {
    return readdirSync(this.data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => ({ name: entry.name, bytes: readFileSync(join(entry.parentPath ?? entry.path, entry.name)) }));
  }
}

/** A port that nobody uses at the moment. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
