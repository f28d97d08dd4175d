//! The command line, with the variables that stand in for its flags.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Deserialize;

use crate::limit::Limit;
use crate::operator::audit::AuditCommand;
use crate::operator::backup::{BackupArgs, RestoreArgs};
use crate::operator::keys::KeysCommand;
use crate::operator::project::{OriginsArgs, ProjectCommand};
use crate::origin::{OriginError, Pattern};

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
    /// Create and list projects.
    #[command(subcommand)]
    Project(ProjectCommand),
    /// Issue, list, change and withdraw widget keys.
    #[command(subcommand)]
    WidgetKey(WidgetKeyCommand),
    /// Look at tokens.
    #[command(subcommand)]
    Token(TokenCommand),
    /// List and rotate the service's own keys.
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Copy the store and the sealed key file to a new folder, while the service runs.
    Backup(BackupArgs),
    /// Put a backup back, into an empty place or over the same installation, which may be running.
    Restore(RestoreArgs),
    /// Verify the log of what was done.
    #[command(subcommand)]
    Audit(AuditCommand),
}

/// `widget-key …`
#[derive(Debug, Subcommand)]
pub enum WidgetKeyCommand {
    /// Issue a widget key for a project and print it.
    Add(AddKeyArgs),
    /// List the widget keys.
    List(DatabaseArgs),
    /// Set the origins that a widget key allows, in the place of those it has.
    Origins(OriginsArgs),
    /// Withdraw a widget key: forms are refused from then on, tokens that were issued stay good.
    Remove(RemoveKeyArgs),
}

/// `token …`
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Read a token on standard input; print mask, type, state and end of life. Never the number.
    Inspect(InspectArgs),
    /// Read the token of a saved card on standard input and delete the card.
    Forget(InspectArgs),
}

/// Where the vault is.
#[derive(Debug, Default, Args)]
pub struct DatabaseArgs {
    /// The store: `sqlite:FILE` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. [default: sqlite:data/card-widget.sqlite]
    #[arg(
        long,
        env = "CARD_WIDGET_DATABASE",
        value_name = "URL",
        hide_env_values = true
    )]
    pub database: Option<String>,
    /// The key file; the keys of hours lie in a folder beside it. [default: beside an SQLite file, with `.keys` behind its
    /// name; with PostgreSQL data/card-widget.keys]
    #[arg(long, env = "CARD_WIDGET_KEYS", value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// Where the master key is, which opens the key file: `file:PATH`, `env:NAME` or `unix:SOCKET`.
    /// [default: env:CARD_WIDGET_MASTER_KEY where that is set, else a file beside the store]
    #[arg(long, env = "CARD_WIDGET_MASTER_KEY_FROM", value_name = "SOURCE")]
    pub master_key_from: Option<String>,
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
    /// Token requests per minute for one widget key and address, or `off`. [default: 60; test keys: off]
    #[arg(long, env = "CARD_WIDGET_RATE_LIMIT", value_name = "N")]
    pub rate_limit: Option<Limit>,
    /// Token requests per minute for one address with all keys, or `off`. [default: 240; test keys: off]
    #[arg(long, env = "CARD_WIDGET_RATE_LIMIT_ADDRESS", value_name = "N")]
    pub rate_limit_address: Option<Limit>,
    /// Token requests per minute for one widget key from all addresses, or `off`. [default: off]
    #[arg(long, env = "CARD_WIDGET_RATE_LIMIT_KEY", value_name = "N")]
    pub rate_limit_key: Option<Limit>,
    /// Forms and boot data per minute for one widget key and address, or `off`. [default: 240; test keys: off]
    #[arg(long, env = "CARD_WIDGET_FRAME_LIMIT", value_name = "N")]
    pub frame_limit: Option<Limit>,
    /// Forms and boot data per minute for one address with all keys, or `off`. [default: 960; test keys: off]
    #[arg(long, env = "CARD_WIDGET_FRAME_LIMIT_ADDRESS", value_name = "N")]
    pub frame_limit_address: Option<Limit>,
    /// Calls of shops' servers per minute for one project, or `off`. [default: 6000; test projects: off]
    #[arg(long, env = "CARD_WIDGET_CALL_LIMIT", value_name = "N")]
    pub call_limit: Option<Limit>,
    /// Different cards per hour for one widget key and address, or `off`. [default: 100; test keys: off]
    #[arg(long, env = "CARD_WIDGET_CARD_LIMIT", value_name = "N")]
    pub card_limit: Option<Limit>,
    /// Different cards per hour for one widget key from all addresses, or `off`. [default: off]
    #[arg(long, env = "CARD_WIDGET_CARD_LIMIT_KEY", value_name = "N")]
    pub card_limit_key: Option<Limit>,
    /// Most connections at a time; fewer where the system gives fewer file descriptors. [default: 4096]
    #[arg(long, env = "CARD_WIDGET_MAX_CONNECTIONS", value_name = "N")]
    pub max_connections: Option<NonZeroUsize>,
    /// Most connections at a time of one address; trusted proxies have no such bound. [default: 256]
    #[arg(long, env = "CARD_WIDGET_MAX_CONNECTIONS_ADDRESS", value_name = "N")]
    pub max_connections_address: Option<NonZeroUsize>,
    /// Proxies whose `X-Forwarded-For` is believed, separated by commas.
    #[arg(
        long,
        env = "CARD_WIDGET_TRUSTED_PROXIES",
        value_name = "IP",
        value_delimiter = ','
    )]
    pub trusted_proxies: Vec<IpAddr>,
    /// Address for `/metrics` alone, open to whoever reaches it. [default: none; `/metrics` answers this machine]
    #[arg(long, env = "CARD_WIDGET_METRICS_LISTEN", value_name = "ADDR")]
    pub metrics_listen: Option<String>,
    /// Chain of certificates (PEM), the service's own first; TLS instead of plain HTTP. SIGHUP reads it again.
    #[arg(long, env = "CARD_WIDGET_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// Private key (PEM) of the certificate.
    #[arg(long, env = "CARD_WIDGET_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
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
    #[arg(long, value_parser = project_id)]
    pub project: String,
    /// Allowed origin, once or more often: https://shop.example or http://localhost:*
    #[arg(long = "origin", required = true, value_parser = origin_pattern)]
    pub origins: Vec<String>,
    /// A key for real cards. Without it, the form shows that it is a test.
    #[arg(long)]
    pub live: bool,
    /// A key that apps may use too: they send cards without a frame (`POST /api/v2/sdk/tokenize`).
    #[arg(long)]
    pub apps: bool,
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

/// Arguments of `token inspect` and `token forget`.
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

/// The id of a new project: it stands in logs, lists and commands.
pub(crate) fn project_id(text: &str) -> Result<String, &'static str> {
    match processing::Project::is_id(text) {
        true => Ok(text.to_owned()),
        false => Err("must be 1 to 123 letters, digits, dots, dashes and underscores"),
    }
}

pub(crate) fn origin_pattern(text: &str) -> Result<String, OriginError> {
    Pattern::parse(text).map(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn ids_of_projects() {
        for (text, good) in [
            ("shop", true),
            ("shop-2_b.uk", true),
            ("", false),
            ("a b", false),
            ("a\tb", false),
            ("магазин", false),
            (&"x".repeat(123), true),
            (&"x".repeat(124), false),
        ] {
            assert_eq!(project_id(text).is_ok(), good, "{text}");
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
