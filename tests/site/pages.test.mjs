// @ts-check
/** The site of the documents in Chromium: in both schemes, on a phone, without script, and its search. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { FLAGS, files } from './shared.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SITE = new URL('../../target/site/', import.meta.url);

/** The longest tables, code, and lists. */
const PAGES = ['index.html', 'errors.html', 'payments.html', 'pkg-template.html'];

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof files>>} */
let site;

before(async () => {
  site = await files(SITE);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
});

after(async () => {
  await browser?.close();
  await site?.close();
});

/** @param {import('playwright-core').BrowserContextOptions} options */
async function visitor(options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  /** @type {string[]} */
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  return { page, said, close: () => context.close() };
}

for (const [name, colorScheme, viewport] of /** @type {const} */ ([
  ['wide and light', 'light', WIDE],
  ['on a phone in the dark', 'dark', PHONE],
])) {
  test(`pages have nothing that axe finds, ${name}`, async () => {
    // Only axe itself needs to be let through the pages' policy.
    const { page, said, close } = await visitor({ colorScheme, viewport, bypassCSP: true });
    for (const path of PAGES) {
      await page.goto(site.origin + path);
      await page.evaluate(AXE);
      const found = await page.evaluate(async () => {
        // @ts-expect-error: axe is there since the line before.
        const { violations } = await window.axe.run();
        return violations.map((/** @type {any} */ violation) => `${violation.id}: ${violation.nodes[0].html}`);
      });
      assert.deepEqual(found, [], path);
      const overflows = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(overflows, false, `${path} scrolls sideways`);
    }
    assert.deepEqual(said, []);
    await close();
  });
}

test('the pages keep their own policy, and the search finds a part of a page', async () => {
  const { page, said, close } = await visitor({ viewport: WIDE });
  await page.goto(`${site.origin}index.html`);
  await page.keyboard.press('/');
  await page.keyboard.type('refund waits');
  const link = page.locator('#found a', { hasText: 'Refunds' }).first();
  await link.click();
  await page.waitForURL(/\.html#/);
  await page.locator('#words').fill('nosuchwordanywhere');
  await page.getByText('Nothing has all these words.').waitFor();
  assert.deepEqual(said, []);
  await close();
});

test('without script everything but the search is there', async () => {
  const { page, close } = await visitor({ viewport: PHONE, javaScriptEnabled: false });
  await page.goto(`${site.origin}payments.html`);
  assert.equal(await page.locator('#words').isVisible(), false);
  await page.getByRole('link', { name: 'Contents' }).click();
  await page.locator('nav').getByRole('link', { name: 'Tax receipts', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Tax receipts' }).waitFor();
  await close();
});

test('every page is reached from the first one, and loads nothing of others', () => {
  const front = readFileSync(new URL('index.html', SITE), 'utf8');
  const names = readdirSync(SITE, { recursive: true }).map(String);
  const pages = names.filter((name) => name.endsWith('.html') && !name.startsWith('api/'));
  assert.ok(pages.length > 40);
  for (const name of pages) {
    assert.ok(front.includes(`href="${name}"`), `${name} is not listed`);
    const text = readFileSync(new URL(name, SITE), 'utf8');
    assert.doesNotMatch(text, /<(script|link|img)[^>]*(src|href)="https?:/, name);
    assert.doesNotMatch(text, /%[A-Z]+%/, name);
  }
});
