//! PostgreSQL goes away under a running service: killed, stopped at once, or frozen. The service must say so, keep what it
//! has answered, and go on by itself when the database is back.

use std::io::Write;
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use super::record::Record;
use super::{Options, assault, proof, random_below};
use crate::boot;
use crate::place::Place;
use crate::postgresql::Postgresql;
use crate::process::Process;

/// What happens to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outage {
    /// SIGKILL to all of its processes, and back a moment later.
    Kill,
    /// An immediate stop, and back once the service has noticed.
    Away,
    /// Frozen for less time than anybody waits.
    Frozen,
    /// Frozen until the service has given up, commits of its own under way.
    FrozenLong,
}

/// Few of them take long.
const TURNS: [Outage; 8] = [
    Outage::Kill,
    Outage::Away,
    Outage::Frozen,
    Outage::Kill,
    Outage::Frozen,
    Outage::Kill,
    Outage::Frozen,
    Outage::FrozenLong,
];

/// With so many, each kind has its turn.
pub(super) const EACH: usize = TURNS.len();

/// So many outages, through which the service runs on.
pub(super) fn run(
    options: &Options,
    place: &Place,
    server: &mut Postgresql,
    out: &mut impl Write,
) -> Result<()> {
    let mut sum = Sum::default();
    let mut service = place.start(&options.service)?;
    for (number, outage) in (1..=options.outages).zip(TURNS.into_iter().cycle()) {
        let context = || format!("outage {number}, {outage:?}");
        let address = service.address;
        let (life, longest) =
            assault::during(address, options.connections, || suffer(outage, server, address))
                .with_context(context)?;
        sum.longest = sum.longest.max(longest);
        let found = proof::repeat(address, life).with_context(context)?;
        sum.answered += found.answered;
        sum.unheard += found.cut;
        sum.kept += found.kept;
        sum.record.extend(found.record);
        if number % TURNS.len() == 0 || number == options.outages {
            service = sum.close(service, options, place).with_context(context)?;
            writeln!(
                out,
                "{}, {number} outages: {} answered tokens, all there; {} refused or unheard, of them {} stored, none double; \
                 back at work at most {:.1} s after the database; audit log whole",
                place.name,
                sum.answered,
                sum.unheard,
                sum.kept,
                sum.longest.as_secs_f64()
            )?;
        }
    }
    ensure!(
        options.outages == 0 || sum.answered > 0,
        "nothing was answered, so nothing was tested"
    );
    service.stop()?;
    Ok(())
}

#[derive(Default)]
struct Sum {
    answered: usize,
    unheard: usize,
    kept: usize,
    longest: Duration,
    /// Since the vault was opened last.
    record: Record,
}

impl Sum {
    /// Stops the service, looks behind all tokens and at the audit log, and starts it again.
    fn close(&mut self, service: Process, options: &Options, place: &Place) -> Result<Process> {
        let status = service.stop()?;
        ensure!(status.success(), "the service did not stop in peace: {status}");
        proof::open(place.vault(), std::mem::take(&mut self.record))?;
        place.verify_audit(&options.service)?;
        place.start(&options.service)
    }
}

/// One outage. Gives the time between the database's return and the first moment at which the service is ready again.
fn suffer(outage: Outage, server: &mut Postgresql, service: SocketAddr) -> Result<Duration> {
    thread::sleep(random_below(LONGEST_CALM)?);
    match outage {
        Outage::Kill => {
            server.kill()?;
            thread::sleep(random_below(LONGEST_ABSENCE)?);
            server.start_again()?;
        }
        Outage::Away => {
            server.stop_at_once()?;
            wait_until_ready(service, false)?;
            boot::get(service, "/healthz").context("the service is not alive any more")?;
            server.start_again()?;
        }
        Outage::Frozen => {
            server.freeze()?;
            thread::sleep(random_below(LONGEST_PAUSE)?);
            server.thaw()?;
        }
        Outage::FrozenLong => {
            server.freeze()?;
            wait_until_ready(service, false)?;
            thread::sleep(GIVEN_UP);
            boot::get(service, "/healthz").context("the service is not alive any more")?;
            server.thaw()?;
        }
    }
    let back = Instant::now();
    wait_until_ready(service, true)?;
    let took = back.elapsed();
    // It works, and does not only say so.
    thread::sleep(WORK);
    Ok(took)
}

/// `/readyz` must tell within a bounded time.
pub(super) fn wait_until_ready(service: SocketAddr, ready: bool) -> Result<()> {
    let start = Instant::now();
    while start.elapsed() < NOTICED {
        if boot::get(service, "/readyz").is_ok() == ready {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(50));
    }
    match ready {
        true => bail!("the database is back, and the service is not"),
        false => bail!("the service does not notice that its database is away"),
    }
}

/// Longest time before something happens.
const LONGEST_CALM: Duration = Duration::from_millis(400);

/// Longest time for which a killed server stays away.
const LONGEST_ABSENCE: Duration = Duration::from_millis(500);

/// Longest pause that nobody is to notice but by waiting.
const LONGEST_PAUSE: Duration = Duration::from_millis(1500);

/// By then the service has given up: it waits ten seconds for a commit and three for a new connection.
const GIVEN_UP: Duration = Duration::from_secs(15);

/// Load after each outage.
const WORK: Duration = Duration::from_millis(200);

/// Longest time until `/readyz` tells the truth.
const NOTICED: Duration = Duration::from_secs(15);
