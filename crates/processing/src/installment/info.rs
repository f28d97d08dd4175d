//! Looks at installment orders, which change nothing.

use wire::interface::StatusCode;
use wire::interface::answer::{Operation as Kind, Status};
use wire::interface::installment::{Installment, InstallmentInfo, OperationQuery};

use super::answer::{customer, details};
use super::record::Order;
use crate::operation::Operation;
use crate::order::{self, Number};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

impl Processing {
    /// `GET /api/payparts/v1/info`: an order with all of its operations. Reads the store.
    pub fn installment(&self, project: &Project, external_id: &str) -> Result<InstallmentInfo, Refusal> {
        let (order, operations) = self.look_at_installment(project, external_id)?;
        let of = |kind: Kind| {
            let chosen = operations.iter().filter(|operation| operation.kind == kind);
            chosen
                .map(|operation| details(&order, operation))
                .collect::<Result<Vec<_>, _>>()
        };
        let done = |kind: Kind| {
            let mut all = operations.iter();
            all.any(|operation| operation.kind == kind && operation.status == Status::Success)
        };
        let action = self.action(&order)?;
        Ok(InstallmentInfo {
            id: order.id.to_string(),
            external_id: order.external_id.clone(),
            unified_external_id: order.unified_id.clone(),
            bank_name: order.bank.clone(),
            parts_count: order.parts,
            amount: order.amount,
            amount_confirmed: order.money.charged,
            amount_canceled: order.money.released,
            amount_refunded: order.money.refunded,
            purchased: done(Kind::Payment),
            confirmed: done(Kind::Confirm),
            canceled: done(Kind::Cancel),
            refunded: done(Kind::Refund),
            purchase_details: of(Kind::Payment)?,
            confirmation_details: of(Kind::Confirm)?,
            cancellation_details: of(Kind::Cancel)?,
            refund_details: of(Kind::Refund)?,
            action_required: action.is_some(),
            action,
            created_at: order.created_at,
            currency: order.currency,
            receipt_url: self.receipt_of_installment(&order)?,
            customer: customer(&order),
        })
    }

    /// `GET /api/payparts/v1/info/operation`: one operation of an order. Reads the store.
    pub fn installment_operation(
        &self,
        project: &Project,
        query: &OperationQuery,
    ) -> Result<Installment, Refusal> {
        let (order, operations) = self.look_at_installment(project, &query.external_id)?;
        let asked = operations
            .iter()
            .find(|operation| operation.id.to_string() == *query.operation_id);
        let operation = asked.ok_or_else(|| {
            Refusal::new(StatusCode::OperationNotFound, "the order has no such operation")
                .at("operation_id")
                .about(order.id)
        })?;
        self.answer_installment(&order, operation)
    }

    fn look_at_installment(
        &self,
        project: &Project,
        external_id: &str,
    ) -> Result<(Order, Vec<Operation>), Refusal> {
        let (owner, number) = (project.id.clone(), external_id.to_owned());
        self.shared.database.read(move |tx| {
            let not_there = || {
                let message = "the project has no installment order of this number";
                Refusal::new(StatusCode::DataNotFound, message).at("external_id")
            };
            let id = order::find(tx, Number::installment(&owner, &number))?.ok_or_else(not_there)?;
            let order = Order::find(tx, id)?.ok_or_else(not_there)?;
            Ok((order, Operation::all(tx, id)?))
        })
    }
}
