'use client';

import { useState } from 'react';
import { CardForm } from 'card-widget/react';

export default function Checkout({ service }) {
  const [mask, setMask] = useState('');
  return (
    <>
      <CardForm url={service} widgetKey="wk_sandbox" lang="en" onToken={({ card_mask }) => setMask(card_mask)} />
      <output>{mask}</output>
    </>
  );
}
