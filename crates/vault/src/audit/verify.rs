//! Reads the log from its beginning and says whether it is what was written.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use base64ct::{Base64UrlUnpadded, Encoding};

use super::AuditHead;
use super::content::{CLOSED, Read};
use crate::crypto::Key;
use crate::error::StoreError;
use crate::store::{AuditRow, Store};

/// What verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuditReport {
    /// Every chain that is there.
    pub chains: Vec<AuditChain>,
    /// What is wrong. Nothing is when this is empty.
    pub findings: Vec<AuditFinding>,
}

/// One chain of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuditChain {
    /// The last record that follows from those before it.
    pub head: AuditHead,
    /// Which program, by whom, and where.
    pub who: String,
    /// Time of the first record, in seconds since 1970.
    pub from: u64,
    /// Time of the last.
    pub until: u64,
    /// Whether the vault was closed in order. Otherwise it runs, or was killed.
    pub closed: bool,
}

/// Something that is wrong with the log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditFinding {
    /// Records are gone from within a chain.
    Missing {
        /// Which chain.
        chain: [u8; 16],
        /// The first that is gone.
        number: u64,
    },
    /// A record is not what was written here.
    Altered {
        /// Which chain.
        chain: [u8; 16],
        /// Its place.
        number: u64,
    },
    /// The end of a chain is gone, or all of it.
    CutOff {
        /// Which chain.
        chain: [u8; 16],
        /// The last record that there is; 0 where there is none.
        last: u64,
        /// A record that there was.
        known: u64,
    },
    /// A chain holds together, but at a known place it had another record: it was written anew by somebody with the key.
    Rewritten {
        /// Which chain.
        chain: [u8; 16],
        /// The known place.
        number: u64,
    },
}

impl fmt::Display for AuditFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |chain: &[u8; 16]| Base64UrlUnpadded::encode_string(chain);
        match self {
            Self::Missing { chain, number } => write!(f, "chain {}: record {number} is missing", name(chain)),
            Self::Altered { chain, number } => {
                write!(
                    f,
                    "chain {}: record {number} is not what was written here",
                    name(chain)
                )
            }
            Self::CutOff { chain, last, known } => write!(
                f,
                "chain {}: it ends with record {last}, but there was a record {known}",
                name(chain)
            ),
            Self::Rewritten { chain, number } => write!(
                f,
                "chain {}: record {number} is another one than was published",
                name(chain)
            ),
        }
    }
}

/// Verifies the whole log, and that it holds `published`, heads from the log stream.
pub(crate) fn verify(
    store: &dyn Store,
    key: &Key,
    published: &[AuditHead],
) -> Result<AuditReport, StoreError> {
    let mut report = AuditReport::default();
    let chains = store.audit_chains()?;
    // What is known of each chain from elsewhere.
    let mut known: BTreeMap<[u8; 16], HashMap<u64, Vec<[u8; 32]>>> = BTreeMap::new();
    let mut know = |head: &AuditHead| {
        let numbers = known.entry(head.chain).or_default();
        numbers.entry(head.number).or_default().push(head.mac);
    };
    published.iter().for_each(&mut know);
    for (chain, _) in &chains {
        for row in store.audit(chain, 1, 1)? {
            // Of a first record that was altered nothing is believed; it is found below.
            if AuditHead::start(*chain).is_followed_by(key, &row) {
                Read::parse(&row.content)
                    .iter()
                    .flat_map(Read::after)
                    .for_each(|head| know(&head));
            }
        }
    }
    for (chain, last) in chains {
        let known = known.remove(&chain).unwrap_or_default();
        check(store, key, chain, last, known, &mut report)?;
    }
    // What is left has no record at all.
    for (chain, numbers) in known {
        report.findings.push(AuditFinding::CutOff {
            chain,
            last: 0,
            known: numbers.into_keys().max().unwrap_or(0),
        });
    }
    Ok(report)
}

/// Follows one chain to the record `last`; it may have grown since.
fn check(
    store: &dyn Store,
    key: &Key,
    chain: [u8; 16],
    last: u64,
    mut known: HashMap<u64, Vec<[u8; 32]>>,
    report: &mut AuditReport,
) -> Result<(), StoreError> {
    let mut walk = Walk {
        key,
        head: AuditHead::start(chain),
        seen: AuditChain {
            head: AuditHead::start(chain),
            who: String::new(),
            from: 0,
            until: 0,
            closed: false,
        },
    };
    // What is known from elsewhere may be behind what the list of chains said a moment ago.
    let end = known.keys().copied().max().unwrap_or(0).max(last);
    'reading: while walk.head.number < end {
        let rows = store.audit(&chain, walk.head.number + 1, PAGE)?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            if let Some(finding) = walk.step(&row) {
                report.findings.push(finding);
                break 'reading;
            }
            let macs = known.remove(&row.number).unwrap_or_default();
            if macs.iter().any(|mac| *mac != row.mac) {
                report.findings.push(AuditFinding::Rewritten {
                    chain,
                    number: row.number,
                });
            }
            if walk.head.number == end {
                break;
            }
        }
    }
    if walk.head.number >= last
        && let Some(known) = known.into_keys().max()
    {
        report.findings.push(AuditFinding::CutOff {
            chain,
            last: walk.head.number,
            known,
        });
    }
    walk.seen.head = walk.head;
    report.chains.push(walk.seen);
    Ok(())
}

struct Walk<'a> {
    key: &'a Key,
    head: AuditHead,
    seen: AuditChain,
}

impl Walk<'_> {
    /// One record further, or what is wrong with it.
    fn step(&mut self, row: &AuditRow) -> Option<AuditFinding> {
        let number = self.head.number + 1;
        let chain = self.head.chain;
        if row.number != number {
            return Some(AuditFinding::Missing { chain, number });
        }
        let content = self
            .head
            .is_followed_by(self.key, row)
            .then(|| Read::parse(&row.content))
            .flatten();
        let Some(content) = content else {
            return Some(AuditFinding::Altered { chain, number });
        };
        if number == 1 {
            self.seen.from = content.at;
            self.seen.who = content.start.map(|start| start.who).unwrap_or_default();
        }
        self.seen.until = content.at;
        self.seen.closed = content.operator.iter().any(|operator| operator.did == CLOSED);
        self.head = AuditHead::of(row);
        None
    }
}

/// Records read at once.
const PAGE: usize = 1000;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::{SystemClock, VaultConfig};
    use crate::vault::Vault;

    /// Somebody who has the audit key too can write a chain anew, but not the log stream or the heads that others named.
    #[test]
    fn a_chain_written_anew_with_the_key_shows_by_what_is_known_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("v");
        let open = || Vault::open(VaultConfig::new(path.clone(), Arc::new(SystemClock))).unwrap();
        let vault = open();
        vault.ensure_sandbox().unwrap();
        let published = vault.audit_head().unwrap();
        let key = vault.shared.keys.ring().audit.clone();
        drop(vault);
        let vault = open();
        vault.remove_widget_key("wk_sandbox").unwrap();

        let store = &*vault.shared.store;
        let connection = rusqlite::Connection::open(&path).unwrap();
        let mut head = AuditHead::start(published.chain);
        for row in store.audit(&published.chain, 1, 9).unwrap() {
            let content = String::from_utf8(row.content).unwrap().replace("wk_", "WK_");
            let row = head.append(&key, content.into_bytes());
            head = AuditHead::of(&row);
            connection
                .execute(
                    "UPDATE audit SET content = ?3, mac = ?4 WHERE chain = ?1 AND number = ?2",
                    (row.chain, row.number as i64, row.content, row.mac),
                )
                .unwrap();
        }
        let (chain, number) = (published.chain, published.number);
        let report = vault.verify_audit(&[published]).unwrap();
        // The published head, and the one that the next start has named: the closing record behind it.
        let rewritten = |number| AuditFinding::Rewritten { chain, number };
        assert_eq!(report.findings, [rewritten(number), rewritten(number + 1)]);
    }
}
