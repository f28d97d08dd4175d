// @ts-check
/** What the shop's own people see. A real back office asks who they are; this one belongs to a demo. */
import { showHeard } from './heard.js';

/** @typedef {import('./heard.js').Order} Order */

/** What can be done with an order, by its state. */
const ACTIONS = /** @type {Partial<Record<Order['state'], [string, string][]>>} */ ({
  signed: [['confirm', 'Confirm the contract'], ['cancel', 'Take the order back']],
  held: [['confirm', 'Take the money'], ['cancel', 'Let it go']],
  paid: [['refund', 'Give the money back']],
});

let shown = '';
look();
setInterval(look, 1000);

async function look() {
  const answer = await fetch('api/orders').catch(() => undefined);
  if (!answer?.ok) return;
  const text = await answer.text();
  // What has not changed stays, with the keyboard where it is.
  if (text === shown) return;
  shown = text;
  /** @type {Order[]} */
  const orders = JSON.parse(text);
  byId('none').hidden = orders.length > 0;
  byId('list').replaceChildren(...orders.map(row));
}

/** @param {Order} order */
function row(order) {
  const { number, amount, card, state, is_basket } = order;
  const item = element('li', '');
  item.append(element('h3', number), element('p', `${is_basket ? 'Two sellers. ' : ''}UAH ${amount}. ${card ?? ''} ${state.replace('_', ' ')}`));
  const heard = element('ol', '');
  heard.className = 'heard';
  showHeard(heard, order);
  item.append(heard);
  for (const [action, label] of ACTIONS[state] ?? []) {
    const button = /** @type {HTMLButtonElement} */ (element('button', label));
    button.type = 'button';
    button.setAttribute('aria-label', `${label}: ${number}`);
    button.addEventListener('click', () => change(button, number, action));
    item.append(button);
  }
  return item;
}

/** @param {HTMLButtonElement} button @param {string} number @param {string} action */
async function change(button, number, action) {
  button.disabled = true;
  const answer = await fetch(`api/orders/${number}/${action}`, { method: 'POST' });
  const { error } = (await answer.json()) ?? {};
  byId('problem').hidden = !error;
  byId('problem').textContent = error ?? '';
  button.disabled = false;
  await look();
}

/** @param {string} name @param {string} text */
function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
