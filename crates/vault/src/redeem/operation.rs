//! Cards as operations have them: sealed anew under the operation's id, for an hour at most.

use card::Code;
use zeroize::Zeroizing;

use super::OperationId;
use crate::crypto::{Kind, Place};
use crate::error::{RedeemError, VaultError};
use crate::keys::hours::Hour;
use crate::recognise::FoundToken;
use crate::record::{self, StoredCard};
use crate::registry::DataKey;
use crate::store::{NewLasting, NewOperation, OperationRow, SealedCode, State};
use crate::token::{Token, TokenKind};
use crate::vault::Shared;

/// A card on its way from a token to an operation.
pub(super) struct TakenCard {
    /// Seals it for the operation.
    pub(super) data_key: DataKey,
    pub(super) card: Zeroizing<Vec<u8>>,
    pub(super) code: Option<TokenCode>,
}

/// The card of a widget token that can be redeemed.
pub(super) fn widget_card(
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
pub(super) fn reserve(
    shared: &Shared,
    project: &str,
    (kind, token): (TokenKind, &Token),
    taken: TakenCard,
    operation: &OperationId,
    save: Option<NewLasting>,
    now: u64,
) -> Result<NewOperation, RedeemError> {
    let TakenCard { data_key, card, code } = taken;
    let prk = data_key.key.with(operation.as_str().as_bytes())?;
    let seal = |kind, plaintext: &[u8]| {
        let place = place(kind, project, data_key.epoch, operation);
        prk.seal(&place, plaintext.into(), &*shared.random)
    };
    let code = match code {
        Some(TokenCode { digits, hour }) => {
            let inner = seal(Kind::OperationCode, &digits)?;
            let place = place(Kind::OperationCodeOfHour, project, data_key.epoch, operation);
            // The hour of the token's code stays that of its copy: neither outlives it.
            match shared.hours.of(hour, now)? {
                Some(key) => Some(SealedCode {
                    sealed: key
                        .with(place.row)?
                        .seal(&place, inner[..].into(), &*shared.random)?,
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
        let inner = key
            .with(&id)?
            .open(&place, sealed)
            .map_err(|_| VaultError::CodeDamaged)?;
        Ok(Some(TokenCode {
            digits: found.open(Kind::Code, project, token, &inner)?,
            hour: *hour,
        }))
    }

    /// An open operation's card, and its code if both it and the key of its hour are still there.
    pub(super) fn open_operation(
        &self,
        project: &str,
        operation: &OperationId,
    ) -> Result<OpenOperation, RedeemError> {
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
        let prk = data_key.key.with(operation.as_str().as_bytes())?;
        let open = |kind, sealed: &[u8]| {
            let place = place(kind, project, epoch, operation);
            prk.open(&place, sealed)
        };
        let card = record::read_card(&open(Kind::OperationCard, &card)?).ok_or(VaultError::Damaged)?;
        let code = match code {
            Some(SealedCode { sealed, hour }) => match self.hours.of(hour, now)? {
                Some(key) => {
                    let place = place(Kind::OperationCodeOfHour, project, epoch, operation);
                    let inner = key
                        .with(place.row)?
                        .open(&place, &sealed)
                        .map_err(|_| VaultError::CodeDamaged)?;
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
pub(super) struct OpenOperation {
    pub(super) source: TokenKind,
    pub(super) card: StoredCard,
    pub(super) code: Option<Code>,
    /// Id of the saved card.
    pub(super) saved: Option<[u8; 16]>,
}

/// An opened security code and the hour that it must not outlive.
pub(super) struct TokenCode {
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

/// Life of an operation record in seconds, 3-D Secure included (service design §2.3).
const OPERATION_LIFE: u64 = 3600;
