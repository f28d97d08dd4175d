/** Line 3.4, beside the sessions of `typing`: undo from the menu, and that nothing of a card stays in any history. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

/** What the menu's entries do. */
const menu = (form, command) => form.evaluate((command) => void document.execCommand(command), command);

test('undo and redo from the menu, with the caret', async () => {
  const form = await cardForm(await world.visit()).ready();
  await form.number.type('72345678');
  await form.number.press('Home', 'ArrowRight', 'ArrowRight', '9');
  assert.equal(await form.number.value(), '7293 4567 8');
  await menu(form, 'undo');
  assert.equal(await form.number.value(), '7234 5678');
  assert.deepEqual(await form.number.selection(), [2, 2]);
  await menu(form, 'redo');
  assert.equal(await form.number.value(), '7293 4567 8');
  assert.deepEqual(await form.number.selection(), [3, 3]);
});

test('the menu of the browser itself', { without: { firefox: 'its menu cannot be reached from outside', webkit: 'its menu cannot be reached from outside' } }, async () => {
  const form = await cardForm(await world.visit()).ready();
  await form.number.type('72345678');
  await form.number.press('Home', 'Delete');
  assert.equal(await form.number.value(), '2345 678');
  const protocol = await form.page.protocol();
  // A key without a meaning that carries the command, as a menu's shortcut does on macOS.
  for (const [command, value] of [['undo', '7234 5678'], ['redo', '2345 678']]) {
    await protocol.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'F20', commands: [command] });
    await protocol.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'F20' });
    await form.waitFor((value) => document.querySelector('#number').value === value, value);
  }
});

test('after a token nothing of the card comes back', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await form.code.press('Enter');
  await token(page);
  for (const field of [form.code, form.expiry, form.number]) {
    await field.focus();
    for (let count = 0; count < 5; count += 1) await menu(form, 'undo');
    await page.press('Control+z', 'Control+z', 'Control+Shift+z');
  }
  const values = await form.evaluate(() => [...document.querySelectorAll('input')].map(({ value }) => value).join('').replaceAll(/on|off/g, ''));
  assert.equal(values, '');
});

test('after a token the form takes the next card, with a history of its own', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await form.code.press('Enter');
  await token(page);
  await form.number.type('5555');
  assert.equal(await form.number.value(), '5555');
  await form.number.press('Control+a', 'Backspace', 'Control+z');
  assert.equal(await form.number.value(), '5555');
});

test('a form that was closed and opened has no history', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.number.type('4242');
  await page.evaluate(() => {
    widget.close();
    window.heard.ready.length = 0;
    widget.open();
  });
  await form.ready();
  await form.number.focus();
  await menu(form, 'undo');
  assert.equal(await form.number.value(), '');
});
