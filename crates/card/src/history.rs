//! What a field held before: undo and redo.

use alloc::boxed::Box;

use zeroize::Zeroizing;

use crate::buffer::SIZE;
use crate::format::Own;

/// How many states of a field are kept. A number is typed in at most 19 steps.
const STATES: usize = 64;

/// Bytes of one state: length of the text, caret, start and end of the selection, whose the marks are, the text. One
/// flat piece of memory costs no copy on the stack when a state is taken down.
const STATE: usize = 5 + SIZE;

/// The states of one field, oldest first. All room is there from the start, and wiped on drop.
pub(crate) struct History {
    bytes: Box<Zeroizing<[u8; STATES * STATE]>>,
    /// How many states there are; at least 1.
    count: usize,
    current: usize,
}

/// What a field held at one time.
pub(crate) struct Past<'a> {
    pub(crate) text: &'a [u8],
    /// Where the caret was after the edit that led here.
    pub(crate) caret: u8,
    /// What was selected before the edit that led on from here.
    pub(crate) start: u8,
    pub(crate) end: u8,
    pub(crate) own: Own,
}

impl History {
    /// Of an empty field.
    pub(crate) fn new() -> Self {
        Self {
            bytes: Box::new(Zeroizing::new([0; STATES * STATE])),
            count: 1,
            current: 0,
        }
    }

    /// An edit of what was selected led to a new text. What was undone before can be redone no more. Without a selection
    /// the text came in another way, and everything before it is forgotten.
    pub(crate) fn take(&mut self, selected: Option<(usize, usize)>, text: &[u8], caret: usize, own: Own) {
        // Texts have at most `SIZE` bytes, so that places in them are below 256.
        let caret = caret as u8;
        match selected {
            Some((start, end)) => {
                self.write(2, &[start as u8, end as u8]);
                if self.current + 1 == STATES {
                    self.bytes.copy_within(STATE.., 0);
                } else {
                    self.current += 1;
                }
            }
            None => {
                self.bytes.fill(0);
                self.current = 0;
            }
        }
        self.count = self.current + 1;
        self.write(0, &[text.len() as u8, caret, caret, caret, own.0]);
        self.write(5, text);
    }

    /// Writes into the current state.
    fn write(&mut self, at: usize, bytes: &[u8]) {
        let at = self.current * STATE + at;
        if let Some(state) = self.bytes.get_mut(at..at + bytes.len()) {
            state.copy_from_slice(bytes);
        }
    }

    /// Goes one step back or forth, or several to the nearest state there with this text. Stays where it is at the ends.
    pub(crate) fn travel(&mut self, text: &str, back: bool) -> Option<Past<'_>> {
        let mut at = self.current;
        let mut found = None;
        loop {
            at = if back { at.wrapping_sub(1) } else { at + 1 };
            // Below zero lies the greatest number.
            if at >= self.count {
                break;
            }
            let is_it = self.state(at).is_some_and(|past| past.text == text.as_bytes());
            if is_it || found.is_none() {
                found = Some(at);
            }
            if is_it {
                break;
            }
        }
        self.current = found.unwrap_or(self.current);
        self.state(self.current)
    }

    fn state(&self, at: usize) -> Option<Past<'_>> {
        match self.bytes.get(at * STATE..)? {
            [len, caret, start, end, own, text @ ..] => Some(Past {
                text: text.get(..usize::from(*len))?,
                caret: *caret,
                start: *start,
                end: *end,
                own: Own(*own),
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_byte_of_an_old_text_is_left_when_it_starts_anew() {
        let mut history = History::new();
        for _ in 0..STATES + 5 {
            history.take(Some((1, 2)), b"4242 4242", 9, Own::SLASH);
        }
        assert!(history.bytes.contains(&b'4'));
        history.take(None, b"", 0, Own::NOTHING);
        assert!(history.bytes.iter().all(|byte| *byte == 0));
        assert_eq!((history.count, history.current), (1, 0));
    }

    #[test]
    fn the_oldest_state_is_forgotten() {
        let mut history = History::new();
        for step in 1..=STATES {
            history.take(Some((0, 0)), alloc::format!("{step}").as_bytes(), 0, Own::NOTHING);
        }
        for _ in 0..STATES * 2 {
            history.travel("none", true);
        }
        // The empty text was the first of 65.
        assert_eq!(history.travel("none", true).unwrap().text, b"1");
        for _ in 0..STATES * 2 {
            history.travel("none", false);
        }
        assert_eq!(history.travel("none", false).unwrap().text, b"64");
    }
}
