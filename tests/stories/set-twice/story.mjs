/** A value that comes twice is there once. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const set = (input, value) => {
  input.value = value;
  input.dispatchEvent(new Event('input', { bubbles: true }));
};

async function open() {
  return cardForm(await world.visit()).ready();
}

test('the same value, twice', async () => {
  const form = await open();
  for (const value of [VISA, VISA, '4242 4242 4242 4242', VISA]) {
    await form.number.evaluate(set, value);
    assert.equal(await form.number.value(), '4242 4242 4242 4242');
  }
});

test('twice within one task, told once', async () => {
  const form = await open();
  await form.number.evaluate((input, value) => {
    input.value = value;
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, VISA);
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
});

test('set by a script without an event, then told, then typed on', async () => {
  const form = await open();
  await form.number.evaluate((input) => { input.value = '4242'; });
  await form.number.evaluate(set, '4242');
  await form.number.focus();
  await form.number.press('End', '4', '2');
  assert.equal(await form.number.value(), '4242 42');
});

test('typed by the person while a manager sets the same', async () => {
  const form = await open();
  await form.number.type('4242 4242');
  await form.number.evaluate(set, VISA);
  await form.number.evaluate(set, VISA);
  await form.type({ expiry: FUTURE, code: '123' });
  await form.button.click();
  assert.equal((await token(form.page)).card_mask, '42424242****4242');
});

test('one value after another: the last one counts', async () => {
  const form = await open();
  for (const value of ['5555555555554444', '378282246310005', VISA]) await form.number.evaluate(set, value);
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
  await form.page.waitFor(() => window.heard.changes.at(-1)?.brand === 'visa');
});
