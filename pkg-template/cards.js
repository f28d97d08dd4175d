// @ts-check
/** Public test numbers, for tests only. */

/** What a payment with them comes to, in the sandbox of the service. Any future date, any security code. */
export const cards = Object.freeze({
  success: '4111111111111111',
  successWithProof: '4242424242424242',
  declined: '4444333322221111',
  declinedWithProof: '4200000000000000',
  insufficientFunds: '4000000000000044',
});

/** A date that is not over: December in two years, as it is typed. */
export const expiry = () => `12/${String((new Date().getFullYear() + 2) % 100).padStart(2, '0')}`;
