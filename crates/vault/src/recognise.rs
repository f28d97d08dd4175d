//! What may be known about a token.

use std::fmt;

use aws_lc_rs::constant_time;
use card::{Brand, FormKind};
use zeroize::Zeroizing;

use crate::crypto::{Kind, Place};
use crate::error::VaultError;
use crate::lasting::SavedCard;
use crate::record::{Customer, Facts};
use crate::registry::DataKey;
use crate::store::{SealedCode, State};
use crate::token::{Token, TokenKind};
use crate::vault::{Shared, Vault};

/// A token that was recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Recognised {
    /// A widget token.
    Widget(TokenInfo),
    /// The token of a saved card.
    Lasting(SavedCard),
}

impl Recognised {
    /// First and last digits with `*` between.
    pub fn card_mask(&self) -> &str {
        match self {
            Self::Widget(token) => &token.card_mask,
            Self::Lasting(card) => &card.card_mask,
        }
    }

    /// The widget token, if it is one.
    pub fn widget(self) -> Option<TokenInfo> {
        match self {
            Self::Widget(token) => Some(token),
            Self::Lasting(_) => None,
        }
    }

    /// The saved card, if it is one.
    pub fn lasting(self) -> Option<SavedCard> {
        match self {
            Self::Widget(_) => None,
            Self::Lasting(card) => Some(card),
        }
    }
}

/// What may be known about a widget token: everything but the card.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenInfo {
    /// First and last digits with `*` between.
    pub card_mask: String,
    /// The card's brand; `None` where no known range holds the number.
    pub brand: Option<Brand>,
    /// The form it was typed into, which decides what the token is good for.
    pub form: FormKind,
    /// Whether it can be redeemed.
    pub state: TokenState,
    /// Whether the security code is still there.
    pub has_code: bool,
    /// When it was issued, in seconds since 1970.
    pub issued_at: u64,
    /// First second in which it is no longer good.
    pub expires_at: u64,
    /// The widget key that it was made with.
    pub widget_key: String,
    /// What the shop said about its customer.
    pub customer: Customer,
    /// Address of the connection that it was made over.
    pub address: String,
}

/// Whether a token can be redeemed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenState {
    /// It can.
    Ready,
    /// An operation has it.
    Reserved,
    /// It was used.
    UsedUp,
    /// Its time is over.
    Expired,
}

impl TokenState {
    /// Stable name: `ready`, `reserved`, `used_up`, `expired`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Reserved => "reserved",
            Self::UsedUp => "used_up",
            Self::Expired => "expired",
        }
    }

    fn of(state: State, expires_at: u64, now: u64) -> Self {
        match state {
            State::UsedUp => Self::UsedUp,
            State::Reserved => Self::Reserved,
            State::Ready if now >= expires_at => Self::Expired,
            State::Ready => Self::Ready,
        }
    }
}

impl fmt::Display for TokenState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Debug for TokenInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The rest is about a card and a person.
        f.debug_struct("TokenInfo")
            .field("form", &self.form)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl Vault {
    /// Recognises a token of `project`, of either kind; `None` when it is not one, of another project, removed after it
    /// expired, or forgotten.
    ///
    /// A widget token's card stays sealed.
    pub fn recognise(&self, project: &str, token: &str) -> Result<Option<Recognised>, VaultError> {
        Ok(match Token::parse(token) {
            None => None,
            Some((TokenKind::Widget, token)) => self.widget_token(project, &token)?.map(Recognised::Widget),
            Some((TokenKind::Lasting, token)) => match self.shared.find_lasting(project, &token)? {
                Some(found) => Some(Recognised::Lasting(self.shared.describe(project, &found)?)),
                None => None,
            },
        })
    }

    fn widget_token(&self, project: &str, token: &Token) -> Result<Option<TokenInfo>, VaultError> {
        let Some(row) = self.shared.find(project, token)? else {
            return Ok(None);
        };
        let facts = row.facts(project, token)?;
        Ok(Some(TokenInfo {
            card_mask: facts.card_mask.into_owned(),
            brand: facts.brand,
            form: facts.form,
            state: TokenState::of(row.state, facts.expires_at, self.shared.now()),
            has_code: row.code.is_some(),
            issued_at: facts.issued_at,
            expires_at: facts.expires_at,
            widget_key: facts.widget_key.into_owned(),
            customer: facts.customer.into_owned(),
            address: facts.address.into_owned(),
        }))
    }
}

/// A token's row, whose owner has shown the whole token.
pub(crate) struct FoundToken {
    data_key: DataKey,
    pub(crate) state: State,
    pub(crate) operation: Option<String>,
    facts: Vec<u8>,
    pub(crate) card: Option<Vec<u8>>,
    pub(crate) code: Option<SealedCode>,
}

impl Shared {
    /// The row of a token, if the token is that of the row and the row of the project.
    pub(crate) fn find(&self, project: &str, token: &Token) -> Result<Option<FoundToken>, VaultError> {
        let Some(row) = self.store.token(project, &token.id())? else {
            return Ok(None);
        };
        if constant_time::verify_slices_are_equal(&row.hash, &token.hash()).is_err() {
            return Ok(None);
        }
        Ok(Some(FoundToken {
            data_key: self.data_key_of(project, row.epoch)?,
            state: row.state,
            operation: row.operation,
            facts: row.facts,
            card: row.card,
            code: row.code,
        }))
    }
}

impl FoundToken {
    /// What may be known.
    pub(crate) fn facts(&self, project: &str, token: &Token) -> Result<Facts<'static>, VaultError> {
        let opened = self.open(Kind::Facts, project, token, &self.facts)?;
        Facts::read(&opened).ok_or(VaultError::Damaged)
    }

    /// Opens one part of the row with the token's secret.
    pub(crate) fn open(
        &self,
        kind: Kind,
        project: &str,
        token: &Token,
        sealed: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, VaultError> {
        let id = token.id();
        let place = Place {
            kind,
            project,
            epoch: self.data_key.epoch,
            row: &id,
        };
        Ok(self.data_key.key.with(token.secret())?.open(&place, sealed)?)
    }

    /// Version of the data key that the row is sealed under.
    pub(crate) fn epoch(&self) -> u32 {
        self.data_key.epoch
    }
}
