// @ts-check
/**
 * The widget as it could be, beside the one that is: a proxy in front of the real service that changes an answer or two.
 * Nothing of this is built or shipped.
 *
 * @typedef {object} Change
 * @property {(page: Page) => void | Promise<void>} [frame] What becomes of the frame's page.
 * @property {number} [quality] That the frame's page is compressed with, if not the usual one.
 * @property {(headers: import('node:http').IncomingHttpHeaders) => void} [loader] What becomes of the head of the loader's answer.
 * @property {(loader: string, page: Page) => string} [script] What becomes of the loader itself.
 *
 * @typedef {{ html: string, headers: import('node:http').IncomingHttpHeaders, file: (path: string) => Promise<Buffer> }} Page
 */
import { Agent, createServer, request as ask } from 'node:http';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { brotliCompressSync, constants, deflateRawSync } from 'node:zlib';
import { FILE_QUALITY, PAGE_QUALITY } from './floor.mjs';

const LOADER = '/widget/v1/card-widget.js';
const FRAME = '/widget/v1/frame';

/** @type {Record<string, Change>} By name; what each is, is in `docs/performance.md`. */
export const CHANGES = {
  /** Nothing: what the proxy itself costs. */
  same: {},
  /** Script and module inside the page, behind the form: two round trips in all, and nothing is kept. */
  inlined: { frame: inline },
  /** The loader may be a visit old. */
  stale: {
    loader(headers) {
      headers['cache-control'] = 'max-age=0, stale-while-revalidate=86400';
    },
  },
  /** What the page preloads is also named in its head. */
  linked: {
    frame(page) {
      const { script, wasm } = parts(page.html);
      page.headers.link = `<${script}>; rel=modulepreload, <${wasm}>; rel=preload; as=fetch`;
    },
  },
  /** The module is asked for before the script. */
  'module-first': {
    frame(page) {
      const { preload, tag } = parts(page.html);
      page.html = page.html.replace(tag, '').replace(preload, preload + tag);
    },
  },
  /** The script is asked for before the module. */
  'script-first': {
    frame(page) {
      const { preload, tag } = parts(page.html);
      page.html = page.html.replace(preload, '').replace(tag, tag + preload);
    },
  },
  /** Script and module are named behind the form. */
  late: {
    frame(page) {
      const { preload, tag } = parts(page.html);
      page.html = page.html.replace(preload, '').replace(tag, '').replace('</body>', preload + tag + '</body>');
    },
  },
  /** The module matters more than the browser thinks. */
  urgent: {
    frame(page) {
      page.html = page.html.replace('rel="preload"', 'rel="preload" fetchpriority="high"');
    },
  },
  /** The frame's page is compressed as well as brotli can. */
  packed: { frame() {}, quality: FILE_QUALITY },
  /** The frame shares a process with other pages of the service's site. */
  unkeyed: {
    frame(page) {
      delete page.headers['origin-agent-cluster'];
    },
  },
  /** The loader asks for the frame's script while the frame's page is on its way. */
  early: {
    script(loader, page) {
      const { script } = parts(page.html);
      const address = `new URL(${JSON.stringify(script)},document.currentScript.src)`;
      return `document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href:${address}}));${loader}`;
    },
  },
};

/**
 * @param {string} service Origin of the real one.
 * @param {Change} change
 */
export async function openVariant(service, change) {
  const agent = new Agent({ keepAlive: true });
  /** @type {(path: string, headers: import('node:http').OutgoingHttpHeaders) => Promise<{ status: number, headers: import('node:http').IncomingHttpHeaders, body: Buffer }>} */
  const pass = async (path, headers) => {
    const request = ask(service + path, { agent, headers });
    request.end();
    const [response] = /** @type {[import('node:http').IncomingMessage]} */ (await once(request, 'response'));
    const pieces = [];
    for await (const piece of response) pieces.push(piece);
    const { 'transfer-encoding': _, connection: __, 'keep-alive': ___, ...rest } = response.headers;
    return { status: response.statusCode ?? 502, headers: rest, body: Buffer.concat(pieces) };
  };
  const file = async (/** @type {string} */ path) => (await pass(path, {})).body;
  const page = async (/** @type {string} */ path) => {
    const { headers, body } = await pass(path, {});
    return /** @type {Page} */ ({ html: body.toString(), headers, file });
  };
  /** @type {(headers: import('node:http').IncomingHttpHeaders, text: string, quality: number) => Buffer} */
  const pack = (headers, text, quality) => {
    const body = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
    Object.assign(headers, { 'content-encoding': 'br', 'content-length': String(body.length) });
    return body;
  };

  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const { pathname } = new URL(path, service);
    if (pathname === FRAME && change.frame) {
      const changed = await page(path);
      await change.frame(changed);
      const body = pack(changed.headers, changed.html, change.quality ?? PAGE_QUALITY);
      response.writeHead(200, changed.headers).end(body);
      return;
    }
    let { status, headers, body } = await pass(path, request.headers);
    if (pathname === LOADER) {
      change.loader?.(headers);
      if (change.script && status === 200) {
        const plain = await pass(path, {});
        body = pack(headers, change.script(plain.body.toString(), await page(known)), FILE_QUALITY);
      }
    }
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    origin: `http://localhost:${port}`,
    close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A page of the frame, to read the files' names from. */
const known = `${FRAME}?key=wk_sandbox&origin=http://127.0.0.1:1`;

/** Addresses of the loader that never change, as the frame's page gives them away, and its hash. @param {string} service */
export async function pinned(service) {
  const html = await (await fetch(service + known)).text();
  const path = parts(html).script.replace(/[^/]+$/, 'card-widget.js');
  const bytes = Buffer.from(await (await fetch(service + path)).arrayBuffer());
  return { path, integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}` };
}

/** @param {string} html */
function parts(html) {
  const [tag, script] = /<script type="module" src="([^"]+)"><\/script>/.exec(html) ?? [];
  const [preload, wasm] = /<link rel="preload" as="fetch" href="([^"]+)">/.exec(html) ?? [];
  if (!tag || !script || !preload || !wasm) throw new Error("the frame's page names its files in another way now");
  return { tag, script, preload, wasm };
}

/**
 * The module travels deflated, in base64: brotli undoes the base64, but finds little in it when it is not deflated before.
 * The script is left as it was built; what it fetches is in the page.
 *
 * @param {Page} page
 */
async function inline(page) {
  const { tag, script, preload, wasm } = parts(page.html);
  const code = `{const own=fetch,wasm=document.querySelector('link[as=fetch]').href;
self.fetch=(address,...rest)=>{
if(address!==wasm)return own(address,...rest);
const bytes=Uint8Array.from(atob(document.getElementById('wasm').textContent),(one)=>one.charCodeAt(0));
const stream=new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
return Promise.resolve(new Response(stream,{headers:{'content-type':'application/wasm'}}))}}
${(await page.file(script)).toString().replaceAll('</script', '<\\/script')}`;
  const module = deflateRawSync(await page.file(wasm), { level: 9 }).toString('base64');
  page.html = page.html
    .replace(tag, '')
    .replace(preload, preload.replace('rel="preload" ', ''))
    .replace('</body>', () => `<script type="text/plain" id="wasm">${module}</script>\n<script type="module">${code}</script>\n</body>`);
  const hash = createHash('sha256').update(code).digest('base64');
  const policy = String(page.headers['content-security-policy']);
  page.headers['content-security-policy'] = policy.replace('script-src', `script-src 'sha256-${hash}'`);
}
