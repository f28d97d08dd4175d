/** Two widgets on a page know nothing of each other; two on one element are one. */
import assert from 'node:assert/strict';
import { FUTURE, MASTERCARD, VISA } from '../shared/cards.mjs';
import { cardForm, heard, tokenRequests } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const said = (page) => page.evaluate(() => window.said);

test('on two elements: two cards, two tokens, and nothing of one reaches the other', async () => {
  const page = await world.visit();
  const ids = await page.evaluate(() => [start('card'), start('other', { lang: 'pl' })]);
  assert.notEqual(ids[0], ids[1]);
  const card = await cardForm(page).ready(2);
  const other = cardForm(page, '#other');
  assert.deepEqual((await heard(page)).ready.map(({ instance }) => instance).sort(), [...ids].sort());
  // In turns, with the answers to both on their way at once.
  await card.type({ number: VISA });
  await other.type({ number: MASTERCARD, expiry: FUTURE });
  await card.type({ expiry: FUTURE, code: '123' });
  await other.type({ code: '456' });
  assert.deepEqual([await card.code.value(), await other.code.value()], ['123', '456']);
  const { release, came } = world.front.hold(/\/tokens$/);
  await other.code.press('Enter');
  await came;
  await card.code.press('Enter');
  while (tokenRequests(page).length < 2) await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 20); }));
  release();
  await page.waitFor(() => said.card.tokens.length && said.other.tokens.length);
  await world.settled();
  const both = await said(page);
  assert.deepEqual(both.card.tokens.map(({ card_mask }) => card_mask), ['42424242****4242']);
  assert.deepEqual(both.other.tokens.map(({ card_mask }) => card_mask), ['55555555****4444']);
  assert.deepEqual(new Set(both.card.changes.map(({ brand }) => brand).filter(Boolean)), new Set(['visa']));
  assert.deepEqual(new Set(both.other.changes.map(({ brand }) => brand).filter(Boolean)), new Set(['mastercard']));
  // One goes, the other stays as it was.
  await other.code.type('789');
  await page.evaluate(() => card.destroy());
  assert.equal(await other.code.value(), '789');
  assert.deepEqual((await said(page)).card.closes, ['destroyed']);
  assert.deepEqual((await said(page)).other.closes, []);
  assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 1);
});

test('on one element: the later one closes the earlier, which harms it no more', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    start('card');
    window.first = card;
    window.saidFirst = said.card;
  });
  await cardForm(page).ready();
  await page.evaluate(() => start('card'));
  const form = await cardForm(page).ready(2);
  assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 1);
  assert.deepEqual(await page.evaluate(() => window.saidFirst.closes), ['replaced']);
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await page.evaluate(() => { first.close(); first.clear(); first.update({ lang: 'pl' }); });
  assert.equal(await form.code.value(), '123');
  await form.code.press('Enter');
  await page.waitFor(() => said.card.tokens.length);
  assert.deepEqual(await page.evaluate(() => window.saidFirst.tokens), []);
  // Three in one task: the last one is there.
  await page.evaluate(() => { start('card'); start('card'); start('card'); });
  await form.ready(3);
  await world.settled();
  assert.deepEqual(await page.evaluate(() => [document.querySelectorAll('iframe').length, alive().ports, heard.ready.length]), [1, 1, 3]);
  // The earlier one may have the element back.
  await page.evaluate(() => first.open());
  await form.ready(4);
  assert.deepEqual((await said(page)).card.closes, ['replaced']);
  assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 1);
  await page.evaluate(() => first.destroy());
  assert.deepEqual(await page.evaluate(() => alive()), { ...(await page.evaluate(() => before)), globals: await page.evaluate(() => alive().globals) });
});
