/** The packed package, installed into a project of its own: on a server, in a bundle, in a browser. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { frames, heard, openWorld, post } from '../loader/world.js';
import { bundle, installPackage } from './pack.js';

const world = openWorld();
let shop;
before(() => { shop = installPackage(); });
after(() => shop?.remove());

test('holds exactly the files that its manifest lists', () => {
  const manifest = JSON.parse(readFileSync(join(shop.installed, 'package.json'), 'utf8'));
  assert.deepEqual(readdirSync(shop.installed).sort(), [...manifest.files, 'package.json'].sort());
  for (const [entry, conditions] of Object.entries(manifest.exports)) if (entry !== './package.json') assert.equal(Object.keys(conditions)[0], 'types', entry);
  assert.deepEqual(Object.keys(manifest.dependencies ?? {}), []);
  assert.match(manifest.version, /^\d+\.\d+\.\d+/);
  assert.notEqual(manifest.version, '0.0.0');
});

test('on a server: importing has no effect, loading resolves to null', () => {
  writeFileSync(
    join(shop.project, 'server.js'),
    `const before = Object.getOwnPropertyNames(globalThis).length;
     const { loadCardWidget } = await import('card-widget');
     const widget = await loadCardWidget('https://pay.example');
     console.log(JSON.stringify([widget, Object.getOwnPropertyNames(globalThis).length - before]));`,
  );
  assert.equal(execFileSync(process.execPath, ['server.js'], { cwd: shop.project, encoding: 'utf8' }), '[null,0]\n');
});

test('no entry does anything by being imported, and one that nobody uses leaves nothing in a bundle', () => {
  const { exports } = JSON.parse(readFileSync(join(shop.installed, 'package.json'), 'utf8'));
  const entries = Object.keys(exports).filter((entry) => entry !== './package.json').map((entry) => `card-widget${entry.slice(1)}`);
  assert.ok(entries.length >= 7);
  for (const entry of entries) {
    assert.equal(bundle(shop, `import '${entry}';`).trim(), '(() => {\n})();', entry);
    assert.equal(bundle(shop, `import * as all from '${entry}'; export const nothing = 1;`, 'esm').trim(), '// <stdin>\nvar nothing = 1;\nexport {\n  nothing\n};', entry);
  }
  const plain = entries.filter((entry) => entry !== 'card-widget/react');
  writeFileSync(
    join(shop.project, 'quiet.js'),
    `const before = Object.getOwnPropertyNames(globalThis).length;
     for (const entry of ${JSON.stringify(plain)}) await import(entry);
     console.log(Object.getOwnPropertyNames(globalThis).length - before);`,
  );
  assert.equal(execFileSync(process.execPath, ['quiet.js'], { cwd: shop.project, encoding: 'utf8' }), '0\n');
});

test("what a page takes of the client brings none of the server's part", () => {
  const page = bundle(shop, "import { mobileA, mobileB, readReturn, redirect } from 'card-widget/client'; globalThis.shop = [mobileA, mobileB, readReturn, redirect];");
  assert.ok(page.includes('paymentRequest'));
  assert.ok(!page.includes('WebAssembly') && page.length < 20_000, String(page.length));
});

test('from the package to a token, in a browser, without a global', async () => {
  const page = await visit(`
    import { loadCardWidget } from 'card-widget';
    const widget = await loadCardWidget(SERVICE);
    widget.init(params()).open();
    window.version = widget.version;`);
  await heard(page, 'widget-init-ready');
  await post(frames(page)[0], { type: 'token', token: 'ct_one', expires_at: '2026-01-31T23:59:59', card_mask: '42424242****4242' });
  assert.deepEqual(await page.evaluate(() => tokens), [{ token: 'ct_one', expires_at: '2026-01-31T23:59:59', card_mask: '42424242****4242' }]);
  assert.equal(await page.evaluate(() => window.version), shop.version);
  assert.equal(await page.evaluate(() => 'CardWidget' in window), false);
});

test("takes the script's address as well, with its version and query", async () => {
  for (const address of ['/widget/v1/card-widget.js', '/widget/1.2.3/card-widget.js?x=1', '/', '']) {
    const page = await visit(`
      import { loadCardWidget } from 'card-widget';
      (await loadCardWidget(SERVICE + ${JSON.stringify(address)})).init(params()).open();`);
    await heard(page, 'widget-init-ready');
    assert.equal(new URL(frames(page)[0].url()).pathname, '/widget/v1/frame', address);
  }
});

test('concurrent calls share one promise; another service is another one; a failure is not kept', async () => {
  const page = await visit(`
    import { loadCardWidget } from 'card-widget';
    const one = loadCardWidget(SERVICE);
    const results = { shared: one === loadCardWidget(SERVICE), apart: one !== loadCardWidget('https://pay.example') };
    const failures = [];
    for (let i = 0; i < 2; i += 1) {
      const attempt = loadCardWidget('not an address');
      failures.push(attempt);
      results['message' + i] = await attempt.catch((error) => error instanceof TypeError && error.message);
    }
    results.fresh = failures[0] !== failures[1];
    results.still = one === loadCardWidget(SERVICE);
    window.results = results;`);
  await page.waitForFunction(() => window.results);
  const { message0, message1, ...rest } = await page.evaluate(() => results);
  assert.deepEqual(rest, { shared: true, apart: true, fresh: true, still: true });
  assert.match(message0, /^loadCardWidget\(url\): url must be the absolute address/);
  assert.equal(message0, message1);
  assert.deepEqual(page.errors, []);
});

test('works where Trusted Types are required and only the shop may run scripts', async () => {
  const page = await visit(
    `import { loadCardWidget } from 'card-widget';
     (await loadCardWidget(SERVICE)).init(params()).open();`,
    { 'content-security-policy': `default-src 'none'; script-src 'self'; frame-src ${world.service.origin}; require-trusted-types-for 'script'; trusted-types 'none'` },
  );
  await heard(page, 'widget-init-ready');
  assert.deepEqual(page.console, []);
});

/** A page of the shop that runs `code`, bundled with the installed package and served by the shop. */
async function visit(code, headers) {
  const path = `/bundle-${world.pages.size}.js`;
  world.pages.set(path, {
    headers: { 'content-type': 'text/javascript' },
    body: bundle(shop, `const SERVICE = ${JSON.stringify(world.service.origin)};\n${code}`, 'esm'),
  });
  return world.visit({ body: `<div id="card"></div><script type="module" src="${path}"></script>`, headers });
}
