/** The first load: few requests, a form that can be typed into before wasm runs, and nothing typed is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);

test('two requests until the form can be typed into, four in all, three round trips deep', async () => {
  const page = await world.visit();
  await cardForm(page).ready();
  const requests = page.seen.requests.filter((request) => request.url().startsWith(world.service.origin));
  const paths = requests.map((request) => new URL(request.url()).pathname);
  assert.equal(paths.length, 4, paths.join(' '));
  assert.equal(paths[0], '/widget/v1/card-widget.js');
  assert.equal(paths[1], '/widget/v1/frame');
  // Script and module start beside each other, right after the page that names both: no fourth step.
  const [script, wasm] = requests.slice(2).map((request) => request.timing());
  const [first, second] = [script, wasm].sort((a, b) => a.startTime - b.startTime);
  assert.ok(second.startTime < first.startTime + first.responseEnd, 'one after the other');
});

test('what is typed before wasm is kept, formatted, and can be submitted early', async () => {
  const page = await (await world.browser.newContext()).newPage();
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route('**/*.wasm', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(world.shop.origin);
  const form = cardForm(page);
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await form.button.click();
  assert.equal(await page.evaluate(() => heard.ready.length), 0);
  assert.equal((await form.number.inputValue()).replaceAll(' ', ''), VISA);
  release();
  await form.ready();
  const { card_mask } = await token(page);
  assert.equal(card_mask, '42424242****4242');
});
