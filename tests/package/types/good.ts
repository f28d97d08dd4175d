// Every line here must compile: what the README and the integration guides show, in the shapes shops write it.
import { loadCardWidget } from 'card-widget';
import type { CardToken, CardWidget, CardWidgetError, CardWidgetHandle, CardWidgetParams } from 'card-widget';

const widget: CardWidget | null = await loadCardWidget('https://pay.example');
const least: CardWidgetParams = { key: 'wk_1', mode: 'inline', selector: 'card', onToken: () => {} };
const handle: CardWidgetHandle | undefined = widget?.init(least);
handle?.open();
handle?.close();
const id: string | undefined = handle?.id;
const version: string | undefined = widget?.version;

const all: CardWidgetParams = {
  key: 'wk_1',
  mode: 'inline',
  selector: document.createElement('section'),
  onToken: async ({ token, expires_at, card_mask }: CardToken): Promise<void> => {
    await fetch('/pay', { method: 'POST', body: JSON.stringify({ token, expires_at, card_mask }) });
  },
  onError: ({ code, message, retryable, actor, stage, correlation_id }: CardWidgetError) => {
    if (actor === 'customer' || stage === 'submit' || retryable) console.warn(code, message, correlation_id);
  },
  amount: 100.5,
  currency: 'UAH',
  lang: 'uk',
  type: 'pan_only',
  template: 'line',
  style: 'evo',
  customer_ip: '192.0.2.1',
  customer_id: '42',
  customer_email: 'person@shop.example',
  locale: {
    uk: { cardNumber: 'Картка', expiryDate: 'Дата', cvv: 'Код', submit: 'Далі', yy: 'РР', mm: 'ММ' },
    pl: { hints: { cvvHint: 'Na odwrocie' }, errors: { cardnumber: 'Zły', expiryDate: 'Zła', cvv: 'Zły' } },
    en: { errors: { cardNumber: 'Wrong' } },
  },
};
widget?.init(all).open();

document.addEventListener('widget-init-ready', ({ detail }) => detail.instance.startsWith('cw_'));
document.addEventListener('widget-init-error', ({ detail }) => console.error(detail.id, detail.message, detail.instance));

window.__onWidgetReady = () => window.CardWidget?.init(least).open();

export { id, version };
