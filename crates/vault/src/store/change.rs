//! What can be written, as data: a database may write a hundred of a kind with one statement.

use crate::cleaning::Cleaned;
use crate::error::StoreError;
use crate::redeem::Outcome;
use crate::registry::WidgetKey;
use crate::store::rows::{DataKeyRow, Identity, NewOperation, NewToken};

/// A change to the store, and how it may turn out.
///
/// Every change may be tried twice, when it is not known whether the first attempt was committed: the second gives the
/// verdict of the first.
pub(crate) trait Change: Send + Sized {
    /// How it turned out. A refusal writes nothing.
    type Verdict: Send + PartialEq;

    /// What the audit log says of it; `None` when nothing was done that belongs there.
    fn act(&self, verdict: &Self::Verdict) -> Option<Act<'_>>;

    /// The kind of job it is.
    fn into_job(entry: Entry<Self>) -> Job;
}

/// A change on its way to the disk.
pub(crate) struct Entry<C: Change> {
    pub(crate) change: C,
    /// Given by the store.
    pub(crate) verdict: Option<C::Verdict>,
    pub(super) done: Done<C::Verdict>,
}

/// Hears how a change turned out.
pub(super) type Done<V> = Box<dyn FnOnce(Result<V, StoreError>) + Send>;

/// A change whose kind matters and whose caller does not.
pub(crate) enum Job {
    /// Issue a token.
    Issue(Box<Entry<NewToken>>),
    /// Give a token to an operation.
    Reserve(Box<Entry<NewOperation>>),
    /// End an operation.
    Settle(Entry<Settlement>),
    /// Delete a saved card.
    Forget(Entry<Forget>),
    /// Put saved cards under a newer data key.
    Reseal(Entry<Reseal>),
    /// Remove what has expired.
    Clean(Entry<CleanStep>),
    /// What operators do to keys, which is rare.
    Keys(Entry<KeyChange>),
}

impl Job {
    /// What the audit log says of it.
    pub(crate) fn act(&self) -> Option<Act<'_>> {
        match self {
            Self::Issue(entry) => entry.act(),
            Self::Reserve(entry) => entry.act(),
            Self::Settle(entry) => entry.act(),
            Self::Forget(entry) => entry.act(),
            Self::Reseal(entry) => entry.act(),
            Self::Clean(entry) => entry.act(),
            Self::Keys(entry) => entry.act(),
        }
    }

    /// Forgets the verdict of an attempt that failed.
    pub(super) fn reset(&mut self) {
        match self {
            Self::Issue(entry) => entry.verdict = None,
            Self::Reserve(entry) => entry.verdict = None,
            Self::Settle(entry) => entry.verdict = None,
            Self::Forget(entry) => entry.verdict = None,
            Self::Reseal(entry) => entry.verdict = None,
            Self::Clean(entry) => entry.verdict = None,
            Self::Keys(entry) => entry.verdict = None,
        }
    }

    /// Tells whoever waits. `committed` is the fate of the whole batch.
    pub(super) fn finish(self, committed: Result<(), StoreError>) {
        match self {
            Self::Issue(entry) => entry.finish(committed),
            Self::Reserve(entry) => entry.finish(committed),
            Self::Settle(entry) => entry.finish(committed),
            Self::Forget(entry) => entry.finish(committed),
            Self::Reseal(entry) => entry.finish(committed),
            Self::Clean(entry) => entry.finish(committed),
            Self::Keys(entry) => entry.finish(committed),
        }
    }
}

impl<C: Change> Entry<C> {
    fn act(&self) -> Option<Act<'_>> {
        self.change.act(self.verdict.as_ref()?)
    }

    fn finish(self, committed: Result<(), StoreError>) {
        (self.done)(match (committed, self.verdict) {
            (Ok(()), Some(verdict)) => Ok(verdict),
            (Ok(()), None) => Err(StoreError::Refused("the work stopped half-way".into())),
            // Refusals too: they may rest on a row of the same batch, which is not there.
            (Err(error), _) => Err(error),
        });
    }
}

/// How issuing turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteVerdict {
    /// The token is issued.
    Written,
    /// There is an answer of the same idempotency key.
    Repeated,
    /// There is a token of the same nonce.
    NonceReplayed,
}

/// How reserving turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReserveVerdict {
    /// The operation has the token, perhaps since an earlier call, and keeps nothing.
    Reserved,
    /// The same, and its card is in the lasting record of this id.
    Saved([u8; 16]),
    /// Another operation has it, or had it; a saved card is not there any more.
    Taken,
    /// The operation has another token.
    OtherToken,
    /// The operation has ended.
    NotOpen,
}

/// Ends an operation.
pub(crate) struct Settlement {
    pub(crate) project: String,
    pub(crate) operation: String,
    pub(crate) outcome: Outcome,
}

/// How ending an operation turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SettleVerdict {
    /// It has ended now.
    Settled,
    /// It had ended like this before.
    Already,
    /// It is unknown, or has ended otherwise.
    NotOpen,
}

/// Deletes a saved card, with its fingerprint. The verdict says whether it was there.
pub(crate) struct Forget {
    pub(crate) project: String,
    /// Id part of the lasting token.
    pub(crate) id: [u8; 16],
    /// SHA-256 of the whole token: whoever forgets has shown it.
    pub(crate) hash: [u8; 32],
}

/// Saved cards of a project that were sealed anew, from one epoch to another. The verdict says how many were still as they
/// had been read; of the others another instance was faster, or they are forgotten.
pub(crate) struct Reseal {
    pub(crate) project: String,
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) records: Vec<Resealed>,
}

/// One of them.
pub(crate) struct Resealed {
    pub(crate) id: [u8; 16],
    pub(crate) record: Vec<u8>,
}

/// One step of cleaning.
#[derive(Clone, Copy)]
pub(crate) struct CleanStep {
    pub(crate) now: u64,
    /// Codes of earlier hours go. Those of tokens have gone before, with their tokens.
    pub(crate) oldest_hour: u64,
    /// Most rows of each kind.
    pub(crate) limit: usize,
}

/// What operators do. The verdict says whether it was done.
pub(crate) enum KeyChange {
    /// Adds a widget key; its project too, with this data key, where that is new. `false`: the id is taken.
    AddWidgetKey {
        key: WidgetKey,
        first_data_key: DataKeyRow,
    },
    /// `false`: there was none.
    RemoveWidgetKey(String),
    /// Gives a widget key other origins. `false`: there is none of that id.
    SetOrigins { id: String, origins: Vec<String> },
    /// Adds a project with its first data key. `false`: there is one of that id.
    AddProject(DataKeyRow),
    /// Begins an epoch. `false`: it was begun before, by somebody else.
    AddDataKey(DataKeyRow),
    /// Wraps a data key anew. `false`: it was not under the master key `from`.
    RewrapDataKey { row: DataKeyRow, from: u32 },
    /// Ends an epoch under which nothing is sealed. `false`: something is, or it is gone.
    RemoveDataKey { project: String, epoch: u32 },
    /// Seals the store's own check anew. `false`: it was not under the master key `from`.
    Identify { identity: Identity, from: u32 },
    /// Writes nothing: something was done elsewhere that belongs into the audit log.
    Note {
        /// What was done.
        did: &'static str,
        /// To which project, if to one.
        project: Option<String>,
        /// To which key, or with what.
        of: String,
    },
}

/// Something that was done, for the audit log. It names rows and holds nothing of a card.
#[derive(Clone, Copy)]
pub(crate) enum Act<'a> {
    /// A token was issued.
    Issued(&'a NewToken),
    /// An operation has a token; and its card is in this lasting record.
    Reserved(&'a NewOperation, Option<[u8; 16]>),
    /// A saved card was deleted.
    Forgotten(&'a Forget),
    /// So many saved cards were put under a newer data key.
    Resealed(&'a Reseal, usize),
    /// An operation has ended.
    Settled(&'a Settlement),
    /// Expired rows were removed.
    Cleaned(Cleaned),
    /// An operator has changed keys.
    Keys(&'a KeyChange),
}

/// Writes the audit log: one record for each batch, within its transaction.
pub(crate) trait Auditor: Send {
    /// The record of what the batch is about to do, which is never nothing. It may be asked for several times, when a
    /// batch is tried again. Until [`Auditor::committed`] is called it looks at the store before it gives another.
    fn record(&mut self, acts: &[Act<'_>]) -> Result<Option<NewRecord>, StoreError>;

    /// The last record is on the disk.
    fn committed(&mut self);
}

/// A record that is to be appended, if its chain still ends as its writer left it.
#[derive(Clone)]
pub(crate) struct NewRecord {
    pub(crate) row: AuditRow,
    /// MAC of the record before it; `None` where a chain begins. Where the store has another one there, or none, or one
    /// behind it already, nothing of the batch may be written.
    pub(crate) after: Option<[u8; 32]>,
}

/// A record of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AuditRow {
    /// Whose chain it is: an instance's, from its start to its end.
    pub(crate) chain: [u8; 16],
    /// Its place in the chain, counted from 1.
    pub(crate) number: u64,
    /// What was done, readable.
    pub(crate) content: Vec<u8>,
    /// Over the record before it and this one.
    pub(crate) mac: [u8; 32],
}

/// No audit log.
#[cfg(test)]
pub(crate) struct Unaudited;

#[cfg(test)]
impl Auditor for Unaudited {
    fn record(&mut self, _: &[Act<'_>]) -> Result<Option<NewRecord>, StoreError> {
        Ok(None)
    }

    fn committed(&mut self) {}
}

impl Change for NewToken {
    type Verdict = WriteVerdict;

    fn act(&self, verdict: &WriteVerdict) -> Option<Act<'_>> {
        (*verdict == WriteVerdict::Written).then_some(Act::Issued(self))
    }

    fn into_job(entry: Entry<Self>) -> Job {
        Job::Issue(Box::new(entry))
    }
}

impl Change for NewOperation {
    type Verdict = ReserveVerdict;

    fn act(&self, verdict: &ReserveVerdict) -> Option<Act<'_>> {
        match verdict {
            ReserveVerdict::Reserved => Some(Act::Reserved(self, None)),
            ReserveVerdict::Saved(id) => Some(Act::Reserved(self, Some(*id))),
            _ => None,
        }
    }

    fn into_job(entry: Entry<Self>) -> Job {
        Job::Reserve(Box::new(entry))
    }
}

impl Change for Settlement {
    type Verdict = SettleVerdict;

    fn act(&self, verdict: &SettleVerdict) -> Option<Act<'_>> {
        (*verdict == SettleVerdict::Settled).then_some(Act::Settled(self))
    }

    fn into_job(entry: Entry<Self>) -> Job {
        Job::Settle(entry)
    }
}

impl Change for Forget {
    type Verdict = bool;

    fn act(&self, done: &bool) -> Option<Act<'_>> {
        done.then_some(Act::Forgotten(self))
    }

    fn into_job(entry: Entry<Self>) -> Job {
        Job::Forget(entry)
    }
}

impl Change for Reseal {
    type Verdict = usize;

    fn act(&self, count: &usize) -> Option<Act<'_>> {
        (*count > 0).then_some(Act::Resealed(self, *count))
    }

    fn into_job(entry: Entry<Self>) -> Job {
        Job::Reseal(entry)
    }
}

impl Change for CleanStep {
    type Verdict = Cleaned;

    fn act(&self, verdict: &Cleaned) -> Option<Act<'_>> {
        (*verdict != Cleaned::default()).then_some(Act::Cleaned(*verdict))
    }

    fn into_job(entry: Entry<Self>) -> Job {
        Job::Clean(entry)
    }
}

impl Change for KeyChange {
    type Verdict = bool;

    fn act(&self, done: &bool) -> Option<Act<'_>> {
        done.then_some(Act::Keys(self))
    }

    fn into_job(entry: Entry<Self>) -> Job {
        Job::Keys(entry)
    }
}
