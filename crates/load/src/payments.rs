//! `payments`: payments per second by widget tokens, each durable and with its callback on its way, in an empty store and among many.
//!
//! Tokens are made beforehand. Callbacks go to a receiver in this process that says 200, so the machine pays for their delivery too.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use crate::figures::Figures;
use crate::place::{Place, Stores};
use crate::postgresql::Postgresql;
use crate::process::{Process, Usage};
use crate::{boot, copies, drive, submission};

/// How much, and how often.
#[derive(Clone, Debug)]
pub struct Options {
    /// The service's binary, as it is released.
    pub service: PathBuf,
    /// Which stores.
    pub stores: Stores,
    /// Payments that there are before the second measurement; none: no second one.
    pub rows: u32,
    /// How often each is measured; medians are told.
    pub rounds: usize,
    /// Length of one measurement.
    pub time: Duration,
    /// Connections of the load.
    pub connections: usize,
}

/// Measures and prints a table.
pub fn run(options: &Options, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "| Store | Payments before | Payments/s | p50 | p99 | Processor time per payment | of the database | Written per payment |\n\
         |---|---|---|---|---|---|---|---|"
    )?;
    if options.stores.sqlite() {
        one(options, &Place::sqlite()?, None, out)?;
    }
    if options.stores.postgres() {
        let server = Postgresql::start()?;
        one(
            options,
            &Place::postgres(server.database("payments")?)?,
            Some(&server),
            out,
        )?;
    }
    Ok(())
}

fn one(options: &Options, place: &Place, server: Option<&Postgresql>, out: &mut impl Write) -> Result<()> {
    let receiver = receive()?;
    let mut made = 0;
    for before in [0, options.rows] {
        if before > 0 {
            copies::fill(place, before)?;
        }
        let service = place.start(&options.service)?;
        let shop = Shop {
            address: service.address,
            receiver,
            made: AtomicUsize::new(made),
        };
        let mut runs = Vec::new();
        for _ in 0..options.rounds {
            runs.push(measure(options, &shop, &service, server)?);
        }
        made = shop.made.into_inner();
        writeln!(out, "{}", row(place.name, made + before as usize, &runs)?)?;
        service.stop()?;
        if options.rows == 0 {
            break;
        }
    }
    Ok(())
}

/// What was measured in one round.
struct Measured {
    figures: Figures,
    service: Usage,
    database: Option<Usage>,
    payments: f64,
}

fn measure(
    options: &Options,
    shop: &Shop,
    service: &Process,
    server: Option<&Postgresql>,
) -> Result<Measured> {
    let warm = shop.pay(WARM_UP, options)?;
    let usages = || -> Result<_> {
        let untold = "the system does not tell what a process uses";
        let database = server.map(|server| server.usage().context(untold)).transpose()?;
        Ok((service.usage().context(untold)?, database))
    };
    // A little more than will be sent: the run ends by the clock.
    let requests = shop.requests(
        (warm.per_second * options.time.as_secs_f64() * 1.5) as usize,
        options,
    )?;
    let before = usages()?;
    let figures = shop.send(&requests, options.connections, options.time)?;
    let after = usages()?;
    Ok(Measured {
        service: after.0.since(before.0),
        database: after.1.zip(before.1).map(|(after, before)| after.since(before)),
        payments: (figures.per_second * figures.elapsed.as_secs_f64()).max(1.0),
        figures,
    })
}

fn row(name: &str, there: usize, runs: &[Measured]) -> Result<String> {
    let figures: Vec<_> = runs.iter().map(|run| run.figures).collect();
    let figures = Figures::median(&figures).context("nothing was measured")?;
    let middle = |of: &dyn Fn(&Measured) -> Option<f64>, unit| {
        let value = crate::figures::middle(runs.iter().filter_map(of));
        value.map_or_else(|| "–".to_owned(), |value| format!("{value:.0} {unit}"))
    };
    let micros = |usage: &Usage, run: &Measured| usage.processor.as_secs_f64() * 1e6 / run.payments;
    Ok(format!(
        "| {name} | {there} | {:.0} | {:.2} ms | {:.2} ms | {} | {} | {} |",
        figures.per_second,
        figures.p50.as_secs_f64() * 1000.0,
        figures.p99.as_secs_f64() * 1000.0,
        middle(&|run| Some(micros(&run.service, run)), "µs"),
        middle(&|run| Some(micros(run.database.as_ref()?, run)), "µs"),
        middle(
            &|run| Some(run.service.plus(run.database.unwrap_or_default()).written as f64 / run.payments),
            "B"
        ),
    ))
}

/// Who asks for payments.
struct Shop {
    address: SocketAddr,
    receiver: SocketAddr,
    /// Payments so far.
    made: AtomicUsize,
}

impl Shop {
    /// So many payments, or as many as can be made in the time.
    fn pay(&self, count: usize, options: &Options) -> Result<Figures> {
        self.send(&self.requests(count, options)?, options.connections, options.time)
    }

    /// Requests with a token each.
    fn requests(&self, count: usize, options: &Options) -> Result<Vec<Vec<u8>>> {
        let boot = boot::fetch(self.address)?;
        let submissions = drive::prepare(self.address, &boot, count)?;
        let tokens = Mutex::new(Vec::with_capacity(count));
        drive::send(self.address, &submissions, options.connections, LONG, |answer| {
            if answer.status != 201 {
                bail!("no token, but {}", answer.status);
            }
            let token = submission::token(answer.body)?;
            tokens
                .lock()
                .map_err(|_| anyhow::anyhow!("a thread has failed"))?
                .push(token);
            Ok(())
        })?;
        let tokens = tokens
            .into_inner()
            .map_err(|_| anyhow::anyhow!("a thread has failed"))?;
        Ok(tokens
            .iter()
            .map(|token| self.request("new", self.payment(token)))
            .collect())
    }

    fn payment(&self, token: &str) -> Value {
        json!({
            "amount": "12.50",
            "currency": "UAH",
            "external_id": format!("order-{}", self.made.fetch_add(1, Ordering::Relaxed)),
            "mode": "direct",
            "callback_url": format!("http://{}/callback", self.receiver),
            "customer": {
                "external_id": "customer-1",
                "payment_method": { "type": "cc_token", "cc_token": { "token": token, "use_3ds_flow": false } },
            },
        })
    }

    fn request(&self, call: &str, body: Value) -> Vec<u8> {
        let body = body.to_string();
        format!(
            "POST /api/payments/v1/{call} HTTP/1.1\r\nHost: {}\r\nAuthorization: Basic {CREDENTIALS}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .into_bytes()
    }

    /// Every answer must be a payment that has succeeded.
    fn send(&self, requests: &[Vec<u8>], connections: usize, time: Duration) -> Result<Figures> {
        drive::send(self.address, requests, connections, time, |answer| {
            let body = std::str::from_utf8(answer.body).unwrap_or_default();
            match answer.status {
                200 if body.contains("\"is_success\":true") => Ok(()),
                status => bail!("a payment was answered with {status}: {body}"),
            }
        })
    }
}

/// A receiver of callbacks that says 200 to everything, as long as this process lives.
fn receive() -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A receiver that fails is one of those that shops have.
            thread::spawn(move || hear(stream).ok());
        }
    });
    Ok(address)
}

fn hear(stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut answers = stream;
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
            if line.is_empty() {
                break;
            }
        }
        reader.by_ref().take(length).read_to_end(&mut Vec::new())?;
        answers.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")?;
    }
}

/// `sandbox:sandbox-password`.
const CREDENTIALS: &str = "c2FuZGJveDpzYW5kYm94LXBhc3N3b3Jk";

/// Requests before the clock counts.
const WARM_UP: usize = 500;

/// What is not measured ends by its count.
const LONG: Duration = Duration::from_secs(600);
