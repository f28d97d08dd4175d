// @ts-check
// The module as the npm package carries it: the glue, and the WebAssembly as text beside it. `cargo xtask package` makes
// one file of the three.
import { initSync } from './card_widget_client_web.js';
import wasm from './card_widget_client_web.wasm';

export { calls, event, prepare, read, remedy, row, verify, wait } from './card_widget_client_web.js';

/** Starts the module, once. */
export async function start() {
  const bytes = Uint8Array.from(atob(wasm), (character) => character.charCodeAt(0));
  initSync({ module: await WebAssembly.compile(bytes) });
}
