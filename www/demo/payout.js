// @ts-check
/** The payout's own half: gives the token to the shop's server, and shows what the server knows until the money is there. */
import { startCardForm } from './card-form.js';
import { currentLanguage, textOf } from './language.js';

/** @typedef {import('../../pkg-template/index.js').CardToken} CardToken */
/** @typedef {{ number: string, amount: string, card: string, status: 'init' | 'pending' | 'success' | 'failure', status_code: string }} Payout */

/** @type {Payout | undefined} */
let payout;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

startCardForm({ page: 'payout', type: 'pan_only', next: send, changed: show });

/** @param {CardToken} card */
async function send({ token, card_mask }) {
  clearTimeout(timer);
  payout = undefined;
  say(textOf('payout.sending'));
  try {
    const answer = await fetch('api/payouts', { method: 'POST', body: JSON.stringify({ token, card_mask }) });
    const made = await answer.json();
    if (made.error) throw new Error(made.error);
    payout = made;
    show();
    timer = setTimeout(look, 500);
  } catch (error) {
    say(`${textOf('payout.notSent')} ${error instanceof Error ? error.message : ''}`);
  }
}

/** Until it has ended. */
async function look() {
  const answer = await fetch(`api/payouts/${payout?.number}`).catch(() => undefined);
  if (answer?.ok) payout = await answer.json();
  show();
  if (payout?.status === 'init' || payout?.status === 'pending') timer = setTimeout(look, 500);
}

function show() {
  if (!payout) return;
  const amount = new Intl.NumberFormat(currentLanguage(), { style: 'currency', currency: 'UAH' }).format(Number(payout.amount));
  const reason = payout.status === 'failure' ? ` (${payout.status_code})` : '';
  say(`${textOf(`payout.${payout.status}`)} ${amount} → ${payout.card}${reason}`);
}

/** @param {string} text */
function say(text) {
  const shown = /** @type {HTMLElement} */ (document.getElementById('payout'));
  if (shown.textContent !== text) shown.textContent = text;
}
