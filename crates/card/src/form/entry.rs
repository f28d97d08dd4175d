//! One field of the form.

use core::ops::Range;

use crate::buffer::Buffer;
use crate::error::{ErrorId, Verdict};
use crate::format::{Formatted, Own};
use crate::history::History;

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
    /// What the text amounts to.
    pub(super) verdict: Verdict,
    /// Where the caret belongs after the last input, and how many characters from there on are selected.
    pub(super) caret: Option<usize>,
    pub(super) selected: usize,
    pub(super) shown: Shown,
    /// The last input had more digits than the field keeps.
    pub(super) refused: bool,
    pub(super) own: Own,
    history: History,
}

impl Entry {
    pub(super) fn new(empty: ErrorId) -> Self {
        Self {
            text: Buffer::new(),
            verdict: Verdict::incomplete(empty),
            caret: None,
            selected: 0,
            shown: Shown::Hard,
            refused: false,
            own: Own::NOTHING,
            history: History::new(),
        }
    }

    /// Takes a new text; `None` is one that does not fit. What led to it is recorded together with what is selected, or
    /// nothing before it can be undone. Answers whether the text is another now.
    pub(super) fn take(&mut self, formatted: Option<Formatted>, recorded: bool) -> bool {
        self.shown = Shown::Hard;
        self.refused = formatted.is_none();
        let Some(Formatted { text, caret, own, .. }) = formatted else {
            return false;
        };
        let selected = self
            .caret
            .filter(|_| recorded)
            .map(|start| (start, start + self.selected));
        self.caret = Some(caret);
        self.selected = 0;
        self.own = own;
        let changed = text.as_bytes() != self.text.as_bytes();
        if changed {
            self.history.take(selected, text.as_bytes(), caret, own);
            self.text = text;
        }
        changed
    }

    /// Nothing changes, the selection neither.
    pub(super) fn stay(&mut self, selection: Range<usize>) {
        let end = self.text.len();
        let start = selection.start.min(end);
        self.caret = Some(start);
        self.selected = selection.end.clamp(start, end) - start;
    }

    /// The browser went back or forth in its history and shows this text now.
    pub(super) fn travel(&mut self, text: &str, back: bool) {
        let Some(past) = self.history.travel(text, back) else {
            return;
        };
        self.text.wipe();
        for byte in past.text {
            self.text.push(*byte);
        }
        let (start, end) = if back {
            (past.start, past.end)
        } else {
            (past.caret, past.caret)
        };
        self.caret = Some(usize::from(start));
        self.selected = usize::from(end.saturating_sub(start));
        self.own = past.own;
        self.shown = Shown::Hard;
        self.refused = false;
    }

    pub(super) fn leave(&mut self) {
        self.caret = None;
        if self.shown == Shown::Hard {
            self.shown = Shown::Left;
        }
    }

    /// Nothing can be undone any more.
    pub(super) fn forget(&mut self) {
        self.history
            .take(None, self.text.as_bytes(), self.text.len(), self.own);
    }

    pub(super) fn wipe(&mut self) {
        self.text.wipe();
        self.caret = None;
        self.selected = 0;
        self.shown = Shown::Hard;
        self.refused = false;
        self.own = Own::NOTHING;
        self.forget();
    }
}
