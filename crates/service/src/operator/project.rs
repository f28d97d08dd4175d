//! `project …` and `widget-key origins`.

use std::io::Write;

use clap::{Args, Subcommand};

use super::{OperatorError, open, open_or_make};
use crate::config::{DatabaseArgs, origin_pattern, project_id};

/// `project …`
#[derive(Debug, Subcommand)]
pub enum ProjectCommand {
    /// Create a project. Its tokens open for it alone.
    Add(AddProjectArgs),
    /// List the projects, each with the number of its widget keys.
    List(DatabaseArgs),
}

/// Arguments of `project add`.
#[derive(Debug, Args)]
pub struct AddProjectArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The project's id: 1 to 128 letters, digits, dots, dashes and underscores.
    #[arg(value_name = "ID", value_parser = project_id)]
    pub project: String,
}

/// Arguments of `widget-key origins`.
#[derive(Debug, Args)]
pub struct OriginsArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The widget key.
    #[arg(value_name = "KEY")]
    pub key: String,
    /// Every origin that shall be allowed from now on: https://shop.example or http://localhost:*
    #[arg(long = "origin", required = true, value_parser = origin_pattern)]
    pub origins: Vec<String>,
}

/// Runs one of the commands.
pub fn run(command: ProjectCommand, out: &mut impl Write) -> Result<(), OperatorError> {
    match command {
        ProjectCommand::Add(args) => match open_or_make(args.store.resolve()?)?.add_project(&args.project)? {
            true => Ok(()),
            false => Err(OperatorError::ProjectTaken(args.project)),
        },
        ProjectCommand::List(store) => {
            let vault = open(store.resolve()?)?;
            let keys = vault.widget_keys()?;
            for project in vault.projects()? {
                let count = keys.iter().filter(|key| key.project == project).count();
                writeln!(out, "{project}\t{count}")?;
            }
            Ok(())
        }
    }
}

/// `widget-key origins`: replaces the allowed origins.
pub fn set_origins(args: OriginsArgs) -> Result<(), OperatorError> {
    match open(args.store.resolve()?)?.set_origins(&args.key, &args.origins)? {
        true => Ok(()),
        false => Err(OperatorError::UnknownKey(args.key)),
    }
}
