//! What a person does to a text field, and what becomes of the text by it.

use core::ops::Range;

use crate::digits::{Class, Folded, class, split_at_unit};

/// What the person does, as the browser's `beforeinput` tells it before it happens.
///
/// A selection is what every one of them replaces or deletes; without one it is the caret that counts.
#[derive(Clone, Copy)]
pub enum Edit<'a> {
    /// Keys, paste, drop: this text. Without a digit in it a selection stays as it is.
    Insert(&'a str),
    /// Backspace: the digit before the caret, over a gap if need be.
    DeleteBackward,
    /// Delete: the digit behind the caret, over a gap if need be.
    DeleteForward,
    /// Ctrl+Backspace: the group before the caret.
    DeleteWordBackward,
    /// Ctrl+Delete: the group behind the caret.
    DeleteWordForward,
    /// Cmd+Backspace: all before the caret.
    DeleteToStart,
    /// Ctrl+K: all behind the caret.
    DeleteToEnd,
    /// Cut, drag: the selection and nothing else.
    DeleteSelection,
}

/// How a text comes about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Came {
    /// At one go: it is one of the written forms.
    Whole,
    /// By one key more.
    Typed,
    /// Something was deleted: the rest stays as it is.
    Deleted,
}

/// A text as a change leaves it, in pieces: the caret stands behind `put`.
pub(crate) struct Change<'a> {
    head: &'a str,
    put: &'a str,
    /// What stays of the deleted: the mark between two parts.
    kept: &'a str,
    tail: &'a str,
    pub(crate) came: Came,
}

impl<'a> Change<'a> {
    /// What an edit makes of a text of ours, which is ASCII. `None` when it makes nothing of it.
    pub(crate) fn new(text: &'a str, selection: &Range<usize>, edit: Edit<'a>) -> Option<Self> {
        let len = text.len();
        let start = selection.start.min(len);
        let end = selection.end.clamp(start, len);
        let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        let back = |mut at: usize, digits: bool| {
            while at > 0 && is_digit(at - 1) == digits {
                at -= 1;
            }
            at
        };
        let forth = |mut at: usize, digits: bool| {
            while at < len && is_digit(at) == digits {
                at += 1;
            }
            at
        };
        let (mut from, mut to, mut put, mut came) = (start, end, "", Came::Deleted);
        match edit {
            Edit::Insert(text) => {
                put = text;
                let digits = count(text);
                // A key that means nothing here must not cost anybody what is selected.
                if digits == 0 && (start < end || !text.chars().any(|mark| class(mark) == Class::Separator)) {
                    return None;
                }
                came = if digits == 1 && start == end {
                    Came::Typed
                } else {
                    Came::Whole
                };
            }
            _ if start < end => {}
            Edit::DeleteBackward => {
                to = back(start, false);
                from = to.saturating_sub(1);
            }
            Edit::DeleteForward => to = len.min(forth(end, false) + 1),
            Edit::DeleteWordBackward => from = back(back(start, false), true),
            Edit::DeleteWordForward => to = forth(forth(end, false), true),
            Edit::DeleteToStart => from = 0,
            Edit::DeleteToEnd => to = len,
            Edit::DeleteSelection => {}
        }
        if put.is_empty() && forth(from, false) >= to {
            // No digit would go. A gap that is selected is not: the caret stands before it then.
            return (start < end).then_some(Self {
                head: part(text, 0..start),
                put,
                kept: "",
                tail: part(text, start..len),
                came,
            });
        }
        // The first mark among the deleted: a month must not flow into the year behind it.
        let mark = forth(from, true);
        let kept = if mark < to && to < len {
            mark..mark + 1
        } else {
            0..0
        };
        Some(Self {
            head: part(text, 0..from),
            put,
            kept: part(text, kept),
            tail: part(text, to..len),
            came,
        })
    }

    /// What was done to `text`, if all that is known is what came of it. `caret` counts UTF-16 units. The second is
    /// where the person was in the text before.
    pub(crate) fn guess(text: &'a str, value: &'a str, caret: usize) -> (Option<Self>, usize) {
        let (head, tail) = split_at_unit(value, caret);
        let Some(rest) = text.strip_suffix(tail) else {
            let came = Came::Whole;
            let (put, head, kept) = (head, "", "");
            return (
                Some(Self {
                    head,
                    put,
                    kept,
                    tail,
                    came,
                }),
                text.len(),
            );
        };
        // What stands behind the caret in both is what the person did not touch.
        let to = rest.len();
        let from = common(text, head).min(to);
        let put = part(head, from..head.len());
        let gone = part(text, from..to);
        let edit = match (count(gone), count(put)) {
            // A gap alone is gone: somebody who wanted the digit before it pressed Backspace.
            (0, 0) if !gone.is_empty() && put.is_empty() => {
                return (Self::new(text, &(to..to), Edit::DeleteBackward), to);
            }
            (1.., 0) => Edit::DeleteSelection,
            _ => Edit::Insert(put),
        };
        (Self::new(text, &(from..to), edit), from)
    }

    pub(crate) fn fold(&self) -> Folded {
        let mut folded = Folded::new();
        folded.add(self.head, true);
        folded.add(self.put, true);
        folded.add(self.kept, false);
        folded.add(self.tail, false);
        folded
    }
}

/// A part of a text of ours, which is ASCII: the places are always good.
fn part(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or("")
}

/// The smallest edit that turns one text into the other: what to replace in `old`, in bytes, and what to put there.
/// Both are texts of ours, ASCII.
pub fn difference<'a>(old: &str, new: &'a str) -> (Range<usize>, &'a str) {
    let start = common(old, new);
    let (mut old_end, mut new_end) = (old.len(), new.len());
    while old_end > start
        && new_end > start
        && old.as_bytes().get(old_end - 1) == new.as_bytes().get(new_end - 1)
    {
        old_end -= 1;
        new_end -= 1;
    }
    (start..old_end, part(new, start..new_end))
}

/// How many bytes are the same from the beginning.
fn common(old: &str, new: &str) -> usize {
    let pairs = old.bytes().zip(new.bytes());
    pairs.take_while(|(old, new)| old == new).count()
}

/// How many digits a text has.
pub(crate) fn count(text: &str) -> usize {
    text.chars()
        .filter(|character| matches!(class(*character), Class::Digit(_)))
        .count()
}
