// @ts-check
/// <reference path="./early.d.ts" />
// What all rooms of the frame's script know of the page.

/** What the page's inline script has kept. */
export const early = window.cardWidgetEarly;

export const form = document.forms[0];

/** Ids of the fields, in the module's order. */
export const FIELDS = ['number', 'expiry', 'code'];

/** Ids of the two networks of a co-badged card. */
export const NETWORKS = ['network-0', 'network-1'];

/**
 * What the service cannot say by itself, by code. Filled in by the build from `www/shared/codes.json`; what has no
 * stage there is told of a submit.
 *
 * @type {{ [code: string]: { actor: import('../shared/messages').Actor, retryable: boolean, message: string, stage?: import('../shared/messages').Stage } }}
 */
export const CODES = { __proto__: null, .../** @type {any} */ ('%CODES%') };

/** @type {(id: string) => any} */
export const at = (id) => document.getElementById(id);

/**
 * Sets a text where it differs, so that a screen reader is not told the same twice.
 *
 * @param {string} id
 * @param {string | null} text
 */
export function show(id, text) {
  const element = at(id);
  if (element.textContent !== (text ?? '')) element.textContent = text;
}
