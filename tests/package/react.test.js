/** `card-widget/react`: what the loader is told, whatever React does; on a server; and against the stand-in frame in a browser. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { frames, openWorld, post, settle } from '../loader/world.js';
import { bundle, installPackage } from './pack.js';

const world = openWorld();
let shop;
before(() => { shop = installPackage(); });
after(() => shop?.remove());

const TOKEN = { type: 'token', token: 'ct_one', expires_at: '2026-01-31T23:59:59', expires_in: 3_600_000, card_mask: '424242******4242' };
const CHANGE = { type: 'change', fields: { number: { state: 'incomplete', error: null, focused: true } }, brands: ['visa'], choices: [], brand: 'visa', complete: false };
const FAILURE = { type: 'error', code: 'too_many_requests', message: 'Later.', retryable: true, actor: 'network', stage: 'submit', correlation_id: 'c1' };

test('on a server there is an empty element, and nothing is loaded', () => {
  for (const name of ['react', 'react-dom']) symlinkSync(fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url)), join(shop.project, 'node_modules', name));
  writeFileSync(
    join(shop.project, 'server.js'),
    `import { createElement as h, StrictMode } from 'react';
     import { renderToString } from 'react-dom/server';
     const before = Object.getOwnPropertyNames(globalThis).length;
     const { CardForm, useCardForm } = await import('card-widget/react');
     const options = { url: 'https://pay.example', widgetKey: 'wk_test', theme: { accent: '#0a5' }, onToken() {} };
     function Own() { const { ref, status, change, error } = useCardForm(options); return h('p', { ref }, status, String(change), String(error)); }
     console.log(renderToString(h(StrictMode, null, h(CardForm, { ...options, className: 'card', id: 'pay' }), h(Own))), Object.getOwnPropertyNames(globalThis).length - before);`,
  );
  const said = execFileSync(process.execPath, ['server.js'], { cwd: shop.project, encoding: 'utf8' });
  assert.equal(said, '<div class="card" id="pay"></div><p>loading<!-- -->null<!-- -->null</p> 0\n');
});

test('mounted twice by strict mode: one form; the server\'s markup is taken over as it is', async () => {
  const page = await visit('<CardForm {...params} className="card" ref={(handle) => { window.handle = handle; }} />', { markup: '<div class="card"></div>' });
  await ready(page);
  assert.equal(frames(page).length, 1);
  assert.equal(await page.evaluate(() => document.querySelector('.card > iframe') !== null), true);
  assert.deepEqual(await troubles(page), []);
});

test('changes reach the form that is there; another key, address or type makes a fresh one; the same again says nothing', async () => {
  const page = await visit('<CardForm {...params} theme={{ accent: params.accent }} />');
  await ready(page);
  const [frame] = frames(page);
  const updates = () => frame.evaluate(() => told.messages.filter(({ type }) => type === 'update'));
  assert.deepEqual(await updates(), [], 'what it began with is not said twice');
  await set(page, {});
  assert.deepEqual(await updates(), [], 'a new object with the same in it');
  await set(page, { amount: 7, accent: '#0a5', brands: ['visa'] });
  await set(page, { amount: undefined });
  assert.deepEqual((await updates()).map(({ amount, theme, brands }) => [amount, theme.accent, brands]), [[7, '#0a5', ['visa']], [undefined, '#0a5', ['visa']]]);
  assert.equal(frames(page)[0], frame);
  let forms = await page.evaluate(() => said.filter(([name]) => name === 'onReady').length);
  for (const change of [{ widgetKey: 'wk_other' }, { type: 'pan_only' }, { url: `${world.service.origin}/` }]) {
    const [old] = frames(page);
    await set(page, change);
    await page.waitForFunction((count) => said.filter(([name]) => name === 'onReady').length > count, forms);
    forms += 1;
    assert.equal(frames(page).length, 1);
    assert.notEqual(frames(page)[0], old, Object.keys(change)[0]);
  }
  assert.deepEqual(await troubles(page), []);
});

test('handlers are those of the last rendering; nothing is told after unmounting', async () => {
  const page = await visit('<CardForm {...params} onToken={({ token }) => said.push([params.word, token])} />');
  await ready(page);
  await set(page, { word: 'second' });
  await post(frames(page)[0], TOKEN);
  assert.deepEqual(await page.evaluate(() => said.at(-1)), ['second', 'ct_one']);
  const count = await page.evaluate(() => said.length);
  await page.evaluate(() => window.unmount());
  await settle(page);
  assert.deepEqual(await page.evaluate(() => [said.length, document.querySelectorAll('iframe').length]), [count, 0]);
  assert.deepEqual(await troubles(page), []);
});

test('a button of the shop\'s own: submit, validate, focus and clear by the handle', async () => {
  const page = await visit('<CardForm {...params} ref={(handle) => { if (handle) window.handle = handle; }} />');
  await ready(page);
  const [frame] = frames(page);
  await page.evaluate(() => {
    handle.focus('code');
    handle.clear();
    window.checked = handle.validate();
    window.paid = handle.submit();
    return undefined;
  });
  await settle(page);
  assert.deepEqual(await frame.evaluate(() => told.messages.slice(1).map(({ type, field }) => [type, field])), [['focus', 'code'], ['clear', undefined], ['validate', undefined], ['submit', undefined]]);
  await post(frame, { ...CHANGE, type: 'validated' });
  await post(frame, TOKEN);
  assert.equal((await page.evaluate(() => window.checked)).brand, 'visa');
  assert.deepEqual(await page.evaluate(() => window.paid), { token: 'ct_one', expires_at: TOKEN.expires_at, card_mask: TOKEN.card_mask });
  // Kept beyond its form, it answers as the loader does, and an error that nobody looks at makes no noise.
  const codes = await page.evaluate(async () => {
    unmount();
    handle.focus(); handle.clear(); handle.open();
    handle.submit();
    return Promise.all([handle.submit(), handle.validate()].map((promise) => promise.catch(({ name, code }) => [name, code])));
  });
  assert.deepEqual(codes, [['CardWidgetError', 'destroyed'], ['CardWidgetError', 'destroyed']]);
  assert.deepEqual(await troubles(page), []);
});

test('the hook tells how the form stands, and a failure can be tried again', async () => {
  const page = await visit('<Own {...params} />', {
    more: `function Own(options) {
      const card = useCardForm(options);
      window.card = card;
      const text = [card.status, card.change?.brand, card.error?.code].join(' ');
      (window.shown ??= []).push(text);
      return <><div ref={card.ref} /><output>{text}</output></>;
    }`,
  });
  const reads = (text) => page.waitForFunction((text) => document.querySelector('output').textContent === text, text);
  await reads('ready  ');
  const [frame] = frames(page);
  await post(frame, CHANGE);
  await reads('ready visa ');
  await post(frame, FAILURE);
  await reads('ready visa too_many_requests');
  await post(frame, TOKEN);
  await reads('ready visa ');
  await page.evaluate(() => card.open());
  await reads('ready visa ');
  await set(page, { widgetKey: 'wk_refused' });
  await reads('failed  widget_key_unknown');
  await page.evaluate(() => { shown.length = 0; card.open(); });
  // It may be there for less time than a look takes.
  await page.waitForFunction(() => shown.includes('loading  ') && shown.at(-1) === 'failed  widget_key_unknown');
  await set(page, { widgetKey: 'wk_test' });
  await reads('ready  ');
});

test('an element that comes later, and one that another widget takes', async () => {
  const page = await visit('<Later {...params} />', {
    more: `function Later({ shown, ...options }) {
      const card = useCardForm(options);
      window.submit = card.submit;
      return <>{shown && <div id="host" ref={card.ref} />}<output>{card.status}</output></>;
    }`,
  });
  await page.waitForFunction(() => window.submit);
  assert.deepEqual(await page.evaluate(() => submit().catch(({ code, message }) => [code, message])), ['not_open', 'CardForm: there is no form yet.']);
  await set(page, { shown: true });
  await page.waitForFunction(() => document.querySelector('output').textContent === 'ready');
  await page.evaluate(() => start({ key: 'wk_test', selector: 'host' }));
  await page.waitForFunction(() => document.querySelector('output').textContent === 'closed');
  await set(page, { shown: false });
  await set(page, { shown: true });
  await page.waitForFunction(() => document.querySelector('output').textContent === 'ready');
});

test('a wrong address and a missing key: one sentence, by onError, and no form', async () => {
  const page = await visit('<CardForm {...params} ref={(handle) => { if (handle) window.handle = handle; }} />');
  await ready(page);
  for (const [change, code, message] of [
    [{ url: 'pay.example' }, 'parameter_invalid', 'CardForm: url must be the absolute address of the service, for example "https://pay.example".'],
    [{ url: 'localhost:8080' }, 'parameter_invalid', /^CardForm: url must be /],
    [{ url: undefined }, 'parameter_invalid', /^CardForm: url must be /],
    [{ url: world.service.origin, widgetKey: undefined }, 'parameter_missing', /^"key" must be a string, but is undefined\.$/],
  ]) {
    await page.evaluate(() => { said.length = 0; });
    await set(page, change);
    await page.waitForFunction(() => said.length > 0);
    const [[event, error], ...more] = await page.evaluate(() => said);
    assert.deepEqual([event, error.code, error.stage, more], ['onError', code, 'init', []]);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    assert.equal(await page.evaluate(() => handle.submit().catch(({ code }) => code)), code);
    assert.equal(frames(page).length, 0);
  }
  assert.deepEqual(page.errors, []);
});

/** A page with React in strict mode around `jsx`; `window.set(changes)` renders again. */
async function visit(jsx, { more = '', markup = '' } = {}) {
  const path = `/react-${world.pages.size}.js`;
  const code = `
    import { StrictMode, useState } from 'react';
    import { createRoot, hydrateRoot } from 'react-dom/client';
    import { CardForm, useCardForm } from 'card-widget/react';
    window.said = [];
    const handlers = Object.fromEntries(['onReady', 'onToken', 'onError', 'onChange', 'onClose', 'onExpire'].map((name) => [name, (value) =>
      said.push([name, name === 'onError' ? { ...value, message: value.message } : value])]));
    const first = { url: ${JSON.stringify(world.service.origin)}, widgetKey: 'wk_test', lang: 'en', amount: 1, accent: '#06c', ...handlers };
    ${more}
    function Shop() {
      const [params, setParams] = useState(first);
      window.set = (changes) => setParams((before) => ({ ...before, ...changes }));
      return ${jsx};
    }
    const at = document.getElementById('app');
    const app = <StrictMode><Shop /></StrictMode>;
    const root = at.firstChild ? hydrateRoot(at, app) : createRoot(at);
    if (!at.firstChild) root.render(app);
    window.unmount = () => root.unmount();`;
  world.pages.set(path, { headers: { 'content-type': 'text/javascript' }, body: bundle(shop, code, 'esm') });
  return world.visit({
    body: `<div id="app">${markup}</div><script src="${world.service.origin}/widget/v1/card-widget.js"></script><script type="module" src="${path}"></script>`,
  });
}

async function ready(page) {
  await page.waitForFunction(() => window.said?.some(([name]) => name === 'onReady'));
}

/** Renders with changed parameters, and lets the form hear of it. */
async function set(page, changes) {
  await page.waitForFunction(() => window.set);
  const text = JSON.stringify(changes, (_, value) => (value === undefined ? '%' : value)).replaceAll('"%"', 'undefined');
  await page.evaluate((text) => window.set(new Function(`return ${text}`)()), text);
  await settle(page);
}

/** What React and the loader complained of. */
const troubles = async (page) => [...page.console.filter((line) => !/React DevTools/.test(line)), ...page.errors];
