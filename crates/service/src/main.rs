//! Binary of the service. `card-widget-service help` lists what it does.

use std::alloc::System;
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use service::config::{Cli, Command, Settings, TokenCommand, WidgetKeyCommand};
use service::{operator, run};
use zeroizing_alloc::ZeroAlloc;

/// Whatever is freed is wiped, buffers of libraries too: those of a connection hold what an app has sent.
#[global_allocator]
static ALLOCATOR: ZeroAlloc<System> = ZeroAlloc(System);

fn main() -> ExitCode {
    match execute(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do where even this fails.
            let _ = writeln!(io::stderr(), "card-widget-service: {error}");
            ExitCode::FAILURE
        }
    }
}

fn execute(command: Command) -> Result<(), Box<dyn Error>> {
    let out = &mut io::stdout();
    match command {
        Command::Serve(args) => run::serve(Settings::resolve(args)?)?,
        Command::WidgetKey(WidgetKeyCommand::Add(args)) => operator::add_key(args, out)?,
        Command::WidgetKey(WidgetKeyCommand::List(args)) => operator::list_keys(args, out)?,
        Command::WidgetKey(WidgetKeyCommand::Origins(args)) => operator::project::set_origins(args)?,
        Command::WidgetKey(WidgetKeyCommand::Remove(args)) => operator::remove_key(args)?,
        Command::Backup(args) => operator::backup::backup(args, out)?,
        Command::Restore(args) => operator::backup::restore(args, out)?,
        Command::Audit(command) => operator::audit::run(command, out)?,
        Command::Project(command) => operator::project::run(command, &mut io::stdin().lock(), out)?,
        Command::Keys(command) => operator::keys::run(command, out)?,
        Command::Token(TokenCommand::Inspect(args)) => operator::inspect(args, io::stdin().lock(), out)?,
        Command::Token(TokenCommand::Forget(args)) => operator::forget(args, io::stdin().lock())?,
    }
    Ok(())
}
