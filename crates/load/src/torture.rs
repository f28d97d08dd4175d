//! `torture`: the service is killed at random moments under load, and what it had answered is looked for afterwards.
//!
//! Of every request it is known what was sent and what was heard. After each kill the service is started again on the same
//! store, and each request of that life is sent twice more. An answered one must give the token that it gave before; one
//! whose answer was cut off must give one token, the same both times. Now and then the service is stopped and the vault
//! opened in its place: every token must then open its card.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use tempfile::TempDir;

use crate::process::Process;
use crate::{envelope, service};

mod assault;
mod disk;
mod proof;
mod record;

use record::Record;

/// How hard.
#[derive(Clone, Debug)]
pub struct Options {
    /// The service's binary.
    pub service: PathBuf,
    /// How many kills.
    pub kills: usize,
    /// Connections of the load.
    pub connections: usize,
}

/// Kills, checks, and says what was found. An error is a broken promise, or a machine on which this cannot run.
pub fn run(options: &Options, out: &mut impl Write) -> Result<()> {
    let start = Instant::now();
    kills(options, out)?;
    for (name, check) in disk::CHECKS {
        let said = check(&options.service).with_context(|| format!("{name} failed"))?;
        writeln!(out, "{name}: {said}")?;
    }
    writeln!(out, "torture: passed in {:.0} s", start.elapsed().as_secs_f64())?;
    Ok(())
}

fn kills(options: &Options, out: &mut impl Write) -> Result<()> {
    let folder = Folder::new()?;
    let mut sum = Record::default();
    let (mut answered, mut cut, mut kept) = (0, 0, 0);
    for kill in 1..=options.kills {
        let life = if kill % STARTS == 0 {
            folder.kill_starting(&options.service)?;
            Record::default()
        } else {
            let victim = folder.start(&options.service)?;
            let delay = random_below(LONGEST_LIFE)?;
            assault::until_killed(victim, options.connections, delay)?
        };
        let again = folder.start(&options.service)?;
        let found = proof::repeat(again.address, life).with_context(|| format!("after kill {kill}"))?;
        answered += found.answered;
        cut += found.cut;
        kept += found.kept;
        sum.extend(found.record);
        let is_last = kill == options.kills;
        if kill % OPENED_EVERY == 0 || is_last {
            let status = again.stop()?;
            ensure!(status.success(), "the service did not stop in peace: {status}");
            proof::open(&folder.database(), &std::mem::take(&mut sum))
                .with_context(|| format!("after kill {kill}"))?;
            writeln!(
                out,
                "{kill} kills: {answered} answered tokens, all there; {cut} answers cut off, of them {kept} stored, none double"
            )?;
        }
        // Else it is killed as it is, with nothing to do.
    }
    ensure!(answered > 0, "nothing was answered, so nothing was tested");
    Ok(())
}

/// Where a store lies between lives.
struct Folder(TempDir);

impl Folder {
    fn new() -> Result<Self> {
        Ok(Self(tempfile::tempdir()?))
    }

    fn database(&self) -> PathBuf {
        self.0.path().join("torture.sqlite")
    }

    fn start(&self, binary: &Path) -> Result<Process> {
        let log = File::options()
            .create(true)
            .append(true)
            .open(self.0.path().join("log"))?;
        Process::start(service::serve(binary, &self.url())?.stderr(log))
    }

    /// Kills it somewhere between its first instruction and its first request.
    fn kill_starting(&self, binary: &Path) -> Result<()> {
        let mut child = service::serve(binary, &self.url())?
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        thread::sleep(random_below(LONGEST_START)?);
        child.kill()?;
        child.wait()?;
        Ok(())
    }

    fn url(&self) -> String {
        format!("sqlite:{}", self.database().display())
    }
}

/// A time that nobody chose.
fn random_below(most: Duration) -> Result<Duration> {
    let share = u32::from_be_bytes(envelope::random()?);
    Ok(most.mul_f64(f64::from(share) / f64::from(u32::MAX)))
}

/// One kill in so many hits a service that is still starting.
const STARTS: usize = 5;

/// How often the vault is opened in the service's place. Tokens live for an hour and answers for ten minutes.
const OPENED_EVERY: usize = 25;

/// Longest life under load.
const LONGEST_LIFE: Duration = Duration::from_millis(400);

/// A start takes about so long.
const LONGEST_START: Duration = Duration::from_millis(80);
