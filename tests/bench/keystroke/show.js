// @ts-check
/** What every form written by hand here does to the page: brand, notes, errors. Only what changed is written. */

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} id */
export const field = (id) => /** @type {HTMLInputElement} */ (byId(id));

/** @type {Map<string, string>} */
const hints = new Map();
let shownBrand = '';

/** The mark beside the number. @param {string} id @param {string} name */
export function showBrand(id, name) {
  if (id === shownBrand) return;
  shownBrand = id;
  const mark = document.getElementById('mark');
  if (!mark) byId('brand').textContent = name;
  else if (id) mark.setAttribute('href', `#mark-${id}`);
  else mark.removeAttribute('href');
}

/** An error below a field; an empty one brings the hint back. @param {string} id @param {string} text */
export function showError(id, text) {
  const note = byId(`${id}-note`);
  const hint = hints.get(id) ?? note.textContent ?? '';
  hints.set(id, hint);
  const wanted = text || hint;
  if (note.textContent === wanted) return;
  note.textContent = wanted;
  note.toggleAttribute('data-error', text !== '');
  field(id).setAttribute('aria-invalid', String(text !== ''));
}
