//! The security code.

use alloc::string::String;
use core::fmt;

use zeroize::Zeroizing;

use crate::brand::Brands;
use crate::error::{ErrorId, Verdict};

/// How many digits the code of a card has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeLength {
    /// Three, on the back of most cards.
    Three,
    /// Four, on the front of American Express.
    Four,
    /// The brand is not known, or those that are still possible differ.
    ThreeOrFour,
}

impl CodeLength {
    /// The length that all brands share which a number may belong to.
    pub fn of(brands: Brands) -> Self {
        // Without a match so far the number may turn out to be of no known brand.
        let Some(best) = brands.best() else {
            return Self::ThreeOrFour;
        };
        let length = best.rules().code_length();
        match length {
            _ if brands.iter().any(|brand| brand.rules().code_length() != length) => Self::ThreeOrFour,
            3 => Self::Three,
            4 => Self::Four,
            _ => Self::ThreeOrFour,
        }
    }

    /// Fewest digits.
    pub fn shortest(self) -> usize {
        match self {
            Self::Three | Self::ThreeOrFour => 3,
            Self::Four => 4,
        }
    }

    /// Most digits.
    pub fn longest(self) -> usize {
        match self {
            Self::Three => 3,
            Self::Four | Self::ThreeOrFour => 4,
        }
    }
}

/// Judges a code by its count of digits.
pub fn judge(digits: usize, length: CodeLength) -> Verdict {
    if digits == 0 {
        Verdict::incomplete(ErrorId::CodeEmpty)
    } else if digits < length.shortest() {
        Verdict::incomplete(ErrorId::CodeIncomplete)
    } else if digits <= length.longest() {
        Verdict::VALID
    } else {
        Verdict::invalid(ErrorId::CodeTooLong)
    }
}

/// A security code of 3 or 4 digits. Wiped on drop, redacted when printed, never compared.
pub struct Code {
    digits: Zeroizing<String>,
}

impl Code {
    /// Takes ASCII digits; `None` unless there are as many as `length` says.
    pub fn new(digits: &str, length: CodeLength) -> Option<Self> {
        let source = digits.as_bytes();
        if source.len() < length.shortest()
            || source.len() > length.longest()
            || !source.iter().all(u8::is_ascii_digit)
        {
            return None;
        }
        Some(Self {
            digits: Zeroizing::new(digits.into()),
        })
    }

    /// The digits. Say at each use why they are needed.
    pub fn expose(&self) -> &str {
        &self.digits
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(..)")
    }
}
