//! The sandbox's acquirer: decides by card, by amount and by faults, the same each time an operation comes.

use std::sync::Arc;

use card::{Brand, Expiry, Pan};
use database::Database;
use jiff::{SignedDuration, tz::TimeZone};
use vault::{Clock, OpenCard};
use wire::interface::payment::Campaign;
use wire::interface::{Amount, StatusCode};

use super::answers::{self, Step};
use super::cards;
use crate::id::Id;
use crate::port::PortError;
use crate::port::acquirer::{Acquirer, Authorization, Decision, Follow, Proof};
use crate::project::Project;
use crate::time;

pub(crate) struct SandboxAcquirer {
    pub(crate) database: Database,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Acquirer for SandboxAcquirer {
    fn authorize(&self, request: &Authorization<'_>, card: &OpenCard<'_>) -> Result<Decision, PortError> {
        self.judge(request, card.number, card.expiry)
    }

    fn complete(&self, request: &Authorization<'_>, proof: Proof) -> Result<Decision, PortError> {
        let known = answers::find(&self.database, request.project, request.operation, Step::Complete);
        let result = match (proof, known.map_err(answers::no_answer)?) {
            (Proof::Passed, Some(result)) => result,
            // Nobody was asked.
            (Proof::Passed, None) => StatusCode::TransactionRejected,
            (Proof::Failed, _) => StatusCode::ThreeDsVerificationFailed,
        };
        Ok(decision(request.operation, result))
    }

    fn capture(&self, follow: &Follow<'_>) -> Result<Decision, PortError> {
        self.follow(
            follow,
            Step::Capture,
            &["/api/payments/v1/confirm", "/api/payments/batch/v1/confirm"],
        )
    }

    fn release(&self, follow: &Follow<'_>) -> Result<Decision, PortError> {
        self.follow(
            follow,
            Step::Release,
            &["/api/payments/v1/cancel", "/api/payments/batch/v1/cancel"],
        )
    }

    fn refund(&self, follow: &Follow<'_>) -> Result<Decision, PortError> {
        self.follow(follow, Step::Refund, &["/api/payments/v1/refund"])
    }
}

impl SandboxAcquirer {
    fn judge(
        &self,
        request: &Authorization<'_>,
        number: &Pan,
        expiry: Option<Expiry>,
    ) -> Result<Decision, PortError> {
        // Exposed to be looked up in the table of test cards.
        let known = cards::find(number.expose());
        let decline = known.and_then(|known| known.decline.clone());
        let asks = known.is_some_and(|known| known.asks_3ds) && request.use_3ds && !request.recurring;
        let paths: &[&str] = match (request.subscribes, request.recurring) {
            (true, _) => &["/api/subscriptions/v1/subscriptions"],
            (false, true) => &["/api/payments/v1/recurrent"],
            (false, false) => &[
                "/api/payments/v1/new",
                "/api/payments/batch/v1/new",
                "/api/customers/v1/wallet",
            ],
        };
        let result = match self.forced(request.project, request.operation, Step::Authorize, paths)? {
            Some(forced) => forced,
            None if request
                .campaign
                .is_some_and(|campaign| number.brand() != Some(brand(campaign))) =>
            {
                StatusCode::CardTypeIsNotSupported
            }
            None if expiry.is_some_and(|expiry| self.is_over(expiry)) => StatusCode::CardExpired,
            None if asks => StatusCode::WaitingForVerification,
            None => by_card_or_amount(decline.clone(), request.amount),
        };
        if result == StatusCode::WaitingForVerification {
            // What comes after: nobody has the card any more when the payer is back.
            let result = by_card_or_amount(decline, request.amount);
            self.remember(request.project, request.operation, Step::Complete, result)?;
            return Ok(Decision::Challenge);
        }
        Ok(decision(request.operation, result))
    }

    fn follow(&self, follow: &Follow<'_>, step: Step, paths: &[&str]) -> Result<Decision, PortError> {
        let forced = self.forced(follow.project, follow.operation, step, paths)?;
        let result = forced.unwrap_or_else(|| by_card_or_amount(None, follow.amount));
        Ok(decision(follow.operation, result))
    }

    fn forced(
        &self,
        project: &Project,
        operation: Id,
        step: Step,
        paths: &[&str],
    ) -> Result<Option<StatusCode>, PortError> {
        answers::forced(
            &self.database,
            project,
            operation,
            step,
            paths,
            time::of(&*self.clock),
        )
    }

    fn remember(
        &self,
        project: &Project,
        operation: Id,
        step: Step,
        result: StatusCode,
    ) -> Result<(), PortError> {
        let now = time::of(&*self.clock);
        answers::keep(&self.database, project, operation, step, result, now).map_err(answers::no_answer)
    }

    /// By the real time, as the vault has it: a project's clock that runs ahead must not end its test cards.
    fn is_over(&self, expiry: Expiry) -> bool {
        // A day's grace, as it is yesterday somewhere.
        let day = time::of(&*self.clock)
            .to_zoned(TimeZone::UTC)
            .saturating_sub(SignedDuration::from_hours(24));
        (i32::from(expiry.year), i32::from(expiry.month)) < (day.year().into(), day.month().into())
    }
}

/// What becomes of a card and an amount.
pub(super) fn by_card_or_amount(card: Option<StatusCode>, amount: Amount) -> StatusCode {
    card.or_else(|| cards::decline_by_amount(amount))
        .unwrap_or(StatusCode::TransactionSuccessful)
}

pub(super) fn decision(operation: Id, result: StatusCode) -> Decision {
    if result != StatusCode::TransactionSuccessful {
        return Decision::Declined(result);
    }
    let id = operation.to_string();
    Decision::Approved {
        auth_code: id.get(12..).unwrap_or_default().to_owned(),
        rrn: rrn(operation),
    }
}

/// A reference, of its last digits.
pub(super) fn rrn(operation: Id) -> String {
    operation.to_string().get(6..).unwrap_or_default().to_owned()
}

fn brand(campaign: Campaign) -> Brand {
    match campaign {
        Campaign::B => Brand::Mastercard,
        _ => Brand::Visa,
    }
}

#[cfg(test)]
mod tests {
    use wire::interface::Currency;
    use wire::interface::sandbox::SandboxFault;

    use super::*;
    use crate::testing::{Place, in_both};

    fn acquirer(place: &Place) -> SandboxAcquirer {
        SandboxAcquirer {
            database: place.processing.shared.database.clone(),
            clock: place.clock.clone(),
        }
    }

    fn request<'a>(project: &'a Project, minor: u64) -> Authorization<'a> {
        Authorization {
            project,
            operation: Id::new("2026-11-22T08:00:00Z".parse().unwrap()).unwrap(),
            amount: Amount::from_minor(minor).unwrap(),
            currency: Currency::new("UAH").unwrap(),
            hold: false,
            use_3ds: true,
            verify_only: false,
            recurring: false,
            subscribes: false,
            campaign: None,
        }
    }

    fn pan(number: &str) -> Pan {
        Pan::new(number).unwrap()
    }

    fn is_approved(decision: &Result<Decision, PortError>) -> bool {
        matches!(decision, Ok(Decision::Approved { .. }))
    }

    /// Wire notes §7, line by line.
    #[test]
    fn test_cards_do_what_the_table_says() {
        let place = Place::sqlite();
        let (acquirer, project) = (acquirer(&place), place.sandbox());
        let success = None;
        let rejected = Some(StatusCode::TransactionRejected);
        for (number, asks, decline) in [
            ("4242424242424242", true, success.clone()),
            ("5454545454545454", true, success.clone()),
            ("4111111111111111", false, success.clone()),
            ("5555555555554444", false, success.clone()),
            ("4200000000000000", true, rejected.clone()),
            ("5105105105105100", true, rejected.clone()),
            ("4444333322221111", false, rejected.clone()),
            ("5100000020002000", false, rejected),
            ("4000000000000044", false, Some(StatusCode::InsufficientFunds)),
            ("378282246310005", false, success),
        ] {
            let is_right = |decided: Result<Decision, PortError>| match &decline {
                None => is_approved(&decided),
                Some(code) => decided == Ok(Decision::Declined(code.clone())),
            };
            let asked = request(&project, 100);
            let first = acquirer.judge(&asked, &pan(number), None);
            assert_eq!(
                acquirer.judge(&asked, &pan(number), None),
                first,
                "the same again"
            );
            match asks {
                true => {
                    assert_eq!(first, Ok(Decision::Challenge), "{number}");
                    let failed = acquirer.complete(&asked, Proof::Failed);
                    let code = StatusCode::ThreeDsVerificationFailed;
                    assert_eq!(failed, Ok(Decision::Declined(code)), "{number}");
                    assert!(is_right(acquirer.complete(&asked, Proof::Passed)), "{number}");
                }
                false => assert!(is_right(first), "{number}"),
            }
            for direct in [
                Authorization {
                    use_3ds: false,
                    ..request(&project, 100)
                },
                Authorization {
                    recurring: true,
                    ..request(&project, 100)
                },
            ] {
                assert!(is_right(acquirer.judge(&direct, &pan(number), None)), "{number}");
            }
        }
    }

    #[test]
    fn campaigns_amounts_and_the_end_of_a_card_decide() {
        let place = Place::sqlite();
        let (acquirer, project) = (acquirer(&place), place.sandbox());
        let declined = |code| Ok(Decision::Declined(code));
        let (visa, mastercard) = (pan("4111111111111111"), pan("5555555555554444"));
        for (campaign, number, fits) in [
            (Campaign::A, &visa, true),
            (Campaign::A, &mastercard, false),
            (Campaign::B, &visa, false),
            (Campaign::B, &mastercard, true),
        ] {
            let asked = Authorization {
                campaign: Some(campaign),
                ..request(&project, 100)
            };
            let decided = acquirer.judge(&asked, number, None);
            match fits {
                true => assert!(is_approved(&decided)),
                false => assert_eq!(decided, declined(StatusCode::CardTypeIsNotSupported)),
            }
        }
        let by_amount = acquirer.judge(&request(&project, 66_660_003), &visa, None);
        assert_eq!(by_amount, declined(StatusCode::InsufficientFunds));
        // The clock stands at 21 September 2026.
        let expiry = |month| Expiry::new(2026, month, card::UnixSeconds(1_780_000_000)).unwrap();
        let over = acquirer.judge(&request(&project, 100), &visa, Some(expiry(8)));
        assert_eq!(over, declined(StatusCode::CardExpired));
        assert!(is_approved(&acquirer.judge(
            &request(&project, 100),
            &visa,
            Some(expiry(9))
        )));
    }

    #[test]
    fn a_challenge_that_nobody_asked_for_is_not_passed() {
        let place = Place::sqlite();
        let project = place.sandbox();
        let completed = acquirer(&place).complete(&request(&project, 100), Proof::Passed);
        assert_eq!(completed, Ok(Decision::Declined(StatusCode::TransactionRejected)));
    }

    fn fault(json: serde_json::Value) -> SandboxFault {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn a_forced_result_holds_for_its_operation_as_often_as_was_said() {
        in_both(|place| {
            let (acquirer, project) = (acquirer(place), place.sandbox());
            let visa = pan("4111111111111111");
            let faults = [
                ("/api/payments/v1/new", "card_expired", 2),
                ("/api/payments/v1/refund", "transaction_in_progress", 1),
                ("/api/payments/v1/recur*", "waiting_for_verification", 1),
            ];
            let faults = faults.map(|(path, code, times)| {
                fault(serde_json::json!({ "path": path, "kind": "forced_result", "code": code, "times": times }))
            });
            place.processing.add_faults(&project, faults.into()).unwrap();
            let asked = [(); 3].map(|()| request(&project, 100));
            for _ in 0..2 {
                for asked in &asked[..2] {
                    let decided = acquirer.judge(asked, &visa, None);
                    assert_eq!(decided, Ok(Decision::Declined(StatusCode::CardExpired)));
                }
            }
            assert!(is_approved(&acquirer.judge(&asked[2], &visa, None)));
            let refund = Follow {
                project: &project,
                operation: asked[0].operation,
                payment: asked[2].operation,
                amount: asked[0].amount,
                currency: asked[0].currency,
            };
            assert!(is_approved(&acquirer.capture(&refund)));
            assert_eq!(acquirer.refund(&refund), Err(PortError::new()), "no answer, once");
            assert!(is_approved(&acquirer.refund(&refund)));
            let away = Authorization {
                recurring: true,
                ..request(&project, 100)
            };
            assert_eq!(acquirer.judge(&away, &visa, None), Ok(Decision::Challenge));
            assert!(is_approved(&acquirer.complete(&away, Proof::Passed)));
            assert!(place.processing.faults(&project).unwrap().faults.is_empty());
        });
    }
}
