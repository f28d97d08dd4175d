//! From a valid card to a token, as a machine without waiting of its own: each step answers with the promise whose
//! result the next step wants.
//!
//! ```text
//! begin ─> Agreeing ─> Deriving ─> Encrypting ─> Sending ─> token, or failure
//!             ^                                     │ the boot data is of yesterday, once
//!             └────────────── Renewing <────────────┘
//! ```
//!
//! A request whose answer is not definite (no connection, a fault of the service) is kept and sent again as it is, so
//! that trying again cannot make a second token.

use card::{Code, Form, UnixSeconds};
use js_sys::Promise;
use seal::{Claims, Draft, Header, Point};
use wasm_bindgen::JsValue;
use wire::boot;
use wire::payload::CardPayload;
use wire::token;
use zeroize::Zeroizing;

use crate::browser::Browser;
use crate::incoming::{self, Boot, Failure, Init, Token};
use crate::json::Json;
use crate::outgoing;

/// What comes after a step.
pub(crate) enum Next {
    /// Nothing: a submit is under way already, or none is.
    Rest,
    /// Call [`Submission::resume`] with what this brings.
    Wait(Promise),
    /// The token is there.
    Issued(Token),
    /// There is none, for this reason.
    Failed(Failure),
}

/// Turns the form's card into a token.
pub(crate) struct Submission {
    pub(crate) browser: Browser,
    boot: Boot,
    /// The browser's own clock, in milliseconds, when `boot` arrived.
    booted_at: f64,
    /// Query of the frame's address: with it, boot data can be had again.
    query: String,
    /// What the shop asked for: some of it goes along with the card.
    pub(crate) init: Init,
    step: Step,
    /// Boot data was renewed in this submit: not a second time.
    renewed: bool,
    pending: Option<Pending>,
}

/// What the promise that is waited for will bring.
enum Step {
    Resting,
    /// Nothing: a token is there, and nothing was typed since.
    Issued,
    /// Our point and the shared secret.
    Agreeing,
    /// The key of the content.
    Deriving(Draft),
    /// Ciphertext and tag.
    Encrypting(Draft, [u8; 12]),
    /// The answer with the token.
    Sending(Pending),
    /// Boot data.
    Renewing,
}

/// A sealed request.
struct Pending {
    envelope: String,
    idempotency_key: String,
}

impl Submission {
    /// Starts with the boot data of the page; `query` is that of the frame's address.
    pub(crate) fn new(browser: Browser, boot: Boot, query: String) -> Self {
        Self {
            booted_at: browser.elapsed(),
            browser,
            boot,
            query,
            init: Init::none(),
            step: Step::Resting,
            renewed: false,
            pending: None,
        }
    }

    /// The service's time. The device's own clock may be wrong by years.
    pub(crate) fn now(&self) -> UnixSeconds {
        UnixSeconds(self.boot.now() + ((self.browser.elapsed() - self.booted_at) / 1000.0) as u64)
    }

    /// A submit is under way, or has just brought a token.
    pub(crate) fn is_busy(&self) -> bool {
        !matches!(self.step, Step::Resting)
    }

    /// The card was changed: what waits to be sent again is no longer what the person wants.
    pub(crate) fn forget(&mut self) {
        self.pending = None;
        if let Step::Issued = self.step {
            self.step = Step::Resting;
        }
    }

    /// Starts with a form that is valid.
    pub(crate) fn begin(&mut self) -> Next {
        self.renewed = false;
        match self.pending.take() {
            Some(pending) => self.send(pending),
            None => self.agree(),
        }
    }

    /// Goes on with what the promise brought, or with why it failed.
    pub(crate) fn resume(&mut self, result: Result<JsValue, JsValue>, form: &mut Form) -> Next {
        match core::mem::replace(&mut self.step, Step::Resting) {
            Step::Resting | Step::Issued => Next::Rest,
            Step::Sending(pending) => match incoming::answer(result, "token") {
                Ok(token) => {
                    self.step = Step::Issued;
                    Next::Issued(Token(token))
                }
                Err(failure) => self.refused(pending, failure),
            },
            Step::Renewing => match incoming::answer(result, "ticket") {
                Ok(boot) => {
                    self.boot = Boot(boot);
                    self.booted_at = self.browser.elapsed();
                    self.agree()
                }
                Err(failure) => Next::Failed(failure),
            },
            step => or_failed(self.seal(step, result, form)),
        }
    }

    fn agree(&mut self) -> Next {
        self.step = Step::Agreeing;
        or_failed(
            self.boot
                .sealing_key()
                .map(|[_, x, y]| Next::Wait(self.browser.agree(&x, &y))),
        )
    }

    /// One step of sealing (RFC 7518 §4.6, RFC 7516 §5.1). Nothing where the browser failed.
    fn seal(&mut self, step: Step, result: Result<JsValue, JsValue>, form: &mut Form) -> Option<Next> {
        let result = result.ok()?;
        let (promise, step) = match step {
            Step::Agreeing => {
                let agreed = Json::new(result);
                let point = self.browser.bytes(agreed.at("point").value());
                let secret = Zeroizing::new(self.browser.bytes(agreed.at("secret").value()));
                let draft = self.draft(Point::from_uncompressed(&point)?, form)?;
                let input = seal::kdf::content_key_input(secret.as_slice().try_into().ok()?);
                (self.browser.content_key(&*input), Step::Deriving(draft))
            }
            Step::Deriving(draft) => {
                let card = form.submit(self.now()).ok()?;
                let iv = self.random()?;
                // The one place of the frame where number and code are read: to seal them. All copies are wiped here.
                let payload = CardPayload::write(
                    card.number.expose(),
                    card.expiry.map(|expiry| (expiry.month, expiry.year)),
                    card.code.as_ref().map(Code::expose),
                );
                (
                    self.browser.encrypt(&result, &iv, draft.aad(), &payload),
                    Step::Encrypting(draft, iv),
                )
            }
            Step::Encrypting(draft, iv) => {
                let sealed = self.browser.bytes(&result);
                return Some(self.send(Pending {
                    envelope: draft.finish(&iv, &sealed).ok()?,
                    idempotency_key: self.browser.uuid(),
                }));
            }
            _ => return None,
        };
        self.step = step;
        Some(Next::Wait(promise))
    }

    fn draft(&self, epk: Point, form: &Form) -> Option<Draft> {
        let [kid, ..] = self.boot.sealing_key()?;
        let [widget_key, origin, ticket] = self.boot.binding()?;
        Some(Draft::new(&Header {
            kid,
            epk,
            claims: Claims {
                widget_key,
                origin,
                ticket,
                nonce: self.random()?,
                issued_at: self.now().0,
                form: form.kind().id().into(),
            },
        }))
    }

    fn random<const N: usize>(&self) -> Option<[u8; N]> {
        self.browser.random(N).try_into().ok()
    }

    fn send(&mut self, pending: Pending) -> Next {
        let body = outgoing::token_request(&pending.envelope, &self.init);
        let promise = self.browser.post(token::PATH, &body, &pending.idempotency_key);
        self.step = Step::Sending(pending);
        Next::Wait(promise)
    }

    fn refused(&mut self, pending: Pending, failure: Failure) -> Next {
        if !is_stale(&failure) {
            if failure.is_retryable() {
                self.pending = Some(pending);
            }
        } else if !self.renewed {
            self.renewed = true;
            self.step = Step::Renewing;
            return Next::Wait(self.browser.renew(&[boot::PATH, &self.query].concat()));
        }
        Next::Failed(failure)
    }
}

/// The next step of sealing, or the failure of the browser's cryptography.
fn or_failed(next: Option<Next>) -> Next {
    let failure = || {
        Failure::here(
            "sealing_failed",
            "service",
            "The browser could not encrypt the card.",
        )
    };
    next.unwrap_or_else(|| Next::Failed(failure()))
}

/// The boot data or the envelope is of yesterday: renewing and sealing anew may help.
fn is_stale(failure: &Failure) -> bool {
    matches!(
        failure.code().as_str(),
        "ticket_expired" | "sealing_key_unknown" | "nonce_replayed"
    )
}
