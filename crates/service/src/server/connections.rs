//! How many connections there are, and how many of them one address holds.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::address::network;

/// Counts open connections.
///
/// One address must not hold them all: a client that opens a connection and says nothing keeps it for as long as the head
/// of a request may take.
#[derive(Debug)]
pub struct Connections {
    most: usize,
    most_of_one: usize,
    /// Proxies: their connections are many people's.
    exempt: Vec<IpAddr>,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    all: usize,
    by_network: HashMap<IpAddr, usize>,
}

/// Why a connection was closed at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There are as many as there may be.
    Full,
    /// There are as many of this address as there may be.
    OneAddress,
}

impl Connections {
    /// At most `most` in all and `most_of_one` of one address, which is a /64 in IPv6. Those of `exempt` count only
    /// among all.
    pub fn new(most: NonZeroUsize, most_of_one: NonZeroUsize, exempt: Vec<IpAddr>) -> Self {
        Self {
            most: most.get(),
            most_of_one: most_of_one.get(),
            exempt,
            open: Mutex::default(),
        }
    }

    /// A place for a connection from `address`, until it is dropped.
    pub fn admit(self: &Arc<Self>, address: IpAddr) -> Result<Place, Refused> {
        let address = address.to_canonical();
        let network = (!self.exempt.contains(&address)).then(|| network(address));
        let mut open = self.open();
        if open.all >= self.most {
            return Err(Refused::Full);
        }
        if let Some(network) = network {
            let count = open.by_network.entry(network).or_default();
            if *count >= self.most_of_one {
                return Err(Refused::OneAddress);
            }
            *count += 1;
        }
        open.all += 1;
        Ok(Place {
            connections: Arc::clone(self),
            network,
        })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.open().all
    }

    /// The counts agree with each other at any moment, also after a panic elsewhere.
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An open connection.
#[derive(Debug)]
pub struct Place {
    connections: Arc<Connections>,
    network: Option<IpAddr>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.connections.open();
        open.all -= 1;
        let Some(network) = self.network else {
            return;
        };
        if let Some(count) = open.by_network.get_mut(&network) {
            *count -= 1;
            if *count == 0 {
                open.by_network.remove(&network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections(most: usize, most_of_one: usize) -> Arc<Connections> {
        let [most, most_of_one] = [most, most_of_one].map(|count| NonZeroUsize::new(count).unwrap());
        Arc::new(Connections::new(
            most,
            most_of_one,
            vec!["10.0.0.1".parse().unwrap()],
        ))
    }

    #[test]
    fn one_address_cannot_take_all_places() {
        let connections = connections(4, 2);
        let admit = |text: &str| connections.admit(text.parse().unwrap());
        let _first = admit("2001:db8::1").unwrap();
        let second = admit("2001:db8::2").unwrap();
        assert_eq!(admit("2001:db8::3").unwrap_err(), Refused::OneAddress, "one /64");
        drop(second);
        let _second = admit("2001:db8::3").unwrap();
        let _others = [admit("192.0.2.1").unwrap(), admit("::ffff:192.0.2.1").unwrap()];
        assert_eq!(admit("192.0.2.2").unwrap_err(), Refused::Full);
        assert_eq!(connections.count(), 4);
    }

    #[test]
    fn a_proxy_may_have_many_and_nothing_is_left_behind() {
        let connections = connections(3, 1);
        let places: Vec<_> = (0..3)
            .map(|_| connections.admit("10.0.0.1".parse().unwrap()).unwrap())
            .collect();
        drop(places);
        drop(connections.admit("192.0.2.1".parse().unwrap()).unwrap());
        assert_eq!(connections.count(), 0);
        assert!(connections.open().by_network.is_empty());
    }
}
