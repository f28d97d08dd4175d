/** What a phone offers above its keyboard (a scanned card, a saved one): a whole text at once, into the field in use. */
import assert from 'node:assert/strict';
import { FUTURE, MASTERCARD } from '../shared/cards.mjs';
import { cardForm, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 3 };

test('whole texts from the keyboard', { without: {
  firefox: 'text without keys can be sent from outside in Chromium alone',
  webkit: 'text without keys can be sent from outside in Chromium alone',
} }, async () => {
  const page = await world.visit('/', PHONE);
  const form = await cardForm(page).ready();
  const keyboard = await page.protocol();
  await form.number.focus();
  for (const text of [MASTERCARD, FUTURE, '123']) await keyboard.send('Input.insertText', { text });
  assert.equal(await form.number.value(), '5555 5555 5555 4444');
  assert.equal(await form.expiry.value(), FUTURE);
  assert.equal(await form.code.value(), '123');
  await form.button.click();
  assert.equal((await token(page)).card_mask, '55555555****4444');
});

test('whole texts as the events tell them, where no beforeinput can be prevented', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  for (const [field, text] of [[form.number, MASTERCARD], [form.expiry, FUTURE], [form.code, '123']]) {
    await field.evaluate((input, text) => {
      input.focus();
      input.dispatchEvent(new InputEvent('beforeinput', { data: text, inputType: 'insertText', bubbles: true, cancelable: false }));
      input.value = text;
      input.dispatchEvent(new InputEvent('input', { data: text, inputType: 'insertText', bubbles: true }));
    }, text);
  }
  assert.equal(await form.number.value(), '5555 5555 5555 4444');
  await form.button.click();
  assert.equal((await token(page)).card_mask, '55555555****4444');
});

test('fields say what they take, as phones look for it', async () => {
  const form = await cardForm(await world.visit()).ready();
  const said = await form.evaluate(() =>
    ['number', 'expiry', 'code'].map((id) => {
      const input = document.getElementById(id);
      return [input.getAttribute('autocomplete'), input.inputMode, input.type, input.form.autocomplete, input.hasAttribute('maxlength'), input.hasAttribute('pattern')];
    }),
  );
  // A maxlength would cut what is filled in, and a pattern would call a formatted value wrong.
  assert.deepEqual(said, [
    ['cc-number', 'numeric', 'text', 'on', false, false],
    ['cc-exp', 'numeric', 'text', 'on', false, false],
    ['cc-csc', 'numeric', 'text', 'on', false, false],
  ]);
});
