//! The form as a reducer: events in, views out. It touches no screen; the frame only carries values across.

mod entry;

use core::fmt;

use crate::brand::{self, Brand, Brands, Rules};
use crate::card::{Card, Field, FormKind};
use crate::code::{self, Code, CodeLength};
use crate::error::{ErrorId, State, Verdict};
use crate::expiry::{Came, Expiry, Parts, UnixSeconds};
use crate::format::{self, Edit};
use crate::number::{self, Pan};

use entry::{Entry, Shown};

/// A card form and all that was typed into it. Wiped by [`Form::clear`] and on drop, redacted when printed.
///
/// ```
/// use card_widget_card::{Field, Form, FormKind, State, UnixSeconds};
///
/// let mut form = Form::new(FormKind::PanOnly, UnixSeconds(1_800_000_000));
/// form.input(Field::Number, "4242424242424242", 16);
/// assert_eq!(form.view(Field::Number).text, "4242 4242 4242 4242");
/// assert_eq!(form.view(Field::Number).state, State::Valid);
/// let card = form.submit(UnixSeconds(1_800_000_000)).unwrap();
/// assert_eq!(card.number.mask(), "42424242****4242");
/// ```
pub struct Form {
    kind: FormKind,
    now: UnixSeconds,
    entries: [Entry; 3],
    focused: Option<Field>,
    advance: Option<Field>,
    advances: bool,
}

/// What a field shows.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct FieldView<'a> {
    /// The value, ASCII. For the field on the screen only: of the number and the code it is card data.
    pub text: &'a str,
    /// Where the caret belongs, in bytes and UTF-16 units alike, after an input into this field; `None` when it
    /// should be left alone.
    pub caret: Option<usize>,
    /// State of the value. A value that lacks nothing but is wrong turns `Invalid` once the person left the field.
    pub state: State,
    /// The error to show now, if any: `aria-invalid` follows it.
    pub error: Option<ErrorId>,
    /// Nothing was typed.
    pub empty: bool,
    /// The person is in the field.
    pub focused: bool,
}

impl Form {
    /// An empty form. `now` judges expiry dates until [`Form::submit`] brings a newer time.
    pub fn new(kind: FormKind, now: UnixSeconds) -> Self {
        Self {
            kind,
            now,
            entries: [Entry::new(), Entry::new(), Entry::new()],
            focused: None,
            advance: None,
            advances: true,
        }
    }

    /// What the form asks for.
    pub fn kind(&self) -> FormKind {
        self.kind
    }

    /// Moving on to the next field by itself, on at first.
    pub fn set_auto_advance(&mut self, on: bool) {
        self.advances = on;
    }

    /// The caret stood here (UTF-16 units, in the text of the last view) before the input that follows. Needed for
    /// one thing only: without it, deleting a gap is always taken for Backspace.
    pub fn select(&mut self, field: Field, caret: usize) {
        self.entries[field as usize].selected = Some(caret);
    }

    /// The value of a field changed, in whatever way: key, paste, autofill, script. `caret` counts UTF-16 units.
    ///
    /// The view that follows has the formatted text. A value with more digits than a field keeps (32 in a number, 12
    /// in a date) changes nothing but the error, a value that is the field's already not even that. Ignored for fields
    /// that the form does not have.
    pub fn input(&mut self, field: Field, value: &str, caret: usize) {
        self.advance = None;
        if !self.kind.fields().contains(&field) {
            return;
        }
        let entry = &mut self.entries[field as usize];
        if entry.text.as_str() == value {
            entry.keep(caret);
            return;
        }
        let before = entry.before();
        let edit = Edit { value, caret };
        let formatted = match field {
            Field::Number => format::number(before, edit),
            Field::Expiry => format::expiry(before, edit, self.now),
            Field::Code => format::code(before, edit),
        };
        let grew = self.entries[field as usize].take(formatted);
        if grew {
            self.advance = self.next(field);
        }
    }

    /// The person came into a field.
    pub fn focus(&mut self, field: Field) {
        self.focused = Some(field);
        self.advance = None;
    }

    /// The person left a field: what it holds is judged as final.
    pub fn blur(&mut self, field: Field) {
        self.advance = None;
        if self.focused == Some(field) {
            self.focused = None;
        }
        self.entries[field as usize].leave();
    }

    /// The field to move the focus to after the last input: the length is certain, the value right, the caret at its
    /// end, the person still there, the next field empty.
    pub fn advance(&self) -> Option<Field> {
        self.advance
    }

    /// What a field shows.
    pub fn view(&self, field: Field) -> FieldView<'_> {
        let entry = &self.entries[field as usize];
        let verdict = self.judge(field);
        let mut state = verdict.state;
        let mut error = verdict.error;
        if entry.refused {
            state = State::Invalid;
            error = Some(too_long(field));
        } else if let Some(id) = error
            && state == State::Incomplete
        {
            match entry.shown {
                Shown::Hard => error = None,
                Shown::Left if id.is_empty() => error = None,
                Shown::Left | Shown::All if !id.is_incomplete() => state = State::Invalid,
                Shown::Left | Shown::All => {}
            }
        }
        FieldView {
            text: entry.text.as_str(),
            caret: entry.caret,
            state,
            error,
            empty: entry.text.is_empty(),
            focused: self.focused == Some(field),
        }
    }

    /// The brands that the number may belong to; none while it is empty.
    pub fn candidates(&self) -> Brands {
        let digits = format::digits(self.entries[Field::Number as usize].text.as_str());
        brand::candidates(digits.as_bytes())
    }

    /// The brand, once decided.
    pub fn brand(&self) -> Option<Brand> {
        self.candidates().decided()
    }

    /// How many digits the code has, for its hint.
    pub fn code_length(&self) -> CodeLength {
        CodeLength::of(self.candidates())
    }

    /// Every field is right.
    pub fn is_valid(&self) -> bool {
        self.first_wrong().is_none()
    }

    /// Makes a card of what was typed, or names the first wrong field and shows all errors. What was typed stays.
    pub fn submit(&mut self, now: UnixSeconds) -> Result<Card, Field> {
        self.now = now;
        self.advance = None;
        for entry in &mut self.entries {
            entry.shown = Shown::All;
        }
        match self.first_wrong() {
            Some(field) => Err(field),
            None => self.card(),
        }
    }

    /// Empties and wipes the form.
    pub fn clear(&mut self) {
        self.advance = None;
        for entry in &mut self.entries {
            entry.wipe();
        }
    }

    fn first_wrong(&self) -> Option<Field> {
        let wrong =
            |field: &Field| self.entries[*field as usize].refused || self.judge(*field) != Verdict::VALID;
        self.kind.fields().iter().copied().find(wrong)
    }

    fn judge(&self, field: Field) -> Verdict {
        let text = self.entries[field as usize].text.as_str();
        match field {
            Field::Number => number::judge(format::digits(text).as_str()),
            Field::Expiry => Parts::read(text, self.now, Came::Typed).judge(self.now),
            Field::Code => code::judge(text.len(), self.code_length()),
        }
    }

    fn card(&self) -> Result<Card, Field> {
        let number = format::digits(self.entries[Field::Number as usize].text.as_str());
        let number = Pan::new(number.as_str()).ok_or(Field::Number)?;
        if self.kind == FormKind::PanOnly {
            return Ok(Card {
                number,
                expiry: None,
                code: None,
            });
        }
        let parts = Parts::read(
            self.entries[Field::Expiry as usize].text.as_str(),
            self.now,
            Came::Typed,
        );
        let expiry = match (parts.year(), parts.month()) {
            (Some(year), Some(month)) => Expiry::new(year, month, self.now).map_err(|_| Field::Expiry)?,
            _ => return Err(Field::Expiry),
        };
        let code = self.entries[Field::Code as usize].text.as_str();
        let code = Code::new(code, self.code_length()).ok_or(Field::Code)?;
        Ok(Card {
            number,
            expiry: Some(expiry),
            code: Some(code),
        })
    }

    /// Where to go from a field, if it is time to.
    fn next(&self, field: Field) -> Option<Field> {
        let entry = &self.entries[field as usize];
        let certain = match field {
            Field::Number => {
                let rules = Rules::of(self.candidates().best());
                format::digits(entry.text.as_str()).len() == rules.longest()
            }
            Field::Expiry => true,
            Field::Code => false,
        };
        let here = self.advances && self.focused == Some(field) && entry.caret == Some(entry.text.len());
        if !here || !certain || self.judge(field) != Verdict::VALID {
            return None;
        }
        let fields = self.kind.fields();
        let next = fields.get(field as usize + 1).copied()?;
        self.entries[next as usize].text.is_empty().then_some(next)
    }
}

fn too_long(field: Field) -> ErrorId {
    match field {
        Field::Number => ErrorId::NumberTooLong,
        Field::Expiry => ErrorId::ExpiryIncomplete,
        Field::Code => ErrorId::CodeTooLong,
    }
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Form(..)")
    }
}

impl fmt::Debug for FieldView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldView")
            .field("state", &self.state)
            .field("error", &self.error)
            .field("empty", &self.empty)
            .field("focused", &self.focused)
            .finish_non_exhaustive()
    }
}
