//! Command line of the load. `cargo xtask bench tokens` and `cargo xtask torture` build what it needs and start it.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::{Parser, Subcommand};
use load::place::Stores;
use load::{bench, growth, payments, reports, soak, torture};

/// Drives the service with real envelopes.
#[derive(Parser)]
#[command(name = "card-widget-load")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measures tokens per second beside the ceiling
    Bench {
        /// Binary of the service
        #[arg(long, value_name = "FILE")]
        service: PathBuf,
        /// Binary of the ceiling
        #[arg(long, value_name = "FILE")]
        ceiling: PathBuf,
        /// PostgreSQL database, empty, to be measured too
        #[arg(long = "database", value_name = "URL")]
        databases: Vec<String>,
        /// How many connections, one after the other
        #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,16,64")]
        connections: Vec<usize>,
        /// How often each is measured; medians are printed
        #[arg(long, value_name = "N", default_value_t = 3)]
        rounds: usize,
        /// Length of one measurement
        #[arg(long, value_name = "N", default_value_t = 2.0)]
        seconds: f64,
    },
    /// Watches the memory of the service under steady load
    Soak {
        /// Binary of the service
        #[arg(long, value_name = "FILE")]
        service: PathBuf,
        /// Where cards are kept meanwhile
        #[arg(long, value_enum, default_value_t = Stores::Sqlite)]
        store: Stores,
        /// Length of the load, on each store
        #[arg(long, value_name = "N", default_value_t = 600.0)]
        seconds: f64,
        /// Connections of the load
        #[arg(long, value_name = "N", default_value_t = 16)]
        connections: usize,
    },
    /// Measures what a token costs in a small store and in a large one
    Growth {
        /// Binary of the service
        #[arg(long, value_name = "FILE")]
        service: PathBuf,
        /// Where cards are kept
        #[arg(long, value_enum, default_value_t = Stores::Both)]
        store: Stores,
        /// Cards in the small store
        #[arg(long, value_name = "N", default_value_t = 10_000)]
        small: usize,
        /// Cards in the large store
        #[arg(long, value_name = "N", default_value_t = 5_000_000)]
        rows: usize,
        /// How often each is measured; medians are printed
        #[arg(long, value_name = "N", default_value_t = 5)]
        rounds: usize,
        /// Length of one measurement
        #[arg(long, value_name = "N", default_value_t = 3.0)]
        seconds: f64,
        /// Connections of the load
        #[arg(long, value_name = "N", default_value_t = 16)]
        connections: usize,
    },
    /// Measures payments per second, in an empty store and among many payments
    Payments {
        /// Binary of the service
        #[arg(long, value_name = "FILE")]
        service: PathBuf,
        /// Where payments are kept
        #[arg(long, value_enum, default_value_t = Stores::Both)]
        store: Stores,
        /// Payments that there are before the second measurement
        #[arg(long, value_name = "N", default_value_t = 0)]
        rows: u32,
        /// How often each is measured; medians are printed
        #[arg(long, value_name = "N", default_value_t = 3)]
        rounds: usize,
        /// Length of one measurement
        #[arg(long, value_name = "N", default_value_t = 3.0)]
        seconds: f64,
        /// Connections of the load
        #[arg(long, value_name = "N", default_value_t = 16)]
        connections: usize,
    },
    /// Measures reports over many transactions
    Reports {
        /// Binary of the service
        #[arg(long, value_name = "FILE")]
        service: PathBuf,
        /// Where payments are kept
        #[arg(long, value_enum, default_value_t = Stores::Sqlite)]
        store: Stores,
        /// Transactions that there are
        #[arg(long, value_name = "N", default_value_t = 1_000_000)]
        rows: u32,
        /// How often each is measured; medians are printed
        #[arg(long, value_name = "N", default_value_t = 3)]
        rounds: usize,
    },
    /// Kills the service at random moments under load and looks for what it had answered
    Torture {
        /// Binary of the service
        #[arg(long, value_name = "FILE")]
        service: PathBuf,
        /// Where cards are kept meanwhile
        #[arg(long, value_enum, default_value_t = Stores::Both)]
        store: Stores,
        /// How many kills, on each store
        #[arg(long, value_name = "N", default_value_t = 10)]
        kills: usize,
        /// How often PostgreSQL is killed, stopped or frozen
        #[arg(long, value_name = "N", default_value_t = 5)]
        outages: usize,
        /// Connections of the load
        #[arg(long, value_name = "N", default_value_t = 8)]
        connections: usize,
    },
}

fn main() -> ExitCode {
    match execute(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do where even this fails.
            let _ = writeln!(io::stderr(), "card-widget-load: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn execute(command: Command) -> Result<()> {
    let out = &mut io::stdout();
    match command {
        Command::Bench {
            service,
            ceiling,
            databases,
            connections,
            rounds,
            seconds,
        } => bench::run(
            &bench::Options {
                service,
                ceiling,
                databases,
                connections,
                rounds,
                time: Duration::from_secs_f64(seconds),
            },
            out,
        ),
        Command::Soak {
            service,
            store,
            seconds,
            connections,
        } => soak::run(
            &soak::Options {
                service,
                stores: store,
                time: Duration::from_secs_f64(seconds),
                connections,
            },
            out,
        ),
        Command::Growth {
            service,
            store,
            small,
            rows,
            rounds,
            seconds,
            connections,
        } => growth::run(
            &growth::Options {
                service,
                stores: store,
                small,
                rows,
                rounds,
                time: Duration::from_secs_f64(seconds),
                connections,
            },
            out,
        ),
        Command::Payments {
            service,
            store,
            rows,
            rounds,
            seconds,
            connections,
        } => payments::run(
            &payments::Options {
                service,
                stores: store,
                rows,
                rounds,
                time: Duration::from_secs_f64(seconds),
                connections,
            },
            out,
        ),
        Command::Reports {
            service,
            store,
            rows,
            rounds,
        } => reports::run(
            &reports::Options {
                service,
                stores: store,
                rows,
                rounds,
            },
            out,
        ),
        Command::Torture {
            service,
            store,
            kills,
            outages,
            connections,
        } => torture::run(
            &torture::Options {
                service,
                stores: store,
                kills,
                outages,
                connections,
            },
            out,
        ),
    }
}
