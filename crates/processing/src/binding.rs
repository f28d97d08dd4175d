//! Bindings: cards that may be charged again without their payers.

use database::{Transaction, values};
use jiff::Timestamp;
use wire::interface::steps::Recurrent;
use wire::interface::{StatusCode, answer};

use crate::checkout::attempt::Instrument;
use crate::checkout::record::{Checkout, Terms};
use crate::checkout::whole::Whole;
use crate::id::Id;
use crate::payment::Payment;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::time;

/// One for each lasting card of a payer. `checkout`: the payment that made it first.
pub(crate) const TABLES: &str = "
CREATE TABLE bindings (
    id         TEXT PRIMARY KEY,
    project    TEXT NOT NULL,
    token      TEXT NOT NULL,
    checkout   INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX bindings_token ON bindings (project, token);
";

/// The binding of a card, made where there is none.
pub(crate) fn of(
    tx: &mut dyn Transaction,
    project: &str,
    token: &str,
    checkout: Id,
    now: Timestamp,
) -> Result<String, Refusal> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|_| Refusal::internal("no randomness"))?;
    let id = format!("{:032x}", u128::from_be_bytes(bits));
    tx.change(
        "INSERT INTO bindings (id, project, token, checkout, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        values![id, project, token, checkout, time::to_sql(now)],
    )?;
    let row = tx.row(
        "SELECT id FROM bindings WHERE project = $1 AND token = $2",
        values![project, token],
    )?;
    let row = row.ok_or_else(|| Refusal::internal("a binding is not there"))?;
    Ok(row.get(0)?)
}

/// What a binding charges, with the checkout that made it.
pub(crate) fn find(
    tx: &mut dyn Transaction,
    project: &str,
    id: &str,
) -> Result<Option<(Instrument, Id)>, Refusal> {
    let row = tx.row(
        "SELECT token, checkout FROM bindings WHERE id = $1 AND project = $2",
        values![id, project],
    )?;
    let Some(row) = row else {
        return Ok(None);
    };
    let instrument = Instrument {
        token: row.get(0)?,
        use_3ds: false,
        saves: false,
        param: "recurrent_id".to_owned(),
    };
    Ok(Some((instrument, row.get(1)?)))
}

impl Processing {
    /// The card of a checkout that charges a binding.
    pub(crate) fn bound_card(&self, checkout: &Checkout) -> Result<Instrument, Refusal> {
        let (project, id) = (checkout.project.clone(), checkout.recurrent_id.clone());
        let found = self
            .shared
            .database
            .read(move |tx| find(tx, &project, id.as_deref().unwrap_or_default()))?;
        found
            .map(|(instrument, _)| instrument)
            .ok_or_else(|| Refusal::internal("a binding is not there"))
    }

    /// `POST /api/payments/v1/recurrent`: charges a binding, or holds. Waits for the disk and the acquirer.
    pub fn charge_again(&self, project: &Project, request: Recurrent) -> Result<answer::Payment, Refusal> {
        if request.amount.is_zero() {
            return Err(Refusal::new(StatusCode::WrongAmount, "more than 0 is needed").at("amount"));
        }
        let (owner, id) = (project.id.clone(), request.recurrent_id.as_str().to_owned());
        let bound = self.shared.database.read(move |tx| {
            let Some((instrument, first)) = find(tx, &owner, &id)? else {
                return Ok(None);
            };
            let first = Checkout::find(tx, first)?;
            Ok::<_, Refusal>(first.map(|first| (instrument, first)))
        })?;
        let Some((instrument, first)) = bound else {
            let message = "the project has no such binding";
            return Err(Refusal::new(StatusCode::RecurrentNotFound, message).at("recurrent_id"));
        };
        let real = self.shared.now();
        let (id, now) = (self.shared.new_id()?, project.now(real));
        let checkout = Checkout {
            holds: request.confirm == Some(false),
            terms: Terms {
                callback_url: request.callback_url,
                customer: first.terms.customer,
                is_recurrent: true,
                ..Terms::default()
            },
            recurrent_id: Some(request.recurrent_id.into_string()),
            ..Checkout::new(id, &project.id, request.amount, first.currency, now)
        };
        let payment = Payment {
            payload: request.payload.map(|text| text.into_string()),
            ..Payment::of(&checkout, request.external_id.into_string())
        };
        let whole = Whole {
            checkout,
            payments: vec![payment],
            operations: Vec::new(),
        };
        let done = self.pay_new(project, whole, &instrument)?;
        self.answer_first(&done)
    }
}
