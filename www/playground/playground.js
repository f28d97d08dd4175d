// @ts-check
/**
 * The playground: controls on one side, the form, its code and its events on the other.
 *
 * @import { CardWidget, CardWidgetHandle } from '../../pkg-template/index.js'
 */
import { COLOUR, COLOURS, DEFAULTS, findContrast } from './contrast.js';
import { BRANDS, CHANGEABLE, MEASURES, TEXTS, fromAddress, readParams, toAddress } from './params.js';
import { snippet } from './snippet.js';

const service = document.body.dataset.service ?? '';
const form = /** @type {HTMLFormElement} */ (byId('controls'));
const dark = matchMedia('(prefers-color-scheme: dark)');
/** Entries that the log keeps. */
const KEPT = 200;

/** @type {CardWidget | undefined} */
let library;
/** @type {CardWidgetHandle | undefined} */
let widget;
/** What the form was opened with and cannot change. */
let fixed = '';

makeControls();
fromAddress(form, location.hash.slice(1));
keepConsole();
for (const name of /** @type {const} */ (['widget-init-ready', 'widget-init-error'])) {
  document.addEventListener(name, ({ detail }) => detail.instance === widget?.id && log(name, detail));
}
document.addEventListener('widget-init-error', ({ detail }) => detail.instance === widget?.id && showProblem(detail.message));
// Some of the form's controls stand elsewhere in the page.
document.addEventListener('input', ({ target }) => /** @type {HTMLInputElement} */ (target).form === form && change());
form.addEventListener('submit', (event) => event.preventDefault());
addEventListener('hashchange', () => {
  form.reset();
  fromAddress(form, location.hash.slice(1));
  change();
});
dark.addEventListener('change', showContrast);
byId('reopen').addEventListener('click', open);
byId('clear').addEventListener('click', () => byId('events').replaceChildren());
byId('copy').addEventListener('click', copy);
byId('plain-theme').addEventListener('click', () => {
  for (const control of form.querySelectorAll('[name^="theme."]')) /** @type {HTMLInputElement} */ (control).value = '';
  change();
});
show();
load();

/** Adds the script as a shop would. */
function load() {
  window.__onWidgetReady = () => {
    library = window.CardWidget;
    open();
  };
  const script = document.createElement('script');
  script.src = `${service}/widget/v1/card-widget.js`;
  script.addEventListener('error', () => showProblem(`${service} did not answer, or the browser blocked its script.`));
  document.head.append(script);
}

/** A form from the beginning. */
function open() {
  if (!library) return;
  const params = readParams(form);
  fixed = fixedOf(params);
  byId('problem').hidden = true;
  widget?.close();
  widget = library.init({
    ...params,
    onToken: ({ token, expires_at, card_mask }) => log('onToken', { token: mask(token), expires_at, card_mask }),
    onError: (error) => log('onError', error),
    onChange: (change) => log('onChange', change),
  });
  widget.open();
}

/** Something was changed: in the form on the page, in its code, in the address. */
function change() {
  const params = readParams(form);
  show();
  const address = toAddress(form);
  history.replaceState(null, '', address ? `#${address}` : location.pathname);
  if (!widget || fixed !== fixedOf(params)) {
    open();
    return;
  }
  // Texts are laid over the earlier ones, so that these have to go first.
  widget.update({ locale: undefined });
  widget.update(Object.fromEntries(CHANGEABLE.map((name) => [name, params[name]])));
}

/** @param {{ key: string, type?: unknown }} params */
function fixedOf({ key, type }) {
  return JSON.stringify([key, type]);
}

/** All that follows from the controls on this page itself. */
function show() {
  const ground = byId('ground');
  const width = valueOf('width');
  ground.style.background = valueOf('page');
  byId('card').style.width = width ? `${width}px` : '';
  const variant = valueOf('variant') === 'npm' ? 'npm' : 'script';
  byId('snippet').textContent = snippet(variant, service, readParams(form));
  for (const name of COLOURS) showColour(name);
  showContrast();
}

/**
 * The pickers of a colour follow its text.
 *
 * @param {string} name
 */
function showColour(name) {
  const text = /** @type {HTMLInputElement} */ (form.elements.namedItem(`theme.${name}`));
  const own = DEFAULTS[valueOf('style')]?.[name];
  const fine = !text.value || COLOUR.test(text.value);
  text.placeholder = own ? own.join(' ') : 'black or white';
  text.setAttribute('aria-invalid', String(!fine));
  const shown = fine && text.value ? text.value.split(' ') : (own ?? ['#ffffff', '#000000']);
  for (const [at, picker] of pickers(name).entries()) picker.value = wide(shown[at] ?? shown[0]);
}

function showContrast() {
  const params = readParams(form);
  const theme = /** @type {{ [name: string]: string }} */ (params.theme ?? {});
  const look = { style: valueOf('style'), scheme: valueOf('colorScheme'), theme, page: valueOf('page'), dark: dark.matches };
  const found = findContrast(look);
  const short = found.filter(({ ratio, least }) => ratio < least);
  byId('verdict').textContent = short.length
    ? `⚠ Too little: ${short.map(({ what, ratio, least }) => `${what} ${shown(ratio)}:1, not ${least}:1`).join('; ')}.`
    : `✓ All ${found.length} pairs are at or above what WCAG 2.2 AA asks for; the least text has ${shown(
        Math.min(...found.filter(({ least }) => least > 3).map(({ ratio }) => ratio)),
      )}:1.`;
  byId('verdict').dataset.short = String(short.length > 0);
  const rows = found.map(({ what, least, upper, lower, ratio }) => {
    const row = document.createElement('tr');
    const cells = [what, `${upper} on ${lower}`, `${least}`, `${shown(ratio)}${ratio < least ? ' ⚠' : ''}`];
    row.append(...cells.map((text, at) => make(at ? 'td' : 'th', text)));
    row.firstElementChild?.setAttribute('scope', 'row');
    return row;
  });
  /** @type {HTMLTableElement} */ (byId('contrast')).tBodies[0].replaceChildren(...rows);
}

/** The controls of which there are many alike. */
function makeControls() {
  byId('colours').append(
    ...COLOURS.map((name) => {
      const row = makeRow(`theme.${name}`, name);
      const sides = ['light', 'dark'].map((side, at) => {
        const picker = document.createElement('input');
        picker.type = 'color';
        picker.dataset.colour = name;
        picker.setAttribute('aria-label', `${name}, ${side}`);
        picker.addEventListener('input', () => pick(name, at));
        return picker;
      });
      row.append(...sides);
      return row;
    }),
  );
  byId('measures').append(
    ...Object.entries(MEASURES).map(([name, [least, most]]) => {
      const row = makeRow(`theme.${name}`, name);
      const input = /** @type {HTMLInputElement} */ (row.querySelector('input'));
      Object.assign(input, { type: 'number', min: String(least), max: String(most), placeholder: `${least} to ${most} px` });
      return row;
    }),
  );
  byId('texts').append(...TEXTS.map((name) => makeRow(`locale.${name}`, name)));
  byId('brands').append(
    ...BRANDS.map((brand) => {
      const label = document.createElement('label');
      const box = document.createElement('input');
      Object.assign(box, { type: 'checkbox', name: 'brands', value: brand });
      label.append(box, ` ${brand}`);
      return label;
    }),
  );
}

/**
 * A label and a text.
 *
 * @param {string} name
 * @param {string} shown
 */
function makeRow(name, shown) {
  const row = document.createElement('div');
  const label = document.createElement('label');
  const input = document.createElement('input');
  row.className = 'row';
  label.htmlFor = input.id = name.replaceAll('.', '-');
  label.append(make('code', shown));
  input.name = name;
  input.spellcheck = false;
  row.append(label, input);
  return row;
}

/**
 * A picker was moved: one colour counts for both sides until the other is picked too.
 *
 * @param {string} name
 * @param {number} at
 */
function pick(name, at) {
  const text = /** @type {HTMLInputElement} */ (form.elements.namedItem(`theme.${name}`));
  const parts = COLOUR.test(text.value) ? text.value.split(' ') : [];
  const values = pickers(name).map(({ value }) => value);
  text.value = at === 0 && parts.length < 2 ? values[0] : values.join(' ');
}

/** @param {string} name */
function pickers(name) {
  return /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(`[data-colour="${name}"]`)]);
}

/** What the loader says on the console belongs to what a page hears. */
function keepConsole() {
  for (const level of /** @type {const} */ (['warn', 'error'])) {
    const say = console[level].bind(console);
    console[level] = (...words) => {
      say(...words);
      if (String(words[0]).startsWith('CardWidget')) log(`console.${level}`, String(words[0]));
    };
  }
}

/**
 * @param {string} name
 * @param {unknown} what
 */
function log(name, what) {
  const entry = document.createElement('li');
  const time = new Date().toISOString().slice(11, 23);
  entry.append(make('time', time), ' ', make('b', name), ' ', make('code', typeof what === 'string' ? what : JSON.stringify(what)));
  const list = byId('events');
  list.prepend(entry);
  while (list.childElementCount > KEPT) list.lastElementChild?.remove();
}

/** @param {string} message */
function showProblem(message) {
  byId('problem').textContent = message;
  byId('problem').hidden = false;
}

async function copy() {
  const text = byId('snippet').textContent ?? '';
  try {
    await navigator.clipboard.writeText(text);
    byId('copied').textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(byId('snippet'));
    byId('copied').textContent = 'Selected: copy it with the keyboard';
  }
}

/**
 * A token buys something; a log that may be shown to somebody needs no more than how it begins.
 *
 * @param {string} token
 */
function mask(token) {
  return `${token.slice(0, 6)}… (${token.length} characters)`;
}

/** @param {number} ratio */
function shown(ratio) {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}

/** @param {string} hex */
function wide(hex) {
  return hex.length === 4 ? hex.replace(/[\da-f]/gi, '$&$&') : hex;
}

/** @param {string} name */
function valueOf(name) {
  return String(new FormData(form).get(name) ?? '');
}

/**
 * @param {string} kind
 * @param {string} text
 */
function make(kind, text) {
  const element = document.createElement(kind);
  element.textContent = text;
  return element;
}

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
