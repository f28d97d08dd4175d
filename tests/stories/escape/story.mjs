/** Line 5.1: Escape reaches the shop, which may hold the form in a dialog. */
import assert from 'node:assert/strict';
import { cardForm } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

async function open() {
  const page = await world.visit();
  await page.evaluate(() => {
    window.escapes = [];
    document.addEventListener('keydown', ({ key, target, isTrusted }) => {
      if (key === 'Escape') window.escapes.push([target.tagName, isTrusted]);
    });
  });
  return cardForm(page).ready();
}

for (const name of ['number', 'expiry', 'code']) {
  test(`from the ${name}, once, and nothing typed is lost`, async () => {
    const form = await open();
    await form[name].type('12');
    const value = await form[name].value();
    await form[name].press('Escape');
    await form.page.waitFor(() => window.escapes.length > 0);
    await world.settled();
    assert.deepEqual(await form.page.evaluate(() => window.escapes), [['IFRAME', false]]);
    assert.equal(await form[name].value(), value);
  });
}

test('from the button', async () => {
  const form = await open();
  await form.code.press('Tab', 'Escape');
  await form.page.waitFor(() => window.escapes.length === 1);
});

test('no other key reaches the shop', async () => {
  const form = await open();
  await form.page.evaluate(() => {
    window.keys = 0;
    for (const type of ['keydown', 'keyup', 'keypress', 'input']) document.addEventListener(type, () => { window.keys += 1; });
  });
  await form.number.type('4242 42');
  await form.number.press('ArrowLeft', 'Backspace', 'Home');
  await world.settled();
  assert.equal(await form.page.evaluate(() => window.keys), 0);
});

test('a composition’s Escape belongs to the composition', { without: {
  firefox: 'a composition can be begun from outside in Chromium alone',
  webkit: 'a composition can be begun from outside in Chromium alone',
} }, async () => {
  const form = await open();
  await form.number.focus();
  const keyboard = await form.page.protocol();
  await keyboard.send('Input.imeSetComposition', { text: '４', selectionStart: 1, selectionEnd: 1 });
  await form.page.press('Escape');
  await world.settled();
  assert.deepEqual(await form.page.evaluate(() => window.escapes), []);
});
