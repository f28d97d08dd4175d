/** A page that comes back from the back/forward cache has a working, empty form, whatever was under way when it was left. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { ENGINE } from '../shared/engines.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url, {
  // A page that says `no-store` is not kept.
  serve: (path) => {
    if (path === '/') return { headers: { 'Cache-Control': 'no-cache' } };
    return path === '/next' ? { body: '<!doctype html><title>Next</title>', headers: { 'Cache-Control': 'no-cache' } } : undefined;
  },
  kind: ENGINE === 'chromium' ? { backForwardCache: true } : undefined,
});
const { test } = world;

const CARD = { number: VISA, expiry: FUTURE, code: '123' };

/** Leaves the page and comes back; says whether it was kept meanwhile. */
async function leaveAndReturn(page) {
  await page.evaluate(() => { setTimeout(() => { location.href = '/next'; }); });
  await page.waitFor(() => document.title === 'Next');
  await page.evaluate(() => { setTimeout(() => history.back()); });
  return page.waitFor(() => document.title !== 'Next' && window.shows?.length && { isKept: window.shows.at(-1) === true });
}

/** What a restored page must have: one form that works and is empty. */
async function worksAgain(page, form) {
  await page.waitFor(() => said.filter((event) => event === 'ready').length >= 1);
  await form.waitFor(() => document.querySelectorAll('input[autocomplete]').length === 3);
  assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 1);
  assert.deepEqual([await form.number.value(), await form.expiry.value(), await form.code.value()], ['', '', '']);
  assert.equal(await form.evaluate(() => document.querySelectorAll('[aria-busy="true"], :disabled').length), 0);
  await form.type(CARD);
  await form.code.press('Enter');
  const { card_mask } = await token(page);
  assert.match(card_mask, /^4242/);
}

test('typed, left, back: empty, and it pays', async (t) => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type(CARD);
  await page.evaluate(() => { said.length = 0; });
  const { isKept } = await leaveAndReturn(page);
  if (!isKept) return t.skip(`${ENGINE}: it did not keep the page`);
  await worksAgain(page, form);
  const { ready, refused, console } = await heard(page);
  assert.deepEqual([ready.length, refused, console], [1, [], []], 'the page is told once of its form');
  assert.equal((await page.evaluate(() => said)).includes('close'), false);
});

test('left while a submit is under way: no frozen spinner, no token that nobody waits for', async (t) => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type(CARD);
  const { release, came } = world.front.hold(/\/tokens$/);
  await page.evaluate(() => {
    said.length = 0;
    window.pending = widget.submit().then(() => 'token', ({ code }) => code);
  });
  await came;
  const { isKept } = await leaveAndReturn(page);
  release();
  world.front.relax();
  if (!isKept) return t.skip(`${ENGINE}: it did not keep the page`);
  // WebKit cuts the requests of a page that is put away, before the page hears of it.
  assert.ok(['closed', 'service_unreachable'].includes(await page.evaluate(() => window.pending)));
  await worksAgain(page, form);
  await world.settled();
  assert.equal((await heard(page)).tokens.length, 1);
  assert.ok(tokenRequests(page).length >= 2);
});

test('left while the form was starting', async (t) => {
  const { release, came } = world.front.hold(/\.wasm$|fallback/);
  const page = await world.visit();
  const form = cardForm(page);
  await came;
  const { isKept } = await leaveAndReturn(page);
  release();
  if (!isKept) return t.skip(`${ENGINE}: it did not keep the page`);
  await form.ready();
  await worksAgain(page, form);
  const { ready, refused } = await heard(page);
  assert.deepEqual([ready.length, refused], [1, []]);
});

test('closed, left, back: still closed', async (t) => {
  const page = await world.visit();
  await cardForm(page).ready();
  await page.evaluate(() => widget.close());
  const { isKept } = await leaveAndReturn(page);
  if (!isKept) return t.skip(`${ENGINE}: it did not keep the page`);
  await world.settled();
  assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 0);
});
