//! Plain HTTP to a server on this machine: one request, one answer.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use base64ct::{Base64, Encoding};

/// An answer, its body unpacked from nothing: no encoding is offered.
pub(crate) struct Answer {
    /// HTTP status.
    pub(crate) status: u16,
    /// Body bytes.
    pub(crate) body: Vec<u8>,
}

/// Gets `path` from 127.0.0.1:`port`, within five seconds.
pub(crate) fn get(port: u16, path: &str) -> Result<Answer> {
    ask(
        port,
        "GET",
        path,
        "Sec-Fetch-Dest: iframe\r\n",
        b"",
        Duration::from_secs(5),
    )
}

/// Sends JSON to 127.0.0.1:`port` with Basic credentials, `login:password`; waits for half a minute, as acquirers take their time.
pub(crate) fn call(port: u16, method: &str, path: &str, credentials: &str, body: &[u8]) -> Result<Answer> {
    call_with(port, method, path, credentials, "", body)
}

/// The same with further headers, each a whole line.
pub(crate) fn call_with(
    port: u16,
    method: &str,
    path: &str,
    credentials: &str,
    headers: &str,
    body: &[u8],
) -> Result<Answer> {
    let basic = Base64::encode_string(credentials.as_bytes());
    let headers = format!("Authorization: Basic {basic}\r\nContent-Type: application/json\r\n{headers}");
    ask(port, method, path, &headers, body, Duration::from_secs(30))
}

/// Posts a body to 127.0.0.1:`port`; `headers` are whole lines.
pub(crate) fn post(port: u16, path: &str, headers: &str, body: &str) -> Result<Answer> {
    ask(
        port,
        "POST",
        path,
        headers,
        body.as_bytes(),
        Duration::from_secs(30),
    )
}

fn ask(port: u16, method: &str, path: &str, headers: &str, body: &[u8], limit: Duration) -> Result<Answer> {
    let mut stream = TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), limit)?;
    stream.set_read_timeout(Some(limit))?;
    // HTTP/1.0: the end of the connection is the end of the body, with no chunks in between.
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nHost: localhost:{port}\r\n{headers}Content-Length: {}\r\n\r\n",
        body.len()
    )?;
    stream.write_all(body)?;
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
