//! Settings: command line over `CARD_WIDGET_*` variables over a TOML file over defaults.

use std::fs;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Deserialize;

use crate::app::AppConfig;
use crate::origin::{Origin, OriginError, Pattern};

/// Serves the card frame and turns cards into tokens.
#[derive(Debug, Parser)]
#[command(name = "card-widget-service", version, about)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Answer requests until stopped (Ctrl-C or SIGTERM).
    Serve(ServeArgs),
    /// Issue, list and withdraw widget keys.
    #[command(subcommand)]
    WidgetKey(WidgetKeyCommand),
    /// Look at tokens.
    #[command(subcommand)]
    Token(TokenCommand),
}

/// `widget-key …`
#[derive(Debug, Subcommand)]
pub enum WidgetKeyCommand {
    /// Issue a widget key for a project and print it.
    Add(AddKeyArgs),
    /// List the widget keys.
    List(DatabaseArgs),
    /// Withdraw a widget key: forms are refused from then on, tokens that were issued stay good.
    Remove(RemoveKeyArgs),
}

/// `token …`
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Read a token on standard input; print mask, type, state and end of life. Never the number.
    Inspect(InspectArgs),
}

/// Where the vault is.
#[derive(Debug, Default, Args)]
pub struct DatabaseArgs {
    /// The store: `sqlite:FILE`. Key files lie beside it. [default: sqlite:data/card-widget.sqlite]
    #[arg(long, env = "CARD_WIDGET_DATABASE", value_name = "URL")]
    pub database: Option<String>,
    /// Settings file (TOML) with the names of the long flags of `serve`.
    #[arg(long, env = "CARD_WIDGET_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// Arguments of `serve`.
#[derive(Debug, Default, Args)]
pub struct ServeArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// Address to listen on; `localhost:PORT` means both loopback addresses, port 0 any free one.
    /// [default: 127.0.0.1:8080]
    #[arg(long, env = "CARD_WIDGET_LISTEN", value_name = "ADDR")]
    pub listen: Option<String>,
    /// Create the sandbox's projects and widget keys (`wk_sandbox`, `wk_sandbox_2`).
    #[arg(long, env = "CARD_WIDGET_SANDBOX", value_parser = BoolishValueParser::new())]
    pub sandbox: bool,
    /// Our own origin as browsers see it, for example https://pay.example. Needed behind a proxy that changes `Host`.
    #[arg(long, env = "CARD_WIDGET_PUBLIC_URL", value_name = "ORIGIN")]
    pub public_url: Option<String>,
    /// Token requests per minute for one widget key and address. [default: 60; sandbox keys: no limit]
    #[arg(long, env = "CARD_WIDGET_RATE_LIMIT", value_name = "N")]
    pub rate_limit: Option<NonZeroU32>,
    /// Proxies whose `X-Forwarded-For` is believed, separated by commas.
    #[arg(
        long,
        env = "CARD_WIDGET_TRUSTED_PROXIES",
        value_name = "IP",
        value_delimiter = ','
    )]
    pub trusted_proxies: Vec<IpAddr>,
    /// Form of the log on standard error. [default: text]
    #[arg(long, env = "CARD_WIDGET_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
}

/// Arguments of `widget-key add`.
#[derive(Debug, Args)]
pub struct AddKeyArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// Project that the key belongs to; created where there is none of that id.
    #[arg(long)]
    pub project: String,
    /// Allowed origin, once or more often: https://shop.example or http://localhost:*
    #[arg(long = "origin", required = true, value_parser = origin_pattern)]
    pub origins: Vec<String>,
    /// A key for real cards. Without it, the form shows that it is a test.
    #[arg(long)]
    pub live: bool,
}

/// Arguments of `widget-key remove`.
#[derive(Debug, Args)]
pub struct RemoveKeyArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The widget key.
    #[arg(value_name = "KEY")]
    pub key: String,
}

/// Arguments of `token inspect`.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// Project that the token was issued for.
    #[arg(long)]
    pub project: String,
}

/// Form of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

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

/// The settings file. Names are those of the flags.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct SettingsFile {
    database: Option<String>,
    listen: Option<String>,
    sandbox: bool,
    public_url: Option<String>,
    rate_limit: Option<NonZeroU32>,
    trusted_proxies: Vec<IpAddr>,
    log_format: Option<LogFormat>,
}

impl SettingsFile {
    fn read(path: Option<&Path>) -> Result<Self, ConfigError> {
        let Some(path) = path else {
            return Ok(Self::default());
        };
        let wrong = |reason: String| ConfigError::File {
            path: path.to_owned(),
            reason,
        };
        let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        // The message only: the rest of the error quotes the file.
        toml::from_str(&text).map_err(|error| wrong(error.message().to_owned()))
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

fn origin_pattern(text: &str) -> Result<String, OriginError> {
    Pattern::parse(text).map(|_| text.to_owned())
}

const DEFAULT_LISTEN: &str = "127.0.0.1:8080";
const DEFAULT_DATABASE: &str = "sqlite:data/card-widget.sqlite";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

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
