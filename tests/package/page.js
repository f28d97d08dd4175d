/** A page in jsdom, its names made global, as test runners do. */
import { JSDOM } from 'jsdom';

const NAMES = [
  'window', 'document', 'location', 'self', 'MutationObserver', 'AbortController', 'AbortSignal', 'Event', 'CustomEvent', 'KeyboardEvent',
  'Node', 'Element', 'HTMLElement', 'HTMLIFrameElement', 'customElements', 'getComputedStyle', 'addEventListener', 'removeEventListener',
];

/** @param {string} body */
export function openPage(body) {
  const { window } = new JSDOM(`<!doctype html><html lang="en"><body>${body}</body></html>`, { url: 'https://shop.example/', pretendToBeVisual: true });
  for (const name of NAMES) Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: typeof window[name] === 'function' && /^[a-z]/.test(name) ? window[name].bind(window) : window[name] });
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: window.navigator });
  return window;
}
