//! The calls: what is known of each, read off the types of `wire` by `build.rs`.

use wire::interface::call::Entry;

use crate::shape::{Member, Shape};

/// A call.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) entry: &'static Entry,
    /// What stands in the path's braces.
    pub(crate) path: &'static [Member],
    /// What stands in the query.
    pub(crate) query: &'static [Member],
    /// What stands in the body.
    pub(crate) body: &'static [Member],
    /// What comes back.
    pub(crate) answer: Answer,
    /// Members of the answer that are amounts written as numbers.
    pub(crate) amounts: &'static [&'static str],
}

/// What comes back.
#[derive(Debug)]
pub(crate) enum Answer {
    /// Nothing.
    Nothing,
    /// An object with at least one of these members.
    Object(&'static [&'static str]),
    /// A list.
    List,
}

include!(concat!(env!("OUT_DIR"), "/table.rs"));
