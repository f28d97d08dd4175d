/** The packed package in a real small project of each kind: installed, built, and run. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cardForm, cards, expiry } from '../../pkg-template/playwright.js';
import { freePort, install, openBrowser, openSandbox, run, serve, serveFolder, shelf, tarball, tool } from './shared/world.mjs';

let sandbox;
let browser;
before(async () => {
  sandbox = await openSandbox();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await sandbox?.stop();
});

/** Buys on a page of the shop, as a customer does; its `<output>` has the mask then. */
async function buy(address) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const troubles = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(String(error)));
  await page.goto(`${address}/?service=${encodeURIComponent(sandbox.origin)}`);
  await cardForm(page).pay({ number: cards.success, expiry: expiry(), code: '123' });
  await page.locator('output', { hasText: '1111' }).waitFor();
  const text = await page.locator('output').textContent();
  assert.deepEqual(troubles, []);
  await context.close();
  return text;
}

/** Buys in a shop that is a folder of files. */
async function buyIn(folder) {
  const shop = await serveFolder(folder);
  try {
    return await buy(shop.origin);
  } finally {
    shop.close();
  }
}

// Two cores: while one builds, another waits for its browser.
describe('projects', { concurrency: 3 }, () => {
  test('a script tag', async () => {
    await buyIn(await install('script-tag'));
  });

  test('Next: built, rendered on the server, bought in the browser, paid by both kinds of servers', async () => {
    const folder = await install('next');
    await run(folder, process.execPath, tool('next'), 'build');
    const address = `http://127.0.0.1:${await freePort()}`;
    const { stop, log } = await serve(folder, address, process.execPath, tool('next'), 'start', '-H', '127.0.0.1', '-p', new URL(address).port);
    try {
      const html = await (await fetch(`${address}/?service=${encodeURIComponent(sandbox.origin)}`)).text();
      assert.match(html, /<h1>From the server<\/h1><div><\/div><output><\/output>/);
      await buy(address);
      for (const route of ['pay', 'edge']) {
        const answer = await fetch(`${address}/${route}`, { method: 'POST', body: JSON.stringify({ service: sandbox.origin, order: `next-${route}` }) });
        const text = await answer.text();
        assert.equal(answer.status, 200, text + log());
        assert.match(JSON.parse(text).value, /\/pay\//, route);
      }
    } finally {
      await stop();
    }
  });

  test('Vite, with React', async () => {
    const folder = await install('vite');
    await run(folder, process.execPath, tool('vite'), 'build');
    await buyIn(join(folder, 'dist'));
  });

  test('webpack, with the custom element', async () => {
    const folder = await install('webpack');
    await run(folder, process.execPath, 'build.mjs');
    await buyIn(folder);
  });

  test('esbuild, with the loader and the card rules', async () => {
    const folder = await install('esbuild');
    await run(folder, tool('esbuild'), 'main.js', '--bundle', '--minify', '--log-level=warning', '--outfile=dist.js');
    assert.match(await buyIn(folder), /^visa /);
  });

  test('modules without a bundler', async () => {
    await buyIn(await install('modules'));
  });

  for (const [name, ...command] of [
    ['node', process.execPath],
    ['deno', tool('deno'), 'run', '--allow-read', '--allow-net', '--allow-env'],
    ['bun', tool('bun')],
  ]) {
    test(`a server in ${name}: a payment, a refusal, callbacks`, async () => {
      const folder = await install(name);
      cpSync(new URL('shared/server.mjs', import.meta.url), join(folder, 'server.mjs'));
      const [program, ...args] = command;
      assert.deepEqual(JSON.parse(await run(folder, program, ...args, 'server.mjs', sandbox.origin, name)), {
        paid: [true, 'success', '100.50'],
        refused: ['refused', 401],
        callbacks: ['other', 'signature_wrong'],
        rules: ['visa', '42424242****4242'],
        page_only: [null, null],
      });
      if (name === 'node') assert.equal(await run(folder, program, 'commonjs.cjs'), 'visa\n');
    });
  }

  test('Express: callbacks are believed by their bytes, wherever the parser stands', async () => {
    const folder = await install('express');
    const address = `http://127.0.0.1:${await freePort()}`;
    const { stop } = await serve(folder, address, process.execPath, 'server.js');
    const post = async (path, signature) => {
      const headers = { 'x-service-signature': signature, 'content-type': 'application/json' };
      const answer = await fetch(address + path, { method: 'POST', headers, body: '{"name": "john", "age": 21}' });
      return [answer.status, await answer.text()];
    };
    try {
      for (const path of ['/plain', '/raw']) {
        assert.deepEqual(await post(path, 'rHk7tE6V9feV_lCvZ6ZDuzte7O4='), [200, ''], path);
        assert.deepEqual(await post(path, 'OjK59ILqlE2ROqArFz-045qr6dM='), [401, ''], path);
      }
      const [status, text] = await post('/parsed', 'rHk7tE6V9feV_lCvZ6ZDuzte7O4=');
      assert.equal(status, 500);
      assert.match(text, /put this before `express\.json\(\)`/);
      assert.deepEqual(await (await fetch(address)).json(), ['other', 'other']);
    } finally {
      await stop();
    }
  });

  test('a worker at the edge, in workerd: a payment', async () => {
    const folder = await install('workerd');
    await run(folder, tool('esbuild'), 'worker.js', '--bundle', '--format=esm', '--conditions=workerd,worker', '--external:*.wasm?module', '--log-level=warning', '--outfile=dist.js');
    const address = `http://127.0.0.1:${await freePort()}`;
    const { stop, log } = await serve(folder, address, tool('workerd'), 'serve', 'config.capnp', '--socket-addr', `http=${new URL(address).host}`);
    try {
      const answer = await fetch(`${address}/?service=${encodeURIComponent(sandbox.origin)}&order=edge`);
      const text = await answer.text();
      assert.equal(answer.status, 200, text + log());
      assert.match(JSON.parse(text).value, /\/pay\//);
    } finally {
      await stop();
    }
  });

  test('unit tests in Vitest, with the fake', async () => {
    const folder = await install('vitest');
    const told = await run(folder, process.execPath, tool('vitest'), 'run', '--reporter=json');
    const { numPassedTests, success } = JSON.parse(told);
    assert.deepEqual([numPassedTests, success], [3, true]);
  });

  test('publint finds nothing', async () => {
    const told = await run(shelf, tool('publint'), tarball, '--strict');
    assert.match(told, /All good!/);
  });

  test('attw finds nothing', async () => {
    // CommonJS can import the package, and `require` it where Node can; there is no second copy of it.
    await run(shelf, tool('attw'), tarball, '--profile', 'esm-only', '--format', 'ascii');
  });
});
