//! Questions and answers.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::time::Duration;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::digest::{Context, SHA256};
use aws_lc_rs::rand;
use base64ct::{Base64UrlUnpadded, Encoding};
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Answers until the listener fails. One question after the other: there are few, at starts and rotations.
///
/// The keys are read for each, so that a new one is a matter of writing it into the file.
pub(crate) fn serve(listener: &UnixListener, keys: &Path) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else { return };
        // Who asked may have gone away.
        let _ = talk(&stream, keys);
    }
}

fn talk(stream: &UnixStream, keys: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    // Sized at once: a growing vector would leave copies of keys behind.
    let mut line = Zeroizing::new(Vec::with_capacity(LONGEST_LINE));
    BufReader::new(stream.take(LONGEST_LINE as u64)).read_until(b'\n', &mut line)?;
    let answer = answer(&line, keys).unwrap_or_else(|reason| Answer {
        error: Some(reason),
        ..Answer::default()
    });
    let mut told = Zeroizing::new(Vec::with_capacity(LONGEST_LINE));
    serde_json::to_writer(&mut *told, &answer)?;
    told.push(b'\n');
    let mut stream = stream;
    stream.write_all(&told)
}

/// An error is told to the operator; no key and nothing that was sent is in it.
fn answer(line: &[u8], keys: &Path) -> Result<Answer, String> {
    let question: Question =
        serde_json::from_slice(line).map_err(|_| "the question is not understood".to_owned())?;
    if question.version != 1 {
        return Err("this agent speaks version 1".to_owned());
    }
    let keys = Keys::read(keys).map_err(|error| error.to_string())?;
    let context = decode(&question.context)?;
    match question.ask.as_str() {
        "wrap" => {
            let key = decode(question.key.as_ref().map_or("", |key| key.0.as_str()))?;
            if key.len() != 32 {
                return Err("a key has 32 bytes".to_owned());
            }
            let (id, wrapped) = keys.wrap(&context, &key)?;
            Ok(Answer {
                id: Some(id),
                wrapped: Some(Base64UrlUnpadded::encode_string(&wrapped)),
                ..Answer::default()
            })
        }
        "unwrap" => {
            let wrapped = decode(question.wrapped.as_deref().unwrap_or_default())?;
            let id = question.id.unwrap_or_default();
            let key = keys.unwrap(&context, &id, &wrapped)?;
            Ok(Answer {
                key: Some(Secret(Base64UrlUnpadded::encode_string(&key))),
                ..Answer::default()
            })
        }
        _ => Err("this agent knows wrap and unwrap".to_owned()),
    }
}

/// The versions of the master key, the newest first.
pub(crate) struct Keys(Vec<Zeroizing<[u8; 32]>>);

impl Keys {
    /// From a file that nobody else may read.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        let wrong = |why: &str| io::Error::other(format!("{}: {why}", path.display()));
        let file = File::open(path).map_err(|error| wrong(&error.to_string()))?;
        // A credential of systemd belongs to root, and a list of access rights stands in the group's bits.
        let credentials = std::env::var_os("CREDENTIALS_DIRECTORY");
        let is_credential = credentials.is_some_and(|folder| path.parent() == Some(Path::new(&folder)));
        if file.metadata()?.mode() & if is_credential { 0o037 } else { 0o077 } != 0 {
            return Err(wrong("others than its owner may read it; set its mode to 0600"));
        }
        let mut text = Zeroizing::new(String::with_capacity(LONGEST_LINE));
        file.take(LONGEST_LINE as u64 - 1)
            .read_to_string(&mut text)
            .map_err(|_| wrong("it is not text"))?;
        let mut keys = Vec::new();
        for line in text.split_whitespace() {
            let mut key = Zeroizing::new([0; 32]);
            match Base64UrlUnpadded::decode(line, &mut *key).map(<[u8]>::len) {
                Ok(32) => keys.push(key),
                _ => return Err(wrong("a line is no key: 32 bytes as base64url, 43 letters")),
            }
        }
        match keys.is_empty() {
            true => Err(wrong("there is no key in it")),
            false => Ok(Self(keys)),
        }
    }

    fn wrap(&self, context: &[u8], key: &[u8]) -> Result<(String, Vec<u8>), String> {
        let newest = self.0.first().ok_or("there is no key")?;
        let mut nonce = [0; NONCE_LEN];
        rand::fill(&mut nonce).map_err(|_| "the system gave no random bytes")?;
        let mut sealed = Vec::with_capacity(NONCE_LEN + key.len() + 16);
        sealed.extend_from_slice(key);
        cipher(newest)?
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(context),
                &mut sealed,
            )
            .map_err(|_| FAILED)?;
        sealed.splice(..0, nonce);
        Ok((id(newest), sealed))
    }

    fn unwrap(&self, context: &[u8], wanted: &str, wrapped: &[u8]) -> Result<Zeroizing<Vec<u8>>, String> {
        let key = self
            .0
            .iter()
            .find(|key| id(key) == wanted)
            .ok_or("this version of the key is not here; put it back below the others")?;
        let (nonce, sealed) = wrapped.split_first_chunk::<NONCE_LEN>().ok_or(FAILED)?;
        let mut sealed = Zeroizing::new(sealed.to_vec());
        let length = cipher(key)?
            .open_in_place(
                Nonce::assume_unique_for_key(*nonce),
                Aad::from(context),
                &mut sealed,
            )
            .map_err(|_| "what was wrapped is damaged, or of another installation")?
            .len();
        sealed.truncate(length);
        Ok(sealed)
    }
}

fn cipher(key: &[u8; 32]) -> Result<LessSafeKey, String> {
    let key = UnboundKey::new(&AES_256_GCM, key).map_err(|_| FAILED)?;
    Ok(LessSafeKey::new(key))
}

/// Names a version without telling anything of it.
fn id(key: &[u8; 32]) -> String {
    let mut context = Context::new(&SHA256);
    context.update(b"card-widget key agent: name of a version");
    context.update(key);
    Base64UrlUnpadded::encode_string(context.finish().as_ref().get(..9).unwrap_or_default())
}

fn decode(text: &str) -> Result<Zeroizing<Vec<u8>>, String> {
    let decoded = Base64UrlUnpadded::decode_vec(text).map_err(|_| "bytes are base64url without padding")?;
    Ok(Zeroizing::new(decoded))
}

#[derive(Deserialize)]
struct Question {
    version: u32,
    ask: String,
    context: String,
    key: Option<Secret>,
    id: Option<String>,
    wrapped: Option<String>,
}

#[derive(Default, Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrapped: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Secret>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize, Deserialize, Zeroize, ZeroizeOnDrop)]
#[serde(transparent)]
struct Secret(String);

const FAILED: &str = "the cryptographic library failed";

/// How long somebody may take to ask, or to listen.
const PATIENCE: Duration = Duration::from_secs(2);

/// Longest question, answer and file of keys, in bytes.
const LONGEST_LINE: usize = 16 * 1024;
