//! One text field of a browser.

use std::collections::VecDeque;
use std::ops::Range;

/// What was shown at one time, as the form should remember it.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) text: String,
    pub(crate) caret: usize,
    /// What was selected when the person went on from here.
    pub(crate) left: Range<usize>,
}

/// One text field of a browser, and what it should be able to go back to.
pub(crate) struct Input {
    pub(crate) selection: Range<usize>,
    pub(crate) history: VecDeque<Shown>,
    pub(crate) current: usize,
}

impl Input {
    pub(crate) fn new() -> Self {
        let mut input = Self {
            selection: 0..0,
            history: VecDeque::new(),
            current: 0,
        };
        input.restart("", 0);
        input
    }

    pub(crate) fn restart(&mut self, text: &str, caret: usize) {
        self.history.clear();
        self.current = 0;
        self.push(text, caret);
    }

    pub(crate) fn push(&mut self, text: &str, caret: usize) {
        self.history.truncate(self.current + 1);
        self.history.push_back(Shown {
            text: text.to_owned(),
            caret,
            left: caret..caret,
        });
        // The form keeps 64 states of a field.
        if self.history.len() > 64 {
            self.history.pop_front();
        }
        self.current = self.history.len() - 1;
    }
}
