//! Tax receipts: asked for after the money has moved, until the fiscal office has made one or will not. Whatever it says, the payment stays
//! what it is.
//!
//! What is sold is handed on as the shop said it. The sum of its prices need not be the amount: a confirmation may charge less than was held,
//! and a refund may give a part back; the office gets the amount that moved beside the products.

use database::Transaction;
use jiff::{SignedDuration, Timestamp};
use wire::interface::StatusCode;
use wire::interface::answer::{FiscalStatus, Fiscalization, Operation as Kind};

use crate::checkout::record::to_json;
use crate::id::Id;
use crate::operation::Operation;
use crate::owner::Owner;
use crate::port::fiscal::{FiscalKind, FiscalOrder};
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::{job, time};

/// Has a receipt made for an operation that has moved money, where the shop said what was sold: `is_sold`. That it is being made stands in
/// the operation's answer and callback: the block that is returned, as JSON.
pub(crate) fn begin(
    tx: &mut dyn Transaction,
    is_sold: bool,
    operation: &Operation,
    real: Timestamp,
) -> Result<Option<String>, Refusal> {
    if !is_sold {
        return Ok(None);
    }
    job::schedule(tx, job::Kind::Fiscalise, operation.id, &operation.project, real)?;
    let begun = Fiscalization {
        fiscal_id: None,
        fiscal_url: None,
        status: FiscalStatus::Pending,
        status_code: IN_PROGRESS,
        status_description: "the receipt is being made".to_owned(),
    };
    to_json(&begun).map(Some)
}

impl Processing {
    /// Asks for the receipt of an operation, and once more later where it is not made yet.
    pub(crate) fn fiscalise(&self, operation: Id) -> Result<(), Refusal> {
        let found = self
            .shared
            .database
            .read(move |tx| match Operation::find(tx, operation)? {
                Some(operation) => Ok(Owner::find(tx, operation.payment)?.zip(Some(operation))),
                None => Ok::<_, Refusal>(None),
            })?;
        let Some((owner, operation)) = found else {
            return Ok(());
        };
        let Some(products) = owner.products()? else {
            return Ok(());
        };
        let seller = self.shared.known_project(owner.project())?;
        let is_refund = operation.kind == Kind::Refund;
        let order = FiscalOrder {
            project: &seller,
            operation: operation.id,
            kind: if is_refund {
                FiscalKind::Return
            } else {
                FiscalKind::Sale
            },
            asked_at: operation.processed_at.unwrap_or(operation.created_at),
            amount: operation.amount,
            currency: owner.currency(),
            products: &products,
        };
        let answered = self.shared.ports(&seller)?.fiscal.issue(&order);
        let block = answered.map_err(|error| Refusal::new(StatusCode::InternalError, error.to_string()))?;
        let real = self.shared.now();
        // As long again as it has taken so far.
        let taken = seller.now(real).duration_since(order.asked_at);
        let due = time::after(real, taken.clamp(SHORTEST, LONGEST));
        self.shared.database.write(move |tx| {
            let (Some(mut owner), Some(mut operation)) =
                (Owner::lock(tx, owner.id())?, Operation::find(tx, operation.id)?)
            else {
                return Ok(());
            };
            let fiscal = Some(to_json(&block)?);
            if is_refund {
                operation.fiscal = fiscal;
                operation.update_fiscal(tx)?;
            } else {
                owner.set_fiscal(fiscal);
                owner.update(tx)?;
            }
            if block.status == FiscalStatus::Pending {
                job::schedule(tx, job::Kind::Fiscalise, operation.id, owner.project(), due)?;
            }
            Ok(())
        })
    }
}

/// Wire notes §4, fiscalization codes.
const IN_PROGRESS: u16 = 1002;

/// Between two questions.
const SHORTEST: SignedDuration = SignedDuration::from_secs(1);
const LONGEST: SignedDuration = SignedDuration::from_mins(10);

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use wire::interface::StatusCode;
    use wire::interface::answer::{FiscalStatus, Fiscalization};
    use wire::interface::info::PaymentInfo;
    use wire::interface::payment::NewPayment;
    use wire::interface::read;

    use crate::Processing;
    use crate::testing::{Place, in_both};

    /// Pays without a challenge.
    const GOOD: &str = "4111111111111111";

    fn tea(group: u32) -> Value {
        json!({ "products": [
            { "name": "Tea", "quantity": "2.5", "net_amount": "10", "vat_amount": "12", "tax_group": group }
        ] })
    }

    fn named(name: &str) -> Value {
        let mut tea = tea(1);
        tea["products"][0]["name"] = name.into();
        tea
    }

    impl Place {
        fn info(&self, number: &str) -> PaymentInfo {
            self.processing.info(&self.sandbox(), number).unwrap()
        }

        fn run(&self) {
            while self.processing.run_job().unwrap() {}
        }
    }

    fn state(block: Option<&Fiscalization>) -> Option<(FiscalStatus, u16)> {
        block.map(|block| (block.status.clone(), block.status_code))
    }

    #[test]
    fn a_receipt_follows_every_sale_and_every_return() {
        in_both(|place| {
            let pending = Some((FiscalStatus::Pending, 1002));
            for group in 1..=9 {
                let paid = place.pay(&group.to_string(), GOOD, tea(group)).unwrap();
                assert_eq!(
                    state(paid.fiscalization.as_ref()),
                    pending,
                    "it is asked for afterwards"
                );
            }
            place.pay("without", GOOD, json!({ "products": [] })).unwrap();
            let of_sale = |number: &str| place.info(number).purchase_details[0].fiscalization.clone();
            place.run();
            assert_eq!(state(of_sale("1").as_ref()), pending);
            assert_eq!(of_sale("without"), None);
            place.clock.advance(1000);
            place.run();
            let made = Some((FiscalStatus::Success, 1001));
            for group in 1..=9 {
                assert_eq!(state(of_sale(&group.to_string()).as_ref()), made, "group {group}");
            }
            let refunded = place.step(Processing::refund, "1", Some("40")).unwrap();
            assert_eq!(refunded.1, StatusCode::RefundSuccessful);
            let returned = || place.info("1").refund_details[0].fiscalization.clone();
            assert_eq!(state(returned().as_ref()), pending);
            for _ in 0..2 {
                place.run();
                place.clock.advance(1000);
            }
            let returned = returned();
            assert_eq!(state(returned.as_ref()), made);
            assert_ne!(returned.unwrap().fiscal_id, of_sale("1").unwrap().fiscal_id);
            assert_eq!(
                place.count("SELECT COUNT(*) FROM jobs WHERE kind = 'fiscalise'"),
                0
            );
            assert_eq!(
                place.count("SELECT COUNT(*) FROM callbacks"),
                11,
                "it is told of by no callback of its own"
            );
        });
    }

    #[test]
    fn of_a_hold_what_is_charged_is_a_sale() {
        let place = Place::sqlite();
        let mut more = tea(2);
        more["confirm"] = false.into();
        for number in ["charged", "released"] {
            place.pay(number, GOOD, more.clone()).unwrap();
        }
        place.step(Processing::confirm, "charged", Some("60")).unwrap();
        place.step(Processing::cancel, "released", None).unwrap();
        for _ in 0..2 {
            place.run();
            place.clock.advance(1000);
        }
        let charged = place.info("charged").confirmation_details[0]
            .fiscalization
            .clone();
        assert_eq!(state(charged.as_ref()), Some((FiscalStatus::Success, 1001)));
        assert_eq!(place.info("released").purchase_details[0].fiscalization, None);
    }

    #[test]
    fn an_office_that_fails_does_not_fail_the_payment() {
        let place = Place::sqlite();
        for code in [2001, 2002, 3001, 3002] {
            let number = code.to_string();
            place
                .pay(&number, GOOD, named(&format!("fiscal-{code}")))
                .unwrap();
            place.run();
            place.clock.advance(1000);
            place.run();
            let info = place.info(&number);
            assert!(info.purchased);
            let block = info.purchase_details[0].fiscalization.clone();
            assert_eq!(state(block.as_ref()), Some((FiscalStatus::Failed, code)));
        }
        assert_eq!(
            place.count("SELECT COUNT(*) FROM jobs WHERE kind = 'fiscalise'"),
            0
        );
    }

    #[test]
    fn what_a_shop_says_besides_comes_back() {
        let place = Place::sqlite();
        let said = json!({ "metadata": { "": "", "Замовлення": "7" } });
        let paid = place.pay("one", GOOD, said.clone()).unwrap();
        assert_eq!(serde_json::to_value(paid.metadata).unwrap(), said["metadata"]);
        let long = |name: usize, text: usize| json!({ "n".repeat(name): "t".repeat(text) });
        let many: serde_json::Map<_, _> = (0..11).map(|at| (at.to_string(), "".into())).collect();
        for (metadata, is_good) in [
            (long(30, 200), true),
            (Value::Null, true),
            (long(31, 200), false),
            (long(30, 201), false),
            (json!({ "name": 1 }), false),
            (json!({ "name": null }), false),
            (json!(["name"]), false),
            (many.into(), false),
        ] {
            let body = json!({
                "amount": 1, "currency": "UAH", "external_id": "two", "mode": "hosted", "metadata": metadata,
            });
            let param = read::<NewPayment>(body.to_string().as_bytes()).map_err(|wrong| wrong.param);
            match is_good {
                true => assert!(param.is_ok(), "{body}"),
                false => assert_eq!(param.unwrap_err(), "metadata", "{body}"),
            }
        }
    }
}
