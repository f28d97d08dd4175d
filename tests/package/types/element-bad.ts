// Every line below the mark must be an error: the test counts them.
import { defineCardWidget } from 'card-widget/element';

const card = document.createElement('card-widget');

// --- from here on each line is wrong
defineCardWidget(1);
new (defineCardWidget())();
card.amount = '100.5';
card.type = 'pan';
card.look = 'dark';
card.brands = 'visa';
card.brands = ['vsia'];
card.widgetKey = 7;
card.key = 'wk_test';
card.autoAdvance = 'false';
card.theme = { colour: 'red' };
card.locale = 'uk';
card.form = null;
card.number.value;
card.focus('cvv');
card.submit().then((token: string) => token);
card.addEventListener('card-token', ({ detail }) => detail.number);
card.addEventListener('card-change', ({ detail }) => detail.number);
card.addEventListener('card-error', ({ detail }) => detail.reason);
card.addEventListener('card-close', ({ detail }) => detail.token);
card.setAttribute('amount', 100.5);
