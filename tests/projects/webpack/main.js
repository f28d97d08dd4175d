import { defineCardWidget } from 'card-widget/element';

defineCardWidget();
const card = document.createElement('card-widget');
card.url = new URLSearchParams(location.search).get('service');
card.widgetKey = 'wk_sandbox';
card.lang = 'en';
card.addEventListener('card-token', ({ detail }) => { document.querySelector('output').textContent = detail.card_mask; });
document.getElementById('app').append(card);
