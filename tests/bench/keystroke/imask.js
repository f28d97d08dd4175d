// @ts-check
/** imask formats with a mask for each brand, as its guide does for cards; it judges nothing, so the hand-written rules do. */
import IMask from 'imask';
import { brandOf, numberError } from './rules.js';
import { field, showBrand, showError } from './show.js';

const number = IMask(field('number'), {
  mask: [
    { mask: '0000 000000 00000', brand: 'amex' },
    { mask: '0000 000000 0000', brand: 'diners' },
    { mask: '0000 0000 0000 0000 000', brand: '' },
  ],
  /** @param {string} appended @param {any} masked */
  dispatch: (appended, { compiledMasks, value }) => {
    const { id } = brandOf((value + appended).replace(/\D/g, ''));
    return compiledMasks.find((/** @type {any} */ mask) => mask.brand === id) ?? compiledMasks.at(-1);
  },
});
number.on('accept', () => {
  const digits = number.unmaskedValue;
  const brand = brandOf(digits);
  showBrand(brand.id, brand.name);
  showError('number', numberError(digits, brand));
});

IMask(field('expiry'), { mask: '00/00' });
IMask(field('code'), { mask: '0000' });
