// @ts-check
/**
 * A fake of the service's frame for unit tests. The loader is the real one, so that everything a shop's page meets of it is
 * as it is; behind it stands a form that is typed into by calls, judges by the real card rules, and asks nobody for anything.
 *
 * @import { FakeCardWidget } from './testing.js'
 */
import { cards as payments } from './cards.js';
import { FakeForm } from './fake.js';
import { createCardWidget } from './loader.js';

/** @type {typeof import('./testing.js').cards} */
export const cards = Object.freeze({
  ...payments,
  slow: '4000009900000012',
  timeout: '4000009900000020',
  offline: '4000009900000038',
  keyExpired: '4000009900000046',
  limitReached: '4000009900000053',
  refused: '4000009900000061',
});

export { expiry } from './cards.js';

/** @type {FakeCardWidget | undefined} */
let inPlace;

/** @type {typeof import('./testing.js').fakeCardWidget} */
export function fakeCardWidget({ start } = {}) {
  if (typeof document === 'undefined') {
    throw new Error('fakeCardWidget(): there is no document here. Run the test in jsdom, in happy-dom or in a browser.');
  }
  if (inPlace) throw new Error('fakeCardWidget(): a fake is in place already. Call its restore() first.');
  /** @type {FakeForm[]} */
  const all = [];
  /** @type {Set<() => void>} Look again whether the form that somebody waits for works. */
  const waiting = new Set();
  const make = document.createElement;
  const own = Object.getOwnPropertyDescriptor(document, 'createElement');
  const lent = lend();

  document.createElement = /** @type {any} */ (
    /** @param {string} name @param {ElementCreationOptions} [options] */
    (name, options) => {
      const element = make.call(document, name, options);
      if (element.localName === 'iframe') pose(/** @type {HTMLIFrameElement} */ (element));
      return element;
    }
  );

  /** An address of the service makes it a fake; any other is the browser's. @param {HTMLIFrameElement} frame */
  function pose(frame) {
    let address = '';
    Object.defineProperty(frame, 'src', {
      configurable: true,
      get: () => address,
      set(value) {
        address = String(value);
        if (/\/widget\/v1\/frame\?/.test(address)) become(frame, address);
        else frame.setAttribute('src', address);
      },
    });
  }

  /** @param {HTMLIFrameElement} frame @param {string} address */
  function become(frame, address) {
    const form = new FakeForm(frame, address, { start, cards, changed: () => waiting.forEach((look) => look()) });
    all.push(form);
    const load = new Event('load');
    // The empty document that a browser loads into it is not the service's.
    frame.addEventListener('load', (event) => event === load || event.stopImmediatePropagation());
    Object.defineProperty(frame, 'contentWindow', {
      configurable: true,
      value: { postMessage: (/** @type {unknown} */ _, /** @type {string} */ __, /** @type {MessagePort[]} */ [port]) => form.connect(port) },
    });
    queueMicrotask(() => {
      if (!frame.isConnected) return;
      // The loader makes its channel in this call: one of ours keeps no process alive and needs no timer.
      const { MessageChannel } = globalThis;
      globalThis.MessageChannel = /** @type {any} */ (Channel);
      try {
        frame.dispatchEvent(load);
      } finally {
        globalThis.MessageChannel = MessageChannel;
      }
    });
  }

  const open = () => all.filter(({ isOpen }) => isOpen);
  inPlace = {
    get forms() {
      return open();
    },
    form(within = document) {
      const find = () => open().filter((form) => form.isReady && within.contains(form.host)).at(-1);
      return new Promise((resolve, reject) => {
        const late = wait(() => end(() => reject(new Error(`form(): no form has come to work within a second; ${open().length} are open.`))), 1000);
        const end = (/** @type {() => void} */ settle) => {
          clear(late);
          waiting.delete(look);
          settle();
        };
        const look = () => {
          const form = find();
          if (form) end(() => resolve(form));
        };
        waiting.add(look);
        look();
      });
    },
    CardWidget: createCardWidget('https://card-widget.test'),
    restore() {
      // As it was before: mostly the prototype's.
      if (own) Object.defineProperty(document, 'createElement', own);
      else delete (/** @type {any} */ (document).createElement);
      lent.forEach((name) => delete (/** @type {any} */ (globalThis)[name]));
      for (const form of open()) form.frame.remove();
      inPlace = undefined;
    },
  };
  return inPlace;
}

/** Those of the test runner may stand still. */
const { setTimeout: wait, clearTimeout: clear } = globalThis;

/** What the loader asks of a browser and a simulated one has not. */
function lend() {
  const things = {
    isSecureContext: true,
    reportError(/** @type {unknown} */ error) {
      queueMicrotask(() => {
        throw error;
      });
    },
  };
  const missing = Object.entries(things).filter(([name]) => !(name in globalThis));
  for (const [name, value] of missing) Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
  return missing.map(([name]) => name);
}

/** Two ports; what goes in here comes out there, a little later. */
class Channel {
  constructor() {
    this.port1 = new Port();
    this.port2 = new Port();
    this.port1.other = this.port2;
    this.port2.other = this.port1;
  }
}

class Port {
  /** @type {Port | undefined} */
  other;
  /** @type {((event: { target: Port, data: any }) => void) | undefined} */
  onmessage;

  /** @param {unknown} message */
  postMessage(message) {
    const data = JSON.parse(JSON.stringify(message));
    queueMicrotask(() => this.other?.onmessage?.({ target: this.other, data }));
  }

  close() {
    if (this.other) this.other.other = undefined;
    this.other = undefined;
  }
}
