/** What changes while a form is open, and what it tells. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frames, heard, openWorld, post, settle } from './world.js';

const world = openWorld();

/** What the stand-in frame was told after `init`, and how `init` was. */
const messages = (page) => frames(page)[0].evaluate(() => told.messages);
const asked = (page) => Object.fromEntries(new URL(frames(page)[0].url()).searchParams);

test('update carries the whole set, keeps the frame, and changes nothing else', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    window.widget = start({ amount: 5, customer_id: 'c-1', brands: ['visa'], theme: { accent: '#111', radius: '4px' } });
  });
  await heard(page, 'widget-init-ready');
  await page.evaluate(() => {
    window.frame = document.querySelector('iframe');
    widget.update({ amount: 7.5, currency: 'UAH', template: 'line', style: 'evo', colorScheme: 'auto', theme: { accent: '#222' } });
    widget.update({ autoAdvance: false, brands: ['mir', 'visa'] });
    widget.update({ amount: undefined, brands: undefined, theme: undefined, style: null });
  });
  await settle(page);
  const look = { template: 'line', style: 'evo', scheme: 'auto', theme: { accent: '#222' } };
  const wishes = {
    deadline: 13_500, lang: 'en', amount: 7.5, currency: 'UAH', brands: ['visa'], auto_advance: undefined, locale: {},
    customer_id: 'c-1', customer_ip: undefined, customer_email: undefined,
  };
  const [init, ...updates] = await messages(page);
  assert.equal(init.type, 'init');
  assert.deepEqual(updates, [
    { type: 'update', ...wishes, ...look },
    { type: 'update', ...wishes, ...look, auto_advance: false, brands: ['mir', 'visa'] },
    { type: 'update', ...wishes, ...look, auto_advance: false, brands: undefined, amount: undefined, theme: {}, style: 'plain' },
  ]);
  assert.equal(await page.evaluate(() => frame === document.querySelector('iframe') && frame.style.colorScheme), 'light dark');
  assert.equal((await page.evaluate(() => events)).length, 1);
  assert.deepEqual(page.console, []);
});

test('setLang changes language, title and the shop’s texts', async () => {
  const page = await world.visit({ lang: 'pl' });
  await page.evaluate(() => { window.widget = start({ locale: { uk: { submit: 'Далі' }, pl: { submit: 'Dalej' } } }); });
  await heard(page, 'widget-init-ready');
  const seen = [];
  for (const lang of ['uk', 'en-GB', 'xx', undefined]) {
    await page.evaluate((lang) => widget.setLang(lang), lang);
    await settle(page);
    const { lang: told, locale } = (await messages(page)).at(-1);
    seen.push([told, locale.submit, await page.evaluate(() => document.querySelector('iframe').title)]);
  }
  assert.deepEqual(seen, [
    ['uk', 'Далі', 'Дані картки'],
    ['en', undefined, 'Card details'],
    ['en', undefined, 'Card details'],
    ['pl', 'Dalej', 'Dane karty'],
  ]);
  assert.equal(page.console.length, 1);
  assert.match(page.console[0], /"lang" must be one of .*\buk\b.*, but is "xx"\./);
});

test('locale merges per language and key, also later', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    window.widget = start({ locale: { en: { submit: 'Buy', cvv: 'CVC', errors: { cardnumber: 'one' } }, uk: { cvv: 'К' } } });
  });
  await heard(page, 'widget-init-ready');
  await page.evaluate(() => {
    widget.update({ locale: { EN: { submit: 'Order', 'errors.expiryDate': 'two' } } });
    widget.update({ locale: { en: { cvv: undefined, errors: { cardNumber: 'three' } }, uk: { submit: 'Далі' } } });
    widget.setLang('uk');
    widget.update({ locale: undefined });
  });
  await settle(page);
  assert.deepEqual((await messages(page)).map(({ locale }) => locale), [
    { submit: 'Buy', cvv: 'CVC', 'errors.cardNumber': 'one' },
    { submit: 'Order', cvv: 'CVC', 'errors.cardNumber': 'one', 'errors.expiryDate': 'two' },
    { submit: 'Order', 'errors.cardNumber': 'three', 'errors.expiryDate': 'two' },
    { cvv: 'К', submit: 'Далі' },
    {},
  ]);
  assert.deepEqual(page.console, []);
});

test('a wrong value is told and leaves what was there; fixed ones cannot change', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    window.widget = start({ amount: 5, lang: 'uk', brands: ['visa'], type: 'pan_only' });
  });
  await heard(page, 'widget-init-ready');
  await page.evaluate(() => {
    // Those that are as they were say nothing: whoever passes all parameters again may do so.
    widget.update({ ...params({ type: 'pan_only' }), amount: -1, brands: [], locale: 'uk', theme: 7, onToken: 'x' });
    widget.update({ key: 'wk_other', mode: 'popup', selector: 'nowhere', type: 'full_card' });
    for (const nothing of [undefined, null, 7, 'lang', [], () => {}]) widget.update(nothing);
  });
  await settle(page);
  assert.deepEqual(page.console.map((line) => line.replace('warning: CardWidget: ', '')), [
    '"onToken" must be a function, but is "x".',
    '"amount" must be at least 0, but is -1.',
    '"theme" must be an object, but is 7.',
    '"brands" must be a list of one of visa, mastercard, maestro, amex, diners, discover, jcb, unionpay, mir, elo, hipercard, rupay, troy, verve, uatp, prostir, but is of type object.',
    '"locale" must be an object, but is "uk".',
    '"key" cannot be changed.',
    '"mode" cannot be changed.',
    '"selector" cannot be changed.',
    '"type" cannot be changed.',
  ]);
  const last = (await messages(page)).at(-1);
  assert.deepEqual([last.amount, last.lang, last.brands], [5, 'uk', ['visa']]);
  assert.equal(await page.evaluate(() => document.querySelector('iframe').title), 'Картка для отримання коштів');
  assert.deepEqual(page.errors, []);
});

test('update before open counts for the opening, and after close for the next one', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    window.widget = CardWidget.init(params());
    widget.update({ lang: 'uk', amount: 1, template: 'line', theme: { accent: '#123' } });
    widget.open();
  });
  await heard(page, 'widget-init-ready');
  const { lang, template, theme } = asked(page);
  assert.deepEqual([lang, template, theme], ['uk', 'line', '{"accent":"#123"}']);
  assert.deepEqual((await messages(page)).map(({ type, amount }) => [type, amount]), [['init', 1]]);
  await page.evaluate(() => {
    widget.close();
    widget.update({ amount: 2 });
    widget.setLang('pl');
    if (document.querySelector('iframe')) throw new Error('update has opened the form');
    widget.open();
  });
  await heard(page, 'widget-init-ready', 2);
  assert.equal(asked(page).lang, 'pl');
  assert.deepEqual((await messages(page)).map(({ type, amount }) => [type, amount]), [['init', 2]]);
  assert.deepEqual(page.errors, []);
});

test('update while the frame loads follows init', async () => {
  const page = await world.visit();
  await page.evaluate(() => { window.widget = start({ amount: 1 }); widget.update({ amount: 2, style: 'evo' }); widget.setLang('uk'); });
  await heard(page, 'widget-init-ready');
  await settle(page);
  assert.deepEqual([asked(page).lang, asked(page).style], ['en', 'plain'], 'the frame was under way already');
  assert.deepEqual((await messages(page)).map(({ type, lang, amount, style }) => [type, lang, amount, style]), [
    ['init', 'uk', 2, undefined],
    ['update', 'uk', 2, 'evo'],
  ]);
});

test('a frame that the page moves hears of the changes again', async () => {
  const page = await world.visit();
  await page.evaluate(() => { window.widget = start(); });
  await heard(page, 'widget-init-ready');
  await page.evaluate(() => {
    widget.update({ colorScheme: 'dark' });
    document.body.append(document.body.appendChild(document.createElement('section')), document.getElementById('card'));
    document.querySelector('section').append(document.getElementById('card'));
  });
  const hasHeard = () => frames(page)[0]?.evaluate(() => told.messages.length === 2).catch(() => false);
  while (!(await hasHeard())) await page.waitForTimeout(10);
  assert.deepEqual((await messages(page)).map(({ type, scheme }) => [type, scheme]), [['init', undefined], ['update', 'dark']]);
});

test('a widget that never became one takes every call', async () => {
  const page = await world.visit();
  await page.evaluate(() => { const widget = start({ key: undefined }); widget.update({ amount: 1 }); widget.setLang('uk'); widget.close(); });
  await heard(page, 'widget-init-error');
  assert.deepEqual(page.errors, []);
});

test('onChange gets exactly what is promised', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    window.changes = [];
    window.widget = start({ onChange: (change) => changes.push(change) });
  });
  await heard(page, 'widget-init-ready');
  const [frame] = frames(page);
  const change = {
    fields: { number: { state: 'invalid', error: 'number_brand', focused: true }, code: { state: 'empty', error: null, focused: false } },
    brands: ['visa', 'elo'], choices: [], brand: null, complete: false,
  };
  await post(frame, { type: 'change', ...change, number: '4242424242424242' });
  assert.deepEqual(await page.evaluate(() => changes), [change]);
  // A handler given later is heard from then on; one that throws reaches the page and breaks nothing.
  await page.evaluate(() => widget.update({ onChange: () => { throw new Error('thrown by the shop'); } }));
  await post(frame, { type: 'change', ...change });
  await page.evaluate(() => widget.update({ onChange: undefined }));
  await post(frame, { type: 'change', ...change });
  await post(frame, { type: 'change' });
  await post(frame, { type: 'resize', height: 123 });
  assert.equal(await page.evaluate(() => changes.length), 1);
  assert.equal(await page.evaluate(() => document.querySelector('iframe').offsetHeight), 123);
  assert.deepEqual(page.errors, ['thrown by the shop']);
});

test('close inside onChange is fine, and no change comes after it', async () => {
  const page = await world.visit();
  await page.evaluate(() => { window.changes = 0; window.widget = start({ onChange: () => { changes += 1; widget.close(); } }); });
  await heard(page, 'widget-init-ready');
  await frames(page)[0].evaluate(() => { setTimeout(() => { for (let i = 0; i < 5; i += 1) port.postMessage({ type: 'change', fields: {} }); }); });
  await page.waitForFunction(() => changes > 0);
  await settle(page);
  assert.equal(await page.evaluate(() => changes), 1);
  assert.deepEqual(page.errors, []);
});

test('Escape in the form is an Escape on the frame, out of a shadow root too', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    window.keys = [];
    document.addEventListener('keydown', ({ key, code, target, bubbles, composed, cancelable, defaultPrevented }) =>
      keys.push([key, code, target.localName, bubbles, composed, cancelable, defaultPrevented]));
    const root = document.getElementById('card').attachShadow({ mode: 'closed' });
    root.append(document.createElement('div'));
    start({ selector: root.firstChild });
  });
  await heard(page, 'widget-init-ready');
  await post(frames(page)[0], { type: 'escape' });
  assert.deepEqual(await page.evaluate(() => keys), [['Escape', 'Escape', 'div', true, true, true, false]]);
  await page.evaluate(() => { document.addEventListener('keydown', () => { throw new Error('thrown by the shop'); }); });
  await post(frames(page)[0], { type: 'escape' });
  assert.deepEqual(page.errors, ['thrown by the shop']);
});

test('a warning of the frame stands on the console, under our name', async () => {
  const page = await world.visit();
  await page.evaluate(() => { start(); });
  await heard(page, 'widget-init-ready');
  await post(frames(page)[0], { type: 'warning', message: '"theme.acent" is ignored; there is none' });
  assert.deepEqual(page.console, ['warning: CardWidget: "theme.acent" is ignored; there is none']);
});
