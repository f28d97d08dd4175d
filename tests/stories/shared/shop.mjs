/**
 * The shop: serves a story's own folder, what stories share, and the demo shop's files under `/demo/`. A story without a
 * page of its own has the usual one, `shared/page.html`.
 *
 * @typedef {(path: string) => { body?: string | Buffer, type?: string, headers?: Record<string, string>, status?: number } | undefined} Serve
 *   What a story answers itself: a text (HTML, unless `type` says otherwise, or the path's ending), or more headers for a file.
 *   `%SERVICE%` is replaced in texts and headers alike. Asked first; `undefined` leaves the path to the files.
 */
import { createServer } from 'node:http';
import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHARED = new URL('./', import.meta.url);
const DEMO = new URL('../../../www/demo/', import.meta.url);
/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/**
 * @param {URL} folder The story's folder; `/` is its `page.html`, or the usual one.
 * @param {string} service Address that stands in for `%SERVICE%` in every text.
 * @param {Serve} [serve]
 * @param {string} [host] An address of this machine.
 */
export async function openShop(folder, service, serve, host = '127.0.0.1') {
  const fill = (/** @type {string} */ text) => text.replaceAll('%SERVICE%', service);
  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  const answer = (request, response) => {
    const path = new URL(request.url ?? '/', 'http://shop').pathname;
    const own = serve?.(path);
    const file = own?.body === undefined ? find(folder, path) : undefined;
    const body = own?.body ?? (file && readFileSync(file, 'utf8'));
    if (body === undefined) {
      response.writeHead(own?.status ?? 404, own?.headers).end();
      return;
    }
    const type = own?.type ?? TYPES[extname(file ? fileURLToPath(file) : path)] ?? (file ? 'application/octet-stream' : 'text/html');
    const headers = Object.entries(own?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), fill(value)]);
    response.writeHead(own?.status ?? 200, {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      ...Object.fromEntries(headers),
    });
    response.end(typeof body === 'string' ? fill(body) : body);
  };
  const server = createServer((request, response) => {
    try {
      answer(request, response);
    } catch (error) {
      // The page says it, and the test that waits for the page.
      response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
    }
  });
  await new Promise((resolve) => server.listen(0, host, resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://${host}:${port}`, port, close };
}

/** @param {URL} folder @param {string} path */
function find(folder, path) {
  const [, first, ...rest] = path.split('/');
  const [base, name] =
    first === 'shared' ? [SHARED, rest.join('/')]
    : first === 'demo' ? [DEMO, rest.join('/') || 'checkout.html']
    : [folder, path.slice(1) || 'page.html'];
  const isFile = (/** @type {URL} */ file) => file.href.startsWith(base.href) && statSync(file, { throwIfNoEntry: false })?.isFile();
  const file = new URL(name, base);
  if (isFile(file)) return file;
  return path === '/' ? new URL('page.html', SHARED) : undefined;
}
