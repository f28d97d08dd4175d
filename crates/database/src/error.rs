//! What may go wrong. No error quotes a value.

/// Why a transaction was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// The database cannot be reached, is full or locked: the same again may succeed later. Nothing was written.
    #[error("the database cannot be reached or takes no work: {0}")]
    Unavailable(String),
    /// The database refuses it, and will again.
    #[error("the database refuses it: {0}")]
    Refused(String),
    /// More work waits than can be done in time.
    #[error("too much work waits for the database")]
    Overloaded,
    /// The connection was lost while it was committed, and could not be had again: it may be written or not.
    #[error("whether it was written is not known")]
    Unknown,
    /// It is being closed.
    #[error("the database is closing")]
    Closing,
    /// The tables are of a later version of this program, or of another program.
    #[error("{0}")]
    Foreign(String),
}

/// Of a file that is to be put back.
pub(crate) fn not_a_copy(name: &str) -> DatabaseError {
    DatabaseError::Foreign(format!(
        "this is no whole copy of the database of `{name}`, or one of a later version; nothing was changed"
    ))
}
