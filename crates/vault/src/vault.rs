//! The vault itself: what it holds, how it is opened and closed.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::audit::AuditHead;
use crate::audit::auditor::{Chain, Published};
use crate::audit::content::CLOSED;
use crate::audit::verify::{self, AuditReport};
use crate::cleaning::{self, Cleaner};
use crate::config::{Clock, Random, VaultConfig};
use crate::crypto::{self, Kind, MacKey, Place};
use crate::error::{StoreError, VaultError};
use crate::keys::hours::HourKeys;
use crate::keys::{Keys, PublicSealingKey};
use crate::registry::DataKeys;
use crate::rotation::data::Retiring;
use crate::rotation::lasting::Resealing;
use crate::store::{self, Figures, Identity, KeyChange, Store, Writer, WriterHandle};

/// Opens envelopes, keeps cards sealed, issues and redeems tokens.
///
/// Dropping it finishes the work that was handed in. Several processes may open one store, an operator's command beside
/// the service, say.
pub struct Vault {
    // Stopped first, as it hands work to the writer.
    cleaner: Cleaner,
    writer: Writer,
    pub(crate) shared: Arc<Shared>,
}

/// What the vault's calls share with work on the writer's thread.
pub(crate) struct Shared {
    pub(crate) keys: Keys,
    pub(crate) hours: HourKeys,
    pub(crate) data_keys: DataKeys,
    pub(crate) retiring: Retiring,
    pub(crate) resealing: Resealing,
    pub(crate) store: Arc<dyn Store>,
    /// How far the audit log has come.
    pub(crate) audited: Arc<Published>,
    /// Of this process alone: what it makes of a number says nothing after the end.
    pub(crate) fingerprints: MacKey,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
}

impl Vault {
    /// Opens the store, or makes store and keys where there is neither.
    ///
    /// Keys come first: without the right key file nothing is written, not even a file made.
    pub fn open(config: VaultConfig) -> Result<Self, VaultError> {
        let VaultConfig {
            database,
            keys: key_file,
            master_key,
            create,
            who,
            clock,
            random,
        } = config;
        let database = store::database(&database);
        let store_exists = database.exists()?;
        if !store_exists && !create {
            return Err(VaultError::NoStore);
        }
        let master_key = master_key.open();
        let keys = match Keys::read(&key_file, Arc::clone(&master_key))? {
            Some(keys) => keys,
            None if store_exists => return Err(VaultError::KeysMissing(key_file)),
            None => Keys::make(&key_file, master_key, clock.now(), &*random)?,
        };
        let known = match store_exists {
            true => database.identify()?,
            false => None,
        };
        let identity = match known {
            Some(identity) => identity,
            // The store may be another process's after all, which was faster.
            None => database.create(&identity_of(&keys, &*random)?)?,
        };
        check(&keys, &identity)?;
        keys.seal_bare(&*random)?;
        let (store, commit) = database.open()?;
        let hours = HourKeys::new(beside(key_file, "-hours"));
        // Nobody did while the service was stopped.
        hours.destroy_old(clock.now())?;
        let audit = Chain::new(
            keys.ring().audit.clone(),
            who,
            Arc::clone(&store),
            Arc::clone(&clock),
            Arc::clone(&random),
        );
        let audited = audit.published();
        let writer = Writer::start(commit, Box::new(audit))?;
        let shared = Arc::new(Shared {
            keys,
            hours,
            data_keys: DataKeys::default(),
            retiring: Retiring::default(),
            resealing: Resealing::default(),
            store,
            audited,
            fingerprints: MacKey::new(&*crypto::make_key(&*random)?),
            clock,
            random,
        });
        let cleaner = Cleaner::start(Arc::clone(&shared), writer.handle()?.clone(), cleaning::EVERY)?;
        Ok(Self {
            cleaner,
            writer,
            shared,
        })
    }

    /// The key that frames seal for at `now` (seconds since 1970), for boot data.
    pub fn sealing_key(&self, now: u64) -> Result<PublicSealingKey, VaultError> {
        self.shared
            .keys
            .newest_sealing(now)
            .ok_or(VaultError::NoSealingKey)
    }

    /// The MAC key of boot tickets, the same for every instance on this store.
    pub fn ticket_key(&self) -> &[u8; 32] {
        &self.shared.keys.ticket
    }

    /// Asks the store whether it is there, and waits for its answer: for the disk, or for PostgreSQL, which may take as long
    /// as any reading, some twenty seconds where nothing is heard of it.
    pub fn reach(&self) -> Result<(), VaultError> {
        Ok(self.shared.store.reach()?)
    }

    /// What was done since the vault was opened, for metrics.
    pub fn figures(&self) -> Figures {
        let written = self.writer().map(WriterHandle::figures).unwrap_or_default();
        Figures {
            resealed: self.shared.resealing.done(),
            to_reseal: self.shared.resealing.left(),
            ..written
        }
    }

    /// Reads the whole audit log and says what is wrong with it. `published` are heads from the log stream: without them,
    /// the end of the newest chains may be missing unnoticed.
    pub fn verify_audit(&self, published: &[AuditHead]) -> Result<AuditReport, VaultError> {
        let key = &self.shared.keys.ring().audit;
        Ok(verify::verify(&*self.shared.store, key, published)?)
    }

    /// Hands each record of the audit log to `take`, chain by chain and in order within each, with its content, which is JSON.
    /// Ends with the first error. Nothing is verified.
    pub fn read_audit<E: From<VaultError>>(
        &self,
        mut take: impl FnMut(AuditHead, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let store = &self.shared.store;
        for (chain, last) in store.audit_chains().map_err(VaultError::from)? {
            let mut next = 1;
            while next <= last {
                let rows = store.audit(&chain, next, PAGE).map_err(VaultError::from)?;
                let Some(end) = rows.last() else { break };
                next = end.number.saturating_add(1);
                for row in &rows {
                    take(AuditHead::of(row), &row.content)?;
                }
            }
        }
        Ok(())
    }

    /// How far the audit log of this vault has come; `None` before it has changed anything.
    pub fn audit_head(&self) -> Option<AuditHead> {
        self.shared.audited.head()
    }

    pub(crate) fn writer(&self) -> Result<&WriterHandle, StoreError> {
        self.writer.handle()
    }
}

impl Drop for Vault {
    fn drop(&mut self) {
        self.cleaner.stop();
        if self.shared.audited.head().is_some()
            && let Ok(writer) = self.writer()
        {
            // Without waiting: this may be the writer's own thread. It finishes what was handed in.
            writer.submit(
                KeyChange::Note {
                    did: CLOSED,
                    project: None,
                    of: String::new(),
                },
                |_| {},
            );
        }
        let last = self.writer.stop();
        self.shared.publish_head();
        self.shared.store.close();
        // What writes is closed last: SQLite's journal is then folded into the file.
        drop(last);
    }
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vault").finish_non_exhaustive()
    }
}

impl Shared {
    /// Tells the log stream how far the audit log has come.
    pub(crate) fn publish_head(&self) {
        if let Some(head) = self.audited.head() {
            tracing::info!(%head, "audit");
        }
    }

    pub(crate) fn now(&self) -> u64 {
        self.clock.now()
    }
}

/// What a new store says of itself.
pub(crate) fn identity_of(keys: &Keys, random: &dyn Random) -> Result<Identity, VaultError> {
    let master = keys.wrapping()?;
    Ok(Identity {
        id: keys.store.to_vec(),
        master_key: master.id,
        key_check: crypto::seal(&master.key, &key_check(keys), &keys.store, random)?,
    })
}

/// Refuses keys of another store.
pub(crate) fn check(keys: &Keys, identity: &Identity) -> Result<(), VaultError> {
    let master = keys.wrapping_of(identity.master_key)?;
    match crypto::open(&master.key, &key_check(keys), &identity.key_check) {
        Ok(proof) if identity.id == keys.store && **proof == keys.store => Ok(()),
        _ => Err(VaultError::WrongKeys),
    }
}

fn key_check(keys: &Keys) -> Place<'_> {
    Place {
        kind: Kind::KeyCheck,
        project: "",
        epoch: 0,
        row: &keys.store,
    }
}

/// Records of the audit log that are read at once.
const PAGE: usize = 1000;

fn beside(path: PathBuf, suffix: &str) -> PathBuf {
    let mut name = path.into_os_string();
    name.push(suffix);
    name.into()
}
