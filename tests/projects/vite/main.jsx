import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { CardForm } from 'card-widget/react';

function Checkout() {
  const [mask, setMask] = useState('');
  const service = new URLSearchParams(location.search).get('service');
  return (
    <main>
      <CardForm url={service} widgetKey="wk_sandbox" lang="en" amount={12.5} currency="EUR" onToken={({ card_mask }) => setMask(card_mask)} />
      <output>{mask}</output>
    </main>
  );
}

createRoot(document.getElementById('app')).render(<StrictMode><Checkout /></StrictMode>);
