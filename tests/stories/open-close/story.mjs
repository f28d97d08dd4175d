/** `open` and `close` in any order, at any time: one form or none, never an error, nothing that comes too late. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const CARD = { number: VISA, expiry: FUTURE, code: '123' };
const frameCount = (page) => page.evaluate(() => document.querySelectorAll('iframe').length);

/** Nothing is left of a closed form, nothing can come late, and the page has heard of no trouble. */
async function isQuiet(page) {
  await world.settled();
  await page.waitFor(() => window.idle(), undefined, { patience: 3000 }).catch(async () => assert.fail(JSON.stringify(await page.evaluate(() => window.alive()))));
  const { errors, refused, console } = await heard(page);
  assert.deepEqual([errors, refused, console], [[], [], []]);
}

test('init and open in one chain; open again changes nothing; open after close is fresh and empty', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    window.widget = CardWidget.init({ key: 'wk_sandbox', mode: 'inline', selector: 'card', onToken: (token) => heard.tokens.push(token) });
    window.chain = CardWidget.init({ key: 'wk_sandbox', mode: 'inline', selector: 'card', onToken() {} }).open();
    widget.open();
    widget.open();
  });
  const form = await cardForm(page).ready();
  await form.type(CARD);
  await page.evaluate(() => widget.open());
  assert.equal(await frameCount(page), 1);
  assert.equal(await form.code.value(), '123', 'what was typed stays');
  await page.evaluate(() => { widget.close(); widget.open(); });
  await form.ready(2);
  assert.equal(await frameCount(page), 1);
  assert.deepEqual([await form.number.value(), await form.expiry.value(), await form.code.value()], ['', '', '']);
  await form.type(CARD);
  await form.code.press('Enter');
  await token(page);
  await page.evaluate(() => widget.close());
  await isQuiet(page);
  assert.equal((await heard(page)).ready.length, 2);
});

test('close before open, twice, at once, and in one task with open', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    openWidget();
    widget.close();
    widget.close();
  });
  await isQuiet(page);
  assert.equal((await heard(page)).ready.length, 0, 'there was no form');
  await page.evaluate(() => { widget.open(); widget.close(); widget.open(); widget.close(); widget.open(); });
  await cardForm(page).ready();
  assert.equal(await frameCount(page), 1);
  await page.evaluate(() => { widget.close(); widget.close(); });
  await isQuiet(page);
  assert.equal((await heard(page)).ready.length, 1);
});

test('close while the frame, its script or its module is on the way', async () => {
  for (const path of [/\/frame$/, /frame-[0-9a-f]+\.js$/, /\.wasm$|fallback/]) {
    // A page of its own: engines keep what they have loaded once.
    const page = await world.visit();
    const { release, came } = world.front.hold(path);
    await page.evaluate(() => openWidget({ timeout: 1000 }));
    await came;
    await page.evaluate(() => widget.close());
    release();
    await isQuiet(page);
    assert.equal((await heard(page)).ready.length, 0, String(path));
    world.front.relax();
  }
});

test('close while a token is on its way: it is not told any more', async () => {
  const page = await world.visit();
  await page.evaluate(() => openWidget());
  const form = await cardForm(page).ready();
  const { release, came } = world.front.hold(/\/tokens$/);
  await form.type(CARD);
  await form.code.press('Enter');
  await came;
  await page.evaluate(() => widget.close());
  release();
  await isQuiet(page);
  assert.deepEqual((await heard(page)).tokens, []);
  await page.evaluate(() => widget.open());
  await form.ready(2);
  assert.equal(await form.number.value(), '');
  await form.type(CARD);
  await form.code.press('Enter');
  await token(page);
  await world.settled();
  assert.equal((await heard(page)).tokens.length, 1);
});

test('close from within what the form tells', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    document.addEventListener('widget-init-ready', () => widget.close(), { once: true });
    openWidget({ onToken(token) { heard.tokens.push(token); widget.close(); widget.open(); } });
  });
  await page.waitFor(() => heard.ready.length === 1);
  await isQuiet(page);
  await page.evaluate(() => widget.open());
  const form = await cardForm(page).ready(2);
  await form.type(CARD);
  await form.code.press('Enter');
  await form.ready(3);
  assert.equal(await frameCount(page), 1);
  assert.equal(await form.number.value(), '');
  await page.evaluate(() => widget.close());
  await isQuiet(page);
  assert.equal((await heard(page)).tokens.length, 1);
});
