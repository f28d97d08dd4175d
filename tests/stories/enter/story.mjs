/** Line 5.1: Enter submits, from every field and from the button, once. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const CARD = { number: VISA, expiry: FUTURE, code: '123' };

for (const name of ['number', 'expiry', 'code']) {
  test(`from the ${name}`, async () => {
    const page = await world.visit();
    const form = await cardForm(page).ready();
    await form.type(CARD);
    await form[name].press('Enter');
    await token(page);
    await world.settled();
    assert.equal(tokenRequests(page).length, 1);
    assert.equal((await heard(page)).tokens.length, 1);
  });
}

test('from the button, by Enter and by Space', async () => {
  for (const key of ['Enter', 'Space']) {
    const page = await world.visit();
    const form = await cardForm(page).ready();
    await form.type(CARD);
    await form.code.press('Tab');
    assert.equal(await form.focused(), 'submit');
    await page.press(key);
    await token(page);
    await world.settled();
    assert.equal(tokenRequests(page).length, 1);
  }
});

test('from a form that is not complete: nothing is sent', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.number.type('4242');
  await form.number.press('Enter');
  assert.equal(await form.wrong(), 'number');
  await world.settled();
  assert.equal(tokenRequests(page).length, 0);
});

test('many times, without waiting: one token', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type(CARD);
  await form.code.press(...Array(6).fill('Enter'));
  await token(page);
  await world.settled();
  assert.equal(tokenRequests(page).length, 1);
  assert.equal((await heard(page)).tokens.length, 1);
});

test('the page around is not submitted', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await page.evaluate(() => {
    const outer = document.createElement('form');
    outer.addEventListener('submit', (event) => {
      event.preventDefault();
      document.title = 'submitted';
    });
    document.body.append(outer);
  });
  await form.type(CARD);
  await form.code.press('Enter');
  await token(page);
  assert.equal(await page.evaluate(() => document.title), 'A shop');
});
