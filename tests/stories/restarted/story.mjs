/**
 * Whatever fails in the frame, the form goes on: with what was typed where that can be borne, else
 * empty; the shop is told, and no card data is in what it hears.
 */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { assertNowhere } from '../shared/leaks.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const SERVICE = 'Something went wrong on our side. Try again in a moment';
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

async function visit(params = {}) {
  const page = await world.visit();
  await page.evaluate((params) => {
    openWidget(params);
    return window.widget.ready.then(() => true);
  }, params);
  return { page, form: cardForm(page) };
}

/** A function of the platform throws until `repair`. */
async function breaks(form, path) {
  await form.evaluate((path) => {
    const names = path.split('.');
    const name = names.pop();
    const owner = names.reduce((object, name) => object[name], window);
    const own = owner[name];
    owner[name] = function () { throw new Error('4242'); };
    window.repair = () => { owner[name] = own; };
  }, path);
}

const repair = (form) => form.evaluate(() => window.repair());

/** What the shop heard on the port of type `error`. */
const failures = async (page) => (await heard(page)).messages.filter(({ type }) => type === 'error');

test('a fault while typing: the form is started anew with what stands in it', async () => {
  const { page, form } = await visit({ brands: ['visa'], locale: { en: { cardNumber: 'Your number' } } });
  const ready = (await heard(page)).messages.filter(({ type }) => type === 'ready').length;
  await form.type({ number: VISA, expiry: FUTURE, code: '1' });
  await breaks(form, 'Intl.PluralRules');
  await form.number.focus(); // the code is left with one digit: how many it has is counted
  await page.waitFor(() => window.heard.errors.length > 0);
  await repair(form);
  const [failure, ...more] = await failures(page);
  assert.deepEqual(more, []);
  const { correlation_id, message, ...rest } = failure;
  assert.match(correlation_id, UUID);
  assert.deepEqual(rest, { type: 'error', code: 'form_restarted', retryable: true, actor: 'service', stage: 'form' });
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
  assert.equal(await form.evaluate(() => document.querySelector('#number-label').textContent), 'Your number', 'what the shop wants still counts');
  assert.equal(await form.status.text(), '');

  await form.code.type('23');
  await form.button.click();
  await token(page);
  assert.equal((await heard(page)).messages.filter(({ type }) => type === 'ready').length, ready, 'the shop is not told a second time that the form is ready');
  assertNowhere(VISA, { 'what the shop heard': JSON.stringify(await heard(page)) });
});

test('a fault in the middle of a submit ends it: said to both sides, and the next one pays', async () => {
  const { page, form } = await visit();
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await breaks(form, 'crypto.getRandomValues');
  await form.button.click();
  await page.waitFor(() => window.heard.errors.length > 0);
  await repair(form);
  assert.deepEqual((await failures(page)).map(({ code }) => code), ['form_restarted']);
  assert.equal(await form.status.text(), SERVICE);
  assert.equal(await form.spoken.text(), SERVICE);
  assert.equal(await form.number.evaluate((input) => input.readOnly), false);

  await form.button.click();
  await token(page);
  assert.equal(tokenRequests(page).length, 1);
});

test('what the form cannot bear is taken away, and a form that cannot run at all says so', async () => {
  const { page, form } = await visit();
  await form.type({ number: VISA });
  await form.evaluate(() => {
    const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    window.bearable = '';
    Object.defineProperty(HTMLInputElement.prototype, 'value', {
      set,
      get() {
        const value = get.call(this);
        if (value !== window.bearable) throw new Error(value);
        return value;
      },
    });
    document.querySelector('#number').dispatchEvent(new Event('change', { bubbles: true }));
  });
  await page.waitFor(() => window.heard.errors.length > 0);
  assert.deepEqual((await failures(page)).map(({ code }) => code), ['form_restarted']);
  assert.equal(await form.number.value(), '');

  await form.evaluate(() => {
    window.bearable = undefined;
    document.querySelector('#number').dispatchEvent(new Event('change', { bubbles: true }));
  });
  await page.waitFor(() => window.heard.refused.length > 0);
  const last = (await failures(page)).at(-1);
  assert.deepEqual([last.code, last.stage], ['script_failed', 'attach']);
  assert.equal(await form.status.text(), SERVICE);
});

test('cryptography that never ends is a time-out, within the deadline of the shop', async () => {
  const { page, form } = await visit({ timeout: 2000 });
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await form.evaluate(() => {
    const own = SubtleCrypto.prototype.deriveBits;
    SubtleCrypto.prototype.deriveBits = () => new Promise(() => {});
    window.repair = () => { SubtleCrypto.prototype.deriveBits = own; };
  });
  const start = performance.now();
  await form.button.click();
  await page.waitFor(() => window.heard.errors.length > 0);
  assert.ok(performance.now() - start < 2500);
  assert.equal((await failures(page))[0].code, 'timeout');
  assert.match(await form.status.text(), /^No answer in time/);
  await repair(form);
  await form.button.click();
  await token(page);
});

test('a page that is left leaves nothing in the fields, and nothing runs in it', async () => {
  const { page, form } = await visit();
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await form.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
  for (const name of ['number', 'expiry', 'code']) assert.equal(await form[name].value(), '', name);
  await form.number.type('4242 42');
  await form.number.press('Enter');
  await world.settled();
  assert.equal(tokenRequests(page).length, 0);
  assert.deepEqual(await failures(page), []);
});
