/** Line 3.3, drag and drop with the real mouse: what is dropped is formatted, and no digit can be dragged out. */
import assert from 'node:assert/strict';
import { MASTERCARD, VISA } from '../shared/cards.mjs';
import { cardForm } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const INTO_FRAME = { without: { webkit: 'a drag from the page around a frame does not reach the frame (WebKitGTK 2.50)' } };

const start = ({ x, y, height }) => ({ x: x + 24, y: y + height / 2 });
const end = ({ x, y, width, height }) => ({ x: x + width - 30, y: y + height / 2 });

/** Drags the number on the shop's page into a field. */
async function dragText(form, field) {
  const { page } = form;
  await page.evaluate(() => {
    scrollTo(0, 0);
    getSelection().selectAllChildren(document.querySelector('#text'));
  });
  await page.drag(start(await page.box('#text')), end(await field.box()), form.frame);
}

test('text of the shop’s page is formatted where it falls', INTO_FRAME, async () => {
  const form = await cardForm(await world.visit()).ready();
  await dragText(form, form.number);
  await form.waitFor(() => document.querySelector('#number').value !== '');
  assert.equal(await form.number.value(), '5555 5555 5555 4444');
  assert.equal(await form.number.isInvalid(), false);
  assert.equal(MASTERCARD, (await form.number.value()).replaceAll(' ', ''));
});

test('dropped on a full field, nothing is cut off', INTO_FRAME, async () => {
  const form = await cardForm(await world.visit()).ready();
  await form.number.type(VISA);
  await dragText(form, form.number);
  await form.waitFor(() => document.querySelector('#number').getAttribute('aria-invalid') === 'true');
  const digits = (await form.number.value()).replaceAll(' ', '');
  assert.ok(digits === VISA || digits.length === 32, 'taken in whole or not at all');
});

test('dropped beside the fields, nothing happens', INTO_FRAME, async () => {
  const form = await cardForm(await world.visit()).ready();
  const { page } = form;
  await page.evaluate(() => getSelection().selectAllChildren(document.querySelector('#text')));
  const address = await form.evaluate(() => location.href);
  await page.drag(start(await page.box('#text')), start(await page.box('#submit', form.frame)), form.frame);
  await world.settled();
  assert.equal(await form.evaluate(() => location.href), address, 'the frame has not gone anywhere');
  assert.equal(await form.number.value(), '');
});

test('no digit leaves the form by the mouse', async () => {
  const form = await cardForm(await world.visit()).ready();
  const { page } = form;
  await form.number.type(VISA);
  await form.evaluate(() => {
    document.title = '';
    addEventListener('dragstart', (event) => { document.title += event.defaultPrevented ? 'prevented ' : 'begun '; });
  });
  await form.number.press('Control+a');
  await page.drag(start(await form.number.box()), start(await page.box('#before')));
  await form.waitFor(() => document.title !== '');
  assert.equal(await form.evaluate(() => document.title.trim()), 'prevented');
  assert.equal(await page.evaluate(() => document.querySelector('#before').value), '');
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
});
