// @ts-check
/// <reference path="./early.d.ts" />
// What goes to the shop and to the service, and what comes from there.
import { call } from './core.js';
import { FIELDS, at, early, show } from './page.js';

/**
 * Messages that ask for something at once, by the module's numbers.
 *
 * @type {{ [type: string]: number }}
 */
const ASKS = { __proto__: /** @type {any} */ (null), focus: 0, clear: 1, validate: 2 };

/** @type {import('../shared/messages').Init | import('../shared/messages').Update | undefined} What the shop said last. */
let wishes;

/** The language that the shop asked for when it got the one in use: a service may know fewer than the loader. */
let asked = new URLSearchParams(location.search).get('lang');

/** @type {string | undefined} A language whose texts are on their way. */
let coming;

/** @type {import('../shared/messages').LocaleTexts | undefined} The shop's texts in the language in use. */
let locale;

/** @type {{ limit: AbortSignal } | undefined} The submit under way. */
let run;

/** Milliseconds that a submit, or another request, may take. */
let deadline = 13_500;

/**
 * @param {MessagePort} port
 * @param {import('../shared/messages').FromFrame} message
 */
export const tell = (port, message) => port.postMessage(message);

/** A request that is part of a submit ends with it. */
export const limit = () => run?.limit;

/**
 * Whether a request succeeded, and the body of the answer with the seconds to wait before another, empty where it is not
 * JSON. Throws a code.
 *
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @param {RequestInit} [init]
 */
export async function ask(path, signal = AbortSignal.timeout(deadline), init) {
  let answered, ok, wait, text;
  try {
    const response = await fetch(path, { ...init, signal });
    answered = true;
    ok = response.ok;
    const after = response.headers.get('Retry-After') ?? '';
    // Seconds, or a date by the service's clock.
    wait = Number(after) || (Date.parse(after) - Date.parse(response.headers.get('Date') ?? '')) / 1000;
    text = await response.text();
  } catch {
    if (signal.aborted) throw 'timeout';
    if (!navigator.onLine) throw 'offline';
    throw answered ? 'answer_unreadable' : 'service_unreachable';
  }
  try {
    return { ok, body: { ...JSON.parse(text), wait } };
  } catch {
    return { ok: false, body: {} };
  }
}

/**
 * Submits, and goes from promise to promise until there is a token, or a reason why not. Every step has the same deadline.
 *
 * @param {boolean} byShop
 */
async function submit(byShop) {
  if (run) return;
  const mine = { limit: AbortSignal.timeout(deadline) };
  run = mine;
  let step = call('on_submit', byShop);
  while (step) {
    let value, error;
    try {
      value = await within(step, mine.limit);
    } catch (reason) {
      error = reason;
    }
    if (run !== mine) return;
    step = call('resume', value, error);
  }
  if (run === mine) run = undefined;
}

/**
 * What a promise brings, unless that takes too long: browsers give no promise about how long cryptography takes.
 *
 * @param {Promise<unknown>} step
 * @param {AbortSignal} limit
 */
const within = (step, limit) =>
  new Promise((resolve, reject) => {
    const late = () => reject('timeout');
    if (limit.aborted) late();
    limit.onabort = late;
    step.then(resolve, reject);
  });

/** Gives up a submit, whose instance is no more. Whether there was one. */
export function stop() {
  const was = run;
  run = undefined;
  return Boolean(was);
}

/**
 * A message of the shop. What is not on the list is ignored.
 *
 * @param {import('../shared/messages').ToFrame} message
 * @param {MessagePort} port
 */
export function hear(message, port) {
  const type = message?.type;
  if (type === 'init' || type === 'update') {
    wishes = message;
    deadline = message.deadline || deadline;
    if (type === 'update') early.paint(message);
    configure();
    if (message.lang === asked) coming = undefined;
    else if (type === 'update' && message.lang !== coming) learn(message.lang, port);
    if (type === 'init') {
      tell(port, { type: 'ready' });
      // Not before: what the shop takes decides whether a card is wrong.
      early.press = () => submit(false);
      if (early.submit) submit(false);
    }
  } else if (type === 'submit') submit(true);
  else if (ASKS[type] >= 0) call('on_ask', ASKS[type], FIELDS.indexOf(/** @type {any} */ (message).field));
}

/**
 * Does what the shop said last, in the language in use.
 *
 * @param {{ [name: string]: any }} [texts] Those of that language, where it is another one than before.
 */
export function configure(texts) {
  if (!wishes) return;
  if (wishes.lang === asked) locale = wishes.locale;
  call('on_message', { ...wishes, lang: early.data.lang, locale }, texts);
}

/**
 * Fetches the texts of another language, and speaks it when they are there and still wanted.
 *
 * @param {string} lang
 * @param {MessagePort} port
 */
async function learn(lang, port) {
  coming = lang;
  const query = new URLSearchParams({ lang, type: early.data.form });
  const answer = await ask('/widget/%VERSION%/texts?' + query).catch(() => undefined);
  if (coming !== lang) return;
  coming = undefined;
  if (!answer?.ok || !answer.body.texts) {
    return tell(port, { type: 'warning', message: `The texts of "${lang}" could not be loaded; the language stays.` });
  }
  asked = lang;
  Object.assign(early.data, { lang: answer.body.lang, texts: answer.body.texts });
  speak();
  configure(early.data.texts);
}

/** The texts that stand in no field and never change in a language. */
function speak() {
  const { lang, texts, form } = early.data;
  own(texts);
  Object.assign(document.documentElement, { lang, dir: texts.dir });
  document.title = texts[form === 'pan_only' ? 'titleReceive' : 'title'];
  show('networks-label', texts.networks);
  if (at('test')) show('test', texts.testMode);
}

/**
 * What is looked up among the codes comes from outside, and shall find no names of prototypes.
 *
 * @param {{ codes: object }} texts
 */
const own = (texts) => Object.setPrototypeOf(texts.codes, null);
own(early.data.texts);
