// @ts-check
/** The form of the fake: what stands in its fields, what it judges of them, and what it tells the loader. */
import { loadCardRules } from './rules.js';

/**
 * @typedef {'number' | 'expiry' | 'code'} FieldName
 * @typedef {{ text: string, shown: 'hard' | 'left' | 'all' }} Field What is shown of errors: hard ones while somebody types,
 *   those of an unfinished value once the field is left, all of them after a submit.
 * @typedef {{ start?: string, cards: Record<string, string>, changed: () => void }} Setting
 */

export class FakeForm {
  /** The loader has been told that the form works. */
  isReady = false;

  /** What stood in the frame's address. @type {any} */
  #query;
  /** What the shop asked for, as it reached the form: whole each time, not a difference. @type {any} */
  #wishes;
  #setting;
  /** @type {import('./rules.js').CardRules} */
  #rules = /** @type {any} */ (undefined);
  /** @type {MessagePort | undefined} */
  #port;
  /** @type {Partial<Record<FieldName, Field>>} */
  #fields;
  /** @type {FieldName | undefined} */
  #focused;
  #told = '';
  /** There is a token, and nothing has been typed since. */
  #isIssued = false;
  /** @type {Promise<void> | undefined} The submit under way. */
  #run;

  /**
   * @param {HTMLIFrameElement} frame
   * @param {string} address
   * @param {Setting} setting
   */
  constructor(frame, address, setting) {
    const { theme, ...query } = Object.fromEntries(new URL(address).searchParams);
    this.frame = frame;
    this.#setting = setting;
    this.#query = { ...query, ...(theme && { theme: JSON.parse(theme) }) };
    this.#wishes = this.#query;
    const names = /** @type {FieldName[]} */ (query.type === 'pan_only' ? ['number'] : ['number', 'expiry', 'code']);
    this.#fields = Object.fromEntries(names.map((name) => [name, { text: '', shown: 'hard' }]));
  }

  get host() {
    return /** @type {Element} */ (this.frame.parentElement ?? /** @type {any} */ (this.frame.getRootNode()).host);
  }

  get isOpen() {
    return this.frame.isConnected;
  }

  get params() {
    const { type, deadline, origin, scheme, auto_advance, ...params } = this.#wishes;
    return { ...params, type, ...(scheme && { colorScheme: scheme }), ...(auto_advance !== undefined && { autoAdvance: auto_advance }) };
  }

  /** A channel to the loader. @param {MessagePort} port */
  connect(port) {
    const form = this.#wishes.type;
    const rules = loadCardRules();
    this.#port = port;
    port.onmessage = async ({ data }) => {
      this.#rules = await rules;
      if (port === this.#port) this.#hear({ ...data, form });
    };
  }

  /** @param {any} message */
  #hear({ type, form, ...message }) {
    switch (type) {
      case 'init':
      case 'update':
        this.#wishes = { ...this.#query, ...message, type: form };
        if (this.#setting.start) return this.#fail(this.#setting.start, 'load');
        this.#show();
        if (type === 'init') this.#start();
        break;
      case 'focus':
        this.#focus(message.field ?? this.#firstWrong() ?? this.#names[0]);
        break;
      case 'clear':
        this.#empty();
        break;
      case 'validate':
        this.#judge();
        this.#tell({ type: 'validated', ...this.#summary() });
        break;
      case 'submit':
        this.#submit(true);
    }
  }

  #start() {
    this.#tell({ type: 'ready' });
    this.isReady = true;
    // Once the loader has heard of it.
    Promise.resolve().then(this.#setting.changed);
  }

  /** @param {FieldName} name @param {string} text */
  async type(name, text) {
    this.#mustBeReady();
    const field = this.#fields[name];
    if (!field) throw new TypeError(`type("${name}"): the form has ${this.#names.join(', ')}.`);
    if (typeof text !== 'string') throw new TypeError(`type("${name}", text): text must be a string.`);
    this.#isIssued = false;
    this.#focus(name);
    for (let length = text ? 1 : 0; length <= text.length; length += 1) {
      Object.assign(field, { text: text.slice(0, length), shown: 'hard' });
      this.#show();
    }
    await this.#heard();
  }

  /** @param {Partial<Record<FieldName, string>>} texts */
  async fill(texts) {
    for (const [name, text] of Object.entries(texts)) await this.type(/** @type {FieldName} */ (name), text);
  }

  async submit() {
    this.#mustBeReady();
    await this.#submit(false);
    await this.#heard();
  }

  async leave() {
    this.#focus(undefined);
    await this.#heard();
  }

  async pressEscape() {
    this.#tell({ type: 'escape' });
    await this.#heard();
  }

  #mustBeReady() {
    if (!this.isReady || !this.isOpen) throw new Error('The form does not work: it starts, has failed, or is gone. `await fake.form()` gives one that works.');
  }

  /** @param {boolean} byShop */
  #submit(byShop) {
    this.#run ??= this.#pay(byShop).finally(() => {
      this.#run = undefined;
    });
    return this.#run;
  }

  /** @param {boolean} byShop */
  async #pay(byShop) {
    // A late press after a token is none.
    if (this.#isIssued && !byShop) return;
    this.#isIssued = false;
    this.#judge();
    const wrong = this.#firstWrong();
    if (wrong) {
      if (byShop) this.#fail('card_invalid', 'form');
      return this.#focus(wrong);
    }
    const { digits, mask } = this.#number();
    const [name = 'success'] = Object.entries(this.#setting.cards).find(([, number]) => number === digits) ?? [];
    const { deadline = 13_500 } = this.#wishes;
    if (name === 'slow') await after(SLOW);
    if (name === 'timeout') await after(deadline);
    if (!this.isOpen) return;
    if (name in REFUSALS) return this.#fail(REFUSALS[name], 'submit');
    this.#empty();
    this.#isIssued = true;
    issued += 1;
    const expires_at = new Date(Date.now() + HOUR).toISOString().slice(0, 19);
    this.#tell({ type: 'token', token: `fake_${name}_${issued}`, expires_at, expires_in: HOUR, card_mask: mask });
  }

  /** @param {string} code @param {string} stage */
  #fail(code, stage) {
    const [actor, retryable, message] = FAILURES[code] ?? ['service', false, `The fake was asked for "${code}".`];
    this.#tell({ type: 'error', code, message, actor, retryable, stage, correlation_id: '' });
  }

  #empty() {
    for (const name of this.#names) this.#fields[name] = { text: '', shown: 'hard' };
    this.#show();
  }

  /** Shows all errors. */
  #judge() {
    for (const field of Object.values(this.#fields)) field.shown = 'all';
    this.#show();
  }

  /** @param {FieldName | undefined} name */
  #focus(name) {
    const left = this.#focused && this.#fields[this.#focused];
    if (left && name !== this.#focused && left.shown === 'hard') left.shown = 'left';
    this.#focused = name;
    this.#show();
  }

  /** Tells the loader how the form stands, where that is new. */
  #show() {
    const summary = this.#summary();
    const text = JSON.stringify(summary);
    if (text === this.#told || !this.#port) return;
    this.#told = text;
    this.#tell({ type: 'change', ...summary });
  }

  #summary() {
    const number = this.#number();
    const fields = Object.fromEntries(Object.entries(this.#fields).map(([name, field]) => [name, this.#view(/** @type {FieldName} */ (name), field)]));
    const { brands, choices, brand } = number;
    return { fields, brands, choices, brand, complete: !this.#firstWrong() };
  }

  /** @param {FieldName} name @param {Field} field */
  #view(name, { text, shown }) {
    let { state, error } = this.#answer(name);
    if (error && (state === 'incomplete' || state === 'empty')) {
      const isUnfinished = /_(empty|incomplete)$/.test(error);
      if (shown === 'hard' || (shown === 'left' && error.endsWith('_empty'))) error = null;
      else if (!isUnfinished) state = 'invalid';
    }
    return { state: text ? state : 'empty', error, focused: this.#focused === name };
  }

  get #names() {
    return /** @type {FieldName[]} */ (Object.keys(this.#fields));
  }

  #firstWrong() {
    return this.#names.find((name) => this.#answer(name).error !== null);
  }

  #number() {
    const { brands } = this.#wishes;
    return this.#rules.number(this.#fields.number?.text ?? '', brands && { brands });
  }

  /** @param {FieldName} name @returns {{ state: string, error: string | null }} */
  #answer(name) {
    if (name === 'number') return this.#number();
    const { text } = /** @type {Field} */ (this.#fields[name]);
    return name === 'expiry' ? this.#rules.expiry(text) : this.#rules.code(text, { number: this.#fields.number?.text });
  }

  /** @param {object} message */
  #tell(message) {
    this.#port?.postMessage(message);
  }

  /** What was told has reached the shop. */
  async #heard() {
    for (let turn = 0; turn < 4; turn += 1) await null;
  }
}

/** Of all fakes, so that no two tokens are the same. */
let issued = 0;

/** @param {number} milliseconds */
const after = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const HOUR = 3_600_000;
/** Milliseconds until a slow card has its token. */
const SLOW = 3000;

/** What becomes of a card instead of a token. @type {Record<string, string>} */
const REFUSALS = { timeout: 'timeout', offline: 'offline', keyExpired: 'ticket_expired', limitReached: 'too_many_requests', refused: 'wrong_card_number' };

/**
 * Who can act, whether it is worth another attempt, and a sentence, as the service and the frame have them.
 *
 * @type {Record<string, [actor: string, retryable: boolean, message: string]>}
 */
const FAILURES = {
  card_invalid: ['customer', false, 'A field is empty or wrong.'],
  timeout: ['network', true, 'There was no answer in time.'],
  offline: ['network', true, 'The device has no connection.'],
  ticket_expired: ['service', true, 'The form is too old. Load it again.'],
  too_many_requests: ['customer', true, 'Too many requests. Try again later.'],
  wrong_card_number: ['customer', false, 'The card number is wrong.'],
  service_unreachable: ['network', true, 'The service does not answer.'],
  service_unavailable: ['service', true, 'The service is out of order.'],
  widget_key_unknown: ['merchant', false, 'The widget key is not known.'],
  origin_not_allowed: ['merchant', false, 'The page\'s origin is not allowed for the widget key.'],
};
