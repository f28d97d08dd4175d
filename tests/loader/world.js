/**
 * The world of the loader's tests: a shop on 127.0.0.1, a service with a stand-in for the card frame on localhost (so
 * another site), and one Chromium. The frame does nothing by itself but what its widget key says; a test speaks
 * through it with `card.post(…)`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';

const www = new URL('../../www/', import.meta.url);

/** The texts of each language, by tag: what the folder holds. */
export function readTexts(folder = new URL('texts/', www)) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(files.sort().map((name) => [name.slice(0, -5), JSON.parse(readFileSync(new URL(name, folder), 'utf8'))]));
}

/** The loader as one classic script, as the script tag gets it, filled in as the build does (`xtask/src/web/loader.rs`). */
export const loaderScript = (version = '1.2.3', more = {}) => joined('install.js', 'iife', version, more);

/** The loader as one module, as the package has it. */
export const loaderModule = (version) => joined('card-widget.js', 'esm', version, {});

function joined(name, format, version, more) {
  const titles = Object.entries({ ...readTexts(), ...more }).map(([tag, { title, titleReceive }]) => [tag, [title, titleReceive]]);
  const entryPoints = [fileURLToPath(new URL('loader/' + name, www))];
  const [file] = buildSync({ entryPoints, bundle: true, format, write: false }).outputFiles;
  const { loader } = JSON.parse(readFileSync(new URL('shared/codes.json', www), 'utf8'));
  const codes = Object.entries(loader).map(([code, { actor, retryable, stage }]) => [code, [actor, Number(retryable), stage]]);
  return file.text
    .replaceAll('%VERSION%', version)
    .replace('"%TITLES%"', JSON.stringify(Object.fromEntries(titles)))
    .replace('"%CODES%"', JSON.stringify(Object.fromEntries(codes)));
}

/** What stands in for the card frame. It keeps what it was told, and answers as its key asks for. */
const FRAME = `<!doctype html><title>frame</title><script>
  const told = { connects: [], messages: [] };
  let port;
  const key = new URL(location.href).searchParams.get('key').replace(/_once_.*/, '');
  addEventListener('message', (event) => {
    if (event.data?.type !== 'card-widget:connect') return;
    told.connects.push({ data: event.data, origin: event.origin, ports: event.ports.length });
    port = event.ports[0];
    port.onmessage = ({ data }) => {
      told.messages.push(data);
      if (key === 'wk_refused') port.postMessage({ type: 'error', code: 'widget_key_unknown', message: 'No such key.',
        retryable: false, actor: 'merchant', stage: 'load', correlation_id: '' });
      else if (key === 'wk_silent') port.postMessage({ type: 'resize', height: 0 });
      else if (key !== 'wk_mute') port.postMessage({ type: 'ready' });
    };
  });
</script>`;

/** Opens both servers and a browser for the tests of one file. */
export function openWorld() {
  /** @type {any} */
  const world = { pages: new Map(), asked: [], seen: new Set() };
  before(async () => {
    world.script = loaderScript();
    const service = await serve('localhost', (url) => {
      world.asked.push(url.pathname);
      if (world.stopped) return undefined;
      if (url.pathname === '/widget/v1/frame') {
        const key = url.searchParams.get('key') ?? '';
        const again = key.includes('_once_') && world.seen.has(key);
        world.seen.add(key);
        const elsewhere = url.searchParams.get('key') === 'wk_elsewhere';
        const headers = { 'content-type': 'text/html', 'cross-origin-resource-policy': 'cross-origin', 'cross-origin-embedder-policy': 'require-corp' };
        if (elsewhere) return { status: 302, headers: { ...headers, location: world.other.origin + '/frame' } };
        return { headers, body: again ? '<!doctype html><title>mute</title>' : FRAME };
      }
      if (url.pathname === '/widget/v1/alive.js') {
        if (world.deaf) return { status: 503 };
        return { headers: { 'content-type': 'text/javascript', 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' }, body: 'export {};' };
      }
      if (url.pathname.endsWith('/card-widget.js')) {
        const version = /^\/widget\/(\d[\d.]*)\//.exec(url.pathname)?.[1];
        const headers = { 'content-type': 'text/javascript', 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' };
        return { headers, body: version ? loaderScript(version) : world.script };
      }
    });
    const other = await serve('localhost', () => ({ headers: { 'content-type': 'text/html' }, body: FRAME }));
    const shop = await serve('127.0.0.1', (url) => world.pages.get(url.pathname) ?? demo(url.pathname, service.origin));
    Object.assign(world, { service, other, shop });
    world.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  });
  after(async () => {
    await world.browser?.close();
    for (const server of [world.service, world.other, world.shop]) server?.close();
  });

  /**
   * A page of the shop in a context of its own.
   * @param {{ body?: string, head?: string, headers?: object, url?: string, lang?: string, clock?: boolean, origin?: string,
   *   path?: string }} [options] `path` names a page that is there already.
   */
  world.visit = async (options = {}) => {
    const { body = `<script src="${world.service.origin}/widget/v1/card-widget.js"></script><div id="card"></div>` } = options;
    const path = options.path ?? `/page-${world.pages.size}`;
    if (!options.path) world.pages.set(path, {
      headers: { 'content-type': 'text/html; charset=utf-8', ...options.headers },
      body: `<!doctype html><html${options.lang ? ` lang="${options.lang}"` : ''}><head>${options.head ?? ''}</head><body>${body}</body></html>`,
    });
    const context = await world.browser.newContext();
    const page = await context.newPage();
    page.console = [];
    page.errors = [];
    page.on('console', (message) => page.console.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => page.errors.push(String(error.message ?? error)));
    await page.addInitScript(WATCH);
    if (options.clock) await page.clock.install();
    await page.goto((options.origin ?? world.shop.origin) + path);
    return page;
  };
  return world;
}

/** A file of the demo shop under its address, with the service's address filled in. */
function demo(path, service) {
  const name = { '/': 'checkout.html', '/payout': 'payout.html', '/subscription': 'subscription.html', '/order': 'order.html', '/office': 'office.html' }[path] ?? path.slice(1);
  const type = { html: 'text/html; charset=utf-8', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' }[name.split('.').at(-1)];
  const file = new URL(name, new URL('demo/', www));
  if (!type || !existsSync(file)) return undefined;
  return { headers: { 'content-type': type }, body: readFileSync(file, 'utf8').replaceAll('%SERVICE%', service) };
}

/** Runs in each page before anything else: keeps the widget's events and offers `start(params)`. */
const WATCH = `
  window.events = []; window.tokens = []; window.problems = [];
  for (const name of ['widget-init-ready', 'widget-init-error'])
    document.addEventListener(name, (event) => events.push({ name, ...event.detail }));
  window.params = (more) => ({ key: 'wk_test', mode: 'inline', selector: 'card', onToken: (token) => tokens.push(token),
    onError: (error) => problems.push({ ...error, message: error.message }), ...more });
  window.start = (more) => { const widget = CardWidget.init(params(more)); widget.open(); return widget; };
`;

/** The stand-in frames that live in a page now, in the order they came. */
export function frames(page) {
  return page.frames().filter((frame) => frame.parentFrame() && frame.url().includes('/widget/v1/frame'));
}

/** Waits for the event of that name, for one instance or any; returns its detail. */
export async function heard(page, name, count = 1) {
  await page.waitForFunction(([name, count]) => events.filter((event) => event.name === name).length >= count, [name, count]);
  const all = await page.evaluate(() => events);
  return all.filter((event) => event.name === name).at(-1);
}

/** Lets the frame say something to the loader, and the answer arrive. */
export async function post(frame, message) {
  await frame.evaluate((message) => port.postMessage(message), message);
  await settle(frame.page());
}

/** Lets messages that are under way arrive: twice there and back. */
export async function settle(page) {
  await page.evaluate(async () => {
    for (let i = 0; i < 2; i += 1) {
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(0);
      });
    }
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/** A server on a free port of `host`. */
async function serve(host, answer) {
  const server = createServer(async (request, response) => {
    const { status = 200, headers = {}, body = '' } = answer(new URL(request.url, `http://${host}`)) ?? { status: request.url === '/favicon.ico' ? 204 : 404 };
    response.writeHead(status, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, host, resolve));
  const { port } = server.address();
  return { origin: `http://${host}:${port}`, port, close: () => { server.closeAllConnections(); server.close(); } };
}

const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--host-resolver-rules=MAP shop.test 127.0.0.1',
];
