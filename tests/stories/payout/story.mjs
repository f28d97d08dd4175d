/** A payout needs the number alone: no expiry, no code, anywhere in the form. */
import assert from 'node:assert/strict';
import { MASTERCARD } from '../shared/cards.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

test('a number alone becomes a token', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  assert.equal(await form.evaluate(() => document.querySelectorAll('input[inputmode]').length), 1);
  await form.type({ number: MASTERCARD });
  await form.number.press('Enter');
  const { card_mask } = await token(page);
  assert.equal(card_mask, '55555555****4444');
  assert.deepEqual((await heard(page)).errors, []);
});

test('the demo payout page shows the token', async () => {
  const page = await world.visit('/demo/payout.html');
  const form = cardForm(page);
  await form.button.waitFor();
  await form.type({ number: MASTERCARD });
  await form.button.click();
  await page.waitFor(() => document.querySelector('#token')?.textContent);
  assert.equal(await page.evaluate(() => document.querySelector('#card-mask').textContent), '55555555****4444');
});
