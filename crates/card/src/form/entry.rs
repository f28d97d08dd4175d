//! One field of the form.

use crate::buffer::Buffer;
use crate::format::{Before, Formatted};

/// Which errors are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// While the person types: only those that no further typing can mend.
    Hard,
    /// After the person left: all but that the field is empty.
    Left,
    /// After a submit: all.
    All,
}

/// What was typed into a field and what the person did there.
pub(super) struct Entry {
    pub(super) text: Buffer,
    /// Where to put the caret after the last input.
    pub(super) caret: Option<usize>,
    /// Where the caret stood before the input to come, if somebody told.
    pub(super) selected: Option<usize>,
    pub(super) shown: Shown,
    /// The last input had more digits than the field keeps.
    pub(super) refused: bool,
    own_slash: bool,
}

impl Entry {
    pub(super) fn new() -> Self {
        Self {
            text: Buffer::new(),
            caret: None,
            selected: None,
            shown: Shown::Hard,
            refused: false,
            own_slash: false,
        }
    }

    pub(super) fn before(&self) -> Before<'_> {
        Before {
            text: self.text.as_str(),
            caret: self.selected,
            own_slash: self.own_slash,
        }
    }

    /// Takes the outcome of an edit; `None` is one that does not fit. `true` when something was put in.
    pub(super) fn take(&mut self, formatted: Option<Formatted>) -> bool {
        let selected = self.selected.take();
        self.shown = Shown::Hard;
        self.refused = formatted.is_none();
        match formatted {
            Some(formatted) => {
                self.text = formatted.text;
                self.caret = Some(formatted.caret);
                self.own_slash = formatted.own_slash;
                formatted.grew
            }
            None => {
                self.caret = Some(selected.unwrap_or(self.text.len()).min(self.text.len()));
                false
            }
        }
    }

    /// Takes an input that changed nothing.
    pub(super) fn keep(&mut self, caret: usize) {
        self.selected = None;
        self.refused = false;
        self.caret = Some(caret.min(self.text.len()));
    }

    pub(super) fn leave(&mut self) {
        self.caret = None;
        self.selected = None;
        if self.shown == Shown::Hard {
            self.shown = Shown::Left;
        }
    }

    pub(super) fn wipe(&mut self) {
        self.text.wipe();
        self.caret = None;
        self.selected = None;
        self.shown = Shown::Hard;
        self.refused = false;
        self.own_slash = false;
    }
}
