//! Widget keys as the store had them a moment ago.
//!
//! Each request names one, and asking the store is a read, or a journey to its machine, for each.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use vault::{Vault, WidgetKey};

use crate::error::Failure;
use crate::waiting::Waiting;

/// Remembers a key until the second is over in which it was read: a key that was withdrawn, or lost an origin, is refused
/// from the next second on, by every instance. What there is not is not remembered, so a new key works at once.
#[derive(Debug, Default)]
pub struct KnownKeys(RwLock<HashMap<String, Known>>);

#[derive(Debug)]
struct Known {
    key: Arc<WidgetKey>,
    /// Seconds since 1970.
    read_at: u64,
}

impl KnownKeys {
    /// The widget key of that id, at `now`.
    pub async fn find(
        &self,
        vault: &Vault,
        waiting: &Waiting,
        id: &str,
        now: u64,
    ) -> Result<Option<Arc<WidgetKey>>, Failure> {
        if let Some(key) = self.held(id, now) {
            return Ok(Some(key));
        }
        let read = || match self.held(id, now) {
            // Somebody else has read it while this one waited for its turn.
            Some(key) => Ok(Some(key)),
            None => vault.widget_key(id).map(|found| found.map(Arc::new)),
        };
        let found = waiting.run(read).await??;
        let mut held = self.0.write().unwrap_or_else(PoisonError::into_inner);
        // As many entries as there are keys, whatever strangers ask for.
        match &found {
            Some(key) => {
                let key = Arc::clone(key);
                held.insert(id.to_owned(), Known { key, read_at: now });
            }
            None => {
                held.remove(id);
            }
        }
        Ok(found)
    }

    fn held(&self, id: &str, now: u64) -> Option<Arc<WidgetKey>> {
        // Each entry is whole at any moment, also after a panic elsewhere.
        let held = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let known = held.get(id).filter(|known| known.read_at == now)?;
        Some(Arc::clone(&known.key))
    }
}
