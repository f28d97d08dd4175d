// @ts-check
/**
 * Firefox ESR on a screen of its own, spoken to in its own protocol (Marionette: WebDriver's commands as JSON on a socket,
 * what geckodriver speaks to it). Playwright's way to it, WebDriver BiDi, does not bring keys to a frame of another origin.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Display } from './display.mjs';
import { Session, WebDriverPage } from './webdriver.mjs';

const PREFERENCES = {
  // A free port, written into the profile.
  'marionette.port': 0,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.update.auto': false,
  // The mouse goes through the window, so that it reaches frames of other processes.
  'remote.events.async.mouse.enabled': true,
  // Nobody asks whether to save a card.
  'extensions.formautofill.creditCards.enabled': false,
  // A script may copy without a gesture.
  'dom.allow_cut_copy': true,
};

/** Of the one window that all tests share. */
const SIZE = { width: 1000, height: 1000 };

const COMMANDS = {
  navigate: 'WebDriver:Navigate',
  execute: 'WebDriver:ExecuteScript',
  actions: 'WebDriver:PerformActions',
  frame: 'WebDriver:SwitchToFrame',
  screenshot: 'WebDriver:TakeScreenshot',
  openWindow: 'WebDriver:NewWindow',
  closeWindow: 'WebDriver:CloseWindow',
  window: 'WebDriver:SwitchToWindow',
  windows: 'WebDriver:GetWindowHandles',
  rect: 'WebDriver:SetWindowRect',
  role: 'WebDriver:GetComputedRole',
  name: 'WebDriver:GetComputedLabel',
};

/** @param {import('./engines.mjs').Kind} kind @returns {Promise<import('./engines.mjs').Engine>} */
export async function launch({ webAssembly }) {
  const display = await Display.open();
  const profile = mkdtempSync(join(tmpdir(), 'card-widget-firefox-'));
  const preferences = { ...PREFERENCES, 'javascript.options.wasm': webAssembly };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});`);
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const program = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
  const child = spawn(program, ['--marionette', '--remote-allow-system-access', '--no-remote', '--profile', profile], {
    env: { ...display.environment, MOZ_CRASHREPORTER_DISABLE: '1' },
    stdio: 'ignore',
  });
  process.once('exit', () => child.kill('SIGKILL'));

  const marionette = await Marionette.connect(await port(join(profile, 'MarionetteActivePort'), child));
  await marionette.send('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
  const session = new Session(async (command, parameters = {}) => {
    // Marionette takes the element of a frame under a name of its own.
    const { id } = /** @type {{ id?: object | null }} */ (parameters);
    const own = command === 'frame' && id ? { element: Object.values(id)[0] } : parameters;
    // Without a sandbox of its own, a script sees the page's globals.
    const answer = await marionette.send(COMMANDS[command], command === 'execute' ? { ...own, sandbox: null } : own);
    return command === 'openWindow' || command === 'closeWindow' ? answer : answer?.value;
  }, display);
  await session.send('rect', { x: 0, y: 0, ...SIZE });

  /** What a script brings that runs in the browser itself, beside its pages. @param {string} script */
  async function inside(script) {
    await marionette.send('Marionette:SetContext', { value: 'chrome' });
    try {
      return (await marionette.send('WebDriver:ExecuteScript', { script, args: [] }))?.value;
    } finally {
      await marionette.send('Marionette:SetContext', { value: 'content' });
    }
  }

  /** @type {import('./engines.mjs').Engine & { inside: typeof inside }} */
  const engine = {
    name: 'firefox',
    async open() {
      const handle = await session.openWindow();
      // The test before may have made the window smaller.
      const size = await session.execute(() => ({ width: outerWidth, height: outerHeight }));
      if (size.width !== SIZE.width || size.height !== SIZE.height) await session.send('rect', SIZE);
      // A window shares its cache with those before it; a visitor who comes for the first time has none.
      await inside('Services.cache2.clear()');
      return new WebDriverPage(engine, session, handle);
    },
    inside,
    async close() {
      const ended = once(child, 'exit');
      marionette.close();
      child.kill();
      await ended;
      display.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
  return engine;
}

/** The number in a file that the browser writes when it listens. @param {string} file @param {import('node:child_process').ChildProcess} child */
async function port(file, child) {
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    if (child.exitCode !== null || child.pid === undefined) throw new Error('Firefox ended while starting');
    try {
      const number = Number(readFileSync(file, 'utf8'));
      if (number) return number;
    } catch {
      // Not there yet.
    }
    await sleep(30);
  }
  throw new Error('Firefox does not listen');
}

/** Messages are `length:JSON`; a command is `[0, id, name, parameters]`, its answer `[1, id, error, result]`. */
class Marionette {
  #rest = Buffer.alloc(0);
  #next = 1;
  /** @type {Map<number, { resolve(value: any): void, reject(error: Error): void }>} */
  #waiting = new Map();
  #socket;

  /** @param {import('node:net').Socket} socket */
  constructor(socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#hear(bytes));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox has ended'));
    });
    socket.on('error', () => {});
  }

  /** @param {number} port */
  static async connect(port) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Marionette(socket);
  }

  /** @param {string} name @param {object} parameters @returns {Promise<any>} */
  send(name, parameters) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const text = JSON.stringify([0, id, name, parameters]);
      this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  }

  close() {
    this.#socket.destroy();
  }

  /** @param {Buffer} bytes */
  #hear(bytes) {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const colon = this.#rest.indexOf(':');
      const end = colon + 1 + Number(this.#rest.subarray(0, Math.max(colon, 0)));
      if (colon < 0 || this.#rest.length < end) return;
      const message = JSON.parse(this.#rest.subarray(colon + 1, end).toString());
      this.#rest = this.#rest.subarray(end);
      // The first message greets; it is no answer.
      if (Array.isArray(message)) this.#settle(/** @type {any} */ (message));
    }
  }

  /** @param {[number, number, { error: string, message: string } | null, unknown]} answer */
  #settle([, id, error, result]) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(`${error.error}: ${error.message}`));
    else waiting?.resolve(result);
  }
}
