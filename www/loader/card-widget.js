// @ts-check
/**
 * The loader: the part of CardWidget that runs on the shop's page. It checks what the shop asked for, puts one
 * frame of the service into the shop's element and passes the frame's answers on. It never sees a card number:
 * no message it can receive has room for one (`www/shared/messages.d.ts`).
 *
 * No dependency, no cookie, no storage, no HTML from strings, no inline style: a strict shop's policy needs to allow
 * `script-src` and `frame-src` for the service and nothing else.
 *
 * What happens when is the table in `life.js`; here is how.
 *
 * @import { Connect, FromFrame, ToFrame } from '../shared/messages'
 * @import { CardWidget, CardWidgetError, CardWidgetHandle, CardWidgetParams } from '../../pkg-template/index.js'
 * @import { Answers, Kind } from './answers.js'
 * @import { Effect, Event, State } from './life.js'
 * @import { Settings } from './params.js'
 */
import { settle, wait } from './answers.js';
import { findCause, isAbout, UNTOLD } from './diagnosis.js';
import { failure, makeError } from './error.js';
import { claim, dress, holdRoom, leave, lookOf, observe, wishesOf } from './frame.js';
import { step } from './life.js';
import { aFunction, DEFAULTS, EVENT, FIELD, find, findLang, findProblem, handlerOf, missing, read, SIGNAL, take, TYPE, warn } from './params.js';

/** Filled in by the build. */
export const VERSION = '%VERSION%';

/**
 * @param {string} address Where the service is: its base address, or the address of this script on it.
 * @returns {CardWidget}
 * @throws {TypeError} when `address` is not an absolute URL.
 */
export function createCardWidget(address) {
  const service = address.replace(/\/widget\/[^/]+\/[^/]+\.js.*$|\/+$/, '');
  const { origin } = new URL(service);
  return { version: VERSION, init: (params) => start(service, origin, params) };
}

/**
 * One widget: from `init` to however many times it is opened and closed.
 *
 * @param {string} service
 * @param {string} origin The only origin that is ever posted to.
 * @param {CardWidgetParams} params
 * @returns {CardWidgetHandle}
 */
function start(service, origin, params) {
  const id = 'cw_' + Math.random().toString(36).slice(2);
  const form = read('type', Object(params).type, TYPE) ?? 'full_card';
  /** @type {Partial<CardWidgetParams>} What cannot change. */
  let fixed = { ...params, type: form, signal: read('signal', Object(params).signal, SIGNAL) };
  /** @type {Settings} */
  const defaults = { ...DEFAULTS, lang: findLang(document.documentElement.lang) ?? 'en' };
  let settings = { ...defaults };
  /** @type {Set<(event: string, value: any) => unknown>} What `on` has been given. */
  const handlers = new Set();

  /** @type {State} */
  let state = 'idle';
  /** @type {Element | undefined} */
  let host;
  /** @type {HTMLIFrameElement | undefined} */
  let frame;
  /** @type {MessagePort | undefined} Ours; the frame holds the other end. */
  let port;
  /** @type {Window | null | undefined} Of the document that holds it: moving the frame in the page makes another one. */
  let peer;
  /** Listens as long as there is a frame. */
  let events = new AbortController();
  const observer = new MutationObserver(lookAround);
  /** What is due unless something better happens first: a word to the page, or the deadline. 0 when nothing is. */
  let timer = 0;
  /** The next look into the frame's silence, or the last one; 0 when it has spoken. */
  let quiet = 0;
  /** The last token's time is up. */
  let expiry = 0;

  /** The settings are no longer those in the frame's address. */
  let changed = false;
  /** A submit has been given up here; the form may still say that it came too late, too. */
  let gaveUp = false;
  /** The page has heard `widget-init-ready`, for this opening or for the first one to come. */
  let told = false;
  /** @type {ToFrame[]} Asked of a form that does not work yet: told to each document that loads until one does. */
  let queue = [];
  /** @type {Answers} */
  const answers = {};
  let { promise: ready } = wait(answers, 'ready');
  /** @type {unknown} What ended the last opening. */
  let ended;

  /** @type {{ [effect in Effect]: (detail?: any, event?: Event) => void }} */
  const effects = {
    show() {
      const { theme, ...look } = lookOf(settings);
      const query = new URLSearchParams({ key: /** @type {string} */ (fixed.key), origin: pageOrigin(), lang: settings.lang, type: form, ...look });
      if (settings.theme) query.set('theme', JSON.stringify(theme));
      frame = document.createElement('iframe');
      frame.src = `${service}/widget/v1/frame?${query}`; // before it is in the page, so that no history entry is made
      frame.style.cssText = 'all:unset;display:block;width:100%'; // rules of the page for all frames are not for this one
      dress(frame, form, settings);
      events = new AbortController();
      const { signal } = events;
      frame.addEventListener('load', () => go('load'), { signal });
      document.addEventListener('securitypolicyviolation', blocked, { signal });
      addEventListener('pagehide', ({ persisted }) => persisted && go('hidden'), { signal });
      addEventListener('pageshow', ({ persisted }) => persisted && go('restored'), { signal });
      watch(navigator.onLine ? 5000 : 0);
      /** @type {Element} */ (host).append(frame);
      observe(/** @type {Element} */ (host), observer);
      holdRoom(frame, form, lookOf(settings));
    },

    hide() {
      effects.calm();
      observer.disconnect();
      events.abort();
      port?.close();
      frame?.remove();
      port = frame = undefined;
      changed = false;
    },

    /** Runs for every document that the frame loads: moving a frame in the page loads it again. */
    connect() {
      port?.close();
      const { port1, port2 } = new MessageChannel();
      port = port1;
      port.onmessage = hear;
      tell({ type: 'init', ...wishesOf(settings) });
      if (changed) tell({ type: 'update', ...wishesOf(settings), ...lookOf(settings) });
      queue.forEach(tell);
      peer = frame?.contentWindow;
      peer?.postMessage(
        /** @satisfies {Connect} */ ({ type: 'card-widget:connect', version: 1 }),
        origin,
        [port2],
      );
      observe(/** @type {Element} */ (host), observer); // it may have been moved into another tree
      watch(1000);
    },

    heard() {
      clearTimeout(quiet);
      quiet = 0;
    },

    calm() {
      effects.heard();
      clearTimeout(timer);
      timer = 0;
    },

    work() {
      // Not before: a document that loads into a frame with the keyboard does not have it.
      if (queue.some(({ type }) => type === 'focus')) enter();
      queue = [];
      greet();
      if (state === 'ready') emit('ready'); // a listener of the other event may have closed
    },

    drop(error = failure('closed')) {
      queue = [];
      answer('validate', error);
      answer('submit', error);
    },

    settle(error = failure('closed')) {
      ended = error;
      answer('ready', error);
      effects.drop(error);
      clearTimeout(expiry);
      told = false;
    },

    fail(error) {
      effects.settle(error);
      console.error('CardWidget: ' + error.message);
      announce('widget-init-error', { id: error.code, message: error.message });
      emit('error', error);
    },

    end(_, event) {
      emit('close', { reason: event });
    },

    release() {
      fixed.signal?.removeEventListener('abort', abort);
      leave(host, replaced);
      handlers.clear();
      host = undefined;
      fixed = {};
    },
  };

  take(settings, defaults, params);
  const problem = findProblem(params);
  if (fixed.signal?.aborted) {
    abort();
  } else if (problem) {
    state = 'destroyed';
    effects.settle(failure(...problem));
    setTimeout(effects.fail, 0, ended);
  } else {
    fixed.signal?.addEventListener('abort', abort);
    occupy(/** @type {Element} */ (find(fixed.selector)));
    // A shop may open only once it hears that it can. One that has opened by then is told when the form works.
    timer = setTimeout(greet);
  }

  return {
    id,
    get ready() {
      return ready;
    },
    open,
    close: () => go('closed'),
    update,
    setLang: (lang) => update({ lang }),
    on,
    focus: (field) => ask({ type: 'focus', field: read('field', field, FIELD) }),
    clear: () => ask({ type: 'clear' }),
    validate: () => request('validate'),
    submit: () => request('submit'),
    destroy: () => go('destroyed', failure('destroyed')),
  };

  /**
   * @param {Event} event
   * @param {unknown} [detail] The error that it brings, or leaves behind for whoever waits.
   */
  function go(event, detail) {
    const [next, ...todo] = step(state, event);
    state = next;
    for (const effect of todo) effects[effect](detail, event);
  }

  function open() {
    lookAround();
    if (!step(state, 'open')[1]) return;
    effects.calm();
    ready = wait(answers, 'ready').promise;
    const element = find(fixed.selector); // once more: the page may have put another element in its place
    if (element?.isConnected) {
      occupy(element);
      go('open');
    } else {
      timer = setTimeout(go, 0, 'nowhere', failure('host_not_found', missing(fixed.selector)));
    }
  }

  /** @type {CardWidgetHandle['update']} */
  function update(changes) {
    if (state === 'destroyed') return;
    for (const name of ['key', 'mode', 'selector', 'type', 'signal']) {
      const wanted = Object(changes)[name];
      if (wanted !== undefined && wanted !== /** @type {any} */ (fixed)[name]) warn(`"${name}" cannot be changed.`);
    }
    take(settings, defaults, changes);
    if (!frame) return;
    changed = true;
    dress(frame, form, settings);
    tell({ type: 'update', ...wishesOf(settings), ...lookOf(settings) });
  }

  /** @type {CardWidgetHandle['on']} */
  function on(event, handler) {
    /** @type {(name: string, value: any) => unknown} */
    const own = (name, value) => name === event && handler(value);
    if (read('event', event, EVENT) && read('handler', handler, aFunction)) handlers.add(own);
    return () => void handlers.delete(own);
  }

  /**
   * Calls the shop. What its code throws reaches the error handling of the page and stops nothing here.
   *
   * @param {string} event
   * @param {unknown} [value]
   */
  function emit(event, value) {
    for (const handler of [() => /** @type {any} */ (settings)[handlerOf(event)]?.(value), ...handlers]) {
      try {
        handler(event, value);
      } catch (error) {
        reportError(error);
      }
    }
  }

  /**
   * Asks the form for something that is answered: by the form, or when the time is up, or when the form goes.
   *
   * @param {'validate' | 'submit'} type
   * @returns {Promise<any>}
   */
  function request(type) {
    if (state === 'destroyed') return Promise.reject(ended);
    if (state !== 'loading' && state !== 'ready') return Promise.reject(failure('not_open'));
    if (!answers[type]) {
      ask({ type });
      wait(answers, type).guard = setTimeout(() => {
        const error = late(type === 'submit' ? type : 'form');
        gaveUp = type === 'submit';
        answer(type, error);
        emit('error', error);
      }, settings.timeout);
    }
    return wait(answers, type).promise;
  }

  /** @type {(kind: Kind, error?: unknown, value?: unknown) => void} */
  function answer(kind, error, value) {
    settle(answers, kind, error, value);
  }

  /** @param {ToFrame} message */
  function ask(message) {
    if (state === 'refused') return;
    if (state === 'loading') queue.push(message);
    else if (message.type === 'focus') enter();
    tell(message);
  }

  /** @param {ToFrame} message */
  function tell(message) {
    port?.postMessage(message);
  }

  /** @param {MessageEvent<FromFrame>} event */
  function hear({ target, data }) {
    // What a document says while it is being taken away is about a form that nobody sees any more.
    if (target !== port || !frame || frame.contentWindow !== peer) return;
    go('alive');
    switch (data?.type) {
      case 'resize':
        if (data.height > 0) frame.style.height = Math.ceil(data.height) + 'px';
        break;
      case 'ready':
        go('ready');
        break;
      case 'token': {
        const { expires_at, expires_in, card_mask } = data;
        const token = { token: data.token, expires_at, card_mask };
        clearTimeout(expiry);
        // Longer ones do not fit into a timer.
        if (expires_in < 2e9) expiry = setTimeout(emit, expires_in, 'expire', { token: data.token });
        answer('submit', undefined, token);
        emit('token', token);
        break;
      }
      case 'change':
      case 'validated': {
        const { fields, brands, choices, brand, complete } = data;
        const change = { fields, brands, choices, brand, complete };
        if (data.type === 'change') emit('change', change);
        else answer('validate', undefined, change);
        break;
      }
      case 'escape':
        frame.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true, cancelable: true, composed: true }));
        break;
      case 'warning':
        warn(data.message);
        break;
      case 'error': {
        const { code, stage } = data;
        const error = makeError(data);
        if (stage !== 'form' && stage !== 'submit') return go('refusal', error);
        // Where the form has put the keyboard counts only once the keyboard is in the frame.
        if (code === 'card_invalid') enter();
        if (code === 'form_restarted') effects.drop(error);
        answer('submit', error);
        if (!gaveUp || code !== 'timeout') emit('error', error);
        gaveUp = false;
      }
    }
  }

  /** Tells the page that it may open, or that the form works: once, however often the frame loads. */
  function greet() {
    timer = 0;
    answer('ready');
    if (told) return;
    told = true;
    announce('widget-init-ready');
  }

  /**
   * @param {string} name
   * @param {object} [detail]
   */
  function announce(name, detail) {
    document.dispatchEvent(new CustomEvent(name, { detail: { instance: id, ...detail } }));
  }

  /**
   * One deadline from the opening until the form works, and a look at what is wrong before.
   *
   * @param {number} patience Milliseconds without a word from the frame.
   */
  function watch(patience) {
    ready = wait(answers, 'ready').promise;
    effects.heard();
    timer ||= setTimeout(() => go('deadline', late()), settings.timeout);
    quiet = setTimeout(async () => {
      const look = quiet;
      const cause = await findCause(service, !!port, events.signal);
      if (cause && look === quiet) go('unreachable', cause);
    }, patience);
  }

  /** @param {SecurityPolicyViolationEvent} event */
  function blocked(event) {
    if (!frame || event.effectiveDirective !== 'frame-src' || !isAbout(event, frame.src)) return;
    go('blocked', failure('frame_blocked', `The page's policy lacks ${origin} in frame-src.`));
  }

  /** Moves the keyboard into the frame. Where it is there already, engines would take it away from the field. */
  function enter() {
    if (/** @type {any} */ (frame?.getRootNode())?.activeElement !== frame) frame?.focus();
  }

  /** Whether the frame is still in the page. */
  function lookAround() {
    if (frame && !frame.isConnected) go('removed');
  }

  /** @param {Element} element */
  function occupy(element) {
    leave(host, replaced);
    claim((host = element), replaced);
  }

  function replaced() {
    go('replaced');
  }

  function abort() {
    go('aborted', failure('aborted', undefined, fixed.signal?.reason));
  }

  /** @param {CardWidgetError['stage']} [stage] */
  function late(stage = quiet || !port ? 'load' : 'attach') {
    return failure('timeout', `No answer from ${origin} within ${settings.timeout / 1000} s: ${UNTOLD}`, undefined, stage);
  }
}

/** A global of the shop may have taken the name `origin`; a page made by `srcdoc` has no other place that tells. */
const pageOrigin = () => (location.origin === 'null' ? self : location).origin;

