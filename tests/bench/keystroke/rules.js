// @ts-check
/** Card rules as a shop writes them by hand: the large brands, lengths, groups, check digit. */

/** @typedef {{ id: string, name: string, pattern: RegExp, gaps: number[], lengths: number[], code: number }} Brand */

const FOURS = [4, 8, 12, 16];

/** @type {Brand[]} */
const BRANDS = [
  { id: 'amex', name: 'American Express', pattern: /^3[47]/, gaps: [4, 10], lengths: [15], code: 4 },
  { id: 'diners', name: 'Diners Club', pattern: /^3(0[0-5]|[689])/, gaps: [4, 10], lengths: [14, 16, 19], code: 3 },
  { id: 'jcb', name: 'JCB', pattern: /^35/, gaps: FOURS, lengths: [16, 17, 18, 19], code: 3 },
  { id: 'visa', name: 'Visa', pattern: /^4/, gaps: FOURS, lengths: [13, 16, 18, 19], code: 3 },
  { id: 'mastercard', name: 'Mastercard', pattern: /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/, gaps: FOURS, lengths: [16], code: 3 },
  { id: 'mir', name: 'Mir', pattern: /^220[0-4]/, gaps: FOURS, lengths: [16, 17, 18, 19], code: 3 },
  { id: 'discover', name: 'Discover', pattern: /^6(011|5|4[4-9])/, gaps: FOURS, lengths: [16, 19], code: 3 },
  { id: 'unionpay', name: 'UnionPay', pattern: /^62/, gaps: FOURS, lengths: [16, 17, 18, 19], code: 3 },
  { id: 'maestro', name: 'Maestro', pattern: /^(50|5[6-9]|6)/, gaps: FOURS, lengths: [12, 13, 14, 15, 16, 17, 18, 19], code: 3 },
];

/** @type {Brand} */
const UNKNOWN = { id: '', name: '', pattern: /^/, gaps: FOURS, lengths: [16, 17, 18, 19], code: 4 };

/** @param {string} digits */
export function brandOf(digits) {
  return BRANDS.find(({ pattern }) => pattern.test(digits)) ?? UNKNOWN;
}

/** @param {string} text */
export function digitsOf(text) {
  return text.replace(/\D/g, '');
}

/** @param {string} digits @param {number[]} gaps */
export function grouped(digits, gaps) {
  let text = '';
  for (let index = 0; index < digits.length; index += 1) {
    if (gaps.includes(index)) text += ' ';
    text += digits[index];
  }
  return text;
}

/** The Luhn formula. @param {string} digits */
export function hasCheckDigit(digits) {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const twice = Number(digits[digits.length - 1 - index]) * (1 + (index % 2));
    sum += twice > 9 ? twice - 9 : twice;
  }
  return sum % 10 === 0;
}

/** What is wrong with a number as it stands; nothing while it can still become right. @param {string} digits @param {Brand} brand */
export function numberError(digits, brand) {
  const longest = Math.max(...brand.lengths);
  if (digits.length > longest) return 'The card number is too long.';
  return digits.length === longest && !hasCheckDigit(digits) ? 'Check the card number.' : '';
}
