//! How a PostgreSQL database is reached: its URL, and what `sslmode` asks for.

use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::client::verify_server_cert_signed_by_trust_anchor;
use tokio_rustls::rustls::crypto::{
    CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// How to reach a PostgreSQL database. `Debug` leaves out where, since a password may stand in it.
#[derive(Clone)]
pub struct PostgresUrl {
    pub(super) config: Box<Config>,
    protection: Protection,
    /// `None` where connections are not encrypted.
    pub(super) tls: Option<MakeRustlsConnect>,
}

impl PostgresUrl {
    /// Reads `postgres://user:password@host:port/database?sslmode=…&sslrootcert=…`, and the certificates that it names.
    ///
    /// Where it says no `sslmode`, a server on this machine is spoken to in clear, and any other as `verify-full` asks.
    pub fn parse(text: &str) -> Result<Self, PostgresUrlError> {
        let (rest, mode, roots) = take_apart(text)?;
        let mut config: Config = rest.parse().map_err(|_| PostgresUrlError::Malformed)?;
        if config.get_hosts().is_empty() {
            return Err(PostgresUrlError::Malformed);
        }
        let protection = Protection::of(mode, roots, &config)?;
        config.ssl_mode(match protection {
            Protection::Off => SslMode::Disable,
            _ => SslMode::Require,
        });
        Ok(Self {
            config: Box::new(config),
            tls: protection.connector()?,
            protection,
        })
    }
}

impl PartialEq for PostgresUrl {
    fn eq(&self, other: &Self) -> bool {
        self.config == other.config && self.protection == other.protection
    }
}

impl Eq for PostgresUrl {}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PostgresUrl(..)")
    }
}

/// Why a database cannot be reached as it is asked for. Nothing of the URL is in it but names of files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PostgresUrlError {
    /// No URL, or parameters that are not known.
    #[error(
        "it must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with an @ in the password written as %40, and after a ? no other parameters than {PARAMETERS}"
    )]
    Malformed,
    /// An `sslmode` that there is not.
    #[error(
        "its sslmode must be disable, require, verify-ca or verify-full; what else there is would go on in clear when \
         somebody on the way says that there is no TLS"
    )]
    Mode,
    /// TLS on a socket of this machine.
    #[error("its host is a socket of this machine, which has no TLS: leave sslmode out")]
    Socket,
    /// Certificates where none is looked at.
    #[error(
        "its sslrootcert is of no use with sslmode=disable, or where nothing is said of a server on this machine"
    )]
    UselessRoots,
    /// The file of certificates.
    #[error("its sslrootcert {path} holds no certificates in PEM that can be read", path = .0.display())]
    Roots(PathBuf),
    /// The system's certificates.
    #[error("this system has no certificates of authorities; name those of the server by sslrootcert=FILE")]
    NoSystemRoots,
    /// The library of TLS.
    #[error("TLS cannot be set up: {0}")]
    Tls(#[from] Error),
}

/// What `sslmode` says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Disable,
    Require,
    VerifyCa,
    VerifyFull,
}

impl FromStr for Mode {
    type Err = PostgresUrlError;

    fn from_str(text: &str) -> Result<Self, PostgresUrlError> {
        match text {
            "disable" => Ok(Self::Disable),
            "require" => Ok(Self::Require),
            "verify-ca" => Ok(Self::VerifyCa),
            "verify-full" => Ok(Self::VerifyFull),
            // Among them `allow` and `prefer`.
            _ => Err(PostgresUrlError::Mode),
        }
    }
}

/// Whose certificates are trusted.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Roots {
    System,
    File(PathBuf),
}

/// What protects a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Protection {
    /// Nothing.
    Off,
    /// Encrypted, to whoever answers.
    Encrypted,
    /// Encrypted, to somebody whom one of these authorities knows.
    Known(Roots),
    /// Encrypted, to whom the host's name belongs.
    Named(Roots),
}

impl Protection {
    fn of(mode: Option<Mode>, roots: Option<Roots>, config: &Config) -> Result<Self, PostgresUrlError> {
        let socket = config
            .get_hosts()
            .iter()
            .any(|host| matches!(host, Host::Unix(_)));
        match (mode, roots) {
            (Some(Mode::Disable), None) => Ok(Self::Off),
            (Some(_), None) if socket => Err(PostgresUrlError::Socket),
            (None, None) if is_here(config) => Ok(Self::Off),
            (Some(Mode::Disable), Some(_)) => Err(PostgresUrlError::UselessRoots),
            (None, Some(_)) if is_here(config) => Err(PostgresUrlError::UselessRoots),
            (Some(_), Some(_)) if socket => Err(PostgresUrlError::Socket),
            (Some(Mode::Require), None) => Ok(Self::Encrypted),
            // What PostgreSQL's own programs make of this pair.
            (Some(Mode::Require), Some(roots)) => Ok(Self::Known(roots)),
            (Some(Mode::VerifyCa), roots) => Ok(Self::Known(roots.unwrap_or(Roots::System))),
            (Some(Mode::VerifyFull) | None, roots) => Ok(Self::Named(roots.unwrap_or(Roots::System))),
        }
    }

    fn connector(&self) -> Result<Option<MakeRustlsConnect>, PostgresUrlError> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let builder = match self {
            Self::Off => return Ok(None),
            Self::Named(roots) => builder.with_root_certificates(roots.read()?),
            Self::Known(roots) => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(Nameless {
                    roots: Some(roots.read()?),
                    provider,
                })),
            Self::Encrypted => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(Nameless {
                    roots: None,
                    provider,
                })),
        };
        let mut config = builder.with_no_client_auth();
        // Asked for by servers that are spoken to in TLS from the first byte (`sslnegotiation=direct`).
        config.alpn_protocols = vec![b"postgresql".to_vec()];
        Ok(Some(MakeRustlsConnect::new(config)))
    }
}

impl Roots {
    fn read(&self) -> Result<RootCertStore, PostgresUrlError> {
        let mut store = RootCertStore::empty();
        match self {
            Self::System => {
                store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
                if store.is_empty() {
                    return Err(PostgresUrlError::NoSystemRoots);
                }
            }
            Self::File(path) => {
                let unreadable = || PostgresUrlError::Roots(path.clone());
                for certificate in CertificateDer::pem_file_iter(path).map_err(|_| unreadable())? {
                    let certificate = certificate.map_err(|_| unreadable())?;
                    store.add(certificate).map_err(|_| unreadable())?;
                }
                if store.is_empty() {
                    return Err(unreadable());
                }
            }
        }
        Ok(store)
    }
}

/// Checks that the other side has the key of its certificate, and who signed that, but not the name in it.
#[derive(Debug)]
struct Nameless {
    /// `None`: whoever signed it.
    roots: Option<RootCertStore>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Nameless {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some(roots) = &self.roots {
            verify_server_cert_signed_by_trust_anchor(
                &ParsedCertificate::try_from(end_entity)?,
                roots,
                intermediates,
                now,
                self.provider.signature_verification_algorithms.all,
            )?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

/// The URL without what the client's library does not know, and that.
fn take_apart(text: &str) -> Result<(String, Option<Mode>, Option<Roots>), PostgresUrlError> {
    if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
        return Err(PostgresUrlError::Malformed);
    }
    // As the client's library reads it: what stands before the first @ is user and password, whatever is in there.
    let start = text.find('@').unwrap_or_default();
    let question = text
        .get(start..)
        .and_then(|rest| rest.find('?'))
        .map(|at| start + at);
    let (address, query) = match question.and_then(|at| text.split_at_checked(at)) {
        Some((address, query)) => (address, query.trim_start_matches('?')),
        None => (text, ""),
    };
    let (mut mode, mut roots, mut others) = (None, None, Vec::new());
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        match name {
            "sslmode" => mode = Some(value.parse()?),
            "sslrootcert" => {
                let value = percent_decode_str(value).decode_utf8();
                roots = match value.map_err(|_| PostgresUrlError::Malformed)?.as_ref() {
                    "system" => Some(Roots::System),
                    path => Some(Roots::File(Path::new(path).to_owned())),
                };
            }
            _ => others.push(parameter),
        }
    }
    let rest = match others.is_empty() {
        true => address.to_owned(),
        false => format!("{address}?{}", others.join("&")),
    };
    Ok((rest, mode, roots))
}

/// Whether nothing leaves this machine on the way to the server.
fn is_here(config: &Config) -> bool {
    let is_loopback = |name: &str| {
        let name = name.trim_start_matches('[').trim_end_matches(']');
        name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    };
    let names = config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => is_loopback(name),
        Host::Unix(_) => true,
    });
    names && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

/// What may stand after the question mark; the client's library knows the others than the first two.
const PARAMETERS: &str = "sslmode, sslrootcert, sslnegotiation, channel_binding, host, hostaddr, port, user, password, dbname, \
     options, application_name, connect_timeout, tcp_user_timeout, keepalives, keepalives_idle, \
     keepalives_interval, keepalives_retries, target_session_attrs and load_balance_hosts";

#[cfg(test)]
mod tests {
    use super::*;

    fn protection(url: &str) -> Result<Protection, String> {
        PostgresUrl::parse(url)
            .map(|url| url.protection)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn what_protects_a_connection() {
        for (url, expected) in [
            ("postgres://vault@localhost:5432/cards", Some(Protection::Off)),
            (
                "postgresql://vault:secret@127.0.0.1/cards?connect_timeout=2",
                Some(Protection::Off),
            ),
            ("postgres://vault@[::1]/cards", Some(Protection::Off)),
            ("postgres:///cards?host=/run/postgresql", Some(Protection::Off)),
            (
                "postgres://vault@db.internal/cards?sslmode=disable",
                Some(Protection::Off),
            ),
            (
                "postgres://vault@db.internal/cards",
                Some(Protection::Named(Roots::System)),
            ),
            (
                "postgres://vault@localhost,db.internal/cards",
                Some(Protection::Named(Roots::System)),
            ),
            (
                "postgres://vault@localhost/cards?hostaddr=192.0.2.1",
                Some(Protection::Named(Roots::System)),
            ),
            (
                "postgres://vault@db.internal/cards?sslmode=require",
                Some(Protection::Encrypted),
            ),
            (
                "postgres://vault@localhost/cards?sslmode=require",
                Some(Protection::Encrypted),
            ),
            (
                "postgres://vault@db.internal/cards?sslmode=verify-ca",
                Some(Protection::Known(Roots::System)),
            ),
            (
                "postgres://vault@db.internal/cards?sslmode=require&sslrootcert=system",
                Some(Protection::Known(Roots::System)),
            ),
            (
                "postgres://vault@db.internal/cards?connect_timeout=2&sslmode=verify-full&sslrootcert=system",
                Some(Protection::Named(Roots::System)),
            ),
            ("postgres://", None),
            ("postgres:cards", None),
            ("host=localhost user=vault", None),
            ("postgres://vault@localhost/cards?sslmod=require", None),
        ] {
            assert_eq!(protection(url).ok(), expected, "{url}");
        }
    }

    #[test]
    fn what_is_refused_names_itself_and_no_password() {
        for (query, part) in [
            ("sslmode=prefer", "disable, require, verify-ca or verify-full"),
            ("sslmode=allow", "disable, require, verify-ca or verify-full"),
            ("sslmode=", "disable, require, verify-ca or verify-full"),
            (
                "sslmode=VERIFY-FULL",
                "disable, require, verify-ca or verify-full",
            ),
            ("sslmode=disable&sslrootcert=system", "of no use"),
            (
                "sslmode=verify-full&sslrootcert=/nowhere/to%20be%20found",
                "/nowhere/to be found holds no",
            ),
            ("sslmode=verify-ca&sslrootcert=/dev/null", "/dev/null holds no"),
            ("sslmode=require&host=/run/postgresql", "a socket"),
            ("sslkey=there", "no other parameters than"),
            ("connect_timeout=soon", "no other parameters than"),
        ] {
            let error =
                protection(&format!("postgres://vault:pass-word@db.internal/cards?{query}")).unwrap_err();
            assert!(error.contains(part), "{query}: {error}");
            assert!(!error.contains("pass-word"), "{error}");
        }
        // A password may hold what elsewhere begins the parameters, and none of these is repeated.
        let error = protection("postgres://vault:pa?ss-word@db.internal/cards?sslmode=no").unwrap_err();
        assert!(
            error.contains("must be disable") && !error.contains("word"),
            "{error}"
        );
    }
}
