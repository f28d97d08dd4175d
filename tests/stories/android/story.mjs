/** Line 3.5, keyboards that send no keys (Android): every key is 229, the text comes by itself. */
import assert from 'node:assert/strict';
import { FUTURE, MASTERCARD } from '../shared/cards.mjs';
import { cardForm, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const PHONE = { viewport: { width: 412, height: 915 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
const REAL = { without: {
  firefox: 'text without keys can be sent from outside in Chromium alone',
  webkit: 'text without keys can be sent from outside in Chromium alone',
} };

/** A keyboard that sends each character as text, around which the key says nothing. */
async function soft(page) {
  const protocol = await page.protocol();
  const key = (type) => protocol.send('Input.dispatchKeyEvent', { type, windowsVirtualKeyCode: 229, key: 'Unidentified' });
  return async (text) => {
    for (const character of text) {
      await key('rawKeyDown');
      await protocol.send('Input.insertText', { text: character });
      await key('keyUp');
    }
  };
}

test('text without keys, from field to field, becomes a token', REAL, async () => {
  const page = await world.visit('/', PHONE);
  const form = await cardForm(page).ready();
  const type = await soft(page);
  await form.number.focus();
  await type(MASTERCARD);
  assert.equal(await form.number.value(), '5555 5555 5555 4444');
  assert.equal(await form.focused(), 'expiry');
  await type(FUTURE.replace('/', ''));
  assert.equal(await form.focused(), 'code');
  await type('123');
  await form.button.click();
  assert.equal((await token(page)).card_mask, '55555555****4444');
});

test('text without keys into the middle keeps the caret there', REAL, async () => {
  const page = await world.visit('/', PHONE);
  const form = await cardForm(page).ready();
  await form.number.type('72345678');
  await form.number.press('Home', 'ArrowRight', 'ArrowRight');
  await (await soft(page))('99');
  assert.equal(await form.number.value(), '7299 3456 78');
  // Behind the gap, where the next digit goes.
  assert.deepEqual(await form.number.selection(), [5, 5]);
});

test('a keyboard that composes each digit, and deletes within what it composes', REAL, async () => {
  const page = await world.visit('/', PHONE);
  const form = await cardForm(page).ready();
  await form.number.focus();
  const protocol = await page.protocol();
  const compose = (text) => protocol.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  for (const text of ['4', '42', '424', '4242', '42424', '4242']) await compose(text);
  assert.equal(await form.number.value(), '4242');
  await protocol.send('Input.insertText', { text: '42424' });
  assert.equal(await form.number.value(), '4242 4');
});

/** What such a keyboard makes a page see, where the engine cannot be made to: a changed value and `input`, no more. */
const change = (field, value, caret = value.length, inputType = 'insertText') =>
  field.evaluate(
    (input, [value, caret, inputType]) => {
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Unidentified', keyCode: 229, bubbles: true }));
      input.dispatchEvent(new InputEvent('beforeinput', { inputType, bubbles: true, cancelable: false }));
      input.value = value;
      input.setSelectionRange(caret, caret);
      input.dispatchEvent(new InputEvent('input', { inputType, bubbles: true }));
      input.dispatchEvent(new KeyboardEvent('keyup', { key: 'Unidentified', keyCode: 229, bubbles: true }));
    },
    [value, caret, inputType],
  );

test('a value that changes under our hands is formatted, with the caret at its digit', async () => {
  const form = await cardForm(await world.visit()).ready();
  await form.number.focus();
  let typed = '';
  for (const digit of '42424242') {
    typed = (await form.number.value()) + digit;
    await change(form.number, typed);
  }
  assert.equal(await form.number.value(), '4242 4242');
  // A digit between the second and the third.
  await change(form.number, '42942 4242', 3);
  assert.equal(await form.number.value(), '4294 2424 2');
  assert.deepEqual(await form.number.selection(), [3, 3]);
  // And the digit before the caret goes.
  await change(form.number, '4294 424 2', 5, 'deleteContentBackward');
  assert.equal(await form.number.value(), '4294 4242');
});

test('a deletion of the gap alone, which cannot be prevented, deletes a digit', async () => {
  const form = await cardForm(await world.visit()).ready();
  await form.number.type('42424');
  // The keyboard has taken the gap away and left the digits.
  await form.number.press('ArrowLeft');
  await change(form.number, '42424', 4, 'deleteContentBackward');
  assert.equal(await form.number.value(), '4244');
  assert.deepEqual(await form.number.selection(), [3, 3]);
});
