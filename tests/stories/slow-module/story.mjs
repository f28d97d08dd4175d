/** What a person does before the module is there counts, and a module that never comes is said to both sides. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const COMPOSING = {
  firefox: 'a composition can be begun from outside in Chromium alone',
  webkit: 'a composition can be begun from outside in Chromium alone',
};

/** A page whose frame gets its module only after `release()`. */
async function visitWithoutModule(params = {}) {
  const { release } = world.front.hold(/\.wasm$|fallback/);
  const page = await world.visit();
  await page.evaluate((params) => openWidget(params), params);
  const form = cardForm(page);
  await form.number.waitFor();
  return { page, form, release };
}

test('what was typed is kept and formatted', async () => {
  const { page, form, release } = await visitWithoutModule();
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  assert.equal(await form.number.value(), VISA, 'nobody has touched it yet');
  assert.equal((await heard(page)).ready.length, 0);
  release();
  await form.ready();
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
  assert.equal(await form.code.value(), '123');
  assert.equal(await form.code.isFocused(), true);
});

test('several submits become one token', async () => {
  const { page, form, release } = await visitWithoutModule();
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await form.code.press('Enter', 'Enter');
  await form.button.click();
  release();
  await token(page);
  await world.settled();
  assert.equal((await heard(page)).tokens.length, 1);
  assert.equal(tokenRequests(page).length, 1);
});

test('a submit waits for what the shop takes', async () => {
  const { page, form, release } = await visitWithoutModule({ brands: ['mastercard'] });
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await form.code.press('Enter');
  release();
  await form.ready();
  assert.equal(await form.wrong(), 'number');
  await world.settled();
  assert.equal(await form.number.isFocused(), true);
  assert.equal(await form.status.text(), '');
  assert.deepEqual((await heard(page)).errors, []);
  assert.equal(tokenRequests(page).length, 0);
});

test('a composition that is under way when the module comes is left alone and kept', { without: COMPOSING }, async () => {
  const { page, form, release } = await visitWithoutModule();
  await form.code.set('123');
  await form.number.type('4242');
  const keyboard = await page.protocol();
  await keyboard.send('Input.imeSetComposition', { text: '４', selectionStart: 1, selectionEnd: 1 });
  release();
  await form.ready();
  assert.equal(await form.number.value(), '4242４');
  await keyboard.send('Input.insertText', { text: '４２' });
  assert.equal(await form.number.value(), '4242 42');
  assert.equal(await form.code.value(), '123');
});

test('a value that a script sets without an event survives the events of its neighbours', async () => {
  const page = await world.visit();
  await page.evaluate(() => openWidget());
  const form = await cardForm(page).ready();
  for (const [field, value] of [['expiry', FUTURE], ['code', '123']]) {
    await form[field].evaluate((input, value) => { input.value = value; }, value);
  }
  await form.number.type(VISA);
  await form.number.press('Enter');
  assert.match((await token(page)).card_mask, /^42424242/);
});

test('a module that does not come is said in the form and to the shop', async () => {
  world.front.rule(/\.wasm$|fallback/, async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) }));
  const page = await world.visit();
  await page.evaluate(() => openWidget());
  await page.waitFor(() => window.heard.refused.length === 1);
  const form = cardForm(page);
  assert.equal((await heard(page)).refused[0].id, 'script_failed');
  assert.equal(await form.status.text(), 'Something went wrong on our side. Try again in a moment');
  assert.equal(await form.spoken.text(), await form.status.text());
});
