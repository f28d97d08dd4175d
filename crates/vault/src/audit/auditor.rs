//! Writes the chain of one vault, from its first batch to its end.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::AuditHead;
use super::content::{Content, Read, Start};
use crate::config::{Clock, Random};
use crate::crypto::Key;
use crate::error::StoreError;
use crate::store::{Act, Auditor, NewRecord, Store};

/// Makes one record for each batch.
pub(crate) struct Chain {
    key: Key,
    who: String,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    /// `None` before the first batch: a vault that changes nothing leaves nothing behind.
    head: Option<AuditHead>,
    /// The record of the batch that is being written, or that was, and nobody knows whether it is.
    pending: Option<AuditHead>,
    published: Arc<Published>,
}

/// The head that is on the disk, for others to see.
#[derive(Default)]
pub(crate) struct Published(Mutex<Option<AuditHead>>);

impl Published {
    pub(crate) fn head(&self) -> Option<AuditHead> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, head: AuditHead) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(head);
    }
}

impl Chain {
    pub(crate) fn new(
        key: Key,
        who: String,
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Self {
        Self {
            key,
            who,
            store,
            clock,
            random,
            head: None,
            pending: None,
            published: Arc::default(),
        }
    }

    pub(crate) fn published(&self) -> Arc<Published> {
        Arc::clone(&self.published)
    }

    /// Asked after a batch of which it is not known that it was committed: what the store has of our chain must be what we
    /// wrote. It is not after a restore.
    fn look(&mut self) -> Result<(), StoreError> {
        let Some(head) = self.head else {
            return Ok(());
        };
        let stored = self.store.audit(&head.chain, head.number, 2)?;
        let mut stored = stored.iter().map(AuditHead::of);
        let behind = (stored.next() == Some(head)).then(|| stored.next());
        match behind {
            Some(None) => {}
            // It was committed after all.
            Some(Some(behind)) if self.pending == Some(behind) => self.committed(),
            // The end is gone, or somebody else writes our chain: neither can be continued.
            _ => self.head = None,
        }
        Ok(())
    }

    /// The heads that no start has named. Each chain is named once when it has ended, and as often as somebody starts while
    /// it grows.
    fn unnamed_heads(&self) -> Result<Vec<AuditHead>, StoreError> {
        let chains = self.store.audit_chains()?;
        let mut named: HashMap<[u8; 16], u64> = HashMap::new();
        for (chain, _) in &chains {
            for row in self.store.audit(chain, 1, 1)? {
                for head in Read::parse(&row.content).iter().flat_map(Read::after) {
                    let number = named.entry(head.chain).or_default();
                    *number = head.number.max(*number);
                }
            }
        }
        let mut heads = Vec::new();
        for (chain, last) in chains {
            if named.get(&chain).is_none_or(|&number| number < last) {
                heads.extend(self.store.audit(&chain, last, 1)?.iter().map(AuditHead::of));
            }
        }
        Ok(heads)
    }
}

impl Auditor for Chain {
    fn record(&mut self, acts: &[Act<'_>]) -> Result<Option<NewRecord>, StoreError> {
        // Otherwise the store itself sees to it that the record follows our last one.
        if self.pending.is_some() {
            self.look()?;
        }
        let mut content = Content::of(self.clock.now(), acts);
        let head = match self.head {
            Some(head) => head,
            None => {
                let mut chain = [0; 16];
                self.random
                    .fill(&mut chain)
                    .map_err(|error| StoreError::Unavailable(error.to_string()))?;
                content.start = Some(Start {
                    who: self.who.clone(),
                    after: self.unnamed_heads()?.iter().map(ToString::to_string).collect(),
                });
                AuditHead::start(chain)
            }
        };
        let content = content
            .write()
            .ok_or_else(|| StoreError::Refused("an audit record cannot be written".into()))?;
        let row = head.append(&self.key, content);
        self.pending = Some(AuditHead::of(&row));
        Ok(Some(NewRecord {
            row,
            after: (head.number > 0).then_some(head.mac),
        }))
    }

    fn committed(&mut self) {
        if let Some(head) = self.pending.take() {
            self.head = Some(head);
            self.published.set(head);
        }
    }
}
