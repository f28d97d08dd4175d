// @ts-check
/**
 * The service's own payment page: where to send the payer, what they come back with, and how it ended. What has no client is for
 * pages as well.
 */
import { ClientError, wrong } from './client-errors.js';
import { start as startClock } from './client-transport.js';

/** @type {typeof import('./client.js').checkAction} */
export function checkAction(action, { hosts } = /** @type {any} */ ({})) {
  const call = 'checkAction(action, { hosts })';
  if (!Array.isArray(hosts) || hosts.length === 0 || hosts.some((host) => typeof host !== 'string')) {
    throw wrong(call, 'hosts', 'a list of the hosts that payers may be sent to, such as ["pay.example"]', hosts);
  }
  const refuse = (/** @type {string} */ sentence) => new ClientError('parameter', `${call}: ${sentence}`, { call, param: 'action' });
  if (!action) throw refuse('there is no `action`: the payer need not go anywhere. Look at `details` of the answer.');
  let url;
  try {
    url = new URL(action.value);
  } catch { /* Said below. */ }
  if (action.type !== 'url' || !url) throw refuse('`action` must be an address; take a newer version of this package.');
  if (!hosts.some((host) => host.toLowerCase() === url.hostname)) throw refuse('`action.value` is of another host than expected: do not send the payer there.');
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isHere(url.hostname));
  if (!isSafe || url.username || url.password) throw refuse('`action.value` is no https address: do not send the payer there.');
  return url.href;
}

/** Whether a host is this machine. @param {string} host */
export const isHere = (host) => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** @type {typeof import('./client.js').redirect} */
export function redirect(action, options) {
  const address = checkAction(action, options);
  if (typeof globalThis.document === 'undefined') {
    throw new ClientError('wrong_side', 'redirect(action, { hosts }): there is no page here: on a server, answer with status 303 and what checkAction() gives as Location.');
  }
  globalThis.location.assign(address);
}

/** @type {typeof import('./client.js').readReturn} */
export function readReturn(location) {
  const address = String(typeof location === 'string' ? location : location?.href).split('#')[0];
  const query = new URLSearchParams(address.slice(address.lastIndexOf('?') + 1));
  const one = (/** @type {string} */ name) => (query.getAll(name).length === 1 && query.get(name)) || undefined;
  const external_id = one('external_id');
  const batch_external_id = one('batch_external_id');
  if ((external_id === undefined) === (batch_external_id === undefined)) {
    throw new ClientError('parameter', 'readReturn(location): the address must have `external_id` or `batch_external_id` once: it is none that a payer comes back with.', { param: 'location' });
  }
  const status = one('status');
  const saysSuccess = status === 'success' ? true : status === 'failure' ? false : null;
  return external_id === undefined ? { batch_external_id: String(batch_external_id), saysSuccess } : { external_id, saysSuccess };
}

/**
 * The helpers that need a client.
 *
 * @param {any} client
 * @param {string} base
 * @returns {import('./client.js').Hosted}
 */
export function makeHosted(client, base) {
  const { hostname } = new URL(base);
  // A service on this machine calls itself by either name.
  const own = isHere(hostname) ? [hostname, 'localhost', '127.0.0.1'] : [hostname];
  const group = (/** @type {string} */ name, /** @type {{ mode?: string }} */ fixed, /** @type {(params: any, more: any) => Promise<any>} */ ask, /** @type {(answer: any) => string} */ judge) =>
    Object.freeze({
      async start(/** @type {any} */ params, /** @type {any} */ { hosts = own, ...more } = {}) {
        if (fixed.mode && (params?.mode ?? fixed.mode) !== fixed.mode) {
          throw new ClientError('parameter', `hosted.${name}.start(params): params.mode must be "hosted", or left out.`, { param: 'mode' });
        }
        const answer = await client[name].create({ ...params, ...fixed }, more);
        return { answer, url: answer.action_required ? checkAction(answer.action, { hosts }) : null };
      },
      wait: (/** @type {any} */ named, /** @type {any} */ options) => wait(`hosted.${name}.wait(named, options)`, (more) => ask(named, more), judge, options),
    });
  const purchased = (/** @type {any} */ { purchased, purchase_details: attempts }) => {
    if (purchased) return 'paid';
    return attempts.at(-1)?.status === 'failure' ? 'failed' : 'open';
  };
  return Object.freeze({
    payments: group('payments', { mode: 'hosted' }, (...asked) => client.payments.info(...asked), purchased),
    baskets: group('baskets', { mode: 'hosted' }, (...asked) => client.baskets.status(...asked), ({ status }) => (status === 'success' ? 'paid' : status === 'failure' ? 'failed' : 'open')),
    // Which mode it is depends on the bank.
    installments: group('installments', {}, (...asked) => client.installments.info(...asked), purchased),
  });
}

/**
 * Asks until there is a result, or the time is over.
 *
 * @param {string} call
 * @param {(more: { signal: AbortSignal, timeout: number }) => Promise<any>} ask
 * @param {(answer: any) => string} judge
 * @param {{ timeout?: number, interval?: number, signal?: AbortSignal }} [options]
 * @returns {Promise<any>}
 */
async function wait(call, ask, judge, { timeout = 120_000, interval = 1000, signal } = {}) {
  for (const [name, value, least] of /** @type {[string, any, number][]} */ ([['timeout', timeout, 1], ['interval', interval, 100]])) {
    if (!(Number.isInteger(value) && value >= least && value <= 3_600_000)) {
      throw new ClientError('parameter', `${call}: options.${name} must be milliseconds, as a whole number from ${least} to 3,600,000.`, { param: `options.${name}` });
    }
  }
  const clock = startClock(timeout, [signal]);
  try {
    // Each pause is half as long again as the one before, up to ten seconds.
    for (let pause = interval; ; pause = Math.min(pause * 1.5, Math.max(interval, 10_000))) {
      try {
        const answer = await ask({ signal: clock.signal, timeout: Math.max(1, Math.min(clock.left(), 600_000)) });
        const outcome = judge(answer);
        if (outcome !== 'open') return { outcome, answer };
      } catch (error) {
        // What nobody has begun to pay is open, and so is what could not be asked for.
        const isOpen = error instanceof ClientError && (error.kind === 'lost' || error.kind === 'not_sent' || /** @type {any} */ (error).code === 'data_not_found');
        if (!isOpen && !clock.isOver()) throw error;
      }
      if (clock.left() <= 0 || clock.isOver()) return { outcome: 'open', answer: null };
      await clock.sleep(pause).catch((reason) => {
        if (!clock.isOver()) throw reason;
      });
      if (clock.isOver()) return { outcome: 'open', answer: null };
    }
  } finally {
    clock.stop();
  }
}
