// @ts-check
/** The page's own texts and amounts in the visitor's language. The language stands in the address, not in a cookie. */
import { texts } from './texts.js';

/** @typedef {keyof typeof texts} Lang */

const CURRENCY = 'UAH';

/** @returns {Lang} The language in the address, else the first of the browser's that we know, else English. */
export function currentLanguage() {
  const asked = new URLSearchParams(location.search).get('lang');
  const wanted = [asked, ...navigator.languages].map((tag) => tag?.slice(0, 2));
  return /** @type {Lang} */ (wanted.find((tag) => tag && tag in texts) ?? 'en');
}

/** @param {keyof typeof texts.en} name A text of the page's language. */
export const textOf = (name) => texts[currentLanguage()][name];

/**
 * Shows the page in its language, and again each time the visitor picks another one.
 *
 * @param {string} page Names the page's title in the texts.
 * @param {(lang: Lang) => void} changed Called each time the visitor picks another language.
 */
export function followLanguage(page, changed) {
  show(page, currentLanguage());
  for (const button of all('button[data-lang]')) {
    button.addEventListener('click', () => {
      const lang = /** @type {Lang} */ (button.dataset.lang);
      if (lang === document.documentElement.lang) return;
      const address = new URL(location.href);
      address.searchParams.set('lang', lang);
      history.replaceState(null, '', address);
      show(page, lang);
      changed(lang);
    });
  }
}

/**
 * @param {string} page
 * @param {Lang} lang
 */
function show(page, lang) {
  /** @type {Record<string, string>} */
  const words = texts[lang];
  const money = new Intl.NumberFormat(lang, { style: 'currency', currency: CURRENCY });
  document.documentElement.lang = lang;
  document.title = `${words[`${page}.title`]} · Hlyna`;
  for (const element of all('[data-text]')) element.textContent = words[element.dataset.text ?? ''];
  for (const element of all('[data-label]')) element.setAttribute('aria-label', words[element.dataset.label ?? '']);
  for (const element of all('[data-amount]')) element.textContent = money.format(Number(element.dataset.amount));
  for (const button of all('button[data-lang]')) button.setAttribute('aria-pressed', String(button.dataset.lang === lang));
  const other = /** @type {HTMLAnchorElement | null} */ (document.getElementById('other'));
  if (other) other.search = `?lang=${lang}`;
}

/** @param {string} selector */
const all = (selector) => /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector));
