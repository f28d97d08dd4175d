// @ts-check
/**
 * The shop's server: `node server.js [FOLDER]` serves the pages of a folder, makes payments, and hears callbacks.
 *
 * `SERVICE`, `LOGIN`, `PASSWORD` and `WIDGET_KEY` are those of the sandbox where nothing is said; `PORT` is 3000.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ClientError, loadClient } from 'card-widget/client';
import { PRODUCTS, find, open, settle } from './shop.js';

const { SERVICE = 'http://localhost:8080', LOGIN = 'sandbox', PASSWORD = 'sandbox-password', WIDGET_KEY = 'wk_sandbox', PORT = '3000' } = process.env;
const shop = `http://127.0.0.1:${PORT}`;
const folder = process.argv[2] ?? fileURLToPath(new URL('public', import.meta.url));

const client = await loadClient({ url: SERVICE, login: LOGIN, password: PASSWORD });

/** Pays an order with a token of the form. @param {import('./shop.js').Order} order @param {string} token */
async function pay(order, token) {
  const payment = await client.payments.create({
    amount: order.amount,
    currency: 'UAH',
    external_id: order.number,
    mode: 'direct',
    callback_url: `${shop}/callbacks`,
    result_url: `${shop}/order.html?number=${order.number}`,
    customer: { locale: 'EN', payment_method: { type: 'cc_token', cc_token: { token } } },
  });
  settle(order, payment);
  return { ...shown(order), next: payment.action?.value ?? null };
}

/** Asks how an order stands, where it is not known: a callback may be on its way, or lost. @param {import('./shop.js').Order} order */
async function look(order) {
  if (order.state !== 'waiting') return;
  try {
    const { purchased, receipt_url, purchase_details } = await client.payments.info({ external_id: order.number });
    settle(order, { is_success: purchased, receipt_url, details: purchase_details.at(-1) });
  } catch (error) {
    // Nobody has finished an attempt yet.
    if (!(error instanceof ClientError && error.code === 'data_not_found')) throw error;
  }
}

/** What the service tells. @param {import('node:http').IncomingMessage} request */
async function hear(request) {
  const event = await client.callbacks.fromNode(request);
  if (event.kind !== 'payment') return;
  const order = find(event.body.external_id);
  // A callback may come twice.
  if (!order || order.heard.has(event.key)) return;
  order.heard.add(event.key);
  settle(order, event.body);
  console.log(`callback: ${order.number} is ${order.state}`);
}

/** What a page may know of an order. @param {import('./shop.js').Order} order */
const shown = ({ number, amount, state, why, receipt }) => ({ number, amount, state, why, receipt });

/** @param {import('node:http').IncomingMessage} request @param {string} path @returns {Promise<object | undefined>} */
async function answer(request, path) {
  const [, , number, action] = path.slice(1).split('/');
  if (path === '/api/shop') return { service: SERVICE, widgetKey: WIDGET_KEY, currency: 'UAH', products: PRODUCTS };
  if (path === '/api/orders' && isOwn(request)) {
    const order = open(await json(request));
    return order && shown(order);
  }
  const order = number ? find(number) : undefined;
  if (!order) return undefined;
  if (action === 'pay' && isOwn(request)) {
    const { token } = await json(request);
    return pay(order, String(token));
  }
  await look(order);
  return shown(order);
}

/** Whether a page of the shop asks, and not another site's form. @param {import('node:http').IncomingMessage} request */
const isOwn = ({ method, headers }) => method === 'POST' && headers.origin === `http://${headers.host}`;

/** @param {import('node:http').IncomingMessage} request @returns {Promise<any>} */
async function json(request) {
  let text = '';
  for await (const part of request.setEncoding('utf8')) {
    text += part;
    if (text.length > 10_000) throw new SyntaxError('too long');
  }
  return JSON.parse(text);
}

/** @type {Record<string, string>} */
const KINDS = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };

/** Scripts and frames of the service, and nothing else of strangers. */
const POLICY = `default-src 'none'; script-src 'self' ${SERVICE}; frame-src ${SERVICE}; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'`;

createServer(async (request, response) => {
  const path = new URL(request.url ?? '/', shop).pathname;
  try {
    if (path === '/callbacks') {
      await hear(request);
      response.end();
    } else if (path.startsWith('/api/')) {
      const found = await answer(request, path);
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(JSON.stringify(found ?? { error: 'there is no such thing' }));
    } else {
      const name = normalize(path === '/' ? '/index.html' : path);
      // An application of one page answers for all of them.
      const page = await readFile(join(folder, name)).catch((error) => (name.endsWith('.html') ? readFile(join(folder, 'index.html')) : Promise.reject(error)));
      response.writeHead(200, { 'content-type': KINDS[extname(name)] ?? 'application/octet-stream', 'content-security-policy': POLICY });
      response.end(page.toString().replaceAll('%SERVICE%', SERVICE));
    }
  } catch (error) {
    const status = Object(error).code === 'ENOENT' ? 404 : Object(error).kind === 'callback' ? 401 : error instanceof SyntaxError ? 400 : 500;
    if (status !== 404) console.error(String(error));
    // Whether a call was carried out is not known of an answer that was lost: the page asks for the order again.
    if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: 'this did not work' }));
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`open ${shop}`));
