import { useState } from 'react';
import { CardForm } from 'card-widget/react';

export function Checkout() {
  const [said, setSaid] = useState('');
  return (
    <>
      <CardForm url="https://pay.example" widgetKey="wk_shop" onToken={({ token }) => setSaid(token)} onError={({ code }) => setSaid(code)} />
      <output>{said}</output>
    </>
  );
}
