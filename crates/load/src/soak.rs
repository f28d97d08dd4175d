//! `soak`: the service under steady load for as long as one likes, and the memory that it holds meanwhile.
//!
//! Envelopes are sealed while the load runs, so it is not the most that the service could do.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::boot;
use crate::connection::Connection;
use crate::drive::join;
use crate::figures::middle;
use crate::place::{Place, Stores};
use crate::postgresql::Postgresql;
use crate::process::Process;
use crate::submission::{NUMBERS, Submission};

/// How long, and how hard.
#[derive(Clone, Debug)]
pub struct Options {
    /// The service's binary, as it is released.
    pub service: PathBuf,
    /// Which stores.
    pub stores: Stores,
    /// Length of the load, on each store.
    pub time: Duration,
    /// Connections of the load.
    pub connections: usize,
}

/// Loads, looks at the memory once a second, and prints what it held in each minute.
pub fn run(options: &Options, out: &mut impl Write) -> Result<()> {
    if options.stores.sqlite() {
        one(options, &Place::sqlite()?, out)?;
    }
    if options.stores.postgres() {
        let server = Postgresql::start()?;
        one(options, &Place::postgres(server.database("soak")?)?, out)?;
    }
    Ok(())
}

fn one(options: &Options, place: &Place, out: &mut impl Write) -> Result<()> {
    let service = place.start(&options.service)?;
    let (over, tokens) = (AtomicBool::new(false), AtomicU64::new(0));
    let samples = thread::scope(|scope| {
        let workers: Vec<_> = (0..options.connections)
            .map(|_| scope.spawn(|| load(service.address, &over, &tokens)))
            .collect();
        let samples = watch(&service, options.time, &tokens, &over);
        over.store(true, Ordering::Relaxed);
        for worker in workers {
            join(worker)?;
        }
        anyhow::Ok(samples)
    })?;
    service.stop()?;
    report(place.name, &samples, out)
}

/// Sends one request after the other until it is told to end, or is refused.
fn load(address: SocketAddr, over: &AtomicBool, tokens: &AtomicU64) -> Result<()> {
    let ended = || over.store(true, Ordering::Relaxed);
    let mut connection = Connection::open(address, LIMIT).inspect_err(|_| ended())?;
    while !over.load(Ordering::Relaxed) {
        // A ticket is good for an hour.
        let boot = boot::fetch(address).inspect_err(|_| ended())?;
        for n in 0..PER_TICKET {
            let submission = Submission::make(address, &boot, NUMBERS[n % NUMBERS.len()])?;
            let answer = connection.exchange(submission.bytes()).inspect_err(|_| ended())?;
            if answer.status != 201 {
                ended();
                bail!("a request was answered with {}", answer.status);
            }
            tokens.fetch_add(1, Ordering::Relaxed);
            if over.load(Ordering::Relaxed) {
                break;
            }
        }
    }
    Ok(())
}

/// One look at the service.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Seconds since the load began.
    at: f64,
    /// Bytes in RAM.
    memory: f64,
    /// Tokens so far.
    tokens: u64,
}

fn watch(service: &Process, time: Duration, tokens: &AtomicU64, over: &AtomicBool) -> Vec<Sample> {
    let start = Instant::now();
    let mut samples = Vec::new();
    while start.elapsed() < time && !over.load(Ordering::Relaxed) {
        thread::sleep(EVERY.min(time));
        samples.extend(service.memory().map(|memory| Sample {
            at: start.elapsed().as_secs_f64(),
            memory: memory as f64,
            tokens: tokens.load(Ordering::Relaxed),
        }));
    }
    samples
}

/// A line for each minute, and what became of the memory.
fn report(name: &str, samples: &[Sample], out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "| {name}, minute | Tokens/s | Memory, median | least | most |\n|---|---|---|---|---|"
    )?;
    let mut minutes: Vec<f64> = Vec::new();
    let mut before = (0.0, 0);
    for minute in samples.chunk_by(|one, next| (one.at / 60.0).floor() == (next.at / 60.0).floor()) {
        let memory = || minute.iter().map(|sample| sample.memory);
        let (Some(last), Some(median)) = (minute.last(), middle(memory())) else {
            continue;
        };
        writeln!(
            out,
            "| {:.0} | {:.0} | {:.1} MB | {:.1} MB | {:.1} MB |",
            (minute[0].at / 60.0).floor() + 1.0,
            (last.tokens - before.1) as f64 / (last.at - before.0),
            median / MB,
            memory().fold(f64::INFINITY, f64::min) / MB,
            memory().fold(0.0, f64::max) / MB,
        )?;
        before = (last.at, last.tokens);
        minutes.push(median);
    }
    let (Some(first), Some(last)) = (minutes.first(), minutes.last()) else {
        bail!("the system does not tell how much memory a process holds");
    };
    let half = &samples[samples.len() / 2..];
    writeln!(
        out,
        "{name}: {} tokens in {:.0} s; {:.1} MB in the first minute, {:.1} MB in the last; in the second half {:+.2} MB a \
         minute\n",
        before.1,
        before.0,
        first / MB,
        last / MB,
        slope(half) * 60.0 / MB,
    )?;
    Ok(())
}

/// Bytes per second, by least squares.
fn slope(samples: &[Sample]) -> f64 {
    let count = samples.len() as f64;
    let mean = |of: fn(&Sample) -> f64| samples.iter().map(of).sum::<f64>() / count;
    let (at, memory) = (mean(|sample| sample.at), mean(|sample| sample.memory));
    let (mut both, mut square) = (0.0, 0.0);
    for sample in samples {
        both += (sample.at - at) * (sample.memory - memory);
        square += (sample.at - at).powi(2);
    }
    if square > 0.0 { both / square } else { 0.0 }
}

const MB: f64 = 1_000_000.0;

/// Between two looks.
const EVERY: Duration = Duration::from_secs(1);

/// Requests of one connection under one ticket: minutes at the most.
const PER_TICKET: usize = 20_000;

/// Longest wait for an answer.
const LIMIT: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(at: f64, memory: f64) -> Sample {
        Sample {
            at,
            memory: memory * MB,
            tokens: at as u64 * 10,
        }
    }

    #[test]
    fn a_slope_is_found_through_noise_and_none_where_nothing_grows() {
        let growing: Vec<_> = (0..100)
            .map(|n| sample(f64::from(n), 50.0 + 0.1 * f64::from(n) + f64::from(n % 2)))
            .collect();
        assert!((slope(&growing) / MB - 0.1).abs() < 0.01);
        assert_eq!(slope(&[sample(0.0, 7.0), sample(9.0, 7.0)]), 0.0);
        assert_eq!(slope(&[sample(1.0, 7.0)]), 0.0);
    }

    #[test]
    fn minutes_are_told_apart() {
        let samples: Vec<_> = (1..=150)
            .map(|n| sample(f64::from(n), if n < 60 { 10.0 } else { 20.0 }))
            .collect();
        let mut out = Vec::new();
        report("SQLite", &samples, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.contains("| 1 | 10 | 10.0 MB | 10.0 MB | 10.0 MB |"), "{out}");
        assert!(
            out.contains("10.0 MB in the first minute, 20.0 MB in the last"),
            "{out}"
        );
        assert!(out.contains("+0.00 MB a minute"), "{out}");
        assert!(report("SQLite", &[], &mut Vec::new()).is_err());
    }
}
