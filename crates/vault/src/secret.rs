//! Secrets and signatures of other rooms, which have no keys of their own.
//!
//! Their keys are derived from one of the key file's that is never rotated: what was sealed or signed stays good as long as the
//! installation lives, and opens wherever the master key opens the key file.

use zeroize::Zeroizing;

use crate::crypto::{self, Base, Kind, Place, Prk};
use crate::error::VaultError;
use crate::vault::Vault;

impl Vault {
    /// Seals a secret, which opens under the same name alone. The audit log says so. Waits for the disk.
    pub fn seal_secret(&self, name: &str, secret: &[u8]) -> Result<Vec<u8>, VaultError> {
        let place = place(Kind::Secret, name);
        let sealed = self.prk()?.seal(&place, secret.into(), &*self.shared.random)?;
        self.note("secret sealed", name.to_owned())?;
        Ok(sealed)
    }

    /// The secret that was sealed under that name. [`VaultError::Damaged`] when it was altered, or sealed under another one.
    pub fn open_secret(&self, name: &str, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, VaultError> {
        let place = place(Kind::Secret, name);
        Ok(self.prk()?.open(&place, sealed)?)
    }

    /// HMAC-SHA256 of a message, under a key of that name. To be compared in constant time.
    pub fn mac(&self, name: &str, message: &[u8]) -> Result<[u8; 32], VaultError> {
        let key = self.prk()?.key(&place(Kind::Mac, name))?;
        Ok(crypto::mac(&key, &[message]))
    }

    /// What the keys of all names come from.
    fn prk(&self) -> Result<Prk, VaultError> {
        Ok(Base::new(&self.shared.keys.fingerprint).with(b"other rooms")?)
    }
}

/// A name stands for itself: it belongs to no project and no epoch.
fn place(kind: Kind, name: &str) -> Place<'_> {
    Place {
        kind,
        project: "",
        epoch: 0,
        row: name.as_bytes(),
    }
}
