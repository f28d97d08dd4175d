//! `keys …`: the service's own keys. Widget keys, which shops put into their pages, are another thing.

use std::io::Write;

use clap::{Args, Subcommand};

use super::{OperatorError, open, utc};
use crate::config::{DatabaseArgs, master_key};

/// `keys …`
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// List the keys: what each is for, its id, and when it began and ends. Never the keys themselves.
    List(DatabaseArgs),
    /// Put a new key in the place of one that is in use; running services take it up by themselves.
    #[command(subcommand)]
    Rotate(RotateCommand),
}

/// `keys rotate …`
#[derive(Debug, Subcommand)]
pub enum RotateCommand {
    /// The key that frames seal cards for.
    Sealing(RotateSealingArgs),
    /// The key under which a project's cards are sealed in the store.
    Data(RotateDataArgs),
    /// The master key, and with it what wraps all data keys.
    Master(RotateMasterArgs),
}

/// Arguments of `keys rotate data`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("which").required(true).args(["project", "all"]))]
pub struct RotateDataArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The project.
    #[arg(long)]
    pub project: Option<String>,
    /// Every project.
    #[arg(long)]
    pub all: bool,
}

/// Arguments of `keys rotate master`.
#[derive(Debug, Args)]
pub struct RotateMasterArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// Where the new master key is or shall be, if not where the present one is: `file:PATH`, `env:NAME` or `unix:SOCKET`.
    #[arg(long, value_name = "SOURCE")]
    pub to: Option<String>,
}

/// Arguments of `keys rotate sealing`.
#[derive(Debug, Args)]
pub struct RotateSealingArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// For how many minutes the old keys stay good. 0 when one was stolen.
    #[arg(long, value_name = "MINUTES", default_value_t = 120, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(..=MOST_OVERLAP))]
    pub overlap: u32,
}

/// Runs one of the commands.
pub fn run(command: KeysCommand, out: &mut impl Write) -> Result<(), OperatorError> {
    match command {
        KeysCommand::List(store) => list(store, out),
        KeysCommand::Rotate(RotateCommand::Sealing(args)) => rotate_sealing(args, out),
        KeysCommand::Rotate(RotateCommand::Data(args)) => rotate_data(args, out),
        KeysCommand::Rotate(RotateCommand::Master(args)) => rotate_master(args, out),
    }
}

/// `keys list`: one line a key.
fn list(store: DatabaseArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let vault = open(store.resolve()?)?;
    writeln!(out, "KIND\tID\tFROM\tUNTIL\tSTATE")?;
    for key in vault.sealing_keys() {
        let state = match (key.newest, key.open) {
            (true, _) => "in use",
            (false, true) => "still opened",
            (false, false) => "ended",
        };
        let until = key.until.map_or_else(|| "-".to_owned(), utc);
        writeln!(out, "sealing\t{}\t{}\t{until}\t{state}", key.kid, utc(key.from))?;
    }
    for key in vault.data_keys()? {
        let state = match (key.left, key.cards_left) {
            (None, _) => "in use".to_owned(),
            (Some(left), 0) => format!("{left} rows left"),
            (Some(left), cards) => format!("{left} rows left, {cards} of them saved cards"),
        };
        let (project, epoch, wrapping) = (key.project, key.epoch, key.wrapping_key);
        writeln!(
            out,
            "data\t{project} {epoch}\t-\t-\t{state}, under wrapping key {wrapping}"
        )?;
    }
    Ok(())
}

/// `keys rotate sealing`: prints the new key's id.
fn rotate_sealing(args: RotateSealingArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let vault = open(args.store.resolve()?)?;
    let kid = vault.rotate_sealing_key(u64::from(args.overlap) * 60)?;
    writeln!(out, "{kid}")?;
    Ok(())
}

/// `keys rotate data`: prints each project with its new epoch.
fn rotate_data(args: RotateDataArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let vault = open(args.store.resolve()?)?;
    let projects = match args.project {
        Some(project) => vec![project],
        None => {
            let mut projects: Vec<_> = vault.data_keys()?.into_iter().map(|key| key.project).collect();
            projects.dedup();
            projects
        }
    };
    for project in projects {
        let epoch = vault.rotate_data_key(&project)?;
        writeln!(out, "{project}\t{epoch}")?;
    }
    Ok(())
}

/// `keys rotate master`: prints how it goes on.
fn rotate_master(args: RotateMasterArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let vault = open(args.store.resolve()?)?;
    let to = args.to.as_deref().map(master_key).transpose()?;
    let mut told = Ok(());
    let id = vault.rotate_master_key(to.as_ref(), |progress| {
        if progress.done == progress.of || progress.done % TELL_EVERY == 0 {
            // Nobody may be reading; that is no reason to stop half-way.
            told = writeln!(out, "{} of {} data keys wrapped anew", progress.done, progress.of);
        }
    })?;
    told?;
    writeln!(out, "wrapping key {id}")?;
    Ok(())
}

/// Data keys between two lines of progress.
const TELL_EVERY: usize = 1000;

/// Longest overlap in minutes: 30 days.
const MOST_OVERLAP: i64 = 30 * 24 * 60;
