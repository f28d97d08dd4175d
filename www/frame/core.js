// @ts-check
/// <reference path="./early.d.ts" />
// The module: which one runs, the one way into it, and a fresh instance for one that has failed.
import { fail, initSync, on_ask, on_choice, on_edit, on_field, on_message, on_submit, resume, start } from './card_widget.js';
import { FIELDS, early, form } from './page.js';
import { configure, stop } from './talk.js';

/** What runs is this, or a core in plain JavaScript that exports the same. */
const glue = { fail, initSync, on_ask, on_choice, on_edit, on_field, on_message, on_submit, resume, start };

/** @typedef {typeof glue} Core */
/** @typedef {ReturnType<typeof import('./lend.js').lend>} Lent */
/** @typedef {{ core: Core, fresh: () => WebAssembly.Memory, memory?: WebAssembly.Memory }} Chosen */

/** Milliseconds until the core in plain JavaScript is fetched too. */
const PATIENCE = 5_000;

/** @type {Chosen | undefined} None before the start and after the end. */
let chosen;

/** @type {Lent} */
let lent;

/** How many calls are under way, one in the other: what the module does to the page can make events. */
let depth = 0;

/** A call has failed: the instance is not to be trusted any more. */
let broken = false;

/** The core that is there first. Fails when there is none. */
export function choose() {
  const wasm = compile();
  const fallback = new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE);
    wasm.then(() => clearTimeout(timer), resolve);
  }).then(async () => boot(await import(early.data.fallback ?? '')));
  return Promise.any([wasm, fallback]);
}

async function compile() {
  const { href } = /** @type {HTMLLinkElement} */ (document.querySelector('link[as=fetch]'));
  // So asked, every engine takes what the page has preloaded: with CORS one of them loads it twice.
  return boot(glue, await WebAssembly.compileStreaming(fetch(href, { mode: 'no-cors', credentials: 'include' })));
}

/**
 * @param {Core} core
 * @param {WebAssembly.Module} [module]
 * @returns {Chosen}
 */
function boot(core, module) {
  const fresh = () => core.initSync(/** @type {any} */ ({ module })).memory;
  return { core, fresh, memory: fresh() };
}

/**
 * Attaches a core to the form. Whether it runs.
 *
 * @param {Chosen} core
 * @param {Lent} platform
 */
export function begin(core, platform) {
  chosen = core;
  lent = platform;
  return enter();
}

/**
 * The one way into the module. One that fails is replaced by a fresh instance, once nothing of it is under way.
 *
 * @template {keyof Core} N
 * @param {N} name
 * @param {Parameters<Core[N]>} values
 * @returns {ReturnType<Core[N]> | undefined}
 */
export function call(name, ...values) {
  if (!chosen || broken) return;
  let result;
  depth += 1;
  try {
    result = /** @type {any} */ (chosen.core[name])(...values);
  } catch {
    // Not to the console: what was being typed may stand in it.
    broken = true;
  }
  depth -= 1;
  if (!broken) return result;
  if (!depth) restart();
}

/** Wipes what was typed, wherever we can reach it, for good. */
export function end() {
  stop();
  form.reset();
  wipe();
  chosen = undefined;
}

function restart() {
  const wasSubmitting = stop();
  wipe();
  // Out of the page the platform fails where it likes; nobody is there to be told.
  if (!document.defaultView) end();
  else if (!enter()) early.fail();
  else if (wasSubmitting) call('fail', 'form_restarted');
  else lent.failed(lent.failure('form_restarted'));
}

/** Attaches an instance to what stands in the fields, then to empty ones where that is what it cannot bear. */
function enter() {
  // Nobody is to start another one meanwhile.
  depth = 1;
  for (const isEmpty of [false, true]) {
    if (isEmpty) form.reset();
    broken = false;
    try {
      const core = /** @type {Chosen} */ (chosen);
      core.memory ??= core.fresh();
      const focused = FIELDS.indexOf(document.activeElement?.id ?? '');
      const runs = call('start', /** @type {any} */ (lent), early.data, focused, early.composing);
      configure();
      if (runs && !broken) {
        depth = 0;
        return true;
      }
    } catch {}
    wipe();
  }
  end();
  return false;
}

function wipe() {
  if (!chosen?.memory) return;
  new Uint8Array(chosen.memory.buffer).fill(0);
  chosen.memory = undefined;
}
