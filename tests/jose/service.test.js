// @ts-check
/** Envelopes made by another JOSE implementation, sent to the running service. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { exportJWK, generateKeyPair } from 'jose';
import { Service } from '../stories/shared/service.mjs';
import { card, seal } from './profile.js';

const SHOP = 'http://127.0.0.1:8081';

/** @type {Service & { origin: string }} */
let service;
before(async () => {
  service = /** @type {typeof service} */ (await Service.open());
});
after(() => service?.close());

/** @returns {Promise<import('./profile.js').Boot>} */
async function boot() {
  const query = new URLSearchParams({ key: 'wk_sandbox', origin: SHOP });
  const response = await fetch(`${service.origin}/widget/v1/boot?${query}`);
  assert.equal(response.status, 200);
  return response.json();
}

/** @param {string} envelope */
async function post(envelope) {
  const response = await fetch(`${service.origin}/api/widget/v1/tokens`, {
    method: 'POST',
    headers: { origin: service.origin, 'idempotency-key': randomUUID() },
    body: JSON.stringify({ envelope }),
  });
  return { status: response.status, body: await response.json() };
}

/** A key pair of a curve, its public half as boot data writes it. @param {string} crv @param {string} kid */
async function foreignKey(crv, kid) {
  const { publicKey } = await generateKeyPair('ECDH-ES', { crv, extractable: true });
  const { x = '', y = '' } = await exportJWK(publicKey);
  return { kid, crv, x, y };
}

test('a whole card becomes a token', async () => {
  const { status, body } = await post(await seal(await boot()));
  assert.equal(status, 201, body.code);
  assert.equal(body.card_mask, '42424242****4242');
  assert.match(body.token, /^ct_/);
});

test('a number alone becomes a token', async () => {
  const { number } = card();
  const { status, body } = await post(await seal(await boot(), { header: { form: 'pan_only' }, payload: { number } }));
  assert.equal(status, 201, body.code);
  assert.equal(body.card_mask, '42424242****4242');
});

/** @type {[name: string, changes: import('./profile.js').Changes, status: number, code: string][]} */
const DEVIATIONS = [
  ['a shorter content key', { enc: 'A128GCM' }, 400, 'envelope_malformed'],
  ['another content cipher', { enc: 'A256CBC-HS512' }, 400, 'envelope_malformed'],
  ['a wrapped content key', { alg: 'ECDH-ES+A256KW' }, 400, 'envelope_malformed'],
  ['another type', { header: { typ: 'JWT' } }, 400, 'envelope_malformed'],
  ['no type', { header: { typ: undefined } }, 400, 'envelope_malformed'],
  ['a later version', { header: { v: 2 } }, 400, 'envelope_malformed'],
  ['a member more', { header: { cty: 'application/json' } }, 400, 'envelope_malformed'],
  ['no nonce', { header: { nonce: undefined } }, 400, 'envelope_malformed'],
  ['no ticket', { header: { ticket: undefined } }, 400, 'envelope_malformed'],
  ['no origin', { header: { origin: undefined } }, 400, 'envelope_malformed'],
  ['the sender named', { party: { apu: Buffer.from('Alice') } }, 400, 'envelope_malformed'],
  ['the receiver named', { party: { apv: Buffer.from('Bob') } }, 400, 'envelope_malformed'],
  ['a key id that is not in use', { header: { kid: 'another' } }, 400, 'sealing_key_unknown'],
  ['another ticket', { header: { ticket: 'dGlja2V0.bWFj' } }, 403, 'ticket_invalid'],
  ['an origin that the key does not allow', { header: { origin: 'https://elsewhere.example' } }, 403, 'origin_not_allowed'],
  ['an allowed origin that is not the ticket’s', { header: { origin: 'http://127.0.0.1:8082' } }, 403, 'ticket_invalid'],
  ['a widget key that nobody has', { header: { wk: 'wk_nobody' } }, 401, 'widget_key_unknown'],
  ['a widget key that is not the ticket’s', { header: { wk: 'wk_sandbox_2' } }, 403, 'ticket_invalid'],
  ['a time before the ticket', { header: { iat: 1_790_000_000 } }, 400, 'envelope_mismatch'],
  ['an unknown form', { header: { form: 'half_card' } }, 400, 'envelope_mismatch'],
  ['a whole card from a form for the number', { header: { form: 'pan_only' } }, 422, 'wrong_card_data'],
  ['a card without its code', { payload: { ...card(), cvv: undefined } }, 422, 'wrong_card_data'],
  ['a member more in the card', { payload: { ...card(), name: 'A' } }, 422, 'wrong_card_data'],
  ['a text instead of a card', { payload: 'card' }, 422, 'wrong_card_data'],
  ['a wrong check digit', { payload: { ...card(), number: '4242424242424241' } }, 422, 'wrong_card_number'],
  ['a card of the past', { payload: { ...card(), exp_year: 2020 } }, 422, 'card_expired'],
  ['a code of four digits', { payload: { ...card(), cvv: '1234' } }, 422, 'wrong_cvv'],
];

test('deviations are refused, each with its code', async (t) => {
  const data = await boot();
  for (const [name, changes, status, code] of DEVIATIONS) {
    await t.test(name, async () => {
      const answer = await post(await seal(data, changes));
      assert.deepEqual([answer.status, answer.body.code], [status, code]);
    });
  }
  await t.test('sealed for somebody else under our key id', async () => {
    const key = await foreignKey('P-256', data.sealing_key.kid);
    const answer = await post(await seal(data, { key }));
    assert.deepEqual([answer.status, answer.body.code], [400, 'envelope_unreadable']);
  });
  await t.test('another curve', async () => {
    const key = await foreignKey('P-384', data.sealing_key.kid);
    const answer = await post(await seal(data, { key }));
    assert.deepEqual([answer.status, answer.body.code], [400, 'envelope_malformed']);
  });
});

test('what is altered on the way is refused', async (t) => {
  const data = await boot();
  for (const [index, part] of ['header', '', 'iv', 'ciphertext', 'tag'].entries()) {
    if (!part) continue;
    await t.test(part, async () => {
      const parts = (await seal(data)).split('.');
      const bytes = Buffer.from(parts[index], 'base64url');
      // In the header, a digit of the issue time, so that it stays well-formed and within the tolerance.
      const at = part === 'header' ? bytes.indexOf(`"iat":${data.now}`) + `"iat":${data.now}`.length - 1 : 0;
      bytes[at] ^= 1;
      parts[index] = bytes.toString('base64url');
      const answer = await post(parts.join('.'));
      assert.deepEqual([answer.status, answer.body.code], [400, 'envelope_unreadable']);
    });
  }
});

test('a nonce works once', async () => {
  const data = await boot();
  const envelope = await seal(data);
  assert.equal((await post(envelope)).status, 201);
  const again = await post(envelope);
  assert.deepEqual([again.status, again.body.code], [409, 'nonce_replayed']);
});

test('headers that the vectors name are refused by the service too', async (t) => {
  const url = new URL('../vectors/seal/refused-headers.json', import.meta.url);
  /** @type {{ cases: { name: string, header: string }[] }} */
  const { cases } = JSON.parse(readFileSync(url, 'utf8'));
  const [, ...rest] = (await seal(await boot())).split('.');
  assert.ok(cases.length > 40);
  for (const { name, header } of cases) {
    await t.test(name, async () => {
      const answer = await post([Buffer.from(header).toString('base64url'), ...rest].join('.'));
      assert.deepEqual([answer.status, answer.body.code], [400, 'envelope_malformed']);
    });
  }
});
