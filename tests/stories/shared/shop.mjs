/** The shop: serves a story's own folder, what stories share, and the demo shop's files under `/demo/`. */
import { createServer } from 'node:http';
import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHARED = new URL('./', import.meta.url);
const DEMO = new URL('../../../www/demo/', import.meta.url);
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/**
 * @param {URL} folder The story's folder; `/` is its `page.html`.
 * @param {string} service Address that stands in for `%SERVICE%` in every text.
 */
export async function openShop(folder, service) {
  const server = createServer((request, response) => {
    const file = find(folder, new URL(request.url ?? '/', 'http://shop').pathname);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(fileURLToPath(file))] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' });
    response.end(readFileSync(file, 'utf8').replaceAll('%SERVICE%', service));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${port}`, port, close };
}

/** @param {URL} folder @param {string} path */
function find(folder, path) {
  const [, first, ...rest] = path.split('/');
  const [base, name] =
    first === 'shared' ? [SHARED, rest.join('/')]
    : first === 'demo' ? [DEMO, rest.join('/') || 'checkout.html']
    : [folder, path.slice(1) || 'page.html'];
  const file = new URL(name, base);
  return file.href.startsWith(base.href) && statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}
