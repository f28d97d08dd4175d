#![doc = include_str!("../README.md")]

mod answer;
mod callback;
mod json;
mod request;
mod retry;
mod shape;
mod table;

use wasm_bindgen::prelude::*;
use wire::interface::StatusCode;
use wire::interface::call::Failure;
use zeroize::Zeroizing;

use crate::answer::Read;
use crate::json::Kind;
use crate::shape::Wrong;
use crate::table::{CALLS, Call};

/// A small allocator, as in the frame.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: lol_alloc::LockedAllocator<lol_alloc::FreeListAllocator> =
    lol_alloc::LockedAllocator::new(lol_alloc::FreeListAllocator::new());

/// Names of all calls, one a line. Behind the name of one that is about a customer stands ` customer`. Their places are what
/// the other functions call them by.
#[wasm_bindgen]
pub fn calls() -> JsValue {
    let mut names = String::new();
    for call in CALLS {
        let customer = match call.entry.customer {
            wire::interface::call::Customer::Nobody => "\n",
            _ => " customer\n",
        };
        names.extend([call.entry.name, customer]);
    }
    write(names)
}

/// What goes over the wire: method, target, access token of the customer and body, one a line; or `!`, the parameter that is
/// wrong, and what is wrong with it.
#[wasm_bindgen]
pub fn prepare(call: usize, customer: Vec<u8>, params: Vec<u8>) -> JsValue {
    let (customer, params) = (Zeroizing::new(customer), Zeroizing::new(params));
    let prepared = at(call).and_then(|call| request::prepare(call, text(&customer)?, text(&params)?));
    match prepared {
        Ok(request) => write(
            [
                request.method,
                "\n",
                &request.target,
                "\n",
                &request.auth,
                "\n",
                &request.body,
            ]
            .concat(),
        ),
        Err(wrong) => write(["!", &wrong.param, "\n", &sentence(&wrong)].concat()),
    }
}

/// What came back: `answer`, `refused` or `earlier` and JSON, or `unreadable` and what it is, one a line. `is_repeat` says that an
/// earlier attempt may have been carried out: a refusal may then be news of that one.
#[wasm_bindgen]
pub fn read(call: usize, status: u16, is_repeat: bool, body: &[u8]) -> JsValue {
    let Ok(call) = at(call) else {
        return JsValue::NULL;
    };
    write(match answer::read(call, status, body) {
        Read::Answer(json) => ["answer\n", &json].concat(),
        Read::Refused(json) => {
            let code = request::member(&json, "code").map(|code| StatusCode::from(code.trim_matches('"')));
            let tells = is_repeat && code.is_some_and(|code| call.entry.repeat.tells_of_earlier(&code));
            [if tells { "earlier\n" } else { "refused\n" }, &json].concat()
        }
        Read::Unreadable(what) => ["unreadable\n", what].concat(),
    })
}

/// Milliseconds after which to try again, or -1. `status` is that of the answer, 0 when nothing was sent and 1 when no answer came;
/// `reset` is what the answer says of the limit in seconds, or -1; `random` lies in 0 to 1.
#[wasm_bindgen]
pub fn wait(call: usize, status: u16, reset: i32, attempt: u32, random: f64) -> f64 {
    let failure = match status {
        0 => Failure::NotSent,
        1 => Failure::Lost,
        status => Failure::Status(status),
    };
    let wait = at(call).ok().and_then(|call| {
        retry::wait(
            call.entry.repeat,
            failure,
            u32::try_from(reset).ok(),
            attempt,
            random,
        )
    });
    wait.unwrap_or(-1.0)
}

/// The call that tells what became of one whose answer was lost, and its parameters as JSON, one a line; empty where there is none.
#[wasm_bindgen]
pub fn remedy(call: usize, params: Vec<u8>) -> JsValue {
    let params = Zeroizing::new(params);
    let remedy = at(call)
        .ok()
        .and_then(|call| request::remedy(call, text(&params).ok()?));
    write(
        remedy
            .map(|(name, told)| [name, "\n", &told].concat())
            .unwrap_or_default(),
    )
}

/// One row of a report, or any other JSON of that call: amounts as text. Empty where it is no JSON.
#[wasm_bindgen]
pub fn row(call: usize, json: &[u8]) -> JsValue {
    let mut copy = String::new();
    let read = at(call).and_then(|call| Ok(answer::amounts_as_text(text(json)?, call.amounts, &mut copy)?));
    write(read.map(|()| copy).unwrap_or_default())
}

/// Whether a callback with that header is genuine.
#[wasm_bindgen]
pub fn verify(password: Vec<u8>, body: &[u8], header: &[u8]) -> bool {
    callback::is_genuine(&Zeroizing::new(password), body, header)
}

/// What a callback tells of: its kind, its key and its body, one a line. Empty where it is none of the service's.
#[wasm_bindgen]
pub fn event(body: &[u8]) -> JsValue {
    let event = text(body).ok().and_then(|body| callback::event(body).ok());
    write(
        event
            .map(|event| [event.kind, "\n", &event.key, "\n", &event.body].concat())
            .unwrap_or_default(),
    )
}

fn at(place: usize) -> Result<&'static Call, Wrong> {
    CALLS.get(place).ok_or(Wrong::from(json::Broken))
}

fn text(bytes: &[u8]) -> Result<&str, Wrong> {
    core::str::from_utf8(bytes).map_err(|_| Wrong::from(json::Broken))
}

/// "`amount` must be …; received a number."
fn sentence(wrong: &Wrong) -> String {
    let name = match &*wrong.param {
        "" => "the parameters",
        name => name,
    };
    let received = match wrong.received {
        None => ".",
        Some(Kind::Object) => "; received an object.",
        Some(Kind::List) => "; received a list.",
        Some(Kind::Text) => "; received another text.",
        Some(Kind::Number) => "; received a number.",
        Some(Kind::Flag) => "; received true or false.",
        Some(Kind::Null) => "; received null.",
    };
    [name, " must be ", &wrong.must, received].concat()
}

fn write(text: String) -> JsValue {
    JsValue::from_str(&Zeroizing::new(text))
}
