// Every line here must compile: what shops' servers send, in the shapes they write it, and how they read what comes.
import type {
  AddCard, Calls, CardData, ChangePlan, ConfirmBasket, Decimal, Details, ErrorBody, Installment, NewBasket, NewInstallment, NewPayment, NewPayout,
  NewPlan, NewSubscription, Payment, PaymentInfo, PaymentMethod, Payout, PayoutCallback, Plan, RegisterRequest, RegisterRow, Status, StatusCode, Step,
  Subscribed, SubscriptionCallback, TransactionRow, TransactionsRequest, Wallet,
} from 'card-widget/client';

declare const order: { total: string; note: string | undefined; mail: string | null };
const hosted: NewPayment = { amount: '100.50', currency: 'UAH', external_id: 'order-1', mode: 'hosted' };
const payment: NewPayment = {
  ...hosted,
  amount: order.total,
  mode: 'direct',
  confirm: false,
  callback_url: 'https://shop.example/callback',
  result_url: null,
  description: order.note,
  checkout_ttl: 30,
  campaign_name: 'campaign_a',
  init_recurrent_payment: true,
  metadata: { basket: '17' },
  customer: { external_id: 'c-1', email: order.mail, locale: 'UK', color_mode: 'dark', payment_method: { type: 'cc_token', cc_token: { token: 'ct_1', save_to_wallet: true } } },
  products: [{ name: 'Tea', quantity: '1', net_amount: '83.75', vat_amount: '100.50', tax_group: 1 }],
};
const methods: readonly PaymentMethod[] = [
  { type: 'cc', cc: { number: '4242424242424242', exp_month: 12, exp_year: 2029, cvv: '123' } },
  { type: 'wallet', wallet: { option_id: 'o1', use_3ds_flow: false } },
  { type: 'mobile_a_pay', mobile_a_pay: { token: 'eyJ9' } },
  { type: 'mobile_b_pay', mobile_b_pay: { token: 'eyJ9', use_3ds_flow: undefined } },
];
const products = [{ name: 'Tea', quantity: '1', net_amount: '1', vat_amount: '1', tax_group: 2 }] as const;
const basket: NewBasket = {
  batch_external_id: 'b-1', callback_url: 'https://shop.example/callback', currency: 'UAH', mode: 'hosted',
  orders: [{ api_key: 'sandbox-2', amount: '10', external_id: 'b-1-1', products }],
};
const confirm: ConfirmBasket = { batch_external_id: 'b-1', orders: [{ external_id: 'b-1-1', amount: '9.99' }] };
const step: Step = { external_id: 'order-1' };
const card: AddCard = { payment_method: { type: 'cc_token', cc_token: { token: 'ct_1', mask: '42424242****4242', expires_at: '2029-12-31T00:00:00Z' } }, make_default: true };
const parts: NewInstallment = {
  bank_name: 'bank_a', mode: 'direct', external_id: 'p-1', amount: '1000', currency: 'UAH', parts_count: 4, description: 'Bicycle', customer: { phone: '+380501234567' },
  products: [{ name: 'Bicycle', quantity: 1, price: '1000' }],
};
const source: CardData = { token: 'ct_2' };
const payout: NewPayout = {
  order: { external_id: 'o-1', original_amount: '50.00', currency: 'UAH', description: 'Win' },
  payer: { entity_id: 'sandbox-entity' },
  recipient: { payout_type: 'card', card: { first_name: 'A', last_name: 'B', card_data: source } },
};
const cash: NewPayout = { ...payout, recipient: { payout_type: 'cash', cash: { first_name: 'A', last_name: 'B', phone: '+380501234567', card_data: source } } };
const plan: NewPlan = { name: 'Month', price: '99', currency: 'UAH', frequency_type: 'monthly', frequency: 1, duration_periods: 12, start_date: '2026-01-31T12:00:00Z', end_date: '2027-01-31' };
const change: ChangePlan = { price: '109.00' };
const subscription: NewSubscription = { plan_id: '1', result_url: 'https://shop.example/', start_date: plan.start_date, customer: { payment_method: methods[1] } };
const register: RegisterRequest = { date_from: '2026-01-01', date_to: '2026-01-31', scope: 'all_keys', fields: ['amount', 'payout_date'] };
const transactions: TransactionsRequest = { date_from: '2026-01-01', date_to: '2026-01-14', operation_types: ['capture', 'refund'], statuses: ['Success'] };

export function read(paid: Payment, info: PaymentInfo, saved: Wallet, bought: Installment, sent: Payout, told: PayoutCallback, error: ErrorBody): string {
  const details: Details | null = paid.details;
  const status: Status = details?.status ?? 'pending';
  // A later version of the service may have further words.
  const code: StatusCode = 'a_code_of_next_year';
  switch (details?.status_code) {
    case 'insufficient_funds': return 'another card, please';
    case 'anti_fraud_check': return 'ask support';
    case undefined: return paid.action?.value ?? '';
    default: break;
  }
  const sums: Decimal[] = [info.amount_refunded, told.amount, sent.payer_amount, bought.details.amount];
  const art: string | null | undefined = saved.wallet[0]?.card.card_art_url;
  const type: string = error.type === 'api_error' ? error.error_id : error.param;
  return [status, code, art, type, details?.recurrent_id, details?.processed_at?.slice(0, 10), ...sums].join(' ');
}
export function rows(row: RegisterRow, other: TransactionRow): number {
  return row.amount - row.internal_commission + row.payout_date.length + other.status_code + other.original_amount.length;
}
export function events({ event, payment, subscription }: SubscriptionCallback, bought: Subscribed): string {
  return event === 'payment_failed' ? `${payment?.amount} ${subscription.next_payment_date}` : bought.subscription.state;
}
export type Told = { [Name in keyof Calls]: (params: Calls[Name]['params']) => Promise<Calls[Name]['answer']> };
declare const calls: Told;
const made: Payment = await calls['payments.create'](payment);
const plans: Plan[] = await calls['plans.list'](undefined);
await calls['plans.update']({ plan_id: plans[0]?.id ?? '', ...change });
await calls['subscriptions.cancel']({ subscription_id: '1', refund: true });
export { basket, card, cash, confirm, made, parts, payout, register, step, subscription, transactions };
