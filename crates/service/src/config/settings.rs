//! Settings as the program uses them, put together from all their sources.

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;

use vault::{Clock, Location, MasterKeySource, PostgresUrl, PostgresUrlError, VaultConfig};

use super::cli::{DatabaseArgs, LogFormat, ServeArgs};
use super::file::SettingsFile;
use crate::app::{self, AppConfig};
use crate::cards::CardRates;
use crate::limit::Rates;
use crate::metrics::Audience;
use crate::origin::{Origin, OriginError};

/// Everything that `serve` needs, resolved.
#[derive(Debug)]
pub struct Settings {
    /// Where to listen.
    pub listen: String,
    /// Where to listen for `/metrics` alone.
    pub metrics_listen: Option<String>,
    /// Certificates and key, for TLS.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Where the vault is.
    pub store: StoreSettings,
    /// Form of the log.
    pub log_format: LogFormat,
    /// What requests see.
    pub app: AppConfig,
}

impl Settings {
    /// Lays the arguments, which clap has filled from the environment, over the settings file and the defaults.
    pub fn resolve(args: ServeArgs) -> Result<Self, ConfigError> {
        let file = SettingsFile::read(args.store.config.as_deref())?;
        let store = store(&args.store, &file)?;
        let public_url = args.public_url.or(file.public_url);
        let trusted_proxies = if args.trusted_proxies.is_empty() {
            file.trusted_proxies
        } else {
            args.trusted_proxies
        };
        let metrics_listen = args.metrics_listen.or(file.metrics_listen);
        let tls = match (args.tls_cert.or(file.tls_cert), args.tls_key.or(file.tls_key)) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            _ => return Err(ConfigError::HalfTls),
        };
        let connections = (
            args.max_connections
                .or(file.max_connections)
                .unwrap_or(app::CONNECTIONS),
            args.max_connections_address
                .or(file.max_connections_address)
                .unwrap_or(app::CONNECTIONS_OF_ONE),
        );
        Ok(Self {
            listen: args
                .listen
                .or(file.listen)
                .unwrap_or_else(|| DEFAULT_LISTEN.to_owned()),
            store,
            log_format: args.log_format.or(file.log_format).unwrap_or_default(),
            app: AppConfig {
                sandbox: args.sandbox || file.sandbox,
                public_origin: public_url.as_deref().map(public_origin).transpose()?,
                rates: Rates {
                    key_and_address: args.rate_limit.or(file.rate_limit),
                    address: args.rate_limit_address.or(file.rate_limit_address),
                    key: args.rate_limit_key.or(file.rate_limit_key),
                },
                frame_rates: Rates {
                    key_and_address: args.frame_limit.or(file.frame_limit),
                    address: args.frame_limit_address.or(file.frame_limit_address),
                    key: None,
                },
                call_rate: args.call_limit.or(file.call_limit),
                card_rates: CardRates {
                    key_and_address: args.card_limit.or(file.card_limit),
                    key: args.card_limit_key.or(file.card_limit_key),
                },
                connections: Some(connections),
                audience: match metrics_listen {
                    Some(_) => Audience::Nobody,
                    None => Audience::ThisMachine,
                },
                trusted_proxies,
            },
            metrics_listen,
            tls,
        })
    }
}

/// Where the vault is, and what opens it.
#[derive(Debug)]
pub struct StoreSettings {
    /// The store.
    pub database: Location,
    /// The key file; where the vault has it by itself when it is not said.
    pub keys: Option<PathBuf>,
    /// The master key; beside the store where it is not said.
    pub master_key: Option<MasterKeySource>,
}

impl StoreSettings {
    /// What to open the vault with.
    pub fn vault(self, clock: Arc<dyn Clock>) -> VaultConfig {
        let mut config = VaultConfig::new(self.database, clock);
        config.who = who();
        if let Some(keys) = self.keys {
            config.keys = keys;
        }
        if let Some(source) = self.master_key {
            config.master_key = source;
        }
        config
    }
}

impl DatabaseArgs {
    /// Where the vault is.
    pub fn resolve(self) -> Result<StoreSettings, ConfigError> {
        let file = SettingsFile::read(self.config.as_deref())?;
        store(&self, &file)
    }
}

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The settings file.
    #[error("the settings file {path} cannot be used: {reason}")]
    File {
        /// Where it is.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// `--database`.
    #[error(
        "--database must be sqlite:FILE, for example {DEFAULT_DATABASE}, or postgres://USER:PASSWORD@HOST:PORT/DATABASE"
    )]
    Database,
    /// The URL in `--database`.
    #[error("--database names a PostgreSQL server: {0}")]
    Postgres(#[from] PostgresUrlError),
    /// One of two that belong together.
    #[error("--tls-cert and --tls-key are given together or not at all")]
    HalfTls,
    /// `--master-key-from`, and what names another master key.
    #[error(
        "the place of a master key (--master-key-from, --to, --backup-master-key-from) must be file:PATH, env:NAME or unix:SOCKET"
    )]
    MasterKeyFrom,
    /// `--public-url`.
    #[error("--public-url must be an origin such as https://pay.example, without a path")]
    PublicUrl(#[source] OriginError),
}

/// Which command, by whom, and where, for the audit log.
fn who() -> String {
    // The command's own words; what follows names files and projects.
    let words: Vec<_> = env::args()
        .skip(1)
        .take_while(|word| !word.starts_with('-'))
        .take(3)
        .collect();
    let user =
        fs::metadata("/proc/self").map_or_else(|_| "?".to_owned(), |process| process.uid().to_string());
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    format!(
        "{} by user {user} on {}, process {}",
        words.join(" "),
        host.trim(),
        std::process::id()
    )
}

fn store(args: &DatabaseArgs, file: &SettingsFile) -> Result<StoreSettings, ConfigError> {
    let source = args
        .master_key_from
        .clone()
        .or_else(|| file.master_key_from.clone());
    let source = match source {
        Some(text) => Some(master_key(&text)?),
        None => env::var_os(MASTER_KEY).map(|_| MasterKeySource::Environment(MASTER_KEY.to_owned())),
    };
    Ok(StoreSettings {
        database: database(args.database.clone().or_else(|| file.database.clone()))?,
        keys: args.keys.clone().or_else(|| file.keys.clone()),
        master_key: source,
    })
}

/// A source of a master key.
pub(crate) fn master_key(text: &str) -> Result<MasterKeySource, ConfigError> {
    MasterKeySource::parse(text).ok_or(ConfigError::MasterKeyFrom)
}

fn database(url: Option<String>) -> Result<Location, ConfigError> {
    let url = url.as_deref().unwrap_or(DEFAULT_DATABASE);
    // The URL itself is not repeated in an error: a password may stand in it.
    match url.split_once(':') {
        Some(("sqlite", file)) if !file.is_empty() => Ok(Location::Sqlite(file.into())),
        Some(("postgres" | "postgresql", _)) => Ok(Location::Postgres(PostgresUrl::parse(url)?)),
        _ => Err(ConfigError::Database),
    }
}

/// A trailing slash is forgiven, since people copy it from their browser.
fn public_origin(url: &str) -> Result<Origin, ConfigError> {
    Origin::parse(url.strip_suffix('/').unwrap_or(url)).map_err(ConfigError::PublicUrl)
}

/// The variable that may hold the master key itself.
const MASTER_KEY: &str = "CARD_WIDGET_MASTER_KEY";
const DEFAULT_LISTEN: &str = "127.0.0.1:8080";
const DEFAULT_DATABASE: &str = "sqlite:data/card-widget.sqlite";

/// Every flag has a variable; a name that none has is most likely a misspelt one. It is only told, not refused: container
/// platforms set such names by themselves for a service of our name (`CARD_WIDGET_PORT`).
pub fn unknown_variables(names: impl Iterator<Item = String>) -> Vec<String> {
    use clap::CommandFactory;

    let command = super::cli::Cli::command();
    let known =
        |name: &str| every(&command).any(|argument| argument.get_env().is_some_and(|env| env == name));
    names
        .filter(|name| name.starts_with("CARD_WIDGET_") && name != MASTER_KEY && !known(name))
        .collect()
}

/// The arguments of a command and of all below it.
fn every(command: &clap::Command) -> Box<dyn Iterator<Item = &clap::Arg> + '_> {
    Box::new(
        command
            .get_arguments()
            .chain(command.get_subcommands().flat_map(every)),
    )
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::limit::Limit;

    #[test]
    fn defaults() {
        let settings = Settings::resolve(ServeArgs::default()).unwrap();
        assert_eq!(settings.listen, "127.0.0.1:8080");
        let default = PathBuf::from("data/card-widget.sqlite");
        assert_eq!(settings.store.database, Location::Sqlite(default));
        assert!(!settings.app.sandbox);
    }

    #[test]
    fn arguments_win_over_the_file() {
        let path = std::env::temp_dir().join(format!("card-widget-config-{}.toml", std::process::id()));
        fs::write(
            &path,
            "listen = \"127.0.0.1:1\"\nrate-limit = 7\nlog-format = \"json\"\n",
        )
        .unwrap();
        let args = ServeArgs {
            listen: Some("127.0.0.1:2".into()),
            store: DatabaseArgs {
                config: Some(path.clone()),
                ..DatabaseArgs::default()
            },
            ..ServeArgs::default()
        };
        let settings = Settings::resolve(args).unwrap();
        assert_eq!(settings.listen, "127.0.0.1:2");
        let seven = Limit::At(NonZeroU32::new(7).unwrap());
        assert_eq!(settings.app.rates.key_and_address, Some(seven));
        assert_eq!(settings.log_format, LogFormat::Json);

        fs::write(&path, "lisen = \"127.0.0.1:1\"\n").unwrap();
        assert!(SettingsFile::read(Some(&path)).is_err());
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn half_of_tls_is_none() {
        let args = ServeArgs {
            tls_cert: Some("chain.pem".into()),
            ..ServeArgs::default()
        };
        let error = Settings::resolve(args).unwrap_err().to_string();
        assert!(error.contains("--tls-cert and --tls-key"), "{error}");
    }

    #[test]
    fn a_misspelt_variable_is_noticed() {
        let names = [
            "PATH",
            "CARD_WIDGET_LISTEN",
            "CARD_WIDGET_DATABASE",
            "CARD_WIDGET_MASTER_KEY",
            "CARD_WIDGET_MASTER_KEY_FROM",
            "CARD_WIDGET_LISTN",
        ];
        let unknown = unknown_variables(names.into_iter().map(str::to_owned));
        assert_eq!(unknown, ["CARD_WIDGET_LISTN"]);
    }

    #[test]
    fn wrong_values_are_named() {
        for (url, good) in [
            (Some("sqlite:a.db"), true),
            (None, true),
            (Some("sqlite:"), false),
            (Some("postgres://vault@localhost:5432/cards"), true),
            (
                Some("postgresql://vault:secret@db.internal/cards?sslmode=require"),
                true,
            ),
            (Some("postgres://vault@db.internal/cards?sslmode=prefer"), false),
            (Some("postgres://"), false),
            (Some("postgres:cards"), false),
            (Some("mysql://vault@localhost/cards"), false),
            (Some("a.db"), false),
        ] {
            assert_eq!(database(url.map(str::to_owned)).is_ok(), good, "{url:?}");
        }
        for (source, good) in [
            ("file:/k", true),
            ("env:K", true),
            ("unix:/k", true),
            ("/k", false),
            ("", false),
        ] {
            assert_eq!(master_key(source).is_ok(), good, "{source}");
        }
        assert!(public_origin("https://pay.example/").is_ok());
        assert!(public_origin("https://pay.example/cards").is_err());
        assert!(public_origin("pay.example").is_err());
    }
}
