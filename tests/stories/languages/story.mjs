/**
 * Every language of `www/texts` is complete in the form, and changing it, like any other
 * `update`, keeps what was typed. The languages are those of the folder: a further file is tested without a change here.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { FUTURE, VISA, WRONG } from '../shared/cards.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const FOLDER = new URL('../../../www/texts/', import.meta.url);
const TEXTS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name.slice(0, -5), JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))]);

/** Half a card: what no change of the shop may take away. */
const HALF = { number: '4242 4242 42', expiry: FUTURE, code: '12' };

for (const [lang, texts] of TEXTS) {
  test(`${lang}: labels, title, amount and counted errors`, async () => {
    const page = await world.visit();
    await page.evaluate((lang) => openWidget({ lang, amount: 1234.5, currency: 'UAH' }), lang);
    const form = await cardForm(page).ready();
    assert.deepEqual(await said(form), expected(lang, texts));
    assert.equal(await page.evaluate(() => document.querySelector('iframe')?.title), texts.title);
    assert.equal(plain(await form.button.text()), texts.submitAmount.replace('{amount}', await money(page, lang, 1234.5)));
    await form.button.click();
    assert.equal(await form.wrong(), 'number');
    assert.deepEqual(
      [await form.number.note(), await form.expiry.note(), await form.code.note()],
      [texts.errors.number_empty, texts.errors.expiry_empty, texts.errors.code_empty],
    );
    await form.number.set(VISA);
    await form.expiry.set(FUTURE);
    await form.code.set('12');
    await form.button.click();
    const forms = texts.errors.code_incomplete;
    const wanted = forms[new Intl.PluralRules(lang).select(3)].replace('{n}', '3');
    await form.waitFor((wanted) => document.getElementById('code-note')?.textContent === wanted, wanted);
  });
}

test('setLang changes every word, and keeps digits, caret, focus and the error that is shown', async () => {
  const page = await world.visit();
  await page.evaluate(() => openWidget({ lang: 'en' }));
  const form = await cardForm(page).ready();
  await form.code.set(HALF.code);
  await form.expiry.set(HALF.expiry);
  await form.number.set(WRONG);
  await form.button.click();
  assert.equal(await form.wrong(), 'number');
  await form.number.select(7);
  const before = await kept(form);
  for (const [lang, texts] of [...TEXTS, ...TEXTS]) {
    await page.evaluate((lang) => widget.setLang(lang), lang);
    await form.waitFor(
      ([lang, error]) => document.documentElement.lang === lang && document.getElementById('number-note')?.textContent === error,
      [lang, texts.errors.number_invalid],
    );
    assert.deepEqual(await said(form), expected(lang, texts), lang);
    assert.deepEqual(await kept(form), before, lang);
    assert.equal(await form.number.isFocused(), true, lang);
    assert.equal(await page.evaluate(() => document.querySelector('iframe')?.title), texts.title);
  }
  assert.deepEqual((await heard(page)).console, []);
});

test('setLang between two keys loses none, and the form pays afterwards', async () => {
  const page = await world.visit();
  await page.evaluate(() => openWidget({ lang: 'en' }));
  const form = await cardForm(page).ready();
  await form.number.focus();
  for (const [index, digit] of [...VISA].entries()) {
    const [lang] = TEXTS[index % TEXTS.length];
    await page.evaluate((lang) => widget.setLang(lang), lang);
    await page.press(digit);
  }
  await form.waitFor(() => /** @type {any} */ (document.getElementById('number')).value === '4242 4242 4242 4242');
  await form.expiry.set(FUTURE);
  await form.code.set('123');
  await form.button.click();
  assert.match((await token(page)).card_mask, /^\d{6,8}\*+4242$/);
});

test('update lays texts over the earlier ones, and changes the amount; what was typed stays', async () => {
  const page = await world.visit();
  await page.evaluate(() => openWidget({ lang: 'uk-UA', locale: { uk: { submit: 'Придбати за {amount}', cvv: 'Код' } } }));
  const form = await cardForm(page).ready();
  assert.equal(await form.button.text(), 'Придбати за', 'no amount, no braces');
  for (const name of /** @type {const} */ (['code', 'expiry', 'number'])) await form[name].set(HALF[name]);
  const before = await kept(form);
  await page.evaluate(() => widget.update({ amount: 10, locale: { uk: { cardNumber: '<b>Картка</b>', errors: { cardnumber: 'Ні' } } } }));
  await form.waitFor(() => document.getElementById('number-label')?.textContent === '<b>Картка</b>');
  assert.equal(plain(await form.button.text()), 'Придбати за 10,00');
  assert.equal(await form.evaluate(() => document.getElementById('code-label')?.textContent), 'Код');
  await page.evaluate(() => widget.update({ amount: -1, currency: 'UAH' }));
  await form.waitFor(() => /[^\d,\s]$/.test(document.getElementById('submit')?.textContent ?? ''));
  assert.equal(plain(await form.button.text()), `Придбати за ${await money(page, 'uk', 10)}`);
  assert.deepEqual(await kept(form), before);
  assert.match((await heard(page)).console.join(), /"amount" must be at least 0, but is -1/);
});

test('a language that cannot be loaded leaves the form as it is, and says so', async () => {
  const page = await world.visit();
  await page.evaluate(() => openWidget({ lang: 'en' }));
  const form = await cardForm(page).ready();
  await form.number.set(HALF.number);
  world.front.rule(/\/texts$/, async () => undefined);
  await page.evaluate(() => widget.setLang('uk'));
  await page.waitFor(() => window.heard.console.some((line) => line.includes('CardWidget')));
  assert.equal(await form.evaluate(() => document.documentElement.lang), 'en');
  assert.equal(await form.evaluate(() => document.getElementById('number-label')?.textContent), 'Card number');
  assert.equal(await form.number.value(), HALF.number);
  world.front.relax();
  await page.evaluate(() => widget.setLang('uk'));
  await form.waitFor(() => document.documentElement.lang === 'uk');
  assert.equal(await form.number.value(), HALF.number);
});

test('texts that come slowly hold nothing back, and come into force only while they are wanted', async () => {
  const page = await world.visit();
  await page.evaluate(() => openWidget({ lang: 'en', locale: { en: { cvv: 'Three digits' } } }));
  const form = await cardForm(page).ready();
  const lang = () => form.evaluate(() => document.documentElement.lang);
  const { release } = world.front.hold(/\/texts$/);
  await page.evaluate(() => {
    widget.setLang('uk');
    widget.update({ amount: 10, colorScheme: 'dark' });
  });
  await form.waitFor(() => document.getElementById('submit')?.textContent === 'Pay 10.00');
  assert.equal(await form.evaluate(() => document.documentElement.dataset.scheme), 'dark');
  assert.equal(await form.evaluate(() => document.getElementById('code-label')?.textContent), 'Three digits');
  assert.equal((await page.evaluate(() => widget.validate())).fields.number.error, 'number_empty', 'nor does it hold back a question');
  await page.evaluate(() => widget.setLang('pl'));
  release();
  await form.waitFor(() => document.documentElement.lang !== 'en');
  assert.equal(await lang(), 'pl', 'the last one counts');
  assert.equal(plain(await form.button.text()), 'Zapłać 10,00');

  const second = world.front.hold(/\/texts$/);
  await page.evaluate(() => {
    widget.setLang('uk');
    widget.setLang('pl');
  });
  second.release();
  await world.settled();
  assert.equal(await lang(), 'pl', 'nobody wants the other one any more');
});

/** The words of the form. */
const said = (form) =>
  form.evaluate(() => {
    const text = (id) => document.getElementById(id)?.textContent;
    const { lang, dir } = document.documentElement;
    return {
      lang,
      dir,
      title: document.title,
      labels: ['number', 'expiry', 'code', 'networks'].map((id) => text(id + '-label')),
      test: text('test'),
      placeholder: document.getElementById('expiry')?.getAttribute('placeholder'),
    };
  });

const expected = (lang, texts) => ({
  lang,
  dir: texts.dir,
  title: texts.title,
  labels: [texts.cardNumber, texts.expiryDate, texts.cvv, texts.networks],
  test: texts.testMode,
  placeholder: `${texts.mm}/${texts.yy}`,
});

/** What the person has done. */
const kept = async (form) => [
  await form.number.value(),
  await form.expiry.value(),
  await form.code.value(),
  await form.number.selection(),
];

/** An amount as this engine writes it: they differ in the sign of the currency. */
const money = async (page, lang, amount) => {
  const format = ([lang, amount]) => new Intl.NumberFormat(lang, { style: 'currency', currency: 'UAH' }).format(amount);
  return plain(await page.evaluate(format, [lang, amount]));
};

/** With plain spaces: engines differ in which ones they put into amounts. */
const plain = (text) => text.replace(/\s/g, ' ');
