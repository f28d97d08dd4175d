import { useEffect, useState } from 'react';
import { ask } from './ask.js';

const WORDS = { open: 'Not paid yet.', waiting: 'We are waiting for your bank …', paid: 'Paid. Thank you!', declined: 'Not paid.' };

/** How an order stands. The address says only which one it is: what has happened, the shop's server knows. */
export function Order({ number }) {
  const [order, setOrder] = useState();
  const [said, setSaid] = useState('Looking …');

  useEffect(() => {
    let timer;
    let left = false;
    async function look() {
      try {
        const found = await ask(`/api/orders/${encodeURIComponent(number)}`);
        if (left) return;
        setOrder(found);
        setSaid(`${WORDS[found.state]} ${found.why}`);
        if (found.state !== 'waiting') return;
      } catch {
        if (left) return;
        setSaid('There is no such order, or the shop does not answer.');
      }
      timer = setTimeout(look, 1000);
    }
    look();
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [number]);

  return (
    <>
      <h1>Your order</h1>
      <p role="status">{said}</p>
      {order?.receipt && <p><a href={order.receipt}>Receipt</a></p>}
      <p><a href="/">Back to the shop</a></p>
    </>
  );
}
