//! From a token to its card, for one operation at a time.
//!
//! Redeeming reserves the token and writes an operation record in one transaction; from then on the operation's id is all
//! that is needed, also after a restart. Nothing here returns a number: a card is lent to a closure inside the vault.

use std::fmt;

use card::{Brand, Code, Expiry, FormKind, Pan};

use crate::error::{RedeemError, VaultError};
use crate::lasting::{self, Purpose};
use crate::record;
use crate::store::{ReserveVerdict, SettleVerdict, Settlement, State};
use crate::token::{Token, TokenKind};
use crate::vault::Vault;

mod operation;

use operation::{OpenOperation, TakenCard, reserve, widget_card};

/// Names an operation within its project: 1 to 64 visible ASCII characters, never used for another operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OperationId(String);

impl OperationId {
    /// `None` when the text is not an id.
    pub fn new(text: &str) -> Option<Self> {
        let visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        (visible && (1..=64).contains(&text.len())).then(|| Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A card that an operation may use. It says what may be shown, and has no call that returns the number.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redeemed {
    /// The project.
    pub project: String,
    /// The operation.
    pub operation: OperationId,
    /// First and last digits with `*` between.
    pub card_mask: String,
    /// The card's brand; `None` where no known range holds the number.
    pub brand: Option<Brand>,
    /// The form it was typed into: `full_card` pays or is saved, `pan_only` receives or is saved.
    pub form: FormKind,
    /// The last month in which it is good; `None` of `pan_only`.
    pub expiry: Option<Expiry>,
    /// Whether there is a security code. After a decline there is none any more, and a saved card never has one.
    pub has_code: bool,
    /// Which kind of token it came from.
    pub source: TokenKind,
    /// The lasting token, where the operation saves the card: `cl_` and 77 letters. `None` too after it was forgotten.
    pub saved: Option<String>,
}

impl Redeemed {
    /// Whether the card may pay: a number alone never does, saved or not.
    pub fn may_pay(&self) -> bool {
        lasting::may_pay(self.form)
    }

    /// Whether it may receive a payout: every saved card may, of widget tokens those of `pan_only`.
    pub fn may_receive(&self) -> bool {
        lasting::may_receive(self.source, self.form)
    }
}

/// A card in clear, lent for the time of one call.
#[non_exhaustive]
pub struct OpenCard<'a> {
    /// The number.
    pub number: &'a Pan,
    /// Absent for `pan_only`.
    pub expiry: Option<Expiry>,
    /// Absent for `pan_only`, after a decline, and when it was kept for two hours.
    pub code: Option<&'a Code>,
}

/// How an operation ended. Either way the security code is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Outcome {
    /// Success: a widget token cannot be redeemed again, its card is gone; a lasting one goes on.
    UsedUp = 1,
    /// Decline: another operation may redeem the token, of a widget token without the code.
    Released = 2,
}

impl Vault {
    /// Gives an operation the card of a token: reserves a widget token, and uses a lasting one, which any number of
    /// operations may do at once. The same call again, also after a crash, gives the same, whatever its purpose then.
    ///
    /// Waits for the disk; so does [`Vault::settle`].
    pub fn redeem(
        &self,
        project: &str,
        token: &str,
        operation: &OperationId,
        purpose: Purpose<'_>,
    ) -> Result<Redeemed, RedeemError> {
        let shared = &self.shared;
        let (kind, token) = Token::parse(token).ok_or(RedeemError::UnknownToken)?;
        let now = shared.now();
        let card = match kind {
            TokenKind::Widget => {
                let found = shared.find(project, &token)?.ok_or(RedeemError::UnknownToken)?;
                if found.operation.as_deref() == Some(operation.as_str()) && found.state == State::Reserved {
                    return self.resume(project, operation);
                }
                widget_card(shared, project, &token, &found, now)?
            }
            TokenKind::Lasting => {
                let found = shared.find_lasting(project, &token)?;
                let found = found.ok_or(RedeemError::UnknownToken)?;
                let before = shared.store.operation(project, operation.as_str(), now)?;
                if before.is_some_and(|before| before.token == token.id()) {
                    return self.resume(project, operation);
                }
                TakenCard {
                    // A new operation keeps no old data key alive.
                    data_key: shared.data_key(project)?,
                    card: found.record.card_bytes().clone(),
                    code: None,
                }
            }
        };
        // Before anything is reserved: a wrong attempt costs the token nothing.
        let form = record::read_card(&card.card).ok_or(VaultError::Damaged)?.form();
        if !purpose.suits(kind, form) {
            return Err(RedeemError::WrongPurpose);
        }
        let save = match purpose.holder() {
            None => None,
            Some(holder) => Some(shared.make_lasting(project, &card.card, holder)?),
        };
        let fingerprint = save.as_ref().map(|save| save.fingerprint);
        let row = reserve(shared, project, (kind, &token), card, operation, save, now)?;
        match self.writer()?.call(row)? {
            ReserveVerdict::Reserved => self.resume(project, operation),
            ReserveVerdict::Saved(id) => {
                // The row that names the record is no proof: the record is.
                let found = shared.saved(project, &id)?;
                if found.is_some_and(|found| Some(found.record.fingerprint) != fingerprint) {
                    return Err(VaultError::Damaged.into());
                }
                self.resume(project, operation)
            }
            ReserveVerdict::Taken => Err(match kind {
                TokenKind::Widget => RedeemError::Reserved,
                TokenKind::Lasting => RedeemError::UnknownToken,
            }),
            ReserveVerdict::OtherToken => Err(RedeemError::OtherToken),
            ReserveVerdict::NotOpen => Err(RedeemError::NotOpen),
        }
    }

    /// The card of an operation that was begun and not settled. Restart and 3-D Secure go on from here.
    pub fn resume(&self, project: &str, operation: &OperationId) -> Result<Redeemed, RedeemError> {
        let shared = &self.shared;
        let OpenOperation {
            source,
            card,
            code,
            saved,
        } = shared.open_operation(project, operation)?;
        let saved = match saved {
            Some(id) => shared.lasting_of(project, &id, &card)?,
            None => None,
        };
        Ok(Redeemed {
            project: project.to_owned(),
            operation: operation.clone(),
            card_mask: card.number.mask(),
            brand: card.number.brand(),
            form: card.form(),
            expiry: card.expiry,
            has_code: code.is_some(),
            source,
            saved: saved.map(|saved| saved.token().to_string()),
        })
    }

    /// Lends the card to `work`, inside the vault: a port to an acquirer or a bank.
    pub fn use_card<R>(
        &self,
        redeemed: &Redeemed,
        work: impl FnOnce(&OpenCard<'_>) -> R,
    ) -> Result<R, RedeemError> {
        let OpenOperation { card, code, .. } = self
            .shared
            .open_operation(&redeemed.project, &redeemed.operation)?;
        Ok(work(&OpenCard {
            number: &card.number,
            expiry: card.expiry,
            code: code.as_ref(),
        }))
    }

    /// Ends an operation. To be called when the acquirer has answered, whatever it said, or the card has been saved.
    /// A card that it saves stays with success; without, it goes again, unless another operation has saved it too.
    /// The same call again does nothing.
    pub fn settle(&self, redeemed: &Redeemed, outcome: Outcome) -> Result<(), RedeemError> {
        let verdict = self.writer()?.call(Settlement {
            project: redeemed.project.clone(),
            operation: redeemed.operation.as_str().to_owned(),
            outcome,
        })?;
        match verdict {
            SettleVerdict::Settled | SettleVerdict::Already => Ok(()),
            SettleVerdict::NotOpen => Err(RedeemError::NotOpen),
        }
    }
}

impl fmt::Debug for OpenCard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenCard").finish_non_exhaustive()
    }
}

impl fmt::Debug for Redeemed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redeemed")
            .field("project", &self.project)
            .field("operation", &self.operation)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for OperationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
