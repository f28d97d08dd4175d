// @ts-check
/**
 * The checkout's own half: tells the shop's server how the order is paid, and goes where the server says. The server calls the payment
 * service; this page never does, beyond the card form.
 *
 * @typedef {{ way: 'card' | 'page' | 'saved' | 'parts', token?: string, option_id?: string, bank?: string, parts?: number, phone?: string }} Way
 * @typedef {{ name: string, product_name: string, logo_url: string, available_periods: number[] }} Bank
 */
import { currentLanguage, textOf } from './language.js';

export function followOrder() {
  byId('on-page').addEventListener('click', () => pay({ way: 'page' }));
  showSaved();
  showBanks();
  return { pay };
}

/** @param {Way} way */
async function pay(way) {
  say(textOf('checkout.paying'));
  const choices = Object.fromEntries(['saves', 'holds', 'shared'].map((id) => [id, /** @type {HTMLInputElement} */ (byId(id)).checked]));
  try {
    const answer = await fetch('api/orders', { method: 'POST', body: JSON.stringify({ ...way, ...choices, lang: currentLanguage() }) });
    const { goes_to, error } = await answer.json();
    if (error) throw new Error(error);
    location.assign(goes_to);
  } catch (error) {
    say(`${textOf('checkout.notPaid')} ${error instanceof Error ? error.message : ''}`);
  }
}

/** One button for each saved card. */
async function showSaved() {
  const answer = await fetch('api/cards').catch(() => undefined);
  /** @type {{ option_id: string, card: { mask: string, payment_system: string | null } }[]} */
  const cards = answer?.ok ? await answer.json() : [];
  for (const { option_id, card } of cards) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `${card.payment_system ?? ''} •• ${card.mask.slice(-4)}`;
    button.addEventListener('click', () => pay({ way: 'saved', option_id }));
    const item = document.createElement('li');
    item.append(button);
    byId('saved').append(item);
  }
}

/** What the banks offer for this order. */
async function showBanks() {
  const answer = await fetch('api/banks').catch(() => undefined);
  /** @type {Bank[]} */
  const banks = answer?.ok ? await answer.json() : [];
  const [bank, count] = ['bank', 'count'].map((id) => /** @type {HTMLSelectElement} */ (byId(id)));
  const choose = () => {
    const chosen = banks.find(({ name }) => name === bank.value);
    count.replaceChildren(...(chosen?.available_periods ?? []).map((period) => new Option(String(period))));
    /** @type {HTMLImageElement} */ (byId('bank-logo')).src = chosen?.logo_url ?? '';
  };
  bank.replaceChildren(...banks.map(({ name, product_name }) => new Option(product_name, name)));
  bank.value = 'stub';
  bank.addEventListener('change', choose);
  choose();
  byId('parts').hidden = banks.length === 0;
  byId('parts').addEventListener('submit', (event) => {
    event.preventDefault();
    const phone = /** @type {HTMLInputElement} */ (byId('phone')).value;
    pay({ way: 'parts', bank: bank.value, parts: Number(count.value), phone });
  });
}

/** @param {string} text */
function say(text) {
  byId('payment').textContent = text;
}

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
