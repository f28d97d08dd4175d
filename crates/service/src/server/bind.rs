//! Listening, before anything else is touched.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::{TcpListener, lookup_host};

/// Listens on everything that `listen` means.
///
/// `localhost` means 127.0.0.1 and, where the machine has it, ::1: browsers take either. Port 0 means one free port.
pub async fn bind(listen: &str) -> Result<Vec<TcpListener>, BindError> {
    let in_vain = |source| BindError::Listen {
        address: listen.to_owned(),
        source,
    };
    let Some(port) = listen.strip_prefix("localhost:") else {
        let addresses: Vec<SocketAddr> = lookup_host(listen).await.map_err(in_vain)?.collect();
        return Ok(vec![TcpListener::bind(&addresses[..]).await.map_err(in_vain)?]);
    };
    let port: u16 = port
        .parse()
        .map_err(|_| in_vain(io::ErrorKind::InvalidInput.into()))?;
    let v4 = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .map_err(in_vain)?;
    let port = v4.local_addr().map_err(in_vain)?.port();
    match TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await {
        Ok(v6) => Ok(vec![v4, v6]),
        // Somebody else would answer the browsers that prefer IPv6.
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(in_vain(error)),
        Err(_) => Ok(vec![v4]),
    }
}

/// The address that people type for `listeners`.
pub fn address(scheme: &str, listen: &str, listeners: &[TcpListener]) -> Option<String> {
    let bound = listeners.first()?.local_addr().ok()?;
    let host = match listen.rsplit_once(':') {
        Some(("localhost", _)) => "localhost".to_owned(),
        _ => match bound.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        },
    };
    Some(format!("{scheme}://{host}:{}", bound.port()))
}

/// Why the service does not listen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// The address is taken, not ours, or not an address.
    #[error(
        "cannot listen on {address}: {source}. Is another program using it? Choose another with --listen"
    )]
    Listen {
        /// As it was given.
        address: String,
        /// What the system said.
        source: io::Error,
    },
}
