//! Which addresses callbacks may go to: those of the internet, unless the project may do more.
//!
//! A shop names an address, and the service goes there from within its own network. Names are looked up once, and the connection is made
//! to what was found then: a name that answers differently a moment later gains nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is one of the internet's: not of this machine, of a network at home, of a group, or set aside for something else
/// (IANA's registries of special-purpose addresses). An IPv6 address that stands for an IPv4 address is judged as that.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match v4_within(address) {
            Some(within) => is_public_v4(within),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    !V4.iter().any(|(net, length)| {
        let net: Ipv4Addr = (*net).into();
        (bits ^ net.to_bits()) >> (32 - length) == 0
    })
}

/// Only 2000::/3 has been given out; within it some has been set aside.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_given_out = first & 0xe000 == 0x2000;
    // Protocol assignments, Teredo among them; documentation; documentation, RFC 9637.
    let is_set_aside = match first {
        0x2001 => second < 0x0200 || second == 0x0db8,
        0x3fff => second < 0x1000,
        _ => false,
    };
    is_given_out && !is_set_aside
}

/// The IPv4 address that an IPv6 address leads to: mapped, compatible (RFC 4291), translated (RFC 6052, 8215) or 6to4 (RFC 3056).
fn v4_within(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let segments = address.segments();
    let v4 = |high: u16, low: u16| Some(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)));
    match segments {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] => v4(high, low),
        [0, 0, 0, 0, 0xffff, 0, high, low] => v4(high, low),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        [0x64, 0xff9b, 1, _, _, _, high, low] => v4(high, low),
        [0x2002, high, low, ..] => v4(high, low),
        _ => None,
    }
}

/// Networks that are not of the internet, with the length of their prefix.
const V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    // Groups, and all that is reserved above them.
    ([224, 0, 0, 0], 3),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_internet_and_others() {
        for (address, public) in [
            ("93.184.216.34", true),
            ("1.1.1.1", true),
            ("172.15.255.255", true),
            ("172.32.0.0", true),
            ("100.63.255.255", true),
            ("100.128.0.0", true),
            ("223.255.255.255", true),
            ("2606:4700::1111", true),
            ("2a00:1450::1", true),
            ("64:ff9b::1.1.1.1", true),
            ("2002:101:101::", true),
            ("127.0.0.1", false),
            ("127.255.255.255", false),
            ("0.0.0.0", false),
            ("10.1.2.3", false),
            ("100.64.0.1", false),
            ("169.254.169.254", false), // where clouds keep their secrets
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.168.1.1", false),
            ("192.0.2.1", false),
            ("198.19.255.255", false),
            ("224.0.0.1", false),
            ("240.0.0.1", false),
            ("255.255.255.255", false),
            ("::", false),
            ("::1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:10.0.0.1", false),
            ("::127.0.0.1", false),
            ("::ffff:0:10.0.0.1", false),
            ("64:ff9b::a00:1", false),
            ("64:ff9b:1::a00:1", false),
            ("2002:7f00:1::", false),
            ("2001:0:1::1", false),
            ("2001:db8::1", false),
            ("3fff::1", false),
            ("fc00::1", false),
            ("fd12:3456::1", false),
            ("fe80::1", false),
            ("fec0::1", false),
            ("ff02::1", false),
            ("100::1", false),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
        }
        assert!(is_public("::ffff:1.1.1.1".parse().unwrap()));
    }
}
