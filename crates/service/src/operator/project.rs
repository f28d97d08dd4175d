//! `project …` and `widget-key origins`.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroU16;
use std::path::PathBuf;

use aws_lc_rs::rand;
use base64ct::{Base64UrlUnpadded, Encoding};
use clap::{Args, Subcommand, ValueEnum};
use jiff::SignedDuration;
use processing::{FeeRate, NewProject, Permissions, Project};
use wire::interface::values::ExternalId;
use zeroize::Zeroizing;

use super::find::{self, FindArgs};
use super::{OperatorError, Payments, open};
use crate::config::{DatabaseArgs, origin_pattern, project_id};

/// `project …`
#[derive(Debug, Subcommand)]
pub enum ProjectCommand {
    /// Create a project and print its credentials, which are shown this once. Its tokens open for it alone.
    Add(AddProjectArgs),
    /// List the projects: number of widget keys, kind, partner, permissions, commission in percent.
    List(DatabaseArgs),
    /// Print what stands in a project: how many payments, payouts and the like there are in each state, and its balances.
    Figures(FiguresArgs),
    /// Print what a number names: orders, payouts, subscriptions, with their operations and callbacks. Neither cards nor people.
    Find(FindArgs),
    /// Give a project another password. Callbacks are signed with it from then on.
    Password(PasswordArgs),
    /// Say what a project may do besides.
    Permissions(PermissionsArgs),
    /// Say what the charges of a project cost it from now on.
    Fee(FeeArgs),
    /// Print an access token of a customer (`X-CUSTOMER-AUTH`) and its end.
    CustomerToken(CustomerTokenArgs),
}

/// Arguments of `project add`.
#[derive(Debug, Default, Args)]
pub struct AddProjectArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The project's id and login: 1 to 123 letters, digits, dots, dashes and underscores.
    #[arg(value_name = "ID", value_parser = project_id)]
    pub project: String,
    /// Who owns it, with other projects. [default: the id]
    #[arg(long)]
    pub partner: Option<String>,
    /// Its name for people. [default: the id]
    #[arg(long)]
    pub name: Option<String>,
    /// Real money. Without it, the sandbox answers; the project may then send cards in clear.
    #[arg(long)]
    pub live: bool,
    /// Where its password is, `-` for standard input: 16 to 255 characters. Without it, one is made.
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
}

/// Arguments of `project figures`.
#[derive(Debug, Args)]
pub struct FiguresArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The project.
    #[arg(value_name = "ID")]
    pub project: String,
}

/// Arguments of `project password`.
#[derive(Debug, Args)]
pub struct PasswordArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The project.
    #[arg(value_name = "ID")]
    pub project: String,
    /// Where the password is, `-` for standard input: 16 to 255 characters. Without it, one is made.
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
}

/// Arguments of `project permissions`.
#[derive(Debug, Args)]
pub struct PermissionsArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The project.
    #[arg(value_name = "ID")]
    pub project: String,
    /// Whether it may send cards in clear.
    #[arg(long, value_name = "on|off")]
    pub cards: Option<Switch>,
    /// Whether callbacks may go to private and loopback addresses.
    #[arg(long, value_name = "on|off")]
    pub private_callbacks: Option<Switch>,
}

/// Arguments of `project fee`.
#[derive(Debug, Args)]
pub struct FeeArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The project.
    #[arg(value_name = "ID")]
    pub project: String,
    /// Percent of every charge, with at most two decimals: 1.75
    #[arg(value_name = "PERCENT")]
    pub rate: FeeRate,
}

/// Arguments of `project customer-token`.
#[derive(Debug, Args)]
pub struct CustomerTokenArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The project.
    #[arg(value_name = "ID")]
    pub project: String,
    /// The shop's number of the customer.
    #[arg(long, value_parser = customer)]
    pub customer: ExternalId,
    /// For how long it is good.
    #[arg(long, default_value = "24")]
    pub hours: NonZeroU16,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// Yes.
    On,
    /// No.
    Off,
}

/// Arguments of `widget-key origins`.
#[derive(Debug, Args)]
pub struct OriginsArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The widget key.
    #[arg(value_name = "KEY")]
    pub key: String,
    /// Every origin that shall be allowed from now on: https://shop.example or http://localhost:*
    #[arg(long = "origin", required = true, value_parser = origin_pattern)]
    pub origins: Vec<String>,
}

/// Runs one of the commands. `input` may hold a password.
pub fn run(
    command: ProjectCommand,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<(), OperatorError> {
    match command {
        ProjectCommand::Add(args) => add(args, input, out),
        ProjectCommand::List(store) => list(store, out),
        ProjectCommand::Figures(args) => figures(args, out),
        ProjectCommand::Find(args) => find::run(args, out),
        ProjectCommand::Password(args) => set_password(args, input, out),
        ProjectCommand::Permissions(args) => permit(args),
        ProjectCommand::Fee(args) => set_fee(args),
        ProjectCommand::CustomerToken(args) => customer_token(args, out),
    }
}

fn add(args: AddProjectArgs, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), OperatorError> {
    let payments = Payments::open_or_make(args.store.resolve()?)?;
    let known = payments.processing.projects()?;
    if known.iter().any(|project| project.id == args.project) {
        return Err(OperatorError::ProjectTaken(args.project));
    }
    let Payments { vault, processing } = payments;
    let (password, made) = password(args.password_file, input)?;
    let new = NewProject {
        partner: args.partner.unwrap_or_else(|| args.project.clone()),
        name: args.name.unwrap_or_else(|| args.project.clone()),
        id: args.project,
        is_live: args.live,
        password,
        permissions: Permissions {
            may_send_cards: !args.live,
            may_call_private: false,
        },
    };
    let kind = if new.is_live { "live, " } else { "test, " };
    vault.note_project(
        "credentials made",
        &new.id,
        format!("{kind}{}", told(new.permissions)),
    )?;
    if !processing.add_project(&new)? {
        return Err(OperatorError::ProjectTaken(new.id));
    }
    // A widget key may have made it there before.
    vault.add_project(&new.id)?;
    show(&new.id, made.then_some(&new.password), out)
}

fn list(store: DatabaseArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let Payments { vault, processing } = Payments::open(store.resolve()?)?;
    let keys = vault.widget_keys()?;
    let known = processing.projects()?;
    for id in vault.projects()? {
        let count = keys.iter().filter(|key| key.project == id).count();
        match known.iter().find(|project| project.id == id) {
            Some(project) => {
                let kind = if project.is_live { "live" } else { "test" };
                writeln!(
                    out,
                    "{id}\t{count}\t{kind}\t{}\t{}\t{}",
                    project.partner,
                    told(permissions(project)),
                    project.fee_rate
                )?;
            }
            // It has widget keys and no credentials.
            None => writeln!(out, "{id}\t{count}\t-\t-\t-\t-")?,
        }
    }
    Ok(())
}

fn figures(args: FiguresArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let payments = Payments::open(args.store.resolve()?)?;
    let project = payments.project(&args.project)?;
    let figures = payments.processing.figures(&project)?;
    for (what, state, number) in figures.counts {
        writeln!(out, "{what}\t{state}\t{number}")?;
    }
    for balances in figures.balances {
        for (of, amount) in [
            ("refunds", balances.refunds),
            ("payouts", balances.payouts),
            ("reserved", balances.reserved),
        ] {
            writeln!(out, "balance\t{of}\t{amount} {}", balances.currency)?;
        }
    }
    Ok(())
}

fn permissions(project: &Project) -> Permissions {
    Permissions {
        may_send_cards: project.may_send_cards,
        may_call_private: project.may_call_private,
    }
}

/// What a project may do besides, by the names of the flags.
fn told(permissions: Permissions) -> String {
    let given = [
        (permissions.may_send_cards, "cards"),
        (permissions.may_call_private, "private-callbacks"),
    ];
    let given: Vec<_> = given
        .iter()
        .filter(|(given, _)| *given)
        .map(|(_, name)| *name)
        .collect();
    if given.is_empty() {
        "-".to_owned()
    } else {
        given.join(",")
    }
}

fn set_password(
    args: PasswordArgs,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<(), OperatorError> {
    let payments = Payments::open(args.store.resolve()?)?;
    let project = payments.project(&args.project)?;
    let (password, made) = password(args.password_file, input)?;
    payments
        .vault
        .note_project("password changed", &project.id, String::new())?;
    match payments.processing.set_password(&args.project, &password)? {
        true => show(&args.project, made.then_some(&password), out),
        false => Err(OperatorError::UnknownProject(args.project)),
    }
}

fn permit(args: PermissionsArgs) -> Result<(), OperatorError> {
    let payments = Payments::open(args.store.resolve()?)?;
    let project = payments.project(&args.project)?;
    let or = |switch: Option<Switch>, before: bool| switch.map_or(before, |switch| switch == Switch::On);
    let before = permissions(&project);
    let permissions = Permissions {
        may_send_cards: or(args.cards, before.may_send_cards),
        may_call_private: or(args.private_callbacks, before.may_call_private),
    };
    payments
        .vault
        .note_project("permissions changed", &project.id, told(permissions))?;
    payments.processing.permit(&project.id, permissions)?;
    Ok(())
}

fn set_fee(args: FeeArgs) -> Result<(), OperatorError> {
    let payments = Payments::open(args.store.resolve()?)?;
    let project = payments.project(&args.project)?;
    payments
        .vault
        .note_project("commission changed", &project.id, args.rate.to_string())?;
    payments.processing.set_fee_rate(&project.id, args.rate)?;
    Ok(())
}

fn customer_token(args: CustomerTokenArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let payments = Payments::open(args.store.resolve()?)?;
    let project = payments.project(&args.project)?;
    // Whose it is stays out of the log.
    let hours = format!("{} hours", args.hours);
    payments
        .vault
        .note_project("customer's access token made", &project.id, hours)?;
    let lifetime = SignedDuration::from_hours(args.hours.get().into());
    let token = payments
        .processing
        .customer_token(&project, &args.customer, lifetime)?;
    writeln!(out, "access_token\t{}", token.access_token)?;
    writeln!(out, "expires_at\t{}", token.expires_at)?;
    Ok(())
}

/// A password that was brought along, or a new one. Arguments are seen by every user of the machine, so it is none.
fn password(
    file: Option<PathBuf>,
    input: &mut impl BufRead,
) -> Result<(Zeroizing<String>, bool), OperatorError> {
    let Some(path) = file else {
        let mut bytes = Zeroizing::new([0; 32]);
        rand::fill(&mut *bytes).map_err(|_| OperatorError::Randomness)?;
        return Ok((Zeroizing::new(Base64UrlUnpadded::encode_string(&*bytes)), true));
    };
    let mut line = Zeroizing::new(String::new());
    let read = match path.as_os_str() == "-" {
        true => input.read_line(&mut line),
        false => File::open(&path).and_then(|file| BufReader::new(file).read_line(&mut line)),
    };
    read.map_err(|source| OperatorError::File { path, source })?;
    // Of the line, not of the password, which may end with a space.
    let end = line.trim_end_matches(['\n', '\r']).len();
    line.truncate(end);
    Ok((line, false))
}

/// Shows a login, and a password that was made.
fn show(
    login: &str,
    password: Option<&Zeroizing<String>>,
    out: &mut impl Write,
) -> Result<(), OperatorError> {
    writeln!(out, "login\t{login}")?;
    if let Some(password) = password {
        writeln!(out, "password\t{}", password.as_str())?;
    }
    Ok(())
}

fn customer(text: &str) -> Result<ExternalId, &'static str> {
    ExternalId::new(text).ok_or("must be 1 to 255 characters")
}

/// `widget-key origins`: replaces the allowed origins.
pub fn set_origins(args: OriginsArgs) -> Result<(), OperatorError> {
    match open(args.store.resolve()?)?.set_origins(&args.key, &args.origins)? {
        true => Ok(()),
        false => Err(OperatorError::UnknownKey(args.key)),
    }
}
