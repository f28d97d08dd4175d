// @ts-check
/** The examples, each started by its one command against a sandbox, and used in Chromium as a customer would. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { FLAGS, fill, prove } from '../site/shared.mjs';
import { at } from '../site/blocks.mjs';
import { Service, freePort } from '../stories/shared/service.mjs';

/** Installing and building included, in milliseconds. */
const PATIENCE = 300_000;

/** Each with its command. */
const SHOPS = { 'node-shop': 'npm start', 'react-shop': 'npm start', 'axum-shop': 'cargo run --quiet' };

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Service} */
let service;

before(async () => {
  service = await Service.open();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
});

after(async () => {
  await browser?.close();
  await service?.close();
});

/** Starts a shop. @param {string} name @param {string} command */
async function start(name, command) {
  const port = await freePort();
  const shop = { address: `http://127.0.0.1:${port}`, said: '', stop: () => {} };
  const env = { ...process.env, SERVICE: service.origin, PORT: String(port) };
  // A group of its own: what the command has started ends with it.
  const child = spawn(command, { shell: true, cwd: at(`examples/${name}`), env, detached: true });
  shop.stop = () => void process.kill(-(child.pid ?? 0), 'SIGKILL');
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => { shop.said += data; });
  const end = Date.now() + PATIENCE;
  while (!shop.said.includes(`open ${shop.address}`)) {
    assert.ok(child.exitCode === null && Date.now() < end, `${name} does not start:\n${shop.said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return shop;
}

for (const [name, command] of Object.entries(SHOPS)) {
  test(name, async () => {
    const shop = await start(name, command);
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    /** @type {string[]} */
    const wrong = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    try {
      await page.goto(shop.address);
      await page.locator('input[name=mug]').fill('2');
      await page.getByRole('button', { name: 'To the checkout' }).click();
      await page.getByText('To pay: UAH 2189.50').waitFor();
      await fill(page, '4000000000000044');
      await page.getByText('The bank said no: insufficient_funds').waitFor();
      await fill(page, '4242424242424242');
      await prove(page);
      await page.getByText('Paid. Thank you!').waitFor();
      const number = new URL(page.url()).searchParams.get('number');
      await page.getByRole('link', { name: 'Receipt' }).click();
      await page.waitForURL(/\/receipt\//);

      // The word of the service was heard; that of nobody is refused, and so is another site's.
      while (!shop.said.includes(`callback: ${number} is paid`)) await new Promise((resolve) => setTimeout(resolve, 20));
      const body = JSON.stringify({ external_id: number });
      const forged = await fetch(`${shop.address}/callbacks`, { method: 'POST', body, headers: { 'X-SERVICE-SIGNATURE': 'rHk7tE6V9feV_lCvZ6ZDuzte7O4=' } });
      assert.equal(forged.status, 401);
      const foreign = await fetch(`${shop.address}/api/orders`, { method: 'POST', body: '{"mug":1}', headers: { origin: 'https://other.example' } });
      assert.equal(foreign.status, 404);
      assert.deepEqual(wrong, []);
    } finally {
      await page.close();
      shop.stop();
    }
  });
}
