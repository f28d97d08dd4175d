// What shops write with `card-widget/react` compiles.
import { StrictMode, useRef, useState } from 'react';
import { CardForm, useCardForm } from 'card-widget/react';
import type { CardFormHandle, CardFormOptions, CardFormProps, CardToken } from 'card-widget/react';

const options: CardFormOptions = { url: 'https://pay.example', widgetKey: 'wk_test' };

declare const maybe: { name: string | undefined; amount: number | undefined };
export const passedOn = <CardForm {...options} className={maybe.name} id={maybe.name} type={undefined} amount={maybe.amount} onToken={undefined} />;

export function Plain() {
  const card = useRef<CardFormHandle>(null);
  const [token, setToken] = useState<CardToken | null>(null);
  const pay = async () => {
    const issued = await card.current?.submit();
    const checked = await card.current?.validate();
    if (checked?.complete) setToken(issued ?? null);
    card.current?.focus('expiry');
    card.current?.clear();
    card.current?.open();
  };
  return (
    <StrictMode>
      <CardForm
        {...options}
        ref={card}
        key="react's own"
        className="card"
        id="card"
        type="pan_only"
        amount={100.5}
        currency="UAH"
        lang="uk"
        template="line"
        style="evo"
        colorScheme="auto"
        theme={{ accent: '#0a5' }}
        brands={['visa', 'prostir']}
        autoAdvance={false}
        timeout={20_000}
        locale={{ uk: { submit: 'Придбати' } }}
        customer_id="c-7"
        onReady={() => {}}
        onToken={({ token, expires_at, card_mask }) => console.log(token, expires_at, card_mask)}
        onError={({ code, stage }) => console.error(code, stage)}
        onChange={({ complete, fields }) => console.log(complete, fields.number.state)}
        onClose={({ reason }) => console.log(reason)}
        onExpire={({ token }) => console.log(token)}
      />
      <button onClick={pay}>{token?.card_mask}</button>
    </StrictMode>
  );
}

export function Own(props: CardFormProps) {
  const { ref, status, change, error, submit } = useCardForm(props);
  const failed: boolean = status === 'failed' && error?.code === 'offline';
  return (
    <div hidden={failed}>
      <div ref={ref} />
      <button disabled={status !== 'ready' || !change?.complete} onClick={() => submit().catch(() => {})} />
    </div>
  );
}
