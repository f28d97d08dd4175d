import { CardForm } from 'card-widget/react';
import { useEffect, useState } from 'react';
import { ask } from './ask.js';

/** Cart, then card form. */
export function Shop() {
  const [shop, setShop] = useState();
  const [order, setOrder] = useState();
  const [said, setSaid] = useState('');

  useEffect(() => {
    ask('/api/shop').then(setShop, () => setSaid('The shop is closed for a moment.'));
  }, []);

  async function buy(form) {
    const pieces = Object.fromEntries([...form].map(([id, count]) => [id, Number(count)]));
    try {
      setOrder(await ask('/api/orders', pieces));
      setSaid('');
    } catch {
      setSaid('Choose something first.');
    }
  }

  async function pay({ token }) {
    setSaid('Paying …');
    const page = `/order.html?number=${order.number}`;
    try {
      const { state, why, next } = await ask(`/api/orders/${order.number}/pay`, { token });
      if (state === 'declined') setSaid(`The bank said no: ${why}. Try another card; the order is the same.`);
      else location.href = next ?? page;
    } catch {
      // The answer is lost, the payment perhaps not: the order's page asks.
      location.href = page;
    }
  }

  function explain({ code, stage }) {
    // While somebody types, the form itself says what is wrong.
    if (stage !== 'form' && stage !== 'submit') setSaid(`The card form cannot be shown (${code}). You were not charged.`);
  }

  return (
    <>
      <h1>React shop</h1>
      {shop && !order && <Cart products={shop.products} onBuy={buy} />}
      {order && (
        <>
          <h2>To pay: {shop.currency} {order.amount}</h2>
          <CardForm id="card" url={shop.service} widgetKey={shop.widgetKey} lang="en" colorScheme="auto" amount={Number(order.amount)} currency={shop.currency} onToken={pay} onError={explain} />
        </>
      )}
      <p role="status">{said}</p>
    </>
  );
}

function Cart({ products, onBuy }) {
  return (
    <form action={onBuy}>
      {products.map(({ id, name, price }) => (
        <label key={id}>
          {name}, UAH {(price / 100).toFixed(2)}
          <input type="number" name={id} min="0" max="99" defaultValue={id === 'kettle' ? 1 : 0} />
        </label>
      ))}
      <button type="submit">To the checkout</button>
    </form>
  );
}
