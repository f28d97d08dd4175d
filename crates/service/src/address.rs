//! Whose request it is: the connection's address, or what a trusted proxy says.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::HeaderMap;

/// The other end of the connection. The server puts it into every request's extensions.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The client's address.
///
/// `X-Forwarded-For` counts only as far as the configured proxies wrote it: read from the right, trusted addresses are
/// skipped and the first other one is the client. Whatever stands left of it came from outside.
pub fn client(peer: Peer, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.contains(&address.to_canonical());
    let mut client = peer.0.ip().to_canonical();
    if !is_trusted(client) {
        return client;
    }
    let forwarded: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    for text in forwarded.into_iter().rev() {
        let Ok(address) = text.trim().parse::<IpAddr>() else {
            break;
        };
        client = address.to_canonical();
        if !is_trusted(client) {
            break;
        }
    }
    client
}

/// Whom limits count as one: an IPv4 address, or the /64 of an IPv6 one, in which a device picks addresses at will.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let prefix = u128::from(address) & (u128::MAX << 64);
            IpAddr::V6(Ipv6Addr::from(prefix))
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn only_trusted_proxies_are_believed() {
        let trusted = ["10.0.0.1".parse().unwrap(), "10.0.0.2".parse().unwrap()];
        for (peer, forwarded, expected, why) in [
            ("192.0.2.1", None, "192.0.2.1", "no proxy"),
            (
                "192.0.2.1",
                Some("198.51.100.7"),
                "192.0.2.1",
                "a stranger's claim",
            ),
            ("10.0.0.1", Some("198.51.100.7"), "198.51.100.7", "one proxy"),
            (
                "10.0.0.1",
                Some("198.51.100.7, 10.0.0.2"),
                "198.51.100.7",
                "two proxies",
            ),
            (
                "10.0.0.1",
                Some("1.1.1.1, 198.51.100.7"),
                "198.51.100.7",
                "a forged entry on the left",
            ),
            (
                "10.0.0.1",
                Some("198.51.100.7, rubbish"),
                "10.0.0.1",
                "unreadable",
            ),
            ("10.0.0.1", None, "10.0.0.1", "nothing said"),
            ("::ffff:10.0.0.1", Some("198.51.100.7"), "198.51.100.7", "mapped"),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(value) = forwarded {
                headers.insert("x-forwarded-for", HeaderValue::from_static(value));
            }
            let peer = Peer(SocketAddr::new(peer.parse().unwrap(), 1));
            assert_eq!(
                client(peer, &headers, &trusted),
                expected.parse::<IpAddr>().unwrap(),
                "{why}"
            );
        }
    }
}
