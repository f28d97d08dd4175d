// @ts-check
/**
 * The card rules as functions. The rules are those of the form: one core in Rust, compiled to WebAssembly, which stands in
 * the module beside this one. This one checks what callers hand in and freezes what they get.
 */
import { brands as table, code, expiry, number, start } from './rules-core.js';

/**
 * @typedef {import('./rules.js').CardRules} CardRules
 * @typedef {import('./rules.js').BrandId} BrandId
 */

/** @type {Promise<CardRules> | undefined} */
let loading;

/** @type {typeof import('./rules.js').loadCardRules} */
export function loadCardRules() {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** @returns {Promise<CardRules>} */
async function load() {
  try {
    await start();
  } catch (cause) {
    const sentence =
      "loadCardRules(): WebAssembly cannot be started here. Where the page has a content policy, its script-src needs 'wasm-unsafe-eval'.";
    throw Object.assign(new Error(sentence, { cause }), { code: 'rules_unavailable' });
  }
  /** @type {{ brands: import('./rules.js').BrandRules[] }} */
  const { brands } = answer(table());
  const ids = brands.map(({ id }) => id);

  /** @type {(id: unknown, name: string) => number} The place in the table. */
  const place = (id, name) => {
    const found = ids.indexOf(/** @type {BrandId} */ (id));
    if (found < 0) throw wrong(name, `one of the ids ${ids.join(', ')}`, id);
    return found;
  };
  /** @type {(id: unknown, name: string) => number} Of no brand, the place behind the last. */
  const maybe = (id, name) => (id === undefined || id === null ? ids.length : place(id, name));

  return Object.freeze({
    brands,

    /** @type {CardRules['number']} */
    number(text, options) {
      const { brands: taken, choice, ...typing } = object(options, 'rules.number(text, options)');
      if (taken !== undefined && !(Array.isArray(taken) && taken.length > 0)) {
        throw wrong('rules.number(text, options): options.brands', 'an array with at least one id of a brand', taken);
      }
      const places = (taken ?? []).map((id) => place(id, 'rules.number(text, options): each of options.brands'));
      const bits = places.reduce((all, each) => all | (1 << each), 0);
      const chosen = maybe(choice, 'rules.number(text, options): options.choice');
      return typed('rules.number(text, options)', text, typing, (...edit) => number(...edit, bits, chosen));
    },

    /** @type {CardRules['expiry']} */
    expiry(text, options) {
      const { now = Date.now(), ...typing } = object(options, 'rules.expiry(text, options)');
      const time = now instanceof Date ? now.getTime() : now;
      if (typeof time !== 'number' || !(time >= 0 && time < Infinity)) {
        throw wrong('rules.expiry(text, options): options.now', 'a Date, or milliseconds since 1970', now);
      }
      const own = typing.previous?.ownSlash === true;
      return typed('rules.expiry(text, options)', text, typing, (...edit) => expiry(...edit, own, Math.floor(time / 1000)));
    },

    /** @type {CardRules['code']} */
    code(text, options) {
      const call = 'rules.code(text, options)';
      const { number: whole = '', brand } = object(options, call);
      return answer(code(units(text, `${call}: text`), units(whole, `${call}: options.number`), maybe(brand, `${call}: options.brand`)));
    },
  });
}

/**
 * A text in a field, with the answer about what stood there before, and the caret.
 *
 * @template T
 * @param {string} call
 * @param {string} text
 * @param {{ previous?: { formatted: string } | null, caret?: number | null }} typing
 * @param {(text: Uint16Array, previous: Uint16Array, caret: number) => string} run
 * @returns {T}
 */
function typed(call, text, { previous, caret }, run) {
  const characters = units(text, `${call}: text`);
  if (previous !== undefined && previous !== null && typeof previous.formatted !== 'string') {
    throw wrong(`${call}: options.previous`, 'an answer of the same function', previous);
  }
  const before = previous?.formatted;
  const at = caret ?? text.length;
  if (!(Number.isInteger(at) && at >= 0)) throw wrong(`${call}: options.caret`, 'a whole number, at least 0', caret);
  // A text with more digits than the field keeps is not cut: the field shows what it showed, or all of it.
  const kept = before ?? text;
  return answer(run(characters, units(before ?? '', ''), Math.min(at, text.length)), { formatted: kept, caret: kept.length });
}

/** @param {unknown} text @param {string} name */
function units(text, name) {
  if (typeof text !== 'string') throw wrong(name, 'a string', text);
  return Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}

/** @template {object} T @param {T | undefined} options @param {string} call @returns {Partial<T>} */
function object(options, call) {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null) throw wrong(`${call}: options`, 'an object', options);
  return options;
}

/**
 * Says which parameter is wrong and what kind of thing came, never the value: it may be card data.
 *
 * @param {string} name
 * @param {string} wanted
 * @param {unknown} received
 */
function wrong(name, wanted, received) {
  const kind = received === null ? 'null' : Array.isArray(received) ? 'array' : typeof received;
  const article = kind === 'null' || kind === 'undefined' ? '' : /^[aeiou]/.test(kind) ? 'an ' : 'a ';
  return new TypeError(`${name} must be ${wanted}; received ${article}${kind}.`);
}

/**
 * The module's answer, frozen all through. What it left open is taken from `fallback`.
 *
 * @param {string} json
 * @param {Record<string, unknown>} [fallback]
 */
function answer(json, fallback = {}) {
  return JSON.parse(json, (name, value) => Object.freeze(value === null && name in fallback ? fallback[name] : value));
}
