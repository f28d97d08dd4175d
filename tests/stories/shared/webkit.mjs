// @ts-check
/**
 * WebKit's Linux port (not Safari): MiniBrowser on a screen of its own, spoken to through WebKitWebDriver. Plain requests:
 * the newest selenium-webdriver wants Node 22, and adds nothing that is needed here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Display } from './display.mjs';
import { freePort } from './service.mjs';
import { Session, WebDriverPage } from './webdriver.mjs';

/** @type {Record<import('./webdriver.mjs').Command, [method: string, path: string]>} */
const COMMANDS = {
  navigate: ['POST', 'url'],
  execute: ['POST', 'execute/sync'],
  actions: ['POST', 'actions'],
  frame: ['POST', 'frame'],
  screenshot: ['GET', 'screenshot'],
  openWindow: ['POST', 'window/new'],
  closeWindow: ['DELETE', 'window'],
  window: ['POST', 'window'],
  windows: ['GET', 'window/handles'],
  rect: ['POST', 'window/rect'],
  role: ['GET', 'element/:id/computedrole'],
  name: ['GET', 'element/:id/computedlabel'],
};

/** @param {import('./engines.mjs').Kind} kind @returns {Promise<import('./engines.mjs').Engine>} */
export async function launch({ webAssembly, pictures }) {
  const display = await Display.open();
  const port = await freePort();
  const child = spawn(process.env.WEBKIT_DRIVER ?? 'WebKitWebDriver', ['-p', String(port)], {
    // Without a graphics card, layers of their own take four tenths of the processor's time; the driver takes pictures of nothing else.
    env: {
      ...display.environment,
      ...(pictures ? {} : { WEBKIT_DISABLE_COMPOSITING_MODE: '1' }),
      ...(webAssembly ? {} : { JSC_useWasm: '0' }),
    },
    stdio: 'ignore',
  });
  process.once('exit', () => child.kill());
  const address = `http://127.0.0.1:${port}`;
  await answers(`${address}/status`, child);

  const options = { binary: program(), args: ['--automation', '--javascript-can-access-clipboard=true'] };
  const { sessionId } = await ask('POST', `${address}/session`, {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  });
  const session = new Session((command, parameters = {}) => {
    const [method, path] = COMMANDS[command];
    const own = path.replace(':id', () => /** @type {any} */ (parameters).id);
    return ask(method, `${address}/session/${sessionId}/${own}`, method === 'POST' ? parameters : undefined);
  }, display, 'window');
  await session.send('rect', { x: 0, y: 0, width: 1000, height: 1000 });

  /** @type {import('./engines.mjs').Engine} */
  const engine = {
    name: 'webkit',
    open: async () => new WebKitPage(engine, session, await session.openWindow(), pictures),
    async close() {
      await ask('DELETE', `${address}/session/${sessionId}`).catch(() => undefined);
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      display.close();
    },
  };
  return engine;
}

/** MiniBrowser has no keys for these; elsewhere the menu gives the commands. */
const MENU = /** @type {Record<string, string>} */ ({ 'Control+z': 'undo', 'Control+Shift+z': 'redo' });

class WebKitPage extends WebDriverPage {
  #pictures;

  /** @param {import('./engines.mjs').Engine} engine @param {Session} session @param {string} handle @param {boolean} [pictures] */
  constructor(engine, session, handle, pictures) {
    super(engine, session, handle);
    this.#pictures = pictures;
  }

  /** @override */
  async screenshot() {
    if (!this.#pictures) throw new Error('the driver would never answer: this story is not of the kind with pictures');
    return super.screenshot();
  }

  /** @override @param {string[]} combinations */
  async press(...combinations) {
    for (const combination of combinations) {
      const command = MENU[combination];
      if (command) {
        await this.session.enter(this.handle);
        await this.session.enterFocused();
        await this.session.execute((command) => void document.execCommand(command), command);
      } else {
        await super.press(combination);
      }
    }
  }
}

/** @param {string} method @param {string} address @param {object} [body] @returns {Promise<any>} */
async function ask(method, address, body) {
  const response = await fetch(address, { method, body: body && JSON.stringify(body) });
  const { value } = /** @type {{ value: any }} */ (await response.json());
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** @param {string} address @param {import('node:child_process').ChildProcess} child */
async function answers(address, child) {
  const end = Date.now() + 30_000;
  while (Date.now() < end) {
    if (child.exitCode !== null || child.pid === undefined) throw new Error('WebKitWebDriver ended while starting');
    if (await fetch(address).then(({ ok }) => ok, () => false)) return;
    await sleep(30);
  }
  throw new Error('WebKitWebDriver does not answer');
}

/** WebKit's own small browser, which lies beside its libraries. */
function program() {
  if (process.env.WEBKIT) return process.env.WEBKIT;
  for (const machine of readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu'))) {
    for (const version of ['webkit2gtk-4.1', 'webkit2gtk-4.0']) {
      const path = join('/usr/lib', machine, version, 'MiniBrowser');
      if (existsSync(path)) return path;
    }
  }
  throw new Error('there is no MiniBrowser');
}
