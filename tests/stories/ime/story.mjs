/** Line 3.5, composition: nothing is reformatted while somebody composes, and what they wrote is taken in afterwards. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const REAL = { without: {
  firefox: 'a composition can be begun from outside in Chromium alone',
  webkit: 'a composition can be begun from outside in Chromium alone',
} };

async function open() {
  return cardForm(await world.visit()).ready();
}

test('a real composition of full-width digits', REAL, async () => {
  const form = await open();
  await form.number.type('4242');
  const keyboard = await form.page.protocol();
  for (const text of ['４', '４２', '４２４', '４２４２']) {
    await keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    assert.equal(await form.number.value(), `4242${text}`, 'left alone');
    assert.equal(await form.number.isInvalid(), false);
  }
  await keyboard.send('Input.insertText', { text: '４２４２' });
  assert.equal(await form.number.value(), '4242 4242');
  assert.deepEqual(await form.number.selection(), [9, 9]);
  // The keyboard is an ordinary one again.
  await form.number.type('4');
  assert.equal(await form.number.value(), '4242 4242 4');
  await form.number.press('Backspace', 'Backspace');
  assert.equal(await form.number.value(), '4242 424');
});

test('a real composition that is given up', REAL, async () => {
  const form = await open();
  await form.number.type('4242');
  const keyboard = await form.page.protocol();
  await keyboard.send('Input.imeSetComposition', { text: '４２', selectionStart: 2, selectionEnd: 2 });
  await keyboard.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
  assert.equal(await form.number.value(), '4242');
  await form.number.type('5');
  assert.equal(await form.number.value(), '4242 5');
});

test('a real composition in the middle, over a selection', REAL, async () => {
  const form = await open();
  await form.number.type('72345678');
  await form.number.press('Home', 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight');
  const keyboard = await form.page.protocol();
  await keyboard.send('Input.imeSetComposition', { text: '９', selectionStart: 1, selectionEnd: 1 });
  assert.equal(await form.number.value(), '7９4 5678');
  await keyboard.send('Input.insertText', { text: '９' });
  assert.equal(await form.number.value(), '7945 678');
  assert.deepEqual(await form.number.selection(), [2, 2]);
});

test('a real composition that the person leaves by a click elsewhere', REAL, async () => {
  const form = await open();
  await form.number.type('4242');
  const keyboard = await form.page.protocol();
  await keyboard.send('Input.imeSetComposition', { text: '４２', selectionStart: 2, selectionEnd: 2 });
  await form.expiry.focus();
  assert.equal(await form.number.value(), '4242 42');
});

/** What an engine tells of a composition, in its order; the value is the engine's doing, too. */
const compose = (field, pieces, { late = false } = {}) =>
  field.evaluate(
    (input, { pieces, late }) => {
      const before = input.value;
      const say = (type, data, inputType) =>
        input.dispatchEvent(
          inputType
            ? new InputEvent(type, { data, inputType, isComposing: true, bubbles: true, cancelable: false })
            : new CompositionEvent(type, { data, bubbles: true }),
        );
      const values = [];
      say('compositionstart', '');
      for (const piece of pieces) {
        say('compositionupdate', piece);
        say('beforeinput', piece, 'insertCompositionText');
        input.value = before + piece;
        input.setSelectionRange(input.value.length, input.value.length);
        say('input', piece, 'insertCompositionText');
        values.push(input.value);
      }
      // WebKit tells of the last input after the end, the others before.
      if (!late) say('compositionend', pieces.at(-1));
      else {
        say('compositionend', pieces.at(-1));
        input.dispatchEvent(new InputEvent('input', { data: pieces.at(-1), inputType: 'insertFromComposition', bubbles: true }));
      }
      return values;
    },
    { pieces, late },
  );

for (const late of [false, true]) {
  test(`the events of a composition, the last input ${late ? 'after' : 'before'} its end`, async () => {
    const form = await open();
    await form.number.type('4242');
    assert.deepEqual(await compose(form.number, ['４', '４２', '４２４２'], { late }), ['4242４', '4242４２', '4242４２４２']);
    assert.equal(await form.number.value(), '4242 4242');
    assert.deepEqual(await form.number.selection(), [9, 9]);
    await form.number.type('4');
    assert.equal(await form.number.value(), '4242 4242 4');
  });
}

test('a card that was composed from beginning to end becomes a token', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  for (const [field, text] of [[form.number, VISA], [form.expiry, FUTURE], [form.code, '123']]) {
    await field.focus();
    await compose(field, [text.slice(0, 2), text]);
  }
  await form.button.click();
  assert.equal((await token(page)).card_mask, '42424242****4242');
});
