/** The languages of `www/texts`, and that a file is all that another one needs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frames, heard, loaderScript, openWorld, readTexts } from './world.js';

const world = openWorld();
const languages = readTexts();

/** Every text with its path; a counted one with each of its forms. */
const flat = (texts, path = '') =>
  Object.entries(texts).flatMap(([name, text]) => (typeof text === 'string' ? [[path + name, text]] : flat(text, `${path}${name}.`)));

for (const [tag, texts] of Object.entries(languages)) {
  test(`${tag}: plural forms are those that whole numbers have in the language`, () => {
    const rules = new Intl.PluralRules(tag);
    const categories = new Set(Array.from({ length: 1001 }, (_, count) => rules.select(count)));
    const counted = [texts.codes.too_many_requests, texts.errors.code_incomplete];
    for (const forms of counted) assert.deepEqual(Object.keys(forms).sort(), [...categories].sort());
  });

  test(`${tag}: the tag is spelled as BCP 47 spells it, and the direction is that of its script`, () => {
    assert.equal(Intl.getCanonicalLocales(tag)[0], tag);
    const locale = new Intl.Locale(tag);
    assert.equal(texts.dir, (locale.getTextInfo?.() ?? locale.textInfo).direction);
    assert.deepEqual(Intl.PluralRules.supportedLocalesOf(tag), [tag]);
  });

  test(`${tag}: texts are short, plain and calm`, () => {
    for (const [path, text] of flat(texts)) {
      assert.equal(text, text.trim(), path);
      assert.ok(text.length <= 90, `${path} has ${text.length} characters`);
      assert.doesNotMatch(text, /[!<>&"]|\.$|\.\.\.|\s{2}/, path);
      const places = text.match(/\{[^}]*\}?/g) ?? [];
      const wanted = path.endsWith('Amount') ? ['{amount}'] : /code_incomplete|too_many/.test(path) ? ['{n}'] : [];
      assert.deepEqual(places, wanted, path);
    }
  });
}

test('in Ukrainian and Polish the forms are right for real counts', () => {
  const said = (lang, text, count) => text[new Intl.PluralRules(lang).select(count)].replace('{n}', count);
  for (const [lang, count, end] of [
    ['uk', 1, 'через 1 хвилину'], ['uk', 2, 'через 2 хвилини'], ['uk', 5, 'через 5 хвилин'], ['uk', 11, 'через 11 хвилин'],
    ['uk', 21, 'через 21 хвилину'], ['uk', 24, 'через 24 хвилини'], ['uk', 60, 'через 60 хвилин'],
    ['pl', 1, 'za 1 minutę'], ['pl', 2, 'za 2 minuty'], ['pl', 5, 'za 5 minut'], ['pl', 12, 'za 12 minut'],
    ['pl', 21, 'za 21 minut'], ['pl', 22, 'za 22 minuty'], ['en', 1, 'in 1 minute'], ['en', 21, 'in 21 minutes'],
  ]) {
    const text = said(lang, languages[lang].codes.too_many_requests, count);
    assert.ok(text.endsWith(end), text);
  }
  for (const [lang, count, text] of [
    ['uk', 3, 'Код має 3 цифри'], ['uk', 4, 'Код має 4 цифри'],
    ['pl', 3, 'Kod ma 3 cyfry'], ['en', 4, 'The code has 4 digits'],
  ]) assert.equal(said(lang, languages[lang].errors.code_incomplete, count), text);
});

test('a further language is known to the loader by its file alone', async () => {
  const page = await world.visit({ body: '<div id="card"></div>', lang: 'ar-EG' });
  const script = loaderScript('1.2.3', { ar: { title: 'بيانات البطاقة', titleReceive: 'بطاقة الاستلام' } });
  world.script = script;
  try {
    await page.addScriptTag({ url: `${world.service.origin}/widget/v1/card-widget.js` });
  } finally {
    world.script = loaderScript();
  }
  await page.evaluate(() => { window.widget = start({ locale: { ar: { submit: 'ادفع' } } }); });
  await heard(page, 'widget-init-ready');
  assert.equal(new URL(frames(page)[0].url()).searchParams.get('lang'), 'ar');
  assert.equal(await page.evaluate(() => document.querySelector('iframe').title), 'بيانات البطاقة');
  assert.deepEqual(await frames(page)[0].evaluate(() => told.messages[0].locale), { submit: 'ادفع' });
  assert.deepEqual(page.console, []);
  await page.evaluate(() => widget.setLang('xx'));
  assert.match(page.console[0], /"lang" must be one of .*\bar\b.*, but is "xx"/);
});
