// @ts-check
// The events of the form, on their way to the module.
import { call } from './core.js';
import { editing } from './lend.js';
import { FIELDS, NETWORKS, at, form } from './page.js';

/** A place in the list of edits that follows. */
const INSERT = 0;

/**
 * What a `beforeinput` asks for, as far as the module does it: insert, delete a character backward or forward, a word
 * backward or forward, to the start or the end, the selection.
 *
 * @type {{ [inputType: string]: number }}
 */
const EDITS = {
  __proto__: /** @type {any} */ (null),
  insertText: INSERT,
  insertFromPaste: INSERT,
  insertFromYank: INSERT,
  deleteContentBackward: 1,
  deleteContentForward: 2,
  deleteWordBackward: 3,
  deleteWordForward: 4,
  deleteSoftLineBackward: 5,
  deleteHardLineBackward: 5,
  deleteSoftLineForward: 6,
  deleteHardLineForward: 6,
  deleteByCut: 7,
  deleteContent: 7,
};

/**
 * What has happened to a field, by event or by its input type. `change` is what some password managers send alone.
 *
 * @type {{ [name: string]: number }}
 */
const HAPPENINGS = {
  __proto__: /** @type {any} */ (null),
  input: 0,
  change: 0,
  historyUndo: 1,
  historyRedo: 2,
  focusin: 3,
  focusout: 4,
  compositionstart: 5,
  compositionend: 6,
};

/** Hands the module the events of the form from now on. */
export function listen() {
  form.addEventListener('beforeinput', onBeforeInput);
  for (const name of ['input', 'change', 'compositionstart', 'compositionend', 'focusin', 'focusout']) {
    form.addEventListener(name, onField);
  }
  // Who presses a network has not left the number; a press on its text would take the focus to nowhere first.
  at('networks').addEventListener('mousedown', (/** @type {Event} */ event) => event.preventDefault());
  form.addEventListener('drop', onDrop);
  // Digits of a card leave the form in no way but the clipboard, which the person asked for.
  form.addEventListener('dragstart', (event) => event.preventDefault());
}

/**
 * Does itself what the browser is about to do, where the browser allows it: it would neither format nor remember the
 * caret. What it does not allow (compositions, autofill) is seen to afterwards, by the event `input`.
 *
 * @param {InputEvent} event
 * @returns {void}
 */
function onBeforeInput(event) {
  const kind = EDITS[event.inputType];
  const input = /** @type {HTMLInputElement} */ (event.target);
  // One engine asks for typed text and undo, another for a cut, where the field may only be read.
  if (input.readOnly) return event.preventDefault();
  if (editing || kind === undefined || !event.cancelable || event.isComposing || input !== document.activeElement) return;
  event.preventDefault();
  edit(input, kind, event.data ?? event.dataTransfer?.getData('text') ?? '');
}

/**
 * @param {HTMLInputElement} input
 * @param {number} kind
 * @param {string} text
 */
function edit(input, kind, text) {
  call('on_edit', FIELDS.indexOf(input.id), kind, input.selectionStart ?? 0, input.selectionEnd ?? 0, text);
}

/** @param {Event} event */
function onField(event) {
  const { type, target, relatedTarget, inputType } = /** @type {any} */ (event);
  const field = fieldOf(target);
  const network = NETWORKS.indexOf(target.id);
  if (editing || (network >= 0 && type === 'input')) return;
  if (network >= 0 && type === 'change') call('on_choice', network);
  // Between a number and its networks nobody leaves the number.
  else if (!type.startsWith('focus') || fieldOf(relatedTarget) !== field) call('on_field', field, HAPPENINGS[inputType] ?? HAPPENINGS[type]);
}

/**
 * Index of the field that an element belongs to: the networks to the number.
 *
 * @param {Element | null} element
 */
const fieldOf = (element) => (NETWORKS.includes(element?.id ?? '') ? 0 : FIELDS.indexOf(element?.id ?? ''));

/**
 * Puts in what is dropped, formatted, where the pointer is; browsers that do not tell where that is put it at the end.
 *
 * @param {DragEvent} event
 */
function onDrop(event) {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (!FIELDS.includes(input.id) || input.readOnly) return;
  event.preventDefault();
  input.focus();
  const place = document.caretPositionFromPoint?.(event.clientX, event.clientY);
  const at = place?.offsetNode === input ? place.offset : input.value.length;
  input.setSelectionRange(at, at);
  edit(input, INSERT, event.dataTransfer?.getData('text') ?? '');
}
