//! The sandbox's fiscal office: a receipt is there a second after it was asked for, unless a product or a fault names a code.

use std::sync::Arc;

use database::{Database, DatabaseError};
use jiff::SignedDuration;
use vault::Clock;
use wire::interface::answer::{FiscalStatus, Fiscalization};
use wire::interface::sandbox::FaultKind;

use super::answers::{self, Step};
use super::fault;
use crate::port::PortError;
use crate::port::fiscal::{FiscalOffice, FiscalOrder};
use crate::time;

pub(crate) struct SandboxFiscalOffice {
    pub(crate) database: Database,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) public_url: String,
}

impl FiscalOffice for SandboxFiscalOffice {
    fn issue(&self, order: &FiscalOrder<'_>) -> Result<Fiscalization, PortError> {
        let now = order.project.now(time::of(&*self.clock));
        if now.duration_since(order.asked_at) < TAKES {
            return Ok(answer(FiscalStatus::Pending, 1002));
        }
        let code = match self.forced(order)? {
            Some(code) => code,
            None => {
                let named = order
                    .products
                    .iter()
                    .find_map(|product| code(product.name.strip_prefix("fiscal-")));
                named.unwrap_or(1001)
            }
        };
        if code > 1999 {
            return Ok(answer(FiscalStatus::Failed, code));
        }
        let number = order.operation.to_string();
        Ok(Fiscalization {
            fiscal_url: Some(format!("{}/sandbox/fiscal/{number}", self.public_url)),
            fiscal_id: Some(number),
            ..answer(FiscalStatus::Success, code)
        })
    }
}

impl SandboxFiscalOffice {
    /// What a fault makes of a receipt, now and when it is asked for again.
    fn forced(&self, order: &FiscalOrder<'_>) -> Result<Option<u16>, PortError> {
        let known = answers::find(&self.database, order.project, order.operation, Step::Fiscal);
        if let Some(known) = known.map_err(no_answer)? {
            return Ok(code(Some(known.as_str())));
        }
        let fault = fault::take(
            &self.database,
            order.project,
            &[fault::FISCALIZATION],
            &[FaultKind::ForcedResult],
        );
        let Some(result) = fault.map_err(no_answer)?.and_then(|fault| fault.result()) else {
            return Ok(None);
        };
        let now = time::of(&*self.clock);
        let forced = code(Some(result.as_str()));
        answers::keep(
            &self.database,
            order.project,
            order.operation,
            Step::Fiscal,
            result,
            now,
        )
        .map_err(no_answer)?;
        Ok(forced)
    }
}

/// A code that a receipt can end with.
pub(super) fn code(text: Option<&str>) -> Option<u16> {
    let code = text?.parse().ok()?;
    matches!(code, 1000 | 1001 | 2001 | 2002 | 3001 | 3002).then_some(code)
}

fn no_answer(error: DatabaseError) -> PortError {
    tracing::warn!(%error, "the sandbox's fiscal office cannot answer");
    PortError::new()
}

/// By the project's clock.
const TAKES: SignedDuration = SignedDuration::from_secs(1);

fn answer(status: FiscalStatus, status_code: u16) -> Fiscalization {
    let status_description = match status_code {
        1000 => "a receipt for trying things out",
        1001 => "the receipt was made",
        1002 => "the receipt is being made",
        2001 => "the products cannot be taxed as they are",
        3001 => "there is no such receipt",
        3002 => "there is a receipt already",
        _ => "the fiscal office failed",
    };
    Fiscalization {
        fiscal_id: None,
        fiscal_url: None,
        status,
        status_code,
        status_description: status_description.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use wire::interface::product::Product;
    use wire::interface::sandbox::SandboxFault;
    use wire::interface::{Amount, Currency};

    use super::*;
    use crate::id::Id;
    use crate::port::fiscal::FiscalKind;
    use crate::project::Project;
    use crate::testing::Place;

    fn issue(place: &Place, project: &Project, name: &str, group: u32, operation: Id) -> Fiscalization {
        let products: Vec<Product> = serde_json::from_value(serde_json::json!([
            { "name": name, "quantity": "1", "net_amount": "10", "vat_amount": "12", "tax_group": group }
        ]))
        .unwrap();
        let office = SandboxFiscalOffice {
            database: place.processing.shared.database.clone(),
            clock: place.clock.clone(),
            public_url: "https://pay.example".to_owned(),
        };
        let order = FiscalOrder {
            project,
            operation,
            kind: FiscalKind::Sale,
            asked_at: project.now(time::of(&*place.clock)),
            amount: Amount::from_minor(1200).unwrap(),
            currency: Currency::new("UAH").unwrap(),
            products: &products,
        };
        let pending = office.issue(&order).unwrap();
        assert_eq!(
            (pending.status, pending.status_code),
            (FiscalStatus::Pending, 1002)
        );
        place.clock.advance(1000);
        let issued = office.issue(&order).unwrap();
        assert_eq!(office.issue(&order).unwrap(), issued, "the same again");
        issued
    }

    #[test]
    fn a_receipt_is_made_within_a_second_in_every_tax_group() {
        let place = Place::sqlite();
        let project = place.sandbox();
        for group in 1..=9 {
            let operation = Id::new(time::of(&*place.clock)).unwrap();
            let issued = issue(&place, &project, "Tea", group, operation);
            assert_eq!(
                (issued.status, issued.status_code),
                (FiscalStatus::Success, 1001),
                "group {group}"
            );
            assert_eq!(issued.fiscal_id, Some(operation.to_string()));
            assert!(issued.fiscal_url.unwrap().starts_with("https://pay.example/"));
        }
    }

    #[test]
    fn names_of_products_and_faults_decide() {
        let place = Place::sqlite();
        let project = place.sandbox();
        let new = || Id::new(time::of(&*place.clock)).unwrap();
        for (code, status) in [
            (1000, FiscalStatus::Success),
            (2001, FiscalStatus::Failed),
            (2002, FiscalStatus::Failed),
            (3001, FiscalStatus::Failed),
            (3002, FiscalStatus::Failed),
        ] {
            let issued = issue(&place, &project, &format!("fiscal-{code}"), 1, new());
            assert_eq!((issued.status, issued.status_code), (status.clone(), code));
            assert_eq!(issued.fiscal_id.is_some(), status == FiscalStatus::Success);
        }
        let fault: SandboxFault =
            serde_json::from_str(r#"{"path": "fiscalization", "kind": "forced_result", "code": "2002"}"#)
                .unwrap();
        place.processing.add_faults(&project, vec![fault]).unwrap();
        assert_eq!(issue(&place, &project, "Tea", 1, new()).status_code, 2002);
        assert_eq!(
            issue(&place, &project, "fiscal-1002", 1, new()).status_code,
            1001,
            "no end of a receipt"
        );
    }
}
