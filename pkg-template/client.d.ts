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
  AccountBalance, Action, AddCard, AddedCard, BalanceQuery, BankInfo, Basket, BasketQuery, BasketStatus, Calls, CancelBasket, CardQuery, ChangePlan,
  ChangeSubscription, Changed, ConfirmBasket, Decimal, DefaultCard, DeletedCard, Installment, InstallmentInfo, InstallmentRefund,
  InstallmentStep, NamedCard, NamedPayout, NewBasket, NewInstallment, NewPayment, NewPayout, NewPlan, NewSubscription, OperationQuery,
  OrderQuery, Payment, PaymentInfo, PaymentMethod, Payout, PayoutCallback, Plan, Receipt, Recurrent, Register, RegisterRequest, RegisterRow, Resend,
  StatusCode, Step, Subscribed, Subscription, SubscriptionCallback, SubscriptionPayment, TransactionRow, Transactions, TransactionsRequest, WaitingRefund,
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
  /** The service's own payment page. */
  readonly hosted: Hosted;
  /** Callbacks that are signed with this client's password. */
  readonly callbacks: Callbacks;
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
  readonly settlement: Report<RegisterRequest, Register, RegisterRow>;
  /** Everything that was begun in a period, whatever became of it. */
  readonly transactions: Report<TransactionsRequest, Transactions, TransactionRow>;
}

/** A report: called, it answers the whole list. */
export interface Report<Params, Whole, Row> {
  (params: Params, options?: CallOptions): Promise<Whole>;
  /**
   * Row by row while the report comes, without keeping it; an early `break` ends it. Time: `timeout` is for all of it, ten minutes where nothing
   * is said. A connection that breaks on the way throws `lost`: some rows are missing then.
   */
  rows(params: Params, options?: CallOptions): AsyncGenerator<Row, void, undefined>;
}

/** Payments on the service's own page. */
export interface Hosted {
  /** Payments; `mode` is `hosted` by itself. */
  readonly payments: HostedCalls<Omit<NewPayment, 'mode'> & { mode?: 'hosted' | undefined }, Payment, OrderQuery, PaymentInfo>;
  /** Baskets; `mode` is `hosted` by itself. */
  readonly baskets: HostedCalls<Omit<NewBasket, 'mode'> & { mode?: 'hosted' | undefined }, Basket, BasketQuery, BasketStatus>;
  /** Installment orders, whose `mode` depends on the bank. Not every bank sends the payer somewhere: `url` is null then. */
  readonly installments: HostedCalls<NewInstallment, Installment, OrderQuery, InstallmentInfo>;
}

/** What there is for a page of the service. */
export interface HostedCalls<Params, Answer, Named, Info> {
  /**
   * Makes it, and checks where the payer is to go: an https address of one of `hosts`, which is the service's own where nothing is said.
   * Send the payer to `url` with status 303.
   */
  start(params: Params, options?: CallOptions & { hosts?: readonly string[] }): Promise<{ answer: Answer; url: string | null }>;
  /**
   * Asks how it ended, for `timeout` milliseconds at most (120,000), first after `interval` (1,000), then less and less often. `open` means that nobody
   * knows yet: the callback will tell. After `failed` the payer may try again as long as the page can be used.
   */
  wait(named: Named, options?: { timeout?: number | undefined; interval?: number | undefined; signal?: AbortSignal | undefined }): Promise<
    { outcome: 'paid' | 'failed'; answer: Info } | { outcome: 'open'; answer: null }
  >;
}

/**
 * Where the payer is to go: the address of an answer's `action`, if it is an https one of an expected host. Throws otherwise. A host of this machine may
 * be http, as the sandbox's is.
 */
export function checkAction(action: Action | null | undefined, options: { hosts: readonly string[] }): string;

/** In a page: checks as {@link checkAction} does, and goes there. */
export function redirect(action: Action | null | undefined, options: { hosts: readonly string[] }): void;

/**
 * What a payer comes back with. Anybody can write such an address: it names the order, and that is all. `saysSuccess` is what it says, to choose a first
 * picture by; what has happened is told by the callback, and by `wait`.
 */
export function readReturn(location: string | { href: string }):
  | { external_id: string; batch_external_id?: undefined; saysSuccess: boolean | null }
  | { batch_external_id: string; external_id?: undefined; saysSuccess: boolean | null };

/** Makes a reader of callbacks, for a server that makes no calls. While a password is changed there are two. */
export function loadCallbacks(options: { password: string | readonly string[] }): Promise<Callbacks>;

/**
 * Reads callbacks. Each rejects or throws a {@link ClientError} of kind `callback` for what is not genuine or no callback: answer 401 or 400. Answer
 * genuine ones with exactly 200, soon; remember `key`, as one may come more than once.
 */
export interface Callbacks {
  /** By the bytes as they came, before any parser, and every value of the header `X-SERVICE-SIGNATURE`. */
  read(body: Uint8Array | ArrayBuffer | string, signature: string | readonly string[] | null | undefined): CallbackEvent;
  /** Of a `Request` of fetch: Deno, Bun, Next, workers. */
  fromRequest(request: Request): Promise<CallbackEvent>;
  /** Of a request of `node:http`, or of Express with `express.raw()` or nothing before it. */
  fromNode(request: NodeRequest): Promise<CallbackEvent>;
  /** A handler for Express: answers 200 when `handler` is through, 401 or 400 to what is no callback. What `handler` throws goes to Express, and the service tells again. */
  express(handler: (event: CallbackEvent, request: any) => unknown): (request: any, response: any, next: (error?: unknown) => void) => Promise<void>;
}

/** What is used of a request of `node:http`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly rawHeaders: string[];
  readonly readableEnded?: boolean;
  /** Where something has read it before. */
  readonly body?: unknown;
}

/** What a callback tells. `key` is equal for deliveries of the same news and for nothing else: remember it, and do nothing the second time. */
export type CallbackEvent =
  | { kind: 'payment' | 'basket_order'; key: string; body: Payment }
  | { kind: 'card'; key: string; body: AddedCard }
  | { kind: 'installment'; key: string; body: Installment }
  | { kind: 'payout'; key: string; body: PayoutCallback }
  | { kind: 'subscription'; key: string; body: SubscriptionCallback }
  /** Of a later version of the service. */
  | { kind: 'other'; key: string; body: Record<string, unknown> };

/** A customer's saved cards as a page shows them. */
export function showCards(wallet: Wallet, options?: { now?: Date | undefined }): ShownCard[];

/** A saved card as a page shows it. */
export interface ShownCard {
  /** Its id. */
  option_id: string;
  /** What the service calls it. */
  name: string;
  /** Whether it is the customer's default. */
  isDefault: boolean;
  /** First digits, stars, the last four. */
  mask: string;
  /** The last four digits. */
  lastFour: string;
  /** `VISA`, `MASTERCARD` and the like; null where it is not known. */
  network: string | null;
  /** The issuer; null where it is not known. */
  bank: string | null;
  /** Its last month; null for a card that only receives. */
  expires: { month: number; year: number } | null;
  /** Whether that month is over. */
  isExpired: boolean;
  /** A picture, where there is one now. It may come later, change and go: load it when it is shown, keep no copy of the address, and do without. */
  artUrl: string | null;
  /** For `customer.payment_method` of a payment with this card. */
  paymentMethod: PaymentMethod;
}

/** What both wallets' answers take besides. */
export interface WalletOptions {
  /** Whether the payer may be asked to prove who they are; `true` where nothing is said. */
  use_3ds_flow?: boolean | undefined;
}

/** The mobile wallet `mobile_a_pay`. */
export declare const mobileA: {
  /** What a session of the wallet is begun with. */
  paymentRequest(params: {
    amount: Decimal;
    currency: string;
    /** Two letters: `UA`. */
    countryCode: string;
    /** Who is paid, as the payer reads it. */
    label: string;
    /** `visa` and `masterCard` where nothing is said. */
    networks?: readonly string[] | undefined;
    /** `supports3DS` where nothing is said. */
    capabilities?: readonly string[] | undefined;
  }): {
    countryCode: string;
    currencyCode: string;
    supportedNetworks: readonly string[];
    merchantCapabilities: readonly string[];
    total: { label: string; type: string; amount: Decimal };
  };
  /** What the wallet answered (the payment, its token, the token's `paymentData`, or that as JSON), for `customer.payment_method`. */
  readAnswer(answer: object | string, options?: WalletOptions): PaymentMethod;
};

/** The mobile wallet `mobile_b_pay`. */
export declare const mobileB: {
  /** Who reads the wallet's token. `gatewayId` and `gatewayMerchantId` are what the service's support tells. */
  tokenization(params: { gatewayId: string; gatewayMerchantId: string }): {
    type: string;
    parameters: { gateway: string; gatewayMerchantId: string };
  };
  /** What the wallet is asked before a button is shown. */
  isReadyToPayRequest(params?: MobileBCards): { apiVersion: number; apiVersionMinor: number; allowedPaymentMethods: object[] };
  /** What the wallet is asked for a payment. */
  paymentDataRequest(
    params: MobileBCards & {
      amount: Decimal;
      currency: string;
      /** Two letters: `UA`. */
      countryCode: string;
      /** The gateway's id, and the shop's number at it: ask the service's support. */
      gatewayId: string;
      gatewayMerchantId: string;
      /** The shop's number at the wallet, outside its tests. */
      merchantId?: string | undefined;
      /** Who is paid, as the payer reads it. */
      merchantName?: string | undefined;
    },
  ): {
    apiVersion: number;
    apiVersionMinor: number;
    allowedPaymentMethods: object[];
    merchantInfo: { merchantId?: string; merchantName?: string };
    transactionInfo: { totalPriceStatus: string; totalPrice: Decimal; currencyCode: string; countryCode: string };
  };
  /** The payment data that the wallet answered, as an object or as JSON, for `customer.payment_method`. */
  readAnswer(answer: object | string, options?: WalletOptions): PaymentMethod;
};

/** Which cards of the wallet `mobile_b_pay` are taken. */
export interface MobileBCards {
  /** `MASTERCARD` and `VISA` where nothing is said. */
  networks?: readonly string[] | undefined;
  /** `PAN_ONLY` and `CRYPTOGRAM_3DS` where nothing is said. */
  authMethods?: readonly string[] | undefined;
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
  /** `refused`: the service's code; further ones may come. `callback`: `signature_missing`, `signature_repeated`, `signature_wrong` or `body_unreadable`. */
  readonly code?: StatusCode | 'signature_missing' | 'signature_repeated' | 'signature_wrong' | 'body_unreadable';
  /** `refused`: its family, such as `invalid_request_error`; further ones may come. */
  readonly type?: string;
  /** `refused`: the payment that it is about. */
  readonly payment_id?: string;
  /** `refused`: what to quote to whoever runs the service. */
  readonly error_id?: string;
  /** `refused` with status 429: milliseconds after which the limit is free again. */
  readonly retryAfter?: number;
  /** `lost`, and wherever else the call may have been carried out (`unreadable`, `refused` with status 500): the call that tells, and its parameters. */
  readonly remedy?: { readonly call: keyof Calls; readonly params: Readonly<Record<string, string>> };
}
