/** What a person does before the module is there counts, and a module that never comes is said to both sides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);

/** A page whose frame gets its module only after `release()`. */
async function visitWithoutModule() {
  const page = await world.visit();
  let release = () => {};
  const held = new Promise((resolve) => { release = resolve; });
  await page.route('**/*.wasm', async (route) => {
    await held;
    await route.continue();
  });
  await page.evaluate(() => openWidget());
  const form = cardForm(page);
  await form.number.waitFor();
  return { page, form, release };
}

test('what was typed is kept and formatted', async () => {
  const { page, form, release } = await visitWithoutModule();
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  assert.equal(await form.number.inputValue(), VISA, 'nobody has touched it yet');
  assert.equal((await heard(page)).ready.length, 0);
  release();
  await form.ready();
  assert.equal((await form.number.inputValue()).replaceAll(' ', ''), VISA);
  assert.match(await form.number.inputValue(), / /);
  assert.equal(await form.code.inputValue(), '123');
  assert.equal(await form.code.evaluate((input) => input === input.ownerDocument.activeElement), true);
});

test('several submits become one token', async () => {
  const { page, form, release } = await visitWithoutModule();
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await form.code.press('Enter');
  await form.code.press('Enter');
  await form.button.click();
  release();
  await token(page);
  await page.waitForTimeout(500);
  assert.equal((await heard(page)).tokens.length, 1);
  assert.equal(tokenRequests(page).length, 1);
});

test('a composition that is under way when the module comes is left alone and kept', async () => {
  const { page, form, release } = await visitWithoutModule();
  await form.code.fill('123');
  await form.number.pressSequentially('4242');
  const keyboard = await page.context().newCDPSession(page);
  await keyboard.send('Input.imeSetComposition', { text: '４', selectionStart: 1, selectionEnd: 1 });
  release();
  await form.ready();
  assert.equal(await form.number.inputValue(), '4242４');
  await keyboard.send('Input.insertText', { text: '４２' });
  assert.equal(await form.number.inputValue(), '4242 42');
  assert.equal(await form.code.inputValue(), '123');
});

test('a value that a script sets without an event survives the events of its neighbours', async () => {
  const page = await world.visit();
  await page.evaluate(() => openWidget());
  const form = await cardForm(page).ready();
  for (const [field, value] of [['expiry', FUTURE], ['code', '123']]) {
    await form[field].evaluate((input, value) => { input.value = value; }, value);
  }
  await form.number.pressSequentially(VISA);
  await form.number.press('Enter');
  assert.match((await token(page)).card_mask, /^42424242/);
});

test('a module that does not come is said in the form and to the shop', async () => {
  const page = await world.visit();
  await page.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: '' }));
  await page.evaluate(() => openWidget());
  await page.waitForFunction(() => heard.refused.length === 1);
  const form = cardForm(page);
  assert.equal((await heard(page)).refused[0].id, 'script_failed');
  assert.equal(await form.status.textContent(), 'Something failed on our side. Try again in a moment');
  assert.equal(await form.frame.locator('[role="status"]').textContent(), await form.status.textContent());
});
