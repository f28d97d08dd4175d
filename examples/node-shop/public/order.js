// @ts-check
/** How an order stands. The address says only which one it is: what has happened, the shop's server knows. */

const WORDS = { open: 'Not paid yet.', waiting: 'We are waiting for your bank …', paid: 'Paid. Thank you!', declined: 'Not paid.' };

const number = new URLSearchParams(location.search).get('number');
const state = /** @type {HTMLElement} */ (document.querySelector('#state'));
const receipt = /** @type {HTMLAnchorElement} */ (document.querySelector('#receipt'));

for (let tries = 0; tries < 60; tries += 1) {
  const answer = await fetch(`/api/orders/${encodeURIComponent(number ?? '')}`);
  if (answer.status === 404) {
    state.textContent = 'There is no such order.';
    break;
  }
  if (answer.ok) {
    const order = await answer.json();
    state.textContent = `${WORDS[/** @type {keyof typeof WORDS} */ (order.state)]} ${order.why}`;
    if (order.receipt) {
      receipt.href = order.receipt;
      receipt.hidden = false;
    }
    if (order.state !== 'waiting') break;
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
