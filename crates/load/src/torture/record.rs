//! What was sent in one life of the service, and what was heard of it.

use std::sync::Arc;

use crate::submission::Submission;

/// Requests whose answer came, and requests whose answer did not.
#[derive(Default)]
pub(super) struct Record {
    /// With the token of the answer.
    pub(super) answered: Vec<(Arc<Submission>, String)>,
    /// Sent at least in part, and not answered.
    pub(super) cut: Vec<Arc<Submission>>,
}

impl Record {
    /// Adds what another thread or another life has recorded.
    pub(super) fn extend(&mut self, other: Self) {
        self.answered.extend(other.answered);
        self.cut.extend(other.cut);
    }

    /// The same in so many parts.
    pub(super) fn split(self, parts: usize) -> Vec<Self> {
        let mut all: Vec<Self> = (0..parts).map(|_| Self::default()).collect();
        for (n, answered) in self.answered.into_iter().enumerate() {
            all[n % parts].answered.push(answered);
        }
        for (n, cut) in self.cut.into_iter().enumerate() {
            all[n % parts].cut.push(cut);
        }
        all
    }
}
