// @ts-check
/**
 * A page spoken to in the commands of W3C WebDriver. Firefox takes them on a socket of its own, WebKit through a driver;
 * the two differ in how a command travels, which `send` hides.
 *
 * @typedef {(command: Command, parameters?: object) => Promise<any>} Send
 * @typedef {'navigate' | 'execute' | 'actions' | 'frame' | 'screenshot' | 'openWindow' | 'closeWindow' | 'window' | 'windows' | 'rect' | 'role' | 'name'} Command
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { actions } from './keys.mjs';
import { Page } from './page.mjs';

/** One browser: which of its windows and frames the commands go to. */
export class Session {
  /** @type {string | undefined} */
  #window;
  /** Selector of the frame that commands go to; empty for the shop's page. */
  #frame = '';

  /** @param {Send} send @param {import('./display.mjs').Display} display */
  constructor(send, display, kind = 'tab') {
    this.kind = kind;
    this.send = send;
    this.display = display;
  }

  /** Opens a window and answers its handle. */
  async openWindow() {
    const { handle } = await this.send('openWindow', { type: this.kind });
    await this.enter(handle);
    return handle;
  }

  /** @param {string} handle */
  async closeWindow(handle) {
    await this.enter(handle);
    const left = await this.send('closeWindow');
    this.#window = undefined;
    this.#frame = '';
    if (left[0]) await this.enter(left[0]);
  }

  /** Makes a window, and in it the shop's page, the one that commands go to. @param {string} handle */
  async enter(handle) {
    if (this.#window === handle) return;
    await this.send('window', { handle });
    this.#window = handle;
    this.#frame = '';
  }

  async leaveFrame() {
    await this.send('frame', { id: null });
    this.#frame = '';
  }

  /** Makes a frame the one that commands go to. @param {string} selector Empty for the shop's page. */
  async enterFrame(selector) {
    if (this.#frame === selector) return;
    if (this.#frame) await this.leaveFrame();
    if (!selector) return;
    const element = await this.execute((selector) => document.querySelector(selector), selector);
    if (!element) throw new Error(`there is no frame ${selector}`);
    await this.send('frame', { id: element });
    this.#frame = selector;
  }

  /**
   * @param {(argument: any) => unknown} fn
   * @param {unknown} [argument]
   */
  execute(fn, argument) {
    return this.send('execute', { script: `return (${fn}).apply(null, arguments)`, args: argument === undefined ? [] : [argument] });
  }

  /** Keys go to the frame that has the focus, which is found as they find it. */
  async enterFocused() {
    const here = () => document.hasFocus() && document.activeElement?.tagName !== 'IFRAME';
    if (await this.execute(here).catch(() => false)) return;
    await this.leaveFrame();
    const selector = await this.execute(() => {
      const frame = document.activeElement;
      return frame?.tagName === 'IFRAME' ? `#${frame.closest('[id]')?.id} iframe` : '';
    });
    await this.enterFrame(selector);
  }
}

/** What a command says to a frame that is not there any more. */
const GONE = /no such (window|frame)|stale element/;

export class WebDriverPage extends Page {
  #isClosed = false;

  /** @param {import('./engines.mjs').Engine} engine @param {Session} session @param {string} handle */
  constructor(engine, session, handle) {
    super(engine);
    this.session = session;
    this.handle = handle;
  }

  /** @override @param {string} address */
  async goto(address) {
    await this.session.enter(this.handle);
    await this.session.leaveFrame();
    await this.session.send('navigate', { url: address });
  }

  /** @override @type {Page['evaluate']} */
  async evaluate(fn, argument, frame = '') {
    const { session } = this;
    await session.enter(this.handle);
    try {
      await session.enterFrame(frame);
      return await session.execute(/** @type {(argument: any) => unknown} */ (fn), argument);
    } catch (error) {
      // The frame that was entered has been taken out of the page; there may be another one in its place.
      if (!GONE.test(String(error))) throw error;
      await session.leaveFrame();
      await session.enterFrame(frame);
      return session.execute(/** @type {(argument: any) => unknown} */ (fn), argument);
    }
  }

  /** @override @param {string[]} combinations */
  async press(...combinations) {
    const { session } = this;
    await session.enter(this.handle);
    for (const combination of combinations) {
      // Each by itself: it may move the focus.
      await session.enterFocused();
      try {
        await session.send('actions', { actions: [{ type: 'key', id: 'keyboard', actions: actions(combination) }] });
      } catch (error) {
        // The key was pressed, and the shop took the frame away upon it.
        if (!GONE.test(String(error))) throw error;
        await session.leaveFrame();
      }
    }
  }

  /** @override @param {import('./page.mjs').Point} point */
  async click({ x, y }, count = 1) {
    const { session } = this;
    await session.enter(this.handle);
    await session.enterFrame('');
    const steps = [{ type: 'pointerMove', duration: 0, origin: 'viewport', x: Math.round(x), y: Math.round(y) }];
    for (let done = 0; done < count; done += 1) {
      steps.push(.../** @type {any[]} */ ([{ type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }]));
    }
    await session.send('actions', {
      actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: steps }],
    });
  }

  /** @override @param {import('./page.mjs').Point} from @param {import('./page.mjs').Point} to */
  async drag(from, to) {
    // WebDriver's mouse does not reach the toolkit's drag and drop; the screen's does.
    const { display } = this.session;
    const origin = await this.evaluate(() => ({
      x: screenX + (outerWidth - innerWidth) / 2,
      y: screenY + outerHeight - innerHeight,
    }));
    const move = (/** @type {number} */ x, /** @type {number} */ y) =>
      display.mouse('mousemove', Math.round(origin.x + x), Math.round(origin.y + y));
    await move(from.x, from.y);
    await display.mouse('mousedown', 1);
    // The toolkit looks at the mouse once in a while: a drag begins, and is answered, by slow steps only.
    for (const [x, y] of [
      [from.x + 5, from.y + 5],
      [from.x + 15, from.y + 12],
      [(from.x + to.x) / 2, (from.y + to.y) / 2],
      [to.x - 4, to.y],
      [to.x - 2, to.y],
      [to.x, to.y],
    ]) {
      await move(x, y);
      await sleep(50);
    }
    await display.mouse('mouseup', 1);
  }

  /** @override @param {string} text */
  async copy(text) {
    const copied = await this.evaluate((text) => {
      document.addEventListener('copy', (event) => {
        event.clipboardData?.setData('text/plain', text);
        event.preventDefault();
      }, { once: true });
      return document.execCommand('copy');
    }, text);
    if (!copied) throw new Error('the page may not copy');
  }

  /** @override @param {number} width @param {number} height */
  async resize(width, height) {
    const edges = await this.evaluate(() => ({ width: outerWidth - innerWidth, height: outerHeight - innerHeight }));
    await this.session.send('rect', { width: width + edges.width, height: height + edges.height });
    await this.waitFor(([width, height]) => innerWidth === width && innerHeight === height, [width, height], { patience: 5000 });
  }

  /** @override */
  async screenshot() {
    await this.session.enter(this.handle);
    await this.session.enterFrame('');
    return Buffer.from(await this.session.send('screenshot'), 'base64');
  }

  /** @override */
  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.session.closeWindow(this.handle);
  }
}
