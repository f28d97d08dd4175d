/** Line 3.5, autofill: all fields at once, told by events or not at all. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const CARD = { number: VISA, expiry: FUTURE, code: '123' };

/** Fills all fields in one step, then sends these events from each. */
const fill = (form, card, events) =>
  form.evaluate(
    ([card, events]) => {
      for (const [id, value] of Object.entries(card)) document.getElementById(id).value = value;
      for (const id of Object.keys(card)) {
        for (const type of events) document.getElementById(id).dispatchEvent(new Event(type, { bubbles: true }));
      }
    },
    [card, events],
  );

async function open() {
  return cardForm(await world.visit()).ready();
}

for (const events of [['input', 'change'], ['input'], ['change'], ['keydown', 'input', 'keyup', 'change', 'blur']]) {
  test(`told by ${events.join(', ')}`, async () => {
    const form = await open();
    await fill(form, CARD, events);
    assert.equal(await form.number.value(), '4242 4242 4242 4242');
    assert.equal(await form.expiry.value(), FUTURE);
    await form.page.waitFor(() => window.heard.changes.at(-1)?.complete);
    await form.button.click();
    assert.equal((await token(form.page)).card_mask, '42424242****4242');
  });
}

test('told by no event: seen when a field is entered', async () => {
  const form = await open();
  await fill(form, CARD, []);
  await form.code.focus();
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
  await form.page.waitFor(() => window.heard.changes.at(-1)?.complete);
});

test('told by no event: seen when the field is left', async () => {
  const form = await open();
  await form.number.focus();
  await fill(form, CARD, []);
  await form.page.press('Tab');
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
  assert.equal(await form.number.isInvalid(), false);
});

test('told by no event: submitted by the button, and by Enter', async () => {
  for (const submit of [(form) => form.button.click(), (form) => form.number.press('Enter')]) {
    const form = await open();
    await fill(form, CARD, []);
    await submit(form);
    assert.equal((await token(form.page)).card_mask, '42424242****4242');
  }
});

test('told by no event: typing in another field loses nothing', async () => {
  const form = await open();
  await fill(form, { number: VISA, expiry: FUTURE }, []);
  await form.code.type('123');
  await form.code.press('Enter');
  assert.equal((await token(form.page)).card_mask, '42424242****4242');
});

test('dates as browsers keep them', async () => {
  const year = `20${FUTURE.slice(3)}`;
  for (const expiry of [`12/${year}`, `12 / ${FUTURE.slice(3)}`, `${year}-12`, `12${FUTURE.slice(3)}`, `12${year}`, `12-${year}`]) {
    const form = await open();
    await fill(form, { ...CARD, expiry }, ['input', 'change']);
    assert.equal(await form.expiry.value(), FUTURE, expiry);
  }
});

test('the focus stays where the person is', async () => {
  const form = await open();
  await form.number.focus();
  await fill(form, CARD, ['input', 'change']);
  assert.equal(await form.focused(), 'number');
});

test('filled over what was typed, nothing of it stays', async () => {
  const form = await open();
  await form.number.type('5555 5');
  await fill(form, CARD, ['input', 'change']);
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
  await form.page.waitFor(() => window.heard.changes.at(-1)?.brand === 'visa');
});

test('what does not belong into a field is said, not cut', async () => {
  const form = await open();
  await fill(form, { ...CARD, number: VISA + VISA }, ['input', 'change']);
  await form.button.click();
  assert.equal(await form.wrong(), 'number');
  assert.deepEqual((await heard(form.page)).tokens, []);
});

test('Chromium’s own autofill', { without: {
  firefox: 'its autofill cannot be triggered from outside',
  webkit: 'this port has no autofill',
} }, async () => {
  const form = await open();
  const session = await form.page.frameProtocol(form.frame);
  await session.send('Autofill.enable');
  const { root } = await session.send('DOM.getDocument', { depth: 0 });
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#number' });
  const { node } = await session.send('DOM.describeNode', { nodeId });
  const { frameTree: { frame: { id: frameId } } } = await session.send('Page.getFrameTree');
  const card = { number: VISA, name: 'A Person', expiryMonth: '12', expiryYear: `20${FUTURE.slice(3)}`, cvc: '123' };
  await form.number.focus();
  // The browser looks at a form in its own time, and fills only what it has looked at.
  for (let attempt = 0; attempt < 20 && (await form.number.value()) === ''; attempt += 1) {
    await session.send('Autofill.trigger', { fieldId: node.backendNodeId, frameId, card }).catch(() => undefined);
    await sleep(250);
  }
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
  assert.equal(await form.expiry.value(), FUTURE);
  assert.equal(await form.code.value(), '123');
  await form.button.click();
  assert.equal((await token(form.page)).card_mask, '42424242****4242');
});
