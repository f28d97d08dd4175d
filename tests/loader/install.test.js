/** The script tag. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heard, openWorld } from './world.js';

const world = openWorld();
const tag = (more = '', version = 'v1') => `<script ${more} src="${world.service.origin}/widget/${version}/card-widget.js"></script>`;
const count = 'calls.push(typeof CardWidget.init)';

/** [when and how the page declares its callback, the page's body] */
const declared = [
  ['a function before the script', () => `<script>function __onWidgetReady() { ${count} }</script>${tag()}`],
  ['a function after the script', () => `${tag()}<script>function __onWidgetReady() { ${count} }</script>`],
  ['var before the script', () => `<script>var __onWidgetReady = () => { ${count} }</script>${tag()}`],
  ['var after the script', () => `${tag()}<script>var __onWidgetReady = () => { ${count} }</script>`],
  ['an empty var before, filled after the script', () => `<script>var __onWidgetReady;</script>${tag()}<script>__onWidgetReady = () => { ${count} }</script>`],
  ['const before the script', () => `<script>const __onWidgetReady = () => { ${count} }</script>${tag()}`],
  ['const after the script', () => `${tag()}<script>const __onWidgetReady = () => { ${count} }</script>`],
  ['a property before an async script', () => `<script>window.__onWidgetReady = () => { ${count} }</script>${tag('async')}`],
  ['a property after a deferred script', () => `${tag('defer')}<script>window.__onWidgetReady = () => { ${count} }</script>`],
  ['a property long after the script', () => `${tag()}<script>setTimeout(() => { window.__onWidgetReady = () => { ${count} } }, 300)</script>`],
  ['a function in a script that loads late', () => `${tag()}<script>addEventListener('load', () => setTimeout(() => document.head.append(Object.assign(document.createElement('script'), { src: 'data:text/javascript,function __onWidgetReady(){${count}}' })), 100))</script>`],
  ['a property, with a module', () => `<script>window.__onWidgetReady = () => { ${count} }</script>${tag('type="module"')}`],
  ['twice: the first one counts', () => `${tag()}<script>window.__onWidgetReady = () => { ${count} }; window.__onWidgetReady = () => { ${count} }; setTimeout(() => __onWidgetReady, 0)</script>`],
];

for (const [how, body] of declared) {
  test(`__onWidgetReady is called once: ${how}`, async () => {
    const page = await world.visit({ head: '<script>window.calls = []</script>', body: body() });
    await page.waitForFunction(() => calls.length > 0);
    await page.waitForTimeout(150);
    assert.deepEqual(await page.evaluate(() => calls), ['function']);
    assert.equal(await page.evaluate(() => typeof __onWidgetReady), 'function', 'the name is an ordinary one again');
    assert.deepEqual(page.errors, []);
  });
}

test('a callback that throws reaches the page, and the widget works', async () => {
  const page = await world.visit({
    body: `<script>function __onWidgetReady() { throw new Error('thrown by the shop') }</script>${tag()}<div id="card"></div>`,
  });
  await page.evaluate(() => { start(); });
  await heard(page, 'widget-init-ready');
  assert.deepEqual(page.errors, ['thrown by the shop']);
});

test('loaded twice, in two versions: the first stays, both are named, the callback is called once', async () => {
  const page = await world.visit({
    head: '<script>window.calls = []; function __onWidgetReady() { calls.push(CardWidget.version) }</script>',
    body: `${tag('', '2.0.0')}<script>window.first = CardWidget</script>${tag('', '1.0.0')}${tag('', '2.0.0')}<div id="card"></div>`,
  });
  assert.equal(await page.evaluate(() => CardWidget === first), true);
  assert.deepEqual(await page.evaluate(() => calls), ['2.0.0']);
  assert.equal(page.console.length, 2);
  assert.match(page.console[0], /^warning: .*2\.0\.0.*1\.0\.0/);
  await page.evaluate(() => { start(); });
  await heard(page, 'widget-init-ready');
});

test('an element that happens to have the id CardWidget is not taken for the widget', async () => {
  const page = await world.visit({ body: `<div id="CardWidget"></div>${tag()}<div id="card"></div>` });
  await page.evaluate(() => { start(); });
  await heard(page, 'widget-init-ready');
  assert.deepEqual(page.console, []);
});

test('the script adds CardWidget to the page and nothing else', async () => {
  const page = await world.visit({ body: '<div></div>' });
  const names = () => page.evaluate(() => Object.getOwnPropertyNames(window));
  const before = await names();
  await page.addScriptTag({ url: `${world.service.origin}/widget/v1/card-widget.js` });
  const added = (await names()).filter((name) => !before.includes(name));
  assert.deepEqual(added, ['CardWidget', '__onWidgetReady']);
  assert.equal(await page.evaluate(() => window.__onWidgetReady), undefined);
});
