// @ts-check
/** Where the service is: an address, looked at before anything is done with it. */
import { createCardWidget } from './loader.js';

/**
 * @param {string} url
 * @param {string} call Of the caller, for the sentence.
 * @returns {import('./index.js').CardWidget}
 * @throws {TypeError}
 */
export function widgetOf(url, call) {
  try {
    if (/^https?:$/.test(new URL(url).protocol)) return createCardWidget(url);
  } catch {
    // Said below, as for an address of another kind.
  }
  throw new TypeError(`${call}: url must be the absolute address of the service, for example "https://pay.example".`);
}
