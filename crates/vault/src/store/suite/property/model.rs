//! What a store is meant to hold, in maps, without a thought to how a database does it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::*;
use super::Redeem;
use crate::keys::hours::Hour;

/// Names of one case, which no other case has.
#[derive(Clone, Copy)]
pub(super) struct Names(pub(super) u32);

impl Names {
    pub(super) fn project(self, n: u8) -> String {
        format!("{}-{}", if n == 0 { "p" } else { "q" }, self.0)
    }

    fn bytes<const N: usize>(self, kind: u8, n: impl Into<u16>) -> [u8; N] {
        let mut bytes = [kind; N];
        // As ids are where they are spread.
        let n = n.into();
        bytes[0] = (n & 15) as u8;
        bytes[1..5].copy_from_slice(&self.0.to_be_bytes());
        bytes[5..7].copy_from_slice(&n.to_be_bytes());
        bytes
    }
}

/// All that a store holds of one case.
pub(super) struct Model {
    pub(super) names: Names,
    pub(super) now: u64,
    /// Tokens and saved cards ever made, so that ids are new.
    made: u16,
    tokens: BTreeMap<[u8; 16], TokenModel>,
    /// In the order of their making, with what issued them.
    issued: Vec<NewToken>,
    operations: BTreeMap<(String, String), OperationModel>,
    /// By id; their fingerprints are unique within a project.
    cards: BTreeMap<[u8; 16], CardModel>,
    keys: BTreeMap<String, BTreeSet<u32>>,
}

struct TokenModel {
    project: String,
    epoch: u32,
    state: State,
    operation: Option<String>,
    nonce: Option<NonceKey>,
    /// Index and end of the answer.
    answer: Option<([u8; 32], u64)>,
    card: bool,
    code: bool,
    remove_at: u64,
}

struct OperationModel {
    token: [u8; 16],
    source: TokenKind,
    epoch: u32,
    outcome: Option<Outcome>,
    saved: Option<[u8; 16]>,
    code: Option<Hour>,
    expires_at: u64,
}

struct CardModel {
    project: String,
    hash: [u8; 32],
    epoch: u32,
    record: Vec<u8>,
    fingerprint: [u8; 32],
    kept: bool,
}

/// The same change, for a second attempt.
pub(super) fn again(token: &NewToken) -> NewToken {
    NewToken {
        id: token.id,
        hash: token.hash,
        project: token.project.clone(),
        epoch: token.epoch,
        nonce: token.nonce,
        answer: token.answer.as_ref().map(|answer| NewAnswer {
            index: answer.index,
            sealed: answer.sealed.clone(),
            until: answer.until,
        }),
        facts: token.facts.clone(),
        card: token.card.clone(),
        code: token.code.clone(),
        issued_at: token.issued_at,
        expires_at: token.expires_at,
        remove_at: token.remove_at,
    }
}

impl Model {
    /// Two projects, each with its first data key.
    pub(super) fn begin(names: Names, fixture: &mut Fixture) -> Self {
        let mut keys = BTreeMap::new();
        for project in [names.project(0), names.project(1)] {
            assert!(fixture.write(KeyChange::AddProject(data_key(&project, 1))));
            keys.insert(project, BTreeSet::from([1]));
        }
        Self {
            names,
            now: NOW,
            made: 0,
            tokens: BTreeMap::new(),
            issued: Vec::new(),
            operations: BTreeMap::new(),
            cards: BTreeMap::new(),
            keys,
        }
    }

    pub(super) fn newest(&self, project: &str) -> u32 {
        self.keys[project].last().copied().unwrap()
    }

    /// The newest epoch, or the one before it for an instance that has not heard of it.
    fn epoch(&self, project: &str, late: bool) -> u32 {
        let keys = &self.keys[project];
        *keys
            .iter()
            .rev()
            .nth(usize::from(late))
            .unwrap_or(keys.last().unwrap())
    }

    pub(super) fn new_token(
        &mut self,
        project: u8,
        nonce: Option<u8>,
        key: Option<u8>,
        code: bool,
        late: bool,
    ) -> NewToken {
        let names = self.names;
        let project = names.project(project);
        self.made += 1;
        NewToken {
            id: names.bytes(1, self.made),
            hash: names.bytes(2, self.made),
            epoch: self.epoch(&project, late),
            project,
            nonce: nonce.map(|n| NonceKey::new(NOW, &names.bytes(3, n))),
            answer: key.map(|n| NewAnswer {
                index: names.bytes(4, n),
                sealed: self.made.to_be_bytes().to_vec(),
                until: self.now + 600,
            }),
            facts: vec![1],
            card: vec![2],
            code: code.then(|| SealedCode {
                sealed: vec![3],
                hour: self.now / 3600,
            }),
            issued_at: self.now,
            expires_at: self.now + 3600,
            remove_at: self.now + 3600,
        }
    }

    pub(super) fn issue(&mut self, token: &NewToken) -> WriteVerdict {
        if let Some(answer) = &token.answer {
            let holder = self
                .tokens
                .values_mut()
                .find(|other| other.answer.is_some_and(|(index, _)| index == answer.index));
            match holder {
                Some(other) if other.answer.is_some_and(|(_, until)| until > self.now) => {
                    return WriteVerdict::Repeated;
                }
                // Its time is over: it holds the key no longer.
                Some(other) => other.answer = None,
                None => {}
            }
        }
        let replayed = self.tokens.values().any(|other| {
            other.project == token.project && token.nonce.is_some() && other.nonce == token.nonce
        });
        if replayed {
            return WriteVerdict::NonceReplayed;
        }
        let row = TokenModel {
            project: token.project.clone(),
            epoch: token.epoch,
            state: State::Ready,
            operation: None,
            nonce: token.nonce,
            answer: token.answer.as_ref().map(|answer| (answer.index, answer.until)),
            card: true,
            code: token.code.is_some(),
            remove_at: token.remove_at,
        };
        self.tokens.insert(token.id, row);
        WriteVerdict::Written
    }

    pub(super) fn remember(&mut self, token: NewToken, verdict: WriteVerdict) {
        if verdict == WriteVerdict::Written {
            self.issued.push(token);
        }
    }

    /// A token that is still there.
    pub(super) fn issued_before(&self, back: u8) -> Option<NewToken> {
        let token = self.issued.iter().rev().nth(back.into())?;
        self.tokens.contains_key(&token.id).then(|| again(token))
    }

    pub(super) fn new_operation(&mut self, redeem: &Redeem) -> Option<NewOperation> {
        let names = self.names;
        let back = usize::from(redeem.token);
        let token = match redeem.lasting {
            true => *self.cards.keys().nth_back(back)?,
            false => self.issued.iter().rev().nth(back)?.id,
        };
        let project = names.project(redeem.project);
        let epoch = self.epoch(&project, redeem.late);
        let save = redeem.save.map(|card| {
            self.made += 1;
            NewLasting {
                id: names.bytes(5, self.made),
                hash: names.bytes(6, self.made),
                epoch,
                record: self.made.to_be_bytes().to_vec(),
                fingerprint: names.bytes(7, card),
            }
        });
        let code = (!redeem.lasting).then(|| SealedCode {
            sealed: vec![4],
            hour: self.now / 3600,
        });
        Some(NewOperation {
            project,
            id: format!("op-{}", redeem.operation),
            token,
            source: if redeem.lasting {
                TokenKind::Lasting
            } else {
                TokenKind::Widget
            },
            epoch,
            card: vec![redeem.operation],
            code,
            expires_at: self.now + 3600,
            save,
        })
    }

    pub(super) fn reserve(&mut self, new: &NewOperation) -> ReserveVerdict {
        let name = (new.project.clone(), new.id.clone());
        if let Some(before) = self.operations.get(&name) {
            return match (before.token == new.token, before.outcome, before.saved) {
                (false, ..) => ReserveVerdict::OtherToken,
                (true, Some(_), _) => ReserveVerdict::NotOpen,
                (true, None, None) => ReserveVerdict::Reserved,
                (true, None, Some(saved)) => ReserveVerdict::Saved(saved),
            };
        }
        let has_code = match new.source {
            TokenKind::Widget => match self.tokens.get_mut(&new.token) {
                Some(token) if token.project == new.project && token.state == State::Ready => {
                    (token.state, token.operation) = (State::Reserved, Some(new.id.clone()));
                    token.code
                }
                _ => return ReserveVerdict::Taken,
            },
            TokenKind::Lasting => match self.cards.get(&new.token) {
                Some(card) if card.project == new.project => false,
                _ => return ReserveVerdict::Taken,
            },
        };
        let saved = new.save.as_ref().map(|save| {
            let mut equal = self.cards.iter();
            let equal = equal
                .find(|(_, card)| card.project == new.project && card.fingerprint == save.fingerprint)
                .map(|(id, _)| *id);
            equal.unwrap_or_else(|| {
                let card = CardModel {
                    project: new.project.clone(),
                    hash: save.hash,
                    epoch: save.epoch,
                    record: save.record.clone(),
                    fingerprint: save.fingerprint,
                    kept: false,
                };
                self.cards.insert(save.id, card);
                save.id
            })
        });
        let operation = OperationModel {
            token: new.token,
            source: new.source,
            epoch: new.epoch,
            outcome: None,
            saved,
            code: new.code.as_ref().map(|code| code.hour).filter(|_| has_code),
            expires_at: new.expires_at,
        };
        self.operations.insert(name, operation);
        saved.map_or(ReserveVerdict::Reserved, ReserveVerdict::Saved)
    }

    pub(super) fn settle(&mut self, settlement: &Settlement) -> SettleVerdict {
        let name = (settlement.project.clone(), settlement.operation.clone());
        let Some(operation) = self.operations.get_mut(&name) else {
            return SettleVerdict::NotOpen;
        };
        match operation.outcome {
            Some(before) if before == settlement.outcome => return SettleVerdict::Already,
            Some(_) => return SettleVerdict::NotOpen,
            None => {}
        }
        (operation.outcome, operation.code) = (Some(settlement.outcome), None);
        let (token, saved) = (operation.token, operation.saved);
        if let Some(token) = self.tokens.get_mut(&token)
            && token.project == settlement.project
            && token.operation.as_ref() == Some(&settlement.operation)
        {
            token.code = false;
            match settlement.outcome {
                Outcome::UsedUp => (token.state, token.card) = (State::UsedUp, false),
                Outcome::Released => (token.state, token.operation) = (State::Ready, None),
            }
        }
        if let Some(saved) = saved {
            match settlement.outcome {
                Outcome::UsedUp => {
                    if let Some(card) = self.cards.get_mut(&saved) {
                        card.kept = true;
                    }
                }
                Outcome::Released => self.drop_unwanted(|id| *id == saved),
            }
        }
        SettleVerdict::Settled
    }

    /// Cards that were not kept go when no open operation may keep them.
    fn drop_unwanted(&mut self, which: impl Fn(&[u8; 16]) -> bool) {
        let operations = &self.operations;
        self.cards.retain(|id, card| {
            let mut open = operations
                .values()
                .filter(|operation| operation.outcome.is_none());
            card.kept || !which(id) || open.any(|operation| operation.saved == Some(*id))
        });
    }

    /// `wrong`: with another project, or with another hash.
    pub(super) fn forgetting(&self, back: u8, wrong: Option<bool>) -> Option<Forget> {
        let (id, card) = self.cards.iter().nth_back(back.into())?;
        Some(Forget {
            project: match wrong {
                Some(true) => "another".to_owned(),
                _ => card.project.clone(),
            },
            id: *id,
            hash: match wrong {
                Some(false) => [0; 32],
                _ => card.hash,
            },
        })
    }

    pub(super) fn forget(&mut self, forget: &Forget) -> bool {
        let matches = |card: &CardModel| card.project == forget.project && card.hash == forget.hash;
        let there = self.cards.get(&forget.id).is_some_and(matches);
        if there {
            self.cards.remove(&forget.id);
        }
        there
    }

    pub(super) fn clean(&mut self, step: &CleanStep) {
        self.tokens.retain(|_, token| token.remove_at > step.now);
        for token in self.tokens.values_mut() {
            token.answer = token.answer.filter(|&(_, until)| until > step.now);
        }
        self.operations
            .retain(|_, operation| operation.expires_at > step.now);
        for operation in self.operations.values_mut() {
            operation.code = operation.code.filter(|&hour| hour >= step.oldest_hour);
        }
        self.drop_unwanted(|_| true);
    }

    pub(super) fn rotate(&mut self, project: u8) -> DataKeyRow {
        let project = self.names.project(project);
        let epoch = self.newest(&project) + 1;
        self.keys.get_mut(&project).unwrap().insert(epoch);
        data_key(&project, epoch)
    }

    pub(super) fn reseal(&mut self, reseal: &Reseal) -> usize {
        let mut count = 0;
        for resealed in &reseal.records {
            if let Some(card) = self.cards.get_mut(&resealed.id)
                && card.project == reseal.project
                && card.epoch == reseal.from
            {
                (card.epoch, card.record) = (reseal.to, resealed.record.clone());
                count += 1;
            }
        }
        count
    }

    pub(super) fn remove_key(&mut self, project: &str, epoch: u32) -> bool {
        let free = self.sealed_under(project, epoch) == SealedUnder::default();
        free && self.keys.get_mut(project).unwrap().remove(&epoch)
    }

    fn sealed_under(&self, project: &str, epoch: u32) -> SealedUnder {
        let tokens = self.tokens.values();
        let tokens = tokens.filter(|token| token.project == project && token.epoch == epoch);
        let operations = self.operations.iter();
        let operations = operations.filter(|((of, _), one)| of == project && one.epoch == epoch);
        let cards = self.cards.values();
        let cards = cards.filter(|card| card.project == project && card.epoch == epoch);
        SealedUnder {
            passing: (tokens.count() + operations.count()) as u64,
            lasting: cards.count() as u64,
        }
    }

    /// Everything that can be read is as it is here, and nothing is there that is not here.
    pub(super) fn compare(&self, store: &dyn Store) {
        for token in &self.issued {
            let found = store.token(&token.project, &token.id).unwrap();
            let known = self.tokens.get(&token.id);
            assert_eq!(
                found.map(|row| (
                    row.state,
                    row.operation,
                    row.card.is_some(),
                    row.code.is_some(),
                    row.epoch
                )),
                known.map(|row| (row.state, row.operation.clone(), row.card, row.code, row.epoch))
            );
        }
        for key in 0..3 {
            let index = self.names.bytes(4, key as u16);
            let known = self.tokens.values().filter_map(|token| token.answer);
            let known = known.filter(|&(of, until)| of == index && until > self.now);
            let found = store.answer(&index, self.now).unwrap();
            assert_eq!(usize::from(found.is_some()), known.count(), "answer {key}");
        }
        for project in [self.names.project(0), self.names.project(1)] {
            for n in (0..8).chain(100..108) {
                let name = (project.clone(), format!("op-{n}"));
                let known = self.operations.get(&name);
                let open = known.filter(|one| one.outcome.is_none() && one.expires_at > self.now);
                let found = store.operation(&project, &name.1, self.now).unwrap();
                assert_eq!(
                    found.map(|row| (
                        row.token,
                        row.source,
                        row.saved,
                        row.code.map(|code| code.hour),
                        row.epoch
                    )),
                    open.map(|one| (one.token, one.source, one.saved, one.code, one.epoch)),
                    "{name:?}"
                );
            }
            let rows = store.data_keys(Some(&project)).unwrap();
            let epochs: BTreeSet<_> = rows.iter().map(|row| row.epoch).collect();
            assert_eq!(epochs, self.keys[&project]);
            for &epoch in &epochs {
                assert_eq!(
                    store.sealed_under(&project, epoch),
                    Ok(self.sealed_under(&project, epoch))
                );
                let known: Vec<_> = self
                    .cards
                    .iter()
                    .filter(|(_, card)| card.project == project && card.epoch == epoch)
                    .map(|(&id, card)| LastingRow {
                        id,
                        hash: card.hash.to_vec(),
                        epoch,
                        record: card.record.clone(),
                        kept: card.kept,
                    })
                    .collect();
                let found = store.lasting_under(&project, epoch, &[0; 16], 1000).unwrap();
                assert_eq!(found, known);
            }
        }
    }
}
