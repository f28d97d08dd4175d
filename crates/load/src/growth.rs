//! `growth`: what a token costs in a store of few cards, and in one of millions.
//!
//! Stores are filled through the vault, in this process. Then the service is measured on both in turns: a small store, made
//! anew for each round so that it stays small, and the large one.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use crate::figures::{Figures, middle};
use crate::place::{Place, Stores};
use crate::postgresql::Postgresql;
use crate::process::{Process, Usage};
use crate::{boot, drive};

mod fill;

/// How much, and how often.
#[derive(Clone, Debug)]
pub struct Options {
    /// The service's binary, as it is released.
    pub service: PathBuf,
    /// Which stores.
    pub stores: Stores,
    /// Cards in the small store.
    pub small: usize,
    /// Cards in the large one.
    pub rows: usize,
    /// How often each is measured; medians are told.
    pub rounds: usize,
    /// Length of one measurement.
    pub time: Duration,
    /// Connections of the load.
    pub connections: usize,
}

/// Fills, measures, prints a table.
pub fn run(options: &Options, out: &mut impl Write) -> Result<()> {
    let mut table = Vec::new();
    if options.stores.sqlite() {
        let large = Place::sqlite()?;
        one(options, &large, None, &mut |_| Place::sqlite(), &mut table, out)?;
    }
    if options.stores.postgres() {
        let server = Postgresql::start()?;
        let large = Place::postgres(server.database("large")?)?;
        let mut small = |round| Place::postgres(server.database(&format!("small_{round}"))?);
        one(options, &large, Some(&server), &mut small, &mut table, out)?;
    }
    writeln!(
        out,
        "| Store | Cards before | Tokens/s | p50 | p99 | Processor time per token | of the database | Written per token |\n\
         |---|---|---|---|---|---|---|---|"
    )?;
    for line in table {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn one(
    options: &Options,
    large: &Place,
    server: Option<&Postgresql>,
    small: &mut dyn FnMut(usize) -> Result<Place>,
    table: &mut Vec<String>,
    out: &mut impl Write,
) -> Result<()> {
    let begun = Instant::now();
    fill::fill(large.vault(), options.rows)?;
    let took = begun.elapsed();
    writeln!(
        out,
        "{}: {} cards stored in {:.0} s, {:.0} a second",
        large.name,
        options.rows,
        took.as_secs_f64(),
        options.rows as f64 / took.as_secs_f64()
    )?;
    vacuum(server, "large")?;
    if let Some(server) = server {
        server.sql("large", "CHECKPOINT")?;
    }
    let (mut of_small, mut of_large) = (Vec::new(), Vec::new());
    for round in 0..options.rounds {
        let place = small(round)?;
        fill::fill(place.vault(), options.small)?;
        // No checkpoint here: behind one, each page is written whole once, and a large store has more of them.
        vacuum(server, &format!("small_{round}"))?;
        of_small.push(measure(options, &place, server)?);
        of_large.push(measure(options, large, server)?);
    }
    if begun.elapsed() > ANSWERS_KEPT {
        writeln!(
            out,
            "{}: it took {:.0} s in all, so answers kept for repeats were being removed while the large store was measured",
            large.name,
            begun.elapsed().as_secs_f64()
        )?;
    }
    let name = large.name;
    table.push(row(name, options.small, &of_small));
    table.push(row(name, options.rows, &of_large));
    table.push(quotients(name, &of_large, &of_small));
    Ok(())
}

/// What the filling has left to do in the background is done before anything is measured.
fn vacuum(server: Option<&Postgresql>, database: &str) -> Result<()> {
    if let Some(server) = server {
        server.sql(database, "VACUUM ANALYZE")?;
    }
    Ok(())
}

/// What was measured in one round.
#[derive(Clone, Copy, Debug)]
struct Measured {
    figures: Figures,
    /// Microseconds per token.
    service: f64,
    database: Option<f64>,
    /// Bytes per token.
    written: f64,
}

fn measure(options: &Options, place: &Place, server: Option<&Postgresql>) -> Result<Measured> {
    let service = place.start(&options.service)?;
    let address = service.address;
    let boot = boot::fetch(address)?;
    let warming = drive::prepare(address, &boot, WARM_UP)?;
    let warm = drive::run(address, &warming, options.connections, options.time)?;
    // A little more than will be sent: the run ends by the clock.
    let count = (warm.per_second * options.time.as_secs_f64() * 1.5) as usize;
    let submissions = drive::prepare(address, &boot, count)?;
    let before = usages(&service, server)?;
    let figures = drive::run(address, &submissions, options.connections, options.time)?;
    let after = usages(&service, server)?;
    let answers = (figures.per_second * figures.elapsed.as_secs_f64()).max(1.0);
    let used = after.0.since(before.0);
    let database = after.1.zip(before.1).map(|(after, before)| after.since(before));
    service.stop()?;
    let micros = |used: Usage| used.processor.as_secs_f64() * 1e6 / answers;
    Ok(Measured {
        figures,
        service: micros(used),
        database: database.map(micros),
        written: used.plus(database.unwrap_or_default()).written as f64 / answers,
    })
}

fn usages(service: &Process, server: Option<&Postgresql>) -> Result<(Usage, Option<Usage>)> {
    let untold = "the system does not tell what a process uses";
    let own = service.usage().context(untold)?;
    let database = server.map(|server| server.usage().context(untold)).transpose()?;
    Ok((own, database))
}

/// Medians over the rounds.
fn row(name: &str, cards: usize, rounds: &[Measured]) -> String {
    let told = |of: fn(&Measured) -> Option<f64>, unit: &str, digits: usize| match middle(
        rounds.iter().filter_map(of),
    ) {
        Some(value) => format!("{value:.digits$}{unit}"),
        None => "–".to_owned(),
    };
    let [per_second, p50, p99, service, database, written] = FIGURES;
    format!(
        "| {name} | {cards} | {} | {} | {} | {} | {} | {} |",
        told(per_second, "", 0),
        told(p50, " ms", 2),
        told(p99, " ms", 2),
        told(service, " µs", 0),
        told(database, " µs", 0),
        told(written, " B", 0),
    )
}

/// Medians of what came of each round: the large store's figure by the small one's, measured just before.
fn quotients(name: &str, large: &[Measured], small: &[Measured]) -> String {
    let told = FIGURES.map(|of| {
        let rounds = large.iter().zip(small);
        let quotients = rounds.filter_map(|(large, small)| Some(of(large)? / of(small)?));
        middle(quotients).map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"))
    });
    format!("| {name} | large by small | {} |", told.join(" | "))
}

type Figure = fn(&Measured) -> Option<f64>;

/// Columns of the table.
const FIGURES: [Figure; 6] = [
    |round| Some(round.figures.per_second),
    |round| Some(round.figures.p50.as_secs_f64() * 1000.0),
    |round| Some(round.figures.p99.as_secs_f64() * 1000.0),
    |round| Some(round.service),
    |round| round.database,
    |round| Some(round.written),
];

/// An answer is kept for so long; after that it costs its removal.
const ANSWERS_KEPT: Duration = Duration::from_secs(600);

/// Requests before the clock counts.
const WARM_UP: usize = 1500;

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(per_second: f64, database: Option<f64>) -> Measured {
        let times = vec![Duration::from_millis(2); 3];
        Measured {
            figures: Figures {
                per_second,
                ..Figures::of(times, Duration::from_secs(1))
            },
            service: 50.0,
            database,
            written: 4000.0,
        }
    }

    #[test]
    fn rounds_are_compared_one_by_one() {
        // A machine that becomes slower from round to round changes nothing between the two.
        let small = [900.0, 600.0, 300.0].map(|rate| measured(rate, None));
        let large = [810.0, 540.0, 270.0].map(|rate| measured(rate, None));
        assert_eq!(
            row("SQLite", 5, &small),
            "| SQLite | 5 | 600 | 2.00 ms | 2.00 ms | 50 µs | – | 4000 B |"
        );
        assert_eq!(
            quotients("SQLite", &large, &small),
            "| SQLite | large by small | 0.90 | 1.00 | 1.00 | 1.00 | – | 1.00 |"
        );
        assert!(row("PostgreSQL", 5, &[measured(1.0, Some(7.0))]).contains("| 7 µs |"));
    }
}
