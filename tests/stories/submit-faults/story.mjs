// @ts-check
/// <reference path="../shared/globals.d.ts" />
/**
 * Line 7.3: whatever happens to a submit, person and shop are told the same, in the person's language; what was typed stays
 * where it makes sense to try again; and in the end there is exactly one token.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';
import { FAULTS } from './faults.mjs';

const world = openWorld(import.meta.url);
const { test } = world;
const LANGS = ['uk', 'en', 'pl'];

test('each fault', async (t) => {
  const before = countIssued();
  const page = await world.visit();
  for (const [index, fault] of FAULTS.entries()) {
    const lang = LANGS[index % LANGS.length];
    /** What was broken works again, once, whatever comes of the test. @type {Promise<void> | undefined} */
    let healed;
    const heal = () => (healed ??= healAll(page, fault));
    await t.test(`${fault.name} (${lang})`, () => run(page, fault, lang, heal).finally(heal));
  }
  // Nothing came late.
  await world.settled();
  const expected = FAULTS.map(({ issued = 1 }) => issued).reduce((sum, issued) => sum + issued);
  assert.equal((await heard(page)).tokens.length, FAULTS.filter(({ issued }) => issued !== 0).length);
  assert.equal(countIssued() - before, expected);
});

/** @param {import('../shared/world.mjs').Visit} page @param {import('./faults.mjs').Fault} fault */
async function healAll(page, fault) {
  world.front.relax();
  await fault.heal?.(world, page);
}

/**
 * @param {import('../shared/world.mjs').Visit} page
 * @param {import('./faults.mjs').Fault} fault
 * @param {string} lang
 * @param {() => Promise<void>} heal
 */
async function run(page, fault, lang, heal) {
  const form = await open(page, { ...fault.params?.(world), lang });
  await form.number.set(VISA);
  await form.expiry.set(FUTURE);
  await form.code.set('123');
  const before = (await heard(page)).tokens.length;
  const asked = tokenRequests(page).length;
  const issued = countIssued();

  await fault.happen(world, page);
  await page.evaluate(() => {
    const tell = (/** @type {any} */ outcome) => { /** @type {any} */ (window).outcome = outcome; };
    tell(null);
    widget.submit().then(({ token }) => tell({ token }), (error) => tell(plain(error)));
  });
  const outcome = await page.waitFor(() => /** @type {any} */ (window).outcome);
  const { errors } = await heard(page);

  if (fault.code) {
    assert.deepEqual(errors, [outcome], 'the shop is told by the promise and by the handler, once');
    const [error] = errors;
    assert.ok(fault.code.includes(error.code), error.code);
    assert.equal(error.retryable, fault.retryable);
    if (fault.actor) assert.equal(error.actor, fault.actor);
    assert.equal(error.stage, 'submit');
    assert.equal(error.name, 'CardWidgetError');
    assert.ok(error.message.length > 10, 'a sentence for the developer');
    const text = textOf(lang, error, fault.minutes);
    assert.equal(await (fault.field ? form[fault.field].note() : form.status.text()), text);
    assert.equal(await form.spoken.text(), text);
    assert.equal((await form.number.value()).replaceAll(' ', ''), VISA);
    assert.equal(await form.expiry.value(), FUTURE);
    assert.equal(await form.code.value(), '123');
    await heal();
    if (fault.issued === 0) return;
    await form.button.click();
  }

  const { token: received } = await token(page, before + 1);
  if (!fault.code) assert.deepEqual([outcome, errors], [{ token: received }, []]);
  const requests = tokenRequests(page).slice(asked);
  if (fault.code && fault.retryable && fault.code[0] !== 'ticket_expired') {
    const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
    assert.equal(keys.size, 1, 'the same request again');
  }
  const expected = fault.issued ?? 1;
  // A request is logged once it has been answered.
  for (let left = 100; left && countIssued() - issued < expected; left -= 1) await sleep(20);
  assert.equal(countIssued() - issued, expected, 'tokens that the service has made');
}

/** A fresh form, of a page that has forgotten the one before. @param {import('../shared/page.mjs').Page} page @param {object} params */
async function open(page, params) {
  await page.evaluate((params) => {
    window.widget.close();
    Object.assign(window.heard, { ready: [], errors: [] });
    const plain = (/** @type {any} */ error) => {
      const { name, code, message, retryable, actor, stage } = error;
      return { name, code, message, retryable, actor, stage };
    };
    Object.assign(window, { plain });
    openWidget({ ...params, onError: (/** @type {any} */ error) => window.heard.errors.push(plain(error)) });
  }, params);
  return cardForm(page).ready();
}

/** Tokens that the service has made so far, by its log. */
function countIssued() {
  return world.service.log.split('\n').filter((line) => line.includes('/api/widget/v1/tokens') && line.includes('status=201')).length;
}

/** What the person reads. @param {string} lang @param {{ code: string, actor: string }} error @param {number} [minutes] */
function textOf(lang, { code, actor }, minutes = 1) {
  const { codes } = JSON.parse(readFileSync(new URL(`../../../www/texts/${lang}.json`, import.meta.url), 'utf8'));
  const text = codes[code] ?? codes[actor === 'merchant' ? 'setup' : 'service'];
  if (typeof text === 'string') return text;
  return text[new Intl.PluralRules(lang).select(minutes)].replace('{n}', minutes);
}
