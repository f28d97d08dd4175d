//! Every call as a method, by family.

use wire::interface::answer::Payment;
use wire::interface::basket::{Basket, BasketStatus, CancelBasket, ConfirmBasket, NewBasket};
use wire::interface::call::{
    AddSavedCard, BasketStanding, CancelBasketOrders, CancelInstallment, CancelInstallmentRefund,
    CancelPayment, CancelPayout, CancelRefund, CancelSubscription, ChargeAgain, ConfirmBasketOrders,
    ConfirmInstallment, ConfirmPayment, CreateBasket, CreateInstallment, CreatePayment, CreatePayout,
    CreatePlan, CreateSubscription, DeactivateSubscription, FindSavedCard, GetPlan, GetSubscription,
    InstallmentInformation, InstallmentOperation, ListBanks, ListPlans, ListSavedCards, ListSubscriptions,
    MakeDefaultCard, Nothing, PaymentInformation, PaymentReceipt, PayoutBalance, PayoutInformation,
    RefundInstallment, RefundPayment, RemovePlan, RemoveSavedCard, ResendCallback, ResendPayoutCallback,
    RetryInstallmentRefund, RetryRefund, SettlementReport, SubscriptionPayments, TransactionsReport,
    UpdatePlan, UpdateSubscription,
};
use wire::interface::info::{PaymentInfo, Receipt};
use wire::interface::installment::{
    BankInfo, Installment, InstallmentInfo, InstallmentStep, NewInstallment, OperationQuery,
};
use wire::interface::payment::NewPayment;
use wire::interface::payout::{AccountBalance, BalanceQuery, NamedPayout, NewPayout, Payout};
use wire::interface::plan::{ChangePlan, NewPlan, Plan, PlanPath};
use wire::interface::query::{BasketQuery, CardQuery, OrderQuery};
use wire::interface::report::{Register, RegisterRequest, Transactions, TransactionsRequest};
use wire::interface::saved::{AddCard, AddedCard, DefaultCard, DeletedCard, NamedCard, Wallet, WalletItem};
use wire::interface::steps::{Recurrent, Resend, Step, WaitingRefund};
use wire::interface::subscription::{
    CancelQuery, ChangeSubscription, Changed, NewSubscription, Subscribed, Subscription, SubscriptionPath,
    SubscriptionPayment,
};

use super::Client;
use crate::credentials::Customer;
use crate::error::Error;
use crate::prepare::Told;
use crate::refund::{InstallmentRefundRequest, RefundRequest};

/// Calls about payments.
#[derive(Clone, Copy, Debug)]
pub struct Payments<'a>(pub(super) &'a Client);

impl Payments<'_> {
    /// Makes a payment: with the card, or with a page on which the payer pays.
    pub async fn create(&self, payment: &NewPayment) -> Result<Payment, Error> {
        self.0.call::<CreatePayment>(&Told::body(payment)).await
    }

    /// Charges what is held, or a part of it.
    pub async fn confirm(&self, step: &Step) -> Result<Payment, Error> {
        self.0.call::<ConfirmPayment>(&Told::body(step)).await
    }

    /// Releases what is held, or a part of it.
    pub async fn cancel(&self, step: &Step) -> Result<Payment, Error> {
        self.0.call::<CancelPayment>(&Told::body(step)).await
    }

    /// Gives back what was charged, or a part of it; waits while the balance does not suffice.
    pub async fn refund(&self, refund: &RefundRequest) -> Result<Payment, Error> {
        self.0.call::<RefundPayment>(&Told::body(&refund.into())).await
    }

    /// Tries a waiting refund at once.
    pub async fn retry_refund(&self, refund: &WaitingRefund) -> Result<Payment, Error> {
        self.0.call::<RetryRefund>(&Told::body(refund)).await
    }

    /// Takes a waiting refund back.
    pub async fn cancel_refund(&self, refund: &WaitingRefund) -> Result<Payment, Error> {
        self.0.call::<CancelRefund>(&Told::body(refund)).await
    }

    /// Charges a card again, without the payer.
    pub async fn charge(&self, charge: &Recurrent) -> Result<Payment, Error> {
        self.0.call::<ChargeAgain>(&Told::body(charge)).await
    }

    /// Sends a callback of an order again, as it was.
    pub async fn resend_callback(&self, which: &Resend) -> Result<(), Error> {
        self.0.call::<ResendCallback>(&Told::body(which)).await.map(drop)
    }

    /// A payment with all of its operations.
    pub async fn info(&self, order: &OrderQuery) -> Result<PaymentInfo, Error> {
        self.0.call::<PaymentInformation>(&Told::query(order)).await
    }

    /// Where the receipt of a payment can be seen.
    pub async fn receipt(&self, order: &OrderQuery) -> Result<Receipt, Error> {
        self.0.call::<PaymentReceipt>(&Told::query(order)).await
    }
}

/// Calls about baskets.
#[derive(Clone, Copy, Debug)]
pub struct Baskets<'a>(pub(super) &'a Client);

impl Baskets<'_> {
    /// Makes a payment that is split over orders of several projects.
    pub async fn create(&self, basket: &NewBasket) -> Result<Basket, Error> {
        self.0.call::<CreateBasket>(&Told::body(basket)).await
    }

    /// Charges what is held for orders of a basket, or a part of it.
    pub async fn confirm(&self, basket: &ConfirmBasket) -> Result<Basket, Error> {
        self.0.call::<ConfirmBasketOrders>(&Told::body(basket)).await
    }

    /// Releases what is held for a basket.
    pub async fn cancel(&self, basket: &CancelBasket) -> Result<Basket, Error> {
        self.0.call::<CancelBasketOrders>(&Told::body(basket)).await
    }

    /// How a basket stands.
    pub async fn status(&self, basket: &BasketQuery) -> Result<BasketStatus, Error> {
        self.0.call::<BasketStanding>(&Told::query(basket)).await
    }
}

/// Calls about customers' saved cards.
#[derive(Clone, Copy, Debug)]
pub struct SavedCards<'a>(pub(super) &'a Client);

impl SavedCards<'_> {
    /// Adds a card to a customer's: with the card's token, or with a page on which the payer types it.
    pub async fn add(&self, customer: &Customer, card: &AddCard) -> Result<AddedCard, Error> {
        self.0
            .call::<AddSavedCard>(&Told::body(card).about(customer))
            .await
    }

    /// A customer's cards.
    pub async fn list(&self, customer: &Customer) -> Result<Wallet, Error> {
        self.0
            .call::<ListSavedCards>(&Told::body(&Nothing {}).about(customer))
            .await
    }

    /// Deletes one of a customer's cards.
    pub async fn remove(&self, customer: &Customer, card: &NamedCard) -> Result<DeletedCard, Error> {
        self.0
            .call::<RemoveSavedCard>(&Told::body(card).about(customer))
            .await
    }

    /// One of a customer's cards.
    pub async fn find(&self, customer: &Customer, card: &CardQuery) -> Result<WalletItem, Error> {
        self.0
            .call::<FindSavedCard>(&Told::query(card).about(customer))
            .await
    }

    /// Makes one of a customer's cards the default.
    pub async fn make_default(&self, customer: &Customer, card: &NamedCard) -> Result<DefaultCard, Error> {
        self.0
            .call::<MakeDefaultCard>(&Told::body(card).about(customer))
            .await
    }
}

/// Calls about installment orders.
#[derive(Clone, Copy, Debug)]
pub struct Installments<'a>(pub(super) &'a Client);

impl Installments<'_> {
    /// The banks and what they offer.
    pub async fn banks(&self) -> Result<Vec<BankInfo>, Error> {
        self.0.call::<ListBanks>(&Told::body(&Nothing {})).await
    }

    /// Makes an order and has its bank ask the payer.
    pub async fn create(&self, order: &NewInstallment) -> Result<Installment, Error> {
        self.0.call::<CreateInstallment>(&Told::body(order)).await
    }

    /// Confirms an order that the payer has agreed to.
    pub async fn confirm(&self, step: &InstallmentStep) -> Result<Installment, Error> {
        self.0.call::<ConfirmInstallment>(&Told::body(step)).await
    }

    /// Takes an order back that is not confirmed.
    pub async fn cancel(&self, step: &InstallmentStep) -> Result<Installment, Error> {
        self.0.call::<CancelInstallment>(&Told::body(step)).await
    }

    /// Gives back what was confirmed, or a part of it; waits while the balance does not suffice.
    pub async fn refund(&self, refund: &InstallmentRefundRequest) -> Result<Installment, Error> {
        self.0
            .call::<RefundInstallment>(&Told::body(&refund.into()))
            .await
    }

    /// Takes a waiting refund back.
    pub async fn cancel_refund(&self, refund: &WaitingRefund) -> Result<Installment, Error> {
        self.0.call::<CancelInstallmentRefund>(&Told::body(refund)).await
    }

    /// Tries a waiting refund at once.
    pub async fn retry_refund(&self, refund: &WaitingRefund) -> Result<Installment, Error> {
        self.0.call::<RetryInstallmentRefund>(&Told::body(refund)).await
    }

    /// An order with all of its operations.
    pub async fn info(&self, order: &OrderQuery) -> Result<InstallmentInfo, Error> {
        self.0.call::<InstallmentInformation>(&Told::query(order)).await
    }

    /// One operation of an order.
    pub async fn operation(&self, operation: &OperationQuery) -> Result<Installment, Error> {
        self.0.call::<InstallmentOperation>(&Told::query(operation)).await
    }
}

/// Calls about payouts.
#[derive(Clone, Copy, Debug)]
pub struct Payouts<'a>(pub(super) &'a Client);

impl Payouts<'_> {
    /// Sends money to a card, or as cash.
    pub async fn create(&self, payout: &NewPayout) -> Result<Payout, Error> {
        self.0.call::<CreatePayout>(&Told::body(payout)).await
    }

    /// How a payout stands.
    pub async fn info(&self, payout: &OrderQuery) -> Result<Payout, Error> {
        self.0.call::<PayoutInformation>(&Told::query(payout)).await
    }

    /// What can be paid out, and what is reserved for payouts that are under way.
    pub async fn balance(&self, of: &BalanceQuery) -> Result<AccountBalance, Error> {
        self.0.call::<PayoutBalance>(&Told::query(of)).await
    }

    /// Sends the last callback of a payout again, as it was.
    pub async fn resend_callback(&self, payout: &NamedPayout) -> Result<(), Error> {
        self.0
            .call::<ResendPayoutCallback>(&Told::body(payout))
            .await
            .map(drop)
    }

    /// Takes a cash payout back that is on its way.
    pub async fn cancel(&self, payout: &NamedPayout) -> Result<Payout, Error> {
        self.0.call::<CancelPayout>(&Told::body(payout)).await
    }
}

/// Calls about plans of subscriptions.
#[derive(Clone, Copy, Debug)]
pub struct Plans<'a>(pub(super) &'a Client);

impl Plans<'_> {
    /// Makes a plan of subscriptions.
    pub async fn create(&self, plan: &NewPlan) -> Result<Plan, Error> {
        self.0.call::<CreatePlan>(&Told::body(plan)).await
    }

    /// All plans.
    pub async fn list(&self) -> Result<Vec<Plan>, Error> {
        self.0.call::<ListPlans>(&Told::body(&Nothing {})).await
    }

    /// A plan.
    pub async fn get(&self, plan: &PlanPath) -> Result<Plan, Error> {
        self.0.call::<GetPlan>(&Told::path(plan)).await
    }

    /// Changes a plan. A price holds from the next charge on, periods hold for new subscriptions.
    pub async fn update(&self, plan: &PlanPath, change: &ChangePlan) -> Result<Changed, Error> {
        self.0
            .call::<UpdatePlan>(&Told {
                customer: None,
                path: plan,
                query: &Nothing {},
                body: change,
            })
            .await
    }

    /// Deactivates a plan: nobody can subscribe to it any more. Subscriptions that there are go on.
    pub async fn remove(&self, plan: &PlanPath) -> Result<Changed, Error> {
        self.0.call::<RemovePlan>(&Told::path(plan)).await
    }
}

/// Calls about customers' subscriptions. The customer is named by their access token.
#[derive(Clone, Copy, Debug)]
pub struct Subscriptions<'a>(pub(super) &'a Client);

impl Subscriptions<'_> {
    /// Subscribes the customer to a plan, and charges the first period or waits for its start.
    pub async fn create(
        &self,
        customer: &Customer,
        subscription: &NewSubscription,
    ) -> Result<Subscribed, Error> {
        self.0
            .call::<CreateSubscription>(&Told::body(subscription).about(customer))
            .await
    }

    /// All subscriptions of the customer.
    pub async fn list(&self, customer: &Customer) -> Result<Vec<Subscription>, Error> {
        self.0
            .call::<ListSubscriptions>(&Told::body(&Nothing {}).about(customer))
            .await
    }

    /// A subscription of the customer.
    pub async fn get(
        &self,
        customer: &Customer,
        subscription: &SubscriptionPath,
    ) -> Result<Subscription, Error> {
        self.0
            .call::<GetSubscription>(&Told::path(subscription).about(customer))
            .await
    }

    /// Says whether a subscription is charged for further periods.
    pub async fn update(
        &self,
        customer: &Customer,
        subscription: &SubscriptionPath,
        change: &ChangeSubscription,
    ) -> Result<Changed, Error> {
        self.0
            .call::<UpdateSubscription>(&Told {
                customer: Some(customer),
                path: subscription,
                query: &Nothing {},
                body: change,
            })
            .await
    }

    /// Deactivates a subscription: it ends on its next payment date.
    pub async fn deactivate(
        &self,
        customer: &Customer,
        subscription: &SubscriptionPath,
    ) -> Result<Changed, Error> {
        self.0
            .call::<DeactivateSubscription>(&Told::path(subscription).about(customer))
            .await
    }

    /// Ends a subscription at once; with `refund`, gives back what its current period cost.
    pub async fn cancel(
        &self,
        customer: &Customer,
        subscription: &SubscriptionPath,
        how: &CancelQuery,
    ) -> Result<Changed, Error> {
        self.0
            .call::<CancelSubscription>(&Told {
                customer: Some(customer),
                path: subscription,
                query: how,
                body: &Nothing {},
            })
            .await
    }

    /// Every payment of a subscription, failed ones included.
    pub async fn payments(
        &self,
        customer: &Customer,
        subscription: &SubscriptionPath,
    ) -> Result<Vec<SubscriptionPayment>, Error> {
        self.0
            .call::<SubscriptionPayments>(&Told::path(subscription).about(customer))
            .await
    }
}

/// Calls for reports.
#[derive(Clone, Copy, Debug)]
pub struct Reports<'a>(pub(super) &'a Client);

impl Reports<'_> {
    /// The settlement register: money that has moved, by the day on which it is settled.
    pub async fn settlement(&self, wanted: &RegisterRequest) -> Result<Register, Error> {
        self.0.call::<SettlementReport>(&Told::body(wanted)).await
    }

    /// Everything that was begun in a period, whatever became of it.
    pub async fn transactions(&self, wanted: &TransactionsRequest) -> Result<Transactions, Error> {
        self.0.call::<TransactionsReport>(&Told::body(wanted)).await
    }
}
