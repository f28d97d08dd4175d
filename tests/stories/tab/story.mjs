/** Line 5.1: one Tab in, the fields in their order, one Tab out; the same backwards. */
import assert from 'node:assert/strict';
import { cardForm } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

/** Where the keyboard is: the id of an element of the shop's page, or one of the frame's. */
async function place(form) {
  const shop = await form.page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);
  return shop === 'IFRAME' ? `frame ${await form.focused()}` : shop;
}

/** Presses a key and waits for the keyboard to be elsewhere: between processes it takes a moment. */
async function step(form, key) {
  const before = await place(form);
  await form.page.press(key);
  for (const end = Date.now() + 3000; Date.now() < end; ) {
    const now = await place(form);
    // Neither the frame nor a field of it has the keyboard for a moment.
    if (now !== before && now !== 'frame ') return now;
  }
  return place(form);
}

async function walk(form, key, count) {
  const places = [];
  for (let index = 0; index < count; index += 1) places.push(await step(form, key));
  return places;
}

async function click(page, selector) {
  const { x, y, width, height } = await page.box(selector);
  await page.click({ x: x + width / 2, y: y + height / 2 });
}

for (const [name, query, fields] of [
  ['a full card', '', ['number', 'expiry', 'code', 'submit']],
  ['a number alone', '?type=pan_only', ['number', 'submit']],
  ['in a line', '?template=line', ['number', 'expiry', 'code', 'submit']],
  ['from right to left', '?rtl', ['number', 'expiry', 'code', 'submit']],
]) {
  test(`${name}: through the form and back`, async () => {
    const page = await world.visit(`/${query}`);
    const form = await cardForm(page).ready();
    if (query === '?rtl') await page.evaluate(() => { document.documentElement.dir = 'rtl'; });
    const inside = fields.map((id) => `frame ${id}`);
    await click(page, '#before');
    assert.deepEqual(await walk(form, 'Tab', fields.length + 1), [...inside, 'after']);
    assert.deepEqual(await walk(form, 'Shift+Tab', fields.length + 1), [...inside.reverse(), 'before']);
  });
}

test('with errors shown and a choice of networks, still in order', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.number.type('650035');
  await form.expiry.type('13');
  await form.waitFor(() => !document.querySelector('#networks').hidden);
  await click(page, '#before');
  // The choice is one stop: its arrows move within it.
  assert.deepEqual(await walk(form, 'Tab', 6), ['frame number', 'frame network-0', 'frame expiry', 'frame code', 'frame submit', 'after']);
  assert.deepEqual(await walk(form, 'Shift+Tab', 6), ['frame submit', 'frame code', 'frame expiry', 'frame network-0', 'frame number', 'before']);
});

test('a form that is busy is walked through alike', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  const { release } = world.front.hold(/\/tokens$/);
  await form.type({ number: '4242424242424242', expiry: '1230', code: '123' });
  await form.button.click();
  await form.waitFor(() => document.querySelector('[aria-busy="true"]'));
  await click(page, '#before');
  assert.deepEqual(await walk(form, 'Tab', 5), ['frame number', 'frame expiry', 'frame code', 'frame submit', 'after']);
  release();
});
