//! Which types there are: those of all calls, and of callbacks.

use schemars::JsonSchema;
use wire::interface::{
    answer, basket, info, installment, payment, payout, plan, query, report, saved, steps, subscription,
};

use super::{Generators, Side};

/// Types of one family of calls, in the order in which they are written.
pub(super) struct Root {
    pub(super) title: &'static str,
    pub(super) types: Vec<(String, Side)>,
}

/// Everything that shops' servers send and get.
pub(super) fn roots(generators: &mut Generators) -> Vec<Root> {
    let mut list = List {
        generators,
        types: Vec::new(),
    };
    let mut roots = Vec::new();
    list.request::<payment::NewPayment>();
    list.request::<steps::Step>();
    list.request::<steps::WaitingRefund>();
    list.request::<steps::Recurrent>();
    list.request::<steps::Resend>();
    list.request::<query::OrderQuery>();
    list.answer::<answer::Payment>();
    list.answer::<info::PaymentInfo>();
    list.answer::<info::Receipt>();
    roots.push(list.root("Payments"));
    list.request::<basket::NewBasket>();
    list.request::<basket::ConfirmBasket>();
    list.request::<basket::CancelBasket>();
    list.request::<query::BasketQuery>();
    list.answer::<basket::Basket>();
    list.answer::<basket::BasketStatus>();
    roots.push(list.root("Baskets"));
    list.request::<saved::AddCard>();
    list.request::<saved::NamedCard>();
    list.request::<query::CardQuery>();
    list.answer::<saved::AddedCard>();
    list.answer::<saved::Wallet>();
    list.answer::<saved::DeletedCard>();
    list.answer::<saved::DefaultCard>();
    roots.push(list.root("Saved cards"));
    list.request::<installment::NewInstallment>();
    list.request::<installment::InstallmentStep>();
    list.request::<installment::InstallmentRefund>();
    list.request::<installment::OperationQuery>();
    list.answer::<installment::BankInfo>();
    list.answer::<installment::Installment>();
    list.answer::<installment::InstallmentInfo>();
    roots.push(list.root("Installments"));
    list.request::<payout::NewPayout>();
    list.request::<payout::NamedPayout>();
    list.request::<payout::BalanceQuery>();
    list.answer::<payout::Payout>();
    list.answer::<payout::AccountBalance>();
    list.answer::<payout::PayoutCallback>();
    roots.push(list.root("Payouts"));
    list.request::<plan::NewPlan>();
    list.request::<plan::ChangePlan>();
    list.answer::<plan::Plan>();
    list.request::<subscription::NewSubscription>();
    list.request::<subscription::ChangeSubscription>();
    list.answer::<subscription::Subscribed>();
    list.answer::<subscription::Changed>();
    list.answer::<subscription::SubscriptionCallback>();
    roots.push(list.root("Plans and subscriptions"));
    list.request::<report::RegisterRequest>();
    list.request::<report::TransactionsRequest>();
    list.answer::<report::Register>();
    list.answer::<report::Transactions>();
    roots.push(list.root("Reports"));
    roots
}

struct List<'a> {
    generators: &'a mut Generators,
    types: Vec<(String, Side)>,
}

impl List<'_> {
    fn request<T: JsonSchema>(&mut self) {
        self.generators.requests.subschema_for::<T>();
        self.types.push((T::schema_name().into_owned(), Side::Request));
    }

    fn answer<T: JsonSchema>(&mut self) {
        self.generators.answers.subschema_for::<T>();
        self.types.push((T::schema_name().into_owned(), Side::Answer));
    }

    fn root(&mut self, title: &'static str) -> Root {
        Root {
            title,
            types: std::mem::take(&mut self.types),
        }
    }
}
