// @ts-check
/**
 * The pages of `docs/start`, done as they are written: files are made, commands run in their order, and the page is opened in
 * Chromium. Only the ports are others, so that nothing else on the machine is in the way.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { Service, freePort } from '../stories/shared/service.mjs';
import { ROOT, at, blocks } from './blocks.mjs';
import { FLAGS, fill, prove } from './shared.mjs';

/** A command of a page takes no longer, in milliseconds. */
const PATIENCE = 120_000;

/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
});

after(() => browser?.close());

/** Does what a page says, and hands over the shop as it then runs. @param {string} path @param {(shop: { page: import('playwright-core').Page, address: string, output: () => string }) => Promise<void>} then */
async function follow(path, then) {
  const service = await Service.open();
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'card-widget-start-'));
  // The pages stand in the project's folder, where `target` is.
  symlinkSync(at('target'), join(folder, 'target'));
  /** @type {import('node:child_process').ChildProcess[]} */
  const running = [];
  let output = '';
  let cwd = folder;

  /** @param {string} text @param {boolean} goesOn */
  const run = async (text, goesOn) => {
    const command = goesOn ? text : `${text}\npwd >&3`;
    // A group of its own: what a command has started ends with it.
    const child = spawn('bash', ['-euc', command], { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    running.push(child);
    let said = '';
    let place = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => { said += data; output += data; });
    child.stdio[3]?.on('data', (data) => { place += data; });
    const ended = new Promise((resolve) => child.once('close', resolve));
    if (goesOn) {
      const stops = Date.now() + 20_000;
      while (!said.includes(`http://127.0.0.1:${port}`)) {
        assert.ok(child.exitCode === null && Date.now() < stops, `${path}: ${text}${said}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return;
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    const code = await ended;
    clearTimeout(timer);
    assert.equal(code, 0, `${path}: ${text}${said}`);
    cwd = place.trim();
  };

  const context = await browser.newContext();
  try {
    for (const block of blocks(path)) {
      const text = block.text.replaceAll('8080', String(service.port)).replaceAll('3000', String(port));
      if (block.word.includes('.')) writeFileSync(join(cwd, block.word), text);
      // The service runs, and the package is made, before this test.
      else if (block.language === 'sh' && !/^cargo xtask (demo|package)$/.test(text.trim())) await run(text, block.word === 'runs');
    }
    const page = await context.newPage();
    await then({ page, address: `http://127.0.0.1:${port}`, output: () => output });
  } finally {
    await context.close();
    for (const child of running) {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('docs/start/shop.md', () => follow('docs/start/shop.md', async ({ page, address }) => {
  await page.goto(address);
  await fill(page, '4000000000000044');
  await page.getByText('Not paid: insufficient_funds').waitFor();
  await fill(page, '4242424242424242');
  await prove(page);
  await page.waitForURL(/\/result\?/);
  await page.getByText('Paid. Thank you!').waitFor();
}));

test('docs/start/payout.md', () => follow('docs/start/payout.md', async ({ page, address, output }) => {
  assert.match(output(), /"available_amount":\s*10000/);
  await page.goto(address);
  await fill(page, '4111111111111111', { alone: true });
  await page.getByText('success: transaction_successful').waitFor();
}));

test('docs/start/npm.md', () => follow('docs/start/npm.md', async ({ page, address, output }) => {
  await page.goto(address);
  await fill(page, '4000000000000044');
  await page.getByText('Not paid: insufficient_funds').waitFor();
  await fill(page, '4111111111111111');
  await page.getByText('Paid. Thank you!').waitFor();
  while (!/callback: kettle-\d+ success/.test(output())) await new Promise((resolve) => setTimeout(resolve, 20));
}));
