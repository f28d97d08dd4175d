/**
 * The service for shops' servers: every call of its interface as a function, with its types.
 *
 * ```js
 * import { loadClient } from 'card-widget/client';
 *
 * const client = await loadClient({ url: 'https://pay.example', login, password });
 * const payment = await client.payments.create({ … });
 * ```
 */
import type {
  AccountBalance, AddCard, AddedCard, BalanceQuery, BankInfo, Basket, BasketQuery, BasketStatus, CancelBasket, CardQuery, ChangePlan,
  ChangeSubscription, Changed, ConfirmBasket, Decimal, DefaultCard, DeletedCard, Installment, InstallmentInfo, InstallmentRefund,
  InstallmentStep, NamedCard, NamedPayout, NewBasket, NewInstallment, NewPayment, NewPayout, NewPlan, NewSubscription, OperationQuery,
  OrderQuery, Payment, PaymentInfo, Payout, Plan, Receipt, Recurrent, Register, RegisterRequest, Resend,
  StatusCode, Step, Subscribed, Subscription, SubscriptionPayment, Transactions, TransactionsRequest, WaitingRefund,
  Wallet, WalletItem,
} from './wire.js';

export * from './wire.js';

/** Where the service is, and who asks. */
export interface ClientOptions {
  /** The service's base address: `https://pay.example`. `http://` is for this machine alone. */
  url: string | URL;
  /** The project's login. */
  login: string;
  /** The project's password. It belongs on a server: in a page, `loadClient` refuses it. */
  password: string;
  /** Milliseconds that a call may take with all its attempts, 1 to 600,000; 30,000 where nothing is said. */
  timeout?: number | undefined;
  /** How often a call is tried again where that does no harm, 0 to 10; 2 where nothing is said. */
  retries?: number | undefined;
  /** Used instead of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Ends all calls when it is aborted: they reject with its reason. */
  signal?: AbortSignal | undefined;
  /** `true` takes the password in a page, for tests there. Never in what is published: everybody who opens it can read it. */
  allowCredentialsInBrowser?: boolean | undefined;
}

/** What every call takes behind its parameters. */
export interface CallOptions {
  /** Ends this call when it is aborted: it rejects with the signal's reason. What reached the service is not undone. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for this call, instead of the client's. */
  timeout?: number | undefined;
}

/**
 * Makes a client. Its core is started once for all clients of a program.
 *
 * Rejects with a {@link ClientError}: `parameter`, `wrong_side` in a page, or `not_loaded` where WebAssembly cannot be started.
 */
export function loadClient(options: ClientOptions): Promise<Client>;

/** Every call of the service. All reject with a {@link ClientError}; a declined card is an answer, with `is_success` false. */
export interface Client {
  readonly payments: Payments;
  readonly baskets: Baskets;
  readonly savedCards: SavedCards;
  readonly installments: Installments;
  readonly payouts: Payouts;
  readonly plans: Plans;
  readonly subscriptions: Subscriptions;
  readonly reports: Reports;
}

/** Money from a payer. */
export interface Payments {
  /** Makes a payment: with the card, or with a page on which the payer pays. */
  create(params: NewPayment, options?: CallOptions): Promise<Payment>;
  /** Charges what is held, or a part of it. */
  confirm(params: Step, options?: CallOptions): Promise<Payment>;
  /** Releases what is held, or a part of it. */
  cancel(params: Step, options?: CallOptions): Promise<Payment>;
  /** Gives back what was charged, or a part of it; waits while the balance does not suffice. */
  refund(params: Refund, options?: CallOptions): Promise<Payment>;
  /** Tries a waiting refund at once. */
  retryRefund(params: WaitingRefund, options?: CallOptions): Promise<Payment>;
  /** Takes a waiting refund back. */
  cancelRefund(params: WaitingRefund, options?: CallOptions): Promise<Payment>;
  /** Charges a card again, without the payer. */
  charge(params: Recurrent, options?: CallOptions): Promise<Payment>;
  /** Sends a callback of an order again, as it was. */
  resendCallback(params: Resend, options?: CallOptions): Promise<void>;
  /** A payment with all of its operations. */
  info(params: OrderQuery, options?: CallOptions): Promise<PaymentInfo>;
  /** Where the receipt of a payment can be seen. */
  receipt(params: OrderQuery, options?: CallOptions): Promise<Receipt>;
}

/** What a refund of a payment takes: how much is always said. */
export type Refund = Omit<Step, 'amount'> & { /** `'full'` for all that is left, or a part. */ amount: 'full' | Decimal };

/** What a refund of an installment order takes: how much is always said. */
export type RefundOfInstallment = Omit<InstallmentRefund, 'amount'> & { /** `'full'` for all that is left, or a part. */ amount: 'full' | Decimal };

/** Payments that are split over orders of several projects. */
export interface Baskets {
  /** Makes a payment that is split over orders of several projects. */
  create(params: NewBasket, options?: CallOptions): Promise<Basket>;
  /** Charges what is held for orders of a basket, or a part of it. */
  confirm(params: ConfirmBasket, options?: CallOptions): Promise<Basket>;
  /** Releases what is held for a basket. */
  cancel(params: CancelBasket, options?: CallOptions): Promise<Basket>;
  /** How a basket stands. */
  status(params: BasketQuery, options?: CallOptions): Promise<BasketStatus>;
}

/** A customer: by the shop's number, or by their access token. */
export type CustomerName = { /** The shop's number of the customer. */ external_id: string; auth?: undefined } | KnownCustomer;

/** A customer by their access token. */
export interface KnownCustomer {
  /** The access token. */
  auth: string;
  external_id?: undefined;
}

/** A customer's saved cards. */
export interface SavedCards {
  /** Adds a card: with the card's token, or with a page on which the payer types it. */
  add(customer: CustomerName, params: AddCard, options?: CallOptions): Promise<AddedCard>;
  /** The customer's cards. */
  list(customer: CustomerName, params?: NoParams, options?: CallOptions): Promise<Wallet>;
  /** One of the customer's cards. */
  find(customer: CustomerName, params: CardQuery, options?: CallOptions): Promise<WalletItem>;
  /** Deletes one of the customer's cards. */
  remove(customer: CustomerName, params: NamedCard, options?: CallOptions): Promise<DeletedCard>;
  /** Makes one of the customer's cards the default. */
  makeDefault(customer: CustomerName, params: NamedCard, options?: CallOptions): Promise<DefaultCard>;
}

/** Of calls that take no parameters. */
export type NoParams = Record<string, never> | undefined;

/** Orders that a bank pays at once, and the payer in parts. */
export interface Installments {
  /** The banks and what they offer. */
  banks(params?: NoParams, options?: CallOptions): Promise<BankInfo[]>;
  /** Makes an order and has its bank ask the payer. */
  create(params: NewInstallment, options?: CallOptions): Promise<Installment>;
  /** Confirms an order that the payer has agreed to. */
  confirm(params: InstallmentStep, options?: CallOptions): Promise<Installment>;
  /** Takes an order back that is not confirmed. */
  cancel(params: InstallmentStep, options?: CallOptions): Promise<Installment>;
  /** Gives back what was confirmed, or a part of it; waits while the balance does not suffice. */
  refund(params: RefundOfInstallment, options?: CallOptions): Promise<Installment>;
  /** Takes a waiting refund back. */
  cancelRefund(params: WaitingRefund, options?: CallOptions): Promise<Installment>;
  /** Tries a waiting refund at once. */
  retryRefund(params: WaitingRefund, options?: CallOptions): Promise<Installment>;
  /** An order with all of its operations. */
  info(params: OrderQuery, options?: CallOptions): Promise<InstallmentInfo>;
  /** One operation of an order. */
  operation(params: OperationQuery, options?: CallOptions): Promise<Installment>;
}

/** Money to a card, or as cash. */
export interface Payouts {
  /** Sends money to a card, or as cash. */
  create(params: NewPayout, options?: CallOptions): Promise<Payout>;
  /** How a payout stands. */
  info(params: OrderQuery, options?: CallOptions): Promise<Payout>;
  /** What can be paid out, and what is reserved for payouts that are under way. */
  balance(params: BalanceQuery, options?: CallOptions): Promise<AccountBalance>;
  /** Sends the last callback of a payout again, as it was. */
  resendCallback(params: NamedPayout, options?: CallOptions): Promise<void>;
  /** Takes a cash payout back that is on its way. */
  cancel(params: NamedPayout, options?: CallOptions): Promise<Payout>;
}

/** What can be subscribed to. */
export interface Plans {
  /** Makes a plan of subscriptions. */
  create(params: NewPlan, options?: CallOptions): Promise<Plan>;
  /** A plan. */
  get(params: PlanName, options?: CallOptions): Promise<Plan>;
  /** All plans. */
  list(params?: NoParams, options?: CallOptions): Promise<Plan[]>;
  /** Changes a plan. A price holds from the next charge on, periods hold for new subscriptions. */
  update(params: PlanName & ChangePlan, options?: CallOptions): Promise<Changed>;
  /** Deactivates a plan: nobody can subscribe to it any more. Subscriptions that there are go on. */
  remove(params: PlanName, options?: CallOptions): Promise<Changed>;
}

/** Which plan. */
export interface PlanName {
  /** Its id. */
  plan_id: string;
}

/** What a customer pays by a plan. */
export interface Subscriptions {
  /** Subscribes the customer to a plan, and charges the first period or waits for its start. */
  create(customer: KnownCustomer, params: NewSubscription, options?: CallOptions): Promise<Subscribed>;
  /** A subscription of the customer. */
  get(customer: KnownCustomer, params: SubscriptionName, options?: CallOptions): Promise<Subscription>;
  /** All subscriptions of the customer. */
  list(customer: KnownCustomer, params?: NoParams, options?: CallOptions): Promise<Subscription[]>;
  /** Says whether a subscription is charged for further periods. */
  update(customer: KnownCustomer, params: SubscriptionName & ChangeSubscription, options?: CallOptions): Promise<Changed>;
  /** Deactivates a subscription: it ends on its next payment date. */
  deactivate(customer: KnownCustomer, params: SubscriptionName, options?: CallOptions): Promise<Changed>;
  /** Ends a subscription at once; with `refund`, gives back what its current period cost. */
  cancel(customer: KnownCustomer, params: SubscriptionName & { /** `true` refunds the current period. */ refund?: boolean | null | undefined }, options?: CallOptions): Promise<Changed>;
  /** Every payment of a subscription, failed ones included. */
  payments(customer: KnownCustomer, params: SubscriptionName, options?: CallOptions): Promise<SubscriptionPayment[]>;
}

/** Which subscription. */
export interface SubscriptionName {
  /** Its id. */
  subscription_id: string;
}

/** What has happened, as lists. */
export interface Reports {
  /** The settlement register: money that has moved, by the day on which it is settled. Its amounts are whole numbers of hundredths. */
  settlement(params: RegisterRequest, options?: CallOptions): Promise<Register>;
  /** Everything that was begun in a period, whatever became of it. */
  transactions(params: TransactionsRequest, options?: CallOptions): Promise<Transactions>;
}

/** What went wrong, by who can do something about it. */
export type ClientErrorKind =
  /** A parameter is wrong: `param` names it. Nothing was sent. */
  | 'parameter'
  /** Nothing reached the service. */
  | 'not_sent'
  /** No answer came: the call may have been carried out. `remedy` says which call tells. */
  | 'lost'
  /** The service refused: `code`, `type`, `param`, `status` and `error_id` say why. */
  | 'refused'
  /** What came back is no answer of the service: a proxy's page, half an answer. */
  | 'unreadable'
  /** A password in a page, or a page's function on a server. */
  | 'wrong_side'
  /** The client is used before it is loaded, or its core cannot be started. */
  | 'not_loaded'
  /** A callback is not genuine, or not one of the service's: `code` says which. */
  | 'callback';

/** Everything that this package throws or rejects with, but for the reason of an aborted signal. Holds no secret and no card data. */
export class ClientError extends Error {
  private constructor();
  readonly name: 'ClientError';
  readonly kind: ClientErrorKind;
  /** Which call: `payments.create`. */
  readonly call?: string;
  /** `parameter`, `refused`: dotted path of the parameter that is wrong, without places in lists. */
  readonly param?: string;
  /** `refused`, `unreadable`: the HTTP status. */
  readonly status?: number;
  /** `refused`: the service's code; further ones may come. `callback`: `signature`, `header` or `body`. */
  readonly code?: StatusCode | 'signature' | 'header' | 'body';
  /** `refused`: its family, such as `invalid_request_error`; further ones may come. */
  readonly type?: string;
  /** `refused`: the payment that it is about. */
  readonly payment_id?: string;
  /** `refused`: what to quote to whoever runs the service. */
  readonly error_id?: string;
  /** `refused` with status 429: milliseconds after which the limit is free again. */
  readonly retryAfter?: number;
  /** `lost`, and `unreadable` where the call may have been carried out: the call that tells, and its parameters. */
  readonly remedy?: { readonly call: string; readonly params: Readonly<Record<string, string>> };
}
