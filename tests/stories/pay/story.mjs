/** The main job: a card is typed, the shop's page receives a token, and the number is nowhere else. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { assertNowhere } from '../shared/leaks.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const CARD = { number: VISA, expiry: FUTURE, code: '123' };

test('a full card becomes a token, in one request', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type(CARD);
  await form.button.click();

  const { token: text, expires_at, card_mask, ...rest } = await token(page);
  assert.match(text, /^[A-Za-z0-9_-]{22,128}$/);
  assert.match(expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  const life = Date.parse(`${expires_at}Z`) - Date.now();
  assert.ok(life > 55 * 60_000 && life <= 60 * 60_000, 'one hour');
  assert.equal(card_mask, '42424242****4242');
  assert.deepEqual(rest, {});
  const { tokens, errors, console } = await heard(page);
  assert.equal(tokens.length, 1);
  assert.equal(tokenRequests(page).length, 1);
  assert.deepEqual([errors, console], [[], []]);
});

test('five clicks and Enter make one token', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type(CARD);
  await form.code.press('Enter');
  for (let click = 0; click < 5; click += 1) await form.button.evaluate((button) => button.click());
  await token(page);
  await world.settled();
  assert.equal((await heard(page)).tokens.length, 1);
  assert.equal(tokenRequests(page).length, 1);
});

test('the number is in no request, message, log or file', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type(CARD);
  await form.button.click();
  await token(page);

  const [request] = tokenRequests(page);
  const everything = await heard(page);
  // The shop's page saw the frame's messages; without any, this test would prove nothing.
  assert.ok(everything.messages.some((message) => message.type === 'token'));
  assertNowhere(VISA, {
    'the request': Buffer.concat([Buffer.from(JSON.stringify(request.headers)), request.body]),
    'the addresses': page.requests.map(({ url }) => url).join('\n'),
    "what reached the shop's page": JSON.stringify(everything),
    "the shop's page": await page.evaluate(() => document.documentElement.outerHTML),
    // What only one engine tells: the frame's console, and requests to strangers.
    'the console': (page.console ?? []).join('\n'),
    'all addresses': (page.addresses ?? []).join('\n'),
    "the service's log": world.service.log,
  });
  const files = world.service.files();
  assert.ok(files.some(({ name }) => name === 'card-widget.sqlite'));
  for (const { name, bytes } of files) assertNowhere(VISA, { [name]: bytes });
});

test('the search for numbers can find one', () => {
  assert.throws(() => assertNowhere(VISA, { text: `x${VISA}x` }));
  assert.throws(() => assertNowhere(VISA, { base64: Buffer.from(`ab${VISA}x`).toString('base64') }));
  assert.throws(() => assertNowhere(VISA, { packed: Buffer.from(`00${VISA}00`, 'hex') }));
});

test('the demo shop shows the token', async () => {
  const page = await world.visit('/demo/checkout.html', { viewport: { width: 320, height: 640 } });
  const form = cardForm(page);
  await form.button.waitFor();
  await form.type(CARD);
  await form.button.click();
  await page.waitFor(() => document.querySelector('#token')?.textContent);
  assert.equal(await page.evaluate(() => document.querySelector('#card-mask').textContent), '42424242****4242');
});
