/** Line 5.5: while the service is asked, the form says so and takes neither a second submit nor another card. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

async function submit() {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  const { release } = world.front.hold(/\/tokens$/);
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await form.code.press('Enter');
  await form.waitFor(() => document.querySelector('[aria-busy="true"]'));
  return { page, form, release };
}

test('said to all, and taken back', async () => {
  const { page, form, release } = await submit();
  const state = () =>
    form.evaluate(() => ({
      busy: document.querySelector('#form').getAttribute('aria-busy'),
      button: document.querySelector('#submit').getAttribute('aria-disabled'),
      fields: [...document.querySelectorAll('input[inputmode]')].map(({ readOnly }) => readOnly),
    }));
  assert.deepEqual(await state(), { busy: 'true', button: 'true', fields: [true, true, true] });
  assert.ok((await form.spoken.text()).length > 3, 'read aloud');
  assert.equal(await form.focused(), 'code', 'the keyboard stays where it was');
  release();
  await token(page);
  await form.waitFor(() => !document.querySelector('[aria-busy]'));
  assert.deepEqual(await state(), { busy: null, button: null, fields: [false, false, false] });
});

test('a double submit is impossible: keys, clicks, the form itself', async () => {
  const { page, form, release } = await submit();
  await page.press('Enter', 'Enter');
  await form.button.click();
  await form.button.click();
  await form.evaluate(() => {
    document.forms[0].requestSubmit();
    document.forms[0].dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  });
  await form.waitFor(() => document.querySelector('[aria-busy="true"]'));
  release();
  await token(page);
  await world.settled();
  assert.equal(tokenRequests(page).length, 1);
  assert.equal((await heard(page)).tokens.length, 1);
  assert.deepEqual((await heard(page)).errors, []);
});

test('the card cannot be changed by key, clipboard or undo', async () => {
  const { page, form, release } = await submit();
  const values = () => form.evaluate(() => [...document.querySelectorAll('input[inputmode]')].map(({ value }) => value));
  const before = await values();
  await page.copy('5555555555554444');
  for (const field of [form.code, form.expiry, form.number]) {
    await field.focus();
    await page.press('7', 'Backspace', 'Delete', 'Control+v', 'Control+a', 'Control+x', 'Control+z', 'Control+Shift+z');
  }
  assert.deepEqual(await values(), before);
  release();
  assert.equal((await token(page)).card_mask, '42424242****4242');
});

test('undo from the menu, which no engine refuses, changes nothing of the submit', async () => {
  const { page, form, release } = await submit();
  await form.evaluate(() => {
    document.execCommand('undo');
    document.execCommand('undo');
  });
  release();
  assert.equal((await token(page)).card_mask, '42424242****4242');
  await world.settled();
  assert.equal(tokenRequests(page).length, 1);
  assert.deepEqual(await form.evaluate(() => [...document.querySelectorAll('input[inputmode]')].map(({ value }) => value)), ['', '', '']);
  assert.equal(await form.status.text(), 'Card accepted');
});

test('after a failure the form works again, with what was typed', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  world.front.rule(/\/tokens$/, async () => undefined);
  await form.code.press('Enter');
  await page.waitFor(() => window.heard.errors.length === 1);
  await form.waitFor(() => !document.querySelector('[aria-busy]'));
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
  world.front.relax();
  await form.button.click();
  await token(page);
});
