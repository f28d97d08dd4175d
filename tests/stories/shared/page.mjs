// @ts-check
/**
 * A page in a browser, whichever it is. Each engine gives the few primitives; what is built from them is here, once.
 *
 * Where a `frame` is asked for, it is the selector of an `iframe` on the shop's page; left out, the shop's page is meant.
 * Coordinates are CSS pixels of the shop's page.
 *
 * @typedef {{ x: number, y: number }} Point
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { inTime } from './time.mjs';

/** Milliseconds that anything awaited may take. */
const PATIENCE = 20_000;

/** Of one look alone: WebKit's driver never answers one that a page is asked for while it is put away. */
const LOOK = 5_000;

export class Page {
  /** @param {import('./engines.mjs').Engine} engine */
  constructor(engine) {
    this.engine = engine;
  }

  // The primitives.

  /** @param {string} address @returns {Promise<void>} */
  async goto(address) {
    throw new Error(`${this.engine.name} cannot go to ${address}`);
  }

  /**
   * The value of `fn(argument)` in the page or in a frame; both are copied as JSON.
   *
   * @template T, A
   * @param {(argument: A) => T} fn
   * @param {A} [argument]
   * @param {string} [frame]
   * @returns {Promise<Awaited<T>>}
   */
  async evaluate(fn, argument, frame) {
    throw new Error(`${this.engine.name} cannot evaluate ${fn} ${argument} ${frame}`);
  }

  /** Presses and releases key combinations, each like `Control+Shift+z`, where the focus is. @param {string[]} combinations */
  async press(...combinations) {
    throw new Error(`${this.engine.name} cannot press ${combinations}`);
  }

  /** Presses the mouse's left button at a place, `count` times, and releases it. @param {Point} point @param {number} [count] */
  async click(point, count = 1) {
    throw new Error(`${this.engine.name} cannot click ${point} ${count}`);
  }

  /**
   * Drags what is selected or draggable from one place to another, with the mouse's left button.
   *
   * @param {Point} from
   * @param {Point} to
   * @param {string} [frame] That `to` lies in.
   */
  async drag(from, to, frame) {
    throw new Error(`${this.engine.name} cannot drag ${from} ${to} ${frame}`);
  }

  /** Puts a text on the clipboard, as if it had been copied elsewhere: the focus stays where it is. @param {string} text */
  async copy(text) {
    throw new Error(`${this.engine.name} cannot copy ${text}`);
  }

  /** Makes the viewport this large, in CSS pixels. @param {number} width @param {number} height */
  async resize(width, height) {
    throw new Error(`${this.engine.name} cannot be ${width} x ${height}`);
  }

  /** A picture of the viewport, PNG. @returns {Promise<Buffer>} */
  async screenshot() {
    throw new Error(`${this.engine.name} cannot take a picture`);
  }

  /** @returns {Promise<void>} */
  async close() {}

  // Built from them.

  /** Types a text, one key for each character. @param {string} text */
  async type(text) {
    await this.press(...text);
  }

  /**
   * Waits until `fn(argument)` is truthy, and returns what it is then. A page or frame that is not there yet is awaited too.
   *
   * @template T, A
   * @param {(argument: A) => T} fn
   * @param {A} [argument]
   * @param {{ frame?: string, patience?: number }} [options]
   * @returns {Promise<Awaited<T>>}
   */
  async waitFor(fn, argument, { frame, patience = PATIENCE } = {}) {
    const end = Date.now() + patience;
    let reason = '';
    do {
      try {
        const value = await inTime(this.evaluate(fn, argument, frame), LOOK, 'no answer');
        if (value) return value;
        reason = '';
      } catch (error) {
        reason = `\n${error}`;
      }
      await sleep(20);
    } while (Date.now() < end);
    throw new Error(`waited ${patience} ms in vain for ${fn} ${JSON.stringify(argument) ?? ''}${reason}`);
  }

  /**
   * Where the first element of a selector lies on the page, scrolled into view. Scrolling, and a frame that grows, take
   * a moment: asked until two answers are the same.
   *
   * @param {string} selector
   * @param {string} [frame]
   */
  async box(selector, frame) {
    /** @type {{ x: number, y: number, width: number, height: number } | undefined} */
    let last;
    for (;;) {
      const box = await this.#box(selector, frame);
      if (last && last.x === box.x && last.y === box.y && last.width === box.width && last.height === box.height) {
        // Clicks are aimed at what has been painted, which is a moment behind what has been laid out.
        await this.evaluate(() => new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)));
          setTimeout(resolve, 200);
        }));
        return box;
      }
      last = box;
      await sleep(20);
    }
  }

  /** @param {string} selector @param {string} [frame] */
  async #box(selector, frame) {
    const box = await this.waitFor(
      (selector) => {
        const element = document.querySelector(selector);
        if (!element) return null;
        element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x, y, width, height };
      },
      selector,
      { frame },
    );
    if (!box || !frame) return /** @type {NonNullable<typeof box>} */ (box);
    const outer = await this.evaluate(
      ({ frame, top, bottom }) => {
        const element = /** @type {HTMLElement} */ (document.querySelector(frame));
        // WebKit scrolls the frame alone for a part of it.
        const y = element.getBoundingClientRect().y + element.clientTop;
        const beyond = Math.max(y + bottom - innerHeight, 0) || Math.min(y + top, 0);
        if (beyond) scrollTo({ top: scrollY + beyond, behavior: 'instant' });
        const { x, y: now } = element.getBoundingClientRect();
        return { x: x + element.clientLeft, y: now + element.clientTop };
      },
      { frame, top: box.y, bottom: box.y + box.height },
    );
    return { ...box, x: box.x + outer.x, y: box.y + outer.y };
  }
}
