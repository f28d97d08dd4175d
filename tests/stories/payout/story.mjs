/** A payout needs the number alone: no expiry, no code, anywhere in the form. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { MASTERCARD } from '../shared/cards.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { assertNowhere } from '../shared/leaks.mjs';
import { CARDS, call } from '../shared/payer.mjs';
import { openWorld } from '../shared/world.mjs';

/** @param {Buffer} bytes */
const base64url = (bytes) => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');

/** As `docs/callbacks.md` has it. @param {Buffer} body */
const signatureOf = (body) =>
  base64url(createHash('sha1').update('sandbox-password').update(base64url(body)).update('sandbox-password').digest());

/** Where callbacks go, and the next one. */
async function receiver() {
  /** @type {(heard: { body: Buffer, signature: string }) => void} */
  let hear = () => {};
  const next = new Promise((resolve) => { hear = resolve; });
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    response.end();
    hear({ body: Buffer.concat(parts), signature: String(request.headers['x-service-signature']) });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/`, next, close: () => server.close() };
}

/** What the demo shop's server knows of its one payout. */
let payout = {};
const json = () => ({ body: JSON.stringify(payout), type: 'application/json' });
const world = openWorld(import.meta.url, { serve: (path) => (path.startsWith('/demo/api/payouts') ? json() : undefined) });
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

for (const [number, status, said] of [[CARDS.pays, 'success', 'The money is there: UAH'], [CARDS.isEmpty, 'failure', 'Nothing was sent.']]) {
  test(`the demo's payout page, from the card to the signed callback: ${status}`, async () => {
    const external_id = `march-${status}-${Date.now()}`;
    const callbacks = await receiver();
    await call(world, '/sandbox/v1/balance', { amount: '8000', currency: 'UAH' });
    payout = { number: external_id, amount: '7560.00', card: '', status: 'init', status_code: 'transaction_created' };
    const page = await world.visit('/demo/payout.html?lang=en');
    const form = cardForm(page);
    await form.button.waitFor();
    await form.type({ number });
    await form.button.click();
    const given = await page.waitFor(() => document.querySelector('#token')?.textContent);
    // The shop's server: it has the token from the page, and nothing else of the card.
    const begun = await call(world, '/api/payouts/v1/request-payout', {
      order: { external_id, original_amount: '7560.00', currency: 'UAH', description: 'Earnings', callback_url: callbacks.url },
      payer: { entity_id: 'sandbox-entity' },
      recipient: { payout_type: 'card', card: { first_name: 'Lesia', last_name: 'Honchar', card_data: { token: given } } },
    });
    assert.equal(begun.status, 'pending');
    const balance = await call(world, '/api/payouts/v1/account-balance?merchant_entity_id=sandbox-entity');
    assert.deepEqual(balance, { available_amount: 440, commitment_amount: 7560 });
    const { body, signature } = await callbacks.next;
    assert.equal(signature, signatureOf(body));
    const told = JSON.parse(String(body));
    assert.deepEqual([told.id, told.status, told.amount], [begun.transaction_id, status, 7560]);
    const card = await page.evaluate(() => document.querySelector('#card-mask').textContent);
    payout = { ...payout, card, status: told.status, status_code: told.status_code };
    await page.waitFor((said) => document.querySelector('#payout')?.textContent.startsWith(said), said);
    const info = await call(world, `/api/payouts/v1/info?external_id=${external_id}`);
    assert.equal(info.status, status);
    const after = await call(world, '/api/payouts/v1/account-balance?merchant_entity_id=sandbox-entity');
    assert.deepEqual(after, { available_amount: status === 'success' ? 440 : 8000, commitment_amount: 0 });
    assertNowhere(number, {
      'the addresses': page.requests.map(({ url }) => url).join('\n'),
      'the bodies': Buffer.concat(page.requests.map(({ body }) => body)),
      "the service's log": world.service.log,
      'the callback': body,
    });
    callbacks.close();
  });
}
