// @ts-check
/**
 * The subscription's own half: gives the token to the shop's server, and shows what became of it. The month that nobody wants to wait for
 * passes in the sandbox.
 */
import { startCardForm } from './card-form.js';
import { currentLanguage, textOf } from './language.js';

/** @typedef {import('../../pkg-template/index.js').CardToken} CardToken */
/** @typedef {{ event: string, payment: { amount: number, status: string } | null, subscription: { state: string } }} Heard */
/** @typedef {{ amount: number, status: string, created_at: string }} Details */
/**
 * @typedef {{ state: 'init' | 'pending' | 'processing' | 'active' | 'inactive', auto_renew: boolean, next_payment_date: string | null,
 *   payments: { details: Details }[], heard: Heard[] }} Subscription
 */

/** @type {Subscription | null} */
let subscription = null;

startCardForm({ page: 'subscription', type: 'full_card', next: begin, changed: show });
for (const action of ['later', 'deactivate', 'cancel']) byId(action).addEventListener('click', () => change(action));
look();
setInterval(look, 1000);

/** @param {CardToken} card */
async function begin({ token }) {
  say(textOf('subscription.paying'));
  await post('api/subscription', { token, lang: currentLanguage() }, ({ goes_to }) => location.assign(goes_to));
}

/** @param {string} action */
async function change(action) {
  say('');
  await post(`api/subscription/${action}`, {}, look);
}

/** @param {string} path @param {object} body @param {(answer: any) => void} then */
async function post(path, body, then) {
  for (const button of buttons()) button.disabled = true;
  try {
    const answer = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
    const told = await answer.json();
    if (told?.error) throw new Error(told.error);
    then(told);
  } catch (error) {
    say(`${textOf('subscription.problem')} ${error instanceof Error ? error.message : ''}`);
  }
  for (const button of buttons()) button.disabled = false;
}

async function look() {
  const answer = await fetch('api/subscription').catch(() => undefined);
  const found = answer?.ok ? await answer.json() : subscription;
  // What has not changed stays, with the keyboard where it is.
  if (JSON.stringify(found) === JSON.stringify(subscription)) return;
  subscription = found;
  show();
}

function show() {
  byId('subscription').hidden = !subscription;
  if (!subscription) return;
  const { state, auto_renew, next_payment_date, payments, heard } = subscription;
  const lang = currentLanguage();
  const money = new Intl.NumberFormat(lang, { style: 'currency', currency: 'UAH' });
  /** @param {string} time */
  const day = (time) => new Date(time).toLocaleDateString(lang, { dateStyle: 'long', timeZone: 'UTC' });
  const words = { active: 'active', inactive: 'inactive', init: 'waiting', pending: 'waiting', processing: 'waiting' };
  byId('state').textContent = textOf(/** @type {'subscription.active'} */ (`subscription.${words[state]}`));
  const next = auto_renew ? 'subscription.next' : 'subscription.until';
  byId('next').textContent = next_payment_date ? `${textOf(next)} ${day(next_payment_date)}` : '';
  lines('payments', payments.map(({ details }) => `${day(details.created_at)}: ${money.format(details.amount)}, ${details.status}`));
  lines('heard', heard.map((told) => `${told.event} (${told.subscription.state})`));
  byId('deactivate').hidden = state === 'inactive' || !auto_renew;
  byId('cancel').hidden = byId('later').hidden = state === 'inactive';
  byId('form').hidden = state !== 'inactive';
}

/** @param {string} id @param {string[]} texts */
function lines(id, texts) {
  byId(id).replaceChildren(...texts.map((text) => {
    const line = document.createElement('li');
    line.textContent = text;
    return line;
  }));
}

/** @returns {HTMLButtonElement[]} */
function buttons() {
  return ['later', 'deactivate', 'cancel'].map((id) => /** @type {HTMLButtonElement} */ (byId(id)));
}

/** @param {string} text */
function say(text) {
  byId('payment').textContent = text;
}

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
