//! A whole card, and the vault's second look at one.

use core::fmt;

use crate::brand;
use crate::code::{Code, CodeLength};
use crate::error::ErrorId;
use crate::expiry::{Expiry, UnixSeconds};
use crate::number::{self, Pan};

/// What a form asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormKind {
    /// Number, expiry and code: a payment.
    FullCard,
    /// The number alone: receiving money.
    PanOnly,
}

impl FormKind {
    /// Name in the interface: `full_card`, `pan_only`.
    pub fn id(self) -> &'static str {
        match self {
            Self::FullCard => "full_card",
            Self::PanOnly => "pan_only",
        }
    }

    /// The kind of an `id`.
    pub fn from_id(id: &str) -> Option<Self> {
        [Self::FullCard, Self::PanOnly]
            .into_iter()
            .find(|kind| kind.id() == id)
    }

    /// The fields of the form, in their order on the screen.
    pub fn fields(self) -> &'static [Field] {
        match self {
            Self::FullCard => &[Field::Number, Field::Expiry, Field::Code],
            Self::PanOnly => &[Field::Number],
        }
    }
}

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Field {
    /// Card number.
    Number = 0,
    /// Expiry date.
    Expiry = 1,
    /// Security code.
    Code = 2,
}

impl Field {
    /// Stable name for programs.
    pub fn id(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Expiry => "expiry",
            Self::Code => "code",
        }
    }
}

/// A card that was good when it was made: every part there is was checked.
#[derive(Debug)]
#[non_exhaustive]
pub struct Card {
    /// The number.
    pub number: Pan,
    /// `None` exactly in a `pan_only` form.
    pub expiry: Option<Expiry>,
    /// `None` in a `pan_only` form, and of a mobile wallet.
    pub code: Option<Code>,
}

impl Card {
    /// Checks the parts of a card that came from outside. Strict: ASCII digits only, nothing is cleaned or guessed.
    /// `expiry` is month and four-digit year. A number of no known brand passes with 12 to 19 digits and a check
    /// digit.
    pub fn parse(
        number: &str,
        expiry: Option<(u8, u16)>,
        code: Option<&str>,
        kind: FormKind,
        now: UnixSeconds,
    ) -> Result<Self, CardError> {
        let number = parse_number(number)?;
        let (expiry, code) = match kind {
            FormKind::PanOnly if expiry.is_some() => return Err(CardError::Surplus(Field::Expiry)),
            FormKind::PanOnly if code.is_some() => return Err(CardError::Surplus(Field::Code)),
            FormKind::PanOnly => (None, None),
            FormKind::FullCard => {
                let (month, year) = expiry.ok_or(CardError::Missing(Field::Expiry))?;
                let code = code.ok_or(CardError::Missing(Field::Code))?;
                let expiry = Expiry::new(year, month, now).map_err(|error| match error {
                    ErrorId::ExpiryMonth => CardError::ExpiryMonth,
                    ErrorId::ExpiryPast => CardError::ExpiryPast,
                    _ => CardError::ExpiryFar,
                })?;
                (Some(expiry), Some(parse_code(code, &number)?))
            }
        };
        Ok(Self { number, expiry, code })
    }

    /// What a mobile wallet stands for: a number and a month that the wallet vouches for, and never a code.
    pub fn without_code(number: Pan, expiry: Expiry) -> Self {
        Self {
            number,
            expiry: Some(expiry),
            code: None,
        }
    }

    /// A number alone, which money can be sent to.
    pub fn number_alone(number: Pan) -> Self {
        Self {
            number,
            expiry: None,
            code: None,
        }
    }
}

fn parse_number(digits: &str) -> Result<Pan, CardError> {
    if digits.is_empty() {
        return Err(CardError::Missing(Field::Number));
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CardError::NumberCharacters);
    }
    let brands = brand::candidates(digits.as_bytes());
    if !brands.rules().has_length(digits.len()) {
        Err(CardError::NumberLength)
    } else if number::is_repeated(digits) {
        Err(CardError::NumberRepeated)
    } else {
        // Length and repetition are settled, so only the check digit can be left.
        Pan::of(digits, brands).ok_or(CardError::NumberCheckDigit)
    }
}

fn parse_code(digits: &str, number: &Pan) -> Result<Code, CardError> {
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CardError::CodeCharacters);
    }
    Code::new(digits, CodeLength::of(number.brands())).ok_or(CardError::CodeLength)
}

/// Why a card from outside was refused. Says which rule, never which digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CardError {
    /// The number has something other than ASCII digits.
    NumberCharacters,
    /// No number of this brand has so many digits.
    NumberLength,
    /// The check digit does not fit.
    NumberCheckDigit,
    /// One digit all over.
    NumberRepeated,
    /// The month is not 1 to 12.
    ExpiryMonth,
    /// The month has ended everywhere on earth.
    ExpiryPast,
    /// The year lies beyond [`crate::expiry::HORIZON`].
    ExpiryFar,
    /// The code has something other than ASCII digits.
    CodeCharacters,
    /// The brand's codes have another count of digits.
    CodeLength,
    /// The form asks for this part and it is not there.
    Missing(Field),
    /// The form does not ask for this part and it is there.
    Surplus(Field),
}

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NumberCharacters => "the card number has characters that are not digits",
            Self::NumberLength => "the card number has a wrong count of digits",
            Self::NumberCheckDigit => "the card number's check digit does not fit",
            Self::NumberRepeated => "the card number is one digit all over",
            Self::ExpiryMonth => "the expiry month is not 1 to 12",
            Self::ExpiryPast => "the card has expired",
            Self::ExpiryFar => "the expiry year is too far ahead",
            Self::CodeCharacters => "the security code has characters that are not digits",
            Self::CodeLength => "the security code has a wrong count of digits",
            Self::Missing(Field::Number) => "the card number is missing",
            Self::Missing(Field::Expiry) => "the expiry date is missing",
            Self::Missing(Field::Code) => "the security code is missing",
            Self::Surplus(Field::Number) => "there is a card number where none belongs",
            Self::Surplus(Field::Expiry) => "there is an expiry date where none belongs",
            Self::Surplus(Field::Code) => "there is a security code where none belongs",
        })
    }
}

impl core::error::Error for CardError {}
