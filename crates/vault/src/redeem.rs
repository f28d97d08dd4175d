//! From a token to its card, for one operation at a time.
//!
//! Redeeming reserves the token and writes an operation record in one transaction; from then on the operation's id is all
//! that is needed, also after a restart. Nothing here returns a number: a card is lent to a closure inside the vault.

use std::fmt;

use card::{Brand, Code, Expiry, FormKind, Pan};
use zeroize::Zeroizing;

use crate::crypto::{self, Kind, Place};
use crate::error::{RedeemError, VaultError};
use crate::issue::hour_key;
use crate::keys::hours::Hour;
use crate::lasting::Purpose;
use crate::recognise::FoundToken;
use crate::record::{self, StoredCard};
use crate::registry::DataKey;
use crate::store::{
    NewLasting, NewOperation, OperationRow, ReserveVerdict, SealedCode, SettleVerdict, Settlement, State,
};
use crate::token::{Token, TokenKind};
use crate::vault::{Shared, Vault};

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
        self.form == FormKind::FullCard
    }

    /// Whether it may receive a payout: every saved card may, of widget tokens those of `pan_only`.
    pub fn may_receive(&self) -> bool {
        self.source == TokenKind::Lasting || self.form == FormKind::PanOnly
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
        let save = match purpose {
            Purpose::Once => None,
            Purpose::Save { holder } => Some(shared.make_lasting(project, &card.card, holder)?),
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

/// A card on its way from a token to an operation.
struct TakenCard {
    /// Seals it for the operation.
    data_key: DataKey,
    card: Zeroizing<Vec<u8>>,
    code: Option<TokenCode>,
}

/// The card of a widget token that can be redeemed.
fn widget_card(
    shared: &Shared,
    project: &str,
    token: &Token,
    found: &FoundToken,
    now: u64,
) -> Result<TakenCard, RedeemError> {
    match found.state {
        State::UsedUp => return Err(RedeemError::UsedUp),
        State::Reserved => return Err(RedeemError::Reserved),
        // The time inside the sealed facts counts, not that of the column.
        State::Ready if now >= found.facts(project, token)?.expires_at => {
            return Err(RedeemError::Expired);
        }
        State::Ready => {}
    }
    let card = found.card.as_ref().ok_or(VaultError::Damaged)?;
    Ok(TakenCard {
        data_key: shared.data_key_of(project, found.epoch())?,
        card: found.open(Kind::Card, project, token, card)?,
        code: shared.open_code(project, token, found, now)?,
    })
}

/// Seals the card anew, for the operation: from now on the token's secret is not needed.
fn reserve(
    shared: &Shared,
    project: &str,
    (kind, token): (TokenKind, &Token),
    taken: TakenCard,
    operation: &OperationId,
    save: Option<NewLasting>,
    now: u64,
) -> Result<NewOperation, RedeemError> {
    let TakenCard { data_key, card, code } = taken;
    let seal = |kind, plaintext: &[u8]| seal_for(shared, &data_key, project, operation, kind, plaintext);
    let code = match code {
        Some(TokenCode { digits, hour }) => {
            let inner = seal(Kind::OperationCode, &digits)?;
            let place = place(Kind::OperationCodeOfHour, project, data_key.epoch, operation);
            // The hour of the token's code stays that of its copy: neither outlives it.
            match shared.hours.of(hour, now)? {
                Some(key) => Some(SealedCode {
                    sealed: crypto::seal(&hour_key(&key, &place)?, &place, &inner, &*shared.random)?,
                    hour,
                }),
                None => None,
            }
        }
        None => None,
    };
    Ok(NewOperation {
        project: project.to_owned(),
        id: operation.as_str().to_owned(),
        token: token.id(),
        source: kind,
        epoch: data_key.epoch,
        card: seal(Kind::OperationCard, &card)?,
        code,
        expires_at: now.saturating_add(OPERATION_LIFE),
        save,
    })
}

impl Shared {
    /// The security code of a token with its hour, if both it and the key of the hour are still there.
    fn open_code(
        &self,
        project: &str,
        token: &Token,
        found: &FoundToken,
        now: u64,
    ) -> Result<Option<TokenCode>, VaultError> {
        let Some(SealedCode { sealed, hour }) = &found.code else {
            return Ok(None);
        };
        let Some(key) = self.hours.of(*hour, now)? else {
            return Ok(None);
        };
        let id = token.id();
        let place = Place {
            kind: Kind::CodeOfHour,
            project,
            epoch: found.epoch(),
            row: &id,
        };
        let inner = crypto::open(&hour_key(&key, &place)?, &place, sealed)?;
        Ok(Some(TokenCode {
            digits: found.open(Kind::Code, project, token, &inner)?,
            hour: *hour,
        }))
    }

    fn open_operation(&self, project: &str, operation: &OperationId) -> Result<OpenOperation, RedeemError> {
        let now = self.now();
        let found = self.store.operation(project, operation.as_str(), now)?;
        let OperationRow {
            source,
            epoch,
            card,
            code,
            saved,
            ..
        } = found.ok_or(RedeemError::NotOpen)?;
        let data_key = self.data_key_of(project, epoch)?;
        let open = |kind, sealed: &[u8]| {
            let place = place(kind, project, epoch, operation);
            let key = crypto::derive_key(&data_key.key, operation.as_str().as_bytes(), &place)?;
            crypto::open(&key, &place, sealed)
        };
        let card = record::read_card(&open(Kind::OperationCard, &card)?).ok_or(VaultError::Damaged)?;
        let code = match code {
            Some(SealedCode { sealed, hour }) => match self.hours.of(hour, now)? {
                Some(key) => {
                    let place = place(Kind::OperationCodeOfHour, project, epoch, operation);
                    let inner = crypto::open(&hour_key(&key, &place)?, &place, &sealed)?;
                    let code = open(Kind::OperationCode, &inner)?;
                    Some(record::read_code(&code).ok_or(VaultError::Damaged)?)
                }
                None => None,
            },
            None => None,
        };
        Ok(OpenOperation {
            source,
            card,
            code,
            saved,
        })
    }
}

/// An operation in clear.
struct OpenOperation {
    source: TokenKind,
    card: StoredCard,
    code: Option<Code>,
    /// Id of the saved card.
    saved: Option<[u8; 16]>,
}

/// An opened security code and the hour that it must not outlive.
struct TokenCode {
    digits: Zeroizing<Vec<u8>>,
    hour: Hour,
}

fn place<'a>(kind: Kind, project: &'a str, epoch: u32, operation: &'a OperationId) -> Place<'a> {
    Place {
        kind,
        project,
        epoch,
        row: operation.as_str().as_bytes(),
    }
}

fn seal_for(
    shared: &Shared,
    data_key: &DataKey,
    project: &str,
    operation: &OperationId,
    kind: Kind,
    plaintext: &[u8],
) -> Result<Vec<u8>, crypto::CryptoError> {
    let place = place(kind, project, data_key.epoch, operation);
    let key = crypto::derive_key(&data_key.key, operation.as_str().as_bytes(), &place)?;
    crypto::seal(&key, &place, plaintext, &*shared.random)
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

/// Life of an operation record in seconds, 3-D Secure included (service design §2.3).
const OPERATION_LIFE: u64 = 3600;
