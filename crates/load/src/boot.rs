//! Boot data, as a frame fetches it.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use wire::boot::{self, Boot};

use crate::connection::Connection;

/// The widget key that `serve --sandbox` makes.
pub const WIDGET_KEY: &str = "wk_sandbox";

/// Where the shop would be: the sandbox key allows every loopback origin.
pub const SHOP: &str = "http://localhost:8081";

/// Asks the service at `address` for boot data.
pub fn fetch(address: SocketAddr) -> Result<Boot> {
    let path = format!("{}?key={WIDGET_KEY}&origin={SHOP}", boot::PATH);
    let answer = get(address, &path)?;
    serde_json::from_slice(&answer).context("the boot data cannot be read")
}

/// The body of a GET that is answered with 200.
pub fn get(address: SocketAddr, path: &str) -> Result<Vec<u8>> {
    let mut connection = Connection::open(address, LIMIT)?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let answer = connection.exchange(request.as_bytes())?;
    if answer.status != 200 {
        bail!("{path} was answered with {}", answer.status);
    }
    Ok(answer.body.to_vec())
}

/// Longest wait for an answer.
const LIMIT: Duration = Duration::from_secs(10);
