//! Looks at payments, which change nothing.

use database::Transaction;
use wire::interface::StatusCode;
use wire::interface::info::{PaymentInfo, Receipt};

use super::Payment;
use super::answer;
use super::states::State;
use crate::checkout::record::Checkout;
use crate::operation::Operation;
use crate::order::{self, Number};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::secret::Page;

impl Processing {
    /// `GET /api/payments/v1/info`: a payment with all of its operations, once somebody has begun to pay it. Reads the store.
    pub fn info(&self, project: &Project, external_id: &str) -> Result<PaymentInfo, Refusal> {
        let (checkout, payment, operations) = self.look(project, external_id)?;
        let around = self.surroundings(&checkout, &payment)?;
        answer::info(&checkout, &payment, &operations, &around)
    }

    /// `GET /api/payments/v1/receipt`: where the receipt of a payment is that has succeeded. Reads the store.
    pub fn receipt(&self, project: &Project, external_id: &str) -> Result<Receipt, Refusal> {
        let (_, payment, _) = self.look(project, external_id)?;
        match payment.state.has_succeeded() {
            true => Ok(Receipt {
                receipt_url: self.shared.address(Page::Receipt, payment.id)?,
            }),
            false => Err(not_there().about(payment.id)),
        }
    }

    fn look(
        &self,
        project: &Project,
        external_id: &str,
    ) -> Result<(Checkout, Payment, Vec<Operation>), Refusal> {
        let (owner, number) = (project.id.clone(), external_id.to_owned());
        self.shared.database.read(move |tx| find(tx, &owner, &number))
    }
}

fn find(
    tx: &mut dyn Transaction,
    project: &str,
    external_id: &str,
) -> Result<(Checkout, Payment, Vec<Operation>), Refusal> {
    let id = order::find(tx, Number::order(project, external_id))?.ok_or_else(not_there)?;
    let payment = Payment::find(tx, id)?.ok_or_else(not_there)?;
    let operations = Operation::all(tx, id)?;
    if operations.is_empty() && matches!(payment.state, State::Created | State::Expired) {
        return Err(not_there().about(id));
    }
    let checkout = Checkout::find(tx, payment.checkout)?.ok_or_else(not_there)?;
    Ok((checkout, payment, operations))
}

/// What nobody has begun to pay is not told of either.
fn not_there() -> Refusal {
    Refusal::new(
        StatusCode::DataNotFound,
        "nobody has paid an order of this number",
    )
    .at("external_id")
}
