//! The card number.

use alloc::string::String;
use core::fmt;

use zeroize::Zeroizing;

use crate::brand::{self, Brand, Brands, Rules};
use crate::error::{ErrorId, Verdict};

/// Fewest digits of any card number (Maestro).
pub const SHORTEST: usize = 12;

/// Most digits of any card number (ISO/IEC 7812-1).
pub const LONGEST: usize = 19;

/// Judges ASCII digits as they stand in the form.
///
/// A wrong check digit or one digit all over is `Invalid` only where the brand has no longer numbers; before that the
/// state is `Incomplete` and the error stands ready for when the person leaves the field.
pub fn judge(digits: &str) -> Verdict {
    judge_as(digits, brand::candidates(digits.as_bytes()).rules())
}

/// The same where the rules are known already.
pub(crate) fn judge_as(digits: &str, rules: Rules) -> Verdict {
    let count = digits.len();
    if count == 0 {
        return Verdict::incomplete(ErrorId::NumberEmpty);
    }
    if count > rules.longest() {
        return Verdict::invalid(ErrorId::NumberTooLong);
    }
    if !rules.has_length(count) {
        return Verdict::incomplete(ErrorId::NumberIncomplete);
    }
    let error = if is_repeated(digits) {
        ErrorId::NumberRepeated
    } else if rules.has_luhn() && !has_check_digit(digits) {
        ErrorId::NumberInvalid
    } else {
        return Verdict::VALID;
    };
    if count == rules.longest() {
        Verdict::invalid(error)
    } else {
        Verdict::incomplete(error)
    }
}

/// The Luhn formula (ISO/IEC 7812-1 annex B): from the right, every second digit counts twice, as the sum of its own
/// digits, and all of them make a multiple of ten. Anything but ASCII digits fails.
///
/// Ours because the crate `luhn` skips what is no digit, passes a lone `0`, and costs 0.3 KB in the frame; the tests
/// hold the two against each other.
pub(crate) fn has_check_digit(digits: &str) -> bool {
    let mut sum = 0;
    for (place, byte) in digits.bytes().rev().enumerate() {
        if !byte.is_ascii_digit() {
            return false;
        }
        let digit = u32::from(byte - b'0');
        // 2 * 5 = 10 counts as 1 + 0, which is 10 - 9, and so on up to 18.
        sum += match place % 2 {
            0 => digit,
            _ if digit < 5 => digit * 2,
            _ => digit * 2 - 9,
        };
    }
    digits.len() >= SHORTEST && sum % 10 == 0
}

/// One digit all over: the commonest invented number, and zeros pass Luhn.
pub(crate) fn is_repeated(digits: &str) -> bool {
    let bytes = digits.as_bytes();
    bytes.windows(2).all(|pair| pair.first() == pair.last())
}

/// A card number whose digits, length and check digit fit its brand. Wiped on drop, redacted when printed, never
/// compared. The digits are on the heap, so that moving a card leaves no copy on the stack.
pub struct Pan {
    digits: Zeroizing<String>,
    /// Found once: whoever reads a card asks for its brand several times.
    brands: Brands,
}

impl Pan {
    /// Takes ASCII digits and nothing else; `None` unless [`judge`] finds them valid.
    pub fn new(digits: &str) -> Option<Self> {
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Self::of(digits, brand::candidates(digits.as_bytes()))
    }

    /// The same of ASCII digits and the brands that they may belong to.
    pub(crate) fn of(digits: &str, brands: Brands) -> Option<Self> {
        if judge_as(digits, brands.rules()) != Verdict::VALID {
            return None;
        }
        Some(Self {
            digits: Zeroizing::new(digits.into()),
            brands,
        })
    }

    /// The digits. Say at each use why they are needed.
    pub fn expose(&self) -> &str {
        &self.digits
    }

    /// The brand; `None` where no known range holds the number.
    pub fn brand(&self) -> Option<Brand> {
        self.brands.best()
    }

    /// The brands that it may belong to.
    pub(crate) fn brands(&self) -> Brands {
        self.brands
    }

    /// The mask that may be shown and kept: the first 8 digits (6 of numbers under 16 digits), a `*` for each hidden
    /// digit but at least three, the last 4. 13 to 19 characters (wire notes §3.8, §1).
    pub fn mask(&self) -> String {
        let digits = self.expose();
        let head = if digits.len() < 16 { 6 } else { 8 };
        let tail = digits.len().saturating_sub(4);
        let mut mask = String::with_capacity(LONGEST);
        mask.push_str(digits.get(..head).unwrap_or(""));
        for _ in 0..tail.saturating_sub(head).max(3) {
            mask.push('*');
        }
        mask.push_str(digits.get(tail..).unwrap_or(""));
        mask
    }
}

impl fmt::Debug for Pan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pan(..)")
    }
}
