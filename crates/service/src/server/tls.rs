//! TLS with a certificate and a key from files, which may be exchanged while the service runs.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_rustls::server::TlsStream;

/// TLS 1.2 and 1.3 as rustls holds them to be safe.
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    config: RwLock<Arc<ServerConfig>>,
}

impl Tls {
    /// With the chain in `certificate`, the service's own first, and its private key in `key`; both PEM.
    pub fn read(certificate: PathBuf, key: PathBuf) -> Result<Self, TlsError> {
        let config = RwLock::new(read(&certificate, &key)?);
        Ok(Self {
            certificate,
            key,
            config,
        })
    }

    /// Reads both files again, for the connections to come. Where they cannot be used, everything stays as it was.
    pub fn reload(&self) -> Result<(), TlsError> {
        let config = read(&self.certificate, &self.key)?;
        // A pointer is exchanged: whole at any moment.
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = config;
        Ok(())
    }

    pub(super) async fn accept<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: S,
    ) -> io::Result<TlsStream<S>> {
        let config = Arc::clone(&self.config.read().unwrap_or_else(PoisonError::into_inner));
        TlsAcceptor::from(config).accept(stream).await
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls")
            .field("certificate", &self.certificate)
            .finish_non_exhaustive()
    }
}

fn read(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error: pem::Error| match error {
            pem::Error::Io(source) => TlsError::File { path, source },
            _ => TlsError::NotPem(path),
        }
    };
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(unreadable(certificate))?;
    if chain.is_empty() {
        return Err(TlsError::NotPem(certificate.to_owned()));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(unreadable(key))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, secret)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// Why TLS cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Nothing in it that it should hold.
    #[error("{path} is not PEM: --tls-cert takes a chain of certificates, --tls-key one private key", path = .0.display())]
    NotPem(PathBuf),
    /// The two do not fit each other, or the library does not take them.
    #[error("--tls-cert and --tls-key cannot be used together: {0}")]
    Refused(#[from] rustls::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let [one, other] =
            [(); 2].map(|()| rcgen::generate_simple_self_signed(["localhost".into()]).unwrap());
        let certificate = file("certificate.pem", &one.cert.pem());
        let key = file("key.pem", &one.signing_key.serialize_pem());
        let other_key = file("other.pem", &other.signing_key.serialize_pem());
        let empty = file("empty.pem", "");
        assert!(Tls::read(certificate.clone(), key.clone()).is_ok());
        for (certificate, key, told, why) in [
            (&certificate, &other_key, "--tls-key", "another's key"),
            (&empty, &key, "empty.pem", "no certificate"),
            (&certificate, &certificate, "certificate.pem", "no key"),
            (&folder.path().join("none.pem"), &key, "none.pem", "no file"),
        ] {
            let error = Tls::read(certificate.clone(), key.clone())
                .unwrap_err()
                .to_string();
            assert!(error.contains(told), "{why}: {error}");
        }
    }
}
