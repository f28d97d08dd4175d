#![doc = include_str!("../README.md")]

mod answers;
mod json;

use card::{Brand, Brands, UnixSeconds};
use wasm_bindgen::prelude::*;
use zeroize::{Zeroize, Zeroizing};

use crate::answers::Typed;

/// A small allocator, as in the frame.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: lol_alloc::LockedAllocator<lol_alloc::FreeListAllocator> =
    lol_alloc::LockedAllocator::new(lol_alloc::FreeListAllocator::new());

/// A card number. `brands` has bit n set for each brand that is taken, in the order of the table, and 0 takes all;
/// `choice` is the place of a chosen brand in the table, or any other number. `caret` counts UTF-16 units in `text`.
#[wasm_bindgen]
pub fn number(text: Vec<u16>, previous: Vec<u16>, caret: u32, brands: u32, choice: u32) -> JsValue {
    let typed = Typed {
        text: read(text),
        previous: read(previous),
        caret: caret as usize,
        own_slash: false,
    };
    let taken: Brands = all()
        .filter(|(bit, _)| brands >> bit & 1 == 1)
        .map(|(_, brand)| brand)
        .collect();
    let taken = (taken.count() > 0).then_some(taken);
    write(answers::number(&typed, taken, at(choice)))
}

/// An expiry date, judged at the time `now` in seconds since 1970. `own_slash` is what the answer before said of itself.
#[wasm_bindgen]
pub fn expiry(text: Vec<u16>, previous: Vec<u16>, caret: u32, own_slash: bool, now: f64) -> JsValue {
    let typed = Typed {
        text: read(text),
        previous: read(previous),
        caret: caret as usize,
        own_slash,
    };
    // A float that does not fit becomes the nearest that does.
    write(answers::expiry(&typed, UnixSeconds(now as u64)))
}

/// A security code, for a number or for the brand at that place of the table; any other place is no brand.
#[wasm_bindgen]
pub fn code(text: Vec<u16>, number: Vec<u16>, brand: u32) -> JsValue {
    write(answers::code(&read(text), &read(number), at(brand)))
}

/// The table of brands.
#[wasm_bindgen]
pub fn brands() -> JsValue {
    write(answers::brands())
}

fn all() -> impl Iterator<Item = (usize, Brand)> {
    Brand::ALL.into_iter().enumerate()
}

fn at(place: u32) -> Option<Brand> {
    Brand::ALL.get(place as usize).copied()
}

/// A text that came in. UTF-16, as it has one size from the start: UTF-8 would be put into a buffer that grows, and leave
/// a copy behind.
fn read(mut units: Vec<u16>) -> Zeroizing<String> {
    let mut text = Zeroizing::new(String::with_capacity(units.len() * 3));
    for character in char::decode_utf16(units.iter().copied()) {
        // Half a character is one that means nothing.
        text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    units.zeroize();
    text
}

/// A text on its way out; ours is wiped as soon as JavaScript has its own.
fn write(text: Zeroizing<String>) -> JsValue {
    JsValue::from_str(&text)
}
