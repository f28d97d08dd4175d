/** The card form from outside: its fields are found by `autocomplete`, as a password manager finds them. */

/** The form of the first widget on the page, or of the one in `host`. */
export function cardForm(page, host = '#card') {
  const frame = page.frameLocator(`${host} iframe`);
  const field = (name) => frame.locator(`input[autocomplete="${name}"]`);
  const form = {
    frame,
    number: field('cc-number'),
    expiry: field('cc-exp'),
    code: field('cc-csc'),
    button: frame.locator('button[type="submit"]'),
    status: frame.locator('#status'),

    /** Waits until the frame has said that it works. */
    async ready(count = 1) {
      await page.waitForFunction((count) => heard.ready.length >= count, count);
      return form;
    },

    /** Types as a person does, key by key, into the fields that are given. */
    async type({ number, expiry, code }) {
      if (number !== undefined) await form.number.pressSequentially(number);
      if (expiry !== undefined) await form.expiry.pressSequentially(expiry);
      if (code !== undefined) await form.code.pressSequentially(code);
    },

    /** The texts that explain a field to somebody who cannot see it: its hint, or its error. */
    async note(field) {
      return field.evaluate((input) =>
        (input.getAttribute('aria-describedby') ?? '').split(' ').map((id) => input.ownerDocument.getElementById(id)?.textContent ?? '').join(' ').trim(),
      );
    },

    async isInvalid(field) {
      return (await field.getAttribute('aria-invalid')) === 'true';
    },
  };
  return form;
}

/** What has reached the shop's page so far. */
export const heard = (page) => page.evaluate(() => window.heard);

/** Waits for the n-th token and returns it. */
export async function token(page, count = 1) {
  await page.waitForFunction((count) => heard.tokens.length >= count, count);
  return (await heard(page)).tokens[count - 1];
}

/** The requests for a token that the page's frame has sent. */
export const tokenRequests = (page) => page.seen.requests.filter((request) => request.url().endsWith('/api/widget/v1/tokens'));
