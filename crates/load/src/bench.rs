//! `bench`: durable tokens per second, beside the most that the same machine could do in the same minute.
//!
//! The ceiling is `crates/service/examples/ceiling.rs`: the service's own handler with the cryptography of an envelope in the
//! vault's place; bare, it checks nothing either. Servers take turns, round by round, so that a busy minute of the machine
//! hits all of them; figures are medians over the rounds.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::drive;
use crate::figures::Figures;
use crate::{boot, metrics};

mod server;

use server::Server;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// The service's binary, as it is released.
    pub service: PathBuf,
    /// The ceiling's binary.
    pub ceiling: PathBuf,
    /// Database URLs beside a new SQLite store: `postgres://…`.
    pub databases: Vec<String>,
    /// How many connections, one after the other.
    pub connections: Vec<usize>,
    /// How often each is measured.
    pub rounds: usize,
    /// How long a measurement takes.
    pub time: Duration,
}

/// Measures and prints a table.
pub fn run(options: &Options, out: &mut impl Write) -> Result<()> {
    let mut servers = vec![
        Server::ceiling(&options.ceiling)?,
        Server::bare(&options.ceiling)?,
        Server::sqlite(&options.service)?,
    ];
    for url in &options.databases {
        servers.push(Server::postgresql(&options.service, url)?);
    }
    writeln!(
        out,
        "| Connections | Server | Tokens/s | of the ceiling | p50 | p99 | p99 / p50 | Processor time per token | Flushes per token |\n\
         |---|---|---|---|---|---|---|---|---|"
    )?;
    for &connections in &options.connections {
        let mut runs = vec![Vec::new(); servers.len()];
        for _ in 0..options.rounds {
            for (server, runs) in servers.iter_mut().zip(&mut runs) {
                runs.push(measure(server, connections, options.time)?);
            }
        }
        let medians: Vec<Figures> = runs.iter().filter_map(|runs| Figures::median(runs)).collect();
        let ceiling = medians.first().context("nothing was measured")?.per_second;
        for (server, figures) in servers.iter().zip(&medians) {
            writeln!(out, "{}", row(connections, server.name, figures, ceiling))?;
        }
    }
    Ok(())
}

/// One run, after a short one that warms the server up and tells how many requests are to be made beforehand.
fn measure(server: &mut Server, connections: usize, time: Duration) -> Result<Figures> {
    let address = server.process.address;
    let boot = boot::fetch(address)?;
    let warming = drive::prepare(address, &boot, WARM_UP)?;
    let warm = drive::run(address, &warming, connections, time)?;
    // A little more than will be sent: the run ends by the clock.
    let count = (warm.per_second * time.as_secs_f64() * 1.5) as usize;
    let submissions = drive::prepare(address, &boot, count)?;

    let processor = server.process.processor_time();
    let flushes = metrics::flushes(address);
    let figures = drive::run(address, &submissions, connections, time)?;
    let answers = figures.per_second * figures.elapsed.as_secs_f64();
    let spent = server.process.processor_time();
    Ok(Figures {
        processor: processor
            .zip(spent)
            .map(|(before, after)| (after - before).div_f64(answers.max(1.0))),
        flushes: flushes
            .zip(metrics::flushes(address))
            .map(|(before, after)| (after - before) / answers.max(1.0)),
        ..figures
    })
}

fn row(connections: usize, name: &str, figures: &Figures, ceiling: f64) -> String {
    let dash = || "–".to_owned();
    let milliseconds = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1000.0);
    format!(
        "| {connections} | {name} | {:.0} | {:.2} | {} | {} | {:.1} | {} | {} |",
        figures.per_second,
        figures.per_second / ceiling,
        milliseconds(figures.p50),
        milliseconds(figures.p99),
        figures.p99.as_secs_f64() / figures.p50.as_secs_f64(),
        figures
            .processor
            .map_or_else(dash, |time| format!("{} µs", time.as_micros())),
        figures
            .flushes
            .map_or_else(dash, |flushes| format!("{flushes:.3}")),
    )
}

/// Requests before the clock counts.
const WARM_UP: usize = 1500;
