// @ts-check
/** The two ways in which the frame's core runs, as `cargo xtask web` built them. */
import { readFileSync } from 'node:fs';

const WEB = new URL('../../target/web/', import.meta.url);

/** What the frame's script takes from either. @typedef {{ [name: string]: any }} Core */

/** Names of the files. */
const { frame } = JSON.parse(readFileSync(new URL('manifest.json', WEB), 'utf8'));

/**
 * A module that imports nothing, from its text: a file's own name might make Node take it for another kind of script.
 *
 * @param {URL} file
 * @returns {Promise<Core>}
 */
const load = (file) => import('data:text/javascript;base64,' + readFileSync(file).toString('base64'));

/** The glue over the WebAssembly module. @returns {Promise<Core>} */
async function inWebAssembly() {
  const glue = await load(new URL('../../target/xtask/frame/card_widget.js', import.meta.url));
  const module = new WebAssembly.Module(readFileSync(new URL(frame.wasm, WEB)));
  return { ...glue, initSync: () => glue.initSync({ module }) };
}

/** The same crate as JavaScript, loaded where there is no `WebAssembly` to be had. @returns {Promise<Core>} */
async function inJavaScript() {
  const { WebAssembly: real } = globalThis;
  // @ts-expect-error: as in a browser that has none.
  delete globalThis.WebAssembly;
  try {
    return await load(new URL(frame.fallback, WEB));
  } finally {
    globalThis.WebAssembly = real;
  }
}

/** Why there is nothing to test, if so. */
export const missing = frame.fallback ? false : 'no fallback: the standard library was not built from source';

/** By what it runs in. @type {{ [name: string]: Core }} */
export const cores = { WebAssembly: await inWebAssembly(), ...(!missing && { JavaScript: await inJavaScript() }) };

/** The script itself. */
export const script = missing || readFileSync(new URL(frame.fallback, WEB), 'utf8');

/**
 * Runs something as in a browser without WebAssembly, whatever it runs in.
 *
 * @template T
 * @param {string} name
 * @param {() => T} run
 * @returns {T}
 */
export function within(name, run) {
  if (name !== 'JavaScript') return run();
  const { WebAssembly: real } = globalThis;
  // @ts-expect-error: likewise.
  delete globalThis.WebAssembly;
  try {
    return run();
  } finally {
    globalThis.WebAssembly = real;
  }
}
