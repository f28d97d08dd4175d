/** The service goes away while the form is open: nothing typed is lost, and in the end there is exactly one token. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const CARD = { number: VISA, expiry: FUTURE, code: '123' };

test('stop, submit, start, submit: one token', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type(CARD);

  await world.service.stop();
  await form.button.click();
  await page.waitForFunction(() => heard.errors.length > 0);
  const { errors, tokens } = await heard(page);
  assert.equal(errors[0].retryable, true);
  assert.deepEqual(tokens, []);
  assert.match(await form.status.textContent(), /try again/i, 'the person is told');
  assert.equal(await form.number.inputValue(), '4242 4242 4242 4242');
  assert.equal((await form.code.inputValue()).length, 3);

  await world.service.start();
  await form.button.click();
  await token(page);
  await page.waitForTimeout(300);
  assert.equal((await heard(page)).tokens.length, 1);
  assert.equal((await form.status.textContent()).trim(), 'Card accepted');
});

test('an answer lost on its way: the second submit gets the same token', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type(CARD);
  let lost;
  await page.context().route('**/api/widget/v1/tokens', async (route) => {
    if (lost) return route.fallback();
    const answer = await route.fetch();
    assert.equal(answer.status(), 201);
    lost = await answer.json();
    await route.abort('connectionreset');
  });
  await form.button.click();
  await page.waitForFunction(() => heard.errors.length > 0 || heard.tokens.length > 0);
  // Whether the frame asks again by itself or waits for the person, the token is the first one.
  if ((await heard(page)).tokens.length === 0) await form.button.click();
  assert.equal((await token(page)).token, lost.token);
  const keys = new Set(tokenRequests(page).map((request) => request.headers()['idempotency-key']));
  assert.equal(keys.size, 1);
});

test('no service at all: the shop hears it, and a later open works', async () => {
  const page = await world.visit();
  await cardForm(page).ready();
  await world.service.stop();
  await page.evaluate(() => {
    widget.close();
    openWidget();
  });
  await page.waitForFunction(() => heard.refused.length > 0, undefined, { timeout: 20_000 });
  assert.match((await heard(page)).refused[0].id, /^frame_/);
  await world.service.start();
  await page.evaluate(() => {
    widget.close();
    openWidget();
  });
  await cardForm(page).ready(2);
});
