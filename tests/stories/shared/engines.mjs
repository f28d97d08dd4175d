// @ts-check
/**
 * The three engines. A process runs its stories in one of them, named by the variable `ENGINE`.
 *
 * @typedef {object} Engine
 * @property {Name} name
 * @property {(options?: object) => Promise<import('./page.mjs').Page>} open A page; the options are Playwright's, for Chromium alone.
 * @property {() => Promise<void>} close
 *
 * @typedef {{ webAssembly?: boolean, backForwardCache?: boolean, pictures?: boolean }} Kind What sort of browser: without WebAssembly is
 *   as hardened phones are; Chromium's driver leaves pages out of the back/forward cache, unless it is asked for; WebKit's can
 *   take pictures only where the engine draws in a way that takes twice the time.
 *
 * @typedef {'chromium' | 'firefox' | 'webkit'} Name
 */
export const NAMES = /** @type {const} */ (['chromium', 'firefox', 'webkit']);

/**
 * Why a test is left to Chromium that differs from its neighbours in a word, a colour or a width, in which an engine has no
 * part. One of them runs in every engine.
 */
export const ALIKE = {
  firefox: 'one like it runs here, all of them in Chromium',
  webkit: 'one like it runs here, all of them in Chromium',
};

/** @type {Name} */
export const ENGINE = NAMES.find((name) => name === process.env.ENGINE) ?? 'chromium';

/** @type {Map<string, Promise<Engine>>} */
const engines = new Map();

/** @param {Kind} kind */
const nameOf = ({ webAssembly = true, backForwardCache = false, pictures = false } = {}) => JSON.stringify({ webAssembly, backForwardCache, pictures });

/** The engine of this process, started when it is first asked for; each kind is a browser of its own. @param {Kind} [kind] */
export function launch(kind = {}) {
  const name = nameOf(kind);
  let engine = engines.get(name);
  if (!engine) {
    engine = import(`./${ENGINE}.mjs`).then((module) => module.launch(JSON.parse(name)));
    engines.set(name, engine);
  }
  return engine;
}

/** Ends all, or those of one kind. @param {Kind} [kind] */
export async function close(kind) {
  for (const [name, engine] of engines) {
    if (kind && nameOf(kind) !== name) continue;
    engines.delete(name);
    await (await engine.catch(() => undefined))?.close();
  }
}
