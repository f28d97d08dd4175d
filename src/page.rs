//! What comes from the page: texts, copied once, with nothing left behind.

use card::Field;
use wasm_bindgen::JsValue;
use zeroize::Zeroizing;

use crate::browser::Browser;

/// What stands in a field.
pub(crate) fn value(browser: &Browser, field: Field) -> Zeroizing<String> {
    read(&|at, buffer| browser.value(field.id(), at, buffer))
}

/// A text that came as a parameter.
pub(crate) fn text(browser: &Browser, text: &JsValue) -> Zeroizing<String> {
    read(&|at, buffer| browser.copy(text, at, buffer))
}

/// A text, by a function that writes it into a buffer from a place on and answers with its length.
fn read(copy: &dyn Fn(usize, &mut [u16]) -> usize) -> Zeroizing<String> {
    let mut buffer = Zeroizing::new([0; PIECE]);
    let length = copy(0, &mut *buffer);
    if length > MOST_LENGTH {
        return Zeroizing::new(TOO_MUCH.into());
    }
    // Room for three bytes a unit: a text that has to grow leaves a copy behind.
    let mut text = Zeroizing::new(String::with_capacity(length * 3));
    let mut at = 0;
    let units = core::iter::from_fn(|| {
        if at > 0 && at % PIECE == 0 {
            copy(at, &mut *buffer);
        }
        let unit = (at < length).then_some(buffer[at % PIECE]);
        at += 1;
        unit
    });
    for character in char::decode_utf16(units) {
        // Half of a pair is no digit, and not worth an error.
        text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    text
}

/// UTF-16 units that are copied at a time; more than people type or paste.
const PIECE: usize = 64;

/// UTF-16 units of the longest text that is looked through. Nobody types more; a script could put in any amount.
const MOST_LENGTH: usize = 64 * 1024;

/// Stands in for a longer text: more digits than a field keeps, so that it is refused as such and not cut.
const TOO_MUCH: &str = "000000000000000000000000000000000000000000";
