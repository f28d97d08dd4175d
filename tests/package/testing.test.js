/** `card-widget/testing` in jsdom: what the fake promises, alone and under the package's other entries. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, mock, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CASES, lines } from '../stories/fake/cases.mjs';
import { installPackage } from './pack.js';
import { openPage } from './page.js';

let shop;
let testing;
let fake;
const load = (name) => import(pathToFileURL(join(shop.installed, name)).href);
before(async () => {
  shop = installPackage();
  for (const name of ['react', 'react-dom', 'scheduler']) symlinkSync(fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url)), join(shop.project, 'node_modules', name));
  openPage('<div id="card"></div><div id="app"></div>');
  testing = await load('testing.js');
});
beforeEach(() => {
  document.body.innerHTML = '<div id="card"></div><div id="app"></div>';
  for (const name of ['warn', 'error']) mock.method(console, name, () => {});
  fake = testing.fakeCardWidget();
});
afterEach(() => {
  fake.restore();
  mock.restoreAll();
});
after(() => shop?.remove());

/** A widget whose events are kept. */
function start(params) {
  const said = [];
  const handlers = Object.fromEntries(['Ready', 'Token', 'Error', 'Change', 'Close', 'Expire'].map((name) => ['on' + name, (value) => said.push([name.toLowerCase(), value])]));
  const widget = fake.CardWidget.init({ key: 'wk_test', mode: 'inline', selector: 'card', lang: 'en', ...handlers, ...params });
  widget.open();
  return { said, widget, of: (event) => said.filter(([name]) => name === event).map(([, value]) => value) };
}

const card = (number) => ({ number, expiry: testing.expiry(), code: '123' });

test('each number does what its name says', async () => {
  for (const [name, number] of Object.entries(testing.cards)) {
    const slow = ['slow', 'timeout'].includes(name);
    const { widget, of } = start();
    const form = await fake.form();
    await form.fill(card(number));
    assert.equal(of('change').at(-1).complete, true, name);
    if (slow) mock.timers.enable({ apis: ['setTimeout'] });
    const done = form.submit();
    if (slow) {
      for (let turn = 0; turn < 5; turn += 1) await null;
      mock.timers.tick(name === 'slow' ? 3000 : 13_500);
    }
    await done;
    mock.timers.reset();
    const code = { timeout: 'timeout', offline: 'offline', keyExpired: 'ticket_expired', limitReached: 'too_many_requests', refused: 'wrong_card_number' }[name];
    assert.deepEqual(of('error').map(({ code, stage }) => [code, stage]), code ? [[code, 'submit']] : [], name);
    assert.equal(of('token').length, code ? 0 : 1, name);
    if (!code) {
      const [{ token, expires_at, card_mask }] = of('token');
      assert.match(token, new RegExp(`^fake_${name}_\\d+$`));
      assert.ok(Math.abs(Date.parse(`${expires_at}Z`) - Date.now() - 3_600_000) < 60_000);
      assert.equal(card_mask.slice(-4), number.slice(-4));
    }
    widget.destroy();
  }
});

test('who can act, and whether it helps to try again, are those of the table of codes', async () => {
  const table = new Map(JSON.parse(readFileSync(new URL('../vectors/codes.json', import.meta.url), 'utf8')).map((row) => [row.code, row]));
  const seen = new Set();
  const check = ({ code, actor, retryable }) => {
    assert.deepEqual([actor, retryable], [table.get(code).actor, table.get(code).retryable], code);
    seen.add(code);
  };
  for (const name of ['offline', 'keyExpired', 'limitReached', 'refused']) {
    const { of, widget } = start();
    const form = await fake.form();
    await form.fill(card(testing.cards[name]));
    await form.submit();
    of('error').forEach(check);
    widget.destroy();
  }
  for (const code of ['widget_key_unknown', 'origin_not_allowed', 'offline', 'service_unreachable', 'service_unavailable']) {
    fake.restore();
    fake = testing.fakeCardWidget({ start: code });
    const { of, widget } = start();
    await assert.rejects(widget.ready, { name: 'CardWidgetError', code, stage: 'load' });
    of('error').forEach(check);
    widget.destroy();
  }
  assert.equal(seen.size, 8);
});

test("the payments' numbers are those of the sandbox's page", () => {
  const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
  const rows = { success: 'no | success', successWithProof: 'yes | success', declined: 'no | `transaction_rejected`', declinedWithProof: 'yes | `transaction_rejected`', insufficientFunds: 'no | `insufficient_funds`' };
  for (const [name, row] of Object.entries(rows)) assert.ok(page.includes(`| ${testing.cards[name]} | ${row} |`), name);
  for (const [name, number] of Object.entries(testing.cards)) if (!(name in rows)) assert.ok(!page.includes(number), name);
});

test('the form is the one that the shop asked for, changed where it changes', async () => {
  const { widget, of } = start({ amount: 12.5, currency: 'EUR', brands: ['mastercard'], style: 'evo', theme: { accent: '#0a5' }, customer_id: 'c-7' });
  const form = await fake.form(document.getElementById('card'));
  const { key, type, lang, amount, currency, brands, style, theme, customer_id } = form.params;
  assert.deepEqual([key, type, lang, amount, currency, brands, style, theme, customer_id], ['wk_test', 'full_card', 'en', 12.5, 'EUR', ['mastercard'], 'evo', { accent: '#0a5' }, 'c-7']);
  await form.type('number', testing.cards.success);
  assert.equal(of('change').at(-1).fields.number.error, 'number_brand');
  widget.update({ brands: undefined, amount: 3 });
  await form.leave();
  assert.deepEqual([form.params.amount, form.params.brands, form.params.currency, form.params.style], [3, undefined, 'EUR', 'evo']);
  assert.equal(of('change').at(-1).fields.number.state, 'valid');
  assert.equal(form.host.id, 'card');
  widget.close();
  assert.deepEqual([form.isOpen, fake.forms.length], [false, 0]);
  await assert.rejects(form.type('number', '4'), /^Error: The form does not work/);
  widget.open();
  assert.notEqual(await fake.form(), form);
  start({ type: 'pan_only', selector: 'app' });
  const receiving = await fake.form(document.getElementById('app'));
  await assert.rejects(receiving.type('code', '123'), /^TypeError: type\("code"\): the form has number\.$/);
  await receiving.fill({ number: testing.cards.success });
  await receiving.submit();
  assert.equal(fake.forms.length, 2);
});

test('Escape reaches the page; the token\'s time ends by the clock of the test', async () => {
  const { of } = start();
  const form = await fake.form();
  const pressed = new Promise((resolve) => document.addEventListener('keydown', resolve, { once: true }));
  await form.pressEscape();
  assert.equal((await pressed).key, 'Escape');
  mock.timers.enable({ apis: ['setTimeout'] });
  await form.fill(card(testing.cards.success));
  await form.submit();
  mock.timers.tick(3_600_000);
  assert.deepEqual(of('expire').length, 1);
  mock.timers.reset();
});

test('under the package\'s entry, the custom element and React', async () => {
  const { loadCardWidget } = await load('index.js');
  const tokens = [];
  const CardWidget = await loadCardWidget('https://pay.example');
  CardWidget.init({ key: 'wk_test', mode: 'inline', selector: 'card', onToken: ({ card_mask }) => tokens.push(card_mask) }).open();

  const { createElement: h, act } = await import(pathToFileURL(join(shop.project, 'node_modules/react/index.js')).href);
  const { createRoot } = await import(pathToFileURL(join(shop.project, 'node_modules/react-dom/client.js')).href);
  const { CardForm } = await load('react.js');
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  const root = createRoot(document.getElementById('app'));
  await act(() => root.render(h(CardForm, { url: 'https://pay.example', widgetKey: 'wk_test', onToken: ({ card_mask }) => tokens.push(card_mask) })));

  const { defineCardWidget } = await load('element.js');
  defineCardWidget();
  document.body.insertAdjacentHTML('beforeend', '<card-widget id="own" url="https://pay.example" widget-key="wk_test"></card-widget>');
  document.addEventListener('card-token', ({ detail }) => tokens.push(detail.card_mask), { once: true });

  for (const id of ['card', 'app', 'own']) {
    await act(async () => {
      const form = await fake.form(document.getElementById(id));
      await form.fill(card(testing.cards.success));
      await form.submit();
    });
  }
  assert.equal(tokens.length, 3);
  assert.ok(tokens.every((mask) => mask === tokens[0] && mask.endsWith('1111')));
  await act(() => root.unmount());
  assert.equal(fake.forms.length, 2);
});

test('used in the wrong place or order: one sentence', async () => {
  assert.throws(() => testing.fakeCardWidget(), /^Error: fakeCardWidget\(\): a fake is in place already\. Call its restore\(\) first\.$/);
  start();
  await assert.rejects(fake.forms[0].submit(), /^Error: The form does not work/);
  const form = await fake.form();
  await assert.rejects(form.type('number', 4242), /text must be a string/);
  const none = fake.form(document.getElementById('app'));
  await assert.rejects(none, /^Error: form\(\): no form has come to work within a second; 1 are open\.$/);
  writeFileSync(join(shop.project, 'server.js'), `import { fakeCardWidget } from 'card-widget/testing'; try { fakeCardWidget(); } catch ({ message }) { console.log(message); }`);
  assert.equal(execFileSync(process.execPath, ['server.js'], { cwd: shop.project, encoding: 'utf8' }), 'fakeCardWidget(): there is no document here. Run the test in jsdom, in happy-dom or in a browser.\n');
});

test('what the page hears is what it hears of the real form', async () => {
  await import('../stories/fake/drive.js');
  for (const { name, steps } of CASES) {
    fake.restore();
    fake = testing.fakeCardWidget(name.includes('does not start') ? { start: 'widget_key_unknown' } : {});
    let number;
    for (const [index, { start, open, type, press, fault, call, hears }] of steps.entries()) {
      if (start) drive.start(fake.CardWidget, start);
      else said.length = 0;
      if (open) drive.widget.open();
      if (fault) number = testing.cards[fault];
      if (type) await (await fake.form()).fill({ ...type, ...(number && { number }) });
      if (press) await (await fake.form()).submit();
      if (call) drive.call(call[0], call.slice(1));
      // Nothing of it takes a timer.
      await new Promise((resolve) => { setTimeout(resolve, 5); });
      assert.deepEqual(lines(said), hears, `${name}, step ${index + 1}`);
    }
    drive.widget.destroy();
  }
});

test('restoring leaves the page as it was', async () => {
  start();
  await fake.form();
  fake.restore();
  assert.equal(document.querySelectorAll('iframe').length, 0);
  assert.equal(Object.hasOwn(document, 'createElement'), false);
  assert.deepEqual(['isSecureContext', 'reportError'].filter((name) => name in globalThis), []);
  const frame = document.createElement('iframe');
  frame.src = 'https://pay.example/widget/v1/frame?key=x';
  assert.equal(frame.getAttribute('src'), frame.src);
  fake = testing.fakeCardWidget();
  const other = document.createElement('iframe');
  other.src = 'https://other.example/';
  assert.equal(other.getAttribute('src'), 'https://other.example/', 'a frame of somebody else is left alone');
});
