//! `backup` and `restore`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use processing::Processing;
use vault::{RestoreParams, SystemClock, Vault};

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
    let Payments { vault, processing } = Payments::open(args.store.resolve()?)?;
    let info = vault.backup_with(&args.to, |folder| {
        Ok::<_, OperatorError>(Some(processing.copy(folder)?))
    })?;
    writeln!(out, "installation {}, {}", info.installation, utc(info.made_at))?;
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
    // Before anything is written.
    let payments = Processing::find_copy(&store, &from)?;
    let info = Vault::restore(config, &from, &params)?;
    writeln!(out, "installation {}, {}", info.installation, utc(info.made_at))?;
    match payments {
        Some(copy) => Processing::put_back(&store, &copy)?,
        None => writeln!(out, "without payments: there are none in the backup")?,
    }
    Ok(())
}
