import { loadCardWidget } from 'card-widget';
import { loadCardRules } from 'card-widget/rules';

async function open() {
  const rules = await loadCardRules();
  const CardWidget = await loadCardWidget(new URLSearchParams(location.search).get('service'));
  CardWidget.init({
    key: 'wk_sandbox',
    mode: 'inline',
    selector: 'card',
    lang: 'en',
    // The rules say as well whose card it is.
    onToken: ({ card_mask }) => { document.querySelector('output').textContent = `${rules.number(card_mask.slice(0, 6)).brand} ${card_mask}`; },
  }).open();
}

open();
