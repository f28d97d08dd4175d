//! Where the master key comes from. It seals the key file and nothing else, so it is asked for at the start, and again
//! only after the key file was changed.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::config::{Random, RandomError};

pub(crate) mod agent;
pub(crate) mod file;
pub(crate) mod local;

/// A master key, wherever it lies: wraps the key under which the key file is sealed.
///
/// [`MasterKeySource`] names the three that there are. Whoever has a key service with a client library of its own
/// implements this instead, and hands it in as [`MasterKeySource::Custom`]. Calls may wait, for some seconds at most.
pub trait MasterKey: Send + Sync {
    /// Makes the key where there is none. Asked at the very first start alone, before anything is written.
    ///
    /// Does nothing where somebody else keeps the key: then it must be there.
    fn make(&self, random: &dyn Random) -> Result<(), MasterKeyError> {
        let _ = random;
        Ok(())
    }

    /// Wraps `key` with the newest version of the master key. `context` names the installation; unwrapping with another
    /// one must fail.
    fn wrap(&self, context: &[u8], key: &[u8; 32], random: &dyn Random) -> Result<Wrapped, MasterKeyError>;

    /// Unwraps what [`MasterKey::wrap`] gave, also with an older version of the key.
    fn unwrap(&self, wrapped: &Wrapped, context: &[u8]) -> Result<Zeroizing<[u8; 32]>, MasterKeyError>;

    /// Makes a new version, which wraps from now on; the older ones still unwrap.
    ///
    /// Does nothing where somebody else makes new versions: then the newest that there is wraps.
    fn renew(&self, random: &dyn Random) -> Result<(), MasterKeyError> {
        let _ = random;
        Ok(())
    }

    /// Gives up all versions but the newest: nothing is wrapped with them any more.
    fn forget_old(&self, random: &dyn Random) -> Result<(), MasterKeyError> {
        let _ = random;
        Ok(())
    }

    /// Where the key lies, in a few words, for messages.
    fn place(&self) -> String;
}

/// A wrapped key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapped {
    /// Which version of the master key wrapped it. Not secret; at most 256 bytes.
    pub id: String,
    /// What only the master key opens, at most 4096 bytes.
    pub bytes: Vec<u8>,
}

/// Why a master key cannot be used. The messages say what to do, and hold no key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MasterKeyError {
    /// There is none.
    #[error(
        "there is no master key in {0}; put back the one that this installation was made with, nothing else opens it"
    )]
    Missing(String),
    /// What is there is none.
    #[error("what is in {0} is not a master key: 32 bytes as base64url, 43 letters")]
    Malformed(String),
    /// Others than its owner may read it.
    #[error("{path} may be read by others than its owner; set its mode to 0600", path = .0.display())]
    Exposed(PathBuf),
    /// It is another one.
    #[error("the master key in {place} is another one: {wanted} is needed; nothing was changed")]
    Wrong {
        /// Where the key lies.
        place: String,
        /// The id of the key that is needed.
        wanted: String,
    },
    /// A key of this kind is not made by this program.
    #[error(
        "a master key in {0} is not made here: put a new one before the present one, on a line of its own or with a space between, or name another place with `--to`"
    )]
    NotMade(String),
    /// It cannot be reached.
    #[error("the master key in {place} cannot be had: {reason}")]
    Unavailable {
        /// Where the key lies.
        place: String,
        /// What went wrong.
        reason: String,
    },
    /// No randomness.
    #[error(transparent)]
    Random(#[from] RandomError),
}

/// Which master key to use.
#[derive(Clone)]
#[non_exhaustive]
pub enum MasterKeySource {
    /// A file of mode 0600, made at the very first start. One key a line, the newest first.
    File(PathBuf),
    /// An environment variable. One key, or several with spaces between, the newest first.
    Environment(String),
    /// A program that keeps the key and answers on a Unix socket.
    Agent(PathBuf),
    /// Anything else.
    Custom(Arc<dyn MasterKey>),
}

impl MasterKeySource {
    /// Reads `file:PATH`, `env:NAME` or `unix:PATH`; `None` when it is none of them.
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once(':')?;
        match (kind, rest) {
            (_, "") => None,
            ("file", path) => Some(Self::File(path.into())),
            ("env", name) => Some(Self::Environment(name.to_owned())),
            ("unix", path) => Some(Self::Agent(path.into())),
            _ => None,
        }
    }

    pub(crate) fn open(&self) -> Arc<dyn MasterKey> {
        match self {
            Self::File(path) => Arc::new(file::FileKey::new(path.clone())),
            Self::Environment(name) => Arc::new(local::EnvironmentKey::new(name.clone())),
            Self::Agent(path) => Arc::new(agent::Agent::new(path.clone())),
            Self::Custom(key) => Arc::clone(key),
        }
    }
}

impl fmt::Debug for MasterKeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "file:{}", path.display()),
            Self::Environment(name) => write!(f, "env:{name}"),
            Self::Agent(path) => write!(f, "unix:{}", path.display()),
            Self::Custom(key) => f.write_str(&key.place()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_read_or_refused() {
        for (text, place) in [
            ("file:/run/secrets/master", Some("/run/secrets/master")),
            ("env:CARD_WIDGET_MASTER_KEY", Some("CARD_WIDGET_MASTER_KEY")),
            ("unix:/run/keys.sock", Some("/run/keys.sock")),
            ("file:", None),
            ("/run/secrets/master", None),
            ("https://keys.example", None),
            ("", None),
        ] {
            let source = MasterKeySource::parse(text).map(|source| source.open().place());
            assert_eq!(source.is_some(), place.is_some(), "{text}");
            assert!(source.unwrap_or_default().contains(place.unwrap_or("")), "{text}");
        }
    }
}
