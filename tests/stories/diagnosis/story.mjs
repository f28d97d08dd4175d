// @ts-check
/// <reference path="../shared/globals.d.ts" />
/**
 * Line 1.12: a start that fails says which of these it was, to the shop, in four places that agree, and soon. Two that no
 * browser tells apart have one code, whose sentence says so.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { openShop } from '../shared/shop.mjs';
import { openWorld } from '../shared/world.mjs';
import { CAUSES, DOWN, SOON } from './causes.mjs';

/** @typedef {import('../shared/world.mjs').Visit} Visit */

const FOLDER = new URL('./', import.meta.url);
const PAGE = readFileSync(new URL('page.html', FOLDER), 'utf8');

/** The loader's script as the service has it, for pages that get it elsewhere. */
let loader = '';

const world = openWorld(import.meta.url, { serve });
const { test } = world;

/** @type {import('../shared/shop.mjs').Serve} */
function serve(path) {
  const policy = (/** @type {string} */ text) => ({ body: PAGE, headers: { 'Content-Security-Policy': text } });
  // A script that runs as a copy, as optimizers make it, finds the service by the element that names it.
  const copied = PAGE + '<script type="module" src="/copy.js"></script>';
  const own = /** @type {Record<string, ReturnType<import('../shared/shop.mjs').Serve>>} */ ({
    '/frame-policy': policy("script-src 'self' %SERVICE%; frame-src https://else.example"),
    '/default-policy': policy("default-src 'self'; script-src 'self' %SERVICE%"),
    '/script-policy': policy("script-src 'self'; frame-src %SERVICE%"),
    '/nowhere': { body: copied.replace('%SERVICE%', 'http://nobody.invalid') },
    '/bundled': { ...policy("script-src 'self'; frame-src %SERVICE%"), body: copied },
    '/around': { body: `<iframe id="shop" src="${world.shop.origin}/"></iframe>` },
    '/sandbox': { body: `<iframe id="shop" sandbox="allow-scripts" src="${world.shop.origin}/"></iframe>` },
    '/open-sandbox': { body: '<iframe id="shop" sandbox="allow-scripts allow-same-origin" src="/"></iframe>' },
    '/plain': { body: PAGE.replace('%SERVICE%', '') },
    '/copy.js': { body: loader },
    '/widget/v1/card-widget.js': { body: loader },
  });
  return own[path];
}

test('what stands on the way, or the service itself', async (t) => {
  const page = await world.visit();
  for (const { name, happen, heal, params, ...expected } of CAUSES) {
    await t.test(name, async (t) => {
      try {
        // What one cause has loaded must not be at hand for the next.
        world.front.rule(/\.(js|wasm)$/, async (_, pass) => {
          const answer = await pass();
          return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } };
        });
        await happen?.(world, page);
        await expect(t, page, expected, params?.(world));
      } finally {
        world.front.relax();
        await heal?.(world, page);
      }
    });
  }
  assert.equal(await works(page), true, 'nothing is left of all that');
});

test("the page's own policy keeps the frame out", async (t) => {
  for (const path of ['/frame-policy', '/default-policy']) {
    const page = await world.visit(path);
    const expected = { code: 'frame_blocked', stage: 'load', actor: 'merchant', within: SOON, says: /localhost.* frame-src/ };
    await t.test(path, (t) => expect(t, page, expected));
  }
});

test("the page's own policy keeps the script out: its element says so, and the policy's event names the directive", async () => {
  const page = await world.visit('/script-policy');
  const { failed, blocked } = await page.waitFor(() => {
    const { scripts } = /** @type {any} */ (window);
    return scripts.failed.length > 0 && scripts;
  });
  assert.deepEqual(failed, [`${world.front.origin}/widget/v1/card-widget.js`]);
  assert.match(blocked[0].effectiveDirective, /^script-src/);
  assert.ok(failed[0].startsWith(blocked[0].blockedURI), blocked[0].blockedURI);
});

test('the script cannot be had: its element says so, and no policy', async () => {
  world.front.rule(/card-widget\.js$/, async () => undefined);
  const page = await world.visit();
  const { failed, blocked } = await page.evaluate(() => /** @type {any} */ (window).scripts);
  assert.deepEqual(failed, [`${world.front.origin}/widget/v1/card-widget.js`]);
  assert.deepEqual(blocked, []);
});

test("the service's host has no address", async (t) => {
  await load();
  const page = await world.visit('/nowhere');
  await page.waitFor(() => 'CardWidget' in window);
  await expect(t, page, { code: 'service_unreachable', stage: 'load', actor: 'network', retryable: true, within: DOWN, says: /nobody\.invalid/ });
});

test('a page that allows no script of the service: whether it is down cannot be found out, and that is said', async (t) => {
  await load();
  const page = await world.visit('/bundled');
  await page.waitFor(() => 'CardWidget' in window);
  await world.front.stop();
  const expected = { code: 'timeout', stage: 'load', actor: 'network', retryable: true, within: 3000, says: /does not tell/ };
  await expect(t, page, expected, { timeout: 2000 });
});

test('the page stands in a page of another site, or in a sandbox', async (t) => {
  const other = await openShop(FOLDER, world.front.origin, serve);
  try {
    const page = await world.visit();
    await page.goto(`${other.origin}/around`);
    await t.test('of another site', (t) => expect(t, page, { code: 'frame_refused', stage: 'load', actor: 'merchant', within: SOON, says: /outer page/ }, {}, '#shop'));
    await page.goto(`${world.shop.origin}/sandbox`);
    await t.test('in a sandbox', (t) => expect(t, page, { code: 'origin_opaque', stage: 'init', actor: 'merchant', within: 500 }, {}, '#shop'));
    await page.goto(`${world.shop.origin}/open-sandbox`);
    assert.equal(await works(page, '#shop'), true, 'in a sandbox that leaves it its origin');
  } finally {
    other.close();
  }
});

test('the page came over plain http', async (t) => {
  const address = Object.values(networkInterfaces()).flat().find((own) => own?.family === 'IPv4' && !own.internal)?.address;
  if (!address) return t.skip(`${world.engine}: this machine has no address but its own loopback, where plain http is fine`);
  await load();
  const shop = await openShop(FOLDER, `http://${address}`, serve, address);
  try {
    const page = await world.visit();
    await page.goto(`${shop.origin}/plain`);
    await expect(t, page, { code: 'insecure_context', stage: 'init', actor: 'merchant', within: 500, says: /https/ });
  } finally {
    shop.close();
  }
});

async function load() {
  loader ||= await (await fetch(`${world.front.origin}/widget/v1/card-widget.js`)).text();
}

/**
 * Opens a widget and waits for what is said about it, in four places.
 *
 * @param {import('node:test').TestContext} t
 * @param {Visit} page
 * @param {{ code: string, stage: string, actor: string, retryable?: boolean, within: number, says?: RegExp }} expected
 * @param {object} [params]
 * @param {string} [frame] That the shop's page stands in.
 */
async function expect(t, page, { code, stage, actor, retryable = false, within, says = /./ }, params = {}, frame) {
  await page.waitFor(() => 'diagnose' in window, undefined, { frame });
  await page.evaluate((params) => /** @type {any} */ (window).diagnose(params), params, frame);
  const report = await page.waitFor(() => {
    const { report } = /** @type {any} */ (window);
    return (report.works || (report.event && report.rejection)) && { ...report, console: window.heard.console.at(-1) };
  }, undefined, { frame });
  const { took, count, event, error, rejection, console } = report;
  t.diagnostic(`${code}: ${took} ms`);
  assert.equal(report.works, undefined, 'the form works');
  const { message, ...rest } = rejection;
  assert.deepEqual(rest, { name: 'CardWidgetError', code, retryable, actor, stage });
  assert.deepEqual(error, rejection, 'onError');
  assert.deepEqual([event.id, event.message, count], [code, message, 1], 'widget-init-error');
  assert.ok(console.endsWith(message), 'the console');
  assert.match(message, says);
  assert.ok(message.length > 20, 'a sentence');
  assert.ok(took <= within, `told after ${took} ms`);
}

/** Whether a form comes up. @param {Visit} page @param {string} [frame] */
async function works(page, frame) {
  await page.waitFor(() => 'diagnose' in window, undefined, { frame });
  await page.evaluate(() => /** @type {any} */ (window).diagnose({}), undefined, frame);
  return page.waitFor(() => /** @type {any} */ (window).report.works, undefined, { frame });
}
