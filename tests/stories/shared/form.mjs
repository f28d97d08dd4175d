// @ts-check
/// <reference path="./globals.d.ts" />
/** The card form from outside: its fields are found by `autocomplete`, as a password manager finds them. */

/** @typedef {import('./page.mjs').Page} Page */
/** @typedef {'number' | 'expiry' | 'code'} Name */

const AUTOCOMPLETE = { number: 'cc-number', expiry: 'cc-exp', code: 'cc-csc' };

/** The form of the widget in `host`. @param {Page} page */
export const cardForm = (page, host = '#card') => new CardForm(page, `${host} iframe`);

export class CardForm {
  /** @param {Page} page @param {string} frame */
  constructor(page, frame) {
    this.page = page;
    this.frame = frame;
    this.number = new Field(this, 'number');
    this.expiry = new Field(this, 'expiry');
    this.code = new Field(this, 'code');
    this.button = new Element(this, 'button[type="submit"]');
    this.status = new Element(this, '#status');
    this.spoken = new Element(this, '#spoken');
  }

  /** Waits until the frame has said that it works, `count` times since the page was loaded. */
  async ready(count = 1) {
    await this.page.waitFor((count) => window.heard.ready.length >= count, count);
    return this;
  }

  /** @template T, A @param {(argument: A) => T} fn @param {A} [argument] */
  evaluate(fn, argument) {
    return this.page.evaluate(fn, argument, this.frame);
  }

  /** @template T, A @param {(argument: A) => T} fn @param {A} [argument] */
  waitFor(fn, argument) {
    return this.page.waitFor(fn, argument, { frame: this.frame });
  }

  /** Types as a person does, key by key, into the fields that are given. @param {Partial<Record<Name, string>>} texts */
  async type(texts) {
    for (const name of /** @type {Name[]} */ (['number', 'expiry', 'code'])) {
      const text = texts[name];
      if (text !== undefined) await this[name].type(text);
    }
  }

  /** Waits for a field to be marked as wrong, and answers its name. */
  async wrong() {
    return this.waitFor(() => document.querySelector('[aria-invalid="true"]')?.id);
  }

  /** Chooses a network of a co-badged card with the mouse. @param {string} id */
  async choose(id) {
    const index = await this.waitFor((id) => {
      const found = [0, 1].find((index) => document.querySelector(`#network-${index}-mark`)?.getAttribute('href') === `#mark-${id}`);
      return found === undefined ? null : String(found);
    }, id);
    await new Element(this, `label:has(#network-${index})`).click();
  }

  /** Name of what has the keyboard in the frame, empty when nothing has. */
  focused() {
    return this.evaluate(() => (document.hasFocus() ? (document.activeElement?.id ?? '') : ''));
  }
}

/** Something in the frame. */
export class Element {
  /** @param {CardForm} form @param {string} selector */
  constructor(form, selector) {
    this.form = form;
    this.selector = selector;
  }

  /** @template T, A @param {(element: any, argument: A) => T} fn @param {A} [argument] @returns {Promise<Awaited<T>>} */
  evaluate(fn, argument) {
    // Written as a text, because neither function nor element travels.
    const body = `const element = document.querySelector(${JSON.stringify(this.selector)}); return (${fn})(element, argument);`;
    const whole = /** @type {(argument: any) => any} */ (new Function('argument', body));
    return this.form.evaluate(whole, argument);
  }

  /** Waits until it is there. */
  async waitFor() {
    await this.form.waitFor((selector) => Boolean(document.querySelector(selector)), this.selector);
  }

  text() {
    return this.evaluate((element) => String(element.textContent).trim());
  }

  /** @param {string} name @returns {Promise<string | null>} */
  attribute(name) {
    return this.evaluate((element, name) => element.getAttribute(name), name);
  }

  box() {
    return this.form.page.box(this.selector, this.form.frame);
  }

  /** Clicks its middle. */
  async click() {
    const { x, y, width, height } = await this.box();
    await this.form.page.click({ x: x + width / 2, y: y + height / 2 });
  }
}

/** An input. */
export class Field extends Element {
  #side = 8;

  /** @param {CardForm} form @param {Name} name */
  constructor(form, name) {
    super(form, `input[autocomplete="${AUTOCOMPLETE[name]}"]`);
    this.name = name;
  }

  /** @returns {Promise<string>} */
  value() {
    return this.evaluate((input) => input.value);
  }

  /** Where the selection begins and ends. @returns {Promise<[number, number]>} */
  selection() {
    return this.evaluate((input) => [input.selectionStart, input.selectionEnd]);
  }

  /** Selects as a script does; the field gets the keyboard first. @param {number} start @param {number} [end] */
  async select(start, end = start) {
    await this.focus();
    await this.evaluate((input, [start, end]) => input.setSelectionRange(start, end), [start, end]);
  }

  isFocused() {
    return this.evaluate((input) => document.hasFocus() && document.activeElement === input);
  }

  /** Gives it the keyboard by a click behind its text, unless it has it. */
  async focus() {
    if (!(await this.isFocused())) await this.clickBehind();
  }

  /**
   * Clicks behind the last character, never twice at the same place: that would be a double click. A frame that has
   * not been painted yet gets no clicks; then it is clicked again, as anybody would.
   */
  async clickBehind() {
    const { page, frame } = this.form;
    const hasFocus = (/** @type {string} */ selector) => document.hasFocus() && document.activeElement === document.querySelector(selector);
    for (let attempt = 1; ; attempt += 1) {
      const { x, y, width, height } = await this.box();
      this.#side = -this.#side;
      // Not at the very edge: a scrollbar may lie over it.
      await page.click({ x: x + width - 14, y: y + height / 2 + this.#side });
      try {
        await page.waitFor(hasFocus, this.selector, { frame, patience: 2000 });
        return;
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
  }

  /** Types key by key, at the caret. @param {string} text */
  async type(text) {
    await this.focus();
    await this.form.page.type(text);
  }

  /** @param {string[]} combinations */
  async press(...combinations) {
    await this.focus();
    await this.form.page.press(...combinations);
  }

  /** Sets the whole value as a password manager does: no key, then the two events. @param {string} text */
  async set(text) {
    await this.evaluate((input, text) => {
      input.focus();
      input.value = text;
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, text);
  }

  /** The texts that explain the field to somebody who cannot see it: its hint, or its error. @returns {Promise<string>} */
  note() {
    return this.evaluate((input) =>
      (input.getAttribute('aria-describedby') ?? '').split(' ').map((/** @type {string} */ id) => document.getElementById(id)?.textContent ?? '').join(' ').trim(),
    );
  }

  async isInvalid() {
    return (await this.attribute('aria-invalid')) === 'true';
  }
}

/** What has reached the shop's page so far. @param {Page} page @returns {Promise<Heard>} */
export const heard = (page) => page.evaluate(() => window.heard);

/** Waits for the n-th token and returns it. @param {Page} page */
export async function token(page, count = 1) {
  await page.waitFor((count) => window.heard.tokens.length >= count, count);
  return (await heard(page)).tokens[count - 1];
}

/** The requests for a token that reached the service's front. @param {import('./world.mjs').Visit} page */
export const tokenRequests = (page) => page.requests.filter(({ path, method }) => method === 'POST' && path === '/api/widget/v1/tokens');
