// @ts-check
/** Chromium, through Playwright: it knows how to reach frames of other processes, and can emulate phones. */
import { chromium } from 'playwright-core';
import { Page } from './page.mjs';

const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** @param {import('./engines.mjs').Kind} kind @returns {Promise<import('./engines.mjs').Engine>} */
export async function launch({ webAssembly, backForwardCache }) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  // Without a compiler, as hardened browsers are, V8 has no WebAssembly; its own flag for that does nothing here.
  const args = webAssembly ? FLAGS : [...FLAGS, '--js-flags=--jitless'];
  const ignoreDefaultArgs = backForwardCache ? ['--disable-back-forward-cache'] : [];
  const browser = await chromium.launch({ executablePath, args, ignoreDefaultArgs });
  /** @type {import('./engines.mjs').Engine} */
  const engine = {
    name: 'chromium',
    /** @param {import('playwright-core').BrowserContextOptions} [options] */
    async open(options) {
      return ChromiumPage.open(engine, await browser.newContext(options));
    },
    close: () => browser.close(),
  };
  return engine;
}

export class ChromiumPage extends Page {
  /**
   * Playwright's own page, for what no other engine can do.
   * @type {import('playwright-core').Page}
   */
  playwright;

  /** Written by the page and its frames, and errors that nobody caught. @type {string[]} */
  console = [];

  /** Addresses of all requests, also to strangers. @type {string[]} */
  addresses = [];

  /** Frames by their selectors, until they are taken out of the page. @type {Map<string, import('playwright-core').Frame>} */
  #frames = new Map();

  /** @param {import('./engines.mjs').Engine} engine @param {import('playwright-core').Page} page */
  constructor(engine, page) {
    super(engine);
    this.playwright = page;
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => this.console.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => this.console.push(`uncaught: ${error}`));
    page.on('request', (request) => this.addresses.push(request.url()));
  }

  /** @param {import('./engines.mjs').Engine} engine @param {import('playwright-core').BrowserContext} context */
  static async open(engine, context) {
    return new ChromiumPage(engine, await context.newPage());
  }

  /** A session of Chromium's protocol with the page. */
  protocol() {
    return this.playwright.context().newCDPSession(this.playwright);
  }

  /** A session with a frame: it lives in a process of its own. @param {string} frame */
  async frameProtocol(frame) {
    return this.playwright.context().newCDPSession(await this.#frame(frame));
  }

  /** @param {string} [selector] */
  async #frame(selector) {
    if (!selector) return this.playwright.mainFrame();
    const known = this.#frames.get(selector);
    if (known && !known.isDetached()) return known;
    const element = await this.playwright.$(selector);
    const frame = await element?.contentFrame();
    await element?.dispose();
    if (!frame) throw new Error(`there is no frame ${selector}`);
    this.#frames.set(selector, frame);
    return frame;
  }

  /** @override @param {string} address */
  async goto(address) {
    await this.playwright.goto(address);
  }

  /** @override @type {Page['evaluate']} */
  async evaluate(fn, argument, frame) {
    const where = await this.#frame(frame);
    return /** @type {any} */ (where.evaluate(/** @type {any} */ (fn), argument));
  }

  /** @override @param {string[]} combinations */
  async press(...combinations) {
    // A character without a key of its own comes as text, as from a keyboard that has it.
    for (const combination of combinations) {
      if ([...combination].length === 1) await this.playwright.keyboard.type(combination);
      else await this.playwright.keyboard.press(combination);
    }
  }

  /** @override @param {import('./page.mjs').Point} point */
  async click({ x, y }, count = 1) {
    await this.playwright.mouse.click(x, y, { clickCount: count });
  }

  /**
   * Playwright's mouse drops into the page alone. Here the drag begins with the real mouse; what it carries is dropped at
   * the target, in the process that it lives in.
   *
   * @override
   * @param {import('./page.mjs').Point} from
   * @param {import('./page.mjs').Point} to
   * @param {string} [frame] That the target lies in.
   */
  async drag(from, to, frame) {
    const page = await this.protocol();
    const sessions = [page];
    for (const inner of this.playwright.frames().slice(1)) {
      // A frame of the page's own site has no process of its own.
      const session = await this.playwright.context().newCDPSession(inner).catch(() => undefined);
      if (session) sessions.push(session);
    }
    /** @type {any} */
    let data;
    for (const session of sessions) {
      session.on('Input.dragIntercepted', (event) => { data = event.data; });
      await session.send('Input.setInterceptDrags', { enabled: true });
    }
    const mouse = (/** @type {'mouseMoved' | 'mousePressed' | 'mouseReleased'} */ type, step = 0, buttons = 1) =>
      page.send('Input.dispatchMouseEvent', {
        type, x: from.x + step, y: from.y + step / 2, button: buttons || type !== 'mouseMoved' ? 'left' : 'none', buttons, clickCount: 1,
      });
    await mouse('mouseMoved', 0, 0);
    await mouse('mousePressed');
    for (const step of [4, 8, 12]) await mouse('mouseMoved', step);
    if (data) {
      const target = frame ? await this.frameProtocol(frame) : page;
      const outer = frame ? await this.box(frame) : { x: 0, y: 0 };
      const point = { x: to.x - outer.x, y: to.y - outer.y };
      for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) {
        await target.send('Input.dispatchDragEvent', { type, ...point, data });
      }
    } else {
      // After a drop the browser takes the button for released.
      await mouse('mouseReleased', 12, 0);
    }
    for (const session of sessions) await session.detach().catch(() => undefined);
  }

  /** @override @param {string} text */
  async copy(text) {
    await this.playwright.context().grantPermissions(['clipboard-write']);
    await this.playwright.evaluate((text) => navigator.clipboard.writeText(text), text);
  }

  /** @override @param {number} width @param {number} height */
  async resize(width, height) {
    await this.playwright.setViewportSize({ width, height });
  }

  /** @override */
  screenshot() {
    return this.playwright.screenshot();
  }

  /** @override */
  async close() {
    await this.playwright.context().close();
  }
}
