// @ts-check
/**
 * The frames that the widget is measured beside: the widget's own page with its style, its scripts taken out, and one
 * other script put in. So the document, its layout and its painting are the same for all, and the scripts differ.
 */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Name in the table, and the script; none leaves the inputs bare. */
export const FORMS = {
  'bare input': '',
  'plain JavaScript': 'plain.js',
  'plain JavaScript, sparing': 'plain.js?sparing',
  'cleave-zen, card-validator': 'cleave.js',
  imask: 'imask.js',
  'react-payment-inputs, React': 'react.js',
};

/**
 * Serves them on a free port of `localhost`, each with a process of its own as the service's frame has.
 *
 * @param {string} html The widget's frame as the service sends it.
 */
export async function openForms(html) {
  const page = html
    .replace(/<noscript>[^]*?<\/noscript>/g, '')
    .replace(/<script[^]*?<\/script>/g, '')
    .replace(/<link rel="(?:module)?preload"[^>]*>/g, '');
  if (!page.includes('id="number"') || page.includes('<script')) throw new Error("the widget's frame has changed its shape");
  /** @type {Map<string, string>} */
  const scripts = new Map();
  for (const file of new Set(Object.values(FORMS).map((script) => script.split('?')[0]).filter(Boolean))) {
    scripts.set(`/${file}`, bundle(file));
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://forms');
    const script = scripts.get(pathname);
    const name = /** @type {keyof typeof FORMS} */ (searchParams.get('name'));
    const load = FORMS[name] ? `<script type="module" src="/${FORMS[name]}"></script>` : '';
    response.writeHead(200, {
      'content-type': script ? 'text/javascript; charset=utf-8' : 'text/html; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'origin-agent-cluster': '?1',
    });
    response.end(script ?? page.replace('</body>', `${load}</body>`));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    origin: `http://localhost:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** As a shop would ship it: bundled, minified, for production. @param {string} file */
function bundle(file) {
  const [{ text }] = buildSync({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
  }).outputFiles;
  return text;
}
