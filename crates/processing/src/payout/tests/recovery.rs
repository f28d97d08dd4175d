//! Interruptions: whatever ends a process, and whenever a bank says nothing, a payout is made once or not at all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde_json::json;
use vault::OpenCard;
use wire::interface::StatusCode;
use wire::interface::answer::Status;

use super::{GOOD, paid};
use crate::id::Id;
use crate::port::PortError;
use crate::port::payout::{Payer, PayoutOrder, Progress};
use crate::recovery::{die, until};
use crate::testing::{Place, in_both};

/// What becomes of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    /// It is done, and the answer is lost.
    Loses,
    /// Nothing comes there.
    Deaf,
    /// It is done, and whoever asked is gone before they hear of it.
    Outlives,
}

/// A bank that sends each order once, however often it is asked.
#[derive(Default)]
struct Moody {
    /// What becomes of the next calls; later ones are answered.
    moods: Mutex<Vec<Mood>>,
    sent: Mutex<HashMap<Id, usize>>,
}

impl Moody {
    fn call(&self, work: impl FnOnce() -> Progress) -> Result<Progress, PortError> {
        let mood = self.moods.lock().unwrap().pop();
        if mood == Some(Mood::Deaf) {
            return Err(PortError::new());
        }
        let done = work();
        match mood {
            Some(Mood::Loses) => Err(PortError::new()),
            Some(Mood::Outlives) => die(),
            _ => Ok(done),
        }
    }

    fn sent(&self) -> usize {
        self.sent.lock().unwrap().len()
    }
}

impl Payer for Moody {
    fn send(&self, order: &PayoutOrder<'_>, _: &OpenCard<'_>) -> Result<Progress, PortError> {
        self.call(|| {
            *self.sent.lock().unwrap().entry(order.operation).or_default() += 1;
            Progress::UnderWay(jiff::SignedDuration::from_secs(1))
        })
    }

    fn look(&self, order: &PayoutOrder<'_>) -> Result<Progress, PortError> {
        self.call(
            || match self.sent.lock().unwrap().contains_key(&order.operation) {
                true => Progress::Paid { rrn: "1".to_owned() },
                false => Progress::Unknown,
            },
        )
    }

    fn cancel(&self, _: &PayoutOrder<'_>) -> Result<Progress, PortError> {
        self.call(|| Progress::Cancelled)
    }
}

/// Lets the time pass after which jobs take up what was interrupted.
fn recover(place: &Place, processing: &crate::Processing) {
    for _ in 0..6 {
        place.clock.advance(121_000);
        while processing.run_job().unwrap() {}
    }
}

/// What holds whatever was interrupted.
fn all_is_well(place: &Place, context: &str) {
    for (sql, what) in [
        ("SELECT COUNT(*) FROM payouts WHERE reserved > 0", "reserved"),
        ("SELECT COUNT(*) FROM orders WHERE holder IS NOT NULL", "held"),
        (
            "SELECT COUNT(*) FROM operations WHERE processed_at IS NULL",
            "open",
        ),
    ] {
        assert_eq!(place.count(sql), 0, "{what}: {context}");
    }
    place.has_no_work(context);
}

#[test]
fn a_payout_that_is_cut_off_anywhere_is_made_once_or_not_at_all() {
    in_both(|place| {
        let mut looks = 0;
        loop {
            let moody = Arc::new(Moody::default());
            let processing = place.processing.with_payer(moody.clone());
            place.fund(100);
            let (token, number) = (place.receiver(GOOD), format!("cut at {looks}"));
            let data = json!({ "recipient": { "card": { "card_data": { "token": token } } } });
            let request = |number: &str| place.new_payout(number, data.clone());
            let begun = until(Some(looks), || {
                processing.request_payout(&place.sandbox(), request(&number))
            });
            recover(place, &processing);
            all_is_well(place, &number);
            let sent = moody.sent();
            assert_eq!(place.funds(), (100 - 40 * sent as u64, 0), "{number}");
            // The token is used up by its success, and free otherwise.
            let again = processing.request_payout(&place.sandbox(), request(&format!("{number} again")));
            match sent {
                0 => assert!(again.is_ok(), "{number}: {again:?}"),
                _ => assert_eq!(again.unwrap_err().code, StatusCode::InvalidCardToken, "{number}"),
            }
            recover(place, &processing);
            if begun.is_some() {
                assert_eq!(place.stands(&number), paid());
                assert!(looks > 5, "a payout looks at the clock more often");
                break;
            }
            looks += 1;
        }
    });
}

#[test]
fn a_bank_that_says_nothing_is_asked_again_and_pays_nothing_twice() {
    use Mood::{Deaf, Loses, Outlives};
    in_both(|place| {
        let moods: &[&[Mood]] = &[
            &[Loses],
            &[Deaf],
            &[Outlives],
            &[Deaf, Loses],
            &[Outlives, Deaf, Loses],
        ];
        for (at, moods) in moods.iter().enumerate() {
            let moody = Arc::new(Moody::default());
            moody.moods.lock().unwrap().extend(moods.iter().rev());
            let processing = place.processing.with_payer(moody.clone());
            place.fund(100);
            let data = json!({ "recipient": { "card": { "card_data": { "token": place.receiver(GOOD) } } } });
            let request = place.new_payout(&at.to_string(), data);
            let begun = until(None, || processing.request_payout(&place.sandbox(), request));
            if let Some(begun) = begun {
                assert_eq!(begun.unwrap().status, Status::Init);
            }
            recover(place, &processing);
            assert_eq!(place.stands(&at.to_string()), paid(), "{moods:?}");
            assert_eq!((place.funds(), moody.sent()), ((60, 0), 1), "{moods:?}");
            all_is_well(place, &format!("{moods:?}"));
        }
    });
}

#[test]
fn a_cancellation_that_is_cut_off_anywhere_is_done_or_the_cash_is_fetched() {
    in_both(|place| {
        let mut looks = 0;
        loop {
            place.fund(100);
            let number = format!("back at {looks}");
            place.pay_cash(&number);
            let named =
                wire::interface::read(json!({ "external_id": number }).to_string().as_bytes()).unwrap();
            let done = until(Some(looks), || {
                place.processing.cancel_payout(&place.sandbox(), &named)
            });
            recover(place, &place.processing);
            all_is_well(place, &number);
            let is_back = place.stands(&number) == (Status::Failure, StatusCode::CancelSuccessful);
            assert!(is_back || place.stands(&number) == paid(), "{number}");
            assert_eq!(place.funds(), (if is_back { 100 } else { 60 }, 0), "{number}");
            if let Some(done) = done {
                assert!(done.is_ok() && is_back);
                break;
            }
            looks += 1;
        }
    });
}

/// The vault keeps a card for an operation for an hour: what was sent is found out without it.
#[test]
fn an_order_that_was_sent_is_not_given_up_when_its_card_is_gone() {
    in_both(|place| {
        for (mood, sent) in [(Mood::Outlives, true), (Mood::Deaf, false)] {
            let moody = Arc::new(Moody::default());
            moody.moods.lock().unwrap().push(mood);
            let processing = place.processing.with_payer(moody.clone());
            place.fund(100);
            let number = format!("{mood:?}");
            let data = json!({ "recipient": { "card": { "card_data": { "token": place.receiver(GOOD) } } } });
            let request = place.new_payout(&number, data);
            let _ = until(None, || processing.request_payout(&place.sandbox(), request));
            place.clock.advance(2 * 3_600_000);
            while processing.run_job().unwrap() {}
            let expected = match sent {
                true => paid(),
                false => (Status::Failure, StatusCode::TransactionRejected),
            };
            assert_eq!(place.stands(&number), expected);
            all_is_well(place, &number);
        }
    });
}
