// What shops write with `card-widget/element` compiles.
import { defineCardWidget } from 'card-widget/element';
import type { CardWidgetElement } from 'card-widget/element';

const made = defineCardWidget();
defineCardWidget('my-card');
const fresh: CardWidgetElement | undefined = made ? new made() : undefined;

const card = document.createElement('card-widget');
card.url = 'https://pay.example';
card.widgetKey = 'wk_test';
card.type = 'pan_only';
card.amount = 100.5;
card.currency = 'UAH';
card.lang = 'uk';
card.look = 'evo';
card.brands = ['visa'];
card.autoAdvance = false;
card.theme = { accent: '#0a5' };
card.locale = { uk: { submit: 'Придбати' } };
card.amount = null;
card.addEventListener('card-token', ({ detail: { token, card_mask } }) => console.log(token, card_mask));
card.addEventListener('card-error', ({ detail }) => console.error(detail.code));
card.addEventListener('card-change', function ({ detail }) { this.hidden = detail.complete; });
card.addEventListener('click', ({ clientX }) => console.log(clientX));
card.focus();
card.focus('code');
card.focus({ preventScroll: true });
export const paid: Promise<string> = card.submit().then(({ token }) => token);
export const found = document.querySelector('card-widget')?.form?.action;
export { fresh };
