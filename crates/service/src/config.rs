//! Settings: command line over `CARD_WIDGET_*` variables over a TOML file over defaults.

mod cli;
mod file;
mod settings;

pub use cli::{
    AddKeyArgs, Cli, Command, DatabaseArgs, InspectArgs, LogFormat, RemoveKeyArgs, ServeArgs, TokenCommand,
    WidgetKeyCommand,
};
pub(crate) use cli::{origin_pattern, project_id};
pub(crate) use settings::master_key;
pub use settings::{ConfigError, Settings, StoreSettings, unknown_variables};
