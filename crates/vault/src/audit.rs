//! The audit log: one record for each batch that was written, in the transaction that writes it.
//!
//! Records form chains, one for each time that a vault was opened, so that instances never wait for each other. Each
//! record's MAC covers its content and the MAC before it, under a key that is not in the database. A chain's first record
//! names the heads of the chains that no other has named before, so that cutting off a chain's end, or taking away a whole
//! chain, shows too; the heads of those that are still growing are published to the log stream.

use std::fmt;
use std::str::FromStr;

use base64ct::{Base64UrlUnpadded, Encoding};

use crate::crypto::{self, Key};
use crate::store::AuditRow;

pub(crate) mod auditor;
pub(crate) mod content;
pub(crate) mod verify;

/// A record's place and MAC: whoever knows a chain's head can tell whether anything before it was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditHead {
    /// Which chain.
    pub chain: [u8; 16],
    /// The record's place in it, from 1.
    pub number: u64,
    /// The record's MAC.
    pub mac: [u8; 32],
}

impl AuditHead {
    /// Where a chain begins.
    fn start(chain: [u8; 16]) -> Self {
        Self {
            chain,
            number: 0,
            mac: [0; 32],
        }
    }

    /// The record behind this one.
    fn append(&self, key: &Key, content: Vec<u8>) -> AuditRow {
        let number = self.number.saturating_add(1);
        AuditRow {
            chain: self.chain,
            number,
            mac: mac(key, &self.chain, number, &self.mac, &content),
            content,
        }
    }

    /// Whether `row` is the record behind this one, and nothing of it was changed.
    fn is_followed_by(&self, key: &Key, row: &AuditRow) -> bool {
        let expected = mac(key, &self.chain, row.number, &self.mac, &row.content);
        let same: Result<(), _> = aws_lc_rs::constant_time::verify_slices_are_equal(&expected, &row.mac);
        row.chain == self.chain && self.number.checked_add(1) == Some(row.number) && same.is_ok()
    }

    pub(crate) fn of(row: &AuditRow) -> Self {
        Self {
            chain: row.chain,
            number: row.number,
            mac: row.mac,
        }
    }
}

fn mac(key: &Key, chain: &[u8; 16], number: u64, before: &[u8; 32], content: &[u8]) -> [u8; 32] {
    crypto::mac(key, &[b"audit 1", chain, &number.to_be_bytes(), before, content])
}

/// As it stands in the log stream: `chain:number:mac`.
impl fmt::Display for AuditHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chain = Base64UrlUnpadded::encode_string(&self.chain);
        let mac = Base64UrlUnpadded::encode_string(&self.mac);
        write!(f, "{chain}:{}:{mac}", self.number)
    }
}

/// The text is not a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a head of the audit log is written chain:number:mac, as the service logs it")]
pub struct AuditHeadError;

impl FromStr for AuditHead {
    type Err = AuditHeadError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split(':');
        let (Some(chain), Some(number), Some(mac), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(AuditHeadError);
        };
        Ok(Self {
            chain: decode(chain).ok_or(AuditHeadError)?,
            number: number.parse().map_err(|_| AuditHeadError)?,
            mac: decode(mac).ok_or(AuditHeadError)?,
        })
    }
}

fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let length = Base64UrlUnpadded::decode(text, &mut bytes).ok()?.len();
    (length == N).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_as_it_is_written() {
        let head = AuditHead {
            chain: [7; 16],
            number: 12,
            mac: [200; 32],
        };
        assert_eq!(head.to_string().parse(), Ok(head));
        for wrong in [
            "",
            "a:1:b",
            &format!("{head}:"),
            &head.to_string()[1..],
            &head.to_string().replace(":12:", ":x:"),
        ] {
            assert_eq!(wrong.parse::<AuditHead>(), Err(AuditHeadError), "{wrong}");
        }
    }

    #[test]
    fn a_record_follows_one_record_alone() {
        let key = Key::new([1; 32]);
        let start = AuditHead::start([7; 16]);
        let first = start.append(&key, b"one".to_vec());
        let second = AuditHead::of(&first).append(&key, b"two".to_vec());
        assert!(start.is_followed_by(&key, &first));
        assert!(AuditHead::of(&first).is_followed_by(&key, &second));
        assert!(!start.is_followed_by(&key, &second), "one is left out");
        assert!(!start.is_followed_by(&Key::new([2; 32]), &first), "another key");
        for change in [
            |row: &mut AuditRow| row.content = b"One".to_vec(),
            |row: &mut AuditRow| row.number = 2,
            |row: &mut AuditRow| row.chain = [8; 16],
            |row: &mut AuditRow| row.mac[31] ^= 1,
        ] {
            let mut changed = first.clone();
            change(&mut changed);
            assert!(!start.is_followed_by(&key, &changed));
            assert!(!AuditHead::start(changed.chain).is_followed_by(&key, &changed));
        }
    }
}
