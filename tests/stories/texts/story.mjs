// @ts-check
/**
 * Beside the story `languages`: counts in the plural forms of each language, the shop's own
 * texts in every place they may have, and the two kinds of keys.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { refusal } from '../accessibility/states.mjs';
import { FUTURE, MASTERCARD, NOBODYS, VISA } from '../shared/cards.mjs';
import { ALIKE } from '../shared/engines.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const FOLDER = new URL('../../../www/texts/', import.meta.url);
const LANGS = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));

/** @param {string} lang */
const textsOf = (lang) => JSON.parse(readFileSync(new URL(`${lang}.json`, FOLDER), 'utf8'));

/** An American Express card: four digits on the front. */
const AMEX = '378282246310005';

/** Minutes to wait, by the seconds that the service names: begun ones count. */
const WAITS = [[1, 1], [60, 1], [61, 2], [240, 4], [300, 5], [660, 11], [1320, 22], [1500, 25]];

/** The forms as people write them, counted by hand: what `Intl` says must be one of them. */
const MINUTES = /** @type {Record<string, Record<number, RegExp>>} */ ({
  uk: { 1: /1 хвилину$/, 2: /2 хвилини$/, 4: /4 хвилини$/, 5: /5 хвилин$/, 11: /11 хвилин$/, 22: /22 хвилини$/, 25: /25 хвилин$/ },
  en: { 1: /1 minute$/, 2: /2 minutes$/, 4: /4 minutes$/, 5: /5 minutes$/, 11: /11 minutes$/, 22: /22 minutes$/, 25: /25 minutes$/ },
  pl: { 1: /1 minutę$/, 2: /2 minuty$/, 4: /4 minuty$/, 5: /5 minut$/, 11: /11 minut$/, 22: /22 minuty$/, 25: /25 minut$/ },
});

const DIGITS = /** @type {Record<string, Record<number, RegExp>>} */ ({
  uk: { 3: /3 цифри/, 4: /4 цифри/ },
  en: { 3: /3 digits/, 4: /4 digits/ },
  pl: { 3: /3 cyfry/, 4: /4 cyfry/ },
});

for (const lang of LANGS) {
  // Which form of a word a number takes is said by the engine; the rest is not its work.
  const without = lang === 'uk' ? {} : ALIKE;
  test(`${lang}: the minutes to wait`, async () => {
    const { page, form } = await open({ lang });
    await fill(form, { number: VISA, expiry: FUTURE, code: '123' });
    for (const [seconds, minutes] of WAITS) {
      world.front.rule(/\/tokens$/, async () => refusal(429, 'too_many_requests', { 'retry-after': String(seconds) }));
      await form.code.press('Enter');
      const { too_many_requests: forms } = textsOf(lang).codes;
      const category = new Intl.PluralRules(lang).select(minutes);
      const wanted = (forms[category] ?? forms.other).replace('{n}', minutes.toLocaleString(lang));
      await form.waitFor((wanted) => document.getElementById('status')?.textContent === wanted, wanted);
      if (MINUTES[lang]) assert.match(wanted, MINUTES[lang][minutes]);
    }
    const { errors } = await heard(page);
    assert.deepEqual(new Set(errors.map(({ code }) => code)), new Set(['too_many_requests']));
  });

  test(`${lang}: the digits of the code, by network`, { without }, async () => {
    const { form } = await open({ lang });
    for (const [number, digits, hint] of /** @type {const} */ ([[VISA, 3, 'cvvHint'], [AMEX, 4, 'cvvHint4']])) {
      await form.code.set('');
      await form.number.set(number);
      await form.waitFor((hint) => document.getElementById('code-note')?.textContent === hint, textsOf(lang).hints[hint]);
      await form.code.set('1');
      await form.button.evaluate((button) => button.click());
      const { code_incomplete: forms } = textsOf(lang).errors;
      const wanted = (forms[new Intl.PluralRules(lang).select(digits)] ?? forms.other).replace('{n}', String(digits));
      await form.waitFor((wanted) => document.getElementById('code-note')?.textContent === wanted, wanted);
      if (DIGITS[lang]) assert.match(wanted, DIGITS[lang][digits]);
    }
  });

  test(`${lang}: a key for tests is marked so, and one for real cards takes no test number`, { without }, async () => {
    const texts = textsOf(lang);
    const { form } = await open({ lang });
    const mark = () => form.evaluate(() => [document.getElementById('test')?.textContent, document.getElementById('test')?.checkVisibility()]);
    assert.deepEqual(await mark(), [texts.testMode, true]);

    const live = await open({ lang, key: world.service.addKey(world.shop.origin, { live: true }) });
    assert.equal(await live.form.evaluate(() => document.getElementById('test')), null);
    await fill(live.form, { number: MASTERCARD, expiry: FUTURE, code: '123' });
    await live.form.code.press('Enter');
    await live.form.waitFor((text) => document.getElementById('number-note')?.textContent === text, texts.codes.wrong_card_number);
    assert.equal(await live.form.number.isInvalid(), true);
    await live.form.waitFor(() => document.activeElement?.id === 'number');
    const { tokens, errors } = await heard(live.page);
    assert.deepEqual([tokens, errors.map(({ code, retryable }) => [code, retryable])], [[], [['wrong_card_number', false]]]);

    // Nobody's number is taken: the key works.
    await live.form.number.set(NOBODYS);
    await live.form.number.press('Enter');
    assert.match((await token(live.page)).card_mask, /^9999.*3459$/);
  });
}

test('every text that a shop may replace stands in its place, as text', async () => {
  const own = {
    cardNumber: '<b>number</b> &amp;',
    expiryDate: '<i>date</i>',
    cvv: '<script>cvv</script>',
    submit: '<img src=x onerror=alert(1)> {amount}',
    yy: '<u>',
    mm: '"m\'',
    hints: { cvvHint: '<b>hint</b>' },
    errors: { cardNumber: '<b>wrong number</b>', expiryDate: '<b>wrong date</b>', cvv: '<b>wrong code</b>' },
  };
  const { page, form } = await open({ lang: 'en', amount: 5, locale: { en: own, uk: { cvv: 'nobody sees this' } } });
  const text = (/** @type {string} */ id) => form.evaluate((id) => document.getElementById(id)?.textContent, id);
  assert.equal(await text('number-label'), own.cardNumber);
  assert.equal(await text('expiry-label'), own.expiryDate);
  assert.equal(await text('code-label'), own.cvv);
  assert.equal(await text('submit'), '<img src=x onerror=alert(1)> 5.00');
  assert.equal(await text('code-note'), own.hints.cvvHint);
  assert.equal(await form.expiry.attribute('placeholder'), `${own.mm}/${own.yy}`);
  await form.button.evaluate((button) => button.click());
  for (const [id, error] of /** @type {const} */ ([['number', 'cardNumber'], ['expiry', 'expiryDate'], ['code', 'cvv']])) {
    assert.equal(await text(`${id}-note`), own.errors[error]);
  }
  assert.equal(await text('spoken'), own.errors.cardNumber);
  assert.equal(await form.evaluate(() => document.querySelectorAll('b, i, u, img, form script').length), 0, 'no element was made of it');
  assert.deepEqual((await heard(page)).console, []);
});

test('both spellings of the error of the number count, and what is not there stays ours', async () => {
  for (const spelling of ['cardNumber', 'cardnumber']) {
    const { form } = await open({ lang: 'uk', locale: { uk: { errors: { [spelling]: 'Ой' } } } });
    await form.button.evaluate((button) => button.click());
    await form.waitFor(() => document.getElementById('number-note')?.textContent === 'Ой');
    assert.equal(await form.expiry.note(), textsOf('uk').errors.expiry_empty, spelling);
  }
});

test('a text of the shop lives through another language and back', async () => {
  const { page, form } = await open({ lang: 'uk', locale: { uk: { cvv: 'Три цифри' }, pl: { submit: 'Kup za {amount}' } }, amount: 2 });
  const label = () => form.evaluate(() => document.getElementById('code-label')?.textContent);
  assert.equal(await label(), 'Три цифри');
  await page.evaluate(() => widget.setLang('pl'));
  await form.waitFor(() => document.documentElement.lang === 'pl' && document.getElementById('submit')?.textContent?.startsWith('Kup za'));
  assert.equal(await label(), textsOf('pl').cvv);
  assert.equal((await form.button.text()).replace(/\s/g, ' '), 'Kup za 2,00');
  await page.evaluate(() => widget.setLang('uk'));
  await form.waitFor(() => document.getElementById('code-label')?.textContent === 'Три цифри');
  assert.equal((await form.button.text()).replace(/\s/g, ' '), textsOf('uk').submitAmount.replace('{amount}', '2,00'));
});

/** @param {object} params */
async function open(params) {
  const page = await world.visit();
  await page.evaluate((params) => openWidget(params), params);
  return { page, form: await cardForm(page).ready() };
}

/** @param {import('../shared/form.mjs').CardForm} form @param {Record<'number' | 'expiry' | 'code', string>} card */
async function fill(form, card) {
  for (const name of /** @type {const} */ (['code', 'expiry', 'number'])) await form[name].set(card[name]);
}
