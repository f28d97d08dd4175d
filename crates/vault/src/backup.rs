//! Backups of an installation, made and put back while it runs.
//!
//! A backup is a folder: the store, the key file, which is sealed, files of others, and a description of them all that is written last.
//! The master key is not in it, nor are the keys of hours.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aws_lc_rs::digest;
use base64ct::{Base64UrlUnpadded, Encoding};
use serde::{Deserialize, Serialize};

use crate::config::VaultConfig;
use crate::error::VaultError;
use crate::keys::master::MasterKeySource;
use crate::keys::{Keys, file};
use crate::store;
use crate::vault::{Vault, check};

/// A backup that was made or put back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct BackupInfo {
    version: u32,
    /// Names the installation.
    pub installation: String,
    /// When it was made, in seconds since 1970.
    pub made_at: u64,
    /// SHA-256 of the store's copy.
    store: String,
    /// SHA-256 of the key file's.
    keys: String,
    /// SHA-256 of files of others, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    others: BTreeMap<String, String>,
}

/// How to put a backup back.
#[derive(Clone, Debug, Default)]
pub struct RestoreParams {
    /// What opens the backup's key file, when the installation has another master key by now.
    pub master_key: Option<MasterKeySource>,
    /// Tokens stay good. Only when nothing was written since the backup was made: nobody can say otherwise which of them
    /// were used up meanwhile.
    pub keep_tokens: bool,
}

impl Vault {
    /// Makes a backup in `folder`, which must not be there yet. Nothing waits for it.
    pub fn backup(&self, folder: &Path) -> Result<BackupInfo, VaultError> {
        self.backup_with(folder, |_| Ok(None))
    }

    /// The same with a file of others, which `other` makes in the folder and names. It is made before the vault is copied: so the copy has
    /// every card that the file speaks of, as cards are kept here before anybody hears of them.
    pub fn backup_with<E: From<VaultError>>(
        &self,
        folder: &Path,
        other: impl FnOnce(&Path) -> Result<Option<&'static str>, E>,
    ) -> Result<BackupInfo, E> {
        self.make_folder(folder)?;
        let made = other(folder).and_then(|other| Ok(self.fill(folder, other)?));
        if made.is_err() {
            // Best effort: without its description the folder is no backup anyway.
            let _ = fs::remove_dir_all(folder);
        }
        let info = made?;
        self.note("backup made", folder.display().to_string())?;
        Ok(info)
    }

    fn make_folder(&self, folder: &Path) -> Result<(), VaultError> {
        if let Some(above) = folder.parent() {
            file::create_folder(above)?;
        }
        // Refuses one that is there.
        use std::os::unix::fs::DirBuilderExt;
        let made = fs::DirBuilder::new().mode(0o700).create(folder);
        made.map_err(VaultError::file(folder))
    }

    fn fill(&self, folder: &Path, other: Option<&str>) -> Result<BackupInfo, VaultError> {
        let (shared, random) = (&self.shared, &*self.shared.random);
        let made_at = shared.now();
        let others = other.map(|name| Ok::<_, VaultError>((name.to_owned(), hash(&folder.join(name))?)));
        let (store, keys) = (folder.join(shared.store.copy_name()), folder.join(KEYS));
        shared.store.copy_to(&store)?;
        // After the store: it then has the wrapping keys of all that is in there, and those from before the last rotation.
        let bytes = file::read_private(shared.keys.path())?.ok_or(VaultError::WrongKeys)?;
        file::create_private(&keys, &bytes, random)?;
        let info = BackupInfo {
            version: VERSION,
            installation: Base64UrlUnpadded::encode_string(&shared.keys.store),
            made_at,
            store: hash(&store)?,
            keys: hash(&keys)?,
            others: others.transpose()?.into_iter().collect(),
        };
        let text = serde_json::to_vec_pretty(&info).map_err(|_| VaultError::Crypto)?;
        // Last: without it the folder is no backup.
        file::create_private(&folder.join(INFO), &text, random)?;
        Ok(info)
    }

    /// Puts a backup back: into an empty place, or over the same installation, which may be running.
    ///
    /// A backup of another installation, a damaged one, and one that the master key does not open are refused before
    /// anything is written. Widget tokens end, unless told otherwise.
    pub fn restore(
        config: VaultConfig,
        from: &Path,
        params: &RestoreParams,
    ) -> Result<BackupInfo, VaultError> {
        let target = store::database(&config.database);
        let (info, copy) = read(from, target.copy_name())?;
        let source = params.master_key.as_ref().unwrap_or(&config.master_key);
        let backed_up = Keys::read(&from.join(KEYS), source.open())?
            .ok_or_else(|| VaultError::NotABackup(from.to_owned()))?;
        let identity = target
            .identify_copy(&copy)?
            .ok_or_else(|| VaultError::NotABackup(from.to_owned()))?;
        check(&backed_up, &identity)?;

        let known = if target.exists()? {
            target.identify()?
        } else {
            None
        };
        if known.is_some_and(|known| known.id != backed_up.store) {
            return Err(VaultError::AnotherInstallation);
        }
        let master_key = config.master_key.open();
        let random = Arc::clone(&config.random);
        match Keys::read(&config.keys, Arc::clone(&master_key))? {
            Some(keys) if keys.store != backed_up.store => return Err(VaultError::AnotherInstallation),
            // What the backup is wrapped under may have been destroyed since.
            Some(keys) => keys.change(&*random, |ring| ring.take_wrapping(&backed_up.ring()))?,
            None => backed_up.write_to(&config.keys, &*master_key, &*random)?,
        }
        target.restore(&copy, params.keep_tokens)?;
        let vault = Self::open(config)?;
        vault.note("backup restored", info.made_at.to_string())?;
        Ok(info)
    }

    /// What is left to do when the database itself was put back, by its own tools: ends all tokens, as nobody can say which
    /// were used since. Refused with keys that are not the database's own.
    pub fn end_tokens(mut config: VaultConfig) -> Result<(), VaultError> {
        config.create = false;
        let database = store::database(&config.database);
        let vault = Self::open(config)?;
        database.end_tokens()?;
        vault.note("database put back", String::new())
    }
}

/// Reads the description of a backup, and compares the files with it. Says where the store's copy is, which has that name.
fn read(from: &Path, copy: &str) -> Result<(BackupInfo, PathBuf), VaultError> {
    let not_whole = || VaultError::NotABackup(from.to_owned());
    let bytes = match fs::read(from.join(INFO)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(not_whole()),
        read => read.map_err(VaultError::file(from))?,
    };
    let info: BackupInfo = serde_json::from_slice(&bytes).map_err(|_| not_whole())?;
    let store = from.join(copy);
    if !store.exists() {
        return Err(VaultError::AnotherDatabase);
    }
    let ours = [(copy, &info.store), (KEYS, &info.keys)].into_iter();
    let others = info.others.iter().map(|(name, digest)| (name.as_str(), digest));
    for (name, digest) in ours.chain(others) {
        let path = from.join(name);
        if !path.exists() || hash(&path)? != *digest {
            return Err(not_whole());
        }
    }
    if info.version != VERSION {
        return Err(not_whole());
    }
    Ok((info, store))
}

/// SHA-256 of a file.
fn hash(path: &Path) -> Result<String, VaultError> {
    let mut file = File::open(path).map_err(VaultError::file(path))?;
    let mut context = digest::Context::new(&digest::SHA256);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(VaultError::file(path))? {
            0 => return Ok(Base64UrlUnpadded::encode_string(context.finish().as_ref())),
            count => context.update(buffer.get(..count).unwrap_or_default()),
        }
    }
}

/// The key file's copy.
const KEYS: &str = "keys";

/// The description.
const INFO: &str = "backup.json";

/// Version of the folder's layout.
const VERSION: u32 = 1;
