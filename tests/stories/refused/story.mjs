/** A frame that may not be shown says why, to the shop, with a stable id. */
import assert from 'node:assert/strict';
import { cardForm, heard } from '../shared/form.mjs';
import { openShop } from '../shared/shop.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

async function refusal(page) {
  await page.waitFor(() => window.heard.refused.length > 0);
  const { refused, ready, tokens } = await heard(page);
  assert.equal(refused.length, 1);
  assert.deepEqual([ready, tokens], [[], []]);
  assert.ok(refused[0].message.length > 20, 'a sentence');
  return refused[0].id;
}

const countInputs = () => document.querySelectorAll('input').length;

/** Address of the frame in a page whose form works. */
async function frameAddress(page) {
  await cardForm(page).ready();
  return page.evaluate(() => document.querySelector('#card iframe').src);
}

test('an unknown key', async () => {
  const page = await world.visit('/?key=wk_nobody');
  assert.equal(await refusal(page), 'widget_key_unknown');
  assert.equal(await cardForm(page).evaluate(countInputs), 0);
});

test('an origin that the key does not allow', async () => {
  const key = world.service.addKey('https://shop.example');
  const page = await world.visit(`/?key=${key}`);
  assert.equal(await refusal(page), 'origin_not_allowed');
  assert.equal(await cardForm(page).evaluate(countInputs), 0);
});

test('the frame by itself, as a page', async () => {
  const page = await world.visit();
  await page.goto(await frameAddress(page));
  assert.equal(await page.evaluate(() => document.forms.length), 0);
  assert.equal(await page.evaluate(countInputs), 0);
});

test('another page that takes the address of a frame is refused by the browser', async () => {
  const page = await world.visit();
  const address = await frameAddress(page);
  // The same frame, claimed for one shop, put into a page of another origin.
  const thief = await openShop(new URL('./', import.meta.url), world.front.origin);
  try {
    await page.goto(`${thief.origin}/?key=wk_nobody`);
    await page.evaluate((address) => {
      const host = document.body.appendChild(document.createElement('div'));
      host.id = 'stolen';
      const frame = host.appendChild(document.createElement('iframe'));
      frame.addEventListener('load', () => { host.title = 'loaded'; });
      frame.src = address;
    }, address);
    // Some engines load a page of their own that says so, others nothing.
    await world.settled();
    const inputs = await page.evaluate(countInputs, undefined, '#stolen iframe').catch(() => 0);
    assert.equal(inputs, 0);
    assert.ok(page.requests.some(({ url }) => url === address && page.requests.length > 1), 'the frame was asked for');
  } finally {
    thief.close();
  }
});
