//! What is said of the pages that payers see.

use serde_json::json;
use wire::Code;

use super::operation::{Errors, Operation};
use crate::pages::{CHALLENGE, INSTALLMENT, PAYMENT, RECEIPT};

pub(crate) fn payment() -> Operation {
    let about = "The payment page: `action.value` of a payment in mode `hosted`.";
    shown(Operation::get(page(PAYMENT), about))
}

pub(crate) fn pay() -> Operation {
    let about = "Pays. Sent by the forms of the page alone.";
    // A page where nothing was done, and says why.
    sent(with_page(Operation::post(page(PAYMENT), about)))
}

pub(crate) fn payment_state() -> Operation {
    state(PAYMENT)
}

pub(crate) fn challenge() -> Operation {
    let about =
        "The page on which a payer proves who they are: `action.value` of a payment that asks for it.";
    shown(Operation::get(page(CHALLENGE), about))
}

pub(crate) fn prove() -> Operation {
    let about = "The payer's answer to their bank. Sent by the form of the page alone.";
    sent(with_secret(Operation::post(page(CHALLENGE), about)))
}

pub(crate) fn challenge_state() -> Operation {
    state(CHALLENGE)
}

pub(crate) fn receipt() -> Operation {
    shown(Operation::get(
        page(RECEIPT),
        "The receipt: `receipt_url` of a payment.",
    ))
}

pub(crate) fn installment() -> Operation {
    let about = "The page on which a payer agrees to pay in parts: `action.value` of an installment order.";
    shown(Operation::get(page(INSTALLMENT), about))
}

pub(crate) fn sign() -> Operation {
    let about = "The payer's answer to the bank, or their card. Sent by the forms of the page alone.";
    sent(with_page(Operation::post(page(INSTALLMENT), about)))
}

pub(crate) fn installment_state() -> Operation {
    state(INSTALLMENT)
}

fn page(start: &str) -> String {
    format!("{start}{{secret}}")
}

fn shown(operation: Operation) -> Operation {
    with_page(operation).refuses(Errors::Page, READING)
}

fn with_page(operation: Operation) -> Operation {
    with_secret(operation)
        .query(
            "lang",
            false,
            "`uk`, `en` or `pl`, before what the shop has said and what the browser prefers.",
        )
        .answers_with(200, "The page.", "text/html")
}

/// A form is answered by the address of a page.
fn sent(operation: Operation) -> Operation {
    operation
        .answers_empty(
            303,
            "It was taken; `Location` is the page that says how it ended.",
        )
        .refuses(Errors::Page, SENDING)
}

fn state(start: &str) -> Operation {
    let about = "How a page stands: what is open is loaded again when this word is another one.";
    with_secret(Operation::get(format!("{start}{{secret}}/state"), about))
        .answers(200, "The word.", json!({ "version": "open.0" }))
        .refuses(Errors::Usual, READING)
}

fn with_secret(operation: Operation) -> Operation {
    let schema = json!({ "type": "string", "description": "End of the address that a call has answered." });
    operation.parameter("path", "secret", true, schema)
}

const READING: &[Code] = &[Code::NotFound, Code::ServiceUnavailable, Code::InternalError];

const SENDING: &[Code] = &[
    Code::InvalidRequestBody,
    Code::BodyTooLarge,
    Code::RequestTimeout,
    Code::OriginNotAllowed,
    Code::NotFound,
    Code::ServiceUnavailable,
    Code::InternalError,
];
