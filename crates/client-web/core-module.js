// @ts-check
// The same for runtimes that compile no WebAssembly while they run, as workers at a network's edge: the module beside it is
// compiled when it is deployed.
import { initSync } from './card_widget_client_web.js';
import module from './client-core.wasm?module';

export { calls, event, prepare, read, remedy, row, verify, wait } from './card_widget_client_web.js';

/** Starts the module, once. */
export async function start() {
  initSync({ module });
}
