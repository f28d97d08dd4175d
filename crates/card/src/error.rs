//! What is known of a field's value.

/// State of a field. "Not yet complete" is not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// More typing can make it right; an empty field is incomplete.
    Incomplete,
    /// Right as it stands.
    Valid,
    /// Wrong, and more typing at its end does not help.
    Invalid,
}

impl State {
    /// Name on the wire: `incomplete`, `valid`, `invalid`.
    pub fn id(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::Valid => "valid",
            Self::Invalid => "invalid",
        }
    }
}

/// What is wrong with a field, or what it still lacks. The person who typed is the one who can act on all of them.
///
/// The numbers and the keys are stable: texts and tests refer to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum ErrorId {
    /// No digit of the number was typed.
    NumberEmpty = 0,
    /// The number has too few digits, or a count that its brand does not have.
    NumberIncomplete = 1,
    /// The check digit does not fit: a digit is wrong or two changed places.
    NumberInvalid = 2,
    /// More digits than a card of this brand has.
    NumberTooLong = 3,
    /// One digit all over.
    NumberRepeated = 4,
    /// No digit of the date was typed.
    ExpiryEmpty = 5,
    /// Month or year is missing, or a digit of the year.
    ExpiryIncomplete = 6,
    /// The month is not 1 to 12.
    ExpiryMonth = 7,
    /// The month has ended everywhere on earth.
    ExpiryPast = 8,
    /// The year lies beyond [`crate::expiry::HORIZON`].
    ExpiryFar = 9,
    /// No digit of the code was typed.
    CodeEmpty = 10,
    /// Fewer digits than the brand's codes have.
    CodeIncomplete = 11,
    /// More digits than the brand's codes have.
    CodeTooLong = 12,
    /// More digits than a date has.
    ExpiryTooLong = 13,
    /// The number belongs to a brand that the shop does not take.
    NumberBrand = 14,
}

impl ErrorId {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 15] = [
        Self::NumberEmpty,
        Self::NumberIncomplete,
        Self::NumberInvalid,
        Self::NumberTooLong,
        Self::NumberRepeated,
        Self::ExpiryEmpty,
        Self::ExpiryIncomplete,
        Self::ExpiryMonth,
        Self::ExpiryPast,
        Self::ExpiryFar,
        Self::CodeEmpty,
        Self::CodeIncomplete,
        Self::CodeTooLong,
        Self::ExpiryTooLong,
        Self::NumberBrand,
    ];

    /// Name of the error, which is also the key of its text in `www/texts/*.json` under `errors`.
    pub fn text_key(self) -> &'static str {
        match self {
            Self::NumberEmpty => "number_empty",
            Self::NumberIncomplete => "number_incomplete",
            Self::NumberInvalid => "number_invalid",
            Self::NumberTooLong => "number_too_long",
            Self::NumberRepeated => "number_repeated",
            Self::ExpiryEmpty => "expiry_empty",
            Self::ExpiryIncomplete => "expiry_incomplete",
            Self::ExpiryMonth => "expiry_month",
            Self::ExpiryPast => "expiry_past",
            Self::ExpiryFar => "expiry_far",
            Self::CodeEmpty => "code_empty",
            Self::CodeIncomplete => "code_incomplete",
            Self::CodeTooLong => "code_too_long",
            Self::ExpiryTooLong => "expiry_too_long",
            Self::NumberBrand => "number_brand",
        }
    }

    /// The field is empty. Said only after a refused submit: nobody has to be told so for passing through a field.
    pub fn is_empty(self) -> bool {
        matches!(self, Self::NumberEmpty | Self::ExpiryEmpty | Self::CodeEmpty)
    }

    /// A digit put in before the others may mend it.
    pub(crate) fn is_of_beginning(self) -> bool {
        matches!(self, Self::ExpiryPast | Self::ExpiryFar | Self::NumberBrand)
    }

    /// The value is not wrong, only unfinished.
    pub fn is_incomplete(self) -> bool {
        self.is_empty()
            || matches!(
                self,
                Self::NumberIncomplete | Self::ExpiryIncomplete | Self::CodeIncomplete
            )
    }
}

/// Judgement of a value as it stands.
///
/// `state` says what more typing can do; `error` says what is wrong if nothing more is typed. A Visa number of 16
/// digits with a wrong check digit is `Incomplete` (19 digits exist) and `NumberInvalid` (once the person leaves).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// What more typing can do.
    pub state: State,
    /// What is wrong if this is all; `None` exactly when `state` is `Valid`.
    pub error: Option<ErrorId>,
}

impl Verdict {
    pub(crate) const VALID: Self = Self {
        state: State::Valid,
        error: None,
    };

    pub(crate) const fn incomplete(error: ErrorId) -> Self {
        Self {
            state: State::Incomplete,
            error: Some(error),
        }
    }

    pub(crate) const fn invalid(error: ErrorId) -> Self {
        Self {
            state: State::Invalid,
            error: Some(error),
        }
    }
}
