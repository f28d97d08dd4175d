//! From JavaScript to Rust: boot data, the shop's `init`, the service's answers.
//!
//! Each is a type of its own over the parsed object, with a method per member that is used. Copying the members into
//! Rust structures would cost two kilobytes and save nothing: most of them go out again as they came in.

use wasm_bindgen::JsValue;

use crate::json::{Json, object};

/// Boot data as the service writes it into the page and answers on `/widget/v1/boot`: a `wire::boot::Boot`.
pub(crate) struct Boot(pub(crate) Json);

impl Boot {
    /// Wraps it; nothing when it is not boot data.
    pub(crate) fn new(json: Json) -> Option<Self> {
        json.text("ticket")?;
        Some(Self(json))
    }

    /// Widget key, the shop's origin, the ticket.
    pub(crate) fn binding(&self) -> Option<[String; 3]> {
        Some([
            self.0.text("key")?,
            self.0.text("origin")?,
            self.0.text("ticket")?,
        ])
    }

    /// Id of the key to seal for, and its coordinates in base64url.
    pub(crate) fn sealing_key(&self) -> Option<[String; 3]> {
        let key = self.0.at("sealing_key");
        Some([key.text("kid")?, key.text("x")?, key.text("y")?])
    }

    /// The service's clock when this was made, in seconds since 1970.
    pub(crate) fn now(&self) -> u64 {
        self.0.number("now").unwrap_or_default() as u64
    }
}

/// What the shop asked for: the message `Init` of `www/shared/messages.d.ts`.
pub(crate) struct Init(Json);

impl Init {
    /// A shop that asked for nothing yet.
    pub(crate) fn none() -> Self {
        Self(Json::new(JsValue::UNDEFINED))
    }

    /// Wraps the message; nothing for any other message.
    pub(crate) fn new(message: JsValue) -> Option<Self> {
        let message = Json::new(message);
        (message.text("type")? == "init").then_some(Self(message))
    }

    /// Amount for the button, in major units.
    pub(crate) fn amount(&self) -> Option<f64> {
        self.0.number("amount")
    }

    /// Currency of the amount, ISO 4217.
    pub(crate) fn currency(&self) -> Option<String> {
        self.0.text("currency")
    }

    /// The shop's own text of that dotted name.
    pub(crate) fn locale(&self, name: &str) -> Option<String> {
        self.0.at("locale").text(name)
    }

    /// A member for the token request, by its name there.
    pub(crate) fn customer(&self, name: &str) -> Json {
        self.0.at(name)
    }
}

/// A token: a `wire::token::TokenResponse`.
pub(crate) struct Token(pub(crate) Json);

/// Why there is no token: a `wire::ErrorBody`, or one made here for what the service cannot say.
pub(crate) struct Failure(pub(crate) Json);

impl Failure {
    /// One made here. Trying again may help with all of them.
    pub(crate) fn here(code: &str, actor: &str, message: &str) -> Self {
        Self(Json::new(JsValue::from(object(&[
            ("code", &code.into()),
            ("actor", &actor.into()),
            ("message", &message.into()),
            ("retryable", &true.into()),
            ("error_id", &"".into()),
        ]))))
    }

    /// Stable name: one of the service's codes, or `offline`, `timeout`, `answer_unreadable`, `sealing_failed`.
    pub(crate) fn code(&self) -> String {
        self.0.text("code").unwrap_or_default()
    }

    /// The shop has to act.
    pub(crate) fn is_for_merchant(&self) -> bool {
        self.0.text("actor").as_deref() == Some("merchant")
    }

    /// Submitting again can succeed without a change.
    pub(crate) fn is_retryable(&self) -> bool {
        self.0.is_true("retryable")
    }
}

/// The JSON body of a successful answer, or why there is none. `result` is what the promise of a request brought;
/// a body that lacks the text `member` is not an answer of the service, whatever its status: a proxy's page, say.
pub(crate) fn answer(result: Result<JsValue, JsValue>, member: &str) -> Result<Json, Failure> {
    let answer = result.map(Json::new).map_err(|code| {
        let code = code.as_string().unwrap_or_default();
        Failure::here(
            &code,
            "network",
            "The service could not be reached, or did not answer in time.",
        )
    })?;
    let body = answer.at("body");
    let ok = answer.is_true("ok");
    if body.text(if ok { member } else { "code" }).is_none() {
        Err(Failure::here(
            "answer_unreadable",
            "service",
            "The answer was not one of the service's.",
        ))
    } else if ok {
        Ok(body)
    } else {
        Err(Failure(body))
    }
}
