//! From JavaScript to Rust: boot data, the shop's `init`, the service's answers.
//!
//! Each is a type of its own over the parsed object, with a method per member that is used. Copying the members into
//! Rust structures would cost two kilobytes and save nothing: most of them go out again as they came in.

use card::{Brand, Brands};
use wasm_bindgen::JsValue;

use crate::browser::Browser;
use crate::json::Json;

/// Boot data as the service writes it into the page and answers on `/widget/v1/boot`: a `wire::boot::Boot`.
pub(crate) struct Boot(pub(crate) Json);

impl Boot {
    /// Wraps it; nothing when it is not boot data.
    pub(crate) fn new(json: Json) -> Option<Self> {
        json.text("ticket")?;
        Some(Self(json))
    }

    /// The key to seal for: its id, and as a JSON Web Key.
    pub(crate) fn sealing_key(&self) -> (String, JsValue) {
        let key = self.0.at("sealing_key");
        (key.string("kid"), key.into_value())
    }

    /// What the envelope is bound to: `key`, `origin` or `ticket`. The service would refuse an empty one.
    pub(crate) fn binding(&self, name: &str) -> String {
        self.0.string(name)
    }
}

/// What the shop asks for: the message `Init` or `Update` of `www/shared/messages.d.ts`.
pub(crate) struct Init(Json);

impl Init {
    /// A shop that asked for nothing yet.
    pub(crate) fn none() -> Self {
        Self(Json::new(JsValue::UNDEFINED))
    }

    /// Wraps the message.
    pub(crate) fn new(message: JsValue) -> Self {
        Self(Json::new(message))
    }

    /// Tag of the language.
    pub(crate) fn lang(&self) -> String {
        self.0.string("lang")
    }

    /// The networks that the shop takes; nothing where it takes all.
    pub(crate) fn brands(&self) -> Option<Brands> {
        let brands = self.0.at("brands");
        let ids = (0..).map_while(|index| brands.item(index));
        brands
            .is_there()
            .then(|| ids.filter_map(|id| Brand::from_id(&id)).collect())
    }

    /// Moving on to the next field by itself.
    pub(crate) fn auto_advance(&self) -> bool {
        !self.0.at("auto_advance").is_false()
    }

    /// The shop's own text of that dotted name.
    pub(crate) fn locale(&self, name: &str) -> Option<JsValue> {
        let text = self.0.at("locale").at(name);
        text.is_there().then(|| text.into_value())
    }

    /// A member as it is.
    pub(crate) fn member(&self, name: &str) -> Json {
        self.0.at(name)
    }

    /// The message itself.
    pub(crate) fn value(&self) -> &JsValue {
        self.0.value()
    }
}

/// A token: a `wire::token::TokenResponse`.
pub(crate) struct Token(pub(crate) Json);

/// Why there is no token: a `wire::ErrorBody`, or one of `www/frame/lend.js` for what the service cannot say.
pub(crate) struct Failure(pub(crate) Json);

impl Failure {
    /// One that the service cannot say, by the code that a lent function has failed with. Anything else is
    /// `sealing_failed`.
    pub(crate) fn here(browser: &Browser, reason: &JsValue) -> Self {
        Self(Json::new(browser.failure(reason)))
    }

    /// Minutes to wait before the next attempt, at least one.
    pub(crate) fn minutes(&self) -> usize {
        let seconds = self.0.number("wait").unwrap_or_default() as usize;
        seconds.div_ceil(60).max(1)
    }

    /// The whole body.
    pub(crate) fn value(&self) -> &JsValue {
        self.0.value()
    }

    /// Stable name: one of the service's codes, or of [`Self::here`].
    pub(crate) fn code(&self) -> String {
        self.0.string("code")
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
pub(crate) fn answer(
    browser: &Browser,
    result: Result<JsValue, JsValue>,
    member: &str,
) -> Result<Json, Failure> {
    let answer = match result {
        Ok(answer) => Json::new(answer),
        Err(code) => return Err(Failure::here(browser, &code)),
    };
    let body = answer.at("body");
    let ok = answer.is_true("ok");
    if body.text(if ok { member } else { "code" }).is_none() {
        Err(Failure::here(browser, &"answer_unreadable".into()))
    } else if ok {
        Ok(body)
    } else {
        Err(Failure(body))
    }
}
