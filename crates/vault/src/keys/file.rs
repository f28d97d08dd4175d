//! Small files that are their owner's alone: made whole or not at all, and never changed in place.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::config::Random;
use crate::error::VaultError;

/// Reads a small file that only its owner may read; `None` where there is none.
pub(crate) fn read_private(path: &Path) -> Result<Option<Zeroizing<Vec<u8>>>, VaultError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(VaultError::file(path)(error)),
    };
    // Asked of the open file, so that it is the one that is read.
    let metadata = file.metadata().map_err(VaultError::file(path))?;
    let credentials = env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
    if is_exposed(path, metadata.permissions().mode(), credentials.as_deref()) {
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

/// Whether others than its owner may read a file of this mode.
///
/// Systemd's credentials (`LoadCredential=`) belong to root from version 254 on, and a list of access rights lets the
/// service's user read them; the bits of the group then say how far that list may go (0440). Their folder is the service's
/// alone.
fn is_exposed(path: &Path, mode: u32, credentials: Option<&Path>) -> bool {
    let is_credential =
        credentials.is_some_and(|folder| folder.is_absolute() && path.parent() == Some(folder));
    mode & if is_credential { 0o037 } else { 0o077 } != 0
}

/// Makes a file of mode 0600 with this content, whole or not at all, and on the disk before it returns. A file that is
/// there already stays as it is.
pub(crate) fn create_private(path: &Path, content: &[u8], random: &dyn Random) -> Result<(), VaultError> {
    let draft = draft_of(path, random)?;
    // A second name for a finished file: unlike renaming, this never replaces one.
    let written = write_draft(&draft, content).and_then(|()| fs::hard_link(&draft, path));
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

/// The same in the place of a file that is there: readers see the old content or the new one, never a part.
pub(crate) fn replace_private(path: &Path, content: &[u8], random: &dyn Random) -> Result<(), VaultError> {
    let draft = draft_of(path, random)?;
    match write_draft(&draft, content).and_then(|()| fs::rename(&draft, path)) {
        Ok(()) => sync_folder(path),
        Err(error) => {
            // Of a draft that was never made there is nothing to remove.
            let _ = fs::remove_file(&draft);
            Err(VaultError::file(path)(error))
        }
    }
}

/// Waits until nobody else changes what lies at `path`, and keeps others from it until the result is dropped.
pub(crate) fn lock(path: &Path) -> Result<File, VaultError> {
    let mut name = path.to_owned().into_os_string();
    name.push(".lock");
    let name = PathBuf::from(name);
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&name)
        .and_then(|file| file.lock().map(|()| file))
        .map_err(VaultError::file(&name))
}

fn draft_of(path: &Path, random: &dyn Random) -> Result<PathBuf, VaultError> {
    let mut name = [0; 8];
    random.fill(&mut name)?;
    let mut draft = path.to_owned().into_os_string();
    draft.push(format!(".{:016x}", u64::from_be_bytes(name)));
    Ok(draft.into())
}

fn write_draft(draft: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(draft)?;
    file.write_all(content)?;
    file.sync_all()
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

/// Longest file in bytes. A key file with one key of each kind has about 1,000.
const MAX_FILE: u64 = 64 * 1024;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SystemRandom;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn made_once_and_replaced_whole() {
        let folder = folder();
        let path = folder.path().join("x");
        assert!(read_private(&path).unwrap().is_none());
        create_private(&path, b"one", &SystemRandom).unwrap();
        create_private(&path, b"two", &SystemRandom).unwrap();
        assert_eq!(
            **read_private(&path).unwrap().unwrap(),
            *b"one",
            "one that is there stays"
        );
        replace_private(&path, b"three", &SystemRandom).unwrap();
        assert_eq!(**read_private(&path).unwrap().unwrap(), *b"three");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(replace_private(&folder.path().join("no/x"), b"", &SystemRandom).is_err());
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no draft is left"
        );
    }

    #[test]
    fn wide_modes_and_long_files_are_refused() {
        let folder = folder();
        let path = folder.path().join("x");
        create_private(&path, b"one", &SystemRandom).unwrap();
        for mode in [0o640, 0o604, 0o644, 0o660, 0o601] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert!(
                matches!(read_private(&path), Err(VaultError::KeysExposed(_))),
                "{mode:o}"
            );
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
        assert!(read_private(&path).unwrap().is_some(), "tighter is fine");
        replace_private(&path, &[b' '; 70_000], &SystemRandom).unwrap();
        assert!(matches!(read_private(&path), Err(VaultError::KeysUnreadable(_))));
    }

    #[test]
    fn credentials_of_systemd_carry_their_list_in_the_groups_bits() {
        let folder = Some(Path::new("/run/credentials/card-widget.service"));
        for (path, mode, credentials, exposed) in [
            (
                "/run/credentials/card-widget.service/master",
                0o100_440,
                folder,
                false,
            ),
            (
                "/run/credentials/card-widget.service/master",
                0o100_400,
                folder,
                false,
            ),
            (
                "/run/credentials/card-widget.service/master",
                0o100_444,
                folder,
                true,
            ),
            (
                "/run/credentials/card-widget.service/master",
                0o100_460,
                folder,
                true,
            ),
            (
                "/run/credentials/card-widget.service/master",
                0o100_440,
                None,
                true,
            ),
            ("/run/credentials/other.service/master", 0o100_440, folder, true),
            (
                "/run/credentials/card-widget.service/a/master",
                0o100_440,
                folder,
                true,
            ),
            ("master", 0o100_440, Some(Path::new("")), true),
            ("/etc/card-widget.master", 0o100_600, folder, false),
        ] {
            assert_eq!(
                is_exposed(Path::new(path), mode, credentials),
                exposed,
                "{path} {mode:o}"
            );
        }
    }

    #[test]
    fn one_at_a_time_changes_a_file() {
        let folder = folder();
        let path = folder.path().join("x");
        create_private(&path, b"0", &SystemRandom).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..5 {
                        let _lock = lock(&path).unwrap();
                        let count: u32 = std::str::from_utf8(&read_private(&path).unwrap().unwrap())
                            .unwrap()
                            .parse()
                            .unwrap();
                        let next = (count + 1).to_string();
                        replace_private(&path, next.as_bytes(), &SystemRandom).unwrap();
                    }
                });
            }
        });
        assert_eq!(**read_private(&path).unwrap().unwrap(), *b"40");
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
}
