/** Public test numbers; none is a real card. */
export const VISA = '4242424242424242';
export const MASTERCARD = '5555555555554444';
/** RuPay and JCB on one card: made up, in the range of such cards. */
export const CO_BADGED = '3538000000000005';
/** For a live key, which takes no test numbers. Nobody's: no bank can have numbers that begin with 9999. */
export const NOBODYS = '9999000000123459';
/** One digit off: the checksum fails. */
export const WRONG = '4242424242424241';

/** December two years from now, as it is typed: `12/28`. */
export const FUTURE = `12/${String((new Date().getUTCFullYear() + 2) % 100).padStart(2, '0')}`;
/** January of last year. */
export const PAST = `01/${String((new Date().getUTCFullYear() - 1) % 100).padStart(2, '0')}`;
