/** What is wrong is said beside the field, in the person's language, and nothing is sent. */
import assert from 'node:assert/strict';
import { FUTURE, PAST, VISA, WRONG } from '../shared/cards.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const CASES = [
  { name: 'an empty form', card: {}, wrong: 'number' },
  { name: 'a number with a wrong digit', card: { number: WRONG, expiry: FUTURE, code: '123' }, wrong: 'number' },
  { name: 'too many digits', card: { number: VISA + VISA, expiry: FUTURE, code: '123' }, wrong: 'number' },
  { name: 'a date that has passed', card: { number: VISA, expiry: PAST, code: '123' }, wrong: 'expiry' },
  { name: 'a thirteenth month', card: { number: VISA, expiry: '13/30', code: '123' }, wrong: 'expiry' },
  { name: 'a short code', card: { number: VISA, expiry: FUTURE, code: '12' }, wrong: 'code' },
];

for (const { name, card, wrong } of CASES) {
  test(`${name}: the ${wrong} is marked, explained and focused`, async () => {
    const page = await world.visit();
    const form = await cardForm(page).ready();
    // Set, not typed: focus does not move on by itself, so each field holds what its case says.
    for (const [field, text] of Object.entries(card)) await form[field].set(text);
    await form.button.click();
    await form.wrong();
    assert.equal(await form[wrong].isInvalid(), true);
    assert.ok((await form[wrong].note()).length > 5, 'an explanation');
    assert.equal(await form[wrong].isFocused(), true);
    await world.settled();
    assert.equal(tokenRequests(page).length, 0);
    assert.deepEqual((await heard(page)).tokens, []);
  });
}

test('letters are ignored, and a corrected form is accepted', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type({ number: '4a2b4-2 4242', expiry: FUTURE, code: '123' });
  assert.equal(await form.number.value(), '4242 4242');
  await form.button.click();
  await form.wrong();
  assert.equal(await form.number.isInvalid(), true);
  await form.number.press('End', ...'42424242');
  await form.button.click();
  await token(page);
  assert.equal(await form.number.isInvalid(), false);
});

test('errors are in the language of the form', async () => {
  const notes = new Set();
  for (const [lang, letters] of [['uk', /[а-яіїє]{3}/i], ['en', /[a-z]{3}/i], ['pl', /[a-ząćęłńóśźż]{3}/i]]) {
    const page = await world.visit(`/?lang=${lang}`);
    const form = await cardForm(page).ready();
    await form.button.click();
    await form.wrong();
    const note = await form.number.note();
    assert.match(note, letters);
    notes.add(note);
    assert.equal(await form.evaluate(() => document.documentElement.lang), lang);
  }
  assert.equal(notes.size, 3);
});
