//! Saved cards: tokens that stay, without a security code.
//!
//! A record is sealed under its project's data key alone, so that a new data key can reach it. Equal cards are found by a
//! fingerprint, a MAC under a key of the project that lies outside the store. What counts as equal is decided in `docs/adr/0012`.

use std::fmt;

use aws_lc_rs::constant_time;
use base64ct::{Base64UrlUnpadded, Encoding};
use card::{Brand, Expiry, FormKind};
use zeroize::Zeroizing;

use crate::crypto::{self, Key, Kind, Place, Plaintext};
use crate::error::VaultError;
use crate::keys::Keys;
use crate::record::StoredCard;
use crate::record::lasting::LastingRecord;
use crate::registry::DataKey;
use crate::store::{Forget, LastingRow, NewLasting};
use crate::token::{SECRET, Token, TokenKind};
use crate::vault::{Shared, Vault};

/// What an operation does with a card: pays, receives, saves, or one of the first two and saves besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purpose<'a> {
    /// `None`: nothing but saving.
    used: Option<Use>,
    /// Who keeps it; `None`: nobody.
    kept: Option<Holder<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Pay,
    Receive,
}

/// Who keeps a card within a project: some text, or the project itself.
pub(crate) type Holder<'a> = Option<&'a str>;

impl<'a> Purpose<'a> {
    /// Money is taken, held or asked about. A number alone is not good for it.
    pub const PAY: Self = Self {
        used: Some(Use::Pay),
        kept: None,
    };

    /// Money is sent. Of widget tokens only those of `pan_only` are good for it, and every saved card.
    pub const RECEIVE: Self = Self {
        used: Some(Use::Receive),
        kept: None,
    };

    /// The card is saved and not used.
    pub const fn save(holder: Option<&'a str>) -> Self {
        Self {
            used: None,
            kept: Some(holder),
        }
    }

    /// The card is saved besides, without its security code. The lasting token is there at once, and stays if the operation
    /// succeeds.
    ///
    /// `holder` is who keeps it within the project: a customer's id, a subscription's, any text; `None` is the project itself.
    /// One holder that saves an equal card again gets the token it has; another gets another token, so that either may forget
    /// its own.
    pub const fn and_save(self, holder: Option<&'a str>) -> Self {
        Self {
            used: self.used,
            kept: Some(holder),
        }
    }

    /// Who keeps the card; `None`: nobody.
    pub(crate) fn holder(&self) -> Option<Holder<'a>> {
        self.kept
    }

    /// Whether a card of such a token is good for it.
    pub(crate) fn suits(&self, source: TokenKind, form: FormKind) -> bool {
        match self.used {
            None => true,
            Some(Use::Pay) => may_pay(form),
            Some(Use::Receive) => may_receive(source, form),
        }
    }
}

/// A number alone never pays, saved or not.
pub(crate) fn may_pay(form: FormKind) -> bool {
    form == FormKind::FullCard
}

/// Every saved card receives; a full card that was typed to pay does not.
pub(crate) fn may_receive(source: TokenKind, form: FormKind) -> bool {
    source == TokenKind::Lasting || form == FormKind::PanOnly
}

/// What may be known about a saved card: everything but the card.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SavedCard {
    /// First and last digits with `*` between.
    pub card_mask: String,
    /// The card's brand; `None` where no known range holds the number.
    pub brand: Option<Brand>,
    /// The form it was typed into. Of `pan_only` it receives and never pays.
    pub form: FormKind,
    /// The last month in which it is good; `None` of `pan_only`.
    pub expiry: Option<Expiry>,
    /// 22 letters, digits, `-` and `_`; the same for equal cards of one project, whoever holds them. No number can be found from it.
    pub mark: String,
    /// When it was saved, in seconds since 1970.
    pub saved_at: u64,
    /// `false` until an operation that saves it has succeeded; if none does, it goes.
    pub kept: bool,
}

impl SavedCard {
    /// Whether it pays. All saved cards receive.
    pub fn may_pay(&self) -> bool {
        may_pay(self.form)
    }
}

impl fmt::Debug for SavedCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The rest is about a card.
        f.debug_struct("SavedCard")
            .field("form", &self.form)
            .field("kept", &self.kept)
            .finish_non_exhaustive()
    }
}

impl Vault {
    /// Deletes a saved card with its fingerprint; `false` when there is none of that token in the project. Operations that
    /// have it under way go on. Waits for the disk.
    ///
    /// Equal cards of other holders stay.
    pub fn forget(&self, project: &str, token: &str) -> Result<bool, VaultError> {
        let Some((TokenKind::Lasting, token)) = Token::parse(token) else {
            return Ok(false);
        };
        let (project, id, hash) = (project.to_owned(), token.id(), token.hash());
        Ok(self.writer()?.call(Forget { project, id, hash })?)
    }
}

/// A saved card that was opened.
pub(crate) struct FoundLasting {
    pub(crate) id: [u8; 16],
    pub(crate) kept: bool,
    pub(crate) record: LastingRecord,
}

impl FoundLasting {
    /// The token that leads here.
    pub(crate) fn token(&self) -> Zeroizing<String> {
        Token::lasting(&self.id, &self.record.secret).text(TokenKind::Lasting)
    }
}

impl Shared {
    /// The saved card of a token, if the token is that of the row and the row of the project.
    pub(crate) fn find_lasting(
        &self,
        project: &str,
        token: &Token,
    ) -> Result<Option<FoundLasting>, VaultError> {
        let Some(row) = self.store.lasting(project, &token.id())? else {
            return Ok(None);
        };
        if constant_time::verify_slices_are_equal(&row.hash, &token.hash()).is_err() {
            return Ok(None);
        }
        let found = self.open_lasting(project, &row)?;
        // The hash is a column; who can write to the store could have put another one there.
        match constant_time::verify_slices_are_equal(&*found.record.secret, token.secret()) {
            Ok(()) => Ok(Some(found)),
            Err(_) => Err(VaultError::Damaged),
        }
    }

    /// The saved card that an operation refers to; `None` when it was forgotten meanwhile.
    pub(crate) fn lasting_of(
        &self,
        project: &str,
        id: &[u8; 16],
        card: &StoredCard,
    ) -> Result<Option<FoundLasting>, VaultError> {
        let Some(found) = self.saved(project, id)? else {
            return Ok(None);
        };
        let saved = found.record.card().ok_or(VaultError::Damaged)?;
        // Exposed to be compared. Another card means that rows were exchanged.
        let same = saved.number.expose() == card.number.expose() && saved.expiry == card.expiry;
        if same {
            Ok(Some(found))
        } else {
            Err(VaultError::Damaged)
        }
    }

    /// The saved card of that id.
    pub(crate) fn saved(&self, project: &str, id: &[u8; 16]) -> Result<Option<FoundLasting>, VaultError> {
        let row = self.store.lasting(project, id)?;
        row.map(|row| self.open_lasting(project, &row)).transpose()
    }

    /// What may be known of it.
    pub(crate) fn describe(&self, project: &str, found: &FoundLasting) -> Result<SavedCard, VaultError> {
        let FoundLasting { kept, record, .. } = found;
        let card = record.card().ok_or(VaultError::Damaged)?;
        Ok(SavedCard {
            card_mask: card.number.mask(),
            brand: card.number.brand(),
            form: card.form(),
            expiry: card.expiry,
            mark: mark(&self.keys, project, &card),
            saved_at: record.saved_at,
            kept: *kept,
        })
    }

    /// A new saved card, in case its holder has none that is equal. `card` is as its token or record has it.
    pub(crate) fn make_lasting(
        &self,
        project: &str,
        card: &Zeroizing<Vec<u8>>,
        holder: Holder<'_>,
    ) -> Result<NewLasting, VaultError> {
        let token = Token::make(self.clock.millis(), self.store.id_order(), &*self.random)?;
        let opened = crate::record::read_card(card).ok_or(VaultError::Damaged)?;
        let fingerprint = fingerprint(&self.keys, project, &opened, holder);
        let mut secret = Zeroizing::new([0; SECRET]);
        secret.copy_from_slice(token.secret());
        let record = LastingRecord::new(secret, self.now(), fingerprint, card.clone());
        let data_key = self.data_key(project)?;
        Ok(NewLasting {
            id: token.id(),
            hash: token.hash(),
            epoch: data_key.epoch,
            record: self.seal_lasting(project, &token.id(), &data_key, record.write())?,
            fingerprint,
        })
    }

    fn open_lasting(&self, project: &str, row: &LastingRow) -> Result<FoundLasting, VaultError> {
        let bytes = self.unseal_lasting(project, row)?;
        Ok(FoundLasting {
            id: row.id,
            kept: row.kept,
            record: LastingRecord::read(&bytes).ok_or(VaultError::Damaged)?,
        })
    }

    /// The record of a row, as it was sealed.
    pub(crate) fn unseal_lasting(
        &self,
        project: &str,
        row: &LastingRow,
    ) -> Result<Zeroizing<Vec<u8>>, VaultError> {
        let data_key = self.data_key_of(project, row.epoch)?;
        let place = place(project, data_key.epoch, &row.id);
        Ok(data_key.key.with(&row.id)?.open(&place, &row.record)?)
    }

    /// Seals a record for its row and an epoch.
    pub(crate) fn seal_lasting(
        &self,
        project: &str,
        id: &[u8; 16],
        data_key: &DataKey,
        record: Plaintext,
    ) -> Result<Vec<u8>, VaultError> {
        let place = place(project, data_key.epoch, id);
        Ok(data_key.key.with(id)?.seal(&place, record, &*self.random)?)
    }
}

fn place<'a>(project: &'a str, epoch: u32, id: &'a [u8; 16]) -> Place<'a> {
    Place {
        kind: Kind::Lasting,
        project,
        epoch,
        row: id,
    }
}

/// Equal for equal cards of one holder.
fn fingerprint(keys: &Keys, project: &str, card: &StoredCard, holder: Option<&str>) -> [u8; 32] {
    let key = project_key(keys, project);
    let whose: &[u8] = if holder.is_some() { b"holder" } else { b"project" };
    of_card(&key, card, &[whose, holder.unwrap_or_default().as_bytes()])
}

/// Equal for equal cards, whoever holds them.
fn mark(keys: &Keys, project: &str, card: &StoredCard) -> String {
    let mac = of_card(&project_key(keys, project), card, &[b"mark"]);
    Base64UrlUnpadded::encode_string(&mac[..16])
}

/// Nobody can look for a number of one project in another.
fn project_key(keys: &Keys, project: &str) -> Key {
    Key::new(crypto::mac(
        &keys.fingerprint,
        &[b"saved cards", project.as_bytes()],
    ))
}

fn of_card(key: &Key, card: &StoredCard, more: &[&[u8]]) -> [u8; 32] {
    let (year, month) = card.expiry.map_or((0, 0), |expiry| (expiry.year, expiry.month));
    let mut parts: Vec<&[u8]> = vec![
        card.form().id().as_bytes(),
        // Exposed to a MAC, which tells nothing of it.
        card.number.expose().as_bytes(),
    ];
    let date = [year.to_be_bytes()[0], year.to_be_bytes()[1], month];
    parts.push(&date);
    parts.extend_from_slice(more);
    crypto::mac(key, &parts)
}
