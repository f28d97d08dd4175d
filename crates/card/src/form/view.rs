//! What comes out of the form for the screen.

use core::fmt;

use crate::error::{ErrorId, State};

/// What a field shows.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct FieldView<'a> {
    /// The value, ASCII. For the field on the screen only: of the number and the code it is card data.
    pub text: &'a str,
    /// Where the caret belongs, in bytes and UTF-16 units alike, after an input into this field; `None` when it
    /// should be left alone.
    pub caret: Option<usize>,
    /// How many characters from the caret on are selected: after an undo what was selected before the edit, after a key
    /// that means nothing what is selected still.
    pub selected: usize,
    /// State of the value. A value that lacks nothing but is wrong turns `Invalid` once the person left the field.
    pub state: State,
    /// The error to show now, if any: `aria-invalid` follows it.
    pub error: Option<ErrorId>,
    /// Nothing was typed.
    pub empty: bool,
    /// The person is in the field.
    pub focused: bool,
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
