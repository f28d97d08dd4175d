//! Widget keys as the store had them a moment ago.
//!
//! Each request names one, and asking the store is a read, or a journey to its machine, for each.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;
use vault::{Vault, VaultError, WidgetKey};

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
    pub fn find(&self, vault: &Vault, id: &str, now: u64) -> Result<Option<Arc<WidgetKey>>, VaultError> {
        // Each entry is whole at any moment, also after a panic elsewhere.
        let held = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = held.get(id).filter(|known| known.read_at == now) {
            return Ok(Some(Arc::clone(&known.key)));
        }
        drop(held);
        let found = waiting(|| vault.widget_key(id))?.map(Arc::new);
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
}

/// Does what may wait for the store, while other requests go on on other threads.
pub(crate) fn waiting<T>(work: impl FnOnce() -> T) -> T {
    let flavor = Handle::try_current().map(|handle| handle.runtime_flavor());
    match flavor {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(work),
        // In tests there is one thread, and nowhere to go.
        _ => work(),
    }
}
