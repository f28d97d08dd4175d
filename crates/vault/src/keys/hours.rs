//! Keys of hours. Each lies in a file of its own and is destroyed two hours after it began; with it goes whatever
//! journals and backups of the store still hold of the security codes of that hour (PCI DSS 3.3.1, 3.3.2).

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::file;
use crate::config::Random;
use crate::crypto::{self, Base};
use crate::error::VaultError;

/// Hours since 1970-01-01T00:00:00Z.
pub(crate) type Hour = u64;

/// The hour of a time in seconds.
fn hour_of(now: u64) -> Hour {
    now / 3600
}

/// The oldest hour whose key may live at `now`.
pub(crate) fn oldest(now: u64) -> Hour {
    hour_of(now).saturating_sub(LIFE - 1)
}

/// The keys of the last hours.
pub(crate) struct HourKeys {
    folder: PathBuf,
    held: Mutex<HashMap<Hour, Arc<Base>>>,
}

impl HourKeys {
    /// Keys in `folder`, which is made with the first key.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            held: Mutex::default(),
        }
    }

    /// The key of the hour of `now`, made if need be, and which hour that is. Each row has a key of its own from it.
    pub(crate) fn current(&self, now: u64, random: &dyn Random) -> Result<(Hour, Arc<Base>), VaultError> {
        let hour = hour_of(now);
        if let Some(key) = self.of(hour, now)? {
            return Ok((hour, key));
        }
        file::create_folder(&self.folder)?;
        // Several instances may make it at once; all use the one that came first.
        file::create_private(&self.path(hour), &*crypto::make_key(random)?, random)?;
        let key = self.of(hour, now)?;
        Ok((hour, key.ok_or(VaultError::KeysUnreadable(self.folder.clone()))?))
    }

    /// The key of `hour`; `None` when it has been destroyed, or must be and merely has not been yet.
    pub(crate) fn of(&self, hour: Hour, now: u64) -> Result<Option<Arc<Base>>, VaultError> {
        if hour < oldest(now) {
            return Ok(None);
        }
        let mut held = self.held();
        if let Some(key) = held.get(&hour) {
            return Ok(Some(Arc::clone(key)));
        }
        let path = self.path(hour);
        let Some(bytes) = file::read_private(&path)? else {
            return Ok(None);
        };
        let key: &[u8; 32] = bytes
            .as_slice()
            .try_into()
            .map_err(|_| VaultError::KeysUnreadable(path))?;
        let key = Arc::new(Base::new(key));
        held.insert(hour, Arc::clone(&key));
        Ok(Some(key))
    }

    /// Destroys the keys whose time is over. Returns how many.
    pub(crate) fn destroy_old(&self, now: u64) -> Result<usize, VaultError> {
        self.held().retain(|&hour, _| hour >= oldest(now));
        let mut destroyed = 0;
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(VaultError::file(&self.folder)(error)),
        };
        for entry in entries {
            let path = entry.map_err(VaultError::file(&self.folder))?.path();
            // A draft that a crash left behind is of the hour in its name too.
            let hour = path
                .file_stem()
                .and_then(|stem| stem.to_str())
                .and_then(|stem| stem.parse::<Hour>().ok());
            if hour.is_some_and(|hour| hour < oldest(now)) {
                destroy(&path).map_err(VaultError::file(&path))?;
                destroyed += 1;
            }
        }
        if destroyed > 0 {
            file::sync_folder(&self.path(0))?;
        }
        Ok(destroyed)
    }

    fn path(&self, hour: Hour) -> PathBuf {
        self.folder.join(hour.to_string())
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Hour, Arc<Base>>> {
        // A map of keys is whole at any moment, also after a panic elsewhere.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Overwrites a file where it lies, then removes it.
fn destroy(path: &Path) -> std::io::Result<()> {
    let overwritten = OpenOptions::new().write(true).open(path).and_then(|file| {
        let length = usize::try_from(file.metadata()?.len())
            .unwrap_or(usize::MAX)
            .min(4096);
        file.write_all_at(&vec![0; length], 0)?;
        file.sync_all()
    });
    match overwritten.and_then(|()| fs::remove_file(path)) {
        // Another instance did the same.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Hours that a key lives: the one in which it is used, and the one in which the last of its codes expire.
const LIFE: u64 = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SystemRandom;

    const NOON: u64 = 12 * 3600;

    /// Equal for equal keys.
    fn made_of(key: &Base) -> crypto::Key {
        let place = crypto::Place {
            kind: crypto::Kind::CodeOfHour,
            project: "p",
            epoch: 1,
            row: b"row",
        };
        key.with(b"row").unwrap().key(&place).unwrap()
    }

    #[test]
    fn one_key_an_hour_shared_by_instances() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (
            HourKeys::new(folder.path().join("h")),
            HourKeys::new(folder.path().join("h")),
        );
        let (hour, key) = one.current(NOON, &SystemRandom).unwrap();
        assert_eq!(hour, 12);
        let told = |keys: &HourKeys, now| {
            let (hour, key) = keys.current(now, &SystemRandom).unwrap();
            (hour, made_of(&key))
        };
        assert_eq!(told(&one, NOON + 3599), (12, made_of(&key)));
        assert_eq!(told(&two, NOON), (12, made_of(&key)));
        let (next, other) = told(&two, NOON + 3600);
        assert_eq!(next, 13);
        assert_ne!(other, made_of(&key));
    }

    #[test]
    fn gone_after_two_hours() {
        let folder = tempfile::tempdir().unwrap();
        let keys = HourKeys::new(folder.path().join("h"));
        assert_eq!(keys.destroy_old(NOON).unwrap(), 0, "no folder yet");
        let (hour, key) = keys.current(NOON + 3599, &SystemRandom).unwrap();
        let path = keys.path(hour);
        let second_name = folder.path().join("second-name");
        fs::hard_link(&path, &second_name).unwrap();

        assert_eq!(keys.destroy_old(NOON + 7199).unwrap(), 0);
        let held = keys.of(hour, NOON + 7199).unwrap().unwrap();
        assert_eq!(made_of(&held), made_of(&key));
        assert!(
            keys.of(hour, NOON + 7200).unwrap().is_none(),
            "not used even before it is destroyed"
        );
        assert_eq!(keys.destroy_old(NOON + 7200).unwrap(), 1);
        assert!(!path.exists());
        assert!(keys.of(hour, NOON).unwrap().is_none(), "nor held in memory");
        assert_eq!(
            fs::read(second_name).unwrap(),
            [0; 32],
            "overwritten, not only unlinked"
        );
        // Another instance may have been faster.
        destroy(&path).unwrap();
    }
}
