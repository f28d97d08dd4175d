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

use card::{Code, Field, Form, UnixSeconds};

use seal::{Claims, Draft, Header, Point};
use wasm_bindgen::JsValue;
use wire::boot;
use wire::payload::{CardPayload, PAYLOAD_LIMIT};
use wire::token;
use zeroize::Zeroizing;

use crate::browser::Browser;
use crate::incoming::{self, Boot, Failure, Init, Token};
use crate::json::Json;

/// What comes after a step.
pub(crate) enum Next {
    /// Nothing: a submit is under way already, or none is.
    Rest,
    /// Call [`Submission::resume`] with what this brings.
    Wait(JsValue),
    /// The token is there.
    Issued(Token),
    /// There is none, for this reason.
    Failed(Failure),
    /// There is none, because this field is the first that is empty or wrong.
    Wrong(Field),
}

/// Turns the form's card into a token.
pub(crate) struct Submission {
    pub(crate) browser: Browser,
    boot: Boot,
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
    idempotency_key: JsValue,
}

impl Submission {
    /// Starts with the boot data of the page.
    pub(crate) fn new(browser: Browser, boot: Boot) -> Self {
        Self {
            browser,
            boot,
            init: Init::none(),
            step: Step::Resting,
            renewed: false,
            pending: None,
        }
    }

    /// The service's time.
    pub(crate) fn now(&self) -> UnixSeconds {
        UnixSeconds(self.browser.now() as u64)
    }

    /// A submit is under way.
    pub(crate) fn is_busy(&self) -> bool {
        !matches!(self.step, Step::Resting | Step::Issued)
    }

    /// A token is there, and nothing was typed since.
    pub(crate) fn is_issued(&self) -> bool {
        matches!(self.step, Step::Issued)
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
            Step::Sending(pending) => match incoming::answer(&self.browser, result, "token") {
                Ok(token) => {
                    self.step = Step::Issued;
                    Next::Issued(Token(token))
                }
                Err(failure) => self.refused(pending, failure),
            },
            Step::Renewing => match incoming::answer(&self.browser, result, "ticket") {
                Ok(boot) => {
                    self.boot = Boot(boot);
                    self.agree()
                }
                Err(failure) => Next::Failed(failure),
            },
            step => match result {
                Ok(result) => {
                    let sealed = self.seal(step, result, form);
                    sealed.unwrap_or_else(|| Next::Failed(Failure::here(&self.browser, &JsValue::NULL)))
                }
                Err(reason) => Next::Failed(Failure::here(&self.browser, &reason)),
            },
        }
    }

    fn agree(&mut self) -> Next {
        self.step = Step::Agreeing;
        let (_, key) = self.boot.sealing_key();
        Next::Wait(self.browser.agree(&key))
    }

    /// One step of sealing (RFC 7518 §4.6, RFC 7516 §5.1). Nothing where the browser brought something strange.
    fn seal(&mut self, step: Step, result: JsValue, form: &mut Form) -> Option<Next> {
        let (promise, step) = match step {
            Step::Agreeing => {
                let agreed = Json::new(result);
                let mut point = [0; 65];
                let mut secret = Zeroizing::new([0; 32]);
                self.browser.bytes(agreed.at("point").value(), &mut point);
                self.browser.bytes(agreed.at("secret").value(), &mut *secret);
                let draft = self.draft(Point::from_uncompressed(&point)?, form);
                let input = seal::kdf::content_key_input(&secret);
                (self.browser.content_key(&*input), Step::Deriving(draft))
            }
            Step::Deriving(draft) => {
                let card = match form.submit(self.now()) {
                    Ok(card) => card,
                    // A script has put another value in since.
                    Err(wrong) => return Some(Next::Wrong(wrong)),
                };
                let iv = self.random();
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
                let mut sealed = [0; PAYLOAD_LIMIT + 16];
                let length = self.browser.bytes(&result, &mut sealed);
                return Some(self.send(Pending {
                    envelope: draft.finish(&iv, sealed.get(..length)?).ok()?,
                    idempotency_key: self.browser.uuid(),
                }));
            }
            _ => return None,
        };
        self.step = step;
        Some(Next::Wait(promise))
    }

    fn draft(&self, epk: Point, form: &Form) -> Draft {
        let nonce = self.random();
        let (kid, _) = self.boot.sealing_key();
        Draft::new(&Header {
            kid,
            epk,
            claims: Claims {
                widget_key: self.boot.binding("key"),
                origin: self.boot.binding("origin"),
                ticket: self.boot.binding("ticket"),
                nonce,
                issued_at: self.now().0,
                form: form.kind().id().into(),
            },
        })
    }

    fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.browser.random(&mut bytes);
        bytes
    }

    fn send(&mut self, pending: Pending) -> Next {
        let promise = self.browser.post(
            token::PATH,
            &pending.envelope,
            self.init.value(),
            &pending.idempotency_key,
        );
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
            return Next::Wait(self.browser.renew_boot(boot::PATH));
        }
        Next::Failed(failure)
    }
}

/// The boot data or the envelope is of yesterday: renewing and sealing anew may help.
fn is_stale(failure: &Failure) -> bool {
    matches!(
        failure.code().as_str(),
        "ticket_expired" | "sealing_key_unknown" | "nonce_replayed"
    )
}
