//! Digits of any script, and what stands between them.

use crate::buffer::{Buffer, DIGIT_LIMIT};

/// What one character means in a card field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A decimal digit of any script, as its value 0 to 9.
    Digit(u8),
    /// A space, dash, dot, comma or slash of any kind: people put them between groups.
    Separator,
    /// Anything else, invisible marks included. Ignored.
    Other,
}

/// Tells what a character means.
pub fn class(character: char) -> Class {
    let point = character as u32;
    if let Some(digit) = digit(point) {
        return Class::Digit(digit);
    }
    match character {
        '\t'..='\r' | ' ' | ',' | '-' | '.' | '/' | '\\' | '_' | '|' | '\u{85}' | '\u{a0}' | '\u{b7}' => {
            Class::Separator
        }
        // Spaces, dashes, line ends, fraction and division slash, minus; their full-width and small forms.
        '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2010}'..='\u{2015}'
        | '\u{2022}'
        | '\u{2024}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202f}'
        | '\u{2043}'
        | '\u{2044}'
        | '\u{205f}'
        | '\u{2212}'
        | '\u{2215}'
        | '\u{3000}'
        | '\u{3002}'
        | '\u{30fb}'
        | '\u{30fc}'
        | '\u{fe58}'
        | '\u{fe63}'
        | '\u{ff0c}'..='\u{ff0f}'
        | '\u{ff3f}'
        | '\u{ff61}' => Class::Separator,
        _ => Class::Other,
    }
}

/// The digits of a value, and where the caret stood among them.
pub struct Folded {
    digits: Buffer,
    before_caret: usize,
    gap_before_caret: bool,
    split: Option<usize>,
    overflow: bool,
}

impl Folded {
    pub(crate) fn new() -> Self {
        Self {
            digits: Buffer::new(),
            before_caret: 0,
            gap_before_caret: false,
            split: None,
            overflow: false,
        }
    }

    /// Takes in the next piece of the value, which lies before the caret or behind it.
    pub(crate) fn add(&mut self, piece: &str, before_caret: bool) {
        for character in piece.chars() {
            match class(character) {
                Class::Digit(digit) => {
                    if self.digits.len() == DIGIT_LIMIT || !self.digits.push(b'0' + digit) {
                        self.overflow = true;
                    } else if before_caret {
                        self.before_caret += 1;
                        self.gap_before_caret = false;
                    }
                }
                Class::Separator => {
                    // Before any digit a slash stands for a part that was deleted; other marks there mean nothing.
                    if self.split.is_none() && (!self.digits.is_empty() || character == '/') {
                        self.split = Some(self.digits.len());
                    }
                    self.gap_before_caret |= before_caret;
                }
                Class::Other => {}
            }
        }
    }

    /// The digits as ASCII, at most 32.
    pub fn digits(&self) -> &str {
        self.digits.as_str()
    }

    /// How many of the digits stand before the caret.
    pub fn before_caret(&self) -> usize {
        self.before_caret
    }

    /// A separator stands between the caret and the last digit before it.
    pub fn gap_before_caret(&self) -> bool {
        self.gap_before_caret
    }

    /// How many digits stand before the first separator; `None` without one.
    pub fn split(&self) -> Option<usize> {
        self.split
    }

    /// There were more digits than fit: `digits` is not the whole value and must not be taken for it.
    pub fn overflows(&self) -> bool {
        self.overflow
    }

    pub(crate) fn into_digits(self) -> Buffer {
        self.digits
    }
}

/// Takes the digits out of a value. `caret` counts UTF-16 units, as browsers do; beyond the end means the end.
pub fn fold(value: &str, caret: usize) -> Folded {
    let (head, tail) = split_at_unit(value, caret);
    let mut folded = Folded::new();
    folded.add(head, true);
    folded.add(tail, false);
    folded
}

/// Splits a text at a count of UTF-16 units; beyond the end means the end, between the halves of a surrogate pair
/// means after the pair.
pub(crate) fn split_at_unit(text: &str, unit: usize) -> (&str, &str) {
    let mut rest = text.chars();
    let mut units = 0;
    while units < unit {
        match rest.next() {
            Some(character) => units += character.len_utf16(),
            None => break,
        }
    }
    let tail = rest.as_str();
    (text.get(..text.len() - tail.len()).unwrap_or(""), tail)
}

/// Value of a code point of the general category Nd.
fn digit(point: u32) -> Option<u8> {
    let (zeros, low): (&[u16], u32) = match point {
        0x30..=0x39 => return Some((point - 0x30) as u8),
        0x3a..0x660 | 0..0x30 => return None,
        0x660..0x1_0000 => (&ZEROS, point),
        // Five styles of mathematical digits follow each other from a start that is no multiple of ten.
        0x1_d7ce..=0x1_d7ff => return Some(((point - 0x1_d7ce) % 10) as u8),
        0x1_0000..0x2_0000 => (&HIGH_ZEROS, point - 0x1_0000),
        _ => return None,
    };
    // `low` is below 0x1_0000 in both arms, and the difference below 10: no cast loses anything.
    let after = zeros.partition_point(|zero| u32::from(*zero) <= low);
    let zero = *zeros.get(after.checked_sub(1)?)?;
    let value = low - u32::from(zero);
    (value < 10).then_some(value as u8)
}

/// Where the digits of each script begin: code points of category Nd with value 0, Unicode 17.0
/// (`extracted/DerivedNumericType.txt`), above ASCII and below U+10000.
const ZEROS: [u16; 36] = [
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6,
    0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0,
    0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

/// The same from U+10000 to U+1FFFF, less 0x10000, without the mathematical digits.
const HIGH_ZEROS: [u16; 35] = [
    0x04a0, 0x0d30, 0x0d40, 0x1066, 0x10f0, 0x1136, 0x11d0, 0x12f0, 0x1450, 0x14d0, 0x1650, 0x16c0, 0x16d0,
    0x16da, 0x1730, 0x18e0, 0x1950, 0x1bf0, 0x1c50, 0x1d50, 0x1da0, 0x1de0, 0x1f50, 0x6130, 0x6a60, 0x6ac0,
    0x6b50, 0x6d70, 0xccf0, 0xe140, 0xe2f0, 0xe4f0, 0xe5f1, 0xe950, 0xfbf0,
];
