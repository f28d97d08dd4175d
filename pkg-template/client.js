// @ts-check
/**
 * The service for shops' servers: every call of its interface as a function. Requests are checked and answers read by one core in
 * Rust, compiled to WebAssembly; this is its face.
 */
import * as core from '#client-core';
import { makeCallbacks } from './client-callbacks.js';
import { ClientError, refusePages, wrong } from './client-errors.js';
import { isHere, makeHosted } from './client-hosted.js';
import { rows } from './client-rows.js';
import { startCore } from './client-start.js';
import { checkTimeout, send, whole } from './client-transport.js';

export { loadCallbacks } from './client-callbacks.js';
export { showCards } from './client-cards.js';
export { checkAction, readReturn, redirect } from './client-hosted.js';
export { mobileA, mobileB } from './client-wallets.js';
export { ClientError };

/** @type {typeof import('./client.js').loadClient} */
export function loadClient(options) {
  const loading = load(options);
  // Who forgets `await` reads a sentence instead of "undefined".
  for (const group of GROUPS) {
    Object.defineProperty(loading, group, {
      get() {
        throw new ClientError('not_loaded', `client.${group}: the client is not loaded yet: write \`const client = await loadClient(…)\`.`);
      },
    });
  }
  return loading;
}

const GROUPS = ['payments', 'baskets', 'savedCards', 'installments', 'payouts', 'plans', 'subscriptions', 'reports', 'hosted', 'callbacks'];

/** @param {import('./client.js').ClientOptions} options @returns {Promise<any>} */
async function load(options) {
  const settings = read(options);
  await startCore('loadClient()');
  /** @type {Record<string, any>} */
  const client = {};
  core.calls().trimEnd().split('\n').forEach((line, place) => {
    const [name, isAboutCustomer] = line.split(' ');
    const [group, method] = name.split('.');
    const call = { place, name, hasCustomer: isAboutCustomer !== undefined };
    client[group] ??= {};
    const ask = call.hasCustomer
      ? (/** @type {unknown} */ customer, /** @type {unknown} */ params, /** @type {any} */ more) => send(settings, call, customer, params, more, whole(call))
      : (/** @type {unknown} */ params, /** @type {any} */ more) => send(settings, call, undefined, params, more, whole(call));
    client[group][method] = group === 'reports' ? Object.freeze(Object.assign(ask, { rows: rows(settings, call) })) : ask;
  });
  for (const group of Object.values(client)) Object.freeze(group);
  client.hosted = makeHosted(client, settings.base);
  client.callbacks = makeCallbacks([options.password]);
  return Object.freeze(client);
}

/** @param {any} options */
function read(options) {
  const call = 'loadClient(options)';
  if (typeof options !== 'object' || options === null) throw wrong(call, 'options', 'an object', options);
  const { url, login, password, timeout = 30_000, retries = 2, signal, allowCredentialsInBrowser = false } = options;
  if (allowCredentialsInBrowser !== true) refusePages(call, 'call from the server, and hand the page what it may see.');
  for (const [name, value] of Object.entries({ login, password })) {
    if (typeof value !== 'string' || value === '') throw wrong(call, `options.${name}`, 'text that is not empty', value);
  }
  if (login.includes(':')) throw new ClientError('parameter', `${call}: options.login must be without a colon.`, { param: 'options.login' });
  checkTimeout(timeout, `${call}: options.timeout`);
  if (!(Number.isInteger(retries) && retries >= 0 && retries <= 10)) {
    throw new ClientError('parameter', `${call}: options.retries must be a whole number from 0 to 10.`, { param: 'options.retries' });
  }
  const fetch = options.fetch ?? globalThis.fetch;
  if (typeof fetch !== 'function') throw wrong(call, 'options.fetch', 'a function like the global `fetch`', fetch);
  const credentials = String.fromCharCode(...new TextEncoder().encode(`${login}:${password}`));
  return {
    base: base(url, call),
    authorization: `Basic ${btoa(credentials)}`,
    timeout,
    retries,
    signal,
    // Some runtimes want it called as a function of nobody.
    fetch: /** @type {typeof globalThis.fetch} */ ((...request) => fetch(...request)),
  };
}

/** The base address without a slash at its end. @param {unknown} url @param {string} call */
function base(url, call) {
  let parsed;
  try {
    parsed = new URL(String(url));
  } catch {
    throw new ClientError('parameter', `${call}: options.url must be the absolute address of the service, such as https://pay.example.`, { param: 'options.url' });
  }
  const { protocol, hostname, username, search, hash, origin, pathname } = parsed;
  const isNear = isHere(hostname) || !/[.:]/.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isNear)) {
    throw new ClientError('parameter', `${call}: options.url must begin with https://, as the password goes there; http:// is for this machine and hosts without a domain.`, { param: 'options.url' });
  }
  if (username || search || hash || /\/(api|widget)(\/|$)/.test(pathname)) {
    throw new ClientError('parameter', `${call}: options.url must be the base address alone, without the path of a call, a query or a user.`, { param: 'options.url' });
  }
  return origin + pathname.replace(/\/+$/, '');
}
