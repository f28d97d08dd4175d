//! The vault's own keys. They lie in a file beside the store, never in it, sealed under the master key; a running vault
//! takes up a changed file by itself.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::config::Random;
use crate::crypto::{Key, MacKey};
use crate::error::VaultError;

pub(crate) mod file;
pub(crate) mod format;
pub(crate) mod hours;
pub(crate) mod master;
pub(crate) mod ring;
pub(crate) mod sealing;

use format::KeyFile;
use master::{MasterKey, MasterKeyError};
use ring::{Ring, WrappingKey};
use sealing::SealingKey;

pub use sealing::PublicSealingKey;

/// The keys of an open vault, kept up with their file.
pub(crate) struct Keys {
    /// Names the store that the keys belong to.
    pub(crate) store: [u8; 16],
    /// MAC key of boot tickets.
    pub(crate) ticket: Key,
    /// MAC key under which idempotency keys are looked up.
    pub(crate) index: MacKey,
    /// MAC key under which equal saved cards are found.
    pub(crate) fingerprint: Key,
    path: PathBuf,
    master: RwLock<Arc<dyn MasterKey>>,
    ring: RwLock<Arc<Ring>>,
    /// Which file the ring was read from, or could not be.
    seen: Mutex<Option<Stamp>>,
    opened: Instant,
    /// When the file was last looked at, in milliseconds since `opened`.
    looked: AtomicU64,
    /// The file is of version 1: its keys lie bare.
    bare: bool,
}

impl Keys {
    /// Opens the key file; `None` where there is none.
    pub(crate) fn read(path: &Path, master: Arc<dyn MasterKey>) -> Result<Option<Self>, VaultError> {
        // Before the file is read: one that is changed in between is read again.
        let stamp = Stamp::of(path);
        let Some((ring, bare)) = load(path, &*master)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            store: ring.store,
            ticket: ring.ticket.clone(),
            index: MacKey::new(&ring.index),
            fingerprint: ring.fingerprint.clone(),
            path: path.to_owned(),
            master: RwLock::new(master),
            ring: RwLock::new(Arc::new(ring)),
            seen: Mutex::new(stamp),
            opened: Instant::now(),
            looked: AtomicU64::new(0),
            bare,
        }))
    }

    /// Makes a key file, and the master key where this program does that, and reads it back: another process may have been
    /// faster.
    pub(crate) fn make(
        path: &Path,
        master: Arc<dyn MasterKey>,
        now: u64,
        random: &dyn Random,
    ) -> Result<Self, VaultError> {
        if let Some(folder) = path.parent() {
            file::create_folder(folder)?;
        }
        master.make(random)?;
        let bytes = format::seal(&Ring::make(now, random)?, &*master, random)?;
        file::create_private(path, &bytes, random)?;
        Self::read(path, master)?.ok_or_else(|| VaultError::KeysMissing(path.to_owned()))
    }

    /// Seals a file of version 1. To be called when it is known to belong to the store.
    pub(crate) fn seal_bare(&self, random: &dyn Random) -> Result<(), VaultError> {
        if !self.bare {
            return Ok(());
        }
        self.master_key().make(random)?;
        self.change(random, |_| Ok(()))
    }

    /// Changes the file, for this process and all others, one at a time; they notice within a second.
    pub(crate) fn change<T>(
        &self,
        random: &dyn Random,
        change: impl FnOnce(&mut Ring) -> Result<T, VaultError>,
    ) -> Result<T, VaultError> {
        self.change_under(&*self.master_key(), random, change)
    }

    /// The same, sealed under another master key from then on.
    pub(crate) fn change_master<T>(
        &self,
        master: Arc<dyn MasterKey>,
        random: &dyn Random,
        change: impl FnOnce(&mut Ring) -> Result<T, VaultError>,
    ) -> Result<T, VaultError> {
        let result = self.change_under(&*master, random, change)?;
        *self.master.write().unwrap_or_else(PoisonError::into_inner) = master;
        Ok(result)
    }

    fn change_under<T>(
        &self,
        master: &dyn MasterKey,
        random: &dyn Random,
        change: impl FnOnce(&mut Ring) -> Result<T, VaultError>,
    ) -> Result<T, VaultError> {
        let _lock = file::lock(&self.path)?;
        // What lies there now, not what this process remembers.
        let (mut ring, _) = load(&self.path, &*self.master_key())?.ok_or(VaultError::WrongKeys)?;
        if ring.store != self.store {
            return Err(VaultError::WrongKeys);
        }
        let result = change(&mut ring)?;
        file::replace_private(&self.path, &format::seal(&ring, master, random)?, random)?;
        self.hold(ring, Stamp::of(&self.path));
        Ok(result)
    }

    /// Where the file lies.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes another key file of the same keys, under `master`, where there is none.
    pub(crate) fn write_to(
        &self,
        path: &Path,
        master: &dyn MasterKey,
        random: &dyn Random,
    ) -> Result<(), VaultError> {
        if let Some(folder) = path.parent() {
            file::create_folder(folder)?;
        }
        master.make(random)?;
        file::create_private(path, &format::seal(&self.ring(), master, random)?, random)
    }

    /// What opens the file.
    pub(crate) fn master_key(&self) -> Arc<dyn MasterKey> {
        Arc::clone(&self.master.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The wrapping key for new data keys.
    pub(crate) fn wrapping(&self) -> Result<WrappingKey, VaultError> {
        self.ring().wrapping.last().cloned().ok_or(VaultError::WrongKeys)
    }

    /// The wrapping key of that id.
    pub(crate) fn wrapping_of(&self, id: u32) -> Result<WrappingKey, VaultError> {
        let find = |ring: &Ring| ring.wrapping.iter().find(|key| key.id == id).cloned();
        self.find(find).ok_or(VaultError::WrongKeys)
    }

    /// The sealing key of that id, if envelopes for it are opened at `now`.
    pub(crate) fn sealing(&self, kid: &str, now: u64) -> Option<Arc<SealingKey>> {
        self.find(|ring| ring.sealing(kid, now).cloned())
    }

    /// The key that frames should seal for at `now`: the one that began last.
    pub(crate) fn newest_sealing(&self, now: u64) -> Option<PublicSealingKey> {
        self.find(|ring| ring.newest_sealing(now))
    }

    /// All keys as they are, at most a quarter of a second old.
    pub(crate) fn ring(&self) -> Arc<Ring> {
        let now = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        let looked = self.looked.load(Ordering::Relaxed);
        let due = now.saturating_sub(looked) >= LOOK_EVERY.as_millis() as u64;
        // One of the threads that pass here looks.
        if due
            && self
                .looked
                .compare_exchange(looked, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        {
            self.look();
        }
        self.held()
    }

    /// Finds something among the keys, and looks at the file before it says that there is nothing: another process may have
    /// made the key a moment ago.
    fn find<T>(&self, find: impl Fn(&Ring) -> Option<T>) -> Option<T> {
        find(&self.ring()).or_else(|| {
            self.look();
            find(&self.held())
        })
    }

    /// Takes up the file if it was changed. One that cannot be opened changes nothing: work goes on with the keys that are
    /// held, and whoever runs the service is told.
    fn look(&self) {
        let stamp = Stamp::of(&self.path);
        if *self.seen() == stamp {
            return;
        }
        match load(&self.path, &*self.master_key()) {
            Ok(Some((ring, _))) if ring.store == self.store => {
                self.hold(ring, stamp);
                tracing::info!("the keys were changed, and taken up");
            }
            Ok(_) => self.stay(stamp, &VaultError::WrongKeys),
            Err(error) => self.stay(stamp, &error),
        }
    }

    fn hold(&self, ring: Ring, stamp: Option<Stamp>) {
        *self.ring.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(ring);
        *self.seen() = stamp;
    }

    fn stay(&self, stamp: Option<Stamp>, error: &VaultError) {
        tracing::error!(%error, "the keys were changed but cannot be taken up; the old ones stay in use");
        // An agent that is out of reach will be back; what else is wrong is wrong until the file changes again.
        if !matches!(error, VaultError::MasterKey(MasterKeyError::Unavailable { .. })) {
            *self.seen() = stamp;
        }
    }

    // Both hold whole values at any moment, also after a panic elsewhere.

    fn held(&self) -> Arc<Ring> {
        Arc::clone(&self.ring.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, Option<Stamp>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads and opens a key file, and says whether its keys lie bare.
fn load(path: &Path, master: &dyn MasterKey) -> Result<Option<(Ring, bool)>, VaultError> {
    let Some(bytes) = file::read_private(path)? else {
        return Ok(None);
    };
    let unreadable = || VaultError::KeysUnreadable(path.to_owned());
    Ok(Some(match KeyFile::parse(&bytes).ok_or_else(unreadable)? {
        KeyFile::Sealed(file) => (file.open(master)?.ok_or_else(unreadable)?, false),
        KeyFile::Bare(ring) => (*ring, true),
    }))
}

/// Tells one content of the file from the next without reading it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    modified: (i64, i64),
    length: u64,
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self {
            inode: metadata.ino(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            length: metadata.len(),
        })
    }
}

/// How often to see whether the file was changed.
const LOOK_EVERY: Duration = Duration::from_millis(250);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SystemRandom;
    use crate::keys::master::MasterKeySource;

    const NOW: u64 = 1_790_000_000;

    struct Place(tempfile::TempDir);

    impl Place {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn path(&self) -> PathBuf {
            self.0.path().join("keys")
        }

        fn master(&self) -> Arc<dyn MasterKey> {
            MasterKeySource::File(self.0.path().join("master")).open()
        }

        fn make(&self) -> Keys {
            Keys::make(&self.path(), self.master(), NOW, &SystemRandom).unwrap()
        }

        fn read(&self) -> Keys {
            Keys::read(&self.path(), self.master()).unwrap().unwrap()
        }
    }

    #[test]
    fn a_change_reaches_other_processes() {
        let place = Place::new();
        assert!(Keys::read(&place.path(), place.master()).unwrap().is_none());
        let (one, other) = (place.make(), place.read());
        let kid = one
            .change(&SystemRandom, |ring| ring.rotate_sealing(NOW, 60))
            .unwrap();
        assert_eq!(one.newest_sealing(NOW).unwrap().kid, kid, "here at once");
        // Asked for by id, the other finds it without waiting for the next look.
        assert!(other.sealing(&kid, NOW).is_some());
        assert_eq!(other.newest_sealing(NOW).unwrap().kid, kid);
        assert!(other.sealing("nobodys", NOW).is_none());
    }

    #[test]
    fn changes_at_once_are_all_kept() {
        let place = Place::new();
        place.make();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let keys = place.read();
                    for _ in 0..3 {
                        keys.change(&SystemRandom, |ring| ring.add_wrapping(&SystemRandom))
                            .unwrap();
                    }
                });
            }
        });
        let ids: Vec<_> = place.read().ring().wrapping.iter().map(|key| key.id).collect();
        assert_eq!(ids, (1..=13).collect::<Vec<_>>());
    }

    #[test]
    fn a_file_that_cannot_be_opened_changes_nothing() {
        let (place, stranger) = (Place::new(), Place::new());
        let keys = place.make();
        let kid = keys.newest_sealing(NOW).unwrap().kid;
        stranger.make();
        for (content, why) in [
            (fs::read(stranger.path()).unwrap(), "another installation's"),
            (b"{}".to_vec(), "not a key file"),
        ] {
            file::replace_private(&place.path(), &content, &SystemRandom).unwrap();
            assert!(keys.sealing("unknown", NOW).is_none(), "{why}");
            assert!(keys.sealing(&kid, NOW).is_some(), "{why}");
            assert!(keys.change(&SystemRandom, |_| Ok(())).is_err(), "{why}");
            assert_eq!(
                fs::read(place.path()).unwrap(),
                content,
                "{why}: nothing was written over it"
            );
        }
        fs::remove_file(place.path()).unwrap();
        assert!(keys.sealing("unknown", NOW).is_none() && keys.sealing(&kid, NOW).is_some());
    }

    #[test]
    fn what_changes_half_way_changes_nothing() {
        let place = Place::new();
        let keys = place.make();
        let before = fs::read(place.path()).unwrap();
        let refused = keys.change(&SystemRandom, |ring| {
            ring.wrapping.clear();
            Err::<(), _>(VaultError::Crypto)
        });
        assert!(refused.is_err());
        assert_eq!(fs::read(place.path()).unwrap(), before);
        assert_eq!(keys.wrapping().unwrap().id, 1);
    }

    #[test]
    fn a_new_master_key_file_is_taken_up_while_running() {
        let place = Place::new();
        let (one, other) = (place.make(), place.read());
        let master = place.master();
        master.renew(&SystemRandom).unwrap();
        let kid = one
            .change(&SystemRandom, |ring| ring.rotate_sealing(NOW, 60))
            .unwrap();
        master.forget_old(&SystemRandom).unwrap();
        assert!(other.sealing(&kid, NOW).is_some());
        assert!(place.read().sealing(&kid, NOW).is_some());
    }
}
