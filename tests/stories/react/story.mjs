/** A shop in React's strict mode, where every effect runs twice, with single-page navigation: one live frame, whatever it does. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

/** The shop with React in it, in development mode: only there is it strict. @type {string | undefined} */
let bundle;
function build() {
  const [file] = buildSync({
    entryPoints: [fileURLToPath(new URL('component.jsx', import.meta.url))],
    // React lies beside the tests' other tools, wherever they are.
    nodePaths: [fileURLToPath(new URL('../../node_modules', import.meta.url))],
    define: { 'process.env.NODE_ENV': '"development"' },
    jsx: 'automatic',
    bundle: true,
    format: 'iife',
    write: false,
  }).outputFiles;
  return file.text;
}

const world = openWorld(import.meta.url, {
  serve: (path) => (path === '/bundle.js' ? { body: (bundle ??= build()) } : undefined),
});
const { test } = world;

const CARD = { number: VISA, expiry: FUTURE, code: '123' };

/** What is alive of widgets, beyond what there was before the first. */
const live = (page) => page.evaluate(() => {
  const { observers, ports, frames, timers } = alive();
  return { observers, ports, frames, timers };
});
const ONE = { observers: 1, ports: 1, frames: 1, timers: 0 };
const NONE = { observers: 0, ports: 0, frames: 0, timers: 0 };

/** Only React itself may have spoken: it advertises its developer tools. */
const troubles = async (page) => (await heard(page)).console.filter((line) => !/React DevTools/.test(line));

test('mounted twice by strict mode: one form, which pays', async () => {
  const page = await world.visit('/#pay');
  const form = await cardForm(page).ready();
  await world.settled();
  assert.deepEqual(await live(page), ONE);
  await form.type(CARD);
  await form.code.press('Enter');
  await token(page);
  await world.settled();
  const { tokens, ready, refused } = await heard(page);
  assert.deepEqual([tokens.length, ready.length, refused], [1, 1, []]);
  assert.deepEqual(await troubles(page), []);
});

test('parameters that change fast', async () => {
  const page = await world.visit('/#pay');
  const form = await cardForm(page).ready();
  await form.type({ number: '4242' });
  await page.evaluate(async () => {
    for (let amount = 2; amount <= 30; amount += 1) {
      setParams({ amount, lang: ['en', 'pl', 'uk'][amount % 3] });
      if (amount % 5 === 0) await new Promise((resolve) => { requestAnimationFrame(resolve); });
    }
  });
  await form.waitFor(() => document.documentElement.lang === 'en' && document.querySelector('button[type="submit"]').textContent.includes('30'));
  assert.equal(await form.number.value(), '4242', 'updated, not made anew');
  assert.deepEqual(await live(page), ONE);
  // A new widget for each change ends in one as well.
  await page.evaluate(async () => {
    go('careless');
    for (let amount = 2; amount <= 12; amount += 1) {
      setParams({ amount, lang: 'en' });
      await new Promise((resolve) => { requestAnimationFrame(resolve); });
    }
  });
  await form.waitFor(() => document.querySelector('button[type="submit"]')?.textContent.includes('12'));
  await page.waitFor(() => heard.ready.length >= 2);
  await world.settled();
  assert.deepEqual(await live(page), ONE);
  await form.type(CARD);
  await form.code.press('Enter');
  await token(page);
  assert.equal((await heard(page)).tokens.length, 1);
  assert.deepEqual(await troubles(page), []);
});

test('single-page navigation: no history entry of ours, and the way back works', async () => {
  const page = await world.visit('/#shop');
  await page.waitFor(() => Boolean(window.go));
  const entries = await page.evaluate(() => history.length);
  await page.evaluate(() => go('pay'));
  const form = await cardForm(page).ready();
  await form.type({ number: '4242' });
  assert.equal(await page.evaluate(() => history.length), entries + 1, 'the one of the shop');
  // Away while it loads, several times.
  for (const to of ['shop', 'pay', 'shop', 'pay', 'shop']) await page.evaluate((to) => go(to), to);
  assert.deepEqual(await live(page), NONE);
  await page.evaluate(() => go('pay'));
  await form.ready(2);
  await world.settled();
  assert.deepEqual(await live(page), ONE);
  assert.equal(await form.number.value(), '');
  assert.equal(await page.evaluate(() => history.length), entries + 7);
  // The browser's own way back, and forward.
  await page.evaluate(() => history.back());
  await page.waitFor(() => document.querySelector('h1').textContent === 'shop');
  assert.deepEqual(await live(page), NONE);
  await page.evaluate(() => history.back());
  await page.waitFor(() => document.querySelector('h1').textContent === 'pay');
  await form.ready(3);
  await page.evaluate(() => history.forward());
  await page.waitFor(() => document.querySelector('h1').textContent === 'shop');
  await world.settled();
  const left = await page.evaluate(() => ({ now: alive().listeners, before: before.listeners }));
  assert.equal(left.now, left.before);
  const { refused, tokens } = await heard(page);
  assert.deepEqual([refused, tokens], [[], []]);
  assert.deepEqual(await troubles(page), []);
});
