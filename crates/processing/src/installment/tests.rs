//! Installment orders from the request to the refund, on both databases.

mod banks;
mod races;
mod recovery;
mod refusals;

use serde_json::{Value, json};
use wire::interface::answer::{Operation as Kind, Status};
use wire::interface::callback::Resource;
use wire::interface::installment::{
    Installment, InstallmentInfo, InstallmentRefund, InstallmentStep, NewInstallment, OperationQuery,
};
use wire::interface::steps::WaitingRefund;
use wire::interface::{StatusCode, read};

use super::page::{Asks, InstallmentState};
use crate::checkout::tests::{merge, secret};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::testing::{Place, in_both};

/// Ends by itself, and is taken.
const BY_ITSELF: &str = "+380930000003";

/// Is asked in the app, and taken.
const ASKED: &str = "380671112233";

/// How an operation stands.
type Stands = (Status, StatusCode);

fn body(number: &str, bank: &str, more: Value) -> Value {
    let mut body = json!({
        "bank_name": bank, "mode": "direct", "external_id": number, "amount": 1200, "currency": "UAH", "parts_count": 4,
        "description": "A kettle", "callback_url": "http://127.0.0.1:9/callback", "customer": { "phone": ASKED },
    });
    if bank == "bank_service" {
        merge(
            &mut body,
            json!({ "result_url": "https://shop.example/back", "products": [{ "name": "Kettle", "quantity": 1, "price": 1200 }] }),
        );
    }
    merge(&mut body, more);
    body
}

fn phone(number: &str) -> Value {
    json!({ "customer": { "phone": number } })
}

impl Place {
    pub(crate) fn order(&self, number: &str, bank: &str, more: Value) -> Result<Installment, Refusal> {
        let request: NewInstallment = read(body(number, bank, more).to_string().as_bytes())?;
        self.processing.create_installment(&self.sandbox(), request)
    }

    pub(crate) fn step_order(
        &self,
        call: fn(&Processing, &Project, InstallmentStep) -> Result<Installment, Refusal>,
        number: &str,
    ) -> Result<Stands, Refusal> {
        let request = read(json!({ "external_id": number }).to_string().as_bytes()).unwrap();
        call(&self.processing, &self.sandbox(), request).map(stands)
    }

    pub(crate) fn refund_order(&self, number: &str, amount: Option<u32>) -> Result<Stands, Refusal> {
        let body = json!({ "external_id": number, "amount": amount });
        let request: InstallmentRefund = read(body.to_string().as_bytes()).unwrap();
        let refunded = self.processing.refund_installment(&self.sandbox(), request);
        refunded.map(stands)
    }

    fn order_info(&self, number: &str) -> InstallmentInfo {
        self.processing.installment(&self.sandbox(), number).unwrap()
    }

    /// Lets a second pass, with what falls due.
    pub(crate) fn second(&self) {
        self.clock.advance(1000);
        while self.processing.run_job().unwrap() {}
    }

    fn made(&self, number: &str) -> Stands {
        let made = self.order_info(number).purchase_details.remove(0);
        (made.status, made.status_code)
    }

    /// The payer answers the newest push.
    fn answer(&self, agrees: bool) {
        let push = self
            .processing
            .sandbox_overview(&self.sandbox())
            .unwrap()
            .pushes
            .remove(0);
        self.processing
            .answer_push(&self.sandbox(), &push.id, agrees)
            .unwrap();
    }

    /// An order that the payer has agreed to.
    fn signed(&self, number: &str, more: Value) {
        self.order(number, "bank_a", more).unwrap();
        self.answer(true);
    }

    /// What was told, the newest first.
    fn told_of_orders(&self) -> Vec<(String, Stands)> {
        let told = self.processing.journal(&self.sandbox(), None, 100).unwrap();
        let read = |body: &str| serde_json::from_str::<Installment>(body).unwrap();
        let told = told.iter().filter(|told| told.resource == Resource::Installment);
        told.map(|told| (told.operation.clone(), stands(read(&told.body))))
            .collect()
    }
}

fn stands(order: Installment) -> Stands {
    (order.details.status, order.details.status_code)
}

fn signed() -> Stands {
    (Status::Success, StatusCode::ContractSigned)
}

fn done(code: StatusCode) -> Stands {
    (Status::Success, code)
}

fn failed(code: StatusCode) -> Stands {
    (Status::Failure, code)
}

#[test]
fn an_order_is_signed_confirmed_and_given_back() {
    in_both(|place| {
        let more = json!({ "unified_external_id": "basket 7", "payload": "p" });
        let made = place.order("one", "bank_a", more).unwrap();
        assert!(made.is_success && !made.action_required && made.action.is_none());
        assert_eq!(
            (made.details.status.clone(), made.details.status_code.clone()),
            (Status::Init, StatusCode::TransactionCreated)
        );
        assert_eq!(
            (made.unified_external_id.as_deref(), made.details.method.as_str()),
            (Some("basket 7"), "create")
        );
        assert_eq!(
            serde_json::to_value(&made).unwrap()["details"]["amount"],
            json!(1200.00)
        );
        // Not before the payer has agreed.
        let early = place.step_order(Processing::confirm_installment, "one");
        assert_eq!(early.unwrap_err().code, StatusCode::ActionNotAllowed);
        place.answer(true);
        assert_eq!(place.made("one"), signed());
        assert_eq!(
            place.refund_order("one", None).unwrap_err().code,
            StatusCode::ActionNotAllowed
        );
        let confirmed = place.step_order(Processing::confirm_installment, "one");
        assert_eq!(confirmed, Ok(done(StatusCode::TransactionSuccessful)));
        for call in [Processing::confirm_installment, Processing::cancel_installment] {
            let again = place.step_order(call, "one").unwrap_err();
            assert!(matches!(
                again.code,
                StatusCode::ActionAlreadyDone | StatusCode::ActionNotAllowed
            ));
        }
        assert_eq!(
            place.refund_order("one", Some(200)),
            Ok(done(StatusCode::RefundSuccessful))
        );
        assert_eq!(
            place.refund_order("one", Some(1001)).unwrap_err().code,
            StatusCode::IncorrectRefund
        );
        assert_eq!(
            place.refund_order("one", None),
            Ok(done(StatusCode::RefundSuccessful))
        );
        assert_eq!(
            place.refund_order("one", None).unwrap_err().code,
            StatusCode::PaymentWasRefunded
        );
        let info = place.order_info("one");
        assert_eq!(info.amount_refunded, info.amount);
        assert!(info.purchased && info.confirmed && info.refunded && !info.canceled);
        let told: Vec<_> = place
            .told_of_orders()
            .into_iter()
            .rev()
            .map(|(operation, stands)| (operation, stands.1))
            .collect();
        let word = |kind: Kind, code| (kind.as_str().to_owned(), code);
        assert_eq!(
            told,
            [
                word(Kind::Payment, StatusCode::ContractSigned),
                word(Kind::Confirm, StatusCode::TransactionSuccessful),
                word(Kind::Refund, StatusCode::RefundSuccessful),
                word(Kind::Refund, StatusCode::RefundSuccessful),
            ]
        );
    });
}

#[test]
fn what_is_confirmed_by_itself_needs_no_call() {
    in_both(|place| {
        let more = json!({ "auto_confirm_after_success": true, "customer": { "phone": BY_ITSELF } });
        let made = place.order("one", "stub", more).unwrap();
        assert!(made.is_success && !made.action_required);
        place.second();
        assert_eq!(place.made("one"), signed());
        assert!(place.order_info("one").confirmed);
        let told: Vec<_> = place
            .told_of_orders()
            .into_iter()
            .rev()
            .map(|told| told.1)
            .collect();
        assert_eq!(told, [signed(), done(StatusCode::TransactionSuccessful)]);
        let again = place.order("one", "stub", phone(BY_ITSELF)).unwrap_err();
        assert_eq!(
            (again.code, &*again.param),
            (StatusCode::TransactionAlreadyPaid, "external_id")
        );
    });
}

#[test]
fn who_waits_for_a_payer_holds_the_number_until_it_ends() {
    in_both(|place| {
        place.order("one", "bank_a", json!({})).unwrap();
        let second = place.order("one", "bank_b", json!({})).unwrap_err();
        assert_eq!(
            (second.code, &*second.param),
            (StatusCode::OrderIsDuplicated, "external_id")
        );
        place.answer(false);
        assert_eq!(place.made("one"), failed(StatusCode::TransactionDeclined));
        place.order("one", "bank_b", json!({})).unwrap();
        let cancelled = place.step_order(Processing::cancel_installment, "one");
        assert_eq!(cancelled, Ok(done(StatusCode::CancelSuccessful)));
        assert_eq!(place.made("one"), failed(StatusCode::CancelSuccessful));
        let again = place.step_order(Processing::cancel_installment, "one");
        assert_eq!(again.unwrap_err().code, StatusCode::ActionAlreadyDone);
        place.order("one", "bank_c", json!({})).unwrap();
        // Nobody agrees: the number is free again after twelve hours.
        place.clock.advance(11 * 3_600_000);
        place.second();
        assert_eq!(place.made("one").0, Status::Init);
        place.clock.advance(3_600_000);
        place.second();
        assert_eq!(place.made("one"), failed(StatusCode::OrderExpired));
        // A payment of the same number is another thing.
        assert!(place.pay("one", "4111111111111111", json!({})).is_ok());
        place.signed("one", json!({}));
        let cancelled = place.step_order(Processing::cancel_installment, "one");
        assert_eq!(cancelled, Ok(done(StatusCode::CancelSuccessful)));
        assert_eq!(place.made("one"), signed());
        let paid = place.order("one", "bank_a", json!({})).unwrap_err();
        assert_eq!(paid.code, StatusCode::TransactionAlreadyPaid);
        assert_eq!(
            place.count("SELECT COUNT(*) FROM jobs WHERE kind IN ('ask_bank', 'expire_installment')"),
            0
        );
        assert_eq!(
            place.told_of_orders().len(),
            5,
            "each end of a creation, and each cancellation"
        );
    });
}

#[test]
fn a_refund_waits_for_funds_as_those_of_payments_do() {
    in_both(|place| {
        let waiting = (Status::Pending, StatusCode::RefundWaitingForFunds);
        let request = |number: &str| -> WaitingRefund {
            read(json!({ "external_id": number }).to_string().as_bytes()).unwrap()
        };
        let last = |number: &str| {
            while place.processing.run_job().unwrap() {}
            let refund = place.order_info(number).refund_details.pop().unwrap();
            (refund.status, refund.status_code)
        };
        for number in ["cancelled", "retried"] {
            place.signed(number, json!({}));
            place.step_order(Processing::confirm_installment, number).unwrap();
        }
        place.clock.advance(86_400_000);
        for number in ["cancelled", "retried"] {
            assert_eq!(place.refund_order(number, None), Ok(waiting.clone()));
        }
        let cancelled = place
            .processing
            .cancel_installment_refund(&place.sandbox(), &request("cancelled"))
            .unwrap();
        assert_eq!(
            stands(cancelled),
            failed(StatusCode::RefundIsCancelledByInitiator)
        );
        let still = place
            .processing
            .retry_installment_refund(&place.sandbox(), &request("retried"))
            .unwrap();
        assert_eq!(stands(still), waiting);
        // Another order of the day pays for it.
        place.signed("more", json!({}));
        place.step_order(Processing::confirm_installment, "more").unwrap();
        assert_eq!(last("retried"), done(StatusCode::RefundSuccessful));
        for call in [
            Processing::cancel_installment_refund,
            Processing::retry_installment_refund,
        ] {
            let none = call(&place.processing, &place.sandbox(), &request("retried")).unwrap_err();
            assert_eq!(
                (none.code, &*none.param),
                (StatusCode::ActionNotAllowed, "external_id")
            );
        }
    });
}

#[test]
fn a_card_signs_on_the_page_after_one_that_was_not_taken() {
    in_both(|place| {
        let more =
            json!({ "mode": "hosted", "customer": { "phone": null }, "auto_confirm_after_success": true });
        let made = place.order("one", "bank_e", more).unwrap();
        assert_eq!(made.details.status_code, StatusCode::WaitingForRedirect);
        let page = secret(&made.action.unwrap().value);
        let look = || place.processing.installment_page(&page).unwrap();
        assert_eq!(look().asks, Asks::Card);
        let give = |tries, number: &str| {
            place
                .processing
                .sign_installment(&page, tries, &place.token(number))
        };
        give(0, "4444333322221111").unwrap();
        let declined = Some(StatusCode::TransactionRejected);
        assert_eq!(look().state, InstallmentState::Open { declined });
        // The same form once more begins nothing.
        give(0, "4111111111111111").unwrap();
        assert_eq!(look().tries, 1);
        let unknown = place
            .processing
            .sign_installment(&page, 1, "no-such-token")
            .unwrap_err();
        assert_eq!(unknown.code, StatusCode::TokenDoesNotExist);
        give(2, "4111111111111111").unwrap();
        assert_eq!(look().state, InstallmentState::Signed);
        assert!(place.order_info("one").confirmed);
        let confirmed = place.told_of_orders().remove(0);
        assert_eq!(
            confirmed,
            (
                Kind::Confirm.as_str().to_owned(),
                done(StatusCode::TransactionSuccessful)
            )
        );
        let told = place
            .processing
            .journal(&place.sandbox(), None, 1)
            .unwrap()
            .remove(0);
        let told: Installment = serde_json::from_str(&told.body).unwrap();
        assert_eq!(told.payment_method.unwrap().cc_token.mask, "41111111****1111");
        let count = place.count("SELECT COUNT(*) FROM operations WHERE mask IS NOT NULL");
        assert_eq!(count, 2, "the creation and the confirmation");
    });
}

#[test]
fn products_with_tax_groups_get_a_receipt_in_answer_and_callback() {
    in_both(|place| {
        let product =
            |group: Option<u32>| json!({ "name": "Kettle", "quantity": 2, "price": 600, "tax_group": group });
        place.signed(
            "taxed",
            json!({ "products": [product(Some(1)), product(Some(2))] }),
        );
        place.signed(
            "untaxed",
            json!({ "products": [product(Some(1)), product(None)] }),
        );
        let told = |number: &str, operation: Kind| {
            let told = place.processing.journal(&place.sandbox(), None, 100).unwrap();
            let mut told = told.iter().map(|told| serde_json::from_str(&told.body).unwrap());
            let told: Installment = told
                .find(|told: &Installment| told.external_id == number && told.operation == operation)
                .unwrap();
            assert_eq!(told.fiscalization, told.details.fiscalization);
            told.fiscalization.map(|block| block.status_code)
        };
        let confirm = |number: &str| {
            let request = read(json!({ "external_id": number }).to_string().as_bytes()).unwrap();
            let confirmed = place.processing.confirm_installment(&place.sandbox(), request);
            confirmed.unwrap().fiscalization.map(|block| block.status_code)
        };
        // It is being made: answer and callback say so.
        assert_eq!(confirm("taxed"), Some(1002));
        assert_eq!(told("taxed", Kind::Confirm), Some(1002));
        assert_eq!(confirm("untaxed"), None);
        assert_eq!(told("untaxed", Kind::Confirm), None);
        place.second();
        place.second();
        let block = |number: &str| {
            place.order_info(number).confirmation_details[0]
                .fiscalization
                .clone()
        };
        assert_eq!(block("taxed").map(|block| block.status_code), Some(1001));
        assert_eq!(block("untaxed"), None);
        place.refund_order("taxed", Some(600)).unwrap();
        place.second();
        place.second();
        let refund = place.order_info("taxed").refund_details.remove(0);
        assert_eq!(
            refund.fiscalization.as_ref().map(|block| block.status_code),
            Some(1001)
        );
        let query = json!({ "external_id": "taxed", "operation_id": refund.operation_id });
        let query: OperationQuery = read(query.to_string().as_bytes()).unwrap();
        let one = place
            .processing
            .installment_operation(&place.sandbox(), &query)
            .unwrap();
        assert_eq!(
            (&one.fiscalization, one.operation),
            (&refund.fiscalization, Kind::Refund)
        );
        assert_eq!(
            told("taxed", Kind::Refund),
            Some(1002),
            "of its own, when it was told"
        );
    });
}
