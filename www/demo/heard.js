// @ts-check
/**
 * @typedef {object} Order As the shop's server has it.
 * @property {string} number
 * @property {string} amount
 * @property {boolean} is_basket
 * @property {'waiting' | 'paid' | 'held' | 'signed' | 'failed' | 'cancelled' | 'refunded' | 'refund_pending'} state
 * @property {string | null} card
 * @property {string | null} receipt_url
 * @property {{ external_id: string, operation: string, status: string, status_code: string, amount: string }[]} heard
 */

/** One line for each callback. @param {HTMLElement} list @param {Order} order */
export function showHeard(list, order) {
  list.replaceChildren(...order.heard.map(({ external_id, operation, status, status_code, amount }) => {
    const line = document.createElement('li');
    const whose = order.is_basket ? `${external_id}: ` : '';
    line.textContent = `${whose}${operation} ${status} (${status_code}), UAH ${amount}`;
    return line;
  }));
}
