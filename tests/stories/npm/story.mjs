/** The npm entry in a page that enforces Trusted Types: no script element, no global, one promise for all. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { loaderModule } from '../../loader/world.js';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const PAGE = `<!doctype html><meta charset="utf-8"><title>A shop</title>
<div id="card"></div><div id="other"></div>
<script src="/shared/record.js"></script>
<script src="/shop.js"></script>`;

const world = openWorld(import.meta.url, {
  serve(path) {
    if (path === '/') {
      const policy = "default-src 'none'; script-src 'self' %SERVICE%; frame-src %SERVICE%; require-trusted-types-for 'script'; trusted-types 'none'";
      return { body: PAGE, headers: { 'Content-Security-Policy': policy } };
    }
    if (path === '/shop.js') return { body: "window.service = '%SERVICE%'; window.npm = () => import('/npm/index.js');" };
    // The package's modules, as the package has them.
    if (path === '/npm/index.js' || path === '/npm/service.js') return { body: readFileSync(new URL(`../../../pkg-template${path.slice(4)}`, import.meta.url), 'utf8') };
    return path === '/npm/loader.js' ? { body: loaderModule('1.2.3') } : undefined;
  },
});
const { test } = world;

test('concurrent calls share one promise, and the form works', async () => {
  const page = await world.visit();
  const told = await page.evaluate(async () => {
    const names = Object.keys(window).length;
    const scripts = document.scripts.length;
    const { loadCardWidget } = await window.npm();
    const idle = Object.keys(window).length === names && document.scripts.length === scripts;
    const calls = [loadCardWidget(window.service), loadCardWidget(window.service), loadCardWidget(window.service)];
    window.CardWidget = await calls[0];
    const same = new Set(calls).size === 1 && (await calls[2]) === window.CardWidget;
    window.openWidget();
    return { idle, same, scripts: document.scripts.length - scripts };
  });
  assert.deepEqual(told, { idle: true, same: true, scripts: 0 });
  const form = await cardForm(page).ready();
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await form.code.press('Enter');
  assert.match((await token(page)).card_mask, /^4242/);
  assert.deepEqual((await heard(page)).console, []);
});

test('a failure is not kept', async () => {
  const page = await world.visit();
  const told = await page.evaluate(async () => {
    const { loadCardWidget } = await window.npm();
    const fail = (url) => loadCardWidget(url).then(() => 'no failure', (error) => `${error.name}: ${error.message}`);
    const first = loadCardWidget('nonsense');
    const message = await fail('nonsense');
    const again = loadCardWidget('nonsense') !== first;
    first.catch(() => undefined);
    const later = await loadCardWidget(`${window.service}/widget/v1/card-widget.js`);
    window.CardWidget = later;
    window.openWidget();
    return { message, again };
  });
  assert.match(told.message, /^TypeError: .*url/);
  assert.equal(told.again, true);
  await cardForm(page).ready();
});
