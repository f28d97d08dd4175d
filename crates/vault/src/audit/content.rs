//! What a record says: JSON, for people and programs to read. Ids of rows, never anything of a card or a token's secret.

use std::collections::BTreeMap;

use base64ct::{Base64UrlUnpadded, Encoding};
use serde::{Deserialize, Serialize};

use super::AuditHead;
use crate::cleaning::Cleaned;
use crate::crypto;
use crate::redeem::Outcome;
use crate::store::{Act, KeyChange};

/// The content of one record. Members that do not apply are left out.
#[derive(Default, Serialize)]
pub(super) struct Content<'a> {
    /// Seconds since 1970 in UTC.
    pub(super) at: u64,
    /// In a chain's first record alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<Start>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    issued: BTreeMap<&'a str, Issued>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    redeemed: Vec<Redeemed<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    settled: Vec<Settled<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forgotten: Vec<Forgotten<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resealed: Vec<Resealed<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<Removed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    operator: Vec<Operator<'a>>,
}

/// How a chain begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Start {
    /// Which program, by whom, and where.
    pub(super) who: String,
    /// Heads of chains that no start has named before.
    pub(super) after: Vec<String>,
}

/// Tokens issued for a project.
#[derive(Default, Serialize)]
struct Issued {
    count: u64,
    /// SHA-256 of their ids, one behind the other: which they were can be proven from the rows.
    ids: String,
    #[serde(skip)]
    bytes: Vec<u8>,
}

/// An operation was given a card.
#[derive(Serialize)]
struct Redeemed<'a> {
    project: &'a str,
    operation: &'a str,
    /// The token's id, which is not its secret.
    token: String,
    /// The id of the lasting token in which it saves the card.
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<String>,
}

/// A saved card was deleted.
#[derive(Serialize)]
struct Forgotten<'a> {
    project: &'a str,
    token: String,
}

/// Saved cards were put under another data key.
#[derive(Serialize)]
struct Resealed<'a> {
    project: &'a str,
    from: u32,
    to: u32,
    count: usize,
}

#[derive(Serialize)]
struct Settled<'a> {
    project: &'a str,
    operation: &'a str,
    outcome: &'static str,
}

/// Rows whose time was over.
#[derive(Serialize)]
struct Removed {
    tokens: usize,
    answers: usize,
    codes: usize,
    operations: usize,
    /// Cards that no operation has kept.
    cards: usize,
}

/// What an operator did.
#[derive(Serialize)]
struct Operator<'a> {
    did: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<&'a str>,
    /// Which widget key, sealing key, epoch or file.
    #[serde(skip_serializing_if = "String::is_empty")]
    of: String,
}

impl<'a> Content<'a> {
    /// What a batch has done.
    pub(super) fn of(at: u64, acts: &[Act<'a>]) -> Self {
        let mut content = Self {
            at,
            ..Self::default()
        };
        for act in acts {
            content.add(act);
        }
        for issued in content.issued.values_mut() {
            issued.ids = Base64UrlUnpadded::encode_string(&crypto::hash(&issued.bytes));
        }
        content
    }

    /// The bytes that are stored.
    pub(super) fn write(&self) -> Option<Vec<u8>> {
        serde_json::to_vec(self).ok()
    }

    fn add(&mut self, act: &Act<'a>) {
        match *act {
            Act::Issued(token) => {
                let issued = self.issued.entry(&token.project).or_default();
                issued.count += 1;
                issued.bytes.extend_from_slice(&token.id);
            }
            Act::Reserved(operation, saved) => self.redeemed.push(Redeemed {
                project: &operation.project,
                operation: &operation.id,
                token: Base64UrlUnpadded::encode_string(&operation.token),
                saved: saved.map(|id| Base64UrlUnpadded::encode_string(&id)),
            }),
            Act::Forgotten(forget) => self.forgotten.push(Forgotten {
                project: &forget.project,
                token: Base64UrlUnpadded::encode_string(&forget.id),
            }),
            Act::Resealed(reseal, count) => self.resealed.push(Resealed {
                project: &reseal.project,
                from: reseal.from,
                to: reseal.to,
                count,
            }),
            Act::Settled(settlement) => self.settled.push(Settled {
                project: &settlement.project,
                operation: &settlement.operation,
                outcome: match settlement.outcome {
                    Outcome::UsedUp => "used up",
                    Outcome::Released => "released",
                },
            }),
            Act::Cleaned(Cleaned {
                tokens,
                answers,
                codes,
                operations,
                cards,
                ..
            }) => {
                self.removed = Some(Removed {
                    tokens,
                    answers,
                    codes,
                    operations,
                    cards,
                });
            }
            Act::Keys(change) => self.operator.push(Operator::of(change)),
        }
    }
}

impl<'a> Operator<'a> {
    fn of(change: &'a KeyChange) -> Self {
        let (did, project, of) = match change {
            KeyChange::AddWidgetKey { key, .. } => {
                ("widget key added", Some(key.project.as_str()), key.id.clone())
            }
            KeyChange::SetOrigins { id, origins } => {
                ("origins set", None, format!("{id}: {}", origins.join(" ")))
            }
            KeyChange::AddProject(row) => ("project added", Some(row.project.as_str()), String::new()),
            KeyChange::RemoveWidgetKey(id) => ("widget key removed", None, id.clone()),
            KeyChange::AddDataKey(row) => (
                "data key begun",
                Some(row.project.as_str()),
                row.epoch.to_string(),
            ),
            KeyChange::RewrapDataKey { row, .. } => (
                "data key wrapped anew",
                Some(row.project.as_str()),
                row.epoch.to_string(),
            ),
            KeyChange::RemoveDataKey { project, epoch } => {
                ("data key destroyed", Some(project.as_str()), epoch.to_string())
            }
            KeyChange::Identify { identity, .. } => {
                ("store sealed anew", None, identity.master_key.to_string())
            }
            KeyChange::Note { did, project, of } => (*did, project.as_deref(), of.clone()),
        };
        Self { did, project, of }
    }
}

/// What verification reads of a record.
#[derive(Deserialize)]
pub(super) struct Read {
    pub(super) at: u64,
    #[serde(default)]
    pub(super) start: Option<Start>,
    #[serde(default)]
    pub(super) operator: Vec<ReadOperator>,
}

#[derive(Deserialize)]
pub(super) struct ReadOperator {
    pub(super) did: String,
}

impl Read {
    pub(super) fn parse(content: &[u8]) -> Option<Self> {
        serde_json::from_slice(content).ok()
    }

    /// The heads that a chain's first record names.
    pub(super) fn after(&self) -> Vec<AuditHead> {
        let heads = self.start.iter().flat_map(|start| &start.after);
        heads.filter_map(|head| head.parse().ok()).collect()
    }
}

/// What the last record of a chain says, where the vault was closed in order.
pub(crate) const CLOSED: &str = "log closed";
