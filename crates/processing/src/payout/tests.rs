//! Payouts from the request to their end, on both databases.

mod recovery;
mod refusals;

use std::thread;

use serde_json::{Value, json};
use wire::interface::answer::Status;
use wire::interface::payout::{self, NewPayout};
use wire::interface::{Amount, Currency, StatusCode, read};

use crate::checkout::tests::merge;
use crate::refusal::Refusal;
use crate::testing::{Place, in_both};
use crate::{Processing, ledger};
use vault::ClearCard;

/// Receives.
const GOOD: &str = "4111111111111111";
/// Is rejected.
const BAD: &str = "4444333322221111";
const ENTITY: &str = "sandbox-entity";

impl Place {
    /// A token of a number alone, as the widget's form `pan_only` gives it.
    fn receiver(&self, number: &str) -> String {
        let card = ClearCard::read_number(&format!("\"{number}\"")).unwrap();
        self.vault.take("sandbox", false, card).unwrap().token.clone()
    }

    fn new_payout(&self, external_id: &str, more: Value) -> NewPayout {
        self.read_payout(external_id, more).unwrap()
    }

    fn read_payout(&self, external_id: &str, more: Value) -> Result<NewPayout, Refusal> {
        let mut body = json!({
            "order": {
                "external_id": external_id, "original_amount": "40.00", "currency": "UAH", "description": "a prize",
                "callback_url": "http://127.0.0.1:9/payouts",
            },
            "payer": { "entity_id": ENTITY },
            "recipient": {
                "payout_type": "card", "card": { "first_name": "Леся", "last_name": "Kosach" },
            },
        });
        merge(&mut body, more);
        Ok(read(body.to_string().as_bytes())?)
    }

    /// A payout to a card of that number.
    pub(crate) fn pay_out(
        &self,
        external_id: &str,
        number: &str,
        more: Value,
    ) -> Result<payout::Payout, Refusal> {
        let data = json!({ "recipient": { "card": { "card_data": { "token": self.receiver(number) } } } });
        let mut request = data;
        merge(&mut request, more);
        let request = self.new_payout(external_id, request);
        self.processing.request_payout(&self.sandbox(), request)
    }

    /// The same as cash.
    pub(crate) fn ask_cash(
        &self,
        external_id: &str,
        number: &str,
        more: Value,
    ) -> Result<payout::Payout, Refusal> {
        let cash = json!({
            "first_name": "Леся", "last_name": "Kosach", "phone": "380501234567", "ipn": "1234567890",
            "card_data": { "token": self.receiver(number) },
        });
        let mut request = json!({ "recipient": { "payout_type": "cash", "card": null, "cash": cash } });
        merge(&mut request, more);
        let request = self.new_payout(external_id, request);
        self.processing.request_payout(&self.sandbox(), request)
    }

    pub(crate) fn pay_cash(&self, external_id: &str) -> payout::Payout {
        self.ask_cash(external_id, GOOD, json!({})).unwrap()
    }

    pub(crate) fn fund(&self, hryvnias: u64) {
        let now = self.processing.shared.now();
        let amount = Amount::from_minor(hryvnias * 100).unwrap();
        let set = self.processing.shared.database.write(move |tx| {
            let uah = Currency::new("UAH").unwrap();
            ledger::set(tx, "sandbox", ledger::Account::Payouts, uah, now, amount)
        });
        set.unwrap();
    }

    /// What is there and what is reserved, in hryvnias.
    fn funds(&self) -> (u64, u64) {
        let balance = self.processing.account_balance(&self.sandbox(), ENTITY).unwrap();
        (
            balance.available_amount.minor() / 100,
            balance.commitment_amount.minor() / 100,
        )
    }

    /// What is due is done.
    fn pass(&self, millis: u64) {
        self.clock.advance(millis);
        while self.processing.run_job().unwrap() {}
    }

    fn stands(&self, external_id: &str) -> (Status, StatusCode) {
        how(&self.processing.payout_info(&self.sandbox(), external_id).unwrap())
    }

    /// The bodies of callbacks about payouts, the oldest first.
    fn told(&self) -> Vec<Value> {
        let journal = self.processing.journal(&self.sandbox(), None, 100).unwrap();
        let bodies = journal.iter().rev().filter(|entry| entry.operation == "payout");
        bodies
            .map(|entry| serde_json::from_str(&entry.body).unwrap())
            .collect()
    }
}

fn how(payout: &payout::Payout) -> (Status, StatusCode) {
    (payout.status.clone(), payout.status_code.clone())
}

fn under_way() -> (Status, StatusCode) {
    (Status::Pending, StatusCode::TransactionInProgress)
}

fn paid() -> (Status, StatusCode) {
    (Status::Success, StatusCode::TransactionSuccessful)
}

#[test]
fn a_payout_is_reserved_then_paid_and_told_of() {
    in_both(|place| {
        place.fund(100);
        let begun = place.pay_out("one", GOOD, json!({})).unwrap();
        assert_eq!(how(&begun), under_way());
        assert_eq!(begun.original_amount, begun.payer_amount);
        assert_eq!(place.funds(), (60, 40));
        place.pass(699);
        assert_eq!(place.stands("one"), under_way());
        assert_eq!(
            place.told(),
            [json!(null); 0],
            "its answer has told that it is under way"
        );
        place.pass(1);
        assert_eq!(place.stands("one"), paid());
        assert_eq!(place.funds(), (60, 0));
        let told = place.told();
        let ended = place.processing.payout_info(&place.sandbox(), "one").unwrap();
        assert_eq!(
            told,
            [json!({
                "id": begun.transaction_id, "external_id": "one", "status": "success",
                "status_code": "transaction_successful", "amount": 40.0, "currency": "UAH", "payout_type": "card",
                "processed_at": ended.processed_at,
            })]
        );
        let text = &place.processing.journal(&place.sandbox(), None, 1).unwrap()[0].body;
        assert!(text.contains("\"amount\":40.00,"), "a number with its digits");
        place.has_no_work("a payout");
        assert_eq!(
            place.count("SELECT COUNT(*) FROM operations WHERE mask = '41111111****1111'"),
            1
        );
    });
}

#[test]
fn a_number_pays_out_once_and_a_failure_may_be_repeated() {
    in_both(|place| {
        place.fund(100);
        place.pay_out("one", BAD, json!({})).unwrap();
        let twin = place.pay_out("one", GOOD, json!({})).unwrap_err();
        assert_eq!(
            (twin.code, &*twin.param),
            (StatusCode::OrderIsDuplicated, "order.external_id")
        );
        place.pass(700);
        assert_eq!(
            place.stands("one"),
            (Status::Failure, StatusCode::TransactionRejected)
        );
        assert_eq!(place.funds(), (100, 0));
        // A payment of that number is another thing.
        place.pay("one", GOOD, json!({})).unwrap();
        place.fund(100);
        place.pay_out("one", GOOD, json!({})).unwrap();
        place.pass(700);
        assert_eq!(place.stands("one"), paid());
        let again = place.pay_out("one", GOOD, json!({})).unwrap_err();
        assert_eq!(
            (again.code, &*again.param),
            (StatusCode::TransactionAlreadyPaid, "order.external_id")
        );
        assert_eq!(place.funds(), (60, 0));
        let statuses: Vec<_> = place.told().iter().map(|told| told["status"].clone()).collect();
        assert_eq!(statuses, ["failure", "success"]);
    });
}

#[test]
fn cash_is_taken_back_until_it_is_fetched() {
    in_both(|place| {
        place.fund(100);
        let cancel = |number: &str| {
            let named = read(json!({ "external_id": number }).to_string().as_bytes()).unwrap();
            place.processing.cancel_payout(&place.sandbox(), &named)
        };
        let unknown = cancel("one").unwrap_err();
        assert_eq!(
            (unknown.code, &*unknown.param),
            (StatusCode::TransactionNotFound, "external_id")
        );
        place.pay_cash("one");
        assert_eq!(place.funds(), (60, 40));
        let back = cancel("one").unwrap();
        assert_eq!(how(&back), (Status::Failure, StatusCode::CancelSuccessful));
        assert_eq!(place.funds(), (100, 0));
        assert_eq!(cancel("one").unwrap_err().code, StatusCode::ActionAlreadyDone);
        place.pass(121_000);
        assert_eq!(place.stands("one"), how(&back));
        place.pay_cash("two");
        place.pass(700);
        assert_eq!(
            cancel("two").unwrap_err().code,
            StatusCode::ActionNotAllowed,
            "fetched"
        );
        place.pay_out("card", GOOD, json!({})).unwrap();
        let to_a_card = cancel("card").unwrap_err();
        assert_eq!(
            (to_a_card.code, &*to_a_card.param),
            (StatusCode::ActionNotAllowed, "external_id")
        );
        assert_eq!(place.stands("card"), under_way(), "it goes on");
        place.pass(700);
        assert_eq!(place.stands("card"), paid());
        let told: Vec<_> = place
            .told()
            .iter()
            .map(|told| told["status_code"].clone())
            .collect();
        assert_eq!(
            told,
            [
                "cancel_successful",
                "transaction_successful",
                "transaction_successful"
            ]
        );
        assert_eq!(place.funds(), (20, 0));
    });
}

#[test]
fn faults_make_a_payout_what_a_test_wants() {
    in_both(|place| {
        place.fund(1000);
        let force = |path: &str, code: &str| {
            let fault = json!({ "path": path, "kind": "forced_result", "code": code });
            let fault = serde_json::from_value(fault).unwrap();
            place
                .processing
                .add_faults(&place.sandbox(), vec![fault])
                .unwrap();
        };
        let cancel = |number: &str| {
            let named = read(json!({ "external_id": number }).to_string().as_bytes()).unwrap();
            place.processing.cancel_payout(&place.sandbox(), &named)
        };
        force(payout::PATH, "card_is_lost_or_stolen");
        place.pay_out("lost", GOOD, json!({})).unwrap();
        force(payout::PATH, "transaction_in_progress");
        let deaf = place.pay_out("deaf", GOOD, json!({})).unwrap();
        assert_eq!(how(&deaf), (Status::Init, StatusCode::TransactionCreated));
        force(payout::PATH, "pending");
        place.pay_cash("slow");
        force(payout::PATH, "pending");
        place.pay_cash("back");
        force(payout::CANCEL, "action_not_allowed");
        place.pass(700);
        let late = cancel("slow").unwrap_err();
        assert_eq!(late.code, StatusCode::ActionNotAllowed);
        force(payout::CANCEL, "transaction_in_progress");
        let asked = cancel("back").unwrap();
        assert_eq!(asked.status, Status::Pending, "nobody knows yet");
        place.pass(121_000);
        place.pass(700);
        assert_eq!(
            place.stands("lost"),
            (Status::Failure, StatusCode::CardIsLostOrStolen)
        );
        assert_eq!(place.stands("deaf"), paid());
        assert_eq!(
            place.stands("back"),
            (Status::Failure, StatusCode::CancelSuccessful)
        );
        assert_eq!(place.stands("slow"), under_way());
        assert_eq!(place.funds(), (920, 40));
        let of_deaf: Vec<_> = place
            .told()
            .into_iter()
            .filter(|told| told["external_id"] == "deaf")
            .map(|told| told["status"].clone())
            .collect();
        assert_eq!(of_deaf, ["pending", "success"], "its answer has told neither");
        place.pass(24 * 3_600_000);
        assert_eq!(place.stands("slow"), paid());
        assert_eq!(place.funds(), (920, 0));
    });
}

#[test]
fn of_fifty_at_once_from_two_instances_as_many_are_paid_as_there_is_money_for() {
    in_both(|place| {
        place.fund(10 * 40 + 39);
        let instances = [place.processing.clone(), place.beside()];
        let requests: Vec<_> = (0..50)
            .map(|at| {
                let data =
                    json!({ "recipient": { "card": { "card_data": { "token": place.receiver(GOOD) } } } });
                // Every second one has a twin.
                place.new_payout(&format!("{}", at / 2), data)
            })
            .collect();
        let ask = |instance: &Processing, request: NewPayout| match instance
            .request_payout(&place.sandbox(), request)
        {
            Ok(begun) => {
                assert_eq!(how(&begun), under_way());
                1
            }
            Err(refused) => {
                assert!(
                    [StatusCode::InsufficientFunds, StatusCode::OrderIsDuplicated].contains(&refused.code),
                    "{refused:?}"
                );
                0
            }
        };
        let begun: usize = thread::scope(|scope| {
            let asking: Vec<_> = requests
                .into_iter()
                .zip(instances.iter().cycle())
                .map(|(request, instance)| scope.spawn(move || ask(instance, request)))
                .collect();
            asking.into_iter().map(|one| one.join().unwrap()).sum()
        });
        assert_eq!(begun, 10);
        assert_eq!(place.funds(), (39, 400));
        place.clock.advance(700);
        thread::scope(|scope| {
            for instance in instances.iter().chain(&instances) {
                scope.spawn(|| while instance.run_job().unwrap() {});
            }
        });
        assert_eq!(place.funds(), (39, 0));
        assert_eq!(place.told().len(), 10);
        assert_eq!(
            place.count("SELECT COUNT(*) FROM orders WHERE winner IS NOT NULL"),
            10
        );
        assert_eq!(
            place.count("SELECT COUNT(*) FROM orders WHERE holder IS NOT NULL"),
            0
        );
    });
}

#[test]
fn no_row_is_looked_at_in_vain() {
    let place = Place::sqlite();
    place.fund(1000);
    for at in 0..5 {
        place.pay_out(&at.to_string(), GOOD, json!({})).unwrap();
    }
    let database = &place.processing.shared.database;
    let before = database.scanned();
    place.pay_out("one", GOOD, json!({})).unwrap();
    place.pay_cash("two");
    let named = read(br#"{"external_id":"two"}"#).unwrap();
    place.processing.cancel_payout(&place.sandbox(), &named).unwrap();
    place.funds();
    place.pass(700);
    place.stands("one");
    assert_eq!(database.scanned(), before);
}
