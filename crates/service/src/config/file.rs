//! The settings file.

use std::fs;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::cli::LogFormat;
use super::settings::ConfigError;
use crate::limit::Limit;

/// Names are those of the flags.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct SettingsFile {
    pub(super) database: Option<String>,
    pub(super) keys: Option<PathBuf>,
    pub(super) master_key_from: Option<String>,
    pub(super) listen: Option<String>,
    pub(super) sandbox: bool,
    pub(super) public_url: Option<String>,
    pub(super) rate_limit: Option<Limit>,
    pub(super) rate_limit_address: Option<Limit>,
    pub(super) rate_limit_key: Option<Limit>,
    pub(super) frame_limit: Option<Limit>,
    pub(super) frame_limit_address: Option<Limit>,
    pub(super) call_limit: Option<Limit>,
    pub(super) card_limit: Option<Limit>,
    pub(super) card_limit_key: Option<Limit>,
    pub(super) max_connections: Option<NonZeroUsize>,
    pub(super) max_connections_address: Option<NonZeroUsize>,
    pub(super) trusted_proxies: Vec<IpAddr>,
    pub(super) metrics_listen: Option<String>,
    pub(super) tls_cert: Option<PathBuf>,
    pub(super) tls_key: Option<PathBuf>,
    pub(super) log_format: Option<LogFormat>,
}

impl SettingsFile {
    /// Everything unset where there is no file.
    pub(super) fn read(path: Option<&Path>) -> Result<Self, ConfigError> {
        let Some(path) = path else {
            return Ok(Self::default());
        };
        let wrong = |reason: String| ConfigError::File {
            path: path.to_owned(),
            reason,
        };
        let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        parse(&text).map_err(wrong)
    }
}

/// What is wrong is told with the name of the setting. The lines of the file are not quoted: one may hold a password.
pub(super) fn parse(text: &str) -> Result<SettingsFile, String> {
    let file = toml::Deserializer::parse(text).map_err(|error| {
        let before = error
            .span()
            .and_then(|span| text.get(..span.start))
            .unwrap_or_default();
        format!("line {}: {}", before.matches('\n').count() + 1, error.message())
    })?;
    serde_path_to_error::deserialize(file).map_err(|error| {
        let (name, message) = (error.path().to_string(), error.inner().message());
        // An unknown name stands in the message already, with those that there are.
        if name == "." || message.starts_with("unknown field") {
            message.to_owned()
        } else {
            format!("{name}: {message}")
        }
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    #[test]
    fn every_setting_has_its_flag() {
        use clap::CommandFactory;

        let command = super::super::cli::Cli::command();
        let serve = command.find_subcommand("serve").unwrap();
        let flags: Vec<&str> = serve
            .get_arguments()
            .filter_map(clap::Arg::get_long)
            .filter(|name| !["config", "help"].contains(name))
            .collect();
        let told = parse("nothing-of-ours = 1").unwrap_err();
        for flag in &flags {
            assert!(told.contains(&format!("`{flag}`")), "{flag}: {told}");
        }
        assert_eq!(told.matches('`').count(), 2 * (flags.len() + 1), "{told}");
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_allowed() {
        for (text, told) in [
            ("lisen = \"127.0.0.1:1\"", vec!["`lisen`", "`listen`"]),
            ("rate-limit = 0", vec!["rate-limit", "1 to 4294967295", "off"]),
            (
                "rate-limit = \"many\"",
                vec!["rate-limit", "1 to 4294967295", "off"],
            ),
            ("card-limit = -3", vec!["card-limit", "off"]),
            ("card-limit = [1]", vec!["card-limit", "off"]),
            ("log-format = \"xml\"", vec!["log-format", "`text`", "`json`"]),
            (
                "trusted-proxies = [\"10.0.0.1\", \"proxy\"]",
                vec!["trusted-proxies[1]", "IP address"],
            ),
            ("sandbox = \"yes\"", vec!["sandbox", "boolean"]),
            ("max-connections = 0", vec!["max-connections", "nonzero"]),
            ("listen = ", vec!["line 1", "value"]),
            ("sandbox = true\n\nrate-limit 7\n", vec!["line 3"]),
        ] {
            let error = parse(text).unwrap_err();
            for word in told {
                assert!(error.contains(word), "{text}: {error}");
            }
        }
    }

    #[test]
    fn limits_are_numbers_or_off() {
        let file = parse("rate-limit = 7\nrate-limit-key = \"off\"\ncard-limit = \"9\"").unwrap();
        let at = |limit| Some(Limit::At(NonZeroU32::new(limit).unwrap()));
        assert_eq!(file.rate_limit, at(7));
        assert_eq!(file.rate_limit_key, Some(Limit::Off));
        assert_eq!(file.card_limit, at(9));
        assert_eq!(file.rate_limit_address, None);
    }
}
