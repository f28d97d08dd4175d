/** Line 3.3, real keys: what the sessions of `typing` cannot say. */
import assert from 'node:assert/strict';
import { FUTURE, MASTERCARD, VISA } from '../shared/cards.mjs';
import { cardForm } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

async function open() {
  return cardForm(await world.visit()).ready();
}

test('what a key does not mean leaves value, caret and history alone', async () => {
  const form = await open();
  await form.number.type('4242 4');
  await form.number.press('ArrowLeft', 'ArrowLeft');
  for (const key of ['x', 'ü', 'Z']) {
    await form.number.press(key);
    assert.deepEqual([key, await form.number.value(), ...(await form.number.selection())], [key, '4242 4', 4, 4]);
  }
});

test('the mouse puts the caret between digits, and the key lands there', async () => {
  const form = await open();
  await form.number.type('72345678');
  const { x, y, height } = await form.number.box();
  // Where the text begins, from the style; a few pixels into its first digits.
  const padding = await form.number.evaluate((input) => parseFloat(getComputedStyle(input).paddingLeft));
  await form.page.click({ x: x + padding + 1, y: y + height / 2 });
  assert.deepEqual(await form.number.selection(), [0, 0]);
  await form.page.type('5');
  assert.equal(await form.number.value(), '5723 4567 8');
  assert.deepEqual(await form.number.selection(), [1, 1]);
});

test('a double click selects digits, and a key replaces exactly those', async () => {
  const form = await open();
  await form.number.type('72345678');
  const { x, y, height } = await form.number.box();
  const padding = await form.number.evaluate((input) => parseFloat(getComputedStyle(input).paddingLeft));
  await form.page.click({ x: x + padding + 6, y: y + height / 2 }, 2);
  const [start, end] = await form.number.selection();
  const digits = (await form.number.value()).replaceAll(' ', '');
  const chosen = (await form.number.value()).slice(start, end).replaceAll(' ', '');
  assert.ok(chosen.length >= 4, 'a double click has selected something');
  await form.page.type('9');
  const left = digits.slice(0, start) + '9' + digits.slice(start + chosen.length);
  assert.equal((await form.number.value()).replaceAll(' ', ''), left);
});

test('very fast typing loses nothing, in whatever field it ends', async () => {
  const form = await open();
  await form.number.focus();
  // Number, date and code without a pause: the focus moves on by itself.
  await form.page.type(MASTERCARD + FUTURE + '123');
  assert.equal(await form.number.value(), '5555 5555 5555 4444');
  assert.equal(await form.expiry.value(), FUTURE);
  assert.equal(await form.code.value(), '123');
  assert.equal(await form.focused(), 'code');
});

test('the focus does not move on when the shop has turned that off', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    widget.close();
    window.heard.ready.length = 0;
    openWidget({ autoAdvance: false });
  });
  const form = await cardForm(page).ready();
  await form.number.type(MASTERCARD);
  assert.equal(await form.focused(), 'number');
});

test('the focus does not move on where a number may still be longer', async () => {
  const form = await open();
  await form.number.type(VISA);
  assert.equal(await form.focused(), 'number');
});

test('an edit in the middle does not move on', async () => {
  const form = await open();
  await form.number.type(MASTERCARD.slice(0, 15));
  await form.number.press('Home', '5');
  assert.equal(await form.number.value(), '5555 5555 5555 5444');
  assert.deepEqual(await form.number.selection(), [1, 1]);
  assert.equal(await form.focused(), 'number');
});

test('all digits of all scripts are typed as digits', async () => {
  const form = await open();
  await form.number.type('４２४２ ٤٢٤٢ ४२४२');
  assert.equal(await form.number.value(), '4242 4242 4242');
});
