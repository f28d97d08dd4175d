/** Payment in parts: a payer agrees on a bank's page, with a card, or in the bank's app, and the shop hears of it. */
import assert from 'node:assert/strict';
import { axe } from '../shared/axe.mjs';
import { FUTURE } from '../shared/cards.mjs';
import { cardForm } from '../shared/form.mjs';
import { CARDS, atFront, call, click, heading, place } from '../shared/payer.mjs';
import { openWorld } from '../shared/world.mjs';

const page = (title) => ({ body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1></html>` });
const world = openWorld(import.meta.url, { serve: (path) => (path === '/done' ? page('Thank you') : undefined) });
const { test } = world;

let orders = 0;

/** An order of a bank, with the address that its payer follows. */
async function order(bank, more = {}) {
  const external_id = `parts-${Date.now()}-${(orders += 1)}`;
  const made = await call(world, '/api/payparts/v1/order/create', {
    bank_name: bank, mode: bank === 'bank_e' ? 'hosted' : 'direct', external_id, amount: 1200, currency: 'UAH', parts_count: 4,
    description: 'A kettle', result_url: `${world.shop.origin}/done`, auto_confirm_after_success: true,
    products: [{ name: 'Kettle', quantity: 1, price: 1200 }],
    ...more,
    customer: { phone: '+380671112233', locale: 'EN', ...more.customer },
  });
  return { external_id, address: made.action && atFront(world, made.action.value) };
}

const info = (external_id) => call(world, `/api/payparts/v1/info?external_id=${external_id}`);

test('a payer agrees at the credit checkout, and the shop has the money', async () => {
  const { external_id, address } = await order('bank_service');
  const page = await world.visit(address);
  await heading(page, 'Payment in parts');
  const shown = await page.evaluate(() => document.querySelector('main').innerText);
  assert.match(shown, /UAH\s300\.00/);
  assert.match(shown, /Kettle × 1\s+UAH\s1,200\.00/);
  assert.deepEqual(await axe(page, { frame: null }), []);
  await click(page, 'button[value=agreed]');
  await heading(page, 'Thank you');
  assert.equal(await place(page), `/done?external_id=${external_id}&status=success`);
  const { confirmed, amount_confirmed } = await info(external_id);
  assert.deepEqual([confirmed, amount_confirmed], [true, 1200]);
});

test('a payer who refuses is back in the shop without a contract', async () => {
  const { external_id, address } = await order('bank_service');
  const page = await world.visit(address);
  await click(page, 'button[value=refused]');
  await heading(page, 'Thank you');
  assert.equal(await place(page), `/done?external_id=${external_id}&status=failure`);
  const [made] = (await info(external_id)).purchase_details;
  assert.deepEqual([made.status, made.status_code], ['failure', 'transaction_declined']);
});

test('a card that is not taken, and another one that is', async () => {
  const { external_id, address } = await order('bank_e', { result_url: null });
  const page = await world.visit(address);
  const give = async (number) => {
    const form = cardForm(page);
    await form.button.waitFor();
    await form.type({ number, expiry: FUTURE, code: '123' });
    await form.button.click();
  };
  await give(CARDS.isEmpty);
  const why = await page.waitFor(() => document.querySelector('[role=alert]:not([hidden])')?.textContent);
  assert.match(why, /not enough money on the card/);
  // The page is a new one, and its form comes after its text.
  await cardForm(page).button.waitFor();
  assert.deepEqual(await axe(page), []);
  await give(CARDS.pays);
  await heading(page, 'You have agreed to pay in parts');
  assert.deepEqual(await axe(page, { frame: null }), []);
  assert.equal((await info(external_id)).confirmed, true);
});

test('in the payer’s language and colours', async () => {
  for (const [locale, color_mode, title] of [['UK', 'dark', 'Оплата частинами'], ['PL', 'white', 'Płatność w ratach']]) {
    const { address } = await order('bank_g', { parts_count: 3, customer: { phone: null, locale, color_mode } });
    const page = await world.visit(address);
    await heading(page, title);
    assert.deepEqual(await axe(page, { frame: null, ground: color_mode === 'dark' ? '#1b2027' : '#fff' }), []);
  }
});

test('the sandbox’s page answers what a bank asks in its app', async () => {
  const { external_id, address } = await order('bank_a');
  assert.equal(address, null);
  const page = await world.visit(`${world.front.origin}/sandbox`);
  await page.evaluate(() => { document.querySelector('[name=password]').value = 'sandbox-password'; });
  await click(page, '#login button');
  const agree = `[aria-label="Agree: ${external_id}"]`;
  await page.waitFor((agree) => document.querySelector(agree) !== null, agree);
  await click(page, agree);
  await page.waitFor((agree) => document.querySelector(agree) === null, agree);
  assert.equal((await info(external_id)).confirmed, true);
});
