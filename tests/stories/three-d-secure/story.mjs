/** The page that asks the payer for a proof, from the payment page and from the shop's own checkout. */
import assert from 'node:assert/strict';
import { axe } from '../shared/axe.mjs';
import { FUTURE } from '../shared/cards.mjs';
import { cardForm, token } from '../shared/form.mjs';
import { CARDS, atFront, attempts, call, click, heading, hosted, place } from '../shared/payer.mjs';
import { openWorld } from '../shared/world.mjs';

const page = (title) => ({ body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1></html>` });
const SHOP = { '/done': page('Thank you'), '/cart': page('Cart') };
const world = openWorld(import.meta.url, { serve: (path) => SHOP[path] });
const { test } = world;

const ASKED = 'Your bank asks you to confirm the payment';

/** Waits for the question; on the way there, the payment page has the same heading for a moment. */
const asked = (page) => page.waitFor(() => document.querySelector('button[value=passed]') && document.readyState === 'complete');

async function payByCard(page, number) {
  const form = cardForm(page);
  await form.button.waitFor();
  await form.type({ number, expiry: FUTURE, code: '123' });
  await form.button.click();
}

/** A payment of the shop's server with a token of its own page, up to the question. */
async function direct(number) {
  const page = await world.visit();
  await payByCard(page, number);
  const external_id = `direct-${Date.now()}`;
  const answer = await call(world, '/api/payments/v1/new', {
    amount: 10, currency: 'UAH', external_id, mode: 'direct',
    result_url: `${world.shop.origin}/done`, result_url_fail: `${world.shop.origin}/cart`,
    customer: { locale: 'EN', payment_method: { type: 'cc_token', cc_token: { token: (await token(page)).token } } },
  });
  assert.equal(answer.action_required, true);
  await page.goto(atFront(world, answer.action.value));
  await asked(page);
  return { page, external_id };
}

test('passed on the payment page: paid, once, whatever is clicked', async () => {
  const { address, external_id } = await hosted(world);
  const page = await world.visit(address);
  await payByCard(page, CARDS.asksAndPays);
  await asked(page);
  assert.deepEqual(await axe(page, { frame: null }), []);
  // Not with the mouse: a driver may wait for the page that the first click leads to.
  await page.evaluate(() => {
    const button = /** @type {HTMLElement} */ (document.querySelector('button[value=passed]'));
    setTimeout(() => { button.click(); button.click(); });
  });
  await heading(page, 'Thank you');
  assert.equal(await place(page), `/done?external_id=${external_id}&status=success`);
  assert.equal((await attempts(world, external_id)).length, 1);
});

test('refused on the payment page: the payer may try again', async () => {
  const { address, external_id } = await hosted(world);
  const page = await world.visit(address);
  await payByCard(page, CARDS.asksAndPays);
  await asked(page);
  await click(page, 'button[value=failed]');
  await heading(page, 'Payment');
  assert.match(await page.evaluate(() => document.querySelector('[role=alert]').textContent), /was not confirmed with the bank/);
  await click(page, 'button[value=mobile_a_pay]');
  await heading(page, 'Thank you');
  assert.deepEqual((await attempts(world, external_id)).map(({ status }) => status), ['failure', 'success']);
});

test('passed, and the bank says no', async () => {
  const { address } = await hosted(world);
  const page = await world.visit(address);
  await payByCard(page, CARDS.asksAndFails);
  await asked(page);
  await click(page, 'button[value=passed]');
  await heading(page, 'Payment');
  assert.match(await page.evaluate(() => document.querySelector('[role=alert]').textContent), /The payment did not go through/);
});

test('left by the back button, and found again', async () => {
  const { address } = await hosted(world);
  const page = await world.visit(address);
  await payByCard(page, CARDS.asksAndPays);
  await asked(page);
  await page.goto(address);
  await heading(page, ASKED);
  await click(page, 'a.button');
  await asked(page);
  await click(page, 'button[value=passed]');
  await heading(page, 'Thank you');
});

for (const [proof, title, status] of [['passed', 'Thank you', 'success'], ['failed', 'Cart', 'failure']]) {
  test(`${proof} for the shop’s own checkout: back in the shop`, async () => {
    const { page, external_id } = await direct(CARDS.asksAndPays);
    await click(page, `button[value=${proof}]`);
    await heading(page, title);
    assert.ok((await place(page)).endsWith(`?external_id=${external_id}&status=${status}`));
    const [attempt] = await attempts(world, external_id);
    assert.equal(attempt.status, status);
  });
}

test('by keys alone', async () => {
  const { page } = await direct(CARDS.asksAndPays);
  for (let steps = 0; steps < 8; steps += 1) {
    await page.press('Tab');
    if (await page.evaluate(() => document.activeElement?.getAttribute('value') === 'passed')) break;
  }
  await page.press('Enter');
  await heading(page, 'Thank you');
});
