#![doc = include_str!("../README.md")]

mod bench;
mod browser;
mod bytes;
mod codes;
mod cores;
mod demo;
mod documents;
mod entries;
mod fuzz;
mod http;
mod inventory;
mod node;
mod package;
mod pictures;
mod postgresql;
mod project;
mod provenance;
mod run;
mod say;
mod service;
mod site;
mod suites;
mod toolchain;
mod torture;
mod types;
mod web;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Builds, runs, tests and packs CardWidget.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Builds everything, then serves the service and the demo shop until Ctrl-C
    Demo {
        /// Port of the service
        #[arg(long, default_value_t = 8080)]
        port: u16,
        /// Port of the demo shop
        #[arg(long, default_value_t = 8081)]
        shop_port: u16,
        /// Folder of the database and its keys; made when absent
        #[arg(long, value_name = "DIR", default_value = "data")]
        data: PathBuf,
    },
    /// Writes the pages of docs/ that come from the sources: codes, and the inventory of scripts
    Docs,
    /// Runs all test suites, or one
    Test {
        /// Name of one suite; without it all run
        suite: Option<String>,
    },
    /// Measures and prints; asserts nothing
    Bench {
        #[command(subcommand)]
        bench: bench::Bench,
    },
    /// Feeds the parsers that strangers reach with what nobody would send
    Fuzz(fuzz::Fuzz),
    /// Packs the npm package and the script files
    Package,
    /// Takes pictures of the form in every combination, into target/pictures
    Pictures {
        /// Takes those that the documents show over into docs/images
        #[arg(long)]
        docs: bool,
    },
    /// Builds the modules of the npm package: card rules, client
    Cores,
    /// Builds the documents as a site, with the references of JavaScript and Rust, into target/site
    Site,
    /// Kills the service and its database at random moments under load, fills its disk, and looks for every token that it
    /// had answered
    Torture(torture::Torture),
    /// Builds what browsers load, into target/web
    Web,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Demo {
            port,
            shop_port,
            data,
        } => demo::run(port, shop_port, &data).map(|()| true),
        Command::Docs => documents::write().map(|()| true),
        Command::Test { suite } => suites::run(suite.as_deref()),
        Command::Bench { bench } => bench::run(bench).map(|()| true),
        Command::Fuzz(fuzz) => fuzz.shown(),
        Command::Package => package::build().map(|package| {
            package.report();
            true
        }),
        Command::Pictures { docs } => pictures::take(docs).map(|()| true),
        Command::Cores => cores::build().map(|cores| {
            cores.iter().for_each(cores::Built::report);
            true
        }),
        Command::Site => site::build("http://localhost:8080")
            .and_then(|()| site::reference_of_rust())
            .map(|()| true),
        Command::Torture(torture) => torture.run().map(|()| true),
        Command::Web => web::build(web::Tools::Required).map(|manifest| {
            manifest.report();
            true
        }),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            say::error(&error);
            ExitCode::FAILURE
        }
    }
}
