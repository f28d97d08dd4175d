// @ts-check
/** The form, the payment page and the proof, as a person uses them, for tests with Playwright against a sandbox. */

export { cards, expiry } from './cards.js';

/** @type {typeof import('./playwright.js').cardForm} */
export function cardForm(page, within = 'body') {
  const frame = page.frameLocator(`${within} iframe[src*="/widget/v1/frame?"]`);
  /** @param {string} selector */
  const find = (selector) => /** @type {any} */ (frame.locator(selector));
  const fields = {
    number: find('input[autocomplete="cc-number"]'),
    expiry: find('input[autocomplete="cc-exp"]'),
    code: find('input[autocomplete="cc-csc"]'),
  };
  const button = find('button[type="submit"]');
  /** @type {import('./playwright.js').CardFormOnPage<any>} */
  const form = {
    ...fields,
    button,
    status: find('#status'),
    async fill(texts) {
      for (const [name, field] of Object.entries(fields)) {
        const text = texts[/** @type {keyof typeof fields} */ (name)];
        if (text !== undefined) await field.fill(text);
      }
    },
    submit: () => button.click(),
    async pay(texts) {
      await form.fill(texts);
      await form.submit();
    },
  };
  return form;
}

/** @type {typeof import('./playwright.js').finishProof} */
export async function finishProof(page, passes = true) {
  await page.locator(`button[name="proof"][value="${passes ? 'passed' : 'failed'}"]`).click();
  await page.waitForURL((address) => !address.pathname.startsWith('/3ds/'));
}

/** @type {typeof import('./playwright.js').payByWallet} */
export async function payByWallet(page, wallet) {
  await page.locator(`button[name="method"][value="${wallet}"]`).click();
}
