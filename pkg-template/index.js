// @ts-check
/** The npm entry: the same loader as the script tag's, without a script tag and without a global. */
import { widgetOf } from './service.js';

/** @type {Map<string, Promise<import('./index.js').CardWidget>>} */
const loading = new Map();

/** @type {typeof import('./index.js').loadCardWidget} */
export function loadCardWidget(url) {
  if (typeof document === 'undefined') return Promise.resolve(null);
  let widget = loading.get(url);
  if (!widget) {
    widget = load(url);
    loading.set(url, widget);
    widget.catch(() => loading.delete(url));
  }
  return widget;
}

/** @param {string} url */
async function load(url) {
  return widgetOf(url, 'loadCardWidget(url)');
}
