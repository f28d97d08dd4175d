//! Listening, before anything else is touched.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::{TcpListener, TcpSocket, lookup_host};

/// Listens on everything that `listen` means.
///
/// `localhost` means 127.0.0.1 and, where the machine has it, ::1: browsers take either. Port 0 means one free port.
pub async fn bind(listen: &str) -> Result<Vec<TcpListener>, BindError> {
    let in_vain = |source| BindError::Listen {
        address: listen.to_owned(),
        source,
    };
    let Some(port) = listen.strip_prefix("localhost:") else {
        let found = lookup_host(listen).await;
        let addresses: Vec<SocketAddr> = found
            .map_err(|source| BindError::Address {
                address: listen.to_owned(),
                source,
            })?
            .collect();
        return Ok(vec![listen_on_one(&addresses).map_err(in_vain)?]);
    };
    let port: u16 = port.parse().map_err(|_| BindError::Address {
        address: listen.to_owned(),
        source: io::ErrorKind::InvalidInput.into(),
    })?;
    let v4 = listen_on((Ipv4Addr::LOCALHOST, port).into()).map_err(in_vain)?;
    let port = v4.local_addr().map_err(in_vain)?.port();
    match listen_on((Ipv6Addr::LOCALHOST, port).into()) {
        Ok(v6) => Ok(vec![v4, v6]),
        // Somebody else would answer the browsers that prefer IPv6.
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(in_vain(error)),
        Err(_) => Ok(vec![v4]),
    }
}

/// On the first of several that a name stands for, where that works.
fn listen_on_one(addresses: &[SocketAddr]) -> io::Result<TcpListener> {
    let mut refused = io::ErrorKind::InvalidInput.into();
    for address in addresses {
        match listen_on(*address) {
            Ok(listener) => return Ok(listener),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

fn listen_on(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A service that is started again must not wait for the connections of the one before.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// How many connections may wait to be taken, as far as the system allows. With the 128 of the standard library, those of a
/// burst that find the queue full try again after a whole second.
pub(super) const BACKLOG: u32 = 4096;

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
    /// No address.
    #[error(
        "cannot listen on {address}: {source}. An address is written as 127.0.0.1:8080, [::1]:8080 or localhost:8080"
    )]
    Address {
        /// As it was given.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// The address is taken, or not ours.
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
