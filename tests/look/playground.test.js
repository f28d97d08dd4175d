/** The playground, with the loader's stand-in frame: what a control sends, shows and writes. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import vm from 'node:vm';
import { frames, openWorld, settle } from '../loader/world.js';

const world = openWorld();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const KINDS = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css' };

for (const width of [320, 1280]) {
  for (const scheme of ['light', 'dark']) {
    test(`${width} px, ${scheme}: axe finds nothing, nothing sticks out, the content policy refuses nothing`, async () => {
      const page = await open('', { width, scheme });
      for (const summary of await page.$$('summary')) await summary.click();
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => axe.run(document, { iframes: false }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      assert.deepEqual([page.errors, page.console], [[], []]);
    });
  }
}

test('every control changes the form that is open', async () => {
  const page = await open();
  for (const [control, value, sent] of [
    ['[name=template][value=line]', true, { template: 'line' }],
    ['[name=style][value=evo]', true, { style: 'evo' }],
    ['[name=colorScheme][value=auto]', true, { scheme: 'auto' }],
    ['#lang', 'pl', { lang: 'pl' }],
    ['#amount', '12,5', { amount: 12.5 }],
    ['#currency', 'pln', { currency: 'PLN' }],
    ['[name=autoAdvance]', false, { auto_advance: false }],
    ['[name=brands][value=visa]', true, { brands: ['visa'] }],
    ['[name=brands][value=prostir]', true, { brands: ['visa', 'prostir'] }],
    ['#locale-submit', 'Kup', { locale: { submit: 'Kup' } }],
    ['#theme-accent', '#0a0', { theme: { accent: '#0a0' } }],
    ['#theme-radius', '4', { theme: { accent: '#0a0', radius: '4px' } }],
    ['#theme-weight', '700', { theme: { accent: '#0a0', radius: '4px', weight: '700' } }],
    ['#theme-font', 'Georgia', { theme: { accent: '#0a0', radius: '4px', weight: '700', font: 'Georgia' } }],
    ['#locale-submit', '', { locale: {} }],
    ['#amount', '', { amount: undefined }],
  ]) {
    await set(page, control, value);
    const last = await lastMessage(page);
    assert.equal(last.type, 'update', control);
    for (const [name, wanted] of Object.entries(sent)) assert.deepEqual(last[name], wanted, control);
  }
  assert.equal(frames(page).length, 1);
  assert.deepEqual([page.errors, page.console], [[], []]);
});

test('a picker writes one colour, and a second one for dark', async () => {
  const page = await open();
  await set(page, '[aria-label="text, light"]', '#112233');
  assert.equal(await page.inputValue('#theme-text'), '#112233');
  await set(page, '[aria-label="text, dark"]', '#ddeeff');
  assert.equal(await page.inputValue('#theme-text'), '#112233 #ddeeff');
  assert.deepEqual((await lastMessage(page)).theme, { text: '#112233 #ddeeff' });
  await page.click('#plain-theme');
  assert.equal(await page.inputValue('#theme-text'), '');
  assert.deepEqual((await lastMessage(page)).theme, {});
});

test('type and key open a new form', async () => {
  const page = await open();
  for (const [control, value, asked] of [['[name=type][value=pan_only]', true, ['pan_only', 'wk_sandbox']], ['#key', 'wk_other', ['pan_only', 'wk_other']]]) {
    await set(page, control, value);
    await page.waitForFunction(([, key]) => document.querySelector('iframe')?.src.includes(`key=${key}&`), asked);
    const [frame, ...more] = await page.$$eval('iframe', (all) => all.map(({ src }) => src));
    assert.deepEqual(more, []);
    const query = new URL(frame).searchParams;
    assert.deepEqual([query.get('type'), query.get('key')], asked);
  }
});

test('the address carries what was changed, and brings it back', async () => {
  const page = await open();
  await set(page, '[name=style][value=evo]', true);
  await set(page, '[name=autoAdvance]', false);
  await set(page, '#theme-accent', '#0a0 #5f5');
  await set(page, '#page', '#000000');
  const again = await open(new URL(page.url()).hash);
  assert.equal(await again.isChecked('[name=style][value=evo]'), true);
  assert.equal(await again.isChecked('[name=autoAdvance]'), false);
  assert.equal(await again.inputValue('#theme-accent'), '#0a0 #5f5');
  assert.equal(await again.inputValue('#page'), '#000000');
  assert.equal(await page.textContent('#snippet'), await again.textContent('#snippet'));
});

test('the code is what the page itself does, in both variants', async () => {
  const page = await open();
  const texts = { "#locale-submit": '"Buy" it\'s </script> \\ now', '#theme-font': '"Segoe UI", Roboto', '#theme-text': '#000 #fff' };
  for (const [control, value] of Object.entries(texts)) await set(page, control, value);
  await set(page, '[name=style][value=evo]', true);
  const wanted = {
    key: 'wk_sandbox', mode: 'inline', selector: 'card', lang: 'en', style: 'evo', amount: 349.5, currency: 'UAH',
    theme: { font: '"Segoe UI", Roboto', text: '#000 #fff' }, locale: { en: { submit: '"Buy" it\'s </script> \\ now' } },
  };
  const script = await page.textContent('#snippet');
  const inline = /<script>([^]*?)<\/script>/.exec(script)[1];
  assert.deepEqual(run(`${inline};__onWidgetReady()`), { ...wanted, opened: true });
  assert.match(script, RegExp(`<script async src="${world.service.origin}/widget/v1/card-widget.js"></script>$`));
  await set(page, '[name=variant][value=npm]', true);
  const npm = (await page.textContent('#snippet')).replace(/^import.*/, '').replace('await loadCardWidget', 'loadCardWidget');
  assert.deepEqual(run(npm), { ...wanted, opened: true });
});

test('events are shown as they come; a token is not shown whole', async () => {
  const page = await open();
  const token = 'ct_' + 'b'.repeat(125);
  const [frame] = frames(page);
  for (const message of [
    { type: 'token', token, expires_at: '2026-01-31T23:59:59', card_mask: '42424242****4242' },
    { type: 'error', code: 'timeout', message: 'Slow.', retryable: true, actor: 'service', stage: 'submit', correlation_id: '' },
    { type: 'change', fields: { number: { state: 'valid', error: null, focused: true } }, brands: ['visa'], choices: [], brand: 'visa', complete: false },
    { type: 'warning', message: '"theme.x" is ignored' },
  ]) await frame.evaluate((message) => port.postMessage(message), message);
  await page.waitForFunction(() => document.querySelectorAll('#events li').length >= 5);
  const said = await page.$$eval('#events b', (all) => all.map(({ textContent }) => textContent));
  assert.deepEqual(said, ['console.warn', 'onChange', 'onError', 'onToken', 'widget-init-ready']);
  const all = await page.textContent('#events');
  assert.ok(!all.includes(token) && all.includes('ct_bbb… (128 characters)'));
  await page.click('#clear');
  assert.equal(await page.textContent('#events'), '');
});

test('too little contrast is named, with its figure', async () => {
  const page = await open();
  assert.match(await page.textContent('#verdict'), /^✓/);
  await set(page, '#theme-text', '#999');
  assert.match(await page.textContent('#verdict'), /^⚠ .*labels, messages 2\.84:1, not 4\.5:1/);
  await set(page, '#theme-text', '');
  await set(page, '#page', '#000000');
  assert.match(await page.textContent('#verdict'), /^⚠ .*hints/);
  await set(page, '[name=colorScheme][value=dark]', true);
  assert.match(await page.textContent('#verdict'), /^✓/);
});

test('a service that does not answer is said', async () => {
  world.stopped = true;
  const page = await visit('');
  await page.waitForSelector('#problem:not([hidden])');
  world.stopped = false;
  assert.match(await page.textContent('#problem'), /did not answer/);
});

/** The playground with a form that works. */
async function open(hash = '', { width = 1280, scheme = 'light' } = {}) {
  const page = await visit(hash);
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height: 900 });
  await page.waitForSelector('#events li');
  return page;
}

function visit(hash) {
  const folder = new URL('../../www/playground/', import.meta.url);
  for (const name of readdirSync(folder)) {
    const body = readFileSync(new URL(name, folder), 'utf8').replaceAll('%SERVICE%', world.service.origin);
    world.pages.set(`/playground/${name.replace('index.html', '')}`, { headers: { 'content-type': KINDS[name.split('.').at(-1)] }, body });
  }
  return world.visit({ path: `/playground/${hash}` });
}

/** Sets a control as a person does, also where it is folded away. */
async function set(page, control, value) {
  await page.$eval(control, (element, value) => {
    if (typeof value === 'boolean') element.checked = value;
    else element.value = value;
    element.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);
  await settle(page);
}

async function lastMessage(page) {
  return frames(page)[0].evaluate(() => told.messages.at(-1));
}

/** Runs a snippet with a library that only notes what it was asked for. */
function run(code) {
  const asked = {};
  const init = ({ onToken, onError, ...params }) => Object.assign(asked, params, { open: undefined }) && { open: () => (asked.opened = true) };
  vm.runInNewContext(code, { CardWidget: undefined, loadCardWidget: () => ({ init }), ...(code.includes('__onWidgetReady') && { CardWidget: { init } }) });
  const { open, ...rest } = asked;
  return JSON.parse(JSON.stringify(rest));
}
