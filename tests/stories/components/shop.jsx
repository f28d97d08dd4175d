import { StrictMode, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { defineCardWidget } from 'card-widget/element';
import { CardForm } from 'card-widget/react';

const OPTIONS = { url: window.service, widgetKey: 'wk_sandbox', lang: 'en', currency: 'EUR' };

/** A checkout with a button of its own, which says what the form stands like. */
function Checkout() {
  const card = useRef(null);
  const [amount, setAmount] = useState(1);
  const [state, setState] = useState('');
  const [outcome, setOutcome] = useState('');
  const pay = () => card.current.submit().then(({ card_mask }) => setOutcome(card_mask), ({ code }) => setOutcome(code));
  return (
    <main>
      <CardForm
        {...OPTIONS}
        id="card"
        ref={card}
        amount={amount}
        onReady={() => heard.ready.push('react')}
        onToken={(token) => heard.tokens.push(token)}
        onChange={({ complete }) => setState(complete ? 'complete' : 'not yet')}
      />
      <button id="more" onClick={() => setAmount(amount + 1)}>More</button>
      <button id="pay" onClick={pay}>Pay</button>
      <output id="state">{state}</output>
      <output id="outcome">{outcome}</output>
    </main>
  );
}

if (location.hash === '#react') {
  createRoot(document.getElementById('app')).render(<StrictMode><Checkout /></StrictMode>);
} else {
  document.addEventListener('card-ready', () => heard.ready.push('element'));
  document.addEventListener('card-token', ({ target, detail }) => {
    heard.tokens.push(detail);
    window.sent = Object.fromEntries(new FormData(target.form));
  });
  document.getElementById('app').innerHTML =
    `<form><card-widget id="card" name="card_token" url="${window.service}" widget-key="wk_sandbox" lang="en" amount="5" currency="EUR"></card-widget></form>`;
  defineCardWidget();
}
