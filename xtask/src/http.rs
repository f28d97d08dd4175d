//! One plain HTTP GET to a server on this machine: enough to see that it answers.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

/// An answer, its body unpacked from nothing: no encoding is offered.
pub(crate) struct Answer {
    /// HTTP status.
    pub(crate) status: u16,
    /// Body bytes.
    pub(crate) body: Vec<u8>,
}

/// Gets `path` from 127.0.0.1:`port`, within five seconds.
pub(crate) fn get(port: u16, path: &str) -> Result<Answer> {
    let limit = Duration::from_secs(5);
    let mut stream = TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), limit)?;
    stream.set_read_timeout(Some(limit))?;
    // HTTP/1.0: the end of the connection is the end of the body, with no chunks in between.
    write!(
        stream,
        "GET {path} HTTP/1.0\r\nHost: localhost:{port}\r\nSec-Fetch-Dest: iframe\r\n\r\n"
    )?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    parse(&bytes)
}

fn parse(bytes: &[u8]) -> Result<Answer> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        bail!("an answer without an end of its head");
    };
    let head = String::from_utf8_lossy(&bytes[..end]);
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Ok(Answer {
        status: status.context("an answer without a status")?,
        body: bytes[end + 4..].to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_and_body_are_read() {
        let answer = parse(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody\r\n\r\n").expect("parses");
        assert_eq!(
            (answer.status, answer.body.as_slice()),
            (200, b"body\r\n\r\n".as_slice())
        );
        assert!(parse(b"HTTP/1.1 200 OK").is_err());
        assert!(parse(b"nonsense\r\n\r\n").is_err());
    }
}
