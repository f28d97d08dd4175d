// @ts-check
// Must not compile: it shows that the check of the real files can fail.
/** @type {number} */
export const amount = 'ten';
