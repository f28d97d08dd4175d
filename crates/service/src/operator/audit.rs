//! `audit …`: the log of what was done.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use vault::{AuditHead, AuditHeadError};

use super::{OperatorError, open, utc};
use crate::config::DatabaseArgs;

/// `audit …`
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Read the whole audit log and say what is wrong with it. Fails when anything is.
    Verify(VerifyArgs),
    /// Print every record as a line of JSON, to be read or kept elsewhere.
    Export(DatabaseArgs),
}

/// Arguments of `audit verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// A head that the service has logged, `chain:number:mac`; once or more often.
    #[arg(long = "head", value_name = "HEAD", value_parser = head)]
    pub heads: Vec<AuditHead>,
    /// A log of the service, with the heads in it; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

/// Runs one of the commands.
pub fn run(command: AuditCommand, out: &mut impl Write) -> Result<(), OperatorError> {
    match command {
        AuditCommand::Verify(args) => verify(args, out),
        AuditCommand::Export(store) => export(store, out),
    }
}

fn verify(args: VerifyArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let mut heads = args.heads;
    match args.log {
        Some(path) if path.as_os_str() == "-" => heads.extend(heads_in(io::stdin().lock())?),
        Some(path) => {
            let wrong = |source| OperatorError::File {
                path: path.clone(),
                source,
            };
            let log = BufReader::new(fs::File::open(&path).map_err(wrong)?);
            heads.extend(heads_in(log).map_err(wrong)?);
        }
        None => {}
    }
    let vault = open(args.store.resolve()?)?;
    let report = vault.verify_audit(&heads)?;
    writeln!(out, "FROM\tUNTIL\tRECORDS\tSTATE\tWHO\tHEAD")?;
    let mut chains = report.chains;
    chains.sort_by_key(|chain| chain.from);
    for chain in chains {
        let state = if chain.closed { "closed" } else { "open" };
        writeln!(
            out,
            "{}\t{}\t{}\t{state}\t{}\t{}",
            utc(chain.from),
            utc(chain.until),
            chain.head.number,
            chain.who,
            chain.head
        )?;
    }
    for finding in &report.findings {
        writeln!(out, "WRONG\t{finding}")?;
    }
    match report.findings.len() {
        0 => {
            writeln!(
                out,
                "nothing is wrong; {} published heads were compared",
                heads.len()
            )?;
            Ok(())
        }
        count => Err(OperatorError::Audit(count)),
    }
}

/// `audit export`: one line a record.
fn export(store: DatabaseArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let vault = open(store.resolve()?)?;
    vault.read_audit(|head, content| {
        // What was altered may be no JSON: the line then says null, and `audit verify` says more.
        let content: Value = serde_json::from_slice(content).unwrap_or_default();
        let line = json!({ "head": head.to_string(), "record": content });
        Ok(writeln!(out, "{line}")?)
    })
}

/// The heads in a log of any format: whatever stands between quotes, spaces and signs and reads as one.
fn heads_in(log: impl BufRead) -> io::Result<Vec<AuditHead>> {
    let mut heads = Vec::new();
    for line in log.lines() {
        let line = line?;
        let words = line.split(|c: char| !(c.is_ascii_alphanumeric() || "-_:".contains(c)));
        heads.extend(words.filter_map(|word| word.parse::<AuditHead>().ok()));
    }
    Ok(heads)
}

fn head(text: &str) -> Result<AuditHead, AuditHeadError> {
    text.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_found_in_logs_of_both_formats() {
        let head = AuditHead {
            chain: [7; 16],
            number: 12,
            mac: [200; 32],
        };
        let log = format!(
            "2026-01-01T00:00:00Z  INFO vault::vault: audit head={head}\nnothing\n{{\"message\":\"audit\",\"head\":\"{head}\"}}\n"
        );
        assert_eq!(heads_in(log.as_bytes()).unwrap(), [head, head]);
    }
}
