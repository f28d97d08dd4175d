// @ts-check
/**
 * The budget of a start, cold and warm, as requests and as round trips after one another: few of them, a form that can be
 * typed into before wasm runs, and nothing typed is lost.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const PAGE = readFileSync(new URL('page.html', import.meta.url), 'utf8');
/** Of the whole package. */
const VERSION = /^version = "(.+)"/m.exec(readFileSync(new URL('../../../Cargo.toml', import.meta.url), 'utf8'))?.[1];

const world = openWorld(import.meta.url, {
  serve: (path) => (path === '/pinned' ? { body: PAGE.replace('/widget/v1/', `/widget/${VERSION}/`) } : undefined),
});
const { test } = world;

/** Last part of a request's address, without the hash of a file. @param {import('../shared/front.mjs').Passed} request */
const name = ({ path }) => (path.split('/').at(-1) ?? '').replace(/-[0-9a-f]{8}\./, '-….');

/** Answers none of the requests whose path matches before `count` of them have come: they are not made one after the other. @param {RegExp} path @param {number} count */
function together(path, count) {
  let waiting = 0;
  let all = () => {};
  const open = new Promise((resolve) => { all = () => resolve(undefined); });
  world.front.rule(path, async (_, pass) => {
    waiting += 1;
    if (waiting === count) all();
    await open;
    return pass();
  });
  return { open };
}

test('cold: two requests until the form can be typed into, four in all, three round trips deep', async () => {
  const { open } = together(/\/frame-[0-9a-f]+\.(js|wasm)$/, 2);
  const page = await world.visit();
  const form = cardForm(page);
  await form.number.waitFor();
  await open;
  assert.deepEqual(page.requests.slice(0, 2).map(name), ['card-widget.js', 'frame']);
  await form.ready();
  await world.settled();
  assert.deepEqual(page.requests.slice(2).map(name).sort(), ['frame-….js', 'frame-….wasm']);
});

test('warm: two requests in all; what never changes is not asked for, the page is never kept', async () => {
  /** @type {Map<string, string | undefined>} */
  const kept = new Map();
  world.front.rule(/./, async (request, pass) => {
    const answer = await pass();
    kept.set(name(request), answer.headers['cache-control']);
    return answer;
  });
  const page = await world.visit();
  await cardForm(page).ready();
  await world.settled();
  const cold = page.requests.length;
  await page.goto(world.shop.origin);
  await cardForm(page).ready();
  await world.settled();
  const [loader, frame, ...more] = page.requests.slice(cold);
  assert.deepEqual([name(loader), loader.status, name(frame), frame.status, more.map(name)], ['card-widget.js', 304, 'frame', 200, []]);
  assert.equal(frame.headers['if-none-match'] ?? frame.headers['if-modified-since'], undefined, 'nothing of it was there');
  const immutable = 'public, max-age=31536000, immutable';
  assert.deepEqual(Object.fromEntries(kept), { 'card-widget.js': 'no-cache', frame: 'no-store', 'frame-….js': immutable, 'frame-….wasm': immutable });
});

test('warm, with the address that has a version: one request', async () => {
  const page = await world.visit('/pinned');
  await cardForm(page).ready();
  await world.settled();
  const cold = page.requests.length;
  await page.goto(`${world.shop.origin}/pinned`);
  await cardForm(page).ready();
  await world.settled();
  assert.deepEqual(page.requests.slice(cold).map(name), ['frame']);
});

test('what is typed before wasm is kept, formatted, and can be submitted early', async () => {
  // Who types slowly would meet the form without WebAssembly, which comes after five seconds.
  const { release } = world.front.hold(/\.wasm$|fallback/);
  const page = await world.visit();
  const form = cardForm(page);
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await form.button.click();
  assert.equal((await heard(page)).ready.length, 0);
  assert.equal((await form.number.value()).replaceAll(' ', ''), VISA);
  release();
  await form.ready();
  const { card_mask } = await token(page);
  assert.equal(card_mask, '42424242****4242');
});
