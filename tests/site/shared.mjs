// @ts-check
/** What the tests of the documents share: files over HTTP, and how Chromium is started. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';

export const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run', '--disable-background-networking'];

/** @type {Record<string, string>} */
const KINDS = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.png': 'image/png' };

/** Serves a folder on a free port. @param {URL} folder */
export const files = (folder) => serve(async (path) => {
  const body = await readFile(new URL(path.slice(1), folder)).catch(() => undefined);
  return body && { kind: KINDS[extname(path)] ?? 'application/octet-stream', body };
});

/**
 * A server on a free port.
 *
 * @param {(path: string) => Found | undefined | Promise<Found | undefined>} find
 * @typedef {{ kind: string, body: string | Uint8Array }} Found
 */
export async function serve(find) {
  const server = createServer(async (request, response) => {
    const found = await find(new URL(request.url ?? '/', 'http://x').pathname);
    response.writeHead(found ? 200 : 404, { 'content-type': found?.kind ?? 'text/plain' });
    response.end(found?.body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}/`,
    close: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    }),
  };
}

/**
 * Types a card into the form and sends it.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} number
 * @param {{ alone?: boolean }} [form] `alone` asks for the number and nothing else.
 */
export async function fill(page, number, { alone = false } = {}) {
  const frame = page.frameLocator('#card iframe');
  await frame.locator('[autocomplete=cc-number]').pressSequentially(number);
  if (!alone) {
    await frame.locator('[autocomplete=cc-exp]').pressSequentially('1230');
    await frame.locator('[autocomplete=cc-csc]').pressSequentially('123');
  }
  await frame.locator('button[type=submit]').click();
}

/** Passes, or fails, the proof that the sandbox's stand-in of a bank asks for. @param {import('playwright-core').Page} page */
export async function prove(page, passes = true) {
  await page.waitForURL(/\/3ds\//);
  await page.locator('form button').nth(passes ? 0 : 1).click();
}
