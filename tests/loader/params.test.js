/** Parameters are checked first. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { frames, heard, openWorld, readTexts } from './world.js';

const world = openWorld();
const LANGS = Object.keys(readTexts()).join(', ');

/** [what is wrong, parameters (as a page's code), id, what the message must say] */
const wrong = [
  ['no parameters', 'undefined', 'parameter_missing', /"key" must be .* undefined/],
  ['null', 'null', 'parameter_missing', /"key"/],
  ['a text instead of parameters', '"wk_test"', 'parameter_missing', /"key"/],
  ['no key', 'params({ key: undefined })', 'parameter_missing', /"key" must be a string, but is undefined/],
  ['an empty key', 'params({ key: "" })', 'parameter_missing', /"key".* 0 characters/],
  ['a number for a key', 'params({ key: 4242424242424242 })', 'parameter_invalid', /"key".* of type number/],
  ['no mode', 'params({ mode: undefined })', 'parameter_missing', /"mode" must be "inline"/],
  ['another mode', 'params({ mode: "popup" })', 'parameter_invalid', /"mode" must be "inline", but is "popup"/],
  ['a card number for a mode', 'params({ mode: "4242 4242 4242 4242" })', 'parameter_invalid', /19 characters/],
  ['no selector', 'params({ selector: undefined })', 'parameter_missing', /"selector"/],
  ['a selector that is no element', 'params({ selector: {} })', 'parameter_invalid', /"selector".* of type object/],
  ['a missing element', 'params({ selector: "#nowhere" })', 'host_not_found', /"selector".*#nowhere/],
  ['a class for a selector', 'params({ selector: ".card" })', 'host_not_found', /"selector".*\.card/],
  ['no onToken', 'params({ onToken: undefined })', 'parameter_missing', /"onToken" must be a function/],
  ['a text for onToken', 'params({ onToken: "handle" })', 'parameter_invalid', /"onToken".*"handle"/],
];

test('a wrong required parameter is told after the current task, and open and close do nothing', async () => {
  const page = await world.visit();
  for (const [what, code, id, message] of wrong) {
    const [sync, handle] = await page.evaluate((code) => {
      events.length = 0;
      const widget = CardWidget.init(eval(code));
      widget.open();
      widget.open();
      widget.close();
      return [events.length, widget.id];
    }, code);
    assert.equal(sync, 0, `${what}: nothing is told within init`);
    const event = await heard(page, 'widget-init-error');
    assert.equal(event.id, id, what);
    assert.match(event.message, message, what);
    assert.equal(event.instance, handle, what);
    assert.doesNotMatch(event.message, /\d{3}/, `${what}: no digits of what was received`);
    assert.equal((await page.evaluate(() => events)).length, 1, what);
    assert.ok(page.console.at(-1).includes(event.message), `${what}: also on the console`);
  }
  assert.equal(frames(page).length, 0);
  assert.deepEqual(page.errors, []);
});

test('an element that was not in the page at open is an error, and a later open finds it', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    window.host = document.createElement('div');
    window.widget = CardWidget.init(params({ selector: host }));
    widget.open();
  });
  assert.equal((await heard(page, 'widget-init-error')).id, 'host_not_found');
  await page.evaluate(() => { document.body.append(host); widget.open(); });
  await heard(page, 'widget-init-ready');
});

for (const selector of ['card', '#card', 'element']) {
  test(`selector takes ${selector}`, async () => {
    const page = await world.visit();
    await page.evaluate((selector) => { start({ selector: selector === 'element' ? document.getElementById('card') : selector }); }, selector);
    await heard(page, 'widget-init-ready');
    assert.equal(await page.evaluate(() => document.getElementById('card').children.length), 1);
  });
}

/** [parameter, received (as code), what must be in the warning, member of the address or of `init` and its fallback] */
const unknown = [
  ['lang', '"xx"', new RegExp(`"lang" must be one of ${LANGS}, but is "xx"\\.`), ['lang', 'en']],
  ['lang', '"ukr"', /"lang"/, ['lang', 'en']],
  ['lang', '""', /"lang".* 0 characters/, ['lang', 'en']],
  ['lang', '["uk"]', /"lang".* of type object/, ['lang', 'en']],
  ['type', '"pan"', /"type" must be one of full_card, pan_only, but is "pan"/, ['type', 'full_card']],
  ['style', '"neon"', /"style" must be one of plain, evo, but is "neon"/, ['style', 'plain']],
  ['template', '7', /"template" must be one of stacked, line, but is 7\./, ['template', 'stacked']],
  ['amount', 'NaN', /"amount" must be at least 0, but is NaN\./, ['amount', undefined]],
  ['amount', '-1', /"amount" must be at least 0, but is -1\./, ['amount', undefined]],
  ['amount', '-1234.56', /but is -1234\.56\./, ['amount', undefined]],
  ['amount', '-1234567', /but is of type number\./, ['amount', undefined]],
  ['amount', '-4242424242424242', /but is of type number\./, ['amount', undefined]],
  ['amount', 'Infinity', /but is Infinity\./, ['amount', undefined]],
  ['amount', '"100"', /but is 3 characters\./, ['amount', undefined]],
  ['amount', '"a lot"', /"amount"/, ['amount', undefined]],
  ['amount', '{}', /but is of type object\./, ['amount', undefined]],
  ['amount', '100n', /but is of type bigint\./, ['amount', undefined]],
  ['amount', 'Symbol()', /but is of type symbol\./, ['amount', undefined]],
  ['currency', '"hryvnia"', /"currency" must be like UAH, but is "hryvnia"/, ['currency', undefined]],
  ['currency', '["UAH"]', /"currency"/, ['currency', undefined]],
  ['customer_id', '42', /"customer_id" must be a string/, ['customer_id', undefined]],
  ['customer_ip', 'null', null, ['customer_ip', undefined]],
  ['customer_email', '[]', /"customer_email"/, ['customer_email', undefined]],
  ['onError', '"handle"', /"onError" must be a function/, []],
  ['onChange', '[]', /"onChange" must be a function/, []],
  ['colorScheme', '"Dark"', /"colorScheme" must be one of light, dark, auto, but is "Dark"/, ['scheme', 'light']],
  ['autoAdvance', '"no"', /"autoAdvance" must be a boolean, but is "no"/, ['auto_advance', undefined]],
  ['autoAdvance', '0', /"autoAdvance" must be a boolean, but is 0/, ['auto_advance', undefined]],
  ['brands', '"visa"', /"brands" must be a list of one of visa, .*, prostir, but is "visa"/, ['brands', undefined]],
  ['brands', '["visa", "visaa"]', /"brands" must be one of visa, .*, prostir, but is "visaa"\./, ['brands', ['visa']]],
  ['brands', '["mir", "4242424242424242"]', /"brands" must be one of .*, but is 16 characters\./, ['brands', ['mir']]],
  ['brands', '[]', /"brands" must be a list/, ['brands', undefined]],
  ['theme', '"dark"', /"theme" must be an object, but is "dark"/, ['theme', undefined]],
  ['theme', '{ accent: "#0a5", radius: 4 }', null, ['theme', '{"accent":"#0a5","radius":"4"}']], // what it may hold is for the frame to say
  ['theme', '{ font: "x".repeat(70000) }', null, ['theme', `{"font":"${'x'.repeat(200)}"}`]],
  ['locale', '7', /"locale" must be an object, but is 7/, ['locale', {}]],
  ['lang', '"pl"', null, ['lang', 'pl']],
  ['lang', '"uk-UA"', null, ['lang', 'uk']],
  ['lang', '"UK"', null, ['lang', 'uk']],
  ['lang', '"pl-Latn-PL-x-shop"', null, ['lang', 'pl']],
  ['colorScheme', '"dark"', null, ['scheme', 'dark']],
  ['autoAdvance', 'false', null, ['auto_advance', false]],
  ['autoAdvance', 'true', null, ['auto_advance', true]],
  ['brands', '["prostir", "visa"]', null, ['brands', ['prostir', 'visa']]],
  ['brands', 'null', null, ['brands', undefined]],
  ['theme', '{ accent: "#0a5 #7fc", font: undefined }', null, ['theme', '{"accent":"#0a5 #7fc"}']],
  ['onChange', '() => {}', null, []],
  ['type', '"pan_only"', null, ['type', 'pan_only']],
  ['style', '"evo"', null, ['style', 'evo']],
  ['template', '"line"', null, ['template', 'line']],
  ['amount', '0', null, ['amount', 0]],
  ['currency', '"UAH"', null, ['currency', 'UAH']],
];

test('an unknown optional value warns and falls back; a known one does not warn', async () => {
  const page = await world.visit();
  for (const [name, code, warning, [member, expected]] of unknown) {
    page.console.length = 0;
    await page.evaluate(([name, code]) => { events.length = 0; window.widget?.close(); window.widget = start({ [name]: (0, eval)(`(${code})`) }); }, [name, code]);
    await heard(page, 'widget-init-ready');
    const what = `${name}: ${code}`;
    if (warning) assert.match(page.console.join('\n'), warning, what);
    assert.equal(page.console.length, warning ? 1 : 0, `${what}: ${page.console}`);
    const [frame] = frames(page);
    const asked = { ...Object.fromEntries(new URL(frame.url()).searchParams), ...(await frame.evaluate(() => told.messages[0])) };
    if (member && member !== 'type') assert.deepEqual(asked[member], expected, what);
    if (member === 'type') assert.equal(new URL(frame.url()).searchParams.get('type'), expected, what);
  }
});

test('the title says what the card is for', async () => {
  const page = await world.visit();
  for (const [type, title] of [['full_card', 'Card details'], ['pan_only', 'Card to receive money']]) {
    await page.evaluate((type) => { start({ type, key: 'wk_silent' }); }, type);
    assert.equal(await page.evaluate(() => document.querySelector('iframe').title), title);
  }
});

test('the ground of the frame stays clear: it has the scheme of its document', async () => {
  const page = await world.visit();
  for (const [colorScheme, style] of [[undefined, 'light'], ['light', 'light'], ['dark', 'dark'], ['auto', 'light dark']]) {
    await page.evaluate((colorScheme) => { start({ colorScheme, key: 'wk_silent' }); }, colorScheme);
    assert.equal(await page.evaluate(() => document.querySelector('iframe').style.colorScheme), style);
  }
});

test('the brands are those of the card rules', async () => {
  const source = readFileSync(new URL('../../crates/card/src/brand.rs', import.meta.url), 'utf8');
  const ids = source.match(/fn id\(self\)[^}]+/)[0].match(/(?<==> ")\w+/g);
  const page = await world.visit();
  await page.evaluate(() => { start({ key: 'wk_silent', brands: ['no-such-brand'] }); });
  const told = /one of ([\w, ]+), but/.exec(page.console[0])[1].split(', ');
  assert.ok(ids.length >= 16);
  assert.deepEqual(told.sort(), ids.sort());
  const types = readFileSync(new URL('../../pkg-template/index.d.ts', import.meta.url), 'utf8');
  const typed = types.match(/type CardBrand =[^;]+/)[0].match(/(?<=')\w+/g);
  assert.deepEqual(typed.sort(), ids, 'and those of the types');
});

for (const [lang, expected] of [['uk', 'uk'], ['pl-PL', 'pl'], ['UK-ua', 'uk'], ['xx', 'en'], ['', 'en'], [undefined, 'en']]) {
  test(`without lang on a page in ${lang}: ${expected}, with the frame's title in it`, async () => {
    const page = await world.visit({ lang });
    await page.evaluate(() => { start(); });
    await heard(page, 'widget-init-ready');
    assert.equal(new URL(frames(page)[0].url()).searchParams.get('lang'), expected);
    const title = { uk: 'Дані картки', en: 'Card details', pl: 'Dane karty' }[expected];
    assert.equal(await page.evaluate(() => document.querySelector('iframe').title), title);
    assert.deepEqual(page.console, []);
  });
}

test('locale travels flat, in the language in use, and names that nobody knows are warned about', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    start({
      lang: 'uk',
      locale: {
        uk: { cardNumber: '№', expiryDate: 'Дата', cvv: 'К', submit: 'Далі', yy: 'РР', mm: 'ММ', hints: { cvvHint: 'підказка' },
          errors: { cardnumber: 'e1', expiryDate: 'e2', cvv: 'e3', zip: 'x' }, colour: 'red', mM: 7, CVV: '' },
        pl: { cardNumber: 'nie ten', nieznany: 'x', yy: undefined },
        xx: { cardNumber: 'Nummer' },
      },
    });
  });
  await heard(page, 'widget-init-ready');
  const [frame] = frames(page);
  assert.deepEqual(await frame.evaluate(() => told.messages[0].locale), {
    cardNumber: '№', expiryDate: 'Дата', cvv: 'К', submit: 'Далі', yy: 'РР', mm: 'ММ', 'hints.cvvHint': 'підказка',
    'errors.cardNumber': 'e1', 'errors.expiryDate': 'e2', 'errors.cvv': 'e3',
  });
  assert.deepEqual(page.console.map((line) => /"locale\.[^"]+"/.exec(line)?.[0]), ['"locale.uk.errors.zip"', '"locale.uk.colour"', '"locale.uk.mM"', '"locale.uk.CVV"', '"locale.pl.nieznany"', '"locale.xx"']);

  await page.evaluate(() => { start({ locale: { 'en-GB': { 'errors.cardNumber': 'dotted', 'hints.cvvHint': 'hint' } } }); });
  await heard(page, 'widget-init-ready', 2);
  assert.deepEqual(await frames(page)[0].evaluate(() => told.messages[0].locale), { 'errors.cardNumber': 'dotted', 'hints.cvvHint': 'hint' });

  page.console.length = 0;
  await page.evaluate(() => { for (const locale of [null, 7, 'en', [], { en: null }]) start({ locale }); });
  await heard(page, 'widget-init-ready', 3);
  assert.deepEqual(page.errors, []);
});

test('a change to the parameters after init changes nothing', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    const mine = params({ customer_id: 'before', brands: ['visa'], theme: { accent: '#000' }, locale: { en: { submit: 'Go' } } });
    const widget = CardWidget.init(mine);
    mine.brands.push('mir');
    mine.theme.accent = '#fff';
    mine.locale.en.submit = 'Stop';
    Object.assign(mine, { key: 'wk_other', customer_id: 'after', onToken: null, selector: 'nowhere' });
    widget.open();
  });
  await heard(page, 'widget-init-ready');
  const [frame] = frames(page);
  assert.equal(new URL(frame.url()).searchParams.get('key'), 'wk_test');
  assert.equal(new URL(frame.url()).searchParams.get('theme'), '{"accent":"#000"}');
  const { customer_id, brands, locale } = await frame.evaluate(() => told.messages[0]);
  assert.deepEqual({ customer_id, brands, locale }, { customer_id: 'before', brands: ['visa'], locale: { submit: 'Go' } });
});
