// @ts-check
/// <reference path="./early.d.ts" />
// Starts the wasm module that the page has preloaded, and hands it the shop's port.
import init, { start } from './card_widget.js';

const early = window.cardWidgetEarly;
const wasm = /** @type {HTMLLinkElement} */ (document.querySelector('link[as=fetch]')).href;

Promise.all([early.port, init({ module_or_path: wasm })])
  .then(([port]) => start(port, early))
  .catch(() => early.fail('The frame could not start its WebAssembly module.'));
