// @ts-check
/// <reference path="./early.d.ts" />
// Starts the wasm module that the page has preloaded, hands it the events of the form, and lends it what only a
// browser can do. Every decision is in Rust; each function here is one thing the platform offers.
import init, { on_field, on_message, on_submit, resume, start } from './card_widget.js';

const early = window.cardWidgetEarly;
const form = document.forms[0];
const { subtle } = crypto;
const P256 = { name: 'ECDH', namedCurve: 'P-256' };

/** Milliseconds until an answer is given up. The same request can be sent again. */
const TIME_LIMIT = 20_000;

/** `change` is what some password managers send alone. */
const FIELD_EVENTS = ['beforeinput', 'input', 'change', 'compositionstart', 'compositionend', 'focusin', 'focusout'];

/** @param {MessagePort} port */
const lend = (port) => ({
  /**
   * ECDH with a fresh key: our public point, uncompressed, and the shared secret.
   *
   * @param {string} x Their point, base64url.
   * @param {string} y
   */
  async agree(x, y) {
    const [theirs, ours] = await Promise.all([
      subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', x, y }, P256, false, []),
      subtle.generateKey(P256, false, ['deriveBits']),
    ]);
    const [point, secret] = await Promise.all([
      subtle.exportKey('raw', ours.publicKey),
      subtle.deriveBits({ name: 'ECDH', public: theirs }, ours.privateKey, 256),
    ]);
    return { point, secret };
  },

  /**
   * The AES-256 key that is the SHA-256 of `block`.
   *
   * @param {Uint8Array<ArrayBuffer>} block
   */
  contentKey: (block) =>
    subtle.digest('SHA-256', block).then((key) => subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt'])),

  /**
   * AES-GCM: ciphertext and tag. Takes its copy of `plaintext` before it returns, so that the module can wipe it.
   *
   * @param {CryptoKey} key
   * @param {Uint8Array<ArrayBuffer>} iv
   * @param {Uint8Array<ArrayBuffer>} additionalData
   * @param {Uint8Array<ArrayBuffer>} plaintext
   */
  encrypt: (key, iv, additionalData, plaintext) =>
    subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, plaintext),

  /** @param {number} length */
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),

  /** @param {ArrayBuffer} buffer */
  bytes: (buffer) => new Uint8Array(buffer),

  uuid: () => crypto.randomUUID(),

  /** Milliseconds since the page was opened, by a clock that nobody sets. */
  elapsed: () => performance.now(),

  /**
   * @param {string} path
   * @param {object} body
   * @param {string} idempotencyKey
   */
  post: (path, body, idempotencyKey) =>
    ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'Idempotency-Key': idempotencyKey } }),

  /** @param {string} path */
  renew: (path) => ask(path),

  /** @param {import('../shared/messages').FromFrame} message */
  tell: (message) => port.postMessage(message),
});

/**
 * Whether a request succeeded, and the body of the answer, empty where it is not JSON. Throws `timeout` or `offline`.
 *
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function ask(path, init) {
  const signal = AbortSignal.timeout(TIME_LIMIT);
  let ok, text;
  try {
    const response = await fetch(path, { ...init, signal });
    ok = response.ok;
    text = await response.text();
  } catch {
    throw signal.aborted ? 'timeout' : 'offline';
  }
  try {
    return { ok, body: JSON.parse(text) };
  } catch {
    return { ok: false, body: {} };
  }
}

/**
 * Runs a submit from promise to promise.
 *
 * @param {Promise<unknown> | undefined} step
 */
async function run(step) {
  while (step) {
    let value, error;
    try {
      value = await step;
    } catch (reason) {
      error = reason;
    }
    // Outside `then`, which would wait for the next promise and hand on what it brings.
    step = resume(value, error);
  }
}

/** @param {MessagePort} port */
function attach(port) {
  const focused = document.activeElement?.id ?? '';
  run(start(lend(port), document, early.data, location.search, focused, early.composing, early.submit));
  for (const name of FIELD_EVENTS) {
    form.addEventListener(name, ({ type, target }) => on_field(type, /** @type {Element} */ (target).id));
  }
  // The inline script keeps the browser from submitting the form by itself.
  form.addEventListener('submit', () => run(on_submit()));
  port.onmessage = ({ data }) => on_message(data);
}

const wasm = /** @type {HTMLLinkElement} */ (document.querySelector('link[as=fetch]')).href;

Promise.all([early.port, init({ module_or_path: wasm })])
  .then(([port]) => attach(port))
  .catch(() => early.fail('The frame could not start its WebAssembly module.'));
