// @ts-check
/**
 * The loader: the part of CardWidget that runs on the shop's page. It checks what the shop asked for, puts one
 * frame of the service into the shop's element and passes the frame's answers on. It never sees a card number:
 * no message it can receive has room for one (`www/shared/messages.d.ts`).
 *
 * No dependency, no cookie, no storage, no HTML from strings, no inline style: a strict shop's policy needs to allow
 * `script-src` and `frame-src` for the service and nothing else.
 *
 * @import { Connect, FromFrame, Init, LocaleKey, LocaleTexts } from '../shared/messages'
 * @import { CardWidget, CardWidgetHandle, CardWidgetParams, Lang } from '../../pkg-template/index.js'
 */

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
  const id = 'cw_' + Math.random().toString(36).slice(2, 10);
  const problem = findProblem(params);
  if (problem) {
    setTimeout(fail, 0, ...problem);
    return { id, open() {}, close() {} };
  }

  const { selector, onToken } = params;
  const { src, title, oneRow, line, init, onError } = prepare(service, params);
  /** @type {HTMLIFrameElement | undefined} */
  let frame;
  /** @type {MessagePort | undefined} Ours; the frame holds the other end. */
  let port;
  /** What is due unless something better happens first; 0 when nothing is. */
  let timer = 0;
  /** The frame is there, but said that it will not become a form. */
  let refused = false;
  /** The page has heard `widget-init-ready`, for this opening or for the first one to come. */
  let told = false;
  const observer = new MutationObserver(() => frame?.isConnected || close());

  claim(/** @type {Element} */ (find(selector)), close);
  // A shop may open only once it hears that it can. One that has opened by then is told when the form works.
  timer = setTimeout(ready);
  return { id, open, close };

  function open() {
    if (frame && !refused) return;
    const early = told && !frame;
    close();
    const host = find(selector); // once more: the page may have put another element in its place
    if (!host?.isConnected) {
      timer = setTimeout(fail, 0, 'host_not_found', missing(selector));
      return;
    }
    claim(host, close);
    told = early;
    frame = document.createElement('iframe');
    frame.title = title;
    frame.src = src; // before it is in the page, so that no history entry is made
    Object.assign(frame.style, { display: 'block', width: '100%', border: '0' });
    frame.addEventListener('load', connect);
    document.addEventListener('securitypolicyviolation', blocked);
    /** @type {any} A shadow root hides what happens in it from the observers of the tree around it. */
    let root = host;
    while ((root = root.getRootNode())) {
      observer.observe(root, { childList: true, subtree: true });
      if (!(root = root.host)) break;
    }
    watch();
    host.append(frame);
    frame.style.height = (oneRow || (line && frame.clientWidth >= LINE_WIDTH) ? ONE_ROW : TWO_ROWS) + 'px';
  }

  function close() {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('securitypolicyviolation', blocked);
    port?.close();
    frame?.remove();
    timer = 0;
    refused = told = false;
    port = frame = undefined;
  }

  /** Runs for every document that the frame loads: moving a frame in the page loads it again. */
  function connect() {
    port?.close();
    const { port1, port2 } = new MessageChannel();
    port = port1;
    port.onmessage = hear;
    port.postMessage(init);
    frame?.contentWindow?.postMessage(
      /** @satisfies {Connect} */ ({ type: 'card-widget:connect', version: 1 }),
      origin,
      [port2],
    );
    watch();
  }

  /** @param {MessageEvent<FromFrame>} event */
  function hear({ target, data }) {
    if (target !== port || !frame) return;
    if (data?.type === 'resize') {
      if (data.height > 0) frame.style.height = Math.ceil(data.height) + 'px';
    } else if (data?.type === 'ready') {
      clearTimeout(timer);
      timer = 0;
      ready();
    } else if (data?.type === 'token') {
      // The last thing done here: what a handler throws reaches the page's own error handling and nothing else.
      onToken({ token: data.token, expires_at: data.expires_at, card_mask: data.card_mask });
    } else if (data?.type === 'error') {
      const { code, message, retryable, actor, stage, correlation_id } = data;
      if (stage === 'init') {
        clearTimeout(timer);
        timer = 0;
        refused = true; // left standing: it tells the person that there is no form
        fail(code, message);
      } else {
        onError?.({ code, message, retryable, actor, stage, correlation_id });
      }
    }
  }

  /** Once, however often the frame loads. */
  function ready() {
    if (!told) announce('widget-init-ready');
    told = true;
  }

  /** One deadline from the opening until the form works. */
  function watch() {
    timer ||= setTimeout(() => {
      close();
      fail(
        'frame_timeout',
        `No answer from ${origin} within ${DEADLINE / 1000} s: it is down, out of reach or blocked here; the browser ` +
          'does not tell which. open() tries again.',
      );
    }, DEADLINE);
  }

  /** @param {SecurityPolicyViolationEvent} event */
  function blocked({ disposition, effectiveDirective, blockedURI }) {
    // Some browsers name the whole address, some the origin alone.
    if (disposition !== 'enforce' || !/^(frame|child|default)-src/.test(effectiveDirective)) return;
    if (!blockedURI || !src.startsWith(blockedURI)) return;
    close();
    fail('frame_blocked', `The page's content policy keeps the frame out (${effectiveDirective}). Add ${origin} to its frame-src.`);
  }

  /**
   * @param {string} code
   * @param {string} message
   */
  function fail(code, message) {
    console.error('CardWidget: ' + message);
    announce('widget-init-error', { id: code, message });
  }

  /**
   * @param {string} name
   * @param {object} [detail]
   */
  function announce(name, detail) {
    document.dispatchEvent(new CustomEvent(name, { detail: { instance: id, ...detail } }));
  }
}

/**
 * The parameters without which there is no form.
 *
 * @param {CardWidgetParams} params
 * @returns {[id: string, message: string] | undefined}
 */
function findProblem(params) {
  /** @type {Partial<CardWidgetParams>} */
  const { key, mode, selector, onToken } = Object(params);
  /** @type {(name: string, value: unknown, fine: boolean, wanted: string) => [string, string] | undefined} */
  const unless = (name, value, fine, wanted) =>
    fine
      ? undefined
      : [
          value == null || value === '' ? 'parameter_missing' : 'parameter_invalid',
          `"${name}" must be ${wanted}, but is ${describe(value)}.`,
        ];
  if (self.origin === 'null') {
    return ['origin_opaque', 'The page has no origin of its own (a file, or a sandboxed frame).'];
  }
  if (!isSecureContext) {
    return ['insecure_context', 'The page must come over https, or from localhost.'];
  }
  return (
    unless('key', key, typeof key === 'string' && key !== '', 'the widget key, a string') ??
    unless('mode', mode, mode === 'inline', '"inline"') ??
    unless('selector', selector, isString(selector) || selector?.nodeType === 1, 'an id or an element') ??
    unless('onToken', onToken, typeof onToken === 'function', 'a function') ??
    (find(/** @type {string | Element} */ (selector)) ? undefined : ['host_not_found', missing(selector)])
  );
}

/**
 * What follows from parameters that have the required ones right: unknown optional values are told and left out.
 *
 * @param {string} service
 * @param {CardWidgetParams} params
 */
function prepare(service, params) {
  const page = /** @type {Lang} */ (document.documentElement.lang.slice(0, 2));
  const lang = oneOf('lang', params.lang, LANGS, LANGS.includes(page) ? page : 'en');
  const type = oneOf('type', params.type, ['full_card', 'pan_only'], 'full_card');
  const template = oneOf('template', params.template, ['stacked', 'line'], 'stacked');
  const style = oneOf('style', params.style, ['plain', 'evo'], 'plain');
  const query = new URLSearchParams({ key: params.key, origin: self.origin, lang, type, template, style });

  /** @type {Init} */
  const init = {
    type: 'init',
    amount: take('amount', params.amount, Number.isFinite(params.amount) && Number(params.amount) >= 0, 'a number, at least 0'),
    currency: take('currency', params.currency, /^[A-Z]{3}$/.test(String(params.currency)), 'three capital letters'),
    locale: readLocale(params.locale, lang),
  };
  for (const name of CUSTOMER) init[name] = take(name, params[name], isString(params[name]), 'a string');
  return {
    src: `${service}/widget/v1/frame?${query}`,
    title: TITLES[lang],
    oneRow: type === 'pan_only',
    line: template === 'line',
    init,
    onError: take('onError', params.onError, typeof params.onError === 'function', 'a function'),
  };
}

/**
 * The shop's texts in the language in use, by dotted name. Names may be dotted or nested, in any letter case.
 *
 * @param {unknown} locale
 * @param {Lang} lang
 */
function readLocale(locale, lang) {
  /** @type {LocaleTexts} */
  const flat = {};
  /** @type {(texts: object, prefix: string) => void} */
  const read = (texts, prefix) => {
    for (const [name, text] of Object.entries(texts)) {
      const key = LOCALE_KEYS.find((known) => known.toLowerCase() === (prefix + name).toLowerCase());
      if (key && text && isString(text)) flat[key] = text; // an empty label would leave a field without a name
      else if (!key && !prefix && Object(text) === text) read(text, name + '.');
      else warn(`"locale.${lang}.${prefix}${name}" is no text of the form; it is ignored.`);
    }
  };
  for (const [language, texts] of Object.entries(Object(locale))) {
    if (!LANGS.includes(/** @type {Lang} */ (language))) warn(`"locale.${language}" is not one of ${LANGS.join(', ')}; it is ignored.`);
    else if (language === lang) read(Object(texts), '');
  }
  return flat;
}

/**
 * @template {string} T
 * @param {string} name
 * @param {T | undefined} value
 * @param {T[]} known
 * @param {T} fallback
 * @returns {T}
 */
function oneOf(name, value, known, fallback) {
  return take(name, value, known.includes(/** @type {T} */ (value)), 'one of ' + known.join(', ')) ?? fallback;
}

/**
 * The value of an optional parameter, or `undefined` with a warning.
 *
 * @template T
 * @param {string} name
 * @param {T} value
 * @param {boolean} fine
 * @param {string} wanted
 */
function take(name, value, fine, wanted) {
  if (fine) return value;
  if (value != null) warn(`"${name}" must be ${wanted}, but is ${describe(value)}; it is ignored.`);
}

/**
 * What was received, in words. A text is repeated only when it could not be a part of a card.
 *
 * @param {unknown} value
 */
function describe(value) {
  if (isString(value)) return /^[a-z_-]{1,30}$/i.test(value) ? `"${value}"` : `a string of ${value.length} characters`;
  if (value == null) return String(value);
  return `a value of type ${typeof value}`;
}

/** @type {(selector: string | Element) => Element | null} */
const find = (selector) => (isString(selector) ? document.getElementById(selector.replace(/^#/, '')) : selector);

/** @type {(selector: unknown) => string} */
const missing = (selector) => `"selector" is not in the page: ${isString(selector) ? selector : 'the element given'}.`;

/** @type {(value: unknown) => value is string} */
const isString = (value) => typeof value === 'string';

/** @type {(message: string) => void} */
const warn = (message) => console.warn('CardWidget: ' + message);

/**
 * An element belongs to one widget: whoever comes later closes the one before.
 *
 * @param {Element} host
 * @param {() => void} close
 */
function claim(host, close) {
  const owner = OWNERS.get(host);
  if (owner !== close) owner?.();
  OWNERS.set(host, close);
}

/** @type {WeakMap<Element, () => void>} The `close` of the widget that an element belongs to. */
const OWNERS = new WeakMap();

/** Milliseconds from opening to a working form; includes the frame, its script and its module. */
const DEADLINE = 15_000;

/** @type {Lang[]} */
const LANGS = ['uk', 'en', 'pl'];

const CUSTOMER = /** @type {const} */ (['customer_ip', 'customer_id', 'customer_email']);

/** The frame's accessible name: `title` of `www/texts`. */
const TITLES = { uk: 'Дані картки', en: 'Card details', pl: 'Dane karty' };

/** CSS pixels held free until the frame tells its height: what `www/frame/frame.css` needs for a live key. */
const ONE_ROW = 154;
const TWO_ROWS = 253;

/** CSS pixels from which `line` has room for one row, as in `www/frame/frame.css`. */
const LINE_WIDTH = 640;

/** @type {LocaleKey[]} */
const LOCALE_KEYS = [
  'cardNumber',
  'expiryDate',
  'cvv',
  'submit',
  'yy',
  'mm',
  'hints.cvvHint',
  'errors.cardNumber',
  'errors.expiryDate',
  'errors.cvv',
];
