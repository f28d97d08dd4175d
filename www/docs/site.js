// @ts-check
/** The search. Pages are complete without it: it is shown when this script runs. */

/** @typedef {{ page: string, part: string, address: string, text: string }} Part */

const root = document.querySelector('script[data-root]')?.getAttribute('data-root') ?? '';
const box = /** @type {HTMLElement} */ (document.querySelector('#search'));
const words = /** @type {HTMLInputElement} */ (document.querySelector('#words'));
const found = /** @type {HTMLElement} */ (document.querySelector('#found'));

/** Results at a time. */
const MOST = 12;

/** Characters of text around a word. */
const AROUND = 60;

/** @type {Promise<Part[]> | undefined} */
let parts;

/** Fetched once, when somebody wants to search; again after a failure. */
function load() {
  parts ??= fetch(`${root}search.json`).then((answer) => answer.json()).catch((error) => {
    parts = undefined;
    throw error;
  });
  return parts;
}

/** How well a part fits: a word in a title is worth more than one in the text; a word that is nowhere leaves it out. @param {Part} part @param {string[]} sought */
function worth(part, sought) {
  const [page, title, text] = [part.page, part.part, part.text].map((text) => text.toLowerCase());
  let sum = 0;
  for (const word of sought) {
    const worth = (title.includes(word) ? 8 : 0) + (page.includes(word) ? 4 : 0) + (text.includes(word) ? 1 : 0);
    if (!worth) return 0;
    sum += worth;
  }
  return sum;
}

/** The text around the first word. @param {string} text @param {string} word */
function around(text, word) {
  const plain = text.replace(/\s+/g, ' ');
  const at = Math.max(0, plain.toLowerCase().indexOf(word));
  const start = Math.max(0, at - AROUND);
  return (start ? '… ' : '') + plain.slice(start, at + 2 * AROUND).trim() + ' …';
}

async function search() {
  const sought = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (!sought.length) return show([]);
  /** @type {Part[]} */
  let all;
  try {
    all = await load();
  } catch {
    return show([line('The search cannot be loaded. Try again in a moment.')]);
  }
  const best = all
    .map((part) => ({ part, worth: worth(part, sought) }))
    .filter(({ worth }) => worth)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, MOST);
  show(best.length ? best.map(({ part }) => result(part, sought[0])) : [line('Nothing has all these words.')]);
}

/** @param {Node[]} nodes */
function show(nodes) {
  found.replaceChildren(...nodes);
  found.hidden = !nodes.length;
}

/** @param {string} text */
function line(text) {
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  return paragraph;
}

/** @param {Part} part @param {string} word */
function result({ page, part, address, text }, word) {
  const link = document.createElement('a');
  link.href = `${root}${address}`;
  const title = document.createElement('strong');
  title.textContent = page === part ? part : `${page}: ${part}`;
  link.append(title, line(around(text, word)));
  return link;
}

box.hidden = false;
words.addEventListener('focus', () => load().catch(() => undefined));
words.addEventListener('input', search);
box.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') show([]);
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement === document.body) {
    event.preventDefault();
    words.focus();
  }
});
// A link to a part of the same page leaves the page as it is.
found.addEventListener('click', () => show([]));
