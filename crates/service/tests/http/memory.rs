//! What a running service keeps in its memory: nothing of the cards that went through it.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::FileExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wire::boot::Boot;
use wire::payload::CardPayload;

use super::apps;
use super::sealing::{VISA, idempotency_key, seal};
use super::service::SHOP;

/// The program itself, with a store in a folder that is removed afterwards.
struct Program {
    child: Child,
    address: String,
    folder: std::path::PathBuf,
}

impl Program {
    fn start() -> Self {
        let folder = std::env::temp_dir().join(format!("card-widget-memory-{}", idempotency_key()));
        let mut child = Command::new(env!("CARGO_BIN_EXE_card-widget-service"))
            .args(["serve", "--sandbox", "--listen", "127.0.0.1:0", "--database"])
            .arg(format!("sqlite:{}/vault.sqlite", folder.display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .strip_prefix("listening on http://")
            .unwrap()
            .to_owned();
        Self {
            child,
            address,
            folder,
        }
    }

    fn ask(&self, head: &str, body: &str) -> Value {
        self.ask_with(head, "", body)
    }

    fn ask_with(&self, head: &str, headers: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (address, length) = (&self.address, body.len());
        write!(
            stream,
            "{head} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\nidempotency-key: {}\r\n{headers}\
             content-length: {length}\r\nconnection: close\r\n\r\n{body}",
            idempotency_key()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// How often `needle` stands in the writable memory of the process.
    fn count(&self, needle: &[u8]) -> usize {
        let process = format!("/proc/{}", self.child.id());
        let memory = File::open(format!("{process}/mem")).unwrap();
        let maps = fs::read_to_string(format!("{process}/maps")).unwrap();
        let mut count = 0;
        for line in maps.lines().filter(|line| line.contains(" rw")) {
            let (from, to) = line.split_once(' ').unwrap().0.split_once('-').unwrap();
            let [from, to] = [from, to].map(|text| u64::from_str_radix(text, 16).unwrap());
            let mut bytes = vec![0; usize::try_from(to - from).unwrap()];
            // A few regions belong to the kernel and cannot be read.
            if memory.read_exact_at(&mut bytes, from).is_ok() {
                count += bytes
                    .windows(needle.len())
                    .filter(|found| *found == needle)
                    .count();
            }
        }
        count
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Best effort: neither must hide a test's own failure.
        let _ = self.child.kill().and_then(|()| self.child.wait());
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn cards_are_wiped_from_memory() {
    let program = Program::start();
    let boot = program.ask(&format!("GET /widget/v1/boot?key=wk_sandbox&origin={SHOP}"), "");
    let boot: Boot = serde_json::from_value(boot).unwrap();
    // The program has the machine's clock.
    let next_year = u16::try_from(1971 + boot.now / 31_556_952).unwrap();
    for _ in 0..10 {
        for (code, member) in [("123", "token"), ("12", "code")] {
            let payload = CardPayload::write(VISA, Some((12, next_year)), Some(code));
            let body = json!({ "envelope": seal(&boot, &payload) }).to_string();
            let answer = program.ask("POST /api/widget/v1/tokens", &body);
            assert!(answer[member].is_string(), "{answer}");
        }
    }
    for (code, member) in [("123", "token"), ("12", "id")] {
        let mut card = apps::card();
        card["card_cvv"] = json!(code);
        card["card_exp_year"] = json!(next_year);
        let headers = format!(
            "x-widget-id: wk_sandbox\r\nx-sign: {}\r\n",
            apps::sign("wk_sandbox", &card)
        );
        let answer = program.ask_with("POST /api/v2/sdk/tokenize", &headers, &card.to_string());
        assert!(answer[member].is_string(), "{answer}");
    }
    assert!(
        program.count(boot.sealing_key.kid.as_bytes()) > 0,
        "the search finds what is there"
    );
    // The description of the calls, which is kept, has members of these names too, but no text behind them.
    for secret in [VISA, "\"cvv\":\"12", "{\"number\":\"", "card_cvv\":\"12"] {
        // A connection's buffers are freed a moment after its client has seen the end.
        let patience = Instant::now() + Duration::from_secs(5);
        let mut found = program.count(secret.as_bytes());
        while found > 0 && Instant::now() < patience {
            thread::sleep(Duration::from_millis(50));
            found = program.count(secret.as_bytes());
        }
        assert_eq!(found, 0, "{} bytes", secret.len());
    }
}
