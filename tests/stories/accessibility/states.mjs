// @ts-check
/** Every state that the form can be in, one after the other, as a person gets there. */
import { CO_BADGED, FUTURE, MASTERCARD, VISA } from '../shared/cards.mjs';
import { token } from '../shared/form.mjs';

const TOKENS = /\/tokens$/;

/**
 * Takes an open, empty form from state to state, and yields the name of each.
 *
 * @param {import('../shared/world.mjs').World} world
 * @param {import('../shared/form.mjs').CardForm} form
 * @param {string} [number] Of the card that is accepted in the end.
 */
export async function* states(world, form, number = VISA) {
  const isFull = await form.evaluate(() => Boolean(document.getElementById('code')));
  /** What the service answers, in turn; then what it really says. @type {(() => Promise<import('../shared/front.mjs').Answer>)[]} */
  const answers = [];
  world.front.rule(TOKENS, (_, pass) => (answers.shift() ?? pass)());

  yield 'empty';

  await form.number.focus();
  yield 'focused';

  await form.number.set(CO_BADGED);
  await form.waitFor(() => document.getElementById('networks')?.checkVisibility());
  yield 'networks';

  // A wrong last digit, where no further one can follow.
  await form.number.set(MASTERCARD.replace(/.$/, '5'));
  await form.wrong();
  yield 'one error';

  await form.number.set('4242');
  await submit(form);
  await form.waitFor((count) => document.querySelectorAll('[aria-invalid]').length === count, isFull ? 3 : 1);
  yield 'all errors';

  await form.number.set(number);
  if (isFull) {
    await form.expiry.set(FUTURE);
    await form.code.set('123');
  }
  await form.waitFor(() => !document.querySelector('[aria-invalid]'));
  yield 'filled';

  /** @type {(answer: import('../shared/front.mjs').Answer) => void} */
  let settle = () => {};
  const late = new Promise((resolve) => { settle = resolve; });
  answers.push(() => late);
  await submit(form);
  await form.waitFor(() => document.querySelector('[aria-busy]'));
  yield 'busy';

  settle(refusal(503, 'service_unavailable'));
  await form.waitFor(() => document.getElementById('status')?.textContent && !document.querySelector('[aria-busy]'));
  yield 'failed';

  answers.push(async () => refusal(422, isFull ? 'wrong_cvv' : 'wrong_card_number'));
  await submit(form);
  await form.waitFor(() => document.querySelector('[aria-invalid]'));
  yield 'refused';

  await submit(form);
  await token(form.page);
  yield 'done';
}

/** By key, as what lies below the mouse may be moving. @param {import('../shared/form.mjs').CardForm} form */
async function submit(form) {
  await form.button.evaluate((button) => button.focus());
  await form.page.press('Enter');
}

/** An answer of the service that is no token. @param {number} status @param {string} code */
export function refusal(status, code, headers = {}) {
  const body = { code, message: 'A story.', param: '', payment_id: '', type: 'api_error', error_id: 'r1', actor: 'customer', retryable: status >= 500 ? 'true' : '' };
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(JSON.stringify(body)) };
}
