// Every line here must compile: how shops' servers call the service.
import { ClientError, checkAction, loadCallbacks, loadClient, mobileA, mobileB, readReturn, redirect, showCards } from 'card-widget/client';
import type {
  CallOptions, CallbackEvent, Calls, Client, ClientErrorKind, ClientOptions, CustomerName, Decimal, KnownCustomer, Payment, Refund, RefundOfInstallment, Register,
} from 'card-widget/client';

declare const env: { readonly LOGIN: string; readonly PASSWORD: string; readonly TIMEOUT: number | undefined };
const least: ClientOptions = { url: 'https://pay.example', login: env.LOGIN, password: env.PASSWORD };
const client: Client = await loadClient({
  ...least,
  url: new URL('https://pay.example'),
  timeout: env.TIMEOUT,
  retries: 3,
  fetch: (url, init) => fetch(url, { ...init, redirect: 'error' }),
  signal: new AbortController().signal,
  allowCredentialsInBrowser: false,
});

const options: CallOptions = { timeout: 5_000, signal: AbortSignal.timeout(5_000) };
const paid: Payment = await client.payments.create({ amount: '100.50', currency: 'UAH', external_id: 'order-1', mode: 'hosted' }, options);
const rest: Decimal = (await client.payments.info({ external_id: paid.external_id })).amount;
const refund: Refund = { external_id: 'order-1', amount: 'full' };
await client.payments.refund(refund);
await client.payments.refund({ external_id: 'order-1', amount: rest, currency: 'UAH' });
const part: RefundOfInstallment = { external_id: 'p-1', amount: '10' };
await client.installments.refund(part);
await client.payments.confirm({ external_id: 'order-1' });
await client.payments.resendCallback({ external_id: 'order-1', operation: 'refund' });
await client.baskets.status({ batch_external_id: 'b-1' });

const customer: CustomerName = { external_id: 'c-1' };
const known: KnownCustomer = { auth: 'token' };
const cards = (await client.savedCards.list(customer)).wallet.map(({ card }) => card.mask);
await client.savedCards.makeDefault(known, { option_id: 'o-1', type: 'card' });
await client.subscriptions.cancel(known, { subscription_id: '1', refund: true }, options);
await client.subscriptions.list(known, undefined, options);
await client.plans.update({ plan_id: '1', price: '9.99' });
const ids = (await client.plans.list()).map(({ id }) => id);
const register: Register = await client.reports.settlement({ date_from: '2026-01-01', date_to: '2026-01-31' });
const banks: readonly number[] = (await client.installments.banks()).flatMap(({ available_periods }) => available_periods);
await client.payouts.balance({ merchant_entity_id: 'sandbox-entity' });

try {
  await client.payments.charge({ recurrent_id: 'r-1', external_id: 'order-2', amount: '1' });
} catch (error) {
  if (!(error instanceof ClientError)) throw error;
  const kind: ClientErrorKind = error.kind;
  const known = error.code === 'insufficient_funds' || error.type === 'api_error';
  const after: number = error.retryAfter ?? 0;
  if (error.kind === 'lost' && error.remedy) console.error(error.remedy.call, error.remedy.params['external_id']);
  console.error(kind, known, after, error.message, error.param, error.status, error.error_id, error.cause);
}

/** Parameters and answer of a function of the client. A customer stands before the parameters, options behind them. */
type Asked<F> = F extends (...told: infer T extends readonly unknown[]) => Promise<infer A> ? [3 extends T['length'] ? T[1] : T[0], A] : never;
type Of<Name extends keyof Calls> = Name extends `${infer Family extends keyof Client}.${infer Call}`
  ? Call extends keyof Client[Family] ? Asked<Client[Family][Call]> : never
  : never;
/** What the client takes, the call takes; what the call answers, the client answers. An amount that is `'full'` is none. */
type Agrees<Name extends keyof Calls> = Of<Name> extends [infer P, infer A]
  ? Exclude<P, undefined | Record<string, never>> extends Calls[Name]['params'] ? Calls[Name]['answer'] extends A ? true : ['answer', Name] : ['params', Name]
  : ['missing', Name];
type Disagreeing = { [Name in keyof Calls]: Agrees<Name> extends true ? never : Name }[keyof Calls];
// Every call of the service is a function of the client, with its types.
const all: [Disagreeing] extends [never] ? true : Disagreeing = true;
type Functions = { [Family in Exclude<keyof Client, 'callbacks' | 'hosted'>]: `${Family}.${keyof Client[Family] & string}` }[Exclude<keyof Client, 'callbacks' | 'hosted'>];
const noOther: [Exclude<Functions, keyof Calls>] extends [never] ? true : Exclude<Functions, keyof Calls> = true;
for await (const row of client.reports.transactions.rows({ date_from: '2026-01-01', date_to: '2026-01-02' })) console.error(row.original_amount satisfies Decimal);
const { url } = await client.hosted.payments.start({ amount: '1', currency: 'UAH', external_id: 'o-1' }, { hosts: ['pay.example'], timeout: 1000 });
const waited = await client.hosted.payments.wait({ external_id: 'o-1' }, { timeout: 1000, interval: 500 });
if (waited.outcome !== 'open') console.error(waited.answer.amount_refunded, url?.length);
const back = readReturn('?external_id=1');
const order: string = back.external_id ?? back.batch_external_id;
const place: string = checkAction(paid.action, { hosts: ['pay.example'] });
redirect(paid.action, { hosts: ['pay.example'] });
const callbacks = await loadCallbacks({ password: ['now', 'before'] });
const event: CallbackEvent = callbacks.read(new Uint8Array(), 'signature');
if (event.kind === 'payout') console.error(event.body.amount satisfies Decimal);
else if (event.kind === 'subscription') console.error(event.body.subscription_id, event.key);
const received = await client.callbacks.fromRequest(new Request('https://shop.example/'));
client.callbacks.express(async ({ kind }) => kind);
const shown = showCards(await client.savedCards.list(customer), { now: new Date() }).filter(({ isExpired }) => !isExpired);
const first = shown[0];
if (first) await client.payments.create({ amount: '1', currency: 'UAH', external_id: '1', mode: 'direct', customer: { payment_method: first.paymentMethod } });
const sheet = mobileA.paymentRequest({ amount: '1', currency: 'UAH', countryCode: 'UA', label: 'Books' }).total.amount;
const asked = mobileB.paymentDataRequest({ amount: '1', currency: 'UAH', countryCode: 'UA', gatewayId: 'g', gatewayMerchantId: 'm' });
const asWell = mobileA.paymentRequest({ amount: '1', currency: 'UAH', countryCode: 'UA', label: 'Books', networks: undefined, capabilities: undefined });
const further = showCards({ external_id: 'c', wallet: [] }, { now: undefined });
await client.hosted.payments.wait({ external_id: 'o-1' }, { timeout: env.TIMEOUT, signal: undefined });
const payment_method = mobileB.readAnswer({}, { use_3ds_flow: false });
await client.payments.create({ amount: '1', currency: 'UAH', external_id: '1', mode: 'direct', customer: { payment_method } });
export { asWell, asked, further, order, place, received, sheet };
export { all, banks, cards, ids, noOther, register };
