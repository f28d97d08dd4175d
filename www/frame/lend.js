// @ts-check
/// <reference path="./early.d.ts" />
// What the platform lends to the module: each function here is one thing that only a browser can do.
import { CODES, FIELDS, NETWORKS, at, early, show } from './page.js';
import { ask, limit, tell } from './talk.js';

const { subtle } = crypto;
const P256 = { name: 'ECDH', namedCurve: 'P-256' };

/** An edit of ours is being carried out: the events that it makes are nobody's. */
export let editing = false;

/** @param {() => void} step */
function quietly(step) {
  editing = true;
  try {
    step();
  } finally {
    editing = false;
  }
}

/**
 * Selects a range where it is not selected already: setting it costs time even so.
 *
 * @param {string} id
 * @param {number} start
 * @param {number} end
 */
function select(id, start, end) {
  const input = at(id);
  if (input.selectionStart !== start || input.selectionEnd !== end) input.setSelectionRange(start, end);
}

/**
 * Writes a text from a place on into a buffer, as far as it fits. Its whole length.
 *
 * @param {string} text
 * @param {number} from
 * @param {Uint16Array} buffer
 */
function copy(text, from, buffer) {
  for (let unit = 0; unit < buffer.length; unit++) buffer[unit] = text.charCodeAt(from + unit);
  return text.length;
}

/**
 * @param {string} id
 * @param {string} name
 * @param {boolean} on
 */
const flag = (id, name, on) => (on ? at(id).setAttribute(name, 'true') : at(id).removeAttribute(name));

/**
 * Puts a value into a text where it has a name in braces, else behind it. Without a value the place is taken away.
 *
 * @param {string} text
 * @param {string} value
 */
const fill = (text, value) => (/{\w+}/.test(text) ? text.replace(/{\w+}/, () => value) : `${text} ${value}`).trim();

/** The page's clock when its boot data was made; later on, when it was renewed. */
let bootedAt = /** @type {any} */ (performance.getEntriesByType('navigation')[0])?.responseStart ?? 0;

/** The service's time in seconds since 1970. The device's own clock may be wrong by years. */
const now = () => early.data.boot.now + (performance.now() - bootedAt) / 1000;

/** @param {MessagePort} port */
export const lend = (port) => ({
  copy,

  /**
   * @param {string} id
   * @param {number} from
   * @param {Uint16Array} buffer
   */
  value: (id, from, buffer) => copy(at(id).value, from, buffer),

  /** @param {string} id */
  caret: (id) => at(id).selectionStart,

  /**
   * Puts `text` in the place of a range, as one step of the browser's undo history. It is the only call that makes one.
   *
   * @param {string} id
   * @param {number} start
   * @param {number} end
   * @param {string} text
   */
  edit(id, start, end, text) {
    quietly(() => {
      select(id, start, end);
      if (!document.execCommand(text ? 'insertText' : 'delete', false, text)) at(id).setRangeText(text);
    });
  },

  /**
   * @param {string} id
   * @param {string} text
   */
  write(id, text) {
    at(id).value = text;
  },

  select,

  /**
   * One engine leaves nobody with the keyboard where a field gets it before the frame has it, for which the shop's page is
   * slower to ask than for the field.
   *
   * @param {string} id
   */
  focus(id) {
    const go = () => {
      onfocus = null;
      at(id).focus();
    };
    if (document.hasFocus()) go();
    else onfocus = go;
  },

  /** @param {string} id */
  renew(id) {
    const input = at(id);
    const focused = input === document.activeElement;
    input.value = '';
    const copy = input.cloneNode();
    quietly(() => {
      input.replaceWith(copy);
      if (focused) copy.focus();
    });
  },

  show,

  /**
   * @param {string} id
   * @param {string | null} text
   * @param {boolean} isError
   */
  note(id, text, isError) {
    show(id + '-note', text);
    flag(id + '-note', 'data-error', isError);
    flag(id, 'aria-invalid', isError);
  },

  /**
   * @param {string} id
   * @param {string} text
   */
  label: (id, text) => show(id + '-label', text),

  /**
   * @param {string} month
   * @param {string} year
   */
  placeholder(month, year) {
    at('expiry').placeholder = month + '/' + year;
  },

  /**
   * @param {string} brand
   * @param {string} name
   */
  mark(brand, name) {
    at('mark').setAttribute('href', '#mark-' + brand);
    show('brand-name', name);
  },

  /**
   * @param {number} index
   * @param {string} brand
   * @param {string} name
   */
  network(index, brand, name) {
    const id = NETWORKS[index];
    at(id + '-mark').setAttribute('href', '#mark-' + brand);
    show(id + '-name', name);
    at('networks').hidden = !name;
  },

  offer: () =>
    at('networks-label').textContent +
    ': ' +
    new Intl.ListFormat(document.documentElement.lang, { type: 'disjunction' }).format(
      NETWORKS.map((id) => at(id + '-name').textContent),
    ),

  /** @param {number} index */
  choose(index) {
    at(NETWORKS[index]).checked = true;
  },

  /**
   * @param {string | null} text
   * @param {boolean} isError
   */
  status(text, isError) {
    show('status', text);
    flag('status', 'data-error', isError);
  },

  /** @param {boolean} busy */
  busy(busy) {
    flag('form', 'aria-busy', busy);
    flag('submit', 'aria-disabled', busy);
    for (const id of FIELDS) if (at(id)) at(id).readOnly = busy;
  },

  /**
   * The plural form that belongs to a count (Unicode CLDR); a text without forms as it is.
   *
   * @param {string | { [category: string]: string }} forms
   * @param {string} lang
   * @param {number} count
   */
  counted: (forms, lang, count) =>
    typeof forms === 'object'
      ? fill(forms[new Intl.PluralRules(lang).select(count)] ?? forms.other, count.toLocaleString(lang))
      : forms,

  /**
   * @param {string} text
   * @param {string} lang
   * @param {number} [amount]
   * @param {string} [currency]
   */
  withAmount(text, lang, amount, currency) {
    /** @type {Intl.NumberFormatOptions} */
    const style = currency ? { style: 'currency', currency } : { minimumFractionDigits: 2 };
    // No digit of the shop's is rounded away, and no minus shown before a zero.
    return fill(text, amount === undefined ? '' : (amount + 0).toLocaleString(lang, { ...style, maximumFractionDigits: 6 }));
  },

  /**
   * ECDH with a fresh key: our public point, uncompressed, and the shared secret.
   *
   * @param {{ x: string, y: string }} point Theirs, base64url.
   */
  async agree({ x, y }) {
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

  /** @param {Uint8Array<ArrayBuffer>} bytes */
  random: (bytes) => crypto.getRandomValues(bytes),

  /**
   * @param {ArrayBuffer} buffer
   * @param {Uint8Array} into
   */
  bytes(buffer, into) {
    if (buffer.byteLength <= into.length) into.set(new Uint8Array(buffer));
    return buffer.byteLength;
  },

  // Its beginning is that of a UUID of version 7, the time, by which the service finds it sooner.
  uuid: () => ('0' + Date.now().toString(16)).replace(/.{4}$/, '-$&-7') + crypto.randomUUID(),

  now,

  /**
   * @param {string} path
   * @param {string} envelope
   * @param {import('../shared/messages').Init} init
   * @param {string} idempotencyKey
   */
  post(path, envelope, { customer_ip, customer_id, customer_email }, idempotencyKey) {
    const body = JSON.stringify({ envelope, customer_ip, customer_id, customer_email });
    return ask(path, limit(), { method: 'POST', body, headers: { 'Idempotency-Key': idempotencyKey } });
  },

  /**
   * Kept for an instance that comes later, too.
   *
   * @param {string} path
   */
  async renewBoot(path) {
    const answer = await ask(path + location.search, limit());
    if (answer.body.ticket) {
      early.data.boot = answer.body;
      bootedAt = performance.now();
    }
    return answer;
  },

  /**
   * What the service cannot say, by its code. Anything else is what the browser's cryptography threw.
   *
   * @param {unknown} reason
   */
  failure(reason) {
    const code = CODES[String(reason)] ? String(reason) : 'sealing_failed';
    return { ...CODES[code], code, error_id: code === 'form_restarted' ? crypto.randomUUID() : '' };
  },

  /** @param {import('../shared/messages').TokenIssued} token */
  issued({ token, expires_at, card_mask }) {
    const expires_in = Date.parse(expires_at + 'Z') - now() * 1000;
    tell(port, { type: 'token', token, expires_at, expires_in, card_mask });
  },

  /** @param {Omit<import('../shared/messages').Failure, 'type' | 'stage' | 'correlation_id' | 'retryable'> & { retryable: boolean | string, stage?: import('../shared/messages').Stage, error_id: string }} failure */
  failed: ({ code, message, retryable, actor, stage = 'submit', error_id }) =>
    tell(port, { type: 'error', code, message, retryable: !!retryable, actor, stage, correlation_id: error_id }),

  /** @param {string} json */
  changed: (json) => tell(port, JSON.parse(json)),
});
