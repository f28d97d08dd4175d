// @ts-check
/** What the shop sells, and its orders. A real shop keeps them in a database. */
import { randomBytes } from 'node:crypto';

/** Prices in hundredths: sums of whole numbers are exact. */
export const PRODUCTS = [
  { id: 'kettle', name: 'Kettle', price: 134950 },
  { id: 'mug', name: 'Stoneware mug', price: 42000 },
  { id: 'spoon', name: 'Spoon', price: 9 },
];

/** @typedef {'open' | 'waiting' | 'paid' | 'declined'} State */
/** @typedef {{ number: string, amount: string, state: State, why: string, receipt: string | null, heard: Set<string> }} Order */

/** @type {Map<string, Order>} */
const orders = new Map();

/** Opens an order for numbers of pieces by product; `undefined` when that is nothing that the shop sells. @param {unknown} pieces */
export function open(pieces) {
  let sum = 0;
  for (const [id, count] of Object.entries(Object(pieces))) {
    const product = PRODUCTS.find((product) => product.id === id);
    if (!product || !Number.isInteger(count) || count < 0 || count > 99) return undefined;
    sum += product.price * count;
  }
  if (!sum) return undefined;
  // The page says what is bought, the shop what it costs. The number is there before anybody is asked for money.
  /** @type {Order} */
  const order = { number: `shop-${randomBytes(6).toString('hex')}`, amount: decimal(sum), state: 'open', why: '', receipt: null, heard: new Set() };
  orders.set(order.number, order);
  return order;
}

/** @param {string} number */
export const find = (number) => orders.get(number);

/**
 * What a payment has come to. A paid order stays paid: answers, callbacks and questions may come in any order.
 *
 * @param {Order} order
 * @param {{ is_success: boolean, action_required?: boolean | null, receipt_url?: string | null, details?: { status?: string | null, status_code?: string | null } | null }} payment
 */
export function settle(order, { is_success, action_required, receipt_url, details }) {
  if (order.state === 'paid') return;
  order.why = '';
  if (is_success && !action_required) {
    order.state = 'paid';
    order.receipt = receipt_url ?? null;
  } else if (details?.status === 'failure') {
    order.state = 'declined';
    order.why = details.status_code ?? '';
  } else {
    order.state = 'waiting';
  }
}

/** Hundredths as the interface writes amounts. @param {number} hundredths */
function decimal(hundredths) {
  return `${Math.trunc(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}
