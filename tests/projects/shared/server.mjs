// What a shop's server does with the package, whatever runs it; it says so in one line. The argument is the service's address.
import { loadCardWidget } from 'card-widget';
import { loadClient } from 'card-widget/client';
import { defineCardWidget } from 'card-widget/element';
import { loadCardRules } from 'card-widget/rules';

const url = process.argv[2];
const client = await loadClient({ url, login: 'sandbox', password: 'sandbox-password' });
const external_id = `order-${process.argv[3]}`;
const cc = { number: '4111111111111111', exp_month: 12, exp_year: new Date().getFullYear() + 2, cvv: '123' };
const { is_success } = await client.payments.create({
  mode: 'direct', amount: '100.50', currency: 'UAH', external_id, customer: { external_id: 'payer', payment_method: { type: 'cc', cc } },
});
const [{ amount, status: paid }] = (await client.payments.info({ external_id })).purchase_details;
const stranger = await loadClient({ url, login: 'sandbox', password: 'wrong' });
const { kind, status } = await stranger.payments.info({ external_id }).catch((error) => error);

const rules = await loadCardRules();
const { brand, mask } = rules.number('4242424242424242');
console.log(JSON.stringify({
  paid: [is_success, paid, amount],
  refused: [kind, status],
  rules: [brand, mask],
  page_only: [await loadCardWidget('https://pay.example'), defineCardWidget()],
}));
