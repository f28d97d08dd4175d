/** The package's React component and custom element, with the real form in them: each pays, and leaves nothing behind. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { loaderModule } from '../../loader/world.js';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The shop's script with the package's modules and React in it, in development mode: only there is React strict. */
let bundle;
function build() {
  const folder = mkdtempSync(join(tmpdir(), 'card-widget-components-'));
  cpSync(path('../../../pkg-template'), folder, { recursive: true });
  writeFileSync(join(folder, 'loader.js'), loaderModule('1.2.3'));
  const [file] = buildSync({
    entryPoints: [path('shop.jsx')],
    alias: { 'card-widget/element': join(folder, 'element.js'), 'card-widget/react': join(folder, 'react.js') },
    nodePaths: [path('../../node_modules')],
    define: { 'process.env.NODE_ENV': '"development"' },
    jsx: 'automatic',
    bundle: true,
    format: 'iife',
    write: false,
  }).outputFiles;
  rmSync(folder, { recursive: true });
  return file.text;
}

const world = openWorld(import.meta.url, {
  serve: (path) => (path === '/bundle.js' ? { body: (bundle ??= build()) } : undefined),
});
const { test } = world;

const CARD = { number: VISA, expiry: FUTURE, code: '123' };
const frames = (page) => page.evaluate(() => document.querySelectorAll('iframe').length);

test('React: a shop\'s own button pays, and what changes reaches the form', async () => {
  const page = await world.visit('/#react');
  const form = await cardForm(page).ready();
  await page.evaluate(() => document.getElementById('pay').click());
  await page.waitFor(() => document.querySelector('#outcome').textContent === 'card_invalid');
  await form.type(CARD);
  await page.waitFor(() => document.querySelector('#state').textContent === 'complete');
  await page.evaluate(() => document.getElementById('more').click());
  await form.waitFor(() => document.querySelector('button[type="submit"]').textContent.includes('2'));
  await page.evaluate(() => document.getElementById('pay').click());
  const { card_mask } = await token(page);
  await page.waitFor((mask) => document.querySelector('#outcome').textContent === mask, card_mask);
  await world.settled();
  assert.equal(await frames(page), 1);
  assert.equal((await heard(page)).tokens.length, 1);
});

test('the custom element: the token is its value in the page\'s form', async () => {
  const page = await world.visit('/#element');
  const form = await cardForm(page).ready();
  await form.type(CARD);
  await form.code.press('Enter');
  const { token: issued } = await token(page);
  assert.deepEqual(await page.evaluate(() => window.sent), { card_token: issued });
  await page.evaluate(() => document.querySelector('card-widget').remove());
  await world.settled();
  assert.equal(await frames(page), 0);
  assert.equal((await heard(page)).tokens.length, 1);
});
