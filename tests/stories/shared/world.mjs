/** A story's world: a service on `localhost`, a shop on `127.0.0.1`, one Chromium. Opened before its tests, closed after. */
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { Service } from './service.mjs';
import { openShop } from './shop.mjs';

const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** A shop that is not on a loopback host, for the story of the wrong origin. Chromium is told where it is. */
const ELSEWHERE = 'shop.test';

/**
 * @param {string} story `import.meta.url` of the story.
 */
export function openWorld(story) {
  const world = /** @type {World} */ ({});
  before(async () => {
    world.service = await Service.open();
    world.shop = await openShop(new URL('./', story), world.service.origin);
    world.elsewhere = `http://${ELSEWHERE}:${world.shop.port}`;
    world.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        ...FLAGS,
        `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`,
        // Otherwise the loader would refuse the page for being insecure before its origin is asked about.
        `--unsafely-treat-insecure-origin-as-secure=${world.elsewhere}`,
      ],
    });
  });
  after(async () => {
    await world.browser?.close();
    world.shop?.close();
    await world.service?.close();
  });

  world.visit = async (path = '/', options = {}) => {
    const { origin = world.shop.origin, ...context } = options;
    const page = await (await world.browser.newContext(context)).newPage();
    page.setDefaultTimeout(20_000);
    const seen = { requests: [], console: [], errors: [] };
    page.on('request', (request) => seen.requests.push(request));
    page.on('console', (message) => seen.console.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => seen.errors.push(String(error)));
    await page.goto(origin + path);
    return Object.assign(page, { seen });
  };
  return world;
}

/**
 * @typedef {object} World
 * @property {Service} service
 * @property {{ origin: string, port: number, close(): void }} shop
 * @property {string} elsewhere Origin of the shop under a host that is not loopback.
 * @property {import('playwright-core').Browser} browser
 * @property {(path?: string, options?: object) => Promise<Visit>} visit A page in a context of its own.
 *
 * @typedef {import('playwright-core').Page & { seen: { requests: import('playwright-core').Request[], console: string[], errors: string[] } }} Visit
 */
