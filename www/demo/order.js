// @ts-check
/** Shows what the shop knows of an order. It asks the shop's server, which believes callbacks; the address names the order alone. */
import { showHeard } from './heard.js';
import { currentLanguage, followLanguage, textOf } from './language.js';

/** @typedef {import('./heard.js').Order} Order */

const query = new URLSearchParams(location.search);
const number = query.get('external_id') ?? query.get('batch_external_id') ?? '';

/** @type {Order | undefined} */
let order;

followLanguage('order', show);
look();
setInterval(look, 1000);

async function look() {
  const answer = await fetch(`api/orders/${encodeURIComponent(number)}`).catch(() => undefined);
  const found = answer?.ok ? await answer.json() : undefined;
  if (order && JSON.stringify(found) === JSON.stringify(order)) return;
  order = found ?? order;
  show();
}

function show() {
  byId('state').textContent = order ? textOf(`state.${order.state}`) : textOf('order.unknown');
  if (!order) return;
  byId('number').textContent = order.number;
  byId('amount').textContent = new Intl.NumberFormat(currentLanguage(), { style: 'currency', currency: 'UAH' }).format(Number(order.amount));
  byId('card').textContent = order.card;
  // A bank pays what is paid in parts.
  /** @type {HTMLElement} */ (byId('card').parentElement).hidden = !order.card;
  const receipt = /** @type {HTMLAnchorElement} */ (byId('receipt'));
  receipt.hidden = !order.receipt_url;
  if (order.receipt_url) receipt.href = order.receipt_url;
  showHeard(byId('heard'), order);
}

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
