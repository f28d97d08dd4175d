// Every line below the mark must be an error: the test counts them.
import { CardForm, useCardForm } from 'card-widget/react';
import type { CardFormHandle } from 'card-widget/react';

declare const handle: CardFormHandle;
const fine = { url: 'https://pay.example', widgetKey: 'wk_test' };
export const hook = useCardForm(fine);

// --- from here on each line is wrong
export const b01 = <CardForm />;
export const b02 = <CardForm url="https://pay.example" />;
export const b03 = <CardForm widgetKey="wk_test" />;
export const b04 = <CardForm {...fine} mode="inline" />;
export const b05 = <CardForm {...fine} selector="card" />;
export const b06 = <CardForm {...fine} signal={new AbortController().signal} />;
export const b07 = <CardForm {...fine} amount="100.50" />;
export const b08 = <CardForm {...fine} type="pan" />;
export const b09 = <CardForm {...fine} style={{ color: 'red' }} />;
export const b10 = <CardForm {...fine} value="4242" />;
export const b11 = <CardForm {...fine} brands="visa" />;
export const b12 = <CardForm {...fine} theme={{ colour: 'red' }} />;
export const b13 = <CardForm {...fine} onToken={(token: string) => token} />;
export const b14 = <CardForm {...fine} onChange={({ number }) => number} />;
export const b15 = <CardForm {...fine} ref="card" />;
export const b16 = useCardForm();
export const b17 = useCardForm('https://pay.example');
export const b18 = <input ref={hook.ref} value={hook.number} />;
export const b19: 'open' = hook.status;
export const b20: string = hook.change.brand;
export const b21 = handle.destroy();
export const b22 = handle.focus('cvv');
export const b23: string = await handle.submit();
