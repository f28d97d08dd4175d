// @ts-check
/**
 * Walked through by keyboard alone: what the stories `tab`, `enter`, `escape`, `first-wrong`
 * and `busy` leave open.
 */
import assert from 'node:assert/strict';
import { CO_BADGED, FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const CARD = { number: VISA, expiry: FUTURE, code: '123' };

/** @param {object} [params] */
async function open(params = {}) {
  const page = await world.visit();
  await page.evaluate((params) => openWidget(params), params);
  return { page, form: await cardForm(page).ready() };
}

/** Waits until the keyboard is at an element of the frame. @param {import('../shared/form.mjs').CardForm} form @param {string} id */
const at = (form, id) => form.waitFor((id) => document.hasFocus() && document.activeElement?.id === id, id);

test('from the shop’s page to the token and out again, with the other network of a co-badged card', async () => {
  const { page, form } = await open();
  await page.evaluate(() => document.getElementById('before')?.focus());
  await page.press('Tab');
  await at(form, 'number');
  await page.type(CO_BADGED);
  await at(form, 'expiry');
  // Focus moved on by itself; the networks lie one stop back.
  await page.press('Shift+Tab');
  await at(form, 'network-0');
  await page.press('ArrowDown');
  await at(form, 'network-1');
  await page.waitFor(() => window.heard.changes.at(-1)?.brand === 'jcb');
  // Not every engine goes round from the last to the first.
  await page.press('ArrowUp');
  await at(form, 'network-0');
  await page.waitFor(() => window.heard.changes.at(-1)?.brand === 'rupay');
  await page.press('ArrowRight');
  await page.waitFor(() => window.heard.changes.at(-1)?.brand === 'jcb');
  await page.press('Tab');
  await at(form, 'expiry');
  assert.equal(await form.number.note(), '', 'between number and networks nobody left the number');
  await page.type(FUTURE);
  await at(form, 'code');
  await page.type('123');
  await page.press('Tab');
  await at(form, 'submit');
  await page.press('Space');
  await token(page);
  assert.equal((await heard(page)).tokens.length, 1);
  await form.waitFor(() => document.getElementById('status')?.textContent);
  await at(form, 'submit');
  await page.press('Tab');
  await page.waitFor(() => document.activeElement?.id === 'after');
});

test('Space chooses a network, and Enter on it submits', async () => {
  const { page, form } = await open();
  await form.code.set('123');
  await form.expiry.set(FUTURE);
  await form.number.type(CO_BADGED);
  await form.waitFor(() => document.getElementById('networks')?.checkVisibility());
  await form.number.focus();
  await page.press('Tab');
  await at(form, 'network-0');
  await page.press('ArrowRight', 'ArrowLeft', 'Space');
  await page.waitFor(() => window.heard.changes.at(-1)?.brand === 'rupay');
  await page.press('ArrowRight', 'Enter');
  await token(page);
  assert.equal((await heard(page)).changes.findLast(({ complete }) => complete)?.brand, 'jcb');
});

for (const from of /** @type {const} */ (['number', 'expiry', 'code'])) {
  test(`after the token the keyboard is where it was, in an empty form (${from})`, async () => {
    const { page, form } = await open();
    await form.type(CARD);
    await form[from].press('Enter');
    await token(page);
    await form.waitFor(() => document.getElementById('status')?.textContent);
    await at(form, from);
    assert.deepEqual([await form.number.value(), await form.expiry.value(), await form.code.value()], ['', '', '']);
    assert.equal(await form.evaluate(() => document.querySelectorAll('[aria-invalid]').length), 0);
    // Who goes on through the form meets no errors.
    await page.press('Shift+Tab');
    if (from === 'number') await page.waitFor(() => document.activeElement?.id === 'before');
    else await at(form, from === 'code' ? 'expiry' : 'number');
    assert.equal(await form.evaluate(() => document.querySelectorAll('[aria-invalid]').length), 0);
  });
}

test('wherever the keyboard is, a ring is seen, in whole', async () => {
  for (const params of [{}, { style: 'evo', template: 'line', colorScheme: 'dark' }]) {
    const { page, form } = await open({ ...params, theme: { fontSize: '24px' } });
    await form.number.type(CO_BADGED);
    await at(form, 'expiry');
    await page.evaluate(() => document.getElementById('before')?.focus());
    for (const id of ['number', 'network-0', 'expiry', 'code', 'submit']) {
      await page.press('Tab');
      await at(form, id);
      const ring = await form.evaluate(() => {
        const element = /** @type {Element} */ (document.activeElement);
        const { outlineStyle, outlineWidth, outlineOffset, outlineColor } = getComputedStyle(element);
        const { top, left, bottom, right } = element.getBoundingClientRect();
        const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset);
        const accent = document.createElement('i');
        accent.style.color = 'var(--accent)';
        document.body.append(accent);
        const isAccent = getComputedStyle(accent).color === outlineColor;
        accent.remove();
        return {
          style: outlineStyle,
          width: parseFloat(outlineWidth),
          isAccent,
          // Sizes have fractions; the frame is given whole pixels.
          isWhole: top >= reach && left >= reach && bottom + reach < innerHeight + 1 && right + reach < innerWidth + 1,
        };
      });
      // The contrast of the accent is counted in tests/look/contrast.test.js.
      assert.deepEqual(ring, { style: 'solid', width: 2, isAccent: true, isWhole: true }, id);
    }
    await page.evaluate(() => widget.close());
  }
});

test('in a dialog of the shop: Tab stays inside, Escape closes it, and the keyboard goes back', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('dialog'));
    dialog.append(/** @type {HTMLElement} */ (document.getElementById('card')));
    // All that a shop has to do.
    dialog.addEventListener('keydown', ({ key }) => key === 'Escape' && dialog.close());
    dialog.addEventListener('close', () => widget.close());
    document.getElementById('before')?.focus();
    dialog.showModal();
    openWidget();
  });
  const form = await cardForm(page).ready();
  await page.evaluate(() => document.getElementById('close')?.focus());
  for (const id of ['number', 'expiry', 'code', 'submit']) {
    await page.press('Tab');
    await at(form, id);
  }
  await page.press('Escape');
  await page.waitFor(() => !(/** @type {HTMLDialogElement} */ (document.getElementById('dialog')).open));
  await page.waitFor(() => document.activeElement?.id === 'before');
  assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 0);
});
