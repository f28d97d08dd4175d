// @ts-check
/**
 * From the controls to parameters, and from an address to the controls.
 *
 * @import { CardWidgetParams } from '../../pkg-template/index.js'
 */

/** Names of the networks, as `brands` takes them. */
export const BRANDS = [
  'visa', 'mastercard', 'maestro', 'amex', 'diners', 'discover', 'jcb', 'unionpay',
  'mir', 'elo', 'hipercard', 'rupay', 'troy', 'verve', 'uatp', 'prostir',
];

/** The texts that `locale` may replace. */
export const TEXTS = [
  'cardNumber', 'expiryDate', 'cvv', 'submit', 'mm', 'yy', 'hints.cvvHint',
  'errors.cardNumber', 'errors.expiryDate', 'errors.cvv',
];

/** Measures of the theme in pixels: the least, and the most. */
export const MEASURES = { fontSize: [16, 24], radius: [0, 32], gap: [0, 32] };

/** What a parameter is when it is left out. */
const DEFAULTS = { type: 'full_card', template: 'stacked', style: 'plain', colorScheme: 'light' };

/**
 * Parameters of the form, those that are as by default left out.
 *
 * @param {HTMLFormElement} form
 */
export function readParams(form) {
  const data = new FormData(form);
  const text = (/** @type {string} */ name) => String(data.get(name) ?? '').trim();
  /** @type {(prefix: string) => { [name: string]: string }} */
  const group = (prefix) =>
    Object.fromEntries(
      [...data.keys()].filter((name) => name.startsWith(prefix) && text(name)).map((name) => [name.slice(prefix.length), text(name)]),
    );
  const theme = group('theme.');
  for (const name in MEASURES) if (theme[name]) theme[name] += 'px';
  const locale = group('locale.');
  const brands = data.getAll('brands').map(String);
  const lang = text('lang');
  /** @type {{ [name: string]: unknown }} */
  const params = { key: text('key'), mode: 'inline', selector: 'card', lang };
  for (const [name, value] of Object.entries(DEFAULTS)) {
    if (text(name) !== value) params[name] = text(name);
  }
  if (text('amount')) params.amount = Number(text('amount').replace(',', '.'));
  if (text('currency')) params.currency = text('currency').toUpperCase();
  if (brands.length) params.brands = brands;
  if (!data.has('autoAdvance')) params.autoAdvance = false;
  if (Object.keys(theme).length) params.theme = theme;
  if (Object.keys(locale).length) params.locale = { [lang]: locale };
  return /** @type {Omit<CardWidgetParams, 'onToken'> & { [name: string]: unknown }} */ (params);
}

/** All that `update` may change, so that what is left out gets its default again. */
export const CHANGEABLE = [
  'lang', 'template', 'style', 'colorScheme', 'amount', 'currency', 'brands', 'autoAdvance', 'theme', 'locale',
];

/**
 * The controls that differ from how the page came, for the address, so that a look can be shared.
 *
 * @param {HTMLFormElement} form
 */
export function toAddress(form) {
  const query = new URLSearchParams();
  for (const control of controls(form)) {
    const box = boxOf(control);
    if (box) {
      if (box.checked !== box.defaultChecked && (box.type === 'checkbox' || box.checked)) {
        query.append(box.name, box.checked ? box.value : '');
      }
    } else if (control.value !== defaultOf(control)) query.append(control.name, control.value);
  }
  return query.toString();
}

/**
 * Sets the controls that an address names.
 *
 * @param {HTMLFormElement} form
 * @param {string} address
 */
export function fromAddress(form, address) {
  const query = new URLSearchParams(address);
  for (const control of controls(form)) {
    if (!query.has(control.name)) continue;
    const values = query.getAll(control.name);
    const box = boxOf(control);
    if (box) box.checked = values.includes(box.value);
    else control.value = values[0];
  }
}

/** @param {HTMLFormElement} form */
function controls(form) {
  const all = /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ ([...form.elements]);
  return all.filter(({ name, type }) => name && type !== 'fieldset');
}

/** @param {HTMLInputElement | HTMLSelectElement} control */
function boxOf(control) {
  return control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type) ? control : undefined;
}

/** @param {HTMLInputElement | HTMLSelectElement} control */
function defaultOf(control) {
  if (control instanceof HTMLInputElement) return control.defaultValue;
  return ([...control.options].find((option) => option.defaultSelected) ?? control.options[0]).value;
}
