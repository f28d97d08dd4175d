//! `keys …`: the service's own keys. Widget keys, which shops put into their pages, are another thing.

use std::io::Write;

use clap::{Args, Subcommand};

use super::{OperatorError, open, utc};
use crate::config::DatabaseArgs;

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
}

/// Arguments of `keys rotate sealing`.
#[derive(Debug, Args)]
pub struct RotateSealingArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// For how many minutes the old keys stay good. 0 when one was stolen.
    #[arg(long, value_name = "MINUTES", default_value_t = 120, value_parser = clap::value_parser!(u32).range(..=MOST_OVERLAP))]
    pub overlap: u32,
}

/// Runs one of the commands.
pub fn run(command: KeysCommand, out: &mut impl Write) -> Result<(), OperatorError> {
    match command {
        KeysCommand::List(store) => list(store, out),
        KeysCommand::Rotate(RotateCommand::Sealing(args)) => rotate_sealing(args, out),
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
    Ok(())
}

/// `keys rotate sealing`: prints the new key's id.
fn rotate_sealing(args: RotateSealingArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let vault = open(args.store.resolve()?)?;
    let kid = vault.rotate_sealing_key(u64::from(args.overlap) * 60)?;
    writeln!(out, "{kid}")?;
    Ok(())
}

/// Longest overlap in minutes: 30 days.
const MOST_OVERLAP: i64 = 30 * 24 * 60;
