//! The key file: JSON, mode 0600, written once and never in place.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use base64ct::{Base64UrlUnpadded, Encoding};
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{Keys, MasterKey, SealingKey};
use crate::config::Random;
use crate::crypto::Key;
use crate::error::VaultError;

/// Reads the key file; `None` where there is none.
pub(crate) fn read(path: &Path) -> Result<Option<Keys>, VaultError> {
    let Some(bytes) = read_private(path)? else {
        return Ok(None);
    };
    let unreadable = || VaultError::KeysUnreadable(path.to_owned());
    let file: KeyFile = serde_json::from_slice(&bytes).map_err(|_| unreadable())?;
    file.to_keys().map(Some).ok_or_else(unreadable)
}

/// Writes a key file where there is none. Another process that was faster wins: read afterwards.
pub(crate) fn write_new(path: &Path, keys: &Keys, random: &dyn Random) -> Result<(), VaultError> {
    let file = KeyFile::of(keys)?;
    // Sized at once: a growing vector would leave copies of the keys behind.
    let mut json = Zeroizing::new(Vec::with_capacity(4096));
    serde_json::to_writer_pretty(&mut *json, &file).map_err(|_| VaultError::Crypto)?;
    json.push(b'\n');
    create_private(path, &json, random)
}

/// Reads a small file that only its owner may read; `None` where there is none.
pub(super) fn read_private(path: &Path) -> Result<Option<Zeroizing<Vec<u8>>>, VaultError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(VaultError::file(path)(error)),
    };
    // Asked of the open file, so that it is the one that is read.
    let metadata = file.metadata().map_err(VaultError::file(path))?;
    if metadata.permissions().mode() & 0o077 != 0 {
        return Err(VaultError::KeysExposed(path.to_owned()));
    }
    if !metadata.is_file() || metadata.len() > MAX_FILE {
        return Err(VaultError::KeysUnreadable(path.to_owned()));
    }
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_FILE as usize));
    file.take(MAX_FILE)
        .read_to_end(&mut bytes)
        .map_err(VaultError::file(path))?;
    Ok(Some(bytes))
}

/// Makes a file of mode 0600 with this content, whole or not at all, and on the disk before it returns. A file that is
/// there already stays as it is.
pub(super) fn create_private(path: &Path, content: &[u8], random: &dyn Random) -> Result<(), VaultError> {
    let mut name = [0; 8];
    random.fill(&mut name)?;
    let mut draft = path.to_owned().into_os_string();
    draft.push(format!(".{:016x}", u64::from_be_bytes(name)));
    let draft = PathBuf::from(draft);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&draft)
        .and_then(|mut file| {
            file.write_all(content)?;
            file.sync_all()
        })
        // A second name for a finished file: unlike renaming, this never replaces one.
        .and_then(|()| fs::hard_link(&draft, path));
    let removed = fs::remove_file(&draft);
    match written {
        Ok(()) => {
            removed.map_err(VaultError::file(&draft))?;
            sync_folder(path)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.exists() => Ok(()),
        Err(error) => Err(VaultError::file(path)(error)),
    }
}

/// Makes a folder that only its owner may enter, with those above it. Each name is on the disk before anything lies below.
pub(crate) fn create_folder(path: &Path) -> Result<(), VaultError> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    if let Some(above) = path.parent() {
        create_folder(above)?;
    }
    match fs::DirBuilder::new().mode(0o700).create(path) {
        // Another process was faster.
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(VaultError::file(path)(error)),
        _ => sync_folder(path),
    }
}

/// Puts the names in the folder around `path` on the disk.
pub(crate) fn sync_folder(path: &Path) -> Result<(), VaultError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(VaultError::file(folder))
}

/// The file's content; keys as base64url without padding.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    version: u32,
    store: String,
    ticket_key: Secret,
    index_key: Secret,
    master_keys: Vec<MasterEntry>,
    sealing_keys: Vec<SealingEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MasterEntry {
    id: u32,
    key: Secret,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SealingEntry {
    kid: String,
    private: Secret,
    from: u64,
    until: Option<u64>,
}

/// 32 secret bytes as text, wiped on drop.
#[derive(Serialize, Deserialize, Zeroize, ZeroizeOnDrop)]
#[serde(transparent)]
struct Secret(String);

impl KeyFile {
    fn of(keys: &Keys) -> Result<Self, VaultError> {
        let sealing = keys.sealing.iter().map(|key| {
            Ok(SealingEntry {
                kid: key.kid.clone(),
                private: Secret::of(&key.to_bytes()?),
                from: key.from,
                until: key.until,
            })
        });
        Ok(Self {
            version: VERSION,
            store: Base64UrlUnpadded::encode_string(&keys.store),
            ticket_key: Secret::of(&keys.ticket),
            index_key: Secret::of(&keys.index),
            master_keys: keys
                .masters
                .iter()
                .map(|master| MasterEntry {
                    id: master.id,
                    key: Secret::of(&master.key),
                })
                .collect(),
            sealing_keys: sealing.collect::<Result<_, VaultError>>()?,
        })
    }

    fn to_keys(&self) -> Option<Keys> {
        if self.version != VERSION || self.master_keys.is_empty() {
            return None;
        }
        let mut store = [0; 16];
        (Base64UrlUnpadded::decode(&self.store, &mut store).ok()?.len() == store.len()).then_some(())?;
        let masters = self.master_keys.iter().map(|entry| {
            Some(MasterKey {
                id: entry.id,
                key: entry.key.read()?,
            })
        });
        let sealing = self.sealing_keys.iter().map(|entry| {
            let key = SealingKey::from_bytes(&*entry.private.read()?, entry.from, entry.until)?;
            // The id follows from the key: another one means that the file was mixed up.
            (key.kid == entry.kid).then_some(key)
        });
        Some(Keys {
            store,
            ticket: self.ticket_key.read()?,
            index: self.index_key.read()?,
            masters: masters.collect::<Option<_>>()?,
            sealing: sealing.collect::<Option<_>>()?,
        })
    }
}

impl Secret {
    fn of(key: &Key) -> Self {
        Self(Base64UrlUnpadded::encode_string(&**key))
    }

    fn read(&self) -> Option<Key> {
        let mut key = Key::default();
        let length = Base64UrlUnpadded::decode(&self.0, &mut *key).ok()?.len();
        (length == key.len()).then_some(key)
    }
}

/// Format of the file.
const VERSION: u32 = 1;

/// Longest key file in bytes; with one key of each kind it has about 500.
const MAX_FILE: u64 = 64 * 1024;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SystemRandom;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = folder();
        let path = folder.path().join("keys");
        assert!(read(&path).unwrap().is_none());
        let keys = Keys::make(7, &SystemRandom).unwrap();
        write_new(&path, &keys, &SystemRandom).unwrap();
        let again = read(&path).unwrap().unwrap();
        assert_eq!(
            (again.store, &again.ticket, &again.index),
            (keys.store, &keys.ticket, &keys.index)
        );
        assert_eq!(again.masters[0].key, keys.masters[0].key);
        assert_eq!(again.newest_sealing(7), keys.newest_sealing(7));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no draft is left"
        );
    }

    #[test]
    fn folders_are_their_owners_alone() {
        let folder = folder();
        create_folder(&folder.path().join("a/b/c")).unwrap();
        create_folder(&folder.path().join("a/b/c")).unwrap();
        for name in ["a", "a/b", "a/b/c"] {
            let mode = fs::metadata(folder.path().join(name))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o700, "{name}");
        }
        fs::write(folder.path().join("file"), b"").unwrap();
        assert!(create_folder(&folder.path().join("file/below")).is_err());
    }

    #[test]
    fn a_file_that_is_there_is_not_replaced() {
        let folder = folder();
        let path = folder.path().join("keys");
        write_new(&path, &Keys::make(1, &SystemRandom).unwrap(), &SystemRandom).unwrap();
        let before = fs::read(&path).unwrap();
        write_new(&path, &Keys::make(1, &SystemRandom).unwrap(), &SystemRandom).unwrap();
        assert_eq!(fs::read(&path).unwrap(), before);
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no draft is left"
        );
    }

    #[test]
    fn refused_files() {
        let folder = folder();
        let path = folder.path().join("keys");
        write_new(&path, &Keys::make(1, &SystemRandom).unwrap(), &SystemRandom).unwrap();
        let good = fs::read_to_string(&path).unwrap();
        let kid = Keys::make(1, &SystemRandom).unwrap().sealing[0].kid.clone();
        let own_kid = read(&path).unwrap().unwrap().sealing[0].kid.clone();
        for (content, why) in [
            (String::new(), "empty"),
            (good[..good.len() / 2].to_owned(), "cut"),
            (good.replace("\"version\": 1", "\"version\": 2"), "later version"),
            (good.replace("\"store\"", "\"shop\""), "unknown member"),
            (good.replace(&own_kid, &kid), "id of another key"),
            (" ".repeat(70_000), "too large"),
        ] {
            assert_ne!(content, good, "{why}");
            fs::write(&path, content).unwrap();
            assert!(matches!(read(&path), Err(VaultError::KeysUnreadable(_))), "{why}");
        }
        fs::write(&path, &good).unwrap();
        for mode in [0o640, 0o604, 0o644, 0o660, 0o601] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert!(matches!(read(&path), Err(VaultError::KeysExposed(_))), "{mode:o}");
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
        assert!(read(&path).unwrap().is_some(), "tighter is fine");
    }
}
