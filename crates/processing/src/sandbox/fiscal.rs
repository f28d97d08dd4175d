//! The sandbox's fiscal office: a receipt is there a second after it was asked for, unless a product is named after a code.

use std::sync::Arc;

use jiff::SignedDuration;
use vault::Clock;
use wire::interface::answer::{FiscalStatus, Fiscalization};

use crate::port::PortError;
use crate::port::fiscal::{FiscalOffice, FiscalOrder};
use crate::time;

pub(crate) struct SandboxFiscalOffice {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) public_url: String,
}

impl FiscalOffice for SandboxFiscalOffice {
    fn issue(&self, order: &FiscalOrder<'_>) -> Result<Fiscalization, PortError> {
        let now = order.project.now(time::of(&*self.clock));
        if now.duration_since(order.asked_at) < TAKES {
            return Ok(answer(FiscalStatus::Pending, 1002));
        }
        let asked = order.products.iter().find_map(|product| {
            let code = product.name.strip_prefix("fiscal-")?.parse().ok()?;
            matches!(code, 1000 | 2001 | 2002 | 3001 | 3002).then_some(code)
        });
        let code = asked.unwrap_or(1001);
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
