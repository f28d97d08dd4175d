//! `torture`: the service and its store are killed, frozen and starved at random moments under load, and what was answered
//! is looked for afterwards.
//!
//! Of every request it is known what was sent and what was heard. After each blow, every request of that life is sent twice
//! more. An answered one must give the token that it gave before; one whose answer was cut off or refused must give one
//! token, the same both times. Now and then the service is stopped and the vault opened in its place: every token must then
//! open its card, and the audit log must hold together.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use crate::envelope;
use crate::place::{Place, Stores};
use crate::postgresql::Postgresql;

mod assault;
mod disk;
mod kills;
mod outages;
mod proof;
mod record;

/// How hard.
#[derive(Clone, Debug)]
pub struct Options {
    /// The service's binary.
    pub service: PathBuf,
    /// Which stores.
    pub stores: Stores,
    /// How often the service is killed, on each store.
    pub kills: usize,
    /// How often PostgreSQL is killed, stopped or frozen.
    pub outages: usize,
    /// Connections of the load.
    pub connections: usize,
}

/// Kills, checks, and says what was found. An error is a broken promise, or a machine on which this cannot run.
pub fn run(options: &Options, out: &mut impl Write) -> Result<()> {
    let start = Instant::now();
    if options.stores.sqlite() {
        kills::run(options, &Place::sqlite()?, out)?;
        for (name, check) in disk::CHECKS {
            let said = check(&options.service).with_context(|| format!("{name} failed"))?;
            writeln!(out, "{name}: {said}")?;
        }
    }
    if options.stores.postgres() {
        let mut server = Postgresql::start()?;
        kills::run(options, &Place::postgres(server.database("kills")?)?, out)?;
        if options.outages >= outages::EACH {
            let said = disk::database(&options.service).context("PostgreSQL's disk full failed")?;
            writeln!(out, "PostgreSQL's disk full: {said}")?;
        }
        outages::run(
            options,
            &Place::postgres(server.database("outages")?)?,
            &mut server,
            out,
        )?;
    }
    writeln!(out, "torture: passed in {:.0} s", start.elapsed().as_secs_f64())?;
    Ok(())
}

/// A time that nobody chose.
fn random_below(most: Duration) -> Result<Duration> {
    let share = u32::from_be_bytes(envelope::random()?);
    Ok(most.mul_f64(f64::from(share) / f64::from(u32::MAX)))
}
