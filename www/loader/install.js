// @ts-check
/**
 * The script-tag part of the loader: defines `CardWidget` once and tells the page when it is there.
 *
 * The build joins this file and `card-widget.js` into one classic script; it also runs as a module.
 */
import { createCardWidget, VERSION } from './card-widget.js';
import { warn } from './params.js';

install();

function install() {
  const present = window.CardWidget;
  // An element with this id would be found under the name as well; it has no `init`.
  if (present?.init) {
    warn(`${present.version} is here, not ${VERSION}.`);
    return;
  }
  // A module, or a script that an optimizer runs in its own way, has no current script.
  /** @type {any} */
  const current = document.currentScript;
  const address = current?.src || document.querySelector(/** @type {'script'} */ ('script[src*="/card-widget.js"]'))?.src;
  if (!address) throw Error('CardWidget needs a script with src.');
  window.CardWidget = createCardWidget(address);
  callWhenDefined();
}

/** Calls the page's `__onWidgetReady` once, whether it is there already or comes later. */
function callWhenDefined() {
  const name = '__onWidgetReady';
  const events = new AbortController();

  /** @param {unknown} callback */
  const call = (callback) => {
    if (events.signal.aborted || typeof callback !== 'function') return;
    events.abort();
    // From here on an ordinary property again. (Where the page's own `var` stands, there is nothing to put back.)
    Reflect.deleteProperty(window, name);
    /** @type {any} */ (window)[name] = callback;
    // In a task of its own step: what it throws reaches the page's error handling and stops nothing here.
    queueMicrotask(/** @type {() => void} */ (callback));
  };
  // The bare name also finds what a page declares with `const`.
  const look = () => typeof __onWidgetReady === 'function' && call(__onWidgetReady);

  look();
  if (events.signal.aborted) return;
  // An assignment is seen at once. A later `function __onWidgetReady() {}` replaces the property without a word, so
  // it is looked for again after each script that loads and when the page is complete.
  Reflect.defineProperty(window, name, { set: call, configurable: true });
  for (const name of ['load', 'DOMContentLoaded']) document.addEventListener(name, look, { capture: true, signal: events.signal });
}
