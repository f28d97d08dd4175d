//! What is refused, and that nothing is left of it.

use serde_json::{Value, json};
use wire::interface::installment::{
    Installment, InstallmentRefund, InstallmentStep, NewInstallment, OperationQuery,
};
use wire::interface::steps::WaitingRefund;
use wire::interface::{StatusCode, read};

use super::{body, done, phone, stands};
use crate::checkout::tests::merge;
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::testing::{Place, in_both};

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
    let long = |letters: usize| "x".repeat(letters);
    let product = |more: Value| {
        let mut product = json!({ "name": "Kettle", "quantity": 1, "price": 1200 });
        merge(&mut product, more);
        json!({ "products": [product] })
    };
    for (more, param) in [
        (json!({ "bank_name": 7 }), "bank_name"),
        (json!({ "unified_external_id": long(256) }), "unified_external_id"),
        (
            json!({ "auto_confirm_after_success": "yes" }),
            "auto_confirm_after_success",
        ),
        (json!({ "payload": long(4001) }), "payload"),
        (json!({ "result_url": "shop.example" }), "result_url"),
        (json!({ "customer": { "email": long(256) } }), "customer.email"),
        (json!({ "customer": { "first_name": [] } }), "customer.first_name"),
        (
            json!({ "customer": { "last_name": long(256) } }),
            "customer.last_name",
        ),
        (json!({ "products": {} }), "products"),
        (product(json!({ "name": "" })), "products.name"),
        (product(json!({ "quantity": 0 })), "products.quantity"),
        (product(json!({ "price": -1 })), "products.price"),
        (
            product(json!({ "external_id": long(256) })),
            "products.external_id",
        ),
        (product(json!({ "tax_group": 0 })), "products.tax_group"),
        (product(json!({ "category_name": 1 })), "products.category_name"),
    ] {
        let refused = place.order("one", "bank_a", more.clone()).unwrap_err();
        assert_eq!(
            (refused.code, &*refused.param),
            (StatusCode::InvalidRequestBody, param),
            "{more}"
        );
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
fn what_cannot_be_given_back_is_refused_by_the_member() {
    let place = Place::sqlite();
    place.signed("one", json!({}));
    let refund = |more: Value| {
        let mut body = json!({ "external_id": "one" });
        merge(&mut body, more);
        let request: InstallmentRefund = read(body.to_string().as_bytes())?;
        place
            .processing
            .refund_installment(&place.sandbox(), request)
            .map(stands)
    };
    let refused = |more: Value| {
        let refused = refund(more).unwrap_err();
        (refused.code, refused.param)
    };
    assert_eq!(
        refused(json!({})).0,
        StatusCode::ActionNotAllowed,
        "not confirmed"
    );
    place.step_order(Processing::confirm_installment, "one").unwrap();
    for (more, code, param) in [
        (
            json!({ "amount": "1200.01" }),
            StatusCode::IncorrectRefund,
            "amount",
        ),
        (json!({ "amount": 0 }), StatusCode::IncorrectRefund, "amount"),
        (
            json!({ "amount": "all" }),
            StatusCode::InvalidRequestBody,
            "amount",
        ),
        (
            json!({ "currency": "EUR" }),
            StatusCode::IncorrectRefund,
            "currency",
        ),
        (
            json!({ "callback_url": "shop" }),
            StatusCode::InvalidRequestBody,
            "callback_url",
        ),
        (
            json!({ "external_id": "two" }),
            StatusCode::TransactionNotFound,
            "external_id",
        ),
    ] {
        assert_eq!(refused(more.clone()), (code, param.to_owned()), "{more}");
    }
    assert!(place.order_info("one").refund_details.is_empty());
    assert_eq!(
        refund(json!({ "currency": "UAH" })),
        Ok(done(StatusCode::RefundSuccessful))
    );
    assert_eq!(refused(json!({})).0, StatusCode::PaymentWasRefunded);
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
