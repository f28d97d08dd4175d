//! Settings as the program uses them, put together from all their sources.

use std::path::PathBuf;

use super::cli::{DatabaseArgs, LogFormat, ServeArgs};
use super::file::SettingsFile;
use crate::app::AppConfig;
use crate::origin::{Origin, OriginError};

/// Everything that `serve` needs, resolved.
#[derive(Debug)]
pub struct Settings {
    /// Where to listen.
    pub listen: String,
    /// SQLite file.
    pub database: PathBuf,
    /// Whether to create the sandbox.
    pub sandbox: bool,
    /// Form of the log.
    pub log_format: LogFormat,
    /// What requests see.
    pub app: AppConfig,
}

impl Settings {
    /// Lays the arguments, which clap has filled from the environment, over the settings file and the defaults.
    pub fn resolve(args: ServeArgs) -> Result<Self, ConfigError> {
        let file = SettingsFile::read(args.store.config.as_deref())?;
        let public_url = args.public_url.or(file.public_url);
        let trusted_proxies = if args.trusted_proxies.is_empty() {
            file.trusted_proxies
        } else {
            args.trusted_proxies
        };
        Ok(Self {
            listen: args
                .listen
                .or(file.listen)
                .unwrap_or_else(|| DEFAULT_LISTEN.to_owned()),
            database: database(args.store.database.or(file.database))?,
            sandbox: args.sandbox || file.sandbox,
            log_format: args.log_format.or(file.log_format).unwrap_or_default(),
            app: AppConfig {
                public_origin: public_url.as_deref().map(public_origin).transpose()?,
                rate_limit: args.rate_limit.or(file.rate_limit),
                trusted_proxies,
            },
        })
    }
}

impl DatabaseArgs {
    /// The SQLite file.
    pub fn resolve(self) -> Result<PathBuf, ConfigError> {
        let file = SettingsFile::read(self.config.as_deref())?;
        database(self.database.or(file.database))
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
    #[error("--database must be sqlite:FILE, for example {DEFAULT_DATABASE}")]
    Database,
    /// `--public-url`.
    #[error("--public-url must be an origin such as https://pay.example, without a path")]
    PublicUrl(#[source] OriginError),
}

fn database(url: Option<String>) -> Result<PathBuf, ConfigError> {
    let url = url.as_deref().unwrap_or(DEFAULT_DATABASE);
    let file = url.strip_prefix("sqlite:").filter(|file| !file.is_empty());
    file.map(PathBuf::from).ok_or(ConfigError::Database)
}

/// A trailing slash is forgiven, since people copy it from their browser.
fn public_origin(url: &str) -> Result<Origin, ConfigError> {
    Origin::parse(url.strip_suffix('/').unwrap_or(url)).map_err(ConfigError::PublicUrl)
}

const DEFAULT_LISTEN: &str = "127.0.0.1:8080";
const DEFAULT_DATABASE: &str = "sqlite:data/card-widget.sqlite";

#[cfg(test)]
mod tests {
    use std::fs;
    use std::num::NonZeroU32;

    use super::*;

    #[test]
    fn defaults() {
        let settings = Settings::resolve(ServeArgs::default()).unwrap();
        assert_eq!(settings.listen, "127.0.0.1:8080");
        assert_eq!(settings.database, PathBuf::from("data/card-widget.sqlite"));
        assert!(!settings.sandbox);
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
                database: None,
            },
            ..ServeArgs::default()
        };
        let settings = Settings::resolve(args).unwrap();
        assert_eq!(settings.listen, "127.0.0.1:2");
        assert_eq!(settings.app.rate_limit, NonZeroU32::new(7));
        assert_eq!(settings.log_format, LogFormat::Json);

        fs::write(&path, "lisen = \"127.0.0.1:1\"\n").unwrap();
        assert!(SettingsFile::read(Some(&path)).is_err());
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn wrong_values_are_named() {
        for (url, good) in [
            (Some("sqlite:a.db"), true),
            (None, true),
            (Some("sqlite:"), false),
            (Some("postgres://x"), false),
            (Some("a.db"), false),
        ] {
            assert_eq!(database(url.map(str::to_owned)).is_ok(), good, "{url:?}");
        }
        assert!(public_origin("https://pay.example/").is_ok());
        assert!(public_origin("https://pay.example/cards").is_err());
        assert!(public_origin("pay.example").is_err());
    }
}
