// What a shop's server does with the package, whatever runs it; it says so in one line.
import { loadCardWidget } from 'card-widget';
import { defineCardWidget } from 'card-widget/element';
import { loadCardRules } from 'card-widget/rules';

const rules = await loadCardRules();
const number = rules.number('4242424242424242');
console.log(JSON.stringify({ widget: await loadCardWidget('https://pay.example'), element: defineCardWidget(), brand: number.brand, mask: number.mask }));
