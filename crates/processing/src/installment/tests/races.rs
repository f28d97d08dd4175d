//! Fifty calls about one order at the same moment, on two instances: what can be done once is done once.

use std::thread;

use serde_json::json;
use wire::interface::StatusCode;
use wire::interface::answer::Status;
use wire::interface::installment::{InstallmentRefund, InstallmentStep, NewInstallment};
use wire::interface::read;

use super::{Stands, body, done, stands};
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::testing::{Place, in_both};

/// What comes of fifty calls at once, of the half of them on another instance.
fn fifty(
    place: &Place,
    call: impl Fn(usize, &Processing) -> Result<Stands, Refusal> + Sync,
) -> Vec<Result<Stands, StatusCode>> {
    let instances = [place.processing.clone(), place.beside()];
    let (call, instances) = (&call, &instances);
    thread::scope(|scope| {
        let asking: Vec<_> = (0..50)
            .map(|at| scope.spawn(move || call(at, &instances[at % 2])))
            .collect();
        let answers = asking.into_iter().map(|asking| asking.join().unwrap());
        answers
            .map(|answer| answer.map_err(|refusal| refusal.code))
            .collect()
    })
}

fn count(answers: &[Result<Stands, StatusCode>], wanted: &Result<Stands, StatusCode>) -> usize {
    answers.iter().filter(|answer| *answer == wanted).count()
}

/// What can be paid out, in hryvnias.
fn balance(place: &Place) -> u64 {
    let balance = place
        .processing
        .account_balance(&place.sandbox(), "sandbox-entity")
        .unwrap();
    balance.available_amount.minor() / 100
}

#[test]
fn one_of_fifty_orders_of_a_number_is_made() {
    in_both(|place| {
        let request: NewInstallment = read(body("one", "bank_a", json!({})).to_string().as_bytes()).unwrap();
        let answers = fifty(place, |_, instance| {
            instance
                .create_installment(&place.sandbox(), request.clone())
                .map(stands)
        });
        let made = Ok((Status::Init, StatusCode::TransactionCreated));
        assert_eq!(count(&answers, &made), 1);
        assert_eq!(count(&answers, &Err(StatusCode::OrderIsDuplicated)), 49);
        assert_eq!(place.count("SELECT COUNT(*) FROM installments"), 1);
        let pushes = place
            .processing
            .sandbox_overview(&place.sandbox())
            .unwrap()
            .pushes;
        assert_eq!(pushes.len(), 1, "the bank asks once");
    });
}

#[test]
fn of_fifty_who_confirm_and_cancel_one_decides() {
    in_both(|place| {
        for number in ["one", "two", "three"] {
            let before = balance(place);
            place.signed(number, json!({}));
            let step: InstallmentStep =
                read(json!({ "external_id": number }).to_string().as_bytes()).unwrap();
            let answers = fifty(place, |at, instance| {
                // Two of the one, two of the other, on both instances.
                let call = match at / 2 % 2 {
                    0 => Processing::confirm_installment,
                    _ => Processing::cancel_installment,
                };
                call(instance, &place.sandbox(), step.clone()).map(stands)
            });
            let confirmed = count(&answers, &Ok(done(StatusCode::TransactionSuccessful)));
            let cancelled = count(&answers, &Ok(done(StatusCode::CancelSuccessful)));
            assert_eq!(confirmed + cancelled, 1, "{answers:?}");
            let refused = [StatusCode::ActionAlreadyDone, StatusCode::ActionNotAllowed];
            let refused: usize = refused.map(|code| count(&answers, &Err(code))).iter().sum();
            assert_eq!(refused, 49, "{answers:?}");
            let info = place.order_info(number);
            assert_eq!((info.confirmed, info.canceled), (confirmed == 1, cancelled == 1));
            assert_eq!(balance(place) - before, 1200 * confirmed as u64);
        }
    });
}

#[test]
fn fifty_refunds_give_back_what_there_is_and_no_more() {
    in_both(|place| {
        place.signed("one", json!({}));
        place.step_order(Processing::confirm_installment, "one").unwrap();
        let refund = json!({ "external_id": "one", "amount": 100 });
        let refund: InstallmentRefund = read(refund.to_string().as_bytes()).unwrap();
        let answers = fifty(place, |_, instance| {
            instance
                .refund_installment(&place.sandbox(), refund.clone())
                .map(stands)
        });
        assert_eq!(
            count(&answers, &Ok(done(StatusCode::RefundSuccessful))),
            12,
            "{answers:?}"
        );
        let refused = [StatusCode::IncorrectRefund, StatusCode::PaymentWasRefunded];
        let refused: usize = refused.map(|code| count(&answers, &Err(code))).iter().sum();
        assert_eq!(refused, 38, "{answers:?}");
        let info = place.order_info("one");
        assert_eq!(info.amount_refunded, info.amount);
        assert_eq!(info.refund_details.len(), 12);
        assert_eq!(balance(place), 0);
        assert_eq!(place.told_of_orders().len(), 1 + 1 + 12);
    });
}
