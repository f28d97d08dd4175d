// @ts-check
/**
 * From a call to its answer: requests that the core made are sent with `fetch`, sent again where the core says that it does no
 * harm, and given up when the time is over.
 */
import * as core from '#client-core';
import { ClientError, wrong } from './client-errors.js';

/**
 * @typedef {{ base: string, authorization: string, timeout: number, retries: number, fetch: typeof fetch, signal?: AbortSignal }} Settings
 * @typedef {{ place: number, name: string, hasCustomer: boolean }} Call
 * @typedef {{ signal?: AbortSignal, timeout?: number }} Options
 * @typedef {{ call: string, params: object }} Remedy
 */

/** What the core calls a failed attempt that has no status. */
const NOT_SENT = 0;
const LOST = 1;

/**
 * Carries a call out, and hands what came back to `take`, which may throw a `Failed`.
 *
 * @template T
 * @param {Settings} settings
 * @param {Call} call
 * @param {unknown} customer
 * @param {unknown} params
 * @param {Options | undefined} options
 * @param {(response: Response, context: { isRepeat: boolean, remedy?: Remedy }) => Promise<T>} take
 * @returns {Promise<T>}
 */
export async function send(settings, call, customer, params, options = {}, take) {
  const { place, name } = call;
  const { timeout = settings.timeout, signal } = object(options, name);
  checkTimeout(timeout, `${name}(): options.timeout`);
  const written = json(params ?? {}, name);
  const [first, ...rest] = core.prepare(place, json(customer ?? null, name), written).split('\n');
  if (first.startsWith('!')) throw new ClientError('parameter', `${name}(): ${rest.join('\n')}`, { call: name, param: first.slice(1) });
  const [target, auth, body] = rest;
  const request = {
    method: first,
    headers: {
      accept: 'application/json',
      authorization: settings.authorization,
      ...(body && { 'content-type': 'application/json' }),
      ...(auth && { 'x-customer-auth': auth }),
    },
    ...(body && { body }),
    /** @type {RequestRedirect} Credentials go nowhere but to the address that was given. */
    redirect: 'manual',
    ...uncached(),
  };
  const remedy = remedyOf(place, written);
  const clock = start(timeout, [settings.signal, signal]);
  try {
    for (let attempt = 0, isRepeat = false; ; attempt += 1) {
      /** @type {Failed} */
      let failed;
      try {
        clock.signal.throwIfAborted();
        const response = await settings.fetch(settings.base + target, { ...request, signal: clock.signal });
        return await take(response, { isRepeat, remedy });
      } catch (error) {
        failed = error instanceof Failed ? error : failure(error, name, clock, remedy, settings.base);
      }
      const pause = attempt < settings.retries && !clock.signal.aborted ? core.wait(place, failed.status, failed.reset, attempt, Math.random()) : -1;
      if (pause < 0 || pause > clock.left()) throw said(failed.error, isRepeat, name, remedy);
      isRepeat ||= failed.status !== NOT_SENT && failed.status !== 429;
      await clock.sleep(pause).catch((reason) => { throw clock.isOver() ? said(failed.error, isRepeat, name, remedy) : reason; });
    }
  } finally {
    clock.stop();
  }
}

/**
 * What a call that does something ends with. Behind an attempt that may have been carried out, neither "nothing was sent" nor a refusal of another
 * attempt says what became of it.
 *
 * @param {InstanceType<typeof ClientError>} error
 * @param {boolean} isRepeat
 * @param {string} name
 * @param {Remedy | undefined} remedy
 */
function said(error, isRepeat, name, remedy) {
  if (!isRepeat || !remedy || !['not_sent', 'refused'].includes(error.kind)) return error;
  const sentence = `${name}(): an earlier attempt, whose answer was lost, may have been carried out: ${advice(remedy)}`;
  return new ClientError('lost', sentence, { call: name, remedy, cause: error });
}

/**
 * Reads a whole answer.
 *
 * @param {Call} call
 * @returns {(response: Response, context: { isRepeat: boolean, remedy?: Remedy }) => Promise<any>}
 */
export const whole = ({ place, name }) => async (response, { isRepeat, remedy }) => {
  const { status } = response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = core.read(place, status, isRepeat, bytes);
  const end = text.indexOf('\n');
  const what = text.slice(end + 1);
  switch (text.slice(0, end)) {
    case 'answer':
      return JSON.parse(what) ?? undefined;
    case 'refused':
      throw new Failed(status, refused(name, response, JSON.parse(what), remedy), reset(response));
    case 'earlier': {
      const sentence = `${name}(): an earlier attempt, whose answer was lost, was carried out or is being: ${advice(remedy)}`;
      throw new Failed(400, new ClientError('lost', sentence, { call: name, remedy, cause: refused(name, response, JSON.parse(what)) }));
    }
    default: {
      const place = response.headers.get('location') ? ' It leads elsewhere: give loadClient() the address that it leads to.' : '';
      const hint = place || (status === 404 ? ' Is `url` of loadClient() the base address of the service?' : '');
      const after = status >= 300 && status < 500 ? '' : ` What became of the call is not known: ${advice(remedy)}`;
      const sentence = `${name}(): the answer, with status ${status}, ${what}.${hint || after}`;
      throw new Failed(status, new ClientError('unreadable', sentence, { call: name, status, remedy: after ? remedy : undefined }));
    }
  }
};

/** An attempt that came to nothing. */
export class Failed extends Error {
  /** @param {number} status @param {InstanceType<typeof ClientError>} error @param {number} [seconds] */
  constructor(status, error, seconds = -1) {
    super();
    this.status = status;
    this.error = error;
    this.reset = seconds;
  }
}

/** @param {string} name @param {Response} response @param {any} body @param {Remedy} [remedy] */
function refused(name, response, { code, message, type, param, payment_id, error_id }, remedy) {
  const seconds = reset(response);
  const text = (/** @type {unknown} */ value) => (typeof value === 'string' && value ? value : undefined);
  return new ClientError('refused', `${name}(): ${message}`, {
    call: name,
    status: response.status,
    code,
    type: text(type),
    param: text(param),
    payment_id: text(payment_id),
    error_id: text(error_id),
    // A fault of the service may come after the deed.
    remedy: response.status >= 500 ? remedy : undefined,
    retryAfter: response.status === 429 && seconds >= 0 ? seconds * 1000 : undefined,
  });
}

/** Seconds until the limit is free again; -1 where nothing is said. @param {Response} response */
function reset({ headers }) {
  const said = headers.get('x-ratelimit-reset') ?? headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(said) ? Number(said) : -1;
}

/**
 * What `fetch` throws when there is no answer. Only what is known to have happened before anything was sent counts as that.
 *
 * @param {any} error
 * @param {string} name
 * @param {ReturnType<typeof start>} clock
 * @param {Remedy | undefined} remedy
 * @param {string} base
 */
function failure(error, name, clock, remedy, base) {
  if (clock.signal.aborted && !clock.isOver()) throw clock.signal.reason;
  if (error instanceof ClientError) throw error;
  if (!clock.isOver() && wasNotSent(error)) {
    const sentence = `${name}(): the service at ${base} cannot be reached, and nothing was sent: is the address right, and the service running?`;
    return new Failed(NOT_SENT, new ClientError('not_sent', sentence, { call: name, cause: error }));
  }
  const why = clock.isOver() ? `no answer came within ${clock.timeout} ms` : 'the connection broke before the answer was there';
  const sentence = `${name}(): ${why}. The call may have been carried out: ${advice(remedy)}`;
  return new Failed(LOST, new ClientError('lost', sentence, { call: name, remedy, cause: clock.isOver() ? undefined : error }));
}

/** @param {Remedy | undefined} remedy */
const advice = (remedy) => (remedy ? `ask ${remedy.call}(), as \`remedy\` says.` : 'it can be called again without harm.');

/** Each runtime has its own way to say it. @param {any} error */
function wasNotSent(error) {
  for (const one of [error, error?.cause, ...(error?.cause?.errors ?? [])]) {
    const code = String(one?.code ?? '');
    if (/^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|DNS\w+|\w*CERT\w*|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO)$/.test(code)) return true;
    if (/client error \(Connect\)|^bad port$/.test(String(one?.message))) return true;
  }
  return false;
}

/** @param {number} place @param {Uint8Array} params @returns {Remedy | undefined} */
function remedyOf(place, params) {
  const [call, told] = core.remedy(place, params).split('\n');
  return call ? { call, params: JSON.parse(told) } : undefined;
}

/** Text in UTF-8. @param {unknown} value @param {string} name */
function json(value, name) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new ClientError('parameter', `${name}(): the parameters must be plain data: no BigInt, and nothing that holds itself.`, { call: name, param: '', cause });
  }
  if (text === undefined) throw wrong(`${name}()`, 'the parameters', 'an object', value);
  return new TextEncoder().encode(text);
}

/** @param {Options} options @param {string} name @returns {Options} */
function object(options, name) {
  if (typeof options !== 'object' || options === null) throw wrong(`${name}()`, 'options', 'an object', options);
  return options;
}

/** @param {unknown} timeout @param {string} what */
export function checkTimeout(timeout, what) {
  if (!(Number.isInteger(timeout) && Number(timeout) >= 1 && Number(timeout) <= 600_000)) {
    throw new ClientError('parameter', `${what} must be milliseconds, as a whole number from 1 to 600,000.`, { param: 'options.timeout' });
  }
}

/** Answers are never to come from a store. Workers of an older day do not know the member. @returns {{ cache?: RequestCache }} */
function uncached() {
  return globalThis.navigator?.userAgent === 'Cloudflare-Workers' ? {} : { cache: 'no-store' };
}

/**
 * One clock for a call and all of its attempts, and one signal for all who may end it.
 *
 * @param {number} timeout
 * @param {(AbortSignal | undefined)[]} signals
 */
export function start(timeout, signals) {
  const controller = new AbortController();
  const { signal } = controller;
  const end = Date.now() + timeout;
  let over = false;
  const timer = setTimeout(() => {
    over = !signal.aborted;
    controller.abort();
  }, timeout);
  const heard = signals.filter((each) => each !== undefined);
  const abort = () => controller.abort(heard.find(({ aborted }) => aborted)?.reason);
  for (const each of heard) {
    if (each.aborted) abort();
    each.addEventListener('abort', abort, { once: true });
  }
  return {
    signal,
    timeout,
    isOver: () => over,
    left: () => end - Date.now(),
    stop() {
      clearTimeout(timer);
      for (const each of heard) each.removeEventListener('abort', abort);
    },
    /** @param {number} pause @returns {Promise<void>} */
    sleep: (pause) =>
      new Promise((resolve, reject) => {
        const stopped = () => {
          clearTimeout(timer);
          reject(signal.reason);
        };
        const timer = setTimeout(() => {
          signal.removeEventListener('abort', stopped);
          resolve();
        }, pause);
        if (signal.aborted) stopped();
        else signal.addEventListener('abort', stopped, { once: true });
      }),
  };
}
