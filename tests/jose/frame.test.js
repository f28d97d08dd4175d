// @ts-check
/** Envelopes made by the real frame in Chromium, opened by another JOSE implementation. */
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { FUTURE, VISA } from '../stories/shared/cards.mjs';
import { cardForm, heard, token } from '../stories/shared/form.mjs';
import { assertNowhere } from '../stories/shared/leaks.mjs';
import { openWorld } from '../stories/shared/world.mjs';
import { ALG, ENC, MEMBERS, TYP, open } from './profile.js';

const world = openWorld(import.meta.url);
const { test } = world;

/** The test's own key pair, in place of the vault's. */
let ours = /** @type {{ privateKey: import('jose').CryptoKey, jwk: import('jose').JWK }} */ ({});
before(async () => {
  const { publicKey, privateKey } = await generateKeyPair(ALG, { crv: 'P-256', extractable: true });
  ours = { privateKey, jwk: await exportJWK(publicKey) };
});

/** What stands in for the service's answer, so that the form goes its whole way. */
const ANSWER = { token: 'ct_made_by_the_test', expires_at: '2030-01-01T00:00:00', card_mask: '42424242****4242' };

/**
 * Opens the shop with a frame that seals for our key, types the card, submits, and returns what was sent.
 *
 * @param {'full_card' | 'pan_only'} type
 * @param {{ number: string, expiry?: string, code?: string }} typed
 */
async function submit(type, typed) {
  /** @type {import('./profile.js').Boot | undefined} */
  let boot;
  world.front.rule(/^\/widget\/v1\/frame$/, async (request, pass) => {
    // As text, not compressed.
    delete request.headers['accept-encoding'];
    const answer = await pass();
    const html = answer.body.toString().replace(/(<script type="application\/json" id="boot">)(.*?)(<\/script>)/s, (_, start, json, end) => {
      const data = JSON.parse(json);
      boot = data.boot;
      data.boot.sealing_key = { kid: 'key of the test', x: ours.jwk.x, y: ours.jwk.y };
      return start + JSON.stringify(data) + end;
    });
    const body = Buffer.from(html);
    return { ...answer, body, headers: { ...answer.headers, 'content-length': String(body.length) } };
  });
  /** @type {import('../stories/shared/front.mjs').Passed[]} */
  const posts = [];
  world.front.rule(/\/tokens$/, async (request) => {
    posts.push(request);
    const body = Buffer.from(JSON.stringify(ANSWER));
    return { status: 201, headers: { 'content-type': 'application/json' }, body };
  });

  const page = await world.visit(`/?type=${type}`);
  const form = cardForm(page);
  await form.ready();
  await form.type({ expiry: undefined, code: undefined, ...typed });
  await form.button.click();
  assert.deepEqual(await token(page), ANSWER);
  assert.ok(boot, 'the frame’s page was changed on its way');
  assert.equal(posts.length, 1);
  const body = /** @type {{ envelope: string }} */ (JSON.parse(posts[0].body.toString()));
  const said = /** @type {import('../stories/shared/chromium.mjs').ChromiumPage} */ (/** @type {unknown} */ (page)).console;
  return { body, boot, requests: page.requests, said, heard: await heard(page), sentAt: Date.now() / 1000 };
}

test('a whole card: content and header are those documented', async () => {
  const sent = await submit('full_card', { number: VISA, expiry: FUTURE, code: '123' });
  assert.deepEqual(Object.keys(sent.body).sort(), ['customer_email', 'envelope']);
  const { text, header } = await open(sent.body.envelope, ours.privateKey);
  assert.equal(text, `{"number":"${VISA}","exp_month":12,"exp_year":20${FUTURE.slice(3)},"cvv":"123"}`);

  assert.deepEqual(Object.keys(header).sort(), [...MEMBERS].sort());
  const { epk, nonce, iat, ...rest } = header;
  assert.deepEqual(rest, {
    alg: ALG,
    enc: ENC,
    typ: TYP,
    v: 1,
    kid: 'key of the test',
    wk: 'wk_sandbox',
    origin: world.shop.origin,
    ticket: sent.boot.ticket,
    form: 'full_card',
  });
  assert.deepEqual(Object.keys(epk).sort(), ['crv', 'kty', 'x', 'y']);
  assert.deepEqual([epk.kty, epk.crv], ['EC', 'P-256']);
  for (const [name, value, length] of [['x', epk.x, 32], ['y', epk.y, 32], ['nonce', nonce, 16]]) {
    const bytes = Buffer.from(value, 'base64url');
    assert.equal(bytes.length, length, name);
    assert.equal(bytes.toString('base64url'), value, `${name} is written in the one canonical way`);
  }
  assert.ok(Number.isInteger(iat) && iat >= sent.boot.now && iat <= sent.sentAt + 2, 'the issue time is the service’s');
  // Compact, of five parts, the second empty: the agreed key is used directly.
  assert.deepEqual(sent.body.envelope.split('.').map((part) => part !== ''), [true, false, true, true, true]);
});

test('a number alone: nothing else is in the envelope', async () => {
  const { body } = await submit('pan_only', { number: VISA });
  const { text, header } = await open(body.envelope, ours.privateKey);
  assert.equal(text, `{"number":"${VISA}"}`);
  assert.equal(header.form, 'pan_only');
});

test('two submits of one card share neither key, iv, nonce nor ciphertext', async () => {
  const typed = { number: VISA, expiry: FUTURE, code: '123' };
  const sent = [await submit('full_card', typed), await submit('full_card', typed)];
  const [first, second] = await Promise.all(
    sent.map(async ({ body: { envelope } }) => {
      const { text, header } = await open(envelope, ours.privateKey);
      const [, , iv, ciphertext, tag] = envelope.split('.');
      return { text, own: [await calculateJwkThumbprint(header.epk), header.nonce, iv, ciphertext, tag] };
    }),
  );
  assert.equal(first.text, second.text);
  first.own.forEach((value, index) => assert.notEqual(value, second.own[index], `part ${index}`));
});

test('no request, message or log line of the page carries the number in clear', async () => {
  const sent = await submit('full_card', { number: VISA, expiry: FUTURE, code: '123' });
  assert.ok(sent.requests.some((request) => request.method === 'POST'));
  /** @type {Record<string, string>} */
  const places = { 'the shop’s page': JSON.stringify(sent.heard), 'the console': sent.said.join('\n') };
  for (const [index, request] of sent.requests.entries()) {
    const place = `request ${index} (${request.method} ${request.path})`;
    places[`${place}, address`] = request.url;
    places[`${place}, headers`] = JSON.stringify(request.headers);
    places[`${place}, body`] = request.body.toString();
  }
  assertNowhere(VISA, places);
  // The parts of the envelope that anybody can decode do not carry it either.
  const [header, , iv, ciphertext, tag] = sent.body.envelope.split('.').map((part) => Buffer.from(part, 'base64url'));
  assertNowhere(VISA, { header, iv, ciphertext, tag });
});
