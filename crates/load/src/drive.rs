//! A load: several connections that send one request after the other, as fast as they are answered.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use wire::boot::Boot;

use crate::connection::{Answer, Connection};
use crate::figures::Figures;
use crate::submission::{NUMBERS, Submission};

/// Seals `count` requests on all cores: while the load runs, the generator is to do next to nothing.
pub fn prepare(address: SocketAddr, boot: &Boot, count: usize) -> Result<Vec<Submission>> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = count.div_ceil(threads);
    let seal = |_| {
        (0..share)
            .map(|n| Submission::make(address, boot, NUMBERS[n % NUMBERS.len()]))
            .collect::<Result<Vec<_>>>()
    };
    let parts: Vec<Vec<_>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|n| scope.spawn(move || seal(n))).collect();
        workers.into_iter().map(join).collect::<Result<_>>()
    })?;
    // In the order of their making, as requests of people would come.
    let mut parts: Vec<_> = parts.into_iter().map(Vec::into_iter).collect();
    let turns = (0..share * threads).filter_map(|turn| parts.get_mut(turn % threads)?.next());
    Ok(turns.collect())
}

/// Sends `submissions` over so many connections until all are answered or `time` is over. Every answer must be a new
/// token.
pub fn run(
    address: SocketAddr,
    submissions: &[Submission],
    connections: usize,
    time: Duration,
) -> Result<Figures> {
    send(address, submissions, connections, time, |answer| {
        match answer.status {
            201 => Ok(()),
            status => bail!(
                "a request was answered with {status}: {}",
                String::from_utf8_lossy(answer.body)
            ),
        }
    })
}

/// Sends whole requests over so many connections until all are answered or `time` is over. `hear` looks at every answer.
pub(crate) fn send(
    address: SocketAddr,
    requests: &[impl AsRef<[u8]> + Sync],
    connections: usize,
    time: Duration,
    hear: impl Fn(Answer<'_>) -> Result<()> + Sync,
) -> Result<Figures> {
    let next = AtomicUsize::new(0);
    let open = (0..connections)
        .map(|_| Connection::open(address, LIMIT))
        .collect::<std::io::Result<Vec<_>>>()?;
    let start = Instant::now();
    let work = |mut connection: Connection| {
        let mut times = Vec::with_capacity(requests.len() / connections * 2);
        while start.elapsed() < time {
            let Some(request) = requests.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let sent = Instant::now();
            let answer = connection.exchange(request.as_ref())?;
            let took = sent.elapsed();
            hear(answer)?;
            times.push(took);
        }
        Ok(times)
    };
    let times: Vec<Vec<Duration>> = thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = open
            .into_iter()
            .map(|connection| scope.spawn(move || work(connection)))
            .collect();
        workers.into_iter().map(join).collect::<Result<_>>()
    })?;
    Ok(Figures::of(
        times.into_iter().flatten().collect(),
        start.elapsed(),
    ))
}

pub(crate) fn join<T>(worker: thread::ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    worker
        .join()
        .unwrap_or_else(|_| Err(anyhow!("a thread of the load panicked")))
}

/// Longest wait for one answer.
const LIMIT: Duration = Duration::from_secs(30);
