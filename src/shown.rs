//! What the page shows, and what person and shop were told last: nothing is shown, said or told twice, and a key press
//! looks up no text that stands there already.

use card::{Brand, Brands, ErrorId, Field, Form, State};

/// What stands on the page.
#[derive(Default)]
pub(crate) struct Shown {
    /// By `Field as usize`.
    notes: [Option<Note>; 3],
    brand: Option<Brand>,
    choices: [Option<Brand>; 2],
    pub(crate) said: Option<Said>,
    /// The networks that were named last, for a number that still has them.
    pub(crate) named: [Option<Brand>; 2],
    told: Option<Summary>,
    /// A line below the button speaks of the last submit.
    pub(crate) status: bool,
}

/// What the line below a field depends on.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Note {
    pub(crate) error: Option<ErrorId>,
    /// Fewest digits of the code.
    pub(crate) digits: usize,
    /// The service refused the field.
    pub(crate) refused: bool,
}

/// What was said last.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Said {
    Error(Field, ErrorId),
    /// One network, or the two of a co-badged card; none where the number has lost its own.
    Networks([Option<Brand>; 2]),
}

/// What the shop may know of the form.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Summary {
    pub(crate) fields: [FieldSummary; 3],
    pub(crate) brands: Brands,
    pub(crate) choices: Brands,
    pub(crate) brand: Option<Brand>,
    pub(crate) complete: bool,
}

/// The same of one field.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct FieldSummary {
    pub(crate) state: State,
    pub(crate) error: Option<ErrorId>,
    pub(crate) empty: bool,
    pub(crate) focused: bool,
}

impl Shown {
    /// The texts may be others: those of the fields have to be looked up anew.
    pub(crate) fn forget_texts(&mut self) {
        self.notes = [None; 3];
    }

    /// Notes it; `true` when it is new.
    pub(crate) fn note(&mut self, field: Field, note: Note) -> bool {
        self.notes
            .get_mut(field as usize)
            .is_some_and(|old| old.replace(note) != Some(note))
    }

    /// Notes it; `true` when it is new.
    pub(crate) fn brand(&mut self, brand: Option<Brand>) -> bool {
        core::mem::replace(&mut self.brand, brand) != brand
    }

    /// Notes it; `true` when it is new.
    pub(crate) fn choices(&mut self, choices: [Option<Brand>; 2]) -> bool {
        core::mem::replace(&mut self.choices, choices) != choices
    }

    /// The networks that are offered.
    pub(crate) fn offered(&self) -> [Option<Brand>; 2] {
        self.choices
    }

    /// Notes it; `true` when it is new.
    pub(crate) fn told(&mut self, summary: Summary) -> bool {
        self.told.replace(summary) != Some(summary)
    }
}

impl Summary {
    /// Of a form as it is now.
    pub(crate) fn of(form: &Form) -> Self {
        let field = |field| {
            let view = form.view(field);
            FieldSummary {
                state: view.state,
                error: view.error,
                empty: view.empty,
                focused: view.focused,
            }
        };
        Self {
            fields: [field(Field::Number), field(Field::Expiry), field(Field::Code)],
            brands: form.candidates(),
            choices: form.choices(),
            brand: form.brand(),
            complete: form.is_valid(),
        }
    }
}
