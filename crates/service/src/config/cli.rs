//! The command line, with the variables that stand in for its flags.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Deserialize;

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

fn origin_pattern(text: &str) -> Result<String, OriginError> {
    Pattern::parse(text).map(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
