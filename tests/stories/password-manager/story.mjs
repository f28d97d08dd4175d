/** Line 3.5, password managers: extensions that set values their own way, field by field. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const CARD = { number: VISA, expiry: FUTURE, code: '123' };

/** The ways that are known, each as a function of an input and a value, run in the frame. */
const WAYS = {
  'focus, keys that say nothing, value, input, change, blur': (input, value) => {
    input.focus();
    for (const type of ['keydown', 'keypress', 'keyup']) input.dispatchEvent(new KeyboardEvent(type, { bubbles: true }));
    input.value = value;
    for (const type of ['keydown', 'keypress', 'keyup']) input.dispatchEvent(new KeyboardEvent(type, { bubbles: true }));
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
    input.blur();
  },
  'value by the prototype’s setter, then input': (input, value) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  },
  'value, then change alone': (input, value) => {
    input.value = value;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  },
  'value, without a word': (input, value) => {
    input.value = value;
  },
  'the attribute as well': (input, value) => {
    input.setAttribute('value', value);
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  },
  'character by character, each with its input': (input, value) => {
    input.focus();
    for (const character of value) {
      input.value += character;
      input.dispatchEvent(new InputEvent('input', { data: character, inputType: 'insertText', bubbles: true }));
    }
  },
  'emptied first': (input, value) => {
    input.value = '';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
  },
  'the whole value as a replacement': (input, value) => {
    input.focus();
    input.dispatchEvent(new InputEvent('beforeinput', { data: value, inputType: 'insertReplacementText', bubbles: true }));
    input.value = value;
    input.dispatchEvent(new InputEvent('input', { data: value, inputType: 'insertReplacementText', bubbles: true }));
  },
  'a command of the editor': (input, value) => {
    input.focus();
    input.select();
    document.execCommand('insertText', false, value);
  },
};

for (const [name, way] of Object.entries(WAYS)) {
  test(name, async () => {
    const page = await world.visit();
    const form = await cardForm(page).ready();
    // The person is in the form: a manager is asked for from there.
    await form.number.focus();
    for (const [field, value] of Object.entries(CARD)) await form[field].evaluate(way, value);
    await form.button.click();
    assert.equal((await token(page)).card_mask, '42424242****4242');
  });
}

test('over a card that was typed wrong', async () => {
  for (const way of Object.values(WAYS).slice(0, 3)) {
    const form = await cardForm(await world.visit()).ready();
    await form.type({ number: '4242 4242 4242 4241', expiry: '13', code: '1' });
    for (const [field, value] of Object.entries(CARD)) await form[field].evaluate(way, value);
    await form.button.click();
    assert.equal((await token(form.page)).card_mask, '42424242****4242');
    assert.equal(await form.number.isInvalid(), false);
  }
});
