// @ts-check
/** Somebody at the keyboard of a form: the keys of `tests/vectors/typing`, as its README describes them. */
import { ENTERED, Form, LEFT } from './form.js';

/** Places in `EDITS` of the frame's script. @type {{ [key: string]: number }} */
const DELETIONS = {
  Backspace: 1,
  Delete: 2,
  'Control+Backspace': 3,
  'Control+Delete': 4,
  'delete to start': 5,
  'delete to end': 6,
};
const INSERT = 0;
const CUT = 7;

export class Person {
  clipboard = '';

  /** @param {Form} form @param {string} focus */
  constructor(form, focus) {
    this.form = form;
    this.focus = focus;
    this.goTo(focus);
  }

  get input() {
    return this.form.inputs[this.focus];
  }

  /** A click behind the text of a field. @param {string} field */
  goTo(field) {
    if (field !== this.focus) this.form.happens(this.focus, LEFT);
    this.focus = field;
    this.form.happens(field, ENTERED);
    this.input.select(this.input.value.length, this.input.value.length);
  }

  /** @param {number} kind @param {string} text */
  edit(kind, text) {
    this.form.edits(this.focus, kind, text);
    const next = this.form.focused;
    this.form.focused = undefined;
    if (next) this.goTo(next);
  }

  /** @param {number} anchor @param {number} head */
  select(anchor, head) {
    this.input.select(Math.min(anchor, head), Math.max(anchor, head), head < anchor);
  }

  /** @param {string} key */
  press(key) {
    const [, verb, rest] = /^(type|paste|select|choose):(.*)$/s.exec(key) ?? [];
    const { start, end, backward, value } = this.input;
    const [anchor, head] = backward ? [end, start] : [start, end];
    if (verb === 'type') return [...rest].forEach((character) => this.edit(INSERT, character));
    if (verb === 'paste') return this.edit(INSERT, rest);
    if (verb === 'select') return this.select(...(/** @type {[number, number]} */ (rest.split('-').map(Number))));
    if (verb === 'choose') return this.form.networks.includes(rest) && this.form.call('on_choice', this.form.networks.indexOf(rest));
    if (key in DELETIONS) return this.edit(DELETIONS[key], '');
    switch (key) {
      case 'Home':
        return this.select(0, 0);
      case 'End':
        return this.select(value.length, value.length);
      case 'ArrowLeft':
        return start === end ? this.select(Math.max(start - 1, 0), Math.max(start - 1, 0)) : this.select(start, start);
      case 'ArrowRight':
        return this.select(...(/** @type {[number, number]} */ (Array(2).fill(start === end ? Math.min(end + 1, value.length) : end))));
      case 'Shift+ArrowLeft':
        return this.select(anchor, Math.max(head - 1, 0));
      case 'Shift+ArrowRight':
        return this.select(anchor, Math.min(head + 1, value.length));
      case 'Shift+Home':
        return this.select(anchor, 0);
      case 'Shift+End':
        return this.select(anchor, value.length);
      case 'Control+a':
        return this.select(0, value.length);
      case 'Control+z':
      case 'Control+Shift+z':
        return this.form.travels(this.focus, key === 'Control+z');
      case 'undo all':
      case 'redo all':
        for (let step = 0; step < 100; step++) this.form.travels(this.focus, key === 'undo all');
        return;
      case 'cut':
        if (start === end) return;
        this.clipboard = value.slice(start, end);
        return this.edit(CUT, '');
      case 'paste':
        return this.edit(INSERT, this.clipboard);
      case 'blur':
        return this.form.happens(this.focus, LEFT);
      default:
        return this.edit(INSERT, key);
    }
  }
}
