/** The package's helpers for Playwright, against the sandbox: a shop's form, the payment page, wallets and proofs. */
import assert from 'node:assert/strict';
import * as helpers from '../../../pkg-template/playwright.js';
import { heard, token } from '../shared/form.mjs';
import { attempts, heading, hosted } from '../shared/payer.mjs';
import { openWorld } from '../shared/world.mjs';

const page = (title) => ({ body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1></html>` });
const SHOP = { '/done': page('Thank you'), '/cart': page('Cart') };
const reason = 'Playwright drives Chromium here, the others have drivers of their own';
const world = openWorld(import.meta.url, { serve: (path) => SHOP[path], without: { firefox: reason, webkit: reason } });
const { test } = world;
const { cardForm, cards, expiry, finishProof, payByWallet } = helpers;

const card = (number) => ({ number, expiry: expiry(), code: '123' });

test('a form on a page of the shop', async () => {
  const visit = await world.visit();
  const form = cardForm(visit.playwright, '#card');
  await form.fill({ number: '4242', code: '1' });
  assert.deepEqual([await form.number.inputValue(), await form.expiry.inputValue(), await form.code.inputValue()], ['4242', '', '1']);
  await form.pay(card(cards.success));
  assert.match((await token(visit)).card_mask, /1111$/);
  await form.status.filter({ hasText: /./ }).waitFor();
  assert.deepEqual((await heard(visit)).errors, []);
});

test('the payment page: declined, then another card with a proof that fails, then one that passes', async () => {
  const { address, external_id } = await hosted(world);
  const { playwright } = await world.visit(address);
  await cardForm(playwright).pay(card(cards.insufficientFunds));
  await playwright.getByText('not enough money').waitFor();
  await cardForm(playwright).pay(card(cards.successWithProof));
  await finishProof(playwright, false);
  await playwright.getByText('was not confirmed').waitFor();
  await cardForm(playwright).pay(card(cards.declinedWithProof));
  await finishProof(playwright);
  await playwright.getByText('did not go through').waitFor();
  await cardForm(playwright).pay(card(cards.successWithProof));
  await finishProof(playwright);
  await playwright.getByRole('heading', { name: 'Thank you' }).waitFor();
  assert.deepEqual((await attempts(world, external_id)).map(({ status }) => status), ['failure', 'failure', 'failure', 'success']);
});

test('both wallets', async () => {
  for (const wallet of ['mobile_a_pay', 'mobile_b_pay']) {
    const { address } = await hosted(world);
    const visit = await world.visit(address);
    await payByWallet(visit.playwright, wallet);
    await heading(visit, 'Thank you');
  }
});
