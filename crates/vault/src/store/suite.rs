//! What every store must do, row by row: what two callers, or two instances, may do between each other's steps. What a
//! store does for the vault as a whole is tested through the vault, in `tests/`.

use std::sync::Arc;

use super::*;
use crate::error::StoreError;
use crate::redeem::Outcome;
use crate::registry::WidgetKey;
use crate::token::TokenKind;

mod audit;
mod cleaning;
mod keys;
mod lasting;
pub(super) mod property;

pub(super) use audit::Counting;

/// A store with its writer.
pub(super) struct Fixture {
    pub(super) store: Arc<dyn Store>,
    pub(super) commit: Box<dyn Commit>,
}

impl Fixture {
    pub(super) fn open(database: &dyn Database) -> Self {
        let identity = Identity {
            id: vec![7; 16],
            master_key: 1,
            key_check: vec![1, 2, 3],
        };
        let created = database.create(&identity).unwrap();
        assert_eq!((created.id, created.key_check), (identity.id, identity.key_check));
        let (store, commit) = database.open().unwrap();
        Self { store, commit }
    }

    /// One change, in a batch of its own.
    fn write<C: Change>(&mut self, change: C) -> C::Verdict
    where
        C::Verdict: std::fmt::Debug + 'static,
    {
        let mut verdicts = self.write_all(vec![change]);
        verdicts.remove(0).unwrap()
    }

    /// Several changes in one batch, unaudited.
    fn write_all<C: Change>(&mut self, changes: Vec<C>) -> Vec<Result<C::Verdict, StoreError>>
    where
        C::Verdict: 'static,
    {
        self.write_audited(changes, &mut Unaudited)
    }

    pub(super) fn write_audited<C: Change>(
        &mut self,
        changes: Vec<C>,
        audit: &mut dyn Auditor,
    ) -> Vec<Result<C::Verdict, StoreError>>
    where
        C::Verdict: 'static,
    {
        let (sender, told) = std::sync::mpsc::channel();
        let mut batch: Vec<_> = changes
            .into_iter()
            .map(|change| {
                let sender = sender.clone();
                let done = Box::new(move |result| sender.send(result).unwrap());
                C::into_job(change::Entry {
                    change,
                    verdict: None,
                    done,
                })
            })
            .collect();
        let committed = self.commit.commit(&mut batch, audit);
        batch.into_iter().for_each(|job| job.finish(committed.clone()));
        told.try_iter().collect()
    }
}

const NOW: u64 = 1_790_000_000;

/// Ids as tokens have them: where they are spread, the first byte is below 16.
fn id(n: u8) -> [u8; 16] {
    let mut id = [n; 16];
    id[0] &= 15;
    id
}

pub(super) fn token(n: u8) -> NewToken {
    NewToken {
        id: id(n),
        hash: [n; 32],
        project: "p".into(),
        epoch: 1,
        nonce: Some(NonceKey::new(NOW, &[n; 16])),
        answer: Some(NewAnswer {
            index: [n; 32],
            sealed: vec![n, 1],
            until: NOW + 600,
        }),
        facts: vec![n, 2],
        card: vec![n, 3],
        code: Some(SealedCode {
            sealed: vec![n, 4],
            hour: NOW / 3600,
        }),
        issued_at: NOW,
        expires_at: NOW + 3600,
        remove_at: NOW + 3600,
    }
}

fn operation(n: u8, token: u8) -> NewOperation {
    NewOperation {
        project: "p".into(),
        id: format!("op-{n}"),
        token: id(token),
        source: TokenKind::Widget,
        epoch: 1,
        card: vec![n, 5],
        code: Some(SealedCode {
            sealed: vec![n, 6],
            hour: NOW / 3600,
        }),
        expires_at: NOW + 3600,
        save: None,
    }
}

/// The operation that redeems the token `n` and saves its card, and how to forget that card.
pub(super) fn saving(n: u8) -> (NewOperation, Forget) {
    let save = NewLasting {
        id: id(n),
        hash: [n; 32],
        epoch: 1,
        record: vec![n, 7],
        fingerprint: [n; 32],
    };
    let operation = NewOperation {
        save: Some(save),
        ..operation(n, n)
    };
    let forget = Forget {
        project: operation.project.clone(),
        id: id(n),
        hash: [n; 32],
    };
    (operation, forget)
}

fn settlement(n: u8, outcome: Outcome) -> Settlement {
    Settlement {
        project: "p".into(),
        operation: format!("op-{n}"),
        outcome,
    }
}

fn data_key(project: &str, epoch: u32) -> DataKeyRow {
    DataKeyRow {
        project: project.into(),
        epoch,
        master_key: 1,
        wrapped: vec![9, epoch as u8],
    }
}

fn widget_key(id: &str, project: &str) -> KeyChange {
    KeyChange::AddWidgetKey {
        key: WidgetKey {
            id: id.into(),
            project: project.into(),
            live: id.contains("live"),
            apps: id.contains("apps"),
            origins: vec!["https://shop.example".into(), "http://localhost:*".into()],
        },
        first_data_key: data_key(project, 1),
    }
}

/// All of it, on an empty store.
pub(super) fn run(database: &dyn Database) {
    let fixture = &mut Fixture::open(database);
    rows_come_back(fixture);
    a_conflict_fails_its_row_and_not_its_batch(fixture);
    a_second_attempt_finds_the_first(fixture);
    an_operation_has_one_token_and_a_token_one_operation(fixture);
    a_code_that_is_gone_is_not_brought_back(fixture);
    keys::run(fixture);
    audit::run(fixture);
    cleaning::run(fixture);
    lasting::run(fixture);
}

fn rows_come_back(fixture: &mut Fixture) {
    assert_eq!(fixture.write(token(1)), WriteVerdict::Written);
    let row = fixture.store.token("p", &id(1)).unwrap().unwrap();
    assert_eq!((row.hash, row.epoch, row.state), (vec![1; 32], 1, State::Ready));
    assert_eq!(
        (row.facts, row.card, row.operation),
        (vec![1, 2], Some(vec![1, 3]), None)
    );
    let code = row.code.unwrap();
    assert_eq!((code.sealed, code.hour), (vec![1, 4], NOW / 3600));
    assert!(
        fixture.store.token("q", &id(1)).unwrap().is_none(),
        "another project"
    );
    assert!(fixture.store.token("p", &id(2)).unwrap().is_none());

    let answer = fixture.store.answer(&[1; 32], NOW + 599).unwrap().unwrap();
    assert_eq!((answer.epoch, answer.answer), (1, vec![1, 1]));
    assert!(fixture.store.answer(&[1; 32], NOW + 600).unwrap().is_none());

    let plain = NewToken {
        nonce: None,
        answer: None,
        code: None,
        ..token(2)
    };
    let another = NewToken {
        nonce: None,
        answer: None,
        code: None,
        ..token(3)
    };
    let verdicts = fixture.write_all(vec![plain, another]);
    assert_eq!(verdicts, [Ok(WriteVerdict::Written), Ok(WriteVerdict::Written)]);
    assert!(
        fixture
            .store
            .token("p", &[3; 16])
            .unwrap()
            .unwrap()
            .code
            .is_none()
    );
}

fn a_conflict_fails_its_row_and_not_its_batch(fixture: &mut Fixture) {
    let same_nonce = NewToken {
        nonce: token(10).nonce,
        ..token(12)
    };
    let same_key = NewToken {
        answer: token(11).answer,
        ..token(13)
    };
    let both = NewToken {
        nonce: token(10).nonce,
        answer: token(10).answer,
        ..token(14)
    };
    let earlier = NewToken {
        nonce: token(1).nonce,
        ..token(15)
    };
    let other_project = NewToken {
        project: "q".into(),
        nonce: token(10).nonce,
        ..token(16)
    };
    let batch = vec![
        token(10),
        token(11),
        same_nonce,
        same_key,
        both,
        earlier,
        other_project,
        token(17),
    ];
    use WriteVerdict::{NonceReplayed, Repeated, Written};
    let expected = [
        Written,
        Written,
        NonceReplayed,
        Repeated,
        Repeated,
        NonceReplayed,
        Written,
        Written,
    ];
    assert_eq!(fixture.write_all(batch), expected.map(Ok));
    for (n, project, there) in [
        (12, "p", false),
        (13, "p", false),
        (15, "p", false),
        (16, "q", true),
        (17, "p", true),
    ] {
        assert_eq!(
            fixture.store.token(project, &id(n)).unwrap().is_some(),
            there,
            "{n}"
        );
    }

    // An answer whose time is over holds its key no longer, though it has not been removed.
    let later = NewToken {
        answer: token(10).answer,
        issued_at: NOW + 600,
        ..token(18)
    };
    assert_eq!(fixture.write(later), WriteVerdict::Written);
    assert!(
        fixture.store.token("p", &id(10)).unwrap().is_some(),
        "its token stays"
    );
}

fn a_second_attempt_finds_the_first(fixture: &mut Fixture) {
    assert_eq!(fixture.write(token(20)), WriteVerdict::Written);
    assert_eq!(
        fixture.write(token(20)),
        WriteVerdict::Written,
        "not a repeat of itself"
    );
    let verdicts = fixture.write_all(vec![token(21), token(20)]);
    assert_eq!(verdicts, [Ok(WriteVerdict::Written), Ok(WriteVerdict::Written)]);
    for _ in 0..2 {
        assert_eq!(fixture.write(operation(20, 20)), ReserveVerdict::Reserved);
    }
    assert_eq!(
        fixture.write(settlement(20, Outcome::UsedUp)),
        SettleVerdict::Settled
    );
    assert_eq!(
        fixture.write(settlement(20, Outcome::UsedUp)),
        SettleVerdict::Already
    );
}

fn an_operation_has_one_token_and_a_token_one_operation(fixture: &mut Fixture) {
    fixture.write_all((30..34).map(token).collect());
    let batch = vec![operation(30, 30), operation(31, 30), operation(32, 32)];
    use ReserveVerdict::{NotOpen, OtherToken, Reserved, Taken};
    assert_eq!(fixture.write_all(batch), [Ok(Reserved), Ok(Taken), Ok(Reserved)]);
    assert_eq!(fixture.write(operation(30, 33)), OtherToken);
    let row = fixture.store.token("p", &id(30)).unwrap().unwrap();
    assert_eq!(
        (row.state, row.operation.as_deref()),
        (State::Reserved, Some("op-30"))
    );
    let open = fixture.store.operation("p", "op-30", NOW).unwrap().unwrap();
    assert_eq!((open.epoch, open.card), (1, vec![30, 5]));
    assert!(
        fixture
            .store
            .operation("p", "op-30", NOW + 3600)
            .unwrap()
            .is_none()
    );
    assert!(fixture.store.operation("q", "op-30", NOW).unwrap().is_none());

    assert_eq!(
        fixture.write(settlement(30, Outcome::UsedUp)),
        SettleVerdict::Settled
    );
    assert_eq!(
        fixture.write(settlement(30, Outcome::Released)),
        SettleVerdict::NotOpen
    );
    assert_eq!(
        fixture.write(settlement(31, Outcome::Released)),
        SettleVerdict::NotOpen
    );
    assert_eq!(fixture.write(operation(30, 30)), NotOpen);
    assert_eq!(fixture.write(operation(34, 30)), Taken);
    let row = fixture.store.token("p", &id(30)).unwrap().unwrap();
    assert_eq!(
        (row.state, row.card, row.code.is_some()),
        (State::UsedUp, None, false)
    );
    assert!(fixture.store.operation("p", "op-30", NOW).unwrap().is_none());
    assert_eq!(fixture.write(operation(35, 99)), Taken, "no such token");
}

/// Another operation may have had the token, and its code, between this one's reading and writing.
fn a_code_that_is_gone_is_not_brought_back(fixture: &mut Fixture) {
    fixture.write_all((40..42).map(token).collect());
    fixture.write(operation(40, 40));
    assert_eq!(
        fixture.write(settlement(40, Outcome::Released)),
        SettleVerdict::Settled
    );
    let row = fixture.store.token("p", &id(40)).unwrap().unwrap();
    assert_eq!(
        (row.state, row.card.is_some(), row.code.is_some()),
        (State::Ready, true, false)
    );
    fixture.write_all(vec![operation(41, 40), operation(42, 41)]);
    for (id, kept) in [("op-41", false), ("op-42", true)] {
        let open = fixture.store.operation("p", id, NOW).unwrap().unwrap();
        assert_eq!(open.code.is_some(), kept, "{id}");
    }
}
