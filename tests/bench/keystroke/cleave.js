// @ts-check
/** cleave-zen formats and keeps the caret, card-validator judges, as the READMEs of both show. */
import valid from 'card-validator';
import { DefaultCreditCardDelimiter, formatCreditCard, formatDate, formatGeneral, registerCursorTracker } from 'cleave-zen';
import { field, showBrand, showError } from './show.js';

const number = field('number');
const expiry = field('expiry');
const code = field('code');

registerCursorTracker({ input: number, delimiter: DefaultCreditCardDelimiter });
number.addEventListener('input', () => {
  number.value = formatCreditCard(number.value, { delimiterLazyShow: true, strictMode: true });
  const { card, isPotentiallyValid } = valid.number(number.value);
  showBrand(card?.type ?? '', card?.niceType ?? '');
  showError('number', isPotentiallyValid ? '' : 'Check the card number.');
});

registerCursorTracker({ input: expiry, delimiter: '/' });
expiry.addEventListener('input', () => {
  expiry.value = formatDate(expiry.value, { datePattern: ['m', 'y'], delimiterLazyShow: true });
  showError('expiry', valid.expirationDate(expiry.value).isPotentiallyValid ? '' : 'Check the date.');
});

code.addEventListener('input', () => {
  code.value = formatGeneral(code.value, { blocks: [4], numericOnly: true });
  showError('code', valid.cvv(code.value, 4).isPotentiallyValid ? '' : 'Check the code.');
});
