/** A frame that may not be shown says why, to the shop, with a stable id. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardForm, heard } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);

async function refusal(page) {
  await page.waitForFunction(() => heard.refused.length > 0);
  const { refused, ready, tokens } = await heard(page);
  assert.equal(refused.length, 1);
  assert.deepEqual([ready, tokens], [[], []]);
  assert.ok(refused[0].message.length > 20, 'a sentence');
  return refused[0].id;
}

test('an unknown key', async () => {
  const page = await world.visit('/?key=wk_nobody');
  assert.equal(await refusal(page), 'widget_key_unknown');
  assert.equal(await cardForm(page).frame.locator('input').count(), 0);
});

test('an origin that the key does not allow', async () => {
  const page = await world.visit('/', { origin: world.elsewhere });
  assert.equal(await refusal(page), 'origin_not_allowed');
});

test('the frame by itself, as a page', async () => {
  const page = await world.visit();
  await cardForm(page).ready();
  const address = page.frames()[1].url();
  await page.goto(address);
  assert.equal(await page.locator('form').count(), 0);
});

test('another page that takes the address of a frame is refused by the browser', async () => {
  const page = await world.visit();
  await cardForm(page).ready();
  const address = page.frames()[1].url();
  // The same frame, claimed for 127.0.0.1, put into a page of another origin.
  const thief = await world.visit('/', { origin: world.elsewhere });
  await thief.evaluate((address) => {
    const frame = document.createElement('iframe');
    frame.id = 'stolen';
    document.body.append(Object.assign(frame, { src: address }));
  }, address);
  await thief.waitForTimeout(1000);
  assert.equal(await thief.frameLocator('#stolen').locator('input').count(), 0);
});
