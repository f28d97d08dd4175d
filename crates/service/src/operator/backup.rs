//! `backup` and `restore`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use processing::Processing;
use vault::{Location, RestoreParams, SystemClock, Vault};

use super::{OperatorError, Payments, utc};
use crate::config::{DatabaseArgs, master_key};

/// Arguments of `backup`.
#[derive(Debug, Args)]
pub struct BackupArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The folder to make; it must not be there yet.
    #[arg(long, value_name = "FOLDER")]
    pub to: PathBuf,
}

/// Arguments of `restore`.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The backup.
    #[arg(
        long,
        value_name = "FOLDER",
        required_unless_present = "only_end_tokens",
        conflicts_with = "only_end_tokens"
    )]
    pub from: Option<PathBuf>,
    /// The master key at the time of the backup, if it was rotated since: `file:PATH`, `env:NAME` or `unix:SOCKET`.
    #[arg(long, value_name = "SOURCE", conflicts_with = "only_end_tokens")]
    pub backup_master_key_from: Option<String>,
    /// Tokens stay good. Only when the service was stopped before the backup was made and has not run since.
    #[arg(long, conflicts_with = "only_end_tokens")]
    pub keep_tokens: bool,
    /// The database was put back by its own tools, or with the machine: do what is left, which is to end its tokens.
    #[arg(long)]
    pub only_end_tokens: bool,
}

/// `backup`: prints when it was made and for which installation.
pub fn backup(args: BackupArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let store = args.store.resolve()?;
    let is_a_file = matches!(store.database, Location::Sqlite(_));
    let Payments { vault, processing } = Payments::open(store)?;
    let mut draft = args.to.clone().into_os_string();
    draft.push(".payments");
    let draft = PathBuf::from(draft);
    // Before the vault's: it then has every card that payments speak of.
    if is_a_file {
        processing.copy(&draft)?;
    }
    let made = vault.backup(&args.to);
    let made = made.map_err(OperatorError::from).and_then(|info| {
        if is_a_file {
            let path = args.to.join(PAYMENTS);
            fs::rename(&draft, &path).map_err(|source| OperatorError::File { path, source })?;
        }
        Ok(info)
    });
    if made.is_err() {
        // Most often it is there still.
        let _ = fs::remove_file(&draft);
    }
    let info = made?;
    writeln!(out, "installation {}, {}", info.installation, utc(info.made_at))?;
    if !is_a_file {
        writeln!(
            out,
            "without payments: copy the schema `processing` with pg_dump, see docs/operations/backup.md"
        )?;
    }
    Ok(())
}

/// `restore`: prints what was put back, or that tokens have ended.
pub fn restore(args: RestoreArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let config = args.store.resolve()?.vault(Arc::new(SystemClock));
    let params = RestoreParams {
        master_key: args
            .backup_master_key_from
            .as_deref()
            .map(master_key)
            .transpose()?,
        keep_tokens: args.keep_tokens,
    };
    let Some(from) = args.from else {
        Vault::end_tokens(config)?;
        writeln!(out, "all tokens have ended")?;
        return Ok(());
    };
    let store = config.database.clone();
    let info = Vault::restore(config, &from, &params)?;
    writeln!(out, "installation {}, {}", info.installation, utc(info.made_at))?;
    let payments = from.join(PAYMENTS);
    if payments.exists() {
        Processing::put_back(&store, &payments)?;
    } else {
        writeln!(out, "without payments: there are none in the backup")?;
    }
    Ok(())
}

/// The copy of the payments' store, beside the vault's.
const PAYMENTS: &str = "payments.sqlite";
