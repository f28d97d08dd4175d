/** The script comes in whatever way a page, a framework or an optimizer brings it: one global, one call, one form. */
import assert from 'node:assert/strict';
import { cardForm, heard } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const SRC = '%SERVICE%/widget/v1/card-widget.js';
const BEFORE = 'function __onWidgetReady() { calls.push(this); openWidget(); }';

/** What stands below the host element, by way of loading. `inject(address)` adds a script as scripts do. */
const WAYS = {
  'a plain script': `<script>${BEFORE}</script><script src="${SRC}"></script>`,
  async: `<script>${BEFORE}</script><script async src="${SRC}"></script>`,
  'async, the callback declared below': `<script async src="${SRC}"></script><script>${BEFORE}</script>`,
  'a callback that is a constant': `<script>const __onWidgetReady = () => { calls.push(1); openWidget(); };</script><script src="${SRC}"></script>`,
  deferred: `<script defer src="${SRC}"></script><script>${BEFORE}</script>`,
  'deferred, the callback declared by a later script': `<script defer src="${SRC}"></script><script defer src="/callback.js"></script>`,
  'a module': `<script>${BEFORE}</script><script type="module" src="${SRC}"></script>`,
  'the callback assigned much later': `<script src="${SRC}"></script>
    <script>addEventListener('load', () => setTimeout(() => { window.__onWidgetReady = () => { calls.push(1); openWidget(); }; }, 50));</script>`,
  'after DOMContentLoaded': `<script>${BEFORE} addEventListener('DOMContentLoaded', () => inject('${SRC}'));</script>`,
  'after load, the callback in a script after it': `<script>addEventListener('load', () => {
      inject('${SRC}').onload = () => setTimeout(() => inject('/callback.js'), 50);
    });</script>`,
  // As optimizers delay: neither script runs where it stands, both are created anew, in order, long after the page is there.
  'an optimizer': `<script type="text/optimizer" data-src="${SRC}"></script><script type="text/optimizer" data-src="/callback.js"></script>
    <script>addEventListener('load', () => setTimeout(() => {
      for (const old of document.querySelectorAll('[type="text/optimizer"]')) {
        const script = document.createElement('script');
        script.src = old.dataset.src;
        script.async = false;
        old.replaceWith(script);
      }
    }, 50));</script>`,
};

const DOUBLE = {
  twice: `<script>${BEFORE}</script><script src="${SRC}"></script><script src="${SRC}"></script>`,
  'two versions': `<script>${BEFORE}</script><script src="${SRC}"></script><script src="${SRC}?other"></script>`,
  'two versions, async': `<script async src="${SRC}"></script><script async src="${SRC}?other"></script><script>${BEFORE}</script>`,
};

const OTHERS = {
  throws: `<script>function __onWidgetReady() { calls.push(1); throw new Error('the shop failed'); }</script><script src="${SRC}"></script>`,
  'no callback': `<script src="${SRC}"></script><script>openWidget();</script>`,
  'an element of that name': `<p id="CardWidget"></p><script>${BEFORE}</script><script src="${SRC}"></script>`,
};

/** @type {Record<string, string>} */
const PAGES = Object.fromEntries(Object.entries({ ...WAYS, ...DOUBLE, ...OTHERS }).map(([way, html]) => [`/${way.replaceAll(' ', '-')}`, html]));

const world = openWorld(import.meta.url, {
  serve(path) {
    if (path === '/callback.js') return { body: BEFORE };
    const html = PAGES[path];
    return html === undefined ? undefined : { body: `<!doctype html><meta charset="utf-8"><title>A shop</title>
      <div id="card"></div>
      <script src="/shared/record.js"></script>
      <script>
        var calls = [];
        const inject = (src) => document.body.appendChild(Object.assign(document.createElement('script'), { src }));
      </script>${html}` };
  },
});
const { test } = world;

/** Goes on to a page and waits for its form. */
async function go(page, way) {
  await page.goto(world.shop.origin + encodeURI(`/${way.replaceAll(' ', '-')}`));
  await cardForm(page).ready();
}

const callCount = (page) => page.evaluate(() => calls.length);

test('each way of loading makes one call and one form', async () => {
  const page = await world.visit('/no-callback');
  for (const way of Object.keys(WAYS)) {
    await go(page, way);
    assert.equal(await callCount(page), 1, way);
    const { console, ready } = await heard(page);
    assert.deepEqual(console, [], way);
    assert.equal(ready.length, 1, way);
    assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 1, way);
    assert.ok(await page.evaluate(() => !Object.getOwnPropertyDescriptor(window, '__onWidgetReady')?.get), `${way}: an ordinary name again`);
  }
});

test('loaded twice: one global, one call, and a warning that names both versions', async () => {
  const page = await world.visit('/no-callback');
  await cardForm(page).ready();
  const version = await page.evaluate(() => CardWidget.version);
  assert.match(version, /^\d/);
  world.front.rewrite(/\/card-widget\.js$/, (text, { url }) => (url.endsWith('other') ? text.replaceAll(version, '99.9.9') : text));
  for (const way of Object.keys(DOUBLE)) {
    await go(page, way);
    const kept = await page.evaluate(() => CardWidget.version);
    const left = !way.startsWith('two versions') ? version : kept === version ? '99.9.9' : version;
    assert.equal(await callCount(page), 1, way);
    const { console } = await heard(page);
    assert.equal(console.length, 1, `${way}: ${console}`);
    // The one that stays, then the one that is left out.
    assert.match(console[0], new RegExp(`^warn CardWidget\\b.* ${kept.replaceAll('.', '\\.')}\\b.* ${left.replaceAll('.', '\\.')}\\b`), way);
  }
});

test('a callback that throws is reported, and the widget works', async () => {
  const page = await world.visit('/throws');
  await page.waitFor(() => window.heard.console.length);
  assert.match((await heard(page)).console.join(), /^uncaught: .*the shop failed$/);
  await page.evaluate(() => openWidget());
  await cardForm(page).ready();
  assert.equal(await callCount(page), 1);
});

test('no callback at all, or something else of the same name', async () => {
  const page = await world.visit('/no-callback');
  await cardForm(page).ready();
  await go(page, 'an element of that name');
  assert.deepEqual((await heard(page)).console, []);
});
