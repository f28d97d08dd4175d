// @ts-check
/**
 * Subresource integrity, as `docs/security/inventory.md` lets a shop paste it: a file with a version runs as long as it is the
 * one that was published, and no other does.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cardForm, heard } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const RECORD = readFileSync(new URL('../shared/record.js', import.meta.url), 'utf8');
const REFUSED = `addEventListener('error', ({ target }) => { if (target.tagName === 'SCRIPT') document.title = 'refused'; }, true);`;
const START = 'function __onWidgetReady() { openWidget(); }';

/** @param {'sha256' | 'sha384'} kind @param {string | Buffer} bytes */
const hash = (kind, bytes) => `${kind}-${createHash(kind).update(bytes).digest('base64')}`;

/** What the service publishes. @type {{ version: string, files: { address?: string, evergreen?: string, integrity: string }[], policies: { strict: string } }} */
let inventory;

/** @param {string} attributes Of the widget's script. @param {Record<string, string>} [headers] */
const page = (attributes, headers = {}) => {
  const own = [RECORD, REFUSED, START];
  const hashes = own.map((text) => `'${hash('sha256', text)}'`).join(' ');
  return {
    headers: { 'content-security-policy': inventory.policies.strict.replace('script-src', `script-src ${hashes}`).replace(/^/, "img-src 'self'; "), ...headers },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title><div id="card"></div>
${own.map((text) => `<script>${text}</script>`).join('\n')}<script async ${attributes}></script></html>`,
  };
};

const world = openWorld(import.meta.url, {
  serve(path) {
    const { address, integrity } = loader();
    const published = `src="${address}" crossorigin="anonymous" integrity="${integrity}"`;
    if (path === '/') return page(published);
    if (path === '/other') return page(published.replace(/sha384-.{8}/, 'sha384-AAAAAAAA'));
    if (path === '/demanded') return page(published, { 'integrity-policy': 'blocked-destinations=(script)' });
  },
});
const { test } = world;

const loader = () => /** @type {{ address: string, integrity: string }} */ (inventory.files.find(({ evergreen }) => evergreen));

/** @param {string} path */
async function visit(path) {
  inventory ??= await (await fetch(`${world.front.origin}/widget/v1/inventory.json`)).json();
  return world.visit(path);
}

test('the published hash lets the published file run', async () => {
  const page = await visit('/');
  await cardForm(page).ready();
  const { console, refused } = await heard(page);
  assert.deepEqual([console, refused], [[], []]);
  const [script] = page.requests;
  assert.equal(script.url, loader().address);
  assert.equal(script.headers.origin, world.shop.origin, 'asked for with CORS, or the browser could not check it');
  assert.equal(script.headers.cookie, undefined);
});

test('a page that demands integrity of every script', async () => {
  const page = await visit('/demanded');
  await cardForm(page).ready();
  assert.deepEqual((await heard(page)).console, []);
});

for (const [what, path] of [['another file', '/'], ['another hash', '/other']]) {
  test(`${what}: nothing of it runs`, async () => {
    world.front.rule(/card-widget\.js$/, async (_, pass) => {
      const answer = await pass();
      if (path !== '/') return answer;
      // One byte of a text, not of the code: it would run.
      const { 'content-encoding': __, etag: ___, ...headers } = answer.headers;
      const body = Buffer.from(`${await (await fetch(`${world.service.origin}/widget/v1/card-widget.js`)).text()} `);
      return { ...answer, headers: { ...headers, 'content-length': String(body.length) }, body };
    });
    const page = await visit(path);
    await page.waitFor(() => document.title === 'refused');
    assert.equal(await page.evaluate(() => typeof CardWidget), 'undefined');
    assert.deepEqual(page.requests.map(({ path }) => path.split('/').at(-1)), ['card-widget.js']);
  });
}

test('every hash is that of what the service sends', async () => {
  inventory ??= await (await fetch(`${world.front.origin}/widget/v1/inventory.json`)).json();
  const files = inventory.files.filter(({ address }) => address);
  assert.ok(files.length >= 4);
  for (const { address = '', evergreen, integrity } of files) {
    for (const one of evergreen ? [address, evergreen] : [address]) {
      const answer = await fetch(one);
      assert.equal(hash('sha384', Buffer.from(await answer.arrayBuffer())), integrity, one);
      if (one.includes(inventory.version)) assert.match(String(answer.headers.get('cache-control')), /immutable|no-cache/, one);
    }
  }
});
