//! A master key in a file of its own, so that it can lie elsewhere than the key file that it opens.

use std::path::PathBuf;

use zeroize::Zeroizing;

use super::local::{self, LocalKeys};
use super::{MasterKey, MasterKeyError, Wrapped};
use crate::config::Random;
use crate::crypto::{self, CryptoError, Key};
use crate::error::VaultError;
use crate::keys::file;

/// The file is read when it is needed, so that a running service takes a new key without a restart.
pub(super) struct FileKey {
    path: PathBuf,
}

impl FileKey {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    fn read(&self) -> Result<LocalKeys, MasterKeyError> {
        let bytes = file::read_private(&self.path)
            .map_err(|error| self.wrong(error))?
            .ok_or_else(|| MasterKeyError::Missing(self.place()))?;
        let text = std::str::from_utf8(&bytes).map_err(|_| MasterKeyError::Malformed(self.place()))?;
        LocalKeys::parse(text, &self.place())
    }

    fn new_key(&self, random: &dyn Random) -> Result<Key, MasterKeyError> {
        crypto::make_key(random).map_err(|error| match error {
            CryptoError::Random(error) => error.into(),
            _ => self.unavailable("the cryptographic library failed".into()),
        })
    }

    /// Keys as the file's content, one a line.
    fn content<'a>(keys: impl IntoIterator<Item = &'a Key>) -> Zeroizing<Vec<u8>> {
        let mut content = Zeroizing::new(Vec::with_capacity(512));
        for key in keys {
            content.extend_from_slice(local::format(key).as_bytes());
            content.push(b'\n');
        }
        content
    }

    fn wrong(&self, error: VaultError) -> MasterKeyError {
        match error {
            VaultError::KeysExposed(path) => MasterKeyError::Exposed(path),
            VaultError::KeysUnreadable(_) => MasterKeyError::Malformed(self.place()),
            other => self.unavailable(other.to_string()),
        }
    }

    fn unavailable(&self, reason: String) -> MasterKeyError {
        MasterKeyError::Unavailable {
            place: self.place(),
            reason,
        }
    }
}

impl MasterKey for FileKey {
    fn make(&self, random: &dyn Random) -> Result<(), MasterKeyError> {
        // One that is there stays, and may lie where nothing can be written: among the credentials of systemd, say.
        match self.read() {
            Err(MasterKeyError::Missing(_)) => {}
            read => return read.map(drop),
        }
        if let Some(folder) = self.path.parent() {
            file::create_folder(folder).map_err(|error| self.wrong(error))?;
        }
        let key = self.new_key(random)?;
        // Another process may be faster: its key stays.
        file::create_private(&self.path, &Self::content([&key]), random)
            .map_err(|error| self.wrong(error))?;
        self.read().map(drop)
    }

    fn wrap(&self, context: &[u8], key: &[u8; 32], random: &dyn Random) -> Result<Wrapped, MasterKeyError> {
        self.read()?.wrap(context, key, random)
    }

    fn unwrap(&self, wrapped: &Wrapped, context: &[u8]) -> Result<Key, MasterKeyError> {
        self.read()?.unwrap(wrapped, context)
    }

    fn renew(&self, random: &dyn Random) -> Result<(), MasterKeyError> {
        let (old, new) = (self.read()?, self.new_key(random)?);
        let content = Self::content(std::iter::once(&new).chain(old.all()));
        match file::replace_private(&self.path, &content, random) {
            // Whoever can write there has done it when an older one stands behind the newest.
            Err(error) if is_read_only(&error) => match old.all().len() {
                1 => Err(MasterKeyError::NotMade(self.place())),
                _ => Ok(()),
            },
            written => written.map_err(|error| self.wrong(error)),
        }
    }

    fn forget_old(&self, random: &dyn Random) -> Result<(), MasterKeyError> {
        let content = Self::content(self.read()?.all().first());
        match file::replace_private(&self.path, &content, random) {
            Err(error) if is_read_only(&error) => Ok(()),
            written => written.map_err(|error| self.wrong(error)),
        }
    }

    fn place(&self) -> String {
        format!("the file {}", self.path.display())
    }
}

/// Whether a file lies where this program cannot write: among the credentials of systemd, or in the volume of a secret.
fn is_read_only(error: &VaultError) -> bool {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    matches!(error, VaultError::File { source, .. } if matches!(source.kind(), ReadOnlyFilesystem | PermissionDenied))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::config::SystemRandom;

    /// `/sys` stands in for a place where nobody can write, not even root.
    #[test]
    fn where_nothing_can_be_written() {
        let new = FileKey::new("/sys/kernel/master".into());
        assert!(new.make(&SystemRandom).is_err());
        let error = file::replace_private("/sys/kernel/master".as_ref(), b"", &SystemRandom).unwrap_err();
        assert!(is_read_only(&error), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let error = file::replace_private(&folder.path().join("no/x"), b"", &SystemRandom).unwrap_err();
        assert!(!is_read_only(&error), "{error}");
    }

    #[test]
    fn made_renewed_and_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/master");
        let key = FileKey::new(path.clone());
        assert!(matches!(
            key.wrap(b"c", &[7; 32], &SystemRandom),
            Err(MasterKeyError::Missing(_))
        ));
        key.make(&SystemRandom).unwrap();
        let made = fs::read(&path).unwrap();
        key.make(&SystemRandom).unwrap();
        assert_eq!(fs::read(&path).unwrap(), made, "one that is there stays");
        let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);

        let first = key.wrap(b"c", &[7; 32], &SystemRandom).unwrap();
        key.renew(&SystemRandom).unwrap();
        let second = key.wrap(b"c", &[8; 32], &SystemRandom).unwrap();
        assert_ne!(first.id, second.id);
        assert_eq!(
            *key.unwrap(&first, b"c").unwrap(),
            [7; 32],
            "the older one still unwraps"
        );
        key.forget_old(&SystemRandom).unwrap();
        assert!(matches!(
            key.unwrap(&first, b"c"),
            Err(MasterKeyError::Wrong { .. })
        ));
        assert_eq!(*key.unwrap(&second, b"c").unwrap(), [8; 32]);
        assert_eq!(mode(&path), 0o600);

        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(
            key.unwrap(&second, b"c"),
            Err(MasterKeyError::Exposed(_))
        ));
    }
}
