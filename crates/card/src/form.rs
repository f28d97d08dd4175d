//! The form as a reducer: events in, views out. It touches no screen; the frame only carries values across.

mod entry;
mod view;

use core::fmt;
use core::ops::Range;

use crate::brand::{self, Brand, Brands};
use crate::buffer::Buffer;
use crate::card::{Card, Field, FormKind};
use crate::code::{self, Code, CodeLength};
use crate::edit::{Came, Change, Edit, count};
use crate::error::{ErrorId, State, Verdict};
use crate::expiry::{Expiry, Parts, UnixSeconds};
use crate::format::{self, Formatted};
use crate::number::{self, Pan};

use entry::{Entry, Shown};
pub use view::FieldView;

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
    /// What the number may be.
    found: Brands,
    /// What the shop takes; `None` is everything.
    taken: Option<Brands>,
    /// What the person chose, and out of which networks.
    chosen: Option<(Brand, Brands)>,
}

impl Form {
    /// An empty form. `now` judges expiry dates until [`Form::submit`] brings a newer time.
    pub fn new(kind: FormKind, now: UnixSeconds) -> Self {
        Self {
            kind,
            now,
            entries: [
                Entry::new(ErrorId::NumberEmpty),
                Entry::new(ErrorId::ExpiryEmpty),
                Entry::new(ErrorId::CodeEmpty),
            ],
            focused: None,
            advance: None,
            advances: true,
            found: Brands::NONE,
            taken: None,
            chosen: None,
        }
    }

    /// What the form asks for.
    pub fn kind(&self) -> FormKind {
        self.kind
    }

    /// Moving on to the next field by itself, on at first.
    pub fn set_auto_advance(&mut self, on: bool) {
        self.advances = on;
        self.advance = None;
    }

    /// The brands that the shop takes; `None` is all. A number of another brand is wrong as soon as no digit to come
    /// can help.
    pub fn restrict(&mut self, brands: Option<Brands>) {
        self.taken = brands;
        self.advance = None;
        self.settle();
    }

    /// The person is about to edit a field. `selection` is where, in UTF-16 units of the text of the last view.
    ///
    /// The view that follows has what the field is to show. A value with more digits than a field keeps (32 in a
    /// number, 12 in a date) changes nothing but the error. Each edit that changes the text is one step of the history.
    /// Ignored for fields that the form does not have.
    pub fn edit(&mut self, field: Field, selection: Range<usize>, edit: Edit<'_>) {
        self.advance = None;
        if !self.kind.fields().contains(&field) {
            return;
        }
        let text = self.entries[field as usize].text.as_str();
        let change = Change::new(text, &selection, edit);
        let outcome = change.map(|change| (change.came, self.format(field, &change)));
        self.take(field, outcome, selection, true);
    }

    /// The value of a field changed in another way: autofill, a script, the end of a composition. `caret` counts UTF-16
    /// units. What was there before cannot be undone any more.
    pub fn input(&mut self, field: Field, value: &str, caret: usize) {
        self.advance = None;
        if !self.kind.fields().contains(&field) {
            return;
        }
        let text = self.entries[field as usize].text.as_str();
        if text == value {
            return self.entries[field as usize].stay(caret..caret);
        }
        let (change, place) = Change::guess(text, value, caret);
        let outcome = change.map(|change| (change.came, self.format(field, &change)));
        self.take(field, outcome, place..place, false);
    }

    /// The browser went back in its own history of a field, and `value` is what it shows now. Goes to the nearest state
    /// before that had this text, or else to the one before.
    pub fn undo(&mut self, field: Field, value: &str) {
        self.travel(field, value, true);
    }

    /// The same forth.
    pub fn redo(&mut self, field: Field, value: &str) {
        self.travel(field, value, false);
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

    /// Shows all errors, those of empty fields too, as a submit does.
    pub fn judge(&mut self) {
        for entry in &mut self.entries {
            entry.shown = Shown::All;
        }
    }

    /// The field to move the focus to after the last input: the length is certain, the value right, the caret at its
    /// end, the person still there, the next field empty.
    pub fn advance(&self) -> Option<Field> {
        self.advance
    }

    /// What a field shows.
    pub fn view(&self, field: Field) -> FieldView<'_> {
        let entry = &self.entries[field as usize];
        let Verdict { mut state, mut error } = entry.verdict;
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
            selected: entry.selected,
            state,
            error,
            empty: entry.text.is_empty(),
            focused: self.focused == Some(field),
        }
    }

    /// The brands that the number may belong to; none while it is empty.
    pub fn candidates(&self) -> Brands {
        self.found
    }

    /// The networks of a co-badged card from which the person may choose: two, or none.
    pub fn choices(&self) -> Brands {
        let pair = self.found.pair().within(self.taken);
        if pair.count() == 2 { pair } else { Brands::NONE }
    }

    /// The person chose one of [`Form::choices`]; anything else is ignored. Forgotten when the choices change.
    pub fn choose(&mut self, brand: Brand) {
        let choices = self.choices();
        if choices.contains(brand) {
            self.chosen = Some((brand, choices));
        }
    }

    /// The brand, once decided. Of a co-badged card: the chosen one, else the first that the shop takes.
    pub fn brand(&self) -> Option<Brand> {
        let pair = self.found.pair().within(self.taken);
        let chosen = self.chosen.map(|(brand, _)| brand);
        chosen.or_else(|| pair.iter().next()).or(self.found.decided())
    }

    /// How many digits the code has, for its hint.
    pub fn code_length(&self) -> CodeLength {
        CodeLength::of(self.found)
    }

    /// The first field that is empty or wrong.
    pub fn first_wrong(&self) -> Option<Field> {
        let wrong = |field: &Field| {
            let entry = &self.entries[*field as usize];
            entry.refused || entry.verdict != Verdict::VALID
        };
        self.kind.fields().iter().copied().find(wrong)
    }

    /// Every field is right.
    pub fn is_valid(&self) -> bool {
        self.first_wrong().is_none()
    }

    /// Makes a card of what was typed, or names the first wrong field and shows all errors. What was typed stays.
    pub fn submit(&mut self, now: UnixSeconds) -> Result<Card, Field> {
        self.now = now;
        self.advance = None;
        self.settle();
        self.judge();
        match self.first_wrong() {
            Some(field) => Err(field),
            None => {
                // What was typed over is not kept beyond this, and the rules for codes forbid it.
                self.entries[Field::Code as usize].forget();
                self.card()
            }
        }
    }

    /// Empties and wipes the form.
    pub fn clear(&mut self) {
        self.advance = None;
        for entry in &mut self.entries {
            entry.wipe();
        }
        self.found = Brands::NONE;
        self.settle();
    }

    fn format(&self, field: Field, change: &Change<'_>) -> Option<Formatted> {
        let entry = &self.entries[field as usize];
        match field {
            Field::Number => format::number(entry.text.as_str(), change, true),
            Field::Expiry => format::expiry(entry.own, change, self.now),
            Field::Code => format::number(entry.text.as_str(), change, false),
        }
    }

    /// Takes the outcome of a change: nothing where it means nothing, and no text where it does not fit.
    fn take(
        &mut self,
        field: Field,
        outcome: Option<(Came, Option<Formatted>)>,
        selection: Range<usize>,
        recorded: bool,
    ) {
        let entry = &mut self.entries[field as usize];
        entry.stay(selection);
        let Some((came, formatted)) = outcome else {
            return;
        };
        if let (Field::Number, Some(formatted)) = (field, &formatted) {
            self.found = formatted.brands;
        }
        let changed = entry.take(formatted, recorded);
        self.settle();
        let entry = &mut self.entries[field as usize];
        if came == Came::Deleted {
            // Who deletes in the middle goes on typing there: a beginning that is wrong may yet be another one.
            if entry.caret < Some(entry.text.len())
                && entry.verdict.error.is_some_and(ErrorId::is_of_beginning)
            {
                entry.verdict.state = State::Incomplete;
            }
        } else if changed {
            self.advance = self.next(field);
        }
    }

    fn travel(&mut self, field: Field, value: &str, back: bool) {
        self.advance = None;
        self.entries[field as usize].travel(value, back);
        self.found = brand::candidates(self.number().as_bytes());
        self.settle();
    }

    /// Judges anew after something changed: the code depends on the number, the date on the time.
    fn settle(&mut self) {
        let digits = self.number();
        let choices = self.choices();
        self.chosen = self.chosen.filter(|(_, of)| *of == choices);
        for field in [Field::Number, Field::Expiry, Field::Code] {
            let text = self.entries[field as usize].text.as_str();
            self.entries[field as usize].verdict = match field {
                Field::Number => self.judge_number(digits.as_str()),
                Field::Expiry => Parts::read(text, self.now).judge(self.now),
                Field::Code => code::judge(text.len(), self.code_length()),
            };
        }
    }

    /// The digits of the number.
    fn number(&self) -> Buffer {
        format::digits(self.entries[Field::Number as usize].text.as_str())
    }

    fn judge_number(&self, digits: &str) -> Verdict {
        if !digits.is_empty() && self.taken.is_some() && self.found.within(self.taken).count() == 0 {
            return Verdict::invalid(ErrorId::NumberBrand);
        }
        number::judge_as(digits, self.found.rules())
    }

    fn card(&self) -> Result<Card, Field> {
        let number = Pan::new(self.number().as_str()).ok_or(Field::Number)?;
        if self.kind == FormKind::PanOnly {
            return Ok(Card {
                number,
                expiry: None,
                code: None,
            });
        }
        let parts = Parts::read(self.entries[Field::Expiry as usize].text.as_str(), self.now);
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
            Field::Number => count(entry.text.as_str()) == self.found.rules().longest(),
            // MM/YY: not 2029/1, which may become 2029/12.
            Field::Expiry => entry.text.len() == 5,
            Field::Code => false,
        };
        let here = self.advances && self.focused == Some(field) && entry.caret == Some(entry.text.len());
        if !here || !certain || entry.verdict != Verdict::VALID {
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
        Field::Expiry => ErrorId::ExpiryTooLong,
        Field::Code => ErrorId::CodeTooLong,
    }
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Form(..)")
    }
}
