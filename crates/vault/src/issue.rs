//! A card in, sealed or from an app; a token out.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::net::IpAddr;
use std::sync::Arc;

use card::{Card, FormKind, UnixSeconds};
use seal::Envelope;
use wire::payload::CardPayload;
use zeroize::Zeroizing;

use crate::app::AppCard;
use crate::clear::{ClearCard, Content};
use crate::config::Random;
use crate::crypto::{Drawn, Kind, Place};
use crate::envelope;
use crate::error::IssueError;
use crate::record::{self, Customer, Facts, Issued};
use crate::replay::{self, Replay};
use crate::store::{NewAnswer, NewToken, NonceKey, SealedCode, WriteVerdict};
use crate::token::{Token, TokenKind};
use crate::vault::{Shared, Vault};
use crate::watch::{Seen, Watch};

/// What the service knows when it asks for a token. It has checked key, origin, rate and, of a frame, the ticket before.
pub struct IssueRequest {
    /// Project of the widget key.
    pub project: String,
    /// The widget key, which an envelope must name.
    pub widget_key: String,
    /// Whether the widget key is live. Public test numbers are refused then.
    pub live: bool,
    /// The card.
    pub source: Source,
    /// The caller's idempotency key, which only apps may do without. Wiped afterwards, as it opens the answer kept for a
    /// repeat.
    pub idempotency_key: Option<Zeroizing<String>>,
    /// SHA-256 of the request's body. Another one under the same idempotency key is a conflict.
    pub body_hash: [u8; 32],
    /// Address of the connection.
    pub address: IpAddr,
    /// What the shop says about its customer.
    pub customer: Customer,
    /// Who is asked whether there were too many different cards.
    pub watch: Option<Arc<dyn Watch>>,
}

/// How a card comes.
#[derive(Debug)]
pub enum Source {
    /// Sealed by a frame.
    Frame(Box<SealedCard>),
    /// In clear within TLS, from an app.
    App(AppCard),
    /// In clear, from a shop's server or a mobile wallet.
    Clear(ClearCard),
}

/// A card that a frame has sealed, and what its ticket says.
pub struct SealedCard {
    /// The envelope, well-formed but sealed.
    pub envelope: Envelope,
    /// The origin that was checked, which the envelope must name.
    pub origin: String,
    /// When the envelope's ticket was made. The envelope cannot be older.
    pub ticket_made_at: u64,
    /// First second in which the ticket is no longer good. Until then the nonce is remembered.
    pub ticket_expires_at: u64,
}

impl Vault {
    /// Opens the envelope, checks everything again, and issues a token.
    ///
    /// The cryptography is done before this returns, on the caller's thread (about 0.1 ms); `done` hears on another
    /// thread, when the token is on the disk, or at once, when there is none. It must not wait for anything. A refused
    /// request leaves nothing behind: neither its nonce nor its idempotency key is used up.
    pub fn issue(
        &self,
        request: IssueRequest,
        done: impl FnOnce(Result<Issued, IssueError>) + Send + 'static,
    ) {
        let prepared = self
            .writer()
            .map_err(IssueError::from)
            .and_then(|writer| Ok((writer, prepare(&self.shared, &request)?)));
        let (writer, (row, issued)) = match prepared {
            Ok(prepared) => prepared,
            Err(error) => return done(Err(error)),
        };
        let shared = Arc::clone(&self.shared);
        let IssueRequest {
            project,
            idempotency_key,
            body_hash,
            ..
        } = request;
        writer.submit(row, move |verdict| {
            done(match verdict {
                Ok(WriteVerdict::Written) => Ok(issued),
                Ok(WriteVerdict::NonceReplayed) => Err(IssueError::NonceReplayed),
                // A repeat, or two at once: this one lost, and the winner's answer has just been written.
                Ok(WriteVerdict::Repeated) => {
                    let key = idempotency_key.as_ref().map_or("", |key| key);
                    match shared.replay(&project, key, &body_hash) {
                        Ok(Replay::Answer(issued)) => Ok(issued),
                        Ok(Replay::Conflict) => Err(IssueError::IdempotencyConflict),
                        // The ten minutes have passed in between.
                        Ok(Replay::None) => Err(IssueError::NonceReplayed),
                        Err(error) => Err(error.into()),
                    }
                }
                Err(error) => Err(error.into()),
            });
        });
    }
}

/// All that can be done before the store is asked.
fn prepare(shared: &Shared, request: &IssueRequest) -> Result<(NewToken, Issued), IssueError> {
    let now = shared.now();
    let read;
    let (card, form) = match &request.source {
        Source::Frame(sealed) => {
            let (card, form) = open(shared, sealed, &request.widget_key, now)?;
            read = card;
            (&read, form)
        }
        Source::App(AppCard { payload, .. }) => {
            read = parse_card(payload, FormKind::FullCard, now)?;
            (&read, FormKind::FullCard)
        }
        Source::Clear(ClearCard(Content::Sent(payload, form))) => {
            read = parse_card(payload, *form, now)?;
            (&read, *form)
        }
        Source::Clear(ClearCard(Content::Held(card))) => {
            let form = match card.expiry {
                Some(_) => FormKind::FullCard,
                None => FormKind::PanOnly,
            };
            (card, form)
        }
    };
    if request.live && card.number.is_test() {
        return Err(IssueError::TestNumber);
    }
    ask_watch(shared, request, card, now)?;

    let random = Drawn::from(&*shared.random)?;
    let token = Token::make(shared.clock.millis(), shared.store.id_order(), &random)?;
    let issued = Issued {
        token: std::mem::take(&mut token.text(TokenKind::Widget)),
        expires_at: now.saturating_add(TOKEN_LIFE),
        card_mask: card.number.mask(),
        repeated: false,
    };
    let facts = Facts {
        form,
        issued_at: now,
        expires_at: issued.expires_at,
        widget_key: Cow::Borrowed(&request.widget_key),
        card_mask: Cow::Borrowed(&issued.card_mask),
        brand: card.number.brand(),
        customer: Cow::Borrowed(&request.customer),
        address: text_of(request.address).into(),
    };
    let row = seal_row(shared, request, &random, &token, card, &facts, &issued)?;
    Ok((row, issued))
}

/// An address in a text of its own size: what writes it would make it grow four times.
fn text_of(address: IpAddr) -> String {
    let mut text = String::with_capacity(LONGEST_ADDRESS);
    // A text takes everything.
    let _ = write!(text, "{address}");
    text
}

/// The card of a frame, and which form it was typed into.
fn open(
    shared: &Shared,
    sealed: &SealedCard,
    widget_key: &str,
    now: u64,
) -> Result<(Card, FormKind), IssueError> {
    if now >= sealed.ticket_expires_at {
        return Err(IssueError::TicketExpired);
    }
    let content = envelope::open(&sealed.envelope, &shared.keys, now)?;
    let form = check_claims(sealed, widget_key, now)?;
    Ok((read_card(&content, form, now)?, form))
}

/// The header is authentic now; does it say what the service was told?
fn check_claims(sealed: &SealedCard, widget_key: &str, now: u64) -> Result<FormKind, IssueError> {
    let claims = &sealed.envelope.header().claims;
    // The frame's clock starts from the boot data's, but it may run differently.
    let issued = sealed.ticket_made_at.saturating_sub(CLOCK_SKEW)..=now.saturating_add(CLOCK_SKEW);
    let agree = claims.widget_key == widget_key
        && claims.origin == sealed.origin
        && issued.contains(&claims.issued_at);
    if !agree {
        return Err(IssueError::EnvelopeMismatch);
    }
    FormKind::from_id(&claims.form).ok_or(IssueError::EnvelopeMismatch)
}

fn read_card(content: &[u8], form: FormKind, now: u64) -> Result<Card, IssueError> {
    // Digits need no escapes, and the parser would unfold them into memory that is not wiped.
    if content.contains(&b'\\') {
        return Err(IssueError::NotACard);
    }
    let payload = serde_json::from_slice(content).map_err(|_| IssueError::NotACard)?;
    parse_card(&payload, form, now)
}

fn parse_card(payload: &CardPayload, form: FormKind, now: u64) -> Result<Card, IssueError> {
    let expiry = match (payload.exp_month, payload.exp_year) {
        (Some(month), Some(year)) => Some((month, year)),
        (None, None) => None,
        _ => return Err(IssueError::NotACard),
    };
    Ok(Card::parse(
        &payload.number,
        expiry,
        payload.cvv.as_deref(),
        form,
        UnixSeconds(now),
    )?)
}

fn ask_watch(shared: &Shared, request: &IssueRequest, card: &Card, now: u64) -> Result<(), IssueError> {
    let Some(watch) = &request.watch else {
        return Ok(());
    };
    // Exposed to a MAC, which tells nothing of it.
    let mac = shared
        .fingerprints
        .mac(&[b"card testing", card.number.expose().as_bytes()]);
    let (head, _) = mac.split_first_chunk().unwrap_or((&[0; 8], &[]));
    let seen = Seen {
        widget_key: &request.widget_key,
        live: request.live,
        address: request.address,
        fingerprint: u64::from_be_bytes(*head),
        now,
    };
    watch.see(&seen).map_err(IssueError::TooManyCards)
}

/// Seals every part of the row for its own place, under keys that need the token's secret.
fn seal_row(
    shared: &Shared,
    request: &IssueRequest,
    random: &dyn Random,
    token: &Token,
    card: &Card,
    facts: &Facts<'_>,
    issued: &Issued,
) -> Result<NewToken, IssueError> {
    let data_key = shared.data_key(&request.project)?;
    let id = token.id();
    let place = Place {
        kind: Kind::Facts,
        project: &request.project,
        epoch: data_key.epoch,
        row: &id,
    };
    let prk = data_key.key.with(token.secret())?;
    let seal = |kind, plaintext| {
        let place = Place { kind, ..place };
        prk.seal(&place, plaintext, random)
    };
    let code = match &card.code {
        Some(code) => {
            let (hour, key) = shared.hours.current(facts.issued_at, random)?;
            let inner = seal(Kind::Code, record::write_code(code))?;
            let place = Place {
                kind: Kind::CodeOfHour,
                ..place
            };
            let sealed = key.with(&id)?.seal(&place, inner[..].into(), random)?;
            Some(SealedCode { sealed, hour })
        }
        None => None,
    };
    let answer = match &request.idempotency_key {
        Some(key) => {
            let index = shared.index(&request.project, key);
            let hash = &request.body_hash;
            let sealed = replay::seal_answer(random, &data_key, &request.project, key, &index, issued, hash)?;
            let until = facts.issued_at.saturating_add(replay::ANSWER_LIFE);
            Some(NewAnswer { index, sealed, until })
        }
        None => None,
    };
    // Only envelopes have a nonce.
    let (nonce, remembered_until) = match &request.source {
        Source::Frame(sealed) => {
            let claims = &sealed.envelope.header().claims;
            let nonce = NonceKey::new(claims.issued_at, &claims.nonce);
            (Some(nonce), sealed.ticket_expires_at)
        }
        Source::App(_) | Source::Clear(_) => (None, 0),
    };
    Ok(NewToken {
        id,
        hash: token.hash(),
        project: request.project.clone(),
        epoch: data_key.epoch,
        nonce,
        answer,
        facts: seal(Kind::Facts, facts.write())?,
        card: seal(Kind::Card, record::write_card(card, facts.issued_at))?,
        code,
        issued_at: facts.issued_at,
        expires_at: facts.expires_at,
        remove_at: facts.expires_at.max(remembered_until),
    })
}

// Neither a token nor a person's data is for logs.

impl fmt::Debug for IssueRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IssueRequest").finish_non_exhaustive()
    }
}

impl fmt::Debug for SealedCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealedCard").finish_non_exhaustive()
    }
}

impl fmt::Debug for Customer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Customer").finish_non_exhaustive()
    }
}

impl fmt::Debug for Issued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Issued").finish_non_exhaustive()
    }
}

/// Characters of an address of version 6 with one of version 4 in it.
const LONGEST_ADDRESS: usize = 45;

/// Life of a widget token in seconds (service design §1.5).
const TOKEN_LIFE: u64 = 3600;

/// How far the frame's clock may be off, in seconds.
const CLOCK_SKEW: u64 = 300;
