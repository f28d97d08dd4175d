// @ts-check
/**
 * The plain formatter: a card form written by hand. Every input event takes the digits, groups them, assigns the value
 * and puts the caret behind the digit where it was; brand and error are shown as the widget shows them.
 */
import { brandOf, digitsOf, grouped, numberError } from './rules.js';
import { field, showBrand, showError } from './show.js';

/** With `?sparing` the value is assigned only where it differs, which is after every fourth digit. */
const SPARING = new URL(import.meta.url).searchParams.has('sparing');

const number = field('number');
const expiry = field('expiry');
const code = field('code');

/** @param {HTMLInputElement} input @param {string} text @param {number} left Digits before the caret. */
function write(input, text, left) {
  if (SPARING && input.value === text) return;
  let caret = 0;
  for (let seen = 0; seen < left; caret += 1) if (text[caret] !== ' ' && text[caret] !== '/') seen += 1;
  input.value = text;
  input.setSelectionRange(caret, caret);
}

/** @param {HTMLInputElement} input */
const leftOf = (input) => digitsOf(input.value.slice(0, input.selectionStart ?? 0)).length;

number.addEventListener('input', () => {
  const left = leftOf(number);
  const digits = digitsOf(number.value).slice(0, 19);
  const brand = brandOf(digits);
  write(number, grouped(digits, brand.gaps), Math.min(left, digits.length));
  showBrand(brand.id, brand.name);
  showError('number', numberError(digits, brand));
});

expiry.addEventListener('input', () => {
  const left = leftOf(expiry);
  const digits = digitsOf(expiry.value).slice(0, 4);
  write(expiry, digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits, Math.min(left, digits.length));
  const month = Number(digits.slice(0, 2));
  showError('expiry', digits.length > 1 && (month < 1 || month > 12) ? 'Check the month.' : '');
});

code.addEventListener('input', () => {
  const left = leftOf(code);
  const digits = digitsOf(code.value).slice(0, brandOf(digitsOf(number.value)).code);
  write(code, digits, Math.min(left, digits.length));
});
