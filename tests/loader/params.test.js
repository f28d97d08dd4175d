/** design/widget.md §1.4 and §1.5: parameters are checked first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frames, heard, openWorld } from './world.js';

const world = openWorld();

/** [what is wrong, parameters (as a page's code), id, what the message must say] */
const wrong = [
  ['no parameters', 'undefined', 'parameter_missing', /"key" must be .* undefined/],
  ['null', 'null', 'parameter_missing', /"key"/],
  ['a text instead of parameters', '"wk_test"', 'parameter_missing', /"key"/],
  ['no key', 'params({ key: undefined })', 'parameter_missing', /"key" must be the widget key, a string, but is undefined/],
  ['an empty key', 'params({ key: "" })', 'parameter_missing', /"key".* a string of 0 characters/],
  ['a number for a key', 'params({ key: 4242424242424242 })', 'parameter_invalid', /"key".* a value of type number/],
  ['no mode', 'params({ mode: undefined })', 'parameter_missing', /"mode" must be "inline"/],
  ['another mode', 'params({ mode: "popup" })', 'parameter_invalid', /"mode" must be "inline", but is "popup"/],
  ['a card number for a mode', 'params({ mode: "4242 4242 4242 4242" })', 'parameter_invalid', /a string of 19 characters/],
  ['no selector', 'params({ selector: undefined })', 'parameter_missing', /"selector"/],
  ['a selector that is no element', 'params({ selector: {} })', 'parameter_invalid', /"selector".* a value of type object/],
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
  ['lang', '"de"', /"lang" must be one of uk, en, pl, but is "de"/, ['lang', 'en']],
  ['lang', '"UK"', /"lang"/, ['lang', 'en']],
  ['type', '"pan"', /"type" must be one of full_card, pan_only, but is "pan"/, ['type', 'full_card']],
  ['style', '"neon"', /"style" must be one of plain, evo, but is "neon"/, ['style', 'plain']],
  ['template', '7', /"template" must be one of stacked, line, but is a value of type number/, ['template', 'stacked']],
  ['amount', 'NaN', /"amount" must be a number, at least 0, but is a value of type number/, ['amount', undefined]],
  ['amount', '-1', /"amount"/, ['amount', undefined]],
  ['amount', 'Infinity', /"amount"/, ['amount', undefined]],
  ['amount', '"a lot"', /"amount"/, ['amount', undefined]],
  ['amount', '{}', /"amount"/, ['amount', undefined]],
  ['currency', '"hryvnia"', /"currency" must be three capital letters/, ['currency', undefined]],
  ['customer_id', '42', /"customer_id" must be a string/, ['customer_id', undefined]],
  ['customer_ip', 'null', null, ['customer_ip', undefined]],
  ['customer_email', '[]', /"customer_email"/, ['customer_email', undefined]],
  ['onError', '"handle"', /"onError" must be a function/, []],
  ['lang', '"pl"', null, ['lang', 'pl']],
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
    if (member && member !== 'type') assert.equal(asked[member], expected, what);
    if (member === 'type') assert.equal(new URL(frame.url()).searchParams.get('type'), expected, what);
  }
});

for (const [lang, expected] of [['uk', 'uk'], ['pl-PL', 'pl'], ['de', 'en'], [undefined, 'en']]) {
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
        pl: { cardNumber: 'nie ten', unbekannt: 'x' },
        de: { cardNumber: 'Nummer' },
      },
    });
  });
  await heard(page, 'widget-init-ready');
  const [frame] = frames(page);
  assert.deepEqual(await frame.evaluate(() => told.messages[0].locale), {
    cardNumber: '№', expiryDate: 'Дата', cvv: 'К', submit: 'Далі', yy: 'РР', mm: 'ММ', 'hints.cvvHint': 'підказка',
    'errors.cardNumber': 'e1', 'errors.expiryDate': 'e2', 'errors.cvv': 'e3',
  });
  assert.deepEqual(page.console.map((line) => /"locale\.[^"]+"/.exec(line)?.[0]), ['"locale.uk.errors.zip"', '"locale.uk.colour"', '"locale.uk.mM"', '"locale.uk.CVV"', '"locale.de"']);

  await page.evaluate(() => { start({ locale: { en: { 'errors.cardNumber': 'dotted', 'hints.cvvHint': 'hint' } } }); });
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
    const mine = params({ customer_id: 'before' });
    const widget = CardWidget.init(mine);
    Object.assign(mine, { key: 'wk_other', customer_id: 'after', onToken: null, selector: 'nowhere' });
    widget.open();
  });
  await heard(page, 'widget-init-ready');
  const [frame] = frames(page);
  assert.equal(new URL(frame.url()).searchParams.get('key'), 'wk_test');
  assert.equal(await frame.evaluate(() => told.messages[0].customer_id), 'before');
});
