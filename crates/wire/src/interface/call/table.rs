//! The table of calls, in the order of the interface.

use alloc::vec::Vec;

use super::{Known, Named, calls};
use crate::interface::answer::Payment;
use crate::interface::basket::{self, Basket, BasketStatus, CancelBasket, ConfirmBasket, NewBasket};
use crate::interface::info::{self, PaymentInfo, Receipt};
use crate::interface::installment::{
    self, BankInfo, Installment, InstallmentInfo, InstallmentRefund, InstallmentStep, NewInstallment,
    OperationQuery,
};
use crate::interface::payment::{self, NewPayment};
use crate::interface::payout::{self, AccountBalance, BalanceQuery, NamedPayout, NewPayout, Payout};
use crate::interface::plan::{self, ChangePlan, NewPlan, Plan, PlanPath};
use crate::interface::query::{BasketQuery, CardQuery, OrderQuery};
use crate::interface::report::{self, Register, RegisterRequest, Transactions, TransactionsRequest};
use crate::interface::saved::{
    self, AddCard, AddedCard, DefaultCard, DeletedCard, NamedCard, Wallet, WalletItem,
};
use crate::interface::steps::{self, Recurrent, Resend, Step, WaitingRefund};
use crate::interface::subscription::{
    self, CancelQuery, ChangeSubscription, Changed, NewSubscription, Subscribed, Subscription,
    SubscriptionPath, SubscriptionPayment,
};

calls! {
    /// Makes a payment: with the card, or with a page on which the payer pays.
    CreatePayment = "payments.create": Post payment::PATH {
        body: NewPayment,
        answer: Payment,
        repeat: Numbered,
        remedy: "payments.info" ["external_id"],
    }

    /// Charges what is held, or a part of it.
    ConfirmPayment = "payments.confirm": Post steps::CONFIRM {
        body: Step,
        answer: Payment,
        repeat: Never,
        remedy: "payments.info" ["external_id"],
    }

    /// Releases what is held, or a part of it.
    CancelPayment = "payments.cancel": Post steps::CANCEL {
        body: Step,
        answer: Payment,
        repeat: Never,
        remedy: "payments.info" ["external_id"],
    }

    /// Gives back what was charged, or a part of it; waits while the balance does not suffice.
    RefundPayment = "payments.refund": Post steps::REFUND {
        body: Step,
        answer: Payment,
        repeat: Never,
        remedy: "payments.info" ["external_id"],
    }

    /// Tries a waiting refund at once.
    RetryRefund = "payments.retryRefund": Post steps::REFUND_RETRY {
        body: WaitingRefund,
        answer: Payment,
        repeat: Never,
        remedy: "payments.info" ["external_id"],
    }

    /// Takes a waiting refund back.
    CancelRefund = "payments.cancelRefund": Post steps::REFUND_CANCEL {
        body: WaitingRefund,
        answer: Payment,
        repeat: Never,
        remedy: "payments.info" ["external_id"],
    }

    /// Charges a card again, without the payer.
    ChargeAgain = "payments.charge": Post steps::RECURRENT {
        body: Recurrent,
        answer: Payment,
        repeat: Numbered,
        remedy: "payments.info" ["external_id"],
    }

    /// Sends a callback of an order again, as it was.
    ResendCallback = "payments.resendCallback": Post steps::RESEND {
        body: Resend,
        repeat: Never,
    }

    /// A payment with all of its operations.
    PaymentInformation = "payments.info": Get info::PATH {
        query: OrderQuery,
        answer: PaymentInfo,
        repeat: Reads,
    }

    /// Where the receipt of a payment can be seen.
    PaymentReceipt = "payments.receipt": Get info::RECEIPT {
        query: OrderQuery,
        answer: Receipt,
        repeat: Reads,
    }

    /// Makes a payment that is split over orders of several projects.
    CreateBasket = "baskets.create": Post basket::PATH {
        body: NewBasket,
        answer: Basket,
        repeat: Numbered,
        remedy: "baskets.status" ["batch_external_id"],
    }

    /// Charges what is held for orders of a basket, or a part of it.
    ConfirmBasketOrders = "baskets.confirm": Post basket::CONFIRM {
        body: ConfirmBasket,
        answer: Basket,
        repeat: Never,
        remedy: "baskets.status" ["batch_external_id"],
    }

    /// Releases what is held for a basket.
    CancelBasketOrders = "baskets.cancel": Post basket::CANCEL {
        body: CancelBasket,
        answer: Basket,
        repeat: Never,
        remedy: "baskets.status" ["batch_external_id"],
    }

    /// How a basket stands.
    BasketStanding = "baskets.status": Get basket::STATUS {
        query: BasketQuery,
        answer: BasketStatus,
        repeat: Reads,
    }

    /// Adds a card to a customer's: with the card's token, or with a page on which the payer types it.
    AddSavedCard = "savedCards.add": Post saved::PATH {
        customer: Named,
        body: AddCard,
        answer: AddedCard,
        repeat: Never,
        remedy: "savedCards.list" [],
    }

    /// A customer's cards.
    ListSavedCards = "savedCards.list": Get saved::PATH {
        customer: Named,
        answer: Wallet,
        repeat: Reads,
    }

    /// Deletes one of a customer's cards.
    RemoveSavedCard = "savedCards.remove": Delete saved::PATH {
        customer: Named,
        body: NamedCard,
        answer: DeletedCard,
        repeat: Never,
        remedy: "savedCards.list" [],
    }

    /// One of a customer's cards.
    FindSavedCard = "savedCards.find": Get saved::FIND {
        customer: Named,
        query: CardQuery,
        answer: WalletItem,
        repeat: Reads,
    }

    /// Makes one of a customer's cards the default.
    MakeDefaultCard = "savedCards.makeDefault": Post saved::SETTINGS {
        customer: Named,
        body: NamedCard,
        answer: DefaultCard,
        repeat: Never,
        remedy: "savedCards.list" [],
    }

    /// Sends money to a card, or as cash.
    CreatePayout = "payouts.create": Post payout::PATH {
        body: NewPayout,
        answer: Payout,
        repeat: Numbered,
        remedy: "payouts.info" ["order.external_id"],
    }

    /// How a payout stands.
    PayoutInformation = "payouts.info": Get payout::INFO {
        query: OrderQuery,
        answer: Payout,
        repeat: Reads,
    }

    /// What can be paid out, and what is reserved for payouts that are under way.
    PayoutBalance = "payouts.balance": Get payout::BALANCE {
        query: BalanceQuery,
        answer: AccountBalance,
        repeat: Reads,
    }

    /// Sends the last callback of a payout again, as it was.
    ResendPayoutCallback = "payouts.resendCallback": Post payout::RESEND {
        body: NamedPayout,
        repeat: Never,
    }

    /// Takes a cash payout back that is on its way.
    CancelPayout = "payouts.cancel": Post payout::CANCEL {
        body: NamedPayout,
        answer: Payout,
        repeat: Never,
        remedy: "payouts.info" ["external_id"],
    }

    /// Makes a plan of subscriptions.
    CreatePlan = "plans.create": Post plan::PATH {
        body: NewPlan,
        answer: Plan,
        repeat: Never,
        remedy: "plans.list" [],
    }

    /// All plans.
    ListPlans = "plans.list": Get plan::PATH {
        answer: Vec<Plan>,
        repeat: Reads,
    }

    /// A plan.
    GetPlan = "plans.get": Get plan::ONE {
        path: PlanPath,
        answer: Plan,
        repeat: Reads,
    }

    /// Changes a plan. A price holds from the next charge on, periods hold for new subscriptions.
    UpdatePlan = "plans.update": Patch plan::ONE {
        path: PlanPath,
        body: ChangePlan,
        answer: Changed,
        repeat: Never,
        remedy: "plans.get" ["plan_id"],
    }

    /// Deactivates a plan: nobody can subscribe to it any more. Subscriptions that there are go on.
    RemovePlan = "plans.remove": Delete plan::ONE {
        path: PlanPath,
        answer: Changed,
        repeat: Never,
        remedy: "plans.get" ["plan_id"],
    }

    /// Subscribes the customer to a plan, and charges the first period or waits for its start.
    CreateSubscription = "subscriptions.create": Post subscription::PATH {
        customer: Known,
        body: NewSubscription,
        answer: Subscribed,
        repeat: Never,
        remedy: "subscriptions.list" [],
    }

    /// All subscriptions of the customer.
    ListSubscriptions = "subscriptions.list": Get subscription::PATH {
        customer: Known,
        answer: Vec<Subscription>,
        repeat: Reads,
    }

    /// A subscription of the customer.
    GetSubscription = "subscriptions.get": Get subscription::ONE {
        customer: Known,
        path: SubscriptionPath,
        answer: Subscription,
        repeat: Reads,
    }

    /// Says whether a subscription is charged for further periods.
    UpdateSubscription = "subscriptions.update": Patch subscription::ONE {
        customer: Known,
        path: SubscriptionPath,
        body: ChangeSubscription,
        answer: Changed,
        repeat: Never,
        remedy: "subscriptions.get" ["subscription_id"],
    }

    /// Deactivates a subscription: it ends on its next payment date.
    DeactivateSubscription = "subscriptions.deactivate": Delete subscription::ONE {
        customer: Known,
        path: SubscriptionPath,
        answer: Changed,
        repeat: Never,
        remedy: "subscriptions.get" ["subscription_id"],
    }

    /// Ends a subscription at once; with `refund`, gives back what its current period cost.
    CancelSubscription = "subscriptions.cancel": Delete subscription::CANCEL {
        customer: Known,
        path: SubscriptionPath,
        query: CancelQuery,
        answer: Changed,
        repeat: Never,
        remedy: "subscriptions.get" ["subscription_id"],
    }

    /// Every payment of a subscription, failed ones included.
    SubscriptionPayments = "subscriptions.payments": Get subscription::PAYMENTS {
        customer: Known,
        path: SubscriptionPath,
        answer: Vec<SubscriptionPayment>,
        repeat: Reads,
    }

    /// The settlement register: money that has moved, by the day on which it is settled.
    SettlementReport = "reports.settlement": Post report::REGISTER {
        body: RegisterRequest,
        answer: Register,
        repeat: Reads,
    }

    /// Everything that was begun in a period, whatever became of it.
    TransactionsReport = "reports.transactions": Post report::TRANSACTIONS {
        body: TransactionsRequest,
        answer: Transactions,
        repeat: Reads,
    }

    /// The banks and what they offer.
    ListBanks = "installments.banks": Get installment::BANKS {
        answer: Vec<BankInfo>,
        repeat: Reads,
    }

    /// Makes an order and has its bank ask the payer.
    CreateInstallment = "installments.create": Post installment::CREATE {
        body: NewInstallment,
        answer: Installment,
        repeat: Numbered,
        remedy: "installments.info" ["external_id"],
    }

    /// Confirms an order that the payer has agreed to.
    ConfirmInstallment = "installments.confirm": Post installment::CONFIRM {
        body: InstallmentStep,
        answer: Installment,
        repeat: Never,
        remedy: "installments.info" ["external_id"],
    }

    /// Takes an order back that is not confirmed.
    CancelInstallment = "installments.cancel": Post installment::CANCEL {
        body: InstallmentStep,
        answer: Installment,
        repeat: Never,
        remedy: "installments.info" ["external_id"],
    }

    /// Gives back what was confirmed, or a part of it; waits while the balance does not suffice.
    RefundInstallment = "installments.refund": Post installment::REFUND {
        body: InstallmentRefund,
        answer: Installment,
        repeat: Never,
        remedy: "installments.info" ["external_id"],
    }

    /// Takes a waiting refund back.
    CancelInstallmentRefund = "installments.cancelRefund": Post installment::REFUND_CANCEL {
        body: WaitingRefund,
        answer: Installment,
        repeat: Never,
        remedy: "installments.info" ["external_id"],
    }

    /// Tries a waiting refund at once.
    RetryInstallmentRefund = "installments.retryRefund": Post installment::REFUND_RETRY {
        body: WaitingRefund,
        answer: Installment,
        repeat: Never,
        remedy: "installments.info" ["external_id"],
    }

    /// An order with all of its operations.
    InstallmentInformation = "installments.info": Get installment::INFO {
        query: OrderQuery,
        answer: InstallmentInfo,
        repeat: Reads,
    }

    /// One operation of an order.
    InstallmentOperation = "installments.operation": Get installment::OPERATION {
        query: OperationQuery,
        answer: Installment,
        repeat: Reads,
    }
}
