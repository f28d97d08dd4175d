// @ts-check
/**
 * What a shop may pass to `init` and `update`: every parameter is looked at here before anything is done with it.
 *
 * @import { LocaleKey, LocaleTexts } from '../shared/messages'
 * @import { CardWidgetChanges, CardWidgetParams, Lang } from '../../pkg-template/index.js'
 */

/**
 * What the shop asks for and may change, as it was taken in.
 *
 * @typedef {Omit<CardWidgetChanges, 'locale'>
 *   & Required<Pick<CardWidgetParams, 'lang' | 'template' | 'style' | 'colorScheme' | 'timeout'>>
 *   & { locale: { [lang: string]: LocaleTexts } }} Settings
 */

/**
 * How an optional parameter is taken in: a copy of what is right, `undefined` for anything else; and what is right, in words.
 *
 * @typedef {[read: (value: any, current: any) => any, wanted: string]} Option
 */

/**
 * What there is no form without.
 *
 * @param {CardWidgetParams} params
 * @returns {[id: string, message: string] | undefined}
 */
export function findProblem(params) {
  if (self.origin === 'null') {
    return ['origin_opaque', 'The page has no origin.'];
  }
  if (!isSecureContext) {
    return ['insecure_context', 'The page needs https.'];
  }
  for (const [name, [accept, wanted]] of Object.entries(REQUIRED)) {
    const value = Object(params)[name];
    if (value == null || accept(value, 0) === undefined) {
      return [value == null || value === '' ? 'parameter_missing' : 'parameter_invalid', `"${name}" must be ${wanted}, but is ${describe(value)}.`];
    }
  }
  if (!find(params.selector)) return ['host_not_found', missing(params.selector)];
}

/**
 * The shop's texts by language and dotted name, over those there are already. Names may be dotted or nested, in any
 * letter case.
 *
 * @param {object} locale
 * @param {Settings['locale']} current
 */
function readLocale(locale, current) {
  if (Object(locale) !== locale) return;
  const merged = { ...current };
  for (const [name, texts] of Object.entries(locale)) {
    const lang = read('locale.' + name, name, LANG);
    if (lang) {
      /** @type {any} */
      const flat = (merged[lang] = { ...merged[lang] });
      for (const [path, text] of flatten(texts)) {
        const key = LOCALE_KEYS.find((known) => known.toLowerCase() === path.toLowerCase());
        if (text === undefined) delete flat[key ?? ''];
        else if (key && text && isString(text)) flat[key] = text; // an empty label would leave a field without a name
        else warn(`"locale.${name}.${path}" is unknown.`);
      }
    }
  }
  return merged;
}

/** @type {(texts: any) => any[]} Pairs of dotted name and text. */
const flatten = (texts) =>
  Object.entries(Object(texts)).flatMap(([name, text]) =>
    Object(text) === text ? flatten(text).map(([inner, text]) => [name + '.' + inner, text]) : [[name, text]],
  );

/**
 * Those that there are, unless none is left.
 *
 * @param {unknown} brands
 */
function readBrands(brands) {
  const known = Array.isArray(brands) ? brands.filter((brand) => read('brands', brand, BRAND)) : [];
  return known.length ? known : undefined;
}

/**
 * What a value may hold is for the frame to say; here it must only fit into an address.
 *
 * @param {object} theme
 */
function readTheme(theme) {
  if (Object(theme) !== theme) return;
  return Object.fromEntries(Object.entries(theme).flatMap(([name, value]) => (value == null ? [] : [[name, String(value).slice(0, 200)]])));
}

/**
 * The language of a BCP 47 tag, or the nearest above it: `uk-UA` finds `uk` (RFC 4647 §3.4).
 *
 * @param {unknown} tag
 */
export function findLang(tag) {
  if (!isString(tag)) return;
  for (let range = tag.toLowerCase(); range; range = range.replace(/-?[^-]*$/, '')) {
    const lang = LANGS.find((lang) => lang.toLowerCase() === range);
    if (lang) return lang;
  }
}

/**
 * An optional parameter as it is taken in, or `undefined`; with a warning when there was something.
 *
 * @param {string} name
 * @param {unknown} value
 * @param {Option} option
 * @param {unknown} [current]
 */
export function read(name, value, [accept, wanted], current) {
  if (value == null) return;
  const taken = accept(value, current);
  if (taken === undefined) warn(`"${name}" must be ${wanted}, but is ${describe(value)}.`);
  return taken;
}

/** @type {(...known: string[]) => Option} */
export const oneOf = (...known) => [(value) => known.find((name) => name === value), 'one of ' + known.join(', ')];

/** @type {(isFine: (value: any) => unknown, wanted: string) => Option} */
const only = (isFine, wanted) => [(value) => (isFine(value) ? value : undefined), wanted];

/**
 * What was received, in words. It is repeated only when it could not be a part of a card.
 *
 * @param {unknown} value
 */
function describe(value) {
  if (isString(value)) return /^[a-z_-]{1,30}$/i.test(value) ? `"${value}"` : `${value.length} characters`;
  if (value == null || (typeof value === 'number' && /^(\D*\d){0,6}\D*$/.test(String(value)))) return String(value);
  return `of type ${typeof value}`;
}

/** @type {(selector: any) => Element | null} */
export const find = (selector) => (isString(selector) ? document.getElementById(selector.replace(/^#/, '')) : selector);

/** @type {(selector: unknown) => string} */
export const missing = (selector) => `"selector" is not in the page: ${isString(selector) ? selector : 'the element'}.`;

/** @type {(value: unknown) => value is string} */
export const isString = (value) => typeof value === 'string';

/** @type {(message: string) => void} */
export const warn = (message) => console.warn('CardWidget: ' + message);

/**
 * The frame's accessible name, to pay and to receive, by language. Filled in by the build: `title` and `titleReceive` of
 * each file of `www/texts`.
 *
 * @type {{ [lang: string]: [string, string] }}
 */
export const TITLES = /** @type {any} */ ('%TITLES%');

/** @type {Lang[]} */
const LANGS = Object.keys(TITLES);

/** Ids of `crates/card`. */
const BRAND = oneOf(...'visa mastercard maestro amex diners discover jcb unionpay mir elo hipercard rupay troy verve uatp prostir'.split(' '));

const LOCALE_KEYS = /** @type {LocaleKey[]} */ (
  'cardNumber expiryDate cvv submit yy mm hints.cvvHint errors.cardNumber errors.expiryDate errors.cvv'.split(' ')
);

/**
 * Lays parameters over the settings. A wrong one is told and changes nothing; one that is `undefined` has its default.
 *
 * @param {any} settings
 * @param {any} defaults
 * @param {any} changes
 */
export function take(settings, defaults, changes) {
  for (const [name, option] of Object.entries(OPTIONS)) {
    if (!(name in Object(changes))) continue;
    const value = changes[name];
    settings[name] = value == null ? defaults[name] : (read(name, value, option, settings[name]) ?? settings[name]);
  }
}

/** What holds where the shop says nothing; the language is the page's. */
export const DEFAULTS = /** @satisfies {Partial<Settings>} */ ({
  template: /** @type {const} */ ('stacked'),
  style: /** @type {const} */ ('plain'),
  colorScheme: /** @type {const} */ ('light'),
  timeout: 15_000,
  locale: {},
});

export const TYPE = oneOf('full_card', 'pan_only');
export const FIELD = oneOf('number', 'expiry', 'code');
export const SIGNAL = only((value) => value instanceof AbortSignal, 'an AbortSignal');

const EVENTS = 'ready token error change close expire'.split(' ');
export const EVENT = oneOf(...EVENTS);

/** @type {(event: string) => string} The parameter that handles an event. */
export const handlerOf = (event) => 'on' + event[0].toUpperCase() + event.slice(1);

export const aFunction = only((value) => typeof value === 'function', 'a function');
const aString = only(isString, 'a string');

/** @type {Option} */
const LANG = [findLang, 'one of ' + LANGS.join(', ')];

/** @type {{ [name: string]: Option }} Parameters without which there is no form. */
const REQUIRED = {
  key: only((value) => isString(value) && value, 'a string'),
  mode: only((value) => value === 'inline', '"inline"'),
  selector: only((value) => isString(value) || value.nodeType === 1, 'an id or element'),
  onToken: aFunction,
};

/** @type {{ [name: string]: Option }} Parameters that may be left out and changed. */
export const OPTIONS = {
  ...Object.fromEntries(EVENTS.map((event) => [handlerOf(event), aFunction])),
  timeout: only((value) => value >= 1000 && value <= 120_000, '1000 to 120000'),
  amount: only((value) => Number.isFinite(value) && value >= 0, 'at least 0'),
  currency: only((value) => isString(value) && /^[A-Z]{3}$/.test(value), 'like UAH'),
  lang: LANG,
  template: oneOf('stacked', 'line'),
  style: oneOf('plain', 'evo'),
  colorScheme: oneOf('light', 'dark', 'auto'),
  theme: [readTheme, 'an object'],
  brands: [readBrands, 'a list of ' + BRAND[1]],
  autoAdvance: only((value) => typeof value === 'boolean', 'a boolean'),
  customer_ip: aString,
  customer_id: aString,
  customer_email: aString,
  locale: [readLocale, 'an object'],
};
