//! `reports`: how soon a report over many transactions begins, how fast it is written, and what one payment among them costs to look at.
//!
//! The transactions are copies of one payment that the service has made, spread over two weeks.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde_json::{Value, json};

use crate::connection::Connection;
use crate::figures::middle;
use crate::place::{Place, Stores};
use crate::postgresql::Postgresql;
use crate::{boot, copies, drive, submission};

/// How much, and how often.
#[derive(Clone, Debug)]
pub struct Options {
    /// The service's binary, as it is released.
    pub service: PathBuf,
    /// Which stores.
    pub stores: Stores,
    /// Transactions that there are.
    pub rows: u32,
    /// How often each is measured; medians are told.
    pub rounds: usize,
}

/// Measures and prints tables.
pub fn run(options: &Options, out: &mut impl Write) -> Result<()> {
    if options.stores.sqlite() {
        one(options, &Place::sqlite()?, out)?;
    }
    if options.stores.postgres() {
        let server = Postgresql::start()?;
        one(options, &Place::postgres(server.database("reports")?)?, out)?;
    }
    Ok(())
}

fn one(options: &Options, place: &Place, out: &mut impl Write) -> Result<()> {
    let service = place.start(&options.service)?;
    pay(service.address)?;
    service.stop()?;
    let begun = Instant::now();
    copies::fill(place, options.rows)?;
    writeln!(
        out,
        "{}: {} transactions stored in {:.0} s",
        place.name,
        options.rows,
        begun.elapsed().as_secs_f64()
    )?;
    let service = place.start(&options.service)?;
    writeln!(
        out,
        "| Report | Rows | Begins after | Rows/s | Bytes per row |\n|---|---|---|---|---|"
    )?;
    for (name, path, accept) in [
        ("transactions", "transactions", "application/json"),
        ("transactions, CSV", "transactions", "text/csv"),
        ("settlement register", "payments", "application/json"),
    ] {
        let runs = (0..options.rounds).map(|_| report(service.address, path, accept));
        let runs = runs.collect::<Result<Vec<_>>>()?;
        let of =
            |figure: &dyn Fn(&Told) -> f64| middle(runs.iter().map(figure)).context("nothing was measured");
        writeln!(
            out,
            "| {name} | {:.0} | {:.0} ms | {:.0} | {:.0} |",
            of(&|told| told.rows as f64)?,
            of(&|told| told.begun.as_secs_f64() * 1000.0)?,
            of(&|told| told.rows as f64 / told.took.as_secs_f64())?,
            of(&|told| told.bytes as f64 / told.rows.max(1) as f64)?,
        )?;
    }
    let mut looks = looks(service.address, options.rows)?;
    looks.sort_unstable();
    let at = |part: usize| looks.get(looks.len() * part / 100).copied().unwrap_or_default();
    writeln!(
        out,
        "{}: `info` of one payment: p50 {:.2} ms, p99 {:.2} ms",
        place.name,
        at(50).as_secs_f64() * 1000.0,
        at(99).as_secs_f64() * 1000.0
    )?;
    service.stop()?;
    Ok(())
}

/// Makes the payment that all others are copies of.
fn pay(address: SocketAddr) -> Result<()> {
    let boot = boot::fetch(address)?;
    let card = drive::prepare(address, &boot, 1)?;
    let mut connection = Connection::open(address, LONG)?;
    let token = card.first().context("nothing was sealed")?;
    let token = submission::token(connection.exchange(token.bytes())?.body)?;
    let body = json!({
        "amount": "349.50", "currency": "UAH", "external_id": "order-0000000", "mode": "direct", "description": "Black tea, 250 g",
        "customer": {
            "external_id": "customer-17", "email": "person@shop.example", "first_name": "Anna", "last_name": "K",
            "payment_method": { "type": "cc_token", "cc_token": { "token": token, "use_3ds_flow": false } },
        },
    });
    let answer = connection.exchange(&request(address, "payments/v1/new", "application/json", &body))?;
    let answer: Value = serde_json::from_slice(answer.body)?;
    ensure!(answer["is_success"] == true, "the payment was declined");
    Ok(())
}

/// How a report came.
struct Told {
    rows: usize,
    bytes: usize,
    begun: Duration,
    took: Duration,
}

fn report(address: SocketAddr, path: &str, accept: &str) -> Result<Told> {
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let from = today.checked_sub(Span::new().days(14))?;
    let body = json!({ "date_from": from.to_string(), "date_to": today.to_string() });
    let request = request(address, &format!("reports/v1/{path}"), accept, &body);
    let begun_at = Instant::now();
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(LONG))?;
    stream.write_all(&request)?;
    let line = if accept == "text/csv" { b'\n' } else { b'{' };
    let (mut buffer, mut rows, mut bytes, mut begun) = (vec![0; 1 << 18], 0, 0, None);
    let mut end = Vec::new();
    loop {
        let read = stream.read(&mut buffer)?;
        let Some(part) = buffer.get(..read).filter(|part| !part.is_empty()) else {
            break;
        };
        if bytes == 0 && !part.starts_with(b"HTTP/1.1 200") {
            bail!("no report, but {}", String::from_utf8_lossy(part));
        }
        bytes += read;
        // Behind the head.
        if bytes > 4096 {
            begun.get_or_insert_with(|| begun_at.elapsed());
        }
        rows += part.iter().filter(|byte| **byte == line).count();
        end.extend_from_slice(part.get(read.saturating_sub(8)..).unwrap_or_default());
        end.drain(..end.len().saturating_sub(8));
    }
    ensure!(end.ends_with(b"\r\n0\r\n\r\n"), "the report broke off");
    Ok(Told {
        rows,
        bytes,
        begun: begun.unwrap_or_else(|| begun_at.elapsed()),
        took: begun_at.elapsed(),
    })
}

/// How long it takes to look at payments here and there.
fn looks(address: SocketAddr, rows: u32) -> Result<Vec<Duration>> {
    let mut connection = Connection::open(address, LONG)?;
    (0..LOOKS)
        .map(|look| {
            let number = u64::from(rows.saturating_sub(1)) * look / LOOKS;
            let request = format!(
                "GET /api/payments/v1/info?external_id=order-{number:07} HTTP/1.1\r\nHost: {address}\r\n\
                 Authorization: Basic {CREDENTIALS}\r\n\r\n"
            );
            let begun = Instant::now();
            let answer = connection.exchange(request.as_bytes())?;
            ensure!(answer.status == 200, "a payment is not there");
            Ok(begun.elapsed())
        })
        .collect()
}

fn request(address: SocketAddr, call: &str, accept: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    let connection = if call.starts_with("reports") {
        "close"
    } else {
        "keep-alive"
    };
    format!(
        "POST /api/{call} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Basic {CREDENTIALS}\r\nAccept: {accept}\r\n\
         Connection: {connection}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// `sandbox:sandbox-password`.
const CREDENTIALS: &str = "c2FuZGJveDpzYW5kYm94LXBhc3N3b3Jk";

/// No step of it takes so long.
const LONG: Duration = Duration::from_secs(120);

/// Payments that are looked at.
const LOOKS: u64 = 300;
