/** Line 3.3, cut: the clipboard holds what was selected, the rest is formatted again, and undo brings it back. */
import assert from 'node:assert/strict';
import { cardForm } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

test('from the middle of a number, into a field of the shop', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.number.type('72345678');
  await form.number.press('Home', 'ArrowRight', 'ArrowRight', ...Array(4).fill('Shift+ArrowRight'), 'Control+x');
  assert.equal(await form.number.value(), '7267 8');
  assert.deepEqual(await form.number.selection(), [2, 2]);
  await form.number.press('Control+z');
  assert.equal(await form.number.value(), '7234 5678');
  assert.deepEqual(await form.number.selection(), [2, 6]);

  const { x, y, width, height } = await page.box('#before');
  await page.click({ x: x + width / 2, y: y + height / 2 });
  await page.press('Control+v');
  assert.equal(await page.evaluate(() => document.querySelector('#before').value), '34 5');
});

test('nothing selected: nothing happens', async () => {
  const form = await cardForm(await world.visit()).ready();
  await form.number.type('72345678');
  await form.number.press('ArrowLeft', 'Control+x');
  assert.equal(await form.number.value(), '7234 5678');
  assert.deepEqual(await form.number.selection(), [8, 8]);
});

test('copying changes nothing', async () => {
  const form = await cardForm(await world.visit()).ready();
  await form.number.type('72345678');
  await form.number.press('Control+a', 'Control+c');
  assert.equal(await form.number.value(), '7234 5678');
  assert.deepEqual(await form.number.selection(), [0, 9]);
});
