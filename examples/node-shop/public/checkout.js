// @ts-check
/** Cart, then card form, then the order. */

/** @param {string} selector @returns {HTMLElement} */
const at = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

/** @param {string} path @param {object} [body] @returns {Promise<any>} */
async function ask(path, body) {
  const answer = await fetch(path, body && { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/** The service's script tells that it is there by calling `__onWidgetReady`; it may have been quicker than this one. @type {Promise<any>} */
const loaded = new Promise((resolve) => {
  const page = /** @type {any} */ (window);
  if (page.CardWidget) resolve(page.CardWidget);
  else page.__onWidgetReady = () => resolve(page.CardWidget);
});

const { widgetKey, currency, products } = await ask('/api/shop');

for (const { id, name, price } of products) {
  const row = document.createElement('tr');
  const [what, cost, pieces] = [name, (price / 100).toFixed(2), ''].map((text) => {
    const cell = document.createElement('td');
    cell.textContent = text;
    row.append(cell);
    return cell;
  });
  const input = document.createElement('input');
  Object.assign(input, { type: 'number', name: id, min: '0', max: '99', value: id === 'kettle' ? '1' : '0' });
  input.setAttribute('aria-label', `Pieces: ${what.textContent}, ${cost.textContent}`);
  pieces.append(input);
  at('#products').append(row);
}

at('#cart').addEventListener('submit', async (event) => {
  event.preventDefault();
  const fields = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const pieces = Object.fromEntries([...fields].map(([id, count]) => [id, Number(count)]));
  try {
    await checkout(await ask('/api/orders', pieces));
  } catch {
    at('#said').textContent = 'Choose something first.';
  }
});

/** @param {{ number: string, amount: string }} order */
async function checkout({ number, amount }) {
  at('#cart').hidden = true;
  at('#checkout').hidden = false;
  at('#said').textContent = '';
  at('#to-pay').textContent = `To pay: ${currency} ${amount}`;
  at('#to-pay').focus();
  const CardWidget = await loaded;
  const widget = CardWidget.init({
    key: widgetKey,
    mode: 'inline',
    selector: 'card',
    lang: 'en',
    colorScheme: 'auto', // as the page's own style
    amount: Number(amount),
    currency,
    onToken: (/** @type {{ token: string }} */ { token }) => pay(number, token),
    onError(/** @type {{ code: string, stage: string }} */ { code, stage }) {
      if (stage !== 'form' && stage !== 'submit') at('#said').textContent = `The card form cannot be shown (${code}). You were not charged.`;
    },
  });
  widget.open();
}

/** @param {string} number @param {string} token */
async function pay(number, token) {
  at('#said').textContent = 'Paying …';
  try {
    const { state, why, next } = await ask(`/api/orders/${number}/pay`, { token });
    if (next) location.href = next;
    else if (state === 'declined') at('#said').textContent = `The bank said no: ${why}. Try another card; the order is the same.`;
    else location.href = `order.html?number=${number}`;
  } catch {
    // The answer is lost, the payment perhaps not: the order's page asks.
    location.href = `order.html?number=${number}`;
  }
}
