// @ts-check
/** A form without a browser: fields that hold text, what the frame's script lends, and a record of all that was asked. */
import { readFileSync } from 'node:fs';
import { within } from './cores.js';

/** @import { Core } from './cores.js' */

const TEXTS = JSON.parse(readFileSync(new URL('../../www/texts/en.json', import.meta.url), 'utf8'));

/** Ids of the fields, in the module's order. */
const FIELDS = ['number', 'expiry', 'code'];

/** Places in `HAPPENINGS` of the frame's script. */
export const [CHANGED, UNDONE, REDONE, ENTERED, LEFT] = [0, 1, 2, 3, 4];

/** One text field, its selection and its undo history. */
class Input {
  value = '';
  start = 0;
  end = 0;
  backward = false;
  /** @type {string[]} */ done = [];
  /** @type {string[]} */ undone = [];

  /** @param {number} start @param {number} end @param {boolean} [backward] */
  select(start, end, backward = false) {
    Object.assign(this, { start, end, backward });
  }
}

export class Form {
  /** @type {{ [id: string]: Input }} */ inputs = Object.fromEntries(FIELDS.map((id) => [id, new Input()]));
  /** Every call of the module's, with what it said. @type {any[][]} */ asked = [];
  /** The last that the shop was told of how the form is. @type {any} */ change;
  /** The field that the module moved the keyboard to. @type {string | undefined} */ focused;
  /** Ids of the networks that are offered. */ networks = ['', ''];
  /** What the service will answer. @type {any[]} */ answers = [];
  /** What throws when the module asks for it. @type {string | undefined} */ breaks;

  /**
   * @param {string} name What the core runs in.
   * @param {Core} core
   * @param {{ kind?: string, now: number }} given
   */
  constructor(name, core, { kind = 'full_card', now }) {
    this.name = name;
    this.now = now;
    /** @type {Core} */
    this.core = core;
    this.exports = within(name, () => core.initSync({}));
    const boot = { key: 'wk_sandbox', origin: 'https://shop.example', ticket: 't1', live: false, now };
    const sealing_key = { kid: 'k1', x: 'AA', y: 'AA' };
    const data = { boot: { ...boot, sealing_key }, texts: TEXTS, form: kind, lang: 'en' };
    if (!this.call('start', this.lent(), data, -1, false)) throw Error('the module does not take the form');
  }

  /** One of the module's functions. @param {string} name @param {...any} args @returns {any} */
  call(name, ...args) {
    return within(this.name, () => this.core[name](...args));
  }

  /** Something happens to a field. @param {string} id @param {number} happening */
  happens(id, happening) {
    this.call('on_field', FIELDS.indexOf(id), happening);
  }

  /** A `beforeinput`. @param {string} id @param {number} kind @param {string} text */
  edits(id, kind, text) {
    const { start, end } = this.inputs[id];
    this.call('on_edit', FIELDS.indexOf(id), kind, start, end, text);
  }

  /** A field holds another value, caret where it is said. @param {string} id @param {string} value @param {number} [caret] */
  holds(id, value, caret = value.length) {
    this.inputs[id].value = value;
    this.inputs[id].select(caret, caret);
    this.happens(id, CHANGED);
  }

  /** The browser undoes or redoes a step, if there is one. @param {string} id @param {boolean} back */
  travels(id, back) {
    const input = this.inputs[id];
    const [from, to] = back ? [input.done, input.undone] : [input.undone, input.done];
    const value = from.pop();
    if (value === undefined) return;
    to.push(input.value);
    input.value = value;
    this.happens(id, back ? UNDONE : REDONE);
  }

  /** Submits and waits until there is nothing left to do. */
  async submits() {
    let step = this.call('on_submit', false);
    while (step) {
      /** @type {any[]} */
      const [value, error] = await step.then((/** @type {any} */ value) => [value], (/** @type {any} */ error) => [undefined, error]);
      step = this.call('resume', value, error);
    }
  }

  /** What the shop has been told of a field, empty being incomplete as the vectors have it. @param {string} id */
  field(id) {
    const { state, error } = this.change.fields[id];
    return { state: state === 'empty' ? 'incomplete' : state, error };
  }

  /** What the frame's script lends. What is not told here is remembered and answered with nothing. */
  lent() {
    /** @type {{ [name: string]: Function }} */
    const known = {
      /** @param {string} text @param {number} from @param {Uint16Array} buffer */
      copy(text, from, buffer) {
        for (let unit = 0; unit < buffer.length; unit++) buffer[unit] = text.charCodeAt(from + unit);
        return text.length;
      },
      /** @param {string} id @param {number} from @param {Uint16Array} buffer */
      value: (id, from, buffer) => known.copy(this.inputs[id].value, from, buffer),
      /** @param {string} id */
      caret: (id) => this.inputs[id].start,
      /** @param {string} id @param {number} start @param {number} end @param {string} text */
      edit: (id, start, end, text) => {
        const input = this.inputs[id];
        input.done.push(input.value);
        input.undone.length = 0;
        input.value = input.value.slice(0, start) + text + input.value.slice(end);
      },
      /** @param {string} id @param {string} text */
      write: (id, text) => (this.inputs[id].value = text),
      /** @param {string} id @param {number} start @param {number} end */
      select: (id, start, end) => this.inputs[id].select(start, end),
      /** @param {string} id */
      focus: (id) => (this.focused = id),
      /** @param {string} id */
      renew: (id) => (this.inputs[id] = new Input()),
      /** @param {number} index @param {string} brand */
      network: (index, brand) => (this.networks[index] = brand),
      offer: () => 'one or the other',
      /** @param {any} forms @param {string} lang @param {number} count */
      counted: (forms, lang, count) => (typeof forms === 'object' ? forms.other.replace('{n}', count) : forms),
      /** @param {...any} all */
      withAmount: (...all) => all.join('|'),
      agree: async () => ({ point: Uint8Array.of(4, ...Array(64).fill(7)).buffer, secret: new Uint8Array(32).buffer }),
      contentKey: async () => 'key',
      /** @param {any} key @param {Uint8Array} iv @param {Uint8Array} aad @param {Uint8Array} plaintext */
      encrypt: async (key, iv, aad, plaintext) => plaintext.map((byte, at) => byte ^ aad[at] ^ iv[0]).slice().buffer,
      /** @param {Uint8Array} bytes */
      random: (bytes) => bytes.fill(3),
      /** @param {ArrayBuffer} buffer @param {Uint8Array} into */
      bytes(buffer, into) {
        if (buffer.byteLength <= into.length) into.set(new Uint8Array(buffer));
        return buffer.byteLength;
      },
      uuid: () => '00000000-0000-4000-8000-000000000000',
      now: () => this.now,
      post: async () => this.answers.shift(),
      renewBoot: async () => this.answers.shift(),
      /** @param {string} code */
      failure: (code) => ({ code, actor: 'network', message: 'm', retryable: true, error_id: '' }),
      /** @param {string} json */
      changed: (json) => (this.change = JSON.parse(json)),
    };
    /** @param {string} name @param {any[]} args */
    const ask = (name, args) => {
      if (name === this.breaks) throw Error('as told');
      // Before the call: bytes are a view into memory. Those that are to be filled hold leftovers.
      const filled = ['copy', 'value', 'random', 'bytes'].includes(name);
      this.asked.push([name, ...args.map((arg) => (ArrayBuffer.isView(arg) ? (filled ? arg.byteLength : Array.from(/** @type {Uint8Array} */ (arg))) : arg))]);
      return known[name]?.(...args);
    };
    return new Proxy(known, {
      get: (_, name) => typeof name === 'string' && name !== 'then' && ((/** @type {any[]} */ ...args) => ask(name, args)),
    });
  }
}
