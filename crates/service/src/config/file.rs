//! The settings file.

use std::fs;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::path::Path;

use serde::Deserialize;

use super::cli::LogFormat;
use super::settings::ConfigError;

/// The settings file. Names are those of the flags.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct SettingsFile {
    pub(super) database: Option<String>,
    pub(super) listen: Option<String>,
    pub(super) sandbox: bool,
    pub(super) public_url: Option<String>,
    pub(super) rate_limit: Option<NonZeroU32>,
    pub(super) trusted_proxies: Vec<IpAddr>,
    pub(super) log_format: Option<LogFormat>,
}

impl SettingsFile {
    pub(super) fn read(path: Option<&Path>) -> Result<Self, ConfigError> {
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
