//! From what a shop says that pays to a token that the vault knows.

use wire::interface::customer::Customer;
use wire::interface::method::{Method, WalletToken};
use wire::interface::{StatusCode, Wrong};

use super::attempt::Instrument;
use super::create::missing;
use crate::port::wallet::WalletKind;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::saved;

impl Processing {
    /// What pays a direct request.
    pub(crate) fn instrument(
        &self,
        project: &Project,
        customer: Option<&Customer>,
    ) -> Result<Instrument, Refusal> {
        let customer = customer.ok_or_else(|| missing("customer"))?;
        let method = customer.payment_method.as_ref().ok_or_else(|| missing(AT))?;
        self.read_named(project, customer.external_id.as_deref(), method.named(AT)?)
    }

    /// What pays, of a customer's cards or of any.
    pub(crate) fn read_named(
        &self,
        project: &Project,
        customer: Option<&str>,
        method: Method,
    ) -> Result<Instrument, Refusal> {
        match method {
            Method::CcToken(card) => {
                let saves = card.save_to_wallet == Some(true);
                if saves && customer.is_none() {
                    return Err(missing("customer.external_id"));
                }
                Ok(Instrument {
                    token: card.token.into_string(),
                    use_3ds: card.use_3ds_flow != Some(false),
                    saves,
                    param: format!("{AT}.cc_token.token"),
                })
            }
            Method::Wallet(card) => {
                let customer = customer.ok_or_else(|| {
                    Refusal::new(
                        StatusCode::CustomerIdNotPassed,
                        "a saved card is a customer's: say whose",
                    )
                    .at("customer.external_id")
                })?;
                let param = format!("{AT}.wallet.option_id");
                let saved = self.saved_card(project, customer, &card.option_id)?;
                Ok(Instrument {
                    token: saved.ok_or_else(|| saved::unknown().at(&param))?.token,
                    use_3ds: card.use_3ds_flow != Some(false),
                    saves: true,
                    param,
                })
            }
            Method::Cc(card) => {
                if !project.may_send_cards {
                    return Err(Refusal::new(
                        StatusCode::AccessNotAllowed,
                        "the project may not send cards in clear",
                    )
                    .at(format!("{AT}.cc")));
                }
                let token = self.shared.take_card(project, card.expose()).map_err(|refusal| {
                    let param = match &*refusal.param {
                        "" => format!("{AT}.cc"),
                        member => format!("{AT}.cc.{member}"),
                    };
                    refusal.at(param)
                })?;
                Ok(Instrument {
                    token,
                    use_3ds: true,
                    saves: false,
                    param: format!("{AT}.cc"),
                })
            }
            Method::MobileAPay(wallet) => self.open_wallet(project, WalletKind::A, "mobile_a_pay", &wallet),
            Method::MobileBPay(wallet) => self.open_wallet(project, WalletKind::B, "mobile_b_pay", &wallet),
            _ => Err(missing("customer.payment_method.type")),
        }
    }

    fn open_wallet(
        &self,
        project: &Project,
        kind: WalletKind,
        name: &str,
        wallet: &WalletToken,
    ) -> Result<Instrument, Refusal> {
        let param = format!("{AT}.{name}.token");
        let opened = self
            .shared
            .ports(project)?
            .wallets
            .open(project, kind, &wallet.token);
        let card = opened.map_err(|refusal| refusal.at(&param))?;
        Ok(Instrument {
            token: self.shared.take_wallet_card(project, card)?,
            use_3ds: wallet.use_3ds_flow != Some(false),
            saves: false,
            param,
        })
    }
}

/// A card that is to be saved, of a payment method that adds one.
pub(crate) fn new_card(method: Method) -> Result<Instrument, Refusal> {
    match method {
        Method::CcToken(card) => Ok(Instrument {
            token: card.token.into_string(),
            use_3ds: card.use_3ds_flow != Some(false),
            saves: true,
            param: "payment_method.cc_token.token".to_owned(),
        }),
        _ => Err(Wrong::new("payment_method.type", "`cc_token`: the token of a card").into()),
    }
}

/// Where a request has it.
const AT: &str = "customer.payment_method";
