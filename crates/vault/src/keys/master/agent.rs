//! A master key that a program of its own keeps: a client of a key service, of a hardware module, or under another user of
//! the same machine. It answers on a Unix socket; `docs/operations/keys.md` is its contract.
//!
//! One connection for each question: a line of JSON there, one back, and the agent closes.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use base64ct::{Base64UrlUnpadded, Encoding};
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{MasterKey, MasterKeyError, Wrapped};
use crate::config::Random;
use crate::crypto::Key;

pub(super) struct Agent {
    socket: PathBuf,
}

impl Agent {
    pub(super) fn new(socket: PathBuf) -> Self {
        Self { socket }
    }

    fn ask(&self, question: &Question<'_>) -> Result<Answer, MasterKeyError> {
        let line = self
            .exchange(question)
            .map_err(|error| self.unavailable(&error.to_string()))?;
        // What the parser would quote in its error may be a key.
        let mut answer: Answer = serde_json::from_slice(&line).map_err(|_| self.misunderstood())?;
        match answer.error.take() {
            None => Ok(answer),
            Some(reason) => {
                let reason: String = reason.chars().take(LONGEST_REASON).collect();
                Err(self.unavailable(&reason))
            }
        }
    }

    fn exchange(&self, question: &Question<'_>) -> std::io::Result<Zeroizing<Vec<u8>>> {
        let mut stream = UnixStream::connect(&self.socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        // Sized at once, here and below: growing vectors would leave copies of keys behind.
        let mut line = Zeroizing::new(Vec::with_capacity(LONGEST_LINE));
        serde_json::to_writer(&mut *line, question)?;
        line.push(b'\n');
        stream.write_all(&line)?;
        let mut answer = Zeroizing::new(Vec::with_capacity(LONGEST_LINE));
        stream.take(LONGEST_LINE as u64 - 1).read_to_end(&mut answer)?;
        Ok(answer)
    }

    fn misunderstood(&self) -> MasterKeyError {
        self.unavailable("its answer is not understood")
    }

    fn unavailable(&self, reason: &str) -> MasterKeyError {
        MasterKeyError::Unavailable {
            place: self.place(),
            reason: reason.to_owned(),
        }
    }
}

impl MasterKey for Agent {
    fn wrap(&self, context: &[u8], key: &[u8; 32], _: &dyn Random) -> Result<Wrapped, MasterKeyError> {
        let answer = self.ask(&Question {
            version: 1,
            ask: "wrap",
            context: Base64UrlUnpadded::encode_string(context),
            key: Some(Secret(Base64UrlUnpadded::encode_string(key))),
            id: None,
            wrapped: None,
        })?;
        let (Some(id), Some(bytes)) = (answer.id, answer.wrapped) else {
            return Err(self.misunderstood());
        };
        let bytes = Base64UrlUnpadded::decode_vec(&bytes).map_err(|_| self.misunderstood())?;
        if id.len() > LONGEST_ID || bytes.len() > LONGEST_WRAPPED {
            return Err(self.misunderstood());
        }
        Ok(Wrapped { id, bytes })
    }

    fn unwrap(&self, wrapped: &Wrapped, context: &[u8]) -> Result<Key, MasterKeyError> {
        let answer = self.ask(&Question {
            version: 1,
            ask: "unwrap",
            context: Base64UrlUnpadded::encode_string(context),
            key: None,
            id: Some(&wrapped.id),
            wrapped: Some(Base64UrlUnpadded::encode_string(&wrapped.bytes)),
        })?;
        let text = answer.key.ok_or_else(|| self.misunderstood())?;
        let mut key = Key::default();
        match Base64UrlUnpadded::decode(&text.0, &mut *key).map(<[u8]>::len) {
            Ok(32) => Ok(key),
            _ => Err(self.misunderstood()),
        }
    }

    fn place(&self) -> String {
        format!("the key agent at {}", self.socket.display())
    }
}

#[derive(Serialize)]
struct Question<'a> {
    version: u32,
    ask: &'a str,
    context: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Secret>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrapped: Option<String>,
}

/// Members that are not known are left alone, so that agents may say more.
#[derive(Deserialize)]
struct Answer {
    id: Option<String>,
    wrapped: Option<String>,
    key: Option<Secret>,
    error: Option<String>,
}

#[derive(Serialize, Deserialize, Zeroize, ZeroizeOnDrop)]
#[serde(transparent)]
struct Secret(String);

/// How long to wait for an agent, which may itself wait for a network.
const PATIENCE: Duration = Duration::from_secs(10);

/// Longest question and answer, in bytes.
const LONGEST_LINE: usize = 16 * 1024;

/// Longest id of a version, in bytes.
const LONGEST_ID: usize = 256;

/// Longest wrapped key, in bytes.
const LONGEST_WRAPPED: usize = 4096;

/// So much of an agent's own message is passed on, in characters.
const LONGEST_REASON: usize = 200;

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::os::unix::net::UnixListener;
    use std::thread;

    use super::*;
    use crate::config::SystemRandom;

    /// An agent that answers one question after another, and what it was asked.
    fn agent(answers: &[&str]) -> (tempfile::TempDir, Agent, thread::JoinHandle<Vec<String>>) {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("s");
        let listener = UnixListener::bind(&socket).unwrap();
        let answers: Vec<_> = answers.iter().map(|&answer| answer.to_owned()).collect();
        let asked = thread::spawn(move || {
            let answered = answers.iter().map(|answer| {
                let (mut stream, _) = listener.accept().unwrap();
                let mut line = String::new();
                BufReader::new(stream.try_clone().unwrap())
                    .read_line(&mut line)
                    .unwrap();
                stream.write_all(answer.as_bytes()).unwrap();
                line
            });
            answered.collect()
        });
        (folder, Agent::new(socket), asked)
    }

    #[test]
    fn the_contract_to_the_letter() {
        let key = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc";
        let (_folder, agent, asked) = agent(&[
            "{\"id\":\"v3\",\"wrapped\":\"AQID\",\"took\":1}\n",
            &format!("{{\"key\":\"{key}\"}}\n"),
        ]);
        let wrapped = agent.wrap(b"here", &[7; 32], &SystemRandom).unwrap();
        assert_eq!(
            (wrapped.id.as_str(), wrapped.bytes.as_slice()),
            ("v3", &[1, 2, 3][..])
        );
        assert_eq!(*agent.unwrap(&wrapped, b"here").unwrap(), [7; 32]);
        assert_eq!(
            asked.join().unwrap(),
            [
                format!("{{\"version\":1,\"ask\":\"wrap\",\"context\":\"aGVyZQ\",\"key\":\"{key}\"}}\n"),
                "{\"version\":1,\"ask\":\"unwrap\",\"context\":\"aGVyZQ\",\"id\":\"v3\",\"wrapped\":\"AQID\"}\n"
                    .into(),
            ]
        );
    }

    #[test]
    fn odd_answers_are_errors_that_quote_no_key() {
        let wrapped = Wrapped {
            id: "v3".into(),
            bytes: vec![1],
        };
        for (answer, says) in [
            ("", "not understood"),
            ("{}\n", "not understood"),
            ("{\"key\":\"BwcH\"}\n", "not understood"),
            ("{\"key\":\"BwcH", "not understood"),
            ("[1]\n", "not understood"),
            ("{\"error\":\"sealed until noon\"}\n", "sealed until noon"),
        ] {
            let (_folder, agent, asked) = agent(&[answer]);
            let error = agent.unwrap(&wrapped, b"here").unwrap_err().to_string();
            assert!(
                error.contains(says) && !error.contains("BwcH"),
                "{answer:?}: {error}"
            );
            asked.join().unwrap();
        }
        let nobody = Agent::new("/nowhere/at/all".into());
        let error = nobody.unwrap(&wrapped, b"here").unwrap_err().to_string();
        assert!(error.contains("/nowhere/at/all"), "{error}");
    }
}
