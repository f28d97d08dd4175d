//! Installment orders from the request to the refund, on both databases.

mod recovery;

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

/// Wire notes §7, line by line.
#[test]
fn the_stub_bank_does_what_the_phone_says() {
    let place = Place::sqlite();
    for (end, on_page, takes) in [
        ("01", true, true),
        ("02", true, true),
        ("03", false, true),
        ("04", false, true),
        ("07", true, false),
        ("08", true, false),
        ("09", false, false),
        ("10", false, false),
    ] {
        let phone = phone(&format!("+3809300000{end}"));
        let made = place.order(end, "stub", phone).unwrap();
        assert_eq!(made.action_required, on_page, "{end}");
        assert_eq!(made.details.status, Status::Init, "{end}");
        match made.action {
            Some(action) => {
                let secret = secret(&action.value);
                let page = place.processing.installment_page(&secret).unwrap();
                assert_eq!(
                    (page.state, page.asks),
                    (InstallmentState::Open { declined: None }, Asks::Agreement)
                );
                place.processing.answer_installment_page(&secret, true).unwrap();
                // The first answer counts.
                place.processing.answer_installment_page(&secret, false).unwrap();
            }
            None => place.second(),
        }
        let expected = match takes {
            true => signed(),
            false => failed(StatusCode::RejectedByBank),
        };
        assert_eq!(place.made(end), expected, "{end}");
    }
}

/// Service interface, "Installment order", the table of banks, line by line.
#[test]
fn each_bank_has_its_mode_and_its_requisite() {
    let place = Place::sqlite();
    let banks = place.processing.banks(&place.sandbox()).unwrap();
    assert_eq!(banks.len(), 9);
    let stub = banks.iter().find(|bank| bank.name == "stub").unwrap();
    assert_eq!(stub.available_periods, (2..=24).collect::<Vec<_>>());
    assert_eq!(
        serde_json::to_value(stub.limits).unwrap()["min_amount"],
        json!(1.00)
    );
    for (bank, direct, needs_phone, on_page) in [
        ("bank_service", true, true, true),
        ("bank_a", true, true, false),
        ("bank_b", true, true, false),
        ("bank_c", true, true, false),
        ("bank_d", true, true, false),
        ("bank_e", false, false, true),
        ("bank_f", true, true, false),
        ("bank_g", true, false, false),
        ("stub", true, true, false),
    ] {
        let (mode, other) = if direct {
            ("direct", "hosted")
        } else {
            ("hosted", "direct")
        };
        let made = place.order(bank, bank, json!({ "mode": mode })).unwrap();
        assert_eq!((made.action_required, made.is_success), (on_page, true), "{bank}");
        let wrong = place.order("other", bank, json!({ "mode": other })).unwrap_err();
        assert_eq!(
            (wrong.code, &*wrong.param),
            (StatusCode::InvalidRequestBody, "mode"),
            "{bank}"
        );
        let without = place.order(
            "without",
            bank,
            json!({ "mode": mode, "customer": { "phone": null } }),
        );
        match (needs_phone, without) {
            (true, without) => {
                let without = without.unwrap_err();
                assert_eq!(
                    (without.code, &*without.param),
                    (StatusCode::InvalidPhoneNumber, "customer.phone"),
                    "{bank}"
                );
            }
            (false, without) => {
                // Without a phone to be asked on, the payer follows a link.
                assert!(without.unwrap().action_required, "{bank}");
                place
                    .step_order(Processing::cancel_installment, "without")
                    .unwrap();
            }
        }
    }
}

#[test]
fn what_a_bank_does_not_offer_is_refused_and_nothing_is_made() {
    let place = Place::sqlite();
    for (bank, more, code, param) in [
        ("bank_z", json!({}), StatusCode::BankIsNotSupported, "bank_name"),
        (
            "bank_a",
            json!({ "parts_count": 25 }),
            StatusCode::WrongPaypartsPeriod,
            "parts_count",
        ),
        (
            "bank_b",
            json!({ "parts_count": 2 }),
            StatusCode::WrongPaypartsPeriod,
            "parts_count",
        ),
        (
            "bank_a",
            json!({ "parts_count": 1 }),
            StatusCode::WrongPaymentCount,
            "parts_count",
        ),
        (
            "bank_a",
            json!({ "parts_count": 0 }),
            StatusCode::WrongPaymentCount,
            "parts_count",
        ),
        (
            "bank_a",
            json!({ "parts_count": "4" }),
            StatusCode::InvalidRequestBody,
            "parts_count",
        ),
        (
            "bank_a",
            json!({ "parts_count": 4.5 }),
            StatusCode::InvalidRequestBody,
            "parts_count",
        ),
        (
            "bank_a",
            json!({ "amount": 499.99 }),
            StatusCode::WrongAmount,
            "amount",
        ),
        (
            "bank_a",
            json!({ "amount": 300_000.01 }),
            StatusCode::WrongAmount,
            "amount",
        ),
        (
            "stub",
            json!({ "amount": 0.99 }),
            StatusCode::WrongAmount,
            "amount",
        ),
        ("stub", json!({ "amount": 0 }), StatusCode::WrongAmount, "amount"),
        (
            "stub",
            json!({ "amount": -1 }),
            StatusCode::InvalidRequestBody,
            "amount",
        ),
        (
            "stub",
            json!({ "amount": 10.001 }),
            StatusCode::InvalidRequestBody,
            "amount",
        ),
        (
            "bank_a",
            json!({ "currency": "EUR" }),
            StatusCode::InvalidCurrency,
            "currency",
        ),
        (
            "bank_a",
            json!({ "currency": "uah" }),
            StatusCode::InvalidRequestBody,
            "currency",
        ),
        (
            "bank_a",
            phone("0671112233"),
            StatusCode::InvalidPhoneNumber,
            "customer.phone",
        ),
        (
            "bank_a",
            phone("+48601112233"),
            StatusCode::InvalidPhoneNumber,
            "customer.phone",
        ),
        (
            "bank_a",
            phone("+38067111223"),
            StatusCode::InvalidPhoneNumber,
            "customer.phone",
        ),
        (
            "bank_a",
            phone("+380 67 1112233"),
            StatusCode::InvalidPhoneNumber,
            "customer.phone",
        ),
        (
            "bank_g",
            phone("12"),
            StatusCode::InvalidPhoneNumber,
            "customer.phone",
        ),
        (
            "bank_a",
            json!({ "customer": null }),
            StatusCode::InvalidRequestBody,
            "customer",
        ),
        (
            "bank_a",
            json!({ "description": "" }),
            StatusCode::InvalidRequestBody,
            "description",
        ),
        (
            "bank_a",
            json!({ "description": "д".repeat(257) }),
            StatusCode::InvalidRequestBody,
            "description",
        ),
        (
            "bank_a",
            json!({ "external_id": "" }),
            StatusCode::InvalidRequestBody,
            "external_id",
        ),
        (
            "bank_a",
            json!({ "mode": "other" }),
            StatusCode::InvalidRequestBody,
            "mode",
        ),
        (
            "bank_a",
            json!({ "callback_url": "shop" }),
            StatusCode::InvalidRequestBody,
            "callback_url",
        ),
        (
            "bank_service",
            json!({ "products": null }),
            StatusCode::InvalidRequestBody,
            "products",
        ),
        (
            "bank_service",
            json!({ "products": [] }),
            StatusCode::InvalidRequestBody,
            "products",
        ),
        (
            "bank_service",
            json!({ "result_url": "" }),
            StatusCode::InvalidRequestBody,
            "result_url",
        ),
        (
            "bank_a",
            json!({ "products": [{ "name": "Kettle", "quantity": "1", "price": 1 }] }),
            StatusCode::InvalidRequestBody,
            "products.quantity",
        ),
        (
            "bank_a",
            json!({ "products": [{ "name": "Kettle", "quantity": 1 }] }),
            StatusCode::InvalidRequestBody,
            "products.price",
        ),
        (
            "bank_a",
            json!({ "products": [{ "name": "Kettle", "quantity": 1, "price": 1, "tax_group": 10 }] }),
            StatusCode::InvalidRequestBody,
            "products.tax_group",
        ),
    ] {
        let refused = place.order("one", bank, more.clone()).unwrap_err();
        assert_eq!((refused.code, &*refused.param), (code, param), "{bank} {more}");
    }
    for table in [
        "SELECT COUNT(*) FROM installments",
        "SELECT COUNT(*) FROM operations",
        "SELECT COUNT(*) FROM orders",
        "SELECT COUNT(*) FROM jobs",
    ] {
        assert_eq!(place.count(table), 0, "{table}");
    }
    // The longest description, and the ends of what is offered.
    let more = json!({ "description": "д".repeat(256), "amount": "500.00", "parts_count": 24 });
    assert!(place.order("one", "bank_a", more).is_ok());
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

#[test]
fn faults_decide_and_no_answer_is_asked_for_again() {
    in_both(|place| {
        let force = |path: &str, code: &str| {
            let fault = json!({ "path": path, "kind": "forced_result", "code": code });
            let faults = vec![serde_json::from_value(fault).unwrap()];
            place.processing.add_faults(&place.sandbox(), faults).unwrap();
        };
        let (create, confirm) = ("/api/payparts/v1/order/create", "/api/payparts/v1/order/confirm");
        force(create, "rejected_by_bank");
        let rejected = place.order("rejected", "bank_a", json!({})).unwrap();
        assert!(!rejected.is_success);
        assert_eq!(stands(rejected), failed(StatusCode::RejectedByBank));
        force(create, "contract_was_signed_on_client_side");
        assert_eq!(
            stands(place.order("signed", "bank_a", json!({})).unwrap()),
            signed()
        );
        force(create, "transaction_in_progress");
        let silent = place.order("silent", "bank_a", json!({})).unwrap();
        assert_eq!(silent.details.status_code, StatusCode::TransactionInProgress);
        assert!(!silent.is_success);
        place.clock.advance(120_000);
        place.second();
        assert_eq!(
            place.made("silent"),
            (Status::Init, StatusCode::TransactionCreated)
        );
        place.answer(true);
        force(confirm, "transaction_in_progress");
        let silent = place.step_order(Processing::confirm_installment, "silent");
        assert_eq!(silent, Ok((Status::Init, StatusCode::TransactionInProgress)));
        place.clock.advance(120_000);
        place.second();
        assert!(place.order_info("silent").confirmed);
        force(confirm, "rejected_by_bank");
        let refused = place.step_order(Processing::confirm_installment, "signed");
        assert_eq!(refused, Ok(failed(StatusCode::RejectedByBank)));
        // The bank may be asked again.
        let confirmed = place.step_order(Processing::confirm_installment, "signed");
        assert_eq!(confirmed, Ok(done(StatusCode::TransactionSuccessful)));
    });
}

#[test]
fn a_project_knows_nothing_of_anothers_orders() {
    in_both(|place| {
        let other = place.processing.shared.project("sandbox-2").unwrap().unwrap();
        let made = place.order("one", "bank_a", json!({})).unwrap();
        let step: InstallmentStep = read(br#"{"external_id":"one"}"#).unwrap();
        let refund: InstallmentRefund = read(br#"{"external_id":"one"}"#).unwrap();
        let waiting: WaitingRefund = read(br#"{"external_id":"one"}"#).unwrap();
        let unknown = StatusCode::TransactionNotFound;
        let processing = &place.processing;
        let code = |refused: Result<Installment, Refusal>| refused.unwrap_err().code;
        assert_eq!(
            code(processing.confirm_installment(&other, step.clone())),
            unknown
        );
        assert_eq!(code(processing.cancel_installment(&other, step)), unknown);
        assert_eq!(code(processing.refund_installment(&other, refund)), unknown);
        assert_eq!(
            code(processing.retry_installment_refund(&other, &waiting)),
            unknown
        );
        assert_eq!(
            code(processing.cancel_installment_refund(&other, &waiting)),
            unknown
        );
        assert_eq!(
            processing.installment(&other, "one").unwrap_err().code,
            StatusCode::DataNotFound
        );
        assert_eq!(
            processing.answer_push(&other, &made.id, true).unwrap_err().code,
            StatusCode::DataNotFound
        );
        assert!(processing.sandbox_overview(&other).unwrap().pushes.is_empty());
        let query = json!({ "external_id": "one", "operation_id": "1" });
        let query: OperationQuery = read(query.to_string().as_bytes()).unwrap();
        assert_eq!(
            code(processing.installment_operation(&other, &query)),
            StatusCode::DataNotFound
        );
        assert_eq!(
            code(processing.installment_operation(&place.sandbox(), &query)),
            StatusCode::OperationNotFound
        );
        // The same number is free for the other one.
        let request: NewInstallment = read(body("one", "bank_a", json!({})).to_string().as_bytes()).unwrap();
        assert!(processing.create_installment(&other, request).is_ok());
    });
}
