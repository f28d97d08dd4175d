//! The service is killed under load, again and again, on one store.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::record::Record;
use super::{Options, assault, proof, random_below};
use crate::place::Place;

/// So many kills.
pub(super) fn run(options: &Options, place: &Place, out: &mut impl Write) -> Result<()> {
    let mut sum = Record::default();
    let (mut answered, mut cut, mut kept) = (0, 0, 0);
    for kill in 1..=options.kills {
        let life = if kill % STARTS == 0 {
            kill_starting(place, &options.service)?;
            Record::default()
        } else {
            let victim = place.start(&options.service)?;
            let delay = random_below(LONGEST_LIFE)?;
            assault::until_killed(victim, options.connections, delay)?
        };
        let again = place.start(&options.service)?;
        let found = proof::repeat(again.address, life).with_context(|| format!("after kill {kill}"))?;
        answered += found.answered;
        cut += found.cut;
        kept += found.kept;
        sum.extend(found.record);
        let is_last = kill == options.kills;
        if kill % OPENED_EVERY == 0 || is_last {
            let status = again.stop()?;
            ensure!(status.success(), "the service did not stop in peace: {status}");
            proof::open(place.vault(), std::mem::take(&mut sum))
                .with_context(|| format!("after kill {kill}"))?;
            place
                .verify_audit(&options.service)
                .with_context(|| format!("after kill {kill}"))?;
            writeln!(
                out,
                "{}, {kill} kills: {answered} answered tokens, all there; {cut} answers cut off, of them {kept} stored, none \
                 double; audit log whole",
                place.name
            )?;
        }
        // Else it is killed as it is, with nothing to do.
    }
    ensure!(answered > 0, "nothing was answered, so nothing was tested");
    Ok(())
}

/// Kills the service somewhere between its first instruction and its first request.
fn kill_starting(place: &Place, binary: &Path) -> Result<()> {
    let mut child = place
        .serve(binary)?
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    thread::sleep(random_below(LONGEST_START)?);
    child.kill()?;
    child.wait()?;
    Ok(())
}

/// One kill in so many hits a service that is still starting.
const STARTS: usize = 5;

/// How often the vault is opened in the service's place. Tokens live for an hour and answers for ten minutes.
const OPENED_EVERY: usize = 25;

/// Longest life under load.
const LONGEST_LIFE: Duration = Duration::from_millis(400);

/// A start takes about so long.
const LONGEST_START: Duration = Duration::from_millis(80);
