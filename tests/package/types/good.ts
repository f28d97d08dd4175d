// Every line here must compile: what the README and the integration guides show, in the shapes shops write it.
import { loadCardWidget } from 'card-widget';
import type {
  CardBrand, CardToken, CardWidget, CardWidgetChange, CardWidgetChanges, CardWidgetClosed, CardWidgetError, CardWidgetEvents, CardWidgetExpired,
  CardWidgetHandle, CardWidgetParams, Lang,
} from 'card-widget';

const widget: CardWidget | null = await loadCardWidget('https://pay.example');
const least: CardWidgetParams = { key: 'wk_1', mode: 'inline', selector: 'card', onToken: () => {} };
const handle: CardWidgetHandle | undefined = widget?.init(least);
handle?.open();
handle?.close();
handle?.update({ amount: 12.5, lang: 'uk', colorScheme: 'dark', theme: {}, brands: undefined });
handle?.update({});
const changes: CardWidgetChanges = { onToken: ({ token }) => token, locale: { 'uk-UA': { submit: undefined } } };
handle?.update(changes);
handle?.setLang('pl');
const start: Promise<void> | undefined = handle?.ready;
const stop: (() => void) | undefined = handle?.on('token', async ({ token }) => { await fetch('/pay', { body: token }); });
stop?.();
handle?.on('ready', () => {});
handle?.on('error', (error: CardWidgetError) => error instanceof Error && error.cause);
handle?.on('close', ({ reason }) => reason === 'aborted');
const name: keyof CardWidgetEvents = 'expire';
handle?.on(name, ({ token }) => token);
handle?.focus();
handle?.focus('expiry');
handle?.clear();
const judged: CardWidgetChange | undefined = await handle?.validate();
const paid: CardToken | undefined = await handle?.submit().catch((error: CardWidgetError) => {
  if (error.code === 'card_invalid') return undefined;
  throw error;
});
handle?.destroy();
const further: Lang = 'de-AT'; // a service may have more languages than the types name
handle?.setLang(further);
const brands: CardBrand[] = ['prostir', 'visa'];
const id: string | undefined = handle?.id;
const version: string | undefined = widget?.version;

const all: CardWidgetParams = {
  key: 'wk_1',
  mode: 'inline',
  selector: document.createElement('section'),
  onToken: async ({ token, expires_at, card_mask }: CardToken): Promise<void> => {
    await fetch('/pay', { method: 'POST', body: JSON.stringify({ token, expires_at, card_mask }) });
  },
  onError: ({ code, message, retryable, actor, stage, cause, correlationId }: CardWidgetError) => {
    if (actor === 'customer' || stage === 'submit' || retryable) console.warn(code, message, correlationId, cause);
  },
  amount: 100.5,
  currency: 'UAH',
  lang: 'uk',
  type: 'pan_only',
  template: 'line',
  style: 'evo',
  colorScheme: 'auto',
  theme: { accent: '#0a5 #7fc', radius: '4px' },
  brands,
  autoAdvance: false,
  onReady: () => console.warn('ready'),
  onClose: ({ reason }: CardWidgetClosed) => reason === 'replaced' && console.warn(reason),
  onExpire: ({ token }: CardWidgetExpired) => token.length,
  timeout: 20_000,
  signal: new AbortController().signal,
  onChange: ({ fields, brands, choices, brand, complete }: CardWidgetChange) => {
    if (fields.number.error === 'number_brand' || fields.code?.state === 'invalid') console.warn(brands.join(), choices.length);
    return complete && brand === 'visa' && fields.expiry?.focused;
  },
  customer_ip: '192.0.2.1',
  customer_id: '42',
  customer_email: 'person@shop.example',
  locale: {
    uk: { cardNumber: 'Картка', expiryDate: 'Дата', cvv: 'Код', submit: 'Далі', yy: 'РР', mm: 'ММ' },
    pl: { hints: { cvvHint: 'Na odwrocie' }, errors: { cardnumber: 'Zły', expiryDate: 'Zła', cvv: 'Zły' } },
    en: { errors: { cardNumber: 'Wrong' } },
    de: { submit: 'Zahlen' },
  },
};
widget?.init(all).open();

document.addEventListener('widget-init-ready', ({ detail }) => detail.instance.startsWith('cw_'));
document.addEventListener('widget-init-error', ({ detail }) => console.error(detail.id, detail.message, detail.instance));

window.__onWidgetReady = () => window.CardWidget?.init(least).open();

export { id, judged, paid, start, version };
