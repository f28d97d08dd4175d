// @ts-check
/**
 * The floor: the least that puts a card form into a frame of another site. A script of a few lines adds the frame, the
 * frame is plain HTML without style or script. Same layout of origins, compression and cache headers as the service.
 */
import { createServer } from 'node:http';
import { brotliCompressSync, constants } from 'node:zlib';

const SCRIPT = `(() => {
  const frame = document.createElement('iframe');
  frame.title = 'Card details';
  frame.src = new URL('frame', document.currentScript.src);
  document.getElementById('card').append(frame);
})();`;

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Card details</title>
</head>
<body>
<form id="form" autocomplete="on">
<p><label for="number">Card number</label> <input id="number" inputmode="numeric" autocomplete="cc-number" required></p>
<p><label for="expiry">Expiry date</label> <input id="expiry" inputmode="numeric" autocomplete="cc-exp" required placeholder="MM/YY"></p>
<p><label for="code">CVV</label> <input id="code" inputmode="numeric" autocomplete="cc-csc" required></p>
<button>Pay</button>
</form>
</body>
</html>`;

/** As the service's: files at the highest quality, pages at the one that pays while sending. */
export const FILE_QUALITY = 11;
export const PAGE_QUALITY = 5;

/** Serves it on a free port of `localhost`. */
export async function openFloor() {
  const files = {
    '/widget/v1/floor.js': answer(SCRIPT, 'text/javascript', FILE_QUALITY, 'no-cache'),
    '/widget/v1/frame': answer(HTML, 'text/html', PAGE_QUALITY, 'no-store'),
  };
  const server = createServer((request, response) => {
    const file = files[/** @type {keyof files} */ (new URL(request.url ?? '/', 'http://floor').pathname)];
    if (!file) response.writeHead(404).end();
    else response.writeHead(200, file.headers).end(file.body);
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

/** @param {string} text @param {string} type @param {number} quality @param {string} cache */
function answer(text, type, quality, cache) {
  const body = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  return {
    body,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-encoding': 'br',
      'content-length': body.length,
      'cache-control': cache,
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'accept-encoding',
    },
  };
}
