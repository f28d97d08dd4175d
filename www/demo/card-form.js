// @ts-check
/**
 * The part to copy: load the script, show the form, take the token, and say so when there is no form.
 *
 * @import { CardToken, CardWidget, CardWidgetHandle } from '../../pkg-template/index.js'
 */
import { currentLanguage, followLanguage } from './language.js';

const { service = '', key = '' } = document.body.dataset;
const amount = Number(byId('amount').dataset.amount);

/** @type {CardWidgetHandle | undefined} The form that is on the page. */
let widget;

/** @type {(card: CardToken) => void} What the shop does with a token. */
let next = () => {};

/** @param {{ page: string, type: 'full_card' | 'pan_only', next?: typeof next, changed?: () => void }} shop `changed`: the language has. */
export function startCardForm({ page, type, next: then = next, changed = () => {} }) {
  next = then;
  const open = () => openForm(type);
  followLanguage(page, (lang) => {
    widget?.setLang(lang); // what was typed stays
    changed();
  });
  byId('retry').addEventListener('click', open);
  byId('again').addEventListener('click', open);
  document.addEventListener('widget-init-ready', ({ detail }) => {
    if (detail.instance === widget?.id) byId('card').removeAttribute('aria-busy');
  });
  document.addEventListener('widget-init-error', ({ detail }) => {
    if (detail.instance === widget?.id) showProblem(detail.id, detail.message);
  });
  open();
}

/** @param {'full_card' | 'pan_only'} type */
async function openForm(type) {
  show('card');
  byId('card').setAttribute('aria-busy', 'true');
  try {
    const CardWidget = await loadScript();
    widget = CardWidget.init({
      key,
      mode: 'inline',
      selector: 'card',
      type,
      lang: currentLanguage(),
      amount,
      currency: 'UAH',
      onToken: showToken,
    });
    widget.open();
  } catch {
    showProblem('script_not_loaded', `${service} did not answer, or the browser blocked its script.`);
  }
}

/** @returns {Promise<CardWidget>} The widget; its script is added once, and again only after it could not be loaded. */
function loadScript() {
  return new Promise((resolve, reject) => {
    if (window.CardWidget) {
      resolve(window.CardWidget);
      return;
    }
    window.__onWidgetReady = () => resolve(/** @type {CardWidget} */ (window.CardWidget));
    const script = document.createElement('script');
    script.src = `${service}/widget/v1/card-widget.js`;
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error('script'));
    });
    document.head.append(script);
  });
}

/**
 * Shows the token, and sends it on to the shop's server.
 *
 * @param {CardToken} card
 */
function showToken(card) {
  const { token, expires_at, card_mask } = card;
  byId('token').textContent = token;
  byId('expires-at').textContent = expires_at;
  byId('card-mask').textContent = card_mask;
  leaveForm('result');
  byId('result-title').focus();
  next(card);
}

/**
 * @param {string} id
 * @param {string} message
 */
function showProblem(id, message) {
  byId('problem-id').textContent = id;
  byId('problem-message').textContent = message;
  leaveForm('problem');
}

/** @param {'problem' | 'result'} part */
function leaveForm(part) {
  widget?.close();
  widget = undefined;
  show(part);
}

/** @param {'card' | 'problem' | 'result'} part The one part of the section that is shown. */
function show(part) {
  for (const id of ['card', 'problem', 'result']) byId(id).hidden = id !== part;
  byId('hint').hidden = part !== 'card';
}

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
