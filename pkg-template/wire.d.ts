// Written by `cargo xtask docs` from the types in `crates/wire/src/interface`.

/**
 * What travels between a shop's server and the service. Members have the names of the service's interface. What is asked
 * for has members that may be left out, where `null` says the same; what is answered has all of its members, `null` where
 * there is no value. Further members and words may come with later versions of the service.
 */

/**
 * A sum of money as text, in units of its currency with at most two decimals: `'100'`, `'100.5'`, `'100.50'`. From 0 to
 * 999999999999.99. Answers have two decimals. Never a number, which could not hold every sum.
 */
export type Decimal = string;

/** A time by RFC 3339, with its zone: `'2026-01-31T12:00:00Z'`. Answers are in UTC. */
export type DateTime = string;

/** A day: `'2026-01-31'`. */
export type Day = string;

/** Every call by its name: what it is told, and what it answers. A customer is named apart. */
export interface Calls {
  /** Makes a payment: with the card, or with a page on which the payer pays. `POST /api/payments/v1/new`. */
  'payments.create': { params: NewPayment; answer: Payment };
  /** Charges what is held, or a part of it. `POST /api/payments/v1/confirm`. */
  'payments.confirm': { params: Step; answer: Payment };
  /** Releases what is held, or a part of it. `POST /api/payments/v1/cancel`. */
  'payments.cancel': { params: Step; answer: Payment };
  /**
   * Gives back what was charged, or a part of it; waits while the balance does not suffice.
   * `POST /api/payments/v1/refund`.
   */
  'payments.refund': { params: Step; answer: Payment };
  /** Tries a waiting refund at once. `POST /api/payments/v1/refund/retry`. */
  'payments.retryRefund': { params: WaitingRefund; answer: Payment };
  /** Takes a waiting refund back. `POST /api/payments/v1/refund/cancel`. */
  'payments.cancelRefund': { params: WaitingRefund; answer: Payment };
  /** Charges a card again, without the payer. `POST /api/payments/v1/recurrent`. */
  'payments.charge': { params: Recurrent; answer: Payment };
  /** Sends a callback of an order again, as it was. `POST /api/payments/v1/callback/resend`. */
  'payments.resendCallback': { params: Resend; answer: undefined };
  /** A payment with all of its operations. `GET /api/payments/v1/info`. */
  'payments.info': { params: OrderQuery; answer: PaymentInfo };
  /** Where the receipt of a payment can be seen. `GET /api/payments/v1/receipt`. */
  'payments.receipt': { params: OrderQuery; answer: Receipt };
  /** Makes a payment that is split over orders of several projects. `POST /api/payments/batch/v1/new`. */
  'baskets.create': { params: NewBasket; answer: Basket };
  /** Charges what is held for orders of a basket, or a part of it. `POST /api/payments/batch/v1/confirm`. */
  'baskets.confirm': { params: ConfirmBasket; answer: Basket };
  /** Releases what is held for a basket. `POST /api/payments/batch/v1/cancel`. */
  'baskets.cancel': { params: CancelBasket; answer: Basket };
  /** How a basket stands. `GET /api/payments/batch/v1/payment-status`. */
  'baskets.status': { params: BasketQuery; answer: BasketStatus };
  /**
   * Adds a card to a customer's: with the card's token, or with a page on which the payer types it.
   * `POST /api/customers/v1/wallet`.
   */
  'savedCards.add': { params: AddCard; answer: AddedCard };
  /** A customer's cards. `GET /api/customers/v1/wallet`. */
  'savedCards.list': { params: undefined; answer: Wallet };
  /** Deletes one of a customer's cards. `DELETE /api/customers/v1/wallet`. */
  'savedCards.remove': { params: NamedCard; answer: DeletedCard };
  /** One of a customer's cards. `GET /api/customers/v1/wallet/find`. */
  'savedCards.find': { params: CardQuery; answer: WalletItem };
  /** Makes one of a customer's cards the default. `POST /api/customers/v1/wallet/settings/set`. */
  'savedCards.makeDefault': { params: NamedCard; answer: DefaultCard };
  /** Sends money to a card, or as cash. `POST /api/payouts/v1/request-payout`. */
  'payouts.create': { params: NewPayout; answer: Payout };
  /** How a payout stands. `GET /api/payouts/v1/info`. */
  'payouts.info': { params: OrderQuery; answer: Payout };
  /**
   * What can be paid out, and what is reserved for payouts that are under way. `GET /api/payouts/v1/account-balance`.
   */
  'payouts.balance': { params: BalanceQuery; answer: AccountBalance };
  /** Sends the last callback of a payout again, as it was. `POST /api/payouts/v1/resend-callback`. */
  'payouts.resendCallback': { params: NamedPayout; answer: undefined };
  /** Takes a cash payout back that is on its way. `POST /api/payouts/v1/cancel-payout`. */
  'payouts.cancel': { params: NamedPayout; answer: Payout };
  /** Makes a plan of subscriptions. `POST /api/subscriptions/v1/plans`. */
  'plans.create': { params: NewPlan; answer: Plan };
  /** All plans. `GET /api/subscriptions/v1/plans`. */
  'plans.list': { params: undefined; answer: Plan[] };
  /** A plan. `GET /api/subscriptions/v1/plans/{plan_id}`. */
  'plans.get': { params: PlanPath; answer: Plan };
  /**
   * Changes a plan. A price holds from the next charge on, periods hold for new subscriptions.
   * `PATCH /api/subscriptions/v1/plans/{plan_id}`.
   */
  'plans.update': { params: PlanPath & ChangePlan; answer: Changed };
  /**
   * Deactivates a plan: nobody can subscribe to it any more. Subscriptions that there are go on.
   * `DELETE /api/subscriptions/v1/plans/{plan_id}`.
   */
  'plans.remove': { params: PlanPath; answer: Changed };
  /**
   * Subscribes the customer to a plan, and charges the first period or waits for its start.
   * `POST /api/subscriptions/v1/subscriptions`.
   */
  'subscriptions.create': { params: NewSubscription; answer: Subscribed };
  /** All subscriptions of the customer. `GET /api/subscriptions/v1/subscriptions`. */
  'subscriptions.list': { params: undefined; answer: Subscription[] };
  /** A subscription of the customer. `GET /api/subscriptions/v1/subscriptions/{subscription_id}`. */
  'subscriptions.get': { params: SubscriptionPath; answer: Subscription };
  /**
   * Says whether a subscription is charged for further periods.
   * `PATCH /api/subscriptions/v1/subscriptions/{subscription_id}`.
   */
  'subscriptions.update': { params: SubscriptionPath & ChangeSubscription; answer: Changed };
  /**
   * Deactivates a subscription: it ends on its next payment date.
   * `DELETE /api/subscriptions/v1/subscriptions/{subscription_id}`.
   */
  'subscriptions.deactivate': { params: SubscriptionPath; answer: Changed };
  /**
   * Ends a subscription at once; with `refund`, gives back what its current period cost.
   * `DELETE /api/subscriptions/v1/subscriptions/{subscription_id}/cancel`.
   */
  'subscriptions.cancel': { params: SubscriptionPath & CancelQuery; answer: Changed };
  /**
   * Every payment of a subscription, failed ones included.
   * `GET /api/subscriptions/v1/subscriptions/{subscription_id}/payments`.
   */
  'subscriptions.payments': { params: SubscriptionPath; answer: SubscriptionPayment[] };
  /**
   * The settlement register: money that has moved, by the day on which it is settled.
   * `POST /api/reports/v1/payments`.
   */
  'reports.settlement': { params: RegisterRequest; answer: Register };
  /** Everything that was begun in a period, whatever became of it. `POST /api/reports/v1/transactions`. */
  'reports.transactions': { params: TransactionsRequest; answer: Transactions };
  /** The banks and what they offer. `GET /api/payparts/v1/banks/info`. */
  'installments.banks': { params: undefined; answer: BankInfo[] };
  /** Makes an order and has its bank ask the payer. `POST /api/payparts/v1/order/create`. */
  'installments.create': { params: NewInstallment; answer: Installment };
  /** Confirms an order that the payer has agreed to. `POST /api/payparts/v1/order/confirm`. */
  'installments.confirm': { params: InstallmentStep; answer: Installment };
  /** Takes an order back that is not confirmed. `POST /api/payparts/v1/order/cancel`. */
  'installments.cancel': { params: InstallmentStep; answer: Installment };
  /**
   * Gives back what was confirmed, or a part of it; waits while the balance does not suffice.
   * `POST /api/payparts/v1/refund`.
   */
  'installments.refund': { params: InstallmentRefund; answer: Installment };
  /** Takes a waiting refund back. `POST /api/payparts/v1/refund/cancel`. */
  'installments.cancelRefund': { params: WaitingRefund; answer: Installment };
  /** Tries a waiting refund at once. `POST /api/payparts/v1/refund/retry`. */
  'installments.retryRefund': { params: WaitingRefund; answer: Installment };
  /** An order with all of its operations. `GET /api/payparts/v1/info`. */
  'installments.info': { params: OrderQuery; answer: InstallmentInfo };
  /** One operation of an order. `GET /api/payparts/v1/info/operation`. */
  'installments.operation': { params: OperationQuery; answer: Installment };
}

// payments

/** Told to `payments.create`. */
export interface NewPayment {
  /** The order's amount. 0 verifies the card and takes nothing. */
  amount: Decimal;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** The shop's number of the order: at most one payment of a project succeeds under it. 1 to 255 characters. */
  external_id: string;
  /** Where the payer's card or wallet comes from. */
  mode: Mode;
  /** Receives the callbacks. Absolute `https:` or `http:` address, at most 2048 characters. */
  callback_url?: string | null | undefined;
  /** Which cards may pay. */
  campaign_name?: Campaign | null | undefined;
  /** Minutes for which the payment page can be used; 720 when absent. From 5 to 720. */
  checkout_ttl?: number | null | undefined;
  /** Whether to charge at once. `false` holds the amount, to be confirmed or cancelled. */
  confirm?: boolean | null | undefined;
  /** The payer. In mode `direct` with `payment_method`. */
  customer?: Customer | null | undefined;
  /** Shown to the payer. At most 2048 characters. */
  description?: string | null | undefined;
  /** Whether to make a binding for later charges without the payer: `details.recurrent_id`. */
  init_recurrent_payment?: boolean | null | undefined;
  /**
   * What the shop says besides; answers and callbacks repeat it. At most 10 names of at most 30 characters, with
   * texts of at most 200.
   */
  metadata?: { [name: string]: string } | null | undefined;
  /** Kept for the shop. At most 4000 characters. */
  payload?: string | null | undefined;
  /** What is sold, for the tax receipt. At most 1000 elements. */
  products?: readonly Product[] | null | undefined;
  /** Where the payer goes afterwards. Absolute `https:` or `http:` address, at most 2048 characters. */
  result_url?: string | null | undefined;
  /** The same after a failure; before `result_url`. Absolute `https:` or `http:` address, at most 2048 characters. */
  result_url_fail?: string | null | undefined;
  /** The same after a success; before `result_url`. Absolute `https:` or `http:` address, at most 2048 characters. */
  result_url_success?: string | null | undefined;
}

/**
 * A payment and its last operation.
 *
 * Answer of `payments.create`, `payments.confirm`, `payments.cancel`, `payments.refund`, `payments.retryRefund`,
 * `payments.cancelRefund`, `payments.charge`. Body of callbacks about payments and orders of baskets.
 */
export interface Payment {
  /** The operation's id: 18 decimal digits. */
  id: string;
  /** The shop's number of the order. */
  external_id: string;
  /** The shop's second number of the order; installments only. */
  unified_external_id: string | null;
  /** The shop's number of the basket that the order belongs to. */
  batch_external_id: string | null;
  /** The project. */
  project_id: string;
  /** Whether the operation has succeeded, or goes on with `action`. */
  is_success: boolean;
  /** Whether the payer has to do something. */
  action_required: boolean;
  /** What they have to do. */
  action: Action | null;
  /** What became of the operation; `null` until a payer has begun to pay. */
  details: Details | null;
  /** The receipt, after a success. */
  receipt_url: string | null;
  /** What paid. */
  payment_method: MethodView | null;
  /** The payer. */
  customer: CustomerView | null;
  /** Which operation it was. */
  operation: Operation | null;
  /** What the shop said besides. */
  metadata: { [name: string]: string } | null;
  /** The tax receipt. */
  fiscalization: Fiscalization | null;
}

/** Told to `payments.confirm`, `payments.cancel`, `payments.refund`. */
export interface Step {
  /** The shop's number of the order. 1 to 255 characters. */
  external_id: string;
  /** How much; absent means all of it. */
  amount?: Decimal | null | undefined;
  /**
   * Receives the callbacks of this operation instead of the order's. Absolute `https:` or `http:` address, at most
   * 2048 characters.
   */
  callback_url?: string | null | undefined;
  /** ISO 4217 code, which must be the order's. Such as `"UAH"`. */
  currency?: string | null | undefined;
  /** Kept for the shop. At most 4000 characters. */
  payload?: string | null | undefined;
}

/**
 * Told to `payments.retryRefund`, `payments.cancelRefund`, `installments.cancelRefund`, `installments.retryRefund`.
 */
export interface WaitingRefund {
  /** The shop's number of the order. 1 to 255 characters. */
  external_id: string;
}

/** Told to `payments.charge`. */
export interface Recurrent {
  /** The binding. 1 to 64 characters. */
  recurrent_id: string;
  /** The shop's number of this order. 1 to 255 characters. */
  external_id: string;
  /** How much. */
  amount: Decimal;
  /** Receives the callbacks. Absolute `https:` or `http:` address, at most 2048 characters. */
  callback_url?: string | null | undefined;
  /** Whether to charge at once; `true` when absent. `false` holds the amount. */
  confirm?: boolean | null | undefined;
  /** Kept for the shop. At most 4000 characters. */
  payload?: string | null | undefined;
}

/** Told to `payments.resendCallback`. */
export interface Resend {
  /** The shop's number of the order. 1 to 255 characters. */
  external_id: string;
  /** Whose callback; absent means the last operation's. */
  operation?: Operation | null | undefined;
}

/**
 * Which order.
 *
 * Told to `payments.info`, `payments.receipt`, `payouts.info`, `installments.info`.
 */
export interface OrderQuery {
  /** The shop's number of the order. 1 to 255 characters. */
  external_id: string;
}

/** Answer of `payments.info`. */
export interface PaymentInfo {
  /** The payment's id: 18 decimal digits. */
  id: string;
  /** The shop's number of the order. */
  external_id: string;
  /** The order's amount. */
  amount: Decimal;
  /** What was charged. */
  amount_confirmed: Decimal;
  /** What was released. */
  amount_canceled: Decimal;
  /** What was given back. */
  amount_refunded: Decimal;
  /** Whether it was paid or held. */
  purchased: boolean;
  /** Whether something that was held has been charged. */
  confirmed: boolean;
  /** Whether something that was held has been released. */
  canceled: boolean;
  /** Whether something was given back. */
  refunded: boolean;
  /** Attempts to pay, the oldest first. */
  purchase_details: Details[];
  /** Confirmations, the oldest first. */
  confirmation_details: Details[];
  /** Releases, the oldest first. */
  cancellation_details: Details[];
  /** Refunds, the oldest first. */
  refund_details: Details[];
  /** What the payer has to do. */
  action: Action | null;
  /** Whether the payer has to do something. */
  action_required: boolean;
  /** When the order was first heard of. */
  created_at: DateTime;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** The receipt, after a success. */
  receipt_url: string | null;
  /** The payer. */
  customer: CustomerView | null;
}

/** Answer of `payments.receipt`. */
export interface Receipt {
  /** Where the receipt can be seen. */
  receipt_url: string;
}

/** Where the payer's card or wallet comes from. */
export type Mode =
  /** From the payer, on the service's payment page. */
  | 'hosted'
  /** With the request. */
  | 'direct';

/** Which cards may pay. */
export type Campaign =
  /** Cards of one brand; Visa in the sandbox. */
  | 'campaign_a'
  /** Cards of another brand; Mastercard in the sandbox. */
  | 'campaign_b';

/** `customer` of a payment, a basket, or a subscription. */
export interface Customer {
  /** Colours of the payment page. Any other word means the page's own choice. */
  color_mode?: ColorMode | null | undefined;
  /** E-mail address. At most 255 characters. */
  email?: string | null | undefined;
  /** The shop's number of the payer, under which their cards are saved. 1 to 255 characters. */
  external_id?: string | null | undefined;
  /** Given name. At most 255 characters. */
  first_name?: string | null | undefined;
  /** Family name. At most 255 characters. */
  last_name?: string | null | undefined;
  /** Language of the payment page. Any other word means the page's own choice. */
  locale?: Locale | null | undefined;
  /** What pays. Needed in mode `direct`. */
  payment_method?: PaymentMethod | null | undefined;
  /** Phone number: digits with the country's code, a plus before them or none. At most 32 characters. */
  phone?: string | null | undefined;
}

/** One line of a receipt. */
export interface Product {
  /** Its name. 1 to 1024 characters. */
  name: string;
  /** How many units, as text. Such as `"1"`, `"0.125"`. */
  quantity: string;
  /** Cost without VAT. */
  net_amount: Decimal;
  /** Price with VAT. The name is the interface's. */
  vat_amount: Decimal;
  /**
   * How it is taxed: 1 VAT 20 %, 2 no VAT, 3 VAT 20 % and excise 5 %, 4 VAT 7 %, 5 VAT 0 %, 6 no VAT and excise 5 %,
   * 7 not subject to VAT, 8 VAT 20 % and pension fund 7.5 %, 9 VAT 14 %. From 1 to 9.
   */
  tax_group: number;
  /** Its category. At most 255 characters. */
  category?: string | null | undefined;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency?: string | null | undefined;
  /** More about it. At most 2048 characters. */
  description?: string | null | undefined;
  /** The shop's number of it. At most 255 characters. */
  id?: string | null | undefined;
  /** A picture of it. Absolute `https:` or `http:` address, at most 2048 characters. */
  image?: string | null | undefined;
  /** Its page in the shop. Absolute `https:` or `http:` address, at most 2048 characters. */
  url?: string | null | undefined;
}

/** Something that the payer has to do. */
export interface Action {
  /** `url`: go to `value`. */
  type: ActionType;
  /** The address. */
  value: string;
}

/** What became of an operation. */
export interface Details {
  /** How it stands. */
  status: Status;
  /** Why. */
  status_code: StatusCode;
  /** The same for people, in English. */
  status_description: string;
  /** Amount of this operation. */
  amount: Decimal;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** When it began. */
  created_at: DateTime;
  /** When it ended. */
  processed_at: DateTime | null;
  /** What was done with the money. */
  method: DetailsMethod;
  /** The payment's id: equal for all operations of a payment. */
  payment_id: string;
  /** Equal to `payment_id` for the first operation; clients rely on it being there. */
  transaction_id: string;
  /** The operation's own id, which tells two callbacks of one payment apart. */
  operation_id: string;
  /** The issuer's authorisation. */
  auth_code: string | null;
  /** The acquirer's reference. */
  rrn: string | null;
  /** The binding for later charges, when one was asked for. */
  recurrent_id: string | null;
  /** As the shop described the order. */
  description: string | null;
  /** As the shop sent it. */
  payload: string | null;
  /** The merchant's commission, of a charge that has one. The payer pays nothing besides the amount. */
  fee: Fee | null;
  /** Name of the terminal. */
  terminal_name: string | null;
  /** Name of the acquiring bank. */
  bank_name: string | null;
  /** A copy of the payment's block. */
  fiscalization: Fiscalization | null;
}

/** What paid, as it may be shown. */
export interface MethodView {
  /** `cc_token`. */
  type: string;
  /** The card. */
  cc_token: CardView;
}

/** The payer, as the shop named them. */
export interface CustomerView {
  /** The shop's number of the payer. */
  external_id: string | null;
  /** E-mail address. */
  email: string | null;
  /** Phone number. */
  phone: string | null;
}

/** Which call an operation comes from. */
export type Operation =
  /** A payment. */
  | 'payment'
  /** A confirmation of what was held. */
  | 'confirm'
  /** A release of what was held. */
  | 'cancel'
  /** A refund. */
  | 'refund'
  /** A card's verification, without money. */
  | 'lookup'
  /** A charge without the payer. */
  | 'recurrent'
  /** A payout. */
  | 'payout'
  /** A word of a later version. */
  | (string & {});

/** The tax receipt of a payment. */
export interface Fiscalization {
  /** Its number. */
  fiscal_id: string | null;
  /** Where it can be seen. */
  fiscal_url: string | null;
  /** How it stands. */
  status: FiscalStatus;
  /** 1000 test, 1001 success, 1002 in progress, 2001 bad data, 2002 internal, 3001 not found, 3002 duplicate. */
  status_code: number;
  /** The same for people, in English. */
  status_description: string;
}

/** Colours of the payment page. */
export type ColorMode =
  /** Dark on white. */
  | 'white'
  /** Light on dark. */
  | 'dark';

/** Language of the payment page. */
export type Locale =
  /** Ukrainian. */
  | 'UK'
  /** English. */
  | 'EN'
  /** Polish. */
  | 'PL';

/** `payment_method`: its type, and an object of that name. */
export type PaymentMethod =
  /** A card in clear, which needs a permission of the project. */
  | { type: 'cc'; cc: Card }
  /** A token of a card. */
  | { type: 'cc_token'; cc_token: CardToken }
  /** The token of the one mobile wallet: its whole JSON, encoded in Base64. */
  | { type: 'mobile_a_pay'; mobile_a_pay: WalletToken }
  /** The token of the other mobile wallet, `paymentMethodData.tokenizationData.token`, encoded in Base64. */
  | { type: 'mobile_b_pay'; mobile_b_pay: WalletToken }
  /** A saved card. */
  | { type: 'wallet'; wallet: SavedCard };

/** What kind of thing a payer has to do. */
export type ActionType =
  /** Go to an address. */
  | 'url'
  /** A word of a later version. */
  | (string & {});

/** How an operation stands. */
export type Status =
  /** It was begun. */
  | 'init'
  /** It waits. */
  | 'pending'
  /** It has succeeded. */
  | 'success'
  /** It has failed. */
  | 'failure'
  /** A word of a later version. */
  | (string & {});

/** `details.status_code` of an operation, and `code` of an error. */
export type StatusCode =
  /** The credentials are missing or wrong. */
  | 'authorization_failed'
  /** The project has no permission for this. */
  | 'access_not_allowed'
  /** The address of the caller is not allowed. */
  | 'restricted_ip'
  /** A member is missing or wrong: `param` names it. */
  | 'invalid_request_body'
  /** The members do not go together. */
  | 'invalid_data'
  /** Not the currency of the order, or none that the project takes. */
  | 'invalid_currency'
  /** Not an amount that can be paid. */
  | 'wrong_amount'
  /** Not an amount that this operation can have. */
  | 'invalid_transaction_amount'
  /** There is no such operation. */
  | 'transaction_not_found'
  /** There is nothing of that name. */
  | 'data_not_found'
  /** The order was paid: an `external_id` succeeds once. */
  | 'transaction_already_paid'
  /** Not in this state. */
  | 'action_not_allowed'
  /** It was done before. */
  | 'action_already_done'
  /** More than is held. */
  | 'confirm_amount_cannot_be_more_than_the_transaction_amount'
  /** More than can be refunded, or another currency. */
  | 'incorrect_refund_sum_or_currency'
  /** All of it was refunded before. */
  | 'payment_was_refunded'
  /** There is no such binding. */
  | 'recurrent_not_found'
  /** The time to pay is over. */
  | 'order_expired'
  /** An order of that number is under way. */
  | 'order_is_duplicated'
  /** There is no such operation of the order. */
  | 'operation_not_found'
  /** The issuer said no. */
  | 'transaction_declined'
  /** The service said no. */
  | 'transaction_rejected'
  /** Not enough money on the card. */
  | 'insufficient_funds'
  /** The card's time is over. */
  | 'card_expired'
  /** The security code is wrong. */
  | 'wrong_cvv'
  /** The number is none. */
  | 'wrong_card_number'
  /** Cards of this kind are not taken. */
  | 'card_not_supported'
  /** Cards of this brand are not taken for this payment. */
  | 'card_type_is_not_supported'
  /** The card was reported. */
  | 'card_is_lost_or_stolen'
  /** The issuer wants the payer to prove who they are. */
  | '3ds_required'
  /** The payer did not. */
  | '3ds_verification_failed'
  /** It looked like a fraud. */
  | 'anti_fraud_check'
  /** The token cannot be used for this, or not any more. */
  | 'invalid_card_token'
  /** The token is none of the project's. */
  | 'token_does_not_exist'
  /** The wallet's token cannot be read. */
  | 'invalid_mobile_a_pay_token'
  /** The wallet's token cannot be read. */
  | 'invalid_mobile_b_pay_token'
  /** It waits. */
  | 'pending'
  /** It waits for the payer to follow the address. */
  | 'waiting_for_redirect'
  /** It waits for the payer to prove who they are. */
  | 'waiting_for_verification'
  /** It waits for its last step. */
  | 'waiting_for_complete'
  /** It was made. */
  | 'transaction_created'
  /** It is being done. */
  | 'transaction_in_progress'
  /** It was done. */
  | 'transaction_successful'
  /** What was held is free. */
  | 'cancel_successful'
  /** The money goes back. */
  | 'refund_successful'
  /** The refund waits. */
  | 'refund_pending'
  /** The refund waits until the balance suffices. */
  | 'refund_waiting_for_funds'
  /** The service gave the refund up. */
  | 'refund_is_cancelled_by_system'
  /** The shop took the refund back. */
  | 'refund_is_cancelled_by_initiator'
  /** There is no such saved card. */
  | 'payment_method_not_found'
  /** Neither `external_id` nor `X-CUSTOMER-AUTH`. */
  | 'customer_id_not_passed'
  /** `X-CUSTOMER-AUTH` is missing. */
  | 'customer_auth_not_found'
  /** `X-CUSTOMER-AUTH` is not ours, or its time is over. */
  | 'customer_auth_token_expired_or_invalid'
  /** There is no such plan. */
  | 'plan_not_found'
  /** The plan was ended. */
  | 'plan_not_active'
  /** There is no such subscription. */
  | 'subscription_not_found'
  /** The subscription was ended. */
  | 'subscription_not_active'
  /** The customer has one of this plan. */
  | 'subscription_already_exists'
  /** It was paid. */
  | 'subscription_successful'
  /** It was ended. */
  | 'unsubscribed_successfully'
  /** The payer agreed with the bank. */
  | 'contract_was_signed_on_client_side'
  /** Not a number of parts. */
  | 'wrong_payment_count'
  /** Not a number of parts that the bank offers. */
  | 'wrong_payparts_period'
  /** There is no such bank, or not for this project. */
  | 'bank_is_not_supported'
  /** Not a phone number. */
  | 'invalid_phone_number'
  /** The bank said no. */
  | 'rejected_by_bank'
  /** A limit is used up. */
  | 'too_many_requests'
  /** A fault of the service. */
  | 'internal_error'
  /** A word of a later version. */
  | (string & {});

/** What was done with the money. */
export type DetailsMethod =
  /** Charged at once. */
  | 'purchase'
  /** Held. */
  | 'auth'
  /** Nothing: the card was verified. */
  | 'lookup'
  /** Charged of what was held. */
  | 'capture'
  /** Released of what was held. */
  | 'void'
  /** Given back. */
  | 'refund'
  /** An installment order was made. */
  | 'create'
  /** Sent to a recipient. */
  | 'payout'
  /** A word of a later version. */
  | (string & {});

/** A merchant's commission. */
export interface Fee {
  /** How much. */
  amount: Decimal;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
}

/** A card as it may be shown, with a token that lasts. */
export interface CardView {
  /** Lasting token of the card, without its security code: for payments and payouts. `null` after a failure. */
  token: string | null;
  /** First digits, one `*` for each hidden digit, the last four. */
  mask: string;
  /** The last day of the card's month. */
  expires_at: DateTime | null;
  /** Short name of the issuer; `null` where it is not known. */
  bank_short_name: string | null;
  /** `VISA`, `MASTERCARD` and the like. */
  payment_system: string | null;
  /** Whether it is among the customer's saved cards. */
  saved_card: boolean;
  /** Country of the issuer; `null` where it is not known. */
  bin_country: string | null;
}

/** How a tax receipt stands. */
export type FiscalStatus =
  /** Asked for. */
  | 'Pending'
  /** Made. */
  | 'Success'
  /** Not to be had. */
  | 'Failed'
  /** A word of a later version. */
  | (string & {});

/** A card in clear: for shops that are certified to handle card data. Only the vault reads it. */
export interface Card {
  /** Its digits. 12 to 19 characters. */
  number: string;
  /** Month of its end. From 1 to 12. */
  exp_month: number;
  /** Year of its end, of two or four digits. At most 9999. */
  exp_year: number;
  /** Security code. 3 to 4 characters. */
  cvv: string;
}

/** A token of a card. */
export interface CardToken {
  /** The token. 1 to 128 characters. */
  token: string;
  /** End of the token's or the card's life, as the form or an answer said it. At most 64 characters. */
  expires_at?: string | null | undefined;
  /** What may be shown of the card, as the form or an answer said it. At most 19 characters. */
  mask?: string | null | undefined;
  /** Whether to save the card for the customer. */
  save_to_wallet?: boolean | null | undefined;
  /** Whether the payer may be asked to prove who they are (3-D Secure); `true` when absent. */
  use_3ds_flow?: boolean | null | undefined;
}

/** What a mobile wallet gave the shop's page. */
export interface WalletToken {
  /** The wallet's token, encoded in Base64. 1 to 16384 characters. */
  token: string;
  /** Whether the payer may be asked to prove who they are (3-D Secure); `true` when absent. */
  use_3ds_flow?: boolean | null | undefined;
}

/** A saved card. */
export interface SavedCard {
  /** Id of the saved card. 1 to 64 characters. */
  option_id: string;
  /** Whether the payer may be asked to prove who they are (3-D Secure); `true` when absent. */
  use_3ds_flow?: boolean | null | undefined;
}

// baskets

/** Told to `baskets.create`. */
export interface NewBasket {
  /** The shop's number of the basket. 1 to 255 characters. */
  batch_external_id: string;
  /** Receives a callback for each order. Absolute `https:` or `http:` address, at most 2048 characters. */
  callback_url: string;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** Where the payer's card or wallet comes from. */
  mode: Mode;
  /** What is paid, and to whom. 1 to 10 elements. */
  orders: readonly BasketOrder[];
  /** Which cards may pay. */
  campaign_name?: Campaign | null | undefined;
  /** Minutes for which the payment page can be used; 720 when absent. From 5 to 720. */
  checkout_ttl?: number | null | undefined;
  /** Whether to charge at once; `true` when absent. `false` holds the amounts. */
  confirm?: boolean | null | undefined;
  /** The payer. In mode `direct` with `payment_method`. */
  customer?: Customer | null | undefined;
  /** Where the payer goes afterwards. Absolute `https:` or `http:` address, at most 2048 characters. */
  result_url?: string | null | undefined;
}

/**
 * Answer to the three calls that change a basket.
 *
 * Answer of `baskets.create`, `baskets.confirm`, `baskets.cancel`.
 */
export interface Basket {
  /** Id of the basket's payment: 18 decimal digits. */
  id: string;
  /** The shop's number of the basket. */
  batch_external_id: string;
  /** Whether it has succeeded, or goes on with `action`. */
  is_success: boolean;
  /** Whether the payer has to do something. */
  action_required: boolean;
  /** What they have to do. */
  action: Action | null;
  /** The whole; `null` until a payer has begun to pay. */
  batch_details: BasketDetails | null;
  /** Its orders, in the order in which they were sent. */
  order_details: OrderDetails[] | null;
}

/** Told to `baskets.confirm`. */
export interface ConfirmBasket {
  /** The shop's number of the basket. 1 to 255 characters. */
  batch_external_id: string;
  /** How much to charge of which order. 1 to 40 elements. */
  orders: readonly ConfirmOrder[];
  /**
   * Receives the callbacks instead of the basket's. Absolute `https:` or `http:` address, at most 2048 characters.
   */
  callback_url?: string | null | undefined;
  /** ISO 4217 code, which must be the basket's. Such as `"UAH"`. */
  currency?: string | null | undefined;
}

/** Told to `baskets.cancel`. */
export interface CancelBasket {
  /** The shop's number of the basket. 1 to 255 characters. */
  batch_external_id: string;
  /**
   * Receives the callbacks instead of the basket's. Absolute `https:` or `http:` address, at most 2048 characters.
   */
  callback_url?: string | null | undefined;
}

/**
 * Which basket.
 *
 * Told to `baskets.status`.
 */
export interface BasketQuery {
  /** The shop's number of the basket. 1 to 255 characters. */
  batch_external_id: string;
}

/** Answer of `baskets.status`. */
export interface BasketStatus {
  /** The shop's number of the basket. */
  batch_external_id: string;
  /** How it stands. */
  status: Status;
  /** Why. */
  status_code: StatusCode;
  /** The same for people, in English. */
  status_description: string;
}

/** One order of a basket. */
export interface BasketOrder {
  /** The seller's project. 1 to 255 characters. */
  api_key: string;
  /** The order's amount. */
  amount: Decimal;
  /** The seller's number of the order. 1 to 255 characters. */
  external_id: string;
  /** Shown to the payer. At most 2048 characters. */
  description?: string | null | undefined;
  /** Kept for the seller. At most 4096 characters. */
  payload?: string | null | undefined;
  /** What is sold, for the tax receipt. At most 1000 elements. */
  products?: readonly Product[] | null | undefined;
}

/** What became of a basket's payment. */
export interface BasketDetails {
  /** Sum of its orders. */
  amount: Decimal;
  /** The issuer's authorisation. */
  auth_code: string | null;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** When it began. */
  created_at: DateTime;
}

/** What became of one order. */
export interface OrderDetails {
  /** The seller's number of the order. */
  external_id: string;
  /** The operation's own id. */
  operation_id: string;
  /** Id of the order's payment. */
  transaction_id: string;
  /** Amount of this operation. */
  amount: Decimal;
  /** How it stands. */
  status: Status;
  /** Why. */
  status_code: StatusCode;
  /** The same for people, in English. */
  status_description: string;
  /** What was done with the money. */
  method: DetailsMethod;
}

/** One order to confirm. */
export interface ConfirmOrder {
  /** The seller's number of the order. 1 to 255 characters. */
  external_id: string;
  /** How much, at most what is held; absent means all of it. */
  amount?: Decimal | null | undefined;
  /** The seller's project. 1 to 255 characters. */
  api_key?: string | null | undefined;
}

// savedCards

/**
 * Body that adds a card.
 *
 * Told to `savedCards.add`.
 */
export interface AddCard {
  /** Receives a callback when 3-D Secure has ended. Absolute `https:` or `http:` address, at most 2048 characters. */
  callback_url?: string | null | undefined;
  /** Whether to make it the default. */
  make_default?: boolean | null | undefined;
  /** Where the card comes from; `direct` when absent. */
  mode?: Mode | null | undefined;
  /** The card, of type `cc_token`. Not needed in mode `hosted`. */
  payment_method?: PaymentMethod | null | undefined;
  /** Where the payer goes afterwards. Absolute `https:` or `http:` address, at most 2048 characters. */
  result_url?: string | null | undefined;
}

/**
 * Answer to a card that was added, and the callback about it.
 *
 * Answer of `savedCards.add`.
 */
export interface AddedCard {
  /** What the payer has to do. */
  action: Action | null;
  /** Whether the payer has to do something. */
  action_required: boolean;
  /** When it was asked for. */
  created_at: DateTime;
  /** The card; `null` until it is saved. */
  payment_method: WalletItem | null;
  /** How it stands. */
  status: Status;
  /** Why. */
  status_code: StatusCode;
  /** `add_payment_method`. */
  operation: string;
  /** Whose card it is. */
  customer: CardHolder;
}

/**
 * Answer to a look at a customer's cards.
 *
 * Answer of `savedCards.list`.
 */
export interface Wallet {
  /** The shop's number of the customer. */
  external_id: string;
  /** Their cards, the oldest first. */
  wallet: WalletItem[];
}

/**
 * Body that names a saved card, to delete it or to make it the default.
 *
 * Told to `savedCards.remove`, `savedCards.makeDefault`.
 */
export interface NamedCard {
  /** Its id. 1 to 64 characters. */
  option_id: string;
  /** `card`. */
  type: ItemType;
}

/**
 * Answer to a deletion.
 *
 * Answer of `savedCards.remove`.
 */
export interface DeletedCard {
  /** Always `true`: a card that was not there is an error. */
  delete: boolean;
  /** Its id. */
  option_id: string;
  /** `card`. */
  type: ItemType;
}

/**
 * Which saved card.
 *
 * Told to `savedCards.find`.
 */
export interface CardQuery {
  /** Its id. 1 to 64 characters. */
  option_id: string;
}

/**
 * One saved card.
 *
 * Answer of `savedCards.find`.
 */
export interface WalletItem {
  /** Its id. */
  option_id: string;
  /** `card`. */
  type: ItemType;
  /** What it may be shown as. */
  name: string;
  /** Whether it is the default. */
  is_default: boolean;
  /** The card. */
  card: ItemCard;
}

/**
 * Answer to a change of the default.
 *
 * Answer of `savedCards.makeDefault`.
 */
export interface DefaultCard {
  /** Its id. */
  option_id: string;
  /** `card`. */
  type: ItemType;
  /** Always `true`: a card that was not there is an error. */
  success: boolean;
}

/** Whose card it is. */
export interface CardHolder {
  /** The shop's number of the customer. */
  external_id: string;
}

/** What is saved. */
export type ItemType =
  /** A card. */
  | 'card'
  /** A word of a later version. */
  | (string & {});

/** What may be shown of a saved card. */
export interface ItemCard {
  /** First digits, one `*` for each hidden digit, the last four. */
  mask: string;
  /** `VISA`, `MASTERCARD` and the like. */
  payment_system: string | null;
  /** Short name of the issuer; `null` where it is not known. */
  bank_short_name: string | null;
  /** The last day of the card's month; `null` for a card that only receives. */
  expires_at: DateTime | null;
  /**
   * A picture of the card, PNG or JPEG of any size. `null` while it is not there, or for good; the address may
   * change, and cards of one design have one.
   */
  card_art_url: string | null;
}

// payouts

/** Told to `payouts.create`. */
export interface NewPayout {
  /** What is paid out. */
  order: PayoutOrder;
  /** Who pays. */
  payer: PayoutPayer;
  /** Who receives. */
  recipient: PayoutRecipient;
}

/**
 * How a payout stands.
 *
 * Answer of `payouts.create`, `payouts.info`, `payouts.cancel`.
 */
export interface Payout {
  /** Its id: 18 decimal digits. */
  transaction_id: string;
  /** The shop's number of it. */
  external_id: string;
  /** How it stands. */
  status: Status;
  /** Why. */
  status_code: StatusCode;
  /** What the recipient gets. */
  original_amount: Decimal;
  /** What the shop pays. */
  payer_amount: Decimal;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** How it gets to the recipient. */
  payout_type: AnyPayoutType;
  /** When it was asked for. */
  created_at: DateTime;
  /** When it ended. */
  processed_at: DateTime | null;
}

/** Told to `payouts.balance`. */
export interface BalanceQuery {
  /** The partner that the project belongs to. 1 to 128 characters. */
  merchant_entity_id: string;
}

/** Answer of `payouts.balance`. */
export interface AccountBalance {
  /** What can be paid out. */
  available_amount: Decimal;
  /** What is reserved for payouts that are under way. */
  commitment_amount: Decimal;
}

/** Told to `payouts.resendCallback`, `payouts.cancel`. */
export interface NamedPayout {
  /** The shop's number of the payout. 1 to 255 characters. */
  external_id: string;
}

/** What is paid out. */
export interface PayoutOrder {
  /** The shop's number of the payout: at most one of a project succeeds under it. 1 to 255 characters. */
  external_id: string;
  /** How much, above 0. */
  original_amount: Decimal;
  /** `UAH`. Such as `"UAH"`. */
  currency: string;
  /** What for. 1 to 500 characters. */
  description: string;
  /** Receives the callbacks. Absolute `https:` or `http:` address, at most 2048 characters. */
  callback_url?: string | null | undefined;
}

/** Who pays. */
export interface PayoutPayer {
  /** The partner that the project belongs to. 1 to 128 characters. */
  entity_id: string;
}

/** Who receives: `payout_type`, and an object of that name. Only that one counts. */
export type PayoutRecipient =
  /** Who gets it on a card. */
  | { payout_type: 'card'; card: Recipient }
  /** Who gets it as cash; with `phone`. */
  | { payout_type: 'cash'; cash: Recipient & { phone: string } };

/** How a payout gets to its recipient. */
export type AnyPayoutType = PayoutType | (string & {});

/** A person who receives money. */
export interface Recipient {
  /** Given name. 1 to 500 characters. */
  first_name: string;
  /** Family name. 1 to 500 characters. */
  last_name: string;
  /** Their card. */
  card_data: CardData;
  /** E-mail address. 1 to 255 characters. */
  email?: string | null | undefined;
  /** Number of the taxpayer. Such as `"1234567890"`. */
  ipn?: string | null | undefined;
  /** Patronymic. 1 to 500 characters. */
  middle_name?: string | null | undefined;
  /** Phone number. Needed for cash. Such as `"+380501234567"`. */
  phone?: string | null | undefined;
}

/** How a payout gets to its recipient. */
export type PayoutType =
  /** To a card. */
  | 'card'
  /** As cash, which the recipient fetches. */
  | 'cash';

/** A card that receives money: exactly one of the three. */
export type CardData =
  /** The number in clear, which needs a permission of the project. 12 to 19 characters. */
  | { number: string; option_id?: undefined; token?: undefined }
  /** Id of a customer's saved card. 1 to 64 characters. */
  | { option_id: string; number?: undefined; token?: undefined }
  /** A token: of the widget's form `pan_only`, or one that lasts. 1 to 128 characters. */
  | { token: string; number?: undefined; option_id?: undefined };

// plans

/**
 * Body that makes a plan.
 *
 * Told to `plans.create`.
 */
export interface NewPlan {
  /** Its name. 1 to 255 characters. */
  name: string;
  /** What a period costs. */
  price: Decimal;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** What its periods are counted in. */
  frequency_type: FrequencyType;
  /**
   * How many of these units a period has: 2 with `daily` is every other day, 6 with `monthly` half a year. From 1 to
   * 36500.
   */
  frequency: number;
  /** How many of these units a subscription lasts, from its start. From 1 to 36500. */
  duration_periods: number;
  /** Subscriptions start then at the earliest. */
  start_date: DateTime;
  /** Who hears of all its subscriptions, besides the `callback_url` of each. At most 10 elements. */
  callbacks?: readonly PlanCallback[] | null | undefined;
  /** Shown to nobody. At most 2048 characters. */
  description?: string | null | undefined;
  /** From then on nothing is charged. */
  end_date?: DateTime | Day | null | undefined;
  /** Where the plan is used; kept for the shop. */
  platforms?: readonly string[] | null | undefined;
}

/**
 * A plan.
 *
 * Answer of `plans.create`, `plans.list`, `plans.get`.
 */
export interface Plan {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** What it is about. */
  description: string | null;
  /** What a period costs. */
  price: Decimal;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** How it stands. */
  state: PlanState;
  /** What its periods are counted in. */
  frequency_type: AnyFrequencyType;
  /** How many of these units a period has. */
  frequency: number;
  /** How many of these units a subscription lasts. */
  duration_periods: number;
  /** Subscriptions start then at the earliest. */
  start_date: DateTime;
  /** From then on nothing is charged. */
  end_date: DateTime | null;
  /** Where it is used. */
  platforms: string[];
  /** Who hears of all its subscriptions. */
  callbacks: PlanCallback[];
  /** When it was made. */
  created_at: DateTime;
}

/**
 * Which plan.
 *
 * Told to `plans.get`, `plans.update`, `plans.remove`.
 */
export interface PlanPath {
  /** Its id. 1 to 64 characters. */
  plan_id: string;
}

/**
 * Body that changes a plan: what is absent stays.
 *
 * Told to `plans.update`.
 */
export interface ChangePlan {
  /** Who hears of all its subscriptions from now on. At most 10 elements. */
  callbacks?: readonly PlanCallback[] | null | undefined;
  /** Shown to nobody. At most 2048 characters. */
  description?: string | null | undefined;
  /** How many of these units new subscriptions last. From 1 to 36500. */
  duration_periods?: number | null | undefined;
  /** From then on nothing is charged. */
  end_date?: DateTime | Day | null | undefined;
  /** How many of these units a period of new subscriptions has. From 1 to 36500. */
  frequency?: number | null | undefined;
  /** What periods of new subscriptions are counted in. */
  frequency_type?: FrequencyType | null | undefined;
  /** Its name. 1 to 255 characters. */
  name?: string | null | undefined;
  /** Where the plan is used; kept for the shop. */
  platforms?: readonly string[] | null | undefined;
  /** What a period costs, from the next charge on. */
  price?: Decimal | null | undefined;
}

/**
 * Answer to a change that leaves nothing to tell.
 *
 * Answer of `plans.update`, `plans.remove`, `subscriptions.update`, `subscriptions.deactivate`,
 * `subscriptions.cancel`.
 */
export interface Changed {
  /** `OK`. */
  message: string;
}

/** What a plan's periods are counted in. */
export type FrequencyType =
  /** Days. */
  | 'daily'
  /** Weeks. */
  | 'weekly'
  /** Months: on the same day of the month, or on its last one where that is earlier. */
  | 'monthly'
  /** Years. */
  | 'yearly';

/** Who hears of all subscriptions of a plan. */
export interface PlanCallback {
  /** The project of the same partner with whose password they are signed. 1 to 128 characters. */
  api_key: string;
  /** Where they go. Absolute `https:` or `http:` address, at most 2048 characters. */
  url: string;
}

/** How a plan stands. */
export type PlanState =
  /** It can be subscribed to. */
  | 'active'
  /** It was deleted: there are no new subscriptions of it. */
  | 'inactive'
  /** A word of a later version. */
  | (string & {});

/** What a plan's periods are counted in. */
export type AnyFrequencyType = FrequencyType | (string & {});

// subscriptions

/**
 * Body that subscribes to a plan.
 *
 * Told to `subscriptions.create`.
 */
export interface NewSubscription {
  /** The plan. 1 to 64 characters. */
  plan_id: string;
  /** Where the payer goes after 3-D Secure. Absolute `https:` or `http:` address, at most 2048 characters. */
  result_url: string;
  /** When it starts. A time in the past means at once. */
  start_date: DateTime;
  /** The payer, with what pays: `cc_token`, `wallet`, `mobile_a_pay` or `mobile_b_pay`. */
  customer: Customer;
  /** Whether it is charged for further periods; `true` when absent. */
  auto_renew?: boolean | null | undefined;
  /** Hears of everything that happens to it. Absolute `https:` or `http:` address, at most 2048 characters. */
  callback_url?: string | null | undefined;
  /** Stands in its payments. At most 2048 characters. */
  description?: string | null | undefined;
  /** What a period costs, or a period of the trial; 0 or absent means the plan's price. */
  price?: Decimal | null | undefined;
  /** How many periods the trial has. At most 36500. */
  trial_periods?: number | null | undefined;
  /** Whether the plan's price holds from the first renewal after the trial on. */
  use_plan_price_on_auto_renew?: boolean | null | undefined;
}

/**
 * Answer to a new subscription.
 *
 * Answer of `subscriptions.create`.
 */
export interface Subscribed {
  /** Its first payment. */
  payment: SubscriptionPayment;
  /** The subscription. */
  subscription: Subscription;
}

/**
 * A subscription.
 *
 * Answer of `subscriptions.list`, `subscriptions.get`.
 */
export interface Subscription {
  /** Its id. */
  id: string;
  /** The plan. */
  plan_id: string;
  /** How it stands. */
  state: SubscriptionState;
  /** Whether it is charged for further periods. */
  auto_renew: boolean;
  /** What a period costs, or a period of the trial. */
  price: Decimal;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** What it is about. */
  description: string | null;
  /** When its first period begins; all others are counted from there. */
  start_date: DateTime;
  /** When it is charged next, or else ends; `null` when it has ended. */
  next_payment_date: DateTime | null;
  /** How many periods its trial has. */
  trial_periods: number;
  /** Whether the plan's price holds from the first renewal after the trial on. */
  use_plan_price_on_auto_renew: boolean;
  /** When it was made. */
  created_at: DateTime;
}

/**
 * Which subscription.
 *
 * Told to `subscriptions.get`, `subscriptions.update`, `subscriptions.deactivate`, `subscriptions.cancel`,
 * `subscriptions.payments`.
 */
export interface SubscriptionPath {
  /** Its id. 1 to 64 characters. */
  subscription_id: string;
}

/**
 * Body that changes a subscription.
 *
 * Told to `subscriptions.update`.
 */
export interface ChangeSubscription {
  /** Whether it is charged for further periods. */
  auto_renew: boolean;
}

/**
 * How it is cancelled.
 *
 * Told to `subscriptions.cancel`.
 */
export interface CancelQuery {
  /** `true` refunds the current period. */
  refund?: boolean | null | undefined;
}

/**
 * A payment of a subscription.
 *
 * Answer of `subscriptions.payments`.
 */
export interface SubscriptionPayment {
  /** The payment's id. */
  id: string;
  /** The subscription. */
  subscription_id: string;
  /** Its number as the calls for payments have it: it can be looked up and refunded there. */
  external_id: string;
  /** What became of it. */
  details: SubscriptionDetails;
  /** What the payer has to do, where they have to do something. */
  user_action: Action | null;
}

/** How a subscription stands. */
export type SubscriptionState =
  /** It was made, and nothing was heard of its card yet. */
  | 'init'
  /** Its first payment is being made. */
  | 'processing'
  /** It waits for its first payment: for its start, or for the payer. */
  | 'pending'
  /** It is paid. */
  | 'active'
  /** It has ended. */
  | 'inactive'
  /** A word of a later version. */
  | (string & {});

/** What became of a payment of a subscription. */
export interface SubscriptionDetails {
  /** How much; 0 where the card was verified for a start that is yet to come. */
  amount: Decimal;
  /** How much of it was given back. */
  amount_refunded: Decimal;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** How it stands. */
  status: Status;
  /** Why. */
  status_code: StatusCode;
  /** The same for people, in English. */
  status_description: string;
  /** When it began. */
  created_at: DateTime;
  /** When it ended. */
  processed_at: DateTime | null;
}

// reports

/** Told to `reports.settlement`. */
export interface RegisterRequest {
  /** First day of the period in which money was settled, in UTC. */
  date_from: Day;
  /** Its last day. */
  date_to: Day;
  /** Columns to answer, in this order; all where nothing is said. */
  fields?: readonly RegisterColumn[] | null | undefined;
  /** Both give the same rows. */
  register_type?: RegisterType | null | undefined;
  /** Whose rows; the caller's own where nothing is said. */
  scope?: Scope | null | undefined;
}

/** Answer of `reports.settlement`. */
export interface Register {
  /** By day, of one project after the other. */
  payments: RegisterRow[];
}

/** Told to `reports.transactions`. */
export interface TransactionsRequest {
  /** First day of the period in which transactions were begun, in UTC: at most 90 days ago. */
  date_from: Day;
  /** Its last day: at most 14 days after the first. */
  date_to: Day;
  /** Only these; all where nothing is said. */
  operation_types?: readonly OperationType[] | null | undefined;
  /** There is one. */
  register_type?: TransactionsType | null | undefined;
  /** Only these; all where nothing is said. */
  statuses?: readonly TransactionStatus[] | null | undefined;
}

/** Answer of `reports.transactions`. */
export interface Transactions {
  /** In the order in which they were begun. */
  transactions: TransactionRow[];
}

/** Columns of a settlement register. */
export type RegisterColumn =
  /** Amount of this transaction, whichever way it went. */
  | 'amount'
  /** First and last digits of the card. */
  | 'card_pan'
  /** ISO 4217 code. */
  | 'currency'
  /** As the shop described the order. */
  | 'description'
  /** The shop's number. */
  | 'external_id'
  /** The merchant's commission. */
  | 'internal_commission'
  /** What the payer paid besides: always 0. */
  | 'payer_external_fee'
  /** The payment, payout or order in parts. */
  | 'payment_id'
  /** What paid, or was paid to. */
  | 'payment_method'
  /** `VISA`, `MASTERCARD` and the like. */
  | 'payment_system'
  /** What it was. */
  | 'payment_type'
  /** What the merchant gets: the amount less the commission; below 0 where money went from the merchant. */
  | 'payout_amount'
  /** Day on which it is settled. */
  | 'payout_date'
  /** Day on which it ended. */
  | 'processing_date'
  /** Name of the project. */
  | 'project_name'
  /** E-mail of the payer, or of the one who is paid to. */
  | 'client_email'
  /** Their given name. */
  | 'client_first_name'
  /** Their family name. */
  | 'client_last_name';

/** Kinds of settlement registers. */
export type RegisterType =
  /** One row for each transaction. */
  | 'transactions_list'
  /** The same, for warehouses of data. */
  | 'transactions_list_dwh';

/** Whose rows a settlement register has. */
export type Scope =
  /** Those of the project that asks. */
  | 'current_login'
  /** Those of all projects of its partner. */
  | 'all_keys';

/** One row of a settlement register. Amounts are in hundredths. */
export interface RegisterRow {
  /** Amount of this transaction, whichever way it went. */
  amount: number;
  /** First and last digits of the card. */
  card_pan: string | null;
  /** E-mail of the payer, or of the one who is paid to. */
  client_email: string | null;
  /** Their given name. */
  client_first_name: string | null;
  /** Their family name. */
  client_last_name: string | null;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** As the shop described the order. */
  description: string | null;
  /** The shop's number. */
  external_id: string;
  /** The merchant's commission. */
  internal_commission: number;
  /** What the payer paid besides: always 0. */
  payer_external_fee: number;
  /** The payment, payout or order in parts. */
  payment_id: string;
  /** What paid, or was paid to. */
  payment_method: string;
  /** `VISA`, `MASTERCARD` and the like. */
  payment_system: string | null;
  /** What it was. */
  payment_type: AnyOperationType;
  /** What the merchant gets: the amount less the commission; below 0 where money went from the merchant. */
  payout_amount: number;
  /** Day on which it is settled. */
  payout_date: Day;
  /** Day on which it ended. */
  processing_date: Day;
  /** Name of the project. */
  project_name: string;
}

/** What a transaction was. */
export type OperationType =
  /** An amount was held, or a card verified. */
  | 'auth'
  /** What was held is free. */
  | 'void'
  /** Charged at once. */
  | 'purchase'
  /** Charged of what was held. */
  | 'capture'
  /** Given back. */
  | 'refund'
  /** A bank pays an order for its buyer, who pays in parts. */
  | 'payment'
  /** Paid out, to a card or in cash. */
  | 'payout'
  /** A bank lends a buyer what an order costs. */
  | 'credit'
  /** An order in parts was made. */
  | 'create';

/** Kinds of lists of transactions. */
export type TransactionsType =
  /** One row for each transaction. */
  | 'transactions_list';

/** How a transaction stands. */
export type TransactionStatus =
  /** It was done. */
  | 'Success'
  /** It broke off: the service or the other side could not do it. */
  | 'Failed'
  /** The issuer or the bank of the card said no. */
  | 'Unsuccessful'
  /** It was begun. */
  | 'Created'
  /** Somebody took it back before it was done. */
  | 'Cancel'
  /** It waits. */
  | 'Pending'
  /** It was refused: by a rule, or a proof that was not given. */
  | 'Rejected';

/** One row of a list of transactions. */
export interface TransactionRow {
  /** The payment, payout or order in parts: `details.payment_id`. */
  order_id: string;
  /** `details.transaction_id`: the orders of a basket share it. */
  transaction_id: string;
  /** The shop's number. */
  external_id: string;
  /** What it was. */
  operation_type: AnyOperationType;
  /** How it stands. */
  status: AnyTransactionStatus;
  /** Why, as a number of the service's table. */
  status_code: number;
  /** What paid, or was paid to: `cc_token`, `card`, `cash`, or a bank of orders in parts. */
  payment_method: string;
  /** Name of the project. */
  project_name: string;
  /** As the shop described the order. */
  order_description: string | null;
  /** First and last digits of the card. */
  payer_card_mask: string | null;
  /** Short name of the card's issuer. */
  payer_bank_name: string | null;
  /** `VISA`, `MASTERCARD` and the like. */
  bin_payment_system: string | null;
  /** Country of the card's issuer: three digits of ISO 3166-1. */
  bin_country_digit_code: string | null;
  /** Amount of this transaction. */
  original_amount: Decimal;
  /** The same with the payer's fee. */
  payer_amount: Decimal;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** What the payer paid besides: always 0. */
  payer_fee: Decimal;
  /** The merchant's commission. */
  merchant_fee: Decimal;
  /** The issuer's authorisation. */
  auth_code: string | null;
  /** The acquirer's reference. */
  rrn: string | null;
  /** When it was begun, in UTC. */
  created_at: string;
  /** When it ended. */
  processed_at: string | null;
}

/** What a transaction was. */
export type AnyOperationType = OperationType | (string & {});

/** How a transaction stands. */
export type AnyTransactionStatus = TransactionStatus | (string & {});

// installments

/** Answer of `installments.banks`. */
export interface BankInfo {
  /** `bank_name` of an order. */
  name: string;
  /** Its picture. */
  logo_url: string;
  /** What the bank calls it. */
  product_name: string;
  /** Numbers of payments that it offers. */
  available_periods: number[];
  /** Amounts that it takes. */
  limits: BankLimits;
}

/** Told to `installments.create`. */
export interface NewInstallment {
  /**
   * Which bank: a `name` of the banks' list, such as `bank_a`; `bank_service` is the service's own product. 1 to 64
   * characters.
   */
  bank_name: string;
  /** Where the payer agrees: `hosted` for `bank_e`, on a page; `direct` for all others, mostly in the bank's app. */
  mode: Mode;
  /** The shop's number of the order: at most one order of a project succeeds under it. 1 to 255 characters. */
  external_id: string;
  /** The order's amount: within the bank's limits. */
  amount: Decimal;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** In how many payments: one of the bank's periods. At most 1000. */
  parts_count: number;
  /** Shown to the payer. 1 to 256 characters. */
  description: string;
  /** The payer. Most banks find them by their phone number. */
  customer: Customer;
  /** Whether to confirm the order as soon as the payer has agreed; else that is a call of its own. */
  auto_confirm_after_success?: boolean | null | undefined;
  /** Receives the callbacks. Absolute `https:` or `http:` address, at most 2048 characters. */
  callback_url?: string | null | undefined;
  /** Kept for the shop. At most 4000 characters. */
  payload?: string | null | undefined;
  /** What is sold. Needed for `bank_service`. At most 1000 elements. */
  products?: readonly InstallmentProduct[] | null | undefined;
  /**
   * Where the payer goes afterwards. Needed for `bank_service`. Absolute `https:` or `http:` address, at most 2048
   * characters.
   */
  result_url?: string | null | undefined;
  /** The shop's second number of the order; several may have the same. 1 to 255 characters. */
  unified_external_id?: string | null | undefined;
}

/**
 * Answer of `installments.create`, `installments.confirm`, `installments.cancel`, `installments.refund`,
 * `installments.cancelRefund`, `installments.retryRefund`, `installments.operation`. Body of callbacks about
 * installment orders.
 */
export interface Installment {
  /** The operation's id: 18 decimal digits. */
  id: string;
  /** The shop's number of the order. */
  external_id: string;
  /** The shop's second number of the order. */
  unified_external_id: string | null;
  /** The project. */
  project_id: string;
  /** Whether the operation has succeeded, or goes on with the payer. */
  is_success: boolean;
  /** Whether the payer has to follow an address. A bank that asks them in its app needs none. */
  action_required: boolean;
  /** Where to. */
  action: Action | null;
  /** What became of the operation. */
  details: InstallmentDetails;
  /** The receipt, once the order is confirmed. */
  receipt_url: string | null;
  /** The card, where the payer gave one. */
  payment_method: MethodView | null;
  /** The payer. */
  customer: CustomerView | null;
  /** Which operation it was. */
  operation: Operation;
  /** The tax receipt. */
  fiscalization: Fiscalization | null;
}

/** Told to `installments.confirm`, `installments.cancel`. */
export interface InstallmentStep {
  /** The shop's number of the order. 1 to 255 characters. */
  external_id: string;
  /**
   * Receives the callbacks of this operation instead of the order's. Absolute `https:` or `http:` address, at most
   * 2048 characters.
   */
  callback_url?: string | null | undefined;
  /** Kept for the shop. At most 4000 characters. */
  payload?: string | null | undefined;
}

/** Told to `installments.refund`. */
export interface InstallmentRefund {
  /** The shop's number of the order. 1 to 255 characters. */
  external_id: string;
  /** How much; absent means all of it. */
  amount?: Decimal | null | undefined;
  /**
   * Receives the callbacks of this operation instead of the order's. Absolute `https:` or `http:` address, at most
   * 2048 characters.
   */
  callback_url?: string | null | undefined;
  /** ISO 4217 code, which must be the order's. Such as `"UAH"`. */
  currency?: string | null | undefined;
}

/** Answer of `installments.info`. */
export interface InstallmentInfo {
  /** The order's id: 18 decimal digits. */
  id: string;
  /** The shop's number of the order. */
  external_id: string;
  /** The shop's second number of the order. */
  unified_external_id: string | null;
  /** Which bank. */
  bank_name: string;
  /** In how many payments. */
  parts_count: number;
  /** The order's amount. */
  amount: Decimal;
  /** What was confirmed. */
  amount_confirmed: Decimal;
  /** What was taken back before. */
  amount_canceled: Decimal;
  /** What was given back. */
  amount_refunded: Decimal;
  /** Whether the payer has agreed. */
  purchased: boolean;
  /** Whether the order is confirmed. */
  confirmed: boolean;
  /** Whether it was taken back. */
  canceled: boolean;
  /** Whether something was given back. */
  refunded: boolean;
  /** Its creation. */
  purchase_details: InstallmentDetails[];
  /** Confirmations, the oldest first. */
  confirmation_details: InstallmentDetails[];
  /** Cancellations, the oldest first. */
  cancellation_details: InstallmentDetails[];
  /** Refunds, the oldest first. */
  refund_details: InstallmentDetails[];
  /** What the payer has to do. */
  action: Action | null;
  /** Whether the payer has to follow an address. */
  action_required: boolean;
  /** When the order was made. */
  created_at: DateTime;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** The receipt, once the order is confirmed. */
  receipt_url: string | null;
  /** The payer. */
  customer: CustomerView | null;
}

/** Told to `installments.operation`. */
export interface OperationQuery {
  /** The shop's number of the order. 1 to 255 characters. */
  external_id: string;
  /** The operation: `details.operation_id` of an answer or a callback. 1 to 64 characters. */
  operation_id: string;
}

/** Amounts that a bank takes. */
export interface BankLimits {
  /** The least. */
  min_amount: Decimal;
  /** The most. */
  max_amount: Decimal;
}

/** Something that is sold in installments. */
export interface InstallmentProduct {
  /** Its name. 1 to 1024 characters. */
  name: string;
  /** How many units, as a whole number. From 1 to 999999999. */
  quantity: number;
  /** What it costs. */
  price: Decimal;
  /** Its category. At most 255 characters. */
  category_name?: string | null | undefined;
  /** The shop's number of it. At most 255 characters. */
  external_id?: string | null | undefined;
  /**
   * How it is taxed: 1 VAT 20 %, 2 no VAT, 3 VAT 20 % and excise 5 %, 4 VAT 7 %, 5 VAT 0 %, 6 no VAT and excise 5 %,
   * 7 not subject to VAT, 8 VAT 20 % and pension fund 7.5 %, 9 VAT 14 %. Where all products have it, a tax receipt is
   * made. From 1 to 9.
   */
  tax_group?: number | null | undefined;
}

/** What became of an operation of an installment order. */
export interface InstallmentDetails {
  /** How it stands. */
  status: Status;
  /** Why. */
  status_code: StatusCode;
  /** The same for people, in English. */
  status_description: string;
  /** Amount of this operation. */
  amount: Decimal;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** When it began. */
  created_at: DateTime;
  /** When it ended. */
  processed_at: DateTime | null;
  /** What was done. */
  method: DetailsMethod;
  /** The order's id: equal for all of its operations. */
  payment_id: string;
  /** Equal to `operation_id`; clients rely on it being there. */
  transaction_id: string;
  /** The operation's own id. */
  operation_id: string;
  /** The bank's number of the contract. */
  auth_code: string | null;
  /** The bank's reference. */
  rrn: string | null;
  /** As the shop described the order. */
  description: string | null;
  /** As the shop sent it. */
  payload: string | null;
  /** Which bank. */
  bank_name: string;
  /** In how many payments. */
  parts_count: number;
  /** A copy of the order's block. */
  fiscalization: Fiscalization | null;
}

// errors

/**
 * JSON body of every non-2xx answer. All members are strings; an empty one means "nothing applies".
 *
 * `actor` and `retryable` go beyond the interface; its clients ignore unknown members, and may read all of them as
 * text.
 */
export interface ErrorBody {
  /** Stable code. */
  code: StatusCode;
  /** What is wrong and what to do next. Never an echo of input. */
  message: string;
  /** Dotted path of the member that is wrong, without array indexes; may be empty. */
  param: string;
  /** Operation the error belongs to; may be empty. */
  payment_id: string;
  /** Family. */
  type: ErrorType;
  /** Request id of this answer, to be quoted to whoever runs the service. */
  error_id: string;
  /** Who can act: `customer`, `merchant`, `network`, `service`. */
  actor: string;
  /** `true` where trying again can succeed, else empty. */
  retryable: string;
}

/** Family of an error (`type` on the wire). */
export type ErrorType =
  /** The request itself is wrong. */
  | 'invalid_request_error'
  /** The card or wallet is wrong. */
  | 'payment_method_error'
  /** The project is not set up for this. */
  | 'payment_settings_error'
  /** The payment failed. */
  | 'payment_error'
  /** The service failed or is limited. */
  | 'api_error'
  /** The customer is unknown or not authorised. */
  | 'customer_error'
  /** A word of a later version. */
  | (string & {});

// callbacks

/** Body of a callback about a payout. */
export interface PayoutCallback {
  /** Its id: 18 decimal digits. */
  id: string;
  /** The shop's number of it. */
  external_id: string;
  /** How it stands. */
  status: Status;
  /** Why. */
  status_code: StatusCode;
  /** What the recipient gets. */
  amount: Decimal;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** How it gets to the recipient. */
  payout_type: AnyPayoutType;
  /** When it ended. */
  processed_at: DateTime | null;
}

/** Body of the callback about a subscription. */
export interface SubscriptionCallback {
  /** The subscription. */
  subscription_id: string;
  /** What happened. */
  event: SubscriptionEvent;
  /** The payment that it happened with; `null` where there is none. */
  payment: EventPayment | null;
  /** How the subscription stands then. */
  subscription: EventSubscription;
}

/** What happened to a subscription. */
export type SubscriptionEvent =
  /** A period was charged. */
  | 'payment_success'
  /** A period could not be charged. */
  | 'payment_failed'
  /** A further period has begun. */
  | 'subscription_renewed'
  /** It is not charged any more; it ends with the period, or has ended. */
  | 'subscription_deactivated'
  /** It was ended at once. */
  | 'subscription_cancelled'
  /** A period was given back. */
  | 'subscription_refunded'
  /** A word of a later version. */
  | (string & {});

/** The payment of an event. */
export interface EventPayment {
  /** The payment's id. */
  id: string;
  /** How much was charged, or given back. */
  amount: Decimal;
  /** ISO 4217 code. Such as `"UAH"`. */
  currency: string;
  /** How it stands. */
  status: Status;
}

/** The subscription of an event. */
export interface EventSubscription {
  /** How it stands. */
  state: SubscriptionState;
  /** When it is charged next, or else ends; `null` when it has ended. */
  next_payment_date: DateTime | null;
}
