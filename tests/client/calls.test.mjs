/** Every call of the packed client once, against a service with a sandbox. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { compile } from '../package/compile.js';
import { Service } from '../stories/shared/service.mjs';
import { LOGIN, failure, openPackage } from './world.mjs';

let service;
let shop;
let client;
const called = new Set();
/** What came, by the name of the call, in TypeScript. */
const answers = [];
before(async () => {
  [service, shop] = await Promise.all([Service.open(), openPackage()]);
  client = await shop.loadClient({ url: service.origin, ...LOGIN });
  const groups = Object.entries(client).filter(([name]) => !['hosted', 'callbacks'].includes(name));
  // The same client, with a note of what was called.
  client = { ...client, ...Object.fromEntries(groups.map(([name, group]) => [name, watched(name, group)])) };
});
after(async () => {
  shop?.remove();
  await service?.stop();
});

const watched = (name, group) =>
  Object.fromEntries(Object.entries(group).map(([call, ask]) => [call, Object.assign((...told) => noted(`${name}.${call}`, ask(...told), told), ask)]));

async function noted(name, asked, told) {
  called.add(name);
  const answer = await asked;
  // Of rows with some of the columns the types say what each column has.
  if (!told[0]?.fields) answers.push(`(${JSON.stringify(answer)}) satisfies Calls['${name}']['answer'];`);
  return answer;
}

/** Where callbacks may go that nobody waits for. */
const NOWHERE = 'http://127.0.0.1:9/';

const cc = (number = '4111111111111111') => ({ type: 'cc', cc: { number, exp_month: 12, exp_year: new Date().getFullYear() + 3, cvv: '123' } });
const direct = (external_id, more = {}) => ({
  amount: '100.50', currency: 'UAH', external_id, mode: 'direct', ...more, customer: { external_id: 'c-1', payment_method: cc(), ...more.customer },
});

/** A call for tests, as the shop's own program makes it. */
async function sandbox(path, body) {
  const headers = { authorization: `Basic ${btoa('sandbox:sandbox-password')}`, 'content-type': 'application/json' };
  const answer = await fetch(`${service.origin}/sandbox/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body ?? {}) });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json().catch(() => undefined);
}

async function until(ask, holds) {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await ask();
    if (holds(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it never happened');
}

test('payments', async () => {
  const paid = await client.payments.create(direct('p-1', { init_recurrent_payment: true, callback_url: NOWHERE }));
  assert.deepEqual([paid.is_success, paid.details.status, paid.details.amount], [true, 'success', '100.50']);
  const info = await client.payments.info({ external_id: 'p-1' });
  assert.deepEqual([info.purchased, info.amount, info.purchase_details.length], [true, '100.50', 1]);
  assert.match((await client.payments.receipt({ external_id: 'p-1' })).receipt_url, /\/receipt\//);
  assert.equal(await client.payments.resendCallback({ external_id: 'p-1' }), undefined);
  const charged = await client.payments.charge({ recurrent_id: paid.details.recurrent_id, external_id: 'p-2', amount: '9.99' });
  assert.equal(charged.details.amount, '9.99');

  await client.payments.create(direct('p-3', { confirm: false }));
  assert.equal((await client.payments.confirm({ external_id: 'p-3', amount: '60' })).details.amount, '60.00');
  await client.payments.create(direct('p-4', { confirm: false }));
  assert.equal((await client.payments.cancel({ external_id: 'p-4' })).details.status_code, 'cancel_successful');

  assert.equal((await client.payments.refund({ external_id: 'p-1', amount: '0.50' })).details.amount, '0.50');
  assert.equal((await client.payments.refund({ external_id: 'p-1', amount: 'full' })).details.amount, '100.00');
  await sandbox('balance', { amount: '0', currency: 'UAH' });
  assert.equal((await client.payments.refund({ external_id: 'p-3', amount: 'full' })).details.status_code, 'refund_waiting_for_funds');
  assert.equal((await client.payments.retryRefund({ external_id: 'p-3' })).details.status, 'pending');
  assert.equal((await client.payments.cancelRefund({ external_id: 'p-3' })).details.status_code, 'refund_is_cancelled_by_initiator');
  await sandbox('balance', { amount: '100000', currency: 'UAH' });
});

test('a decline is an answer; a repeat of what was paid is refused, with every member of the error', async () => {
  const declined = await client.payments.create(direct('p-5', { customer: { payment_method: cc('4000000000000044') } }));
  assert.deepEqual([declined.is_success, declined.details.status_code], [false, 'insufficient_funds']);
  const error = await failure(client.payments.create(direct('p-2')));
  assert.ok(error instanceof shop.ClientError && error instanceof Error);
  assert.deepEqual([error.name, error.kind, error.call, error.status, error.code, error.type], ['ClientError', 'refused', 'payments.create', 400, 'transaction_already_paid', 'payment_error']);
  assert.match(error.error_id, /./);
  assert.match(error.payment_id, /^\d{18}$/);
  const wrong = await shop.loadClient({ url: service.origin, login: 'sandbox', password: 'another' });
  assert.equal((await failure(wrong.payments.info({ external_id: 'p-1' }))).status, 401);
});

test('baskets', async () => {
  const orders = (...amounts) => amounts.map((amount, index) => ({ api_key: 'sandbox', amount, external_id: `o-${index}`, description: 'x' }));
  const basket = (batch_external_id, more) => ({
    batch_external_id, callback_url: 'http://127.0.0.1:9/callback', currency: 'UAH', mode: 'direct', customer: { payment_method: cc() }, orders: orders('10', '20'), ...more,
  });
  assert.equal((await client.baskets.create(basket('b-1', { confirm: false }))).batch_details.amount, '30.00');
  const confirmed = await client.baskets.confirm({ batch_external_id: 'b-1', orders: orders('5', '20').map(({ description: _, ...order }) => order) });
  assert.deepEqual(confirmed.order_details.map(({ amount }) => amount), ['5.00', '20.00']);
  assert.equal((await client.baskets.status({ batch_external_id: 'b-1' })).status, 'success');
  await client.baskets.create(basket('b-2', { confirm: false, orders: orders('7').map((order) => ({ ...order, external_id: 'o-9' })) }));
  assert.equal((await client.baskets.cancel({ batch_external_id: 'b-2' })).order_details[0].status_code, 'cancel_successful');
});

test('saved cards, by number and by token, and as a page shows them', async () => {
  const customer = { external_id: 'customer & co' };
  const token = (await client.payments.create(direct('p-6'))).payment_method.cc_token.token;
  const added = await client.savedCards.add(customer, { mode: 'direct', payment_method: { type: 'cc_token', cc_token: { token, use_3ds_flow: false } } });
  const { option_id } = added.payment_method;
  assert.equal((await client.savedCards.find(customer, { option_id })).card.payment_system, 'VISA');
  assert.equal((await client.savedCards.makeDefault(customer, { option_id, type: 'card' })).success, true);
  const { access_token } = await sandbox(`customers/${encodeURIComponent(customer.external_id)}/access-token`);
  const wallet = await client.savedCards.list({ auth: access_token });
  assert.equal(wallet.external_id, customer.external_id);
  const [card] = shop.showCards(wallet);
  assert.deepEqual([card.lastFour, card.network, card.isDefault, card.isExpired, card.expires.month], ['1111', 'VISA', true, false, 12]);
  const paid = await client.payments.create(direct('p-7', { customer: { external_id: customer.external_id, payment_method: card.paymentMethod } }));
  assert.equal(paid.is_success, true);
  assert.equal((await client.savedCards.remove(customer, { option_id, type: 'card' })).delete, true);
  assert.deepEqual((await client.savedCards.list(customer)).wallet, []);
});

test('installments', async () => {
  const stub = (await client.installments.banks()).find(({ name }) => name === 'stub');
  assert.deepEqual([stub.limits.min_amount, typeof stub.available_periods[0]], ['1.00', 'number']);
  const order = (external_id) => ({
    bank_name: 'stub', mode: 'direct', external_id, amount: '300', currency: 'UAH', parts_count: 3, description: 'A kettle', callback_url: NOWHERE, customer: { phone: '+380930000003' },
  });
  const ready = (external_id) => until(() => client.installments.info({ external_id }), ({ purchased }) => purchased);
  for (const external_id of ['i-1', 'i-2']) assert.equal((await client.installments.create(order(external_id))).details.amount, '300.00');
  const info = await ready('i-1');
  assert.deepEqual([info.amount, info.amount_confirmed, info.parts_count], ['300.00', '0.00', 3]);
  await ready('i-2');
  const { details } = await client.installments.confirm({ external_id: 'i-1' });
  assert.equal((await client.installments.operation({ external_id: 'i-1', operation_id: details.operation_id })).operation, 'confirm');
  assert.equal((await client.installments.cancel({ external_id: 'i-2' })).is_success, true);
  assert.equal((await client.installments.refund({ external_id: 'i-1', amount: '100.5' })).details.amount, '100.50');
  await sandbox('balance', { amount: '0', currency: 'UAH' });
  assert.equal((await client.installments.refund({ external_id: 'i-1', amount: 'full' })).details.status, 'pending');
  assert.equal((await client.installments.retryRefund({ external_id: 'i-1' })).details.status, 'pending');
  assert.equal((await client.installments.cancelRefund({ external_id: 'i-1' })).details.status_code, 'refund_is_cancelled_by_initiator');
});

test('payouts', async () => {
  await sandbox('balance', { amount: '1000', currency: 'UAH' });
  assert.equal((await client.payouts.balance({ merchant_entity_id: 'sandbox-entity' })).available_amount, '1000.00');
  const payout = (external_id, recipient) => ({
    order: { external_id, original_amount: '25.5', currency: 'UAH', description: 'A refund by hand', callback_url: NOWHERE }, payer: { entity_id: 'sandbox-entity' }, recipient,
  });
  const person = { first_name: 'Ivan', last_name: 'Ivanenko', phone: '+380671112233', card_data: { number: '4111111111111111' } };
  assert.equal((await client.payouts.create(payout('o-1', { payout_type: 'card', card: person }))).original_amount, '25.50');
  await until(() => client.payouts.info({ external_id: 'o-1' }), ({ status }) => status === 'success');
  assert.equal(await client.payouts.resendCallback({ external_id: 'o-1' }), undefined);
  const cancelled = client.payouts.create(payout('o-2', { payout_type: 'cash', cash: person })).then(() => client.payouts.cancel({ external_id: 'o-2' }));
  // It is quick: the cash may be there before it is taken back.
  assert.ok(await cancelled.then(({ status_code }) => status_code === 'cancel_successful', ({ kind }) => kind === 'refused'));
});

test('plans and subscriptions', async () => {
  const start_date = new Date();
  const { id: plan_id, price } = await client.plans.create({
    name: 'Coffee', price: '99.9', currency: 'UAH', frequency_type: 'monthly', frequency: 1, duration_periods: 12, start_date: start_date.toISOString(),
  });
  assert.equal(price, '99.90');
  assert.deepEqual(await client.plans.update({ plan_id, price: '100' }), { message: 'OK' });
  assert.equal((await client.plans.get({ plan_id })).price, '100.00');
  assert.equal((await client.plans.list()).length, 1);
  const { access_token: auth } = await sandbox('customers/c-1/access-token');
  const customer = { auth };
  const { cc_token: { token } } = (await client.payments.create(direct('p-8'))).payment_method;
  const { subscription, payment } = await client.subscriptions.create(customer, {
    plan_id, result_url: 'https://shop.example/', callback_url: NOWHERE, start_date: start_date.toISOString(), customer: { payment_method: { type: 'cc_token', cc_token: { token } } },
  });
  assert.deepEqual([subscription.state, subscription.price, payment.details.amount], ['active', '100.00', '100.00']);
  const named = { subscription_id: subscription.id };
  assert.equal((await client.subscriptions.list(customer)).length, 1);
  await client.subscriptions.update(customer, { ...named, auto_renew: false });
  assert.equal((await client.subscriptions.get(customer, named)).auto_renew, false);
  assert.equal((await client.subscriptions.payments(customer, named)).length, 1);
  await client.subscriptions.deactivate(customer, named).catch(({ kind }) => assert.equal(kind, 'refused'));
  assert.deepEqual(await client.subscriptions.cancel(customer, { ...named, refund: true }), { message: 'OK' });
  assert.equal((await client.subscriptions.get(customer, named)).state, 'inactive');
  await client.plans.remove({ plan_id });
});

test('reports, whole and row by row', async () => {
  const day = new Date().toISOString().slice(0, 10);
  const days = { date_from: day, date_to: day };
  const { transactions } = await client.reports.transactions(days);
  assert.ok(transactions.length > 10);
  assert.ok(transactions.every(({ original_amount }) => /^\d+\.\d\d$/.test(original_amount)));
  const rows = [];
  for await (const row of client.reports.transactions.rows(days)) rows.push(row);
  assert.deepEqual(rows, transactions);
  for await (const row of client.reports.transactions.rows(days)) {
    assert.deepEqual(row, transactions[0]);
    break;
  }
  const { payments } = await client.reports.settlement({ ...days, fields: ['amount', 'payment_id'] });
  assert.ok(payments.every((row) => Number.isInteger(row.amount) && Object.keys(row).length === 2));
  const refused = await failure(client.reports.transactions.rows({ date_from: '2020-01-01', date_to: '2020-01-02' }).next());
  assert.deepEqual([refused.kind, refused.status], ['refused', 400]);
  assert.equal((await failure(client.reports.settlement.rows({ date_from: 'today', date_to: day }).next())).param, 'date_from');
});

test('the page: start, what the payer comes back with, and the end', async () => {
  const { answer, url } = await client.hosted.payments.start({ amount: '5', currency: 'UAH', external_id: 'h-1' });
  assert.ok(new URL(url).pathname.startsWith('/pay/') && answer.action.value === url);
  assert.deepEqual(await client.hosted.payments.wait({ external_id: 'h-1' }, { timeout: 300, interval: 100 }), { outcome: 'open', answer: null });
  const { outcome, answer: paid } = await client.hosted.payments.wait({ external_id: 'p-2' });
  assert.deepEqual([outcome, paid.external_id], ['paid', 'p-2']);
  assert.equal((await client.hosted.payments.wait({ external_id: 'p-5' })).outcome, 'failed');
  assert.equal((await client.hosted.baskets.wait({ batch_external_id: 'b-1' })).outcome, 'paid');
  assert.equal((await client.hosted.installments.wait({ external_id: 'i-1' })).outcome, 'paid');
  const basket = await client.hosted.baskets.start({
    batch_external_id: 'b-3', callback_url: 'http://127.0.0.1:9/', currency: 'UAH', orders: [{ api_key: 'sandbox', amount: '1', external_id: 'o-8' }],
  });
  assert.match(basket.url, /\/pay\//);
  const parts = { bank_name: 'stub', mode: 'direct', amount: '300', currency: 'UAH', parts_count: 2, description: 'x' };
  assert.match((await client.hosted.installments.start({ ...parts, external_id: 'i-8', customer: { phone: '+380930000001' } })).url, /^http/);
  assert.equal((await client.hosted.installments.start({ ...parts, external_id: 'i-9', customer: { phone: '+380930000003' } })).url, null);
  assert.equal((await failure(client.hosted.payments.start({ amount: '5', currency: 'UAH', external_id: 'h-2' }, { hosts: ['pay.example'] }))).param, 'action');
  assert.equal((await failure(client.hosted.payments.start({ amount: '5', currency: 'UAH', external_id: 'h-3', mode: 'direct' }))).param, 'mode');
  assert.match((await client.hosted.payments.start({ amount: '5', currency: 'UAH', external_id: 'h-4', mode: undefined })).url, /\/pay\//);
  assert.equal((await failure(client.hosted.payments.wait({ external_id: '' }, { timeout: 1000 }))).kind, 'parameter');
});

test('what came is what the types say, and no more', async () => {
  await client.reports.settlement({ date_from: '2026-01-01', date_to: '2099-01-01' });
  const lines = [...answers];
  const headers = { authorization: `Basic ${btoa('sandbox:sandbox-password')}` };
  const refused = await fetch(`${service.origin}/api/payments/v1/info?external_id=none`, { headers });
  lines.push(`(${await refused.text()}) satisfies ErrorBody;`);
  const { callbacks } = await (await fetch(`${service.origin}/sandbox/v1/callbacks`, { headers })).json();
  const events = callbacks.map(({ body }) => client.callbacks.read(body, signature(body)));
  assert.deepEqual([...new Set(events.map(({ kind }) => kind))].sort(), ['basket_order', 'installment', 'payment', 'payout', 'subscription']);
  lines.push(...events.map((event) => `(${JSON.stringify(event)}) satisfies CallbackEvent;`));
  writeFileSync(join(shop.project, 'answers.ts'), `import type { CallbackEvent, Calls, ErrorBody } from 'card-widget/client';\n${lines.join('\n')}\n`);
  assert.equal(await compile(shop.project, '7.0', ['answers.ts'], { module: 'nodenext', types: [], lib: ['es2022', 'dom'] }), '');
});

function signature(body) {
  const url = (text) => text.replaceAll('+', '-').replaceAll('/', '_');
  const inner = url(Buffer.from(body).toString('base64'));
  return url(createHash('sha1').update(LOGIN.password + inner + LOGIN.password).digest('base64'));
}

test('every call was called', () => {
  const all = Object.entries(client).filter(([name]) => !['hosted', 'callbacks'].includes(name)).flatMap(([name, group]) => Object.keys(group).map((call) => `${name}.${call}`));
  assert.deepEqual(all.filter((name) => !called.has(name)), []);
  assert.ok(all.length >= 47);
});
