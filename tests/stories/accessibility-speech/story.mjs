// @ts-check
/**
 * What a screen reader is given to say. One polite live region says the first error, and a network
 * once; nothing is said for each key, and nothing twice.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { refusal } from '../accessibility/states.mjs';
import { CO_BADGED, FUTURE, MASTERCARD, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const { busy: BUSY, done: DONE, errors: ERRORS, codes: CODES } = JSON.parse(readFileSync(new URL('../../../www/texts/en.json', import.meta.url), 'utf8'));
const INCOMPLETE = ERRORS.number_incomplete;

/**
 * A form that is listened to.
 *
 * @param {object} [params]
 */
async function open(params = {}) {
  const page = await world.visit('/shared/checkout.html');
  await page.evaluate((params) => openWidget(params), params);
  const form = await cardForm(page).ready();
  await form.evaluate(() => {
    const live = '[aria-live], [role=status], [role=alert], [role=log], output';
    Object.assign(window, { said: [] });
    new MutationObserver((records) => {
      // Each text that was put in, also one that gave way to the next at once.
      for (const { target, addedNodes } of records) {
        const isLive = (target instanceof Element ? target : target.parentElement)?.closest(live);
        const texts = addedNodes.length ? [...addedNodes].map(({ textContent }) => textContent) : [target.nodeValue];
        if (isLive) /** @type {any} */ (window).said.push(...texts.filter(Boolean));
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  /** What has been said since it was last asked for. @returns {Promise<string[]>} */
  const said = () => form.evaluate(() => /** @type {any} */ (window).said.splice(0));
  return { page, form, said };
}

test('there is one live region; it is polite, there before it speaks, and in nothing that is busy', async () => {
  const { form } = await open();
  const regions = await form.evaluate(() =>
    [...document.querySelectorAll('[aria-live], [role=status], [role=alert], [role=log], output')].map((region) => ({
      role: region.getAttribute('role'),
      live: region.getAttribute('aria-live'),
      text: region.textContent,
      isInForm: region.closest('form') !== null,
    })),
  );
  // The role brings the politeness along (WAI-ARIA 1.2 §5.3.3).
  assert.deepEqual(regions, [{ role: 'status', live: null, text: '', isInForm: false }]);
});

test('a card typed without a mistake: the network, the wait, the end', async () => {
  const { page, form, said } = await open();
  await form.number.focus();
  await page.type(VISA);
  assert.deepEqual(await said(), ['Visa']);
  await page.press('Tab');
  await page.type(FUTURE);
  await form.waitFor(() => document.activeElement?.id === 'code');
  await page.type('123');
  assert.deepEqual(await said(), [], 'nothing for each key, nothing for each field');
  await page.press('Shift+Tab', 'Shift+Tab', 'Tab', 'Tab');
  assert.deepEqual(await said(), [], 'nor for coming back');
  await page.press('Enter');
  await token(page);
  await form.waitFor(() => document.getElementById('status')?.textContent);
  assert.deepEqual(await said(), [BUSY, DONE]);
});

test('all fields filled in at once: the network', async () => {
  const { form, said } = await open();
  await form.evaluate(([number, expiry]) => {
    for (const [id, value] of [['number', number], ['expiry', expiry], ['code', '123']]) {
      /** @type {HTMLInputElement} */ (document.getElementById(id)).value = value;
    }
    for (const id of ['number', 'expiry', 'code']) {
      const field = document.getElementById(id);
      field?.dispatchEvent(new InputEvent('input', { bubbles: true }));
      field?.dispatchEvent(new Event('change', { bubbles: true }));
    }
  }, [VISA, FUTURE]);
  assert.deepEqual(await said(), ['Visa']);
});

test('an error is said when its field is left, once, and stands there while the next one is typed in', async () => {
  const { page, form, said } = await open();
  await form.number.focus();
  await page.type('4242');
  await page.press('Tab');
  assert.deepEqual(await said(), ['Visa', INCOMPLETE]);
  await page.type('1');
  await page.press('Backspace', 'Tab');
  assert.equal(await form.spoken.text(), INCOMPLETE);
  await page.press('Shift+Tab', 'Shift+Tab');
  await form.waitFor(() => document.activeElement?.id === 'number');
  assert.deepEqual(await said(), [], 'its description is read with the field');
  assert.equal(await form.number.note(), INCOMPLETE);
  await page.press('End');
  await page.type('424242424242');
  assert.deepEqual(await said(), [], 'the network was named before');
  assert.equal(await form.spoken.text(), '', 'what is mended is taken back');
  assert.equal(await form.number.note(), '');
});

test('an error that no further key can mend is said at once, and only once', async () => {
  const { page, form, said } = await open();
  await form.expiry.focus();
  await page.type('13');
  assert.deepEqual(await said(), [ERRORS.expiry_month]);
  await page.type('29');
  await page.press('Tab');
  assert.deepEqual(await said(), []);
});

test('a refused submit says the first error, wherever the keyboard was, and again when asked again', async () => {
  const { page, form, said } = await open();
  await form.number.focus();
  await page.type('4242');
  await page.press('Tab', '1', 'Tab', '1');
  assert.deepEqual(await said(), ['Visa', INCOMPLETE, ERRORS.expiry_incomplete]);
  for (let time = 0; time < 3; time += 1) {
    await page.press('Enter');
    await form.waitFor(() => document.activeElement?.id === 'number');
    assert.deepEqual(await said(), [INCOMPLETE]);
    assert.equal(await form.spoken.text(), INCOMPLETE);
  }
  assert.equal(await form.code.note(), ERRORS.code_incomplete.other.replace('{n}', '3'), 'the others are told by their fields');
});

test('an empty form, submitted from its last field: the first error', async () => {
  const { page, form, said } = await open();
  await form.code.focus();
  await page.press('Enter');
  await form.waitFor(() => document.activeElement?.id === 'number');
  assert.deepEqual(await said(), [ERRORS.number_empty]);
});

for (const [lang, offer] of [['uk', 'Платіжна система: RuPay або JCB'], ['en', 'Card network: RuPay or JCB'], ['pl', /^.+: RuPay lub JCB$/]]) {
  test(`the networks of a co-badged card are offered once, and a choice speaks for itself (${lang})`, async () => {
    const { page, form, said } = await open({ lang });
    await form.number.focus();
    await page.type(CO_BADGED);
    await form.waitFor(() => document.activeElement?.id === 'expiry');
    const offers = await said();
    assert.equal(offers.length, 1);
    assert.match(offers[0], offer instanceof RegExp ? offer : new RegExp(`^${offer}$`));
    await page.press('Shift+Tab');
    await form.waitFor(() => document.activeElement?.id === 'network-0');
    await page.press('ArrowDown');
    await page.waitFor(() => window.heard.changes.at(-1)?.brand === 'jcb');
    assert.deepEqual(await said(), []);
    const { group, checked, mark } = await form.evaluate(() => ({
      group: document.querySelector('fieldset legend')?.textContent,
      checked: document.querySelector('label:has(:checked)')?.textContent?.trim(),
      mark: document.getElementById('brand')?.textContent,
    }));
    assert.ok(offers[0].startsWith(`${group}: `));
    assert.deepEqual([checked, mark], ['JCB', 'JCB']);
  });
}

test('a failure is said, and the next one after another wait', async () => {
  const { page, form, said } = await open();
  const texts = [CODES.too_many_requests.other.replace('{n}', '2'), CODES.service];
  const answers = [refusal(429, 'too_many_requests', { 'retry-after': '61' }), refusal(503, 'service_unavailable')];
  world.front.rule(/\/tokens$/, async () => answers.shift());
  await form.type({ number: VISA });
  await form.expiry.type(FUTURE);
  await form.code.type('123');
  await said();
  for (const text of texts) {
    await page.press('Enter');
    await form.waitFor((text) => document.getElementById('status')?.textContent === text, text);
    assert.deepEqual(await said(), [BUSY, text]);
    assert.equal(await form.code.isFocused(), true, 'the keyboard stays');
  }
});

test('a field that the service refuses is said, explained and focused', async () => {
  const { page, form, said } = await open();
  world.front.rule(/\/tokens$/, async () => refusal(422, 'wrong_card_number'));
  await form.type({ number: MASTERCARD, expiry: FUTURE, code: '123' });
  assert.deepEqual(await said(), ['Mastercard']);
  await page.press('Enter');
  await form.waitFor(() => document.activeElement?.id === 'number');
  const text = CODES.wrong_card_number;
  assert.deepEqual(await said(), [BUSY, text]);
  assert.equal(await form.number.note(), text);
  assert.equal(await form.number.isInvalid(), true);
  await page.press('Tab');
  assert.deepEqual(await said(), []);
});

test('another language says nothing by itself', async () => {
  const { page, form, said } = await open();
  await form.number.focus();
  await page.type('4242');
  await page.press('Tab');
  assert.deepEqual(await said(), ['Visa', INCOMPLETE]);
  await page.evaluate(() => widget.setLang('pl'));
  await form.waitFor((before) => document.getElementById('number-note')?.textContent !== before, INCOMPLETE);
  assert.deepEqual(await said(), []);
  assert.equal(await form.spoken.text(), '');
  assert.deepEqual((await heard(page)).errors, []);
});
