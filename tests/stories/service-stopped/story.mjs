/** The service goes away while the form is open: nothing typed is lost, and in the end there is exactly one token. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;
const CARD = { number: VISA, expiry: FUTURE, code: '123' };

test('stop, submit, start, submit: one token', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type(CARD);

  await world.service.stop();
  await form.button.click();
  await page.waitFor(() => window.heard.errors.length > 0);
  const { errors, tokens } = await heard(page);
  assert.equal(errors[0].retryable, true);
  assert.deepEqual(tokens, []);
  assert.match(await form.status.text(), /try again/i, 'the person is told');
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
  assert.equal((await form.code.value()).length, 3);

  await world.service.start();
  await form.button.click();
  await token(page);
  await world.settled();
  assert.equal((await heard(page)).tokens.length, 1);
  assert.equal(await form.status.text(), 'Card accepted');
});

test('an answer lost on its way: the second submit gets the same token', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type(CARD);
  let lost;
  world.front.rule(/\/tokens$/, async (_, pass) => {
    const answer = await pass();
    if (lost) return answer;
    assert.equal(answer.status, 201);
    lost = JSON.parse(answer.body.toString());
    return undefined;
  });
  await form.button.click();
  await page.waitFor(() => window.heard.errors.length > 0 || window.heard.tokens.length > 0);
  // Whether the frame asks again by itself or waits for the person, the token is the first one.
  if ((await heard(page)).tokens.length === 0) await form.button.click();
  assert.equal((await token(page)).token, lost.token);
  const keys = new Set(tokenRequests(page).map(({ headers }) => headers['idempotency-key']));
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
  await page.waitFor(() => window.heard.refused.length > 0);
  assert.equal((await heard(page)).refused[0].id, 'service_unreachable');
  await world.service.start();
  await page.evaluate(() => {
    widget.close();
    openWidget();
  });
  await cardForm(page).ready(2);
});
