// What a shop's server does with the package, whatever runs it; it says so in one line. The argument is the service's address.
import { loadCardWidget } from 'card-widget';
import { loadCallbacks, loadClient } from 'card-widget/client';
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

// A body of the vectors: genuine, and of no kind that the package knows.
const callbacks = await loadCallbacks({ password: 'your_password' });
const callback = (signature) => new Request('https://shop.example/callbacks', {
  method: 'POST', body: '{"name": "john", "age": 21}', headers: { 'X-SERVICE-SIGNATURE': signature },
});
const genuine = await callbacks.fromRequest(callback('rHk7tE6V9feV_lCvZ6ZDuzte7O4='));
const forged = await callbacks.fromRequest(callback('OjK59ILqlE2ROqArFz-045qr6dM=')).catch((error) => error);

const rules = await loadCardRules();
const { brand, mask } = rules.number('4242424242424242');
console.log(JSON.stringify({
  paid: [is_success, paid, amount],
  refused: [kind, status],
  callbacks: [genuine.kind, forged.code],
  rules: [brand, mask],
  page_only: [await loadCardWidget('https://pay.example'), defineCardWidget()],
}));
