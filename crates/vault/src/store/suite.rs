//! What every store must do, row by row: what two callers, or two instances, may do between each other's steps. What a
//! store does for the vault as a whole is tested through the vault, in `tests/`.

use std::sync::Arc;

use super::*;
use crate::error::StoreError;
use crate::redeem::Outcome;
use crate::registry::WidgetKey;
use crate::token::TokenKind;

mod cleaning;
mod lasting;
pub(super) mod property;

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
    keys(fixture);
    epochs(fixture);
    the_audit_record_is_in_the_batch(fixture);
    cleaning(fixture);
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

fn keys(fixture: &mut Fixture) {
    let taken = KeyChange::AddWidgetKey {
        key: WidgetKey {
            id: "wk".into(),
            project: "other".into(),
            live: true,
            apps: true,
            origins: Vec::new(),
        },
        first_data_key: data_key("other", 1),
    };
    let batch = vec![
        widget_key("wk", "p"),
        widget_key("wk-live", "p"),
        taken,
        widget_key("wk-apps", "a"),
    ];
    let expected = [Ok(true), Ok(true), Ok(false), Ok(true)];
    assert_eq!(fixture.write_all(batch), expected);
    let key = fixture.store.widget_key("wk").unwrap().unwrap();
    assert_eq!(
        (key.project.as_str(), key.live, key.origins.len()),
        ("p", false, 2)
    );
    for (id, live, apps) in [
        ("wk", false, false),
        ("wk-live", true, false),
        ("wk-apps", false, true),
    ] {
        let key = fixture.store.widget_key(id).unwrap().unwrap();
        assert_eq!((key.live, key.apps), (live, apps), "{id}");
    }
    let ids: Vec<_> = fixture
        .store
        .widget_keys()
        .unwrap()
        .into_iter()
        .map(|key| key.id)
        .collect();
    assert_eq!(ids, ["wk-apps", "wk", "wk-live"], "by project and id");
    assert!(fixture.write(KeyChange::RemoveWidgetKey("wk-apps".into())));
    assert!(!fixture.write(KeyChange::RemoveWidgetKey("wk-apps".into())));
    assert!(fixture.store.widget_key("wk-apps").unwrap().is_none());
    assert_eq!(
        fixture.store.data_keys(Some("a")).unwrap(),
        [data_key("a", 1)],
        "the project stays"
    );
    assert_eq!(
        fixture.store.data_keys(Some("other")).unwrap(),
        [],
        "nothing of what was refused"
    );
}

fn epochs(fixture: &mut Fixture) {
    assert!(fixture.write(KeyChange::AddDataKey(data_key("a", 2))));
    assert!(
        !fixture.write(KeyChange::AddDataKey(data_key("a", 2))),
        "begun by somebody else"
    );
    let all = fixture.store.data_keys(None).unwrap();
    assert_eq!(all, [data_key("a", 1), data_key("a", 2), data_key("p", 1)]);

    let row = DataKeyRow {
        master_key: 2,
        wrapped: vec![5],
        ..data_key("a", 1)
    };
    let rewrap = |from| KeyChange::RewrapDataKey {
        row: row.clone(),
        from,
    };
    assert!(!fixture.write(rewrap(7)));
    assert!(fixture.write(rewrap(1)));
    assert!(!fixture.write(rewrap(1)));
    assert_eq!(fixture.store.data_keys(Some("a")).unwrap()[0], row);

    let remove = |project: &str, epoch| KeyChange::RemoveDataKey {
        project: project.into(),
        epoch,
    };
    assert!(fixture.store.sealed_under("p", 1).unwrap().passing > 10);
    assert_eq!(
        fixture.store.sealed_under("a", 1).unwrap(),
        SealedUnder::default()
    );
    assert!(!fixture.write(remove("p", 1)), "something is sealed under it");
    assert!(fixture.write(remove("a", 1)));
    assert!(!fixture.write(remove("a", 1)));

    let identity = Identity {
        id: vec![7; 16],
        master_key: 2,
        key_check: vec![4, 5],
    };
    let identify = |from| KeyChange::Identify {
        identity: identity.clone(),
        from,
    };
    assert!(!fixture.write(identify(3)));
    assert!(fixture.write(identify(1)));
}

/// Counts, as the real one does.
pub(super) struct Counting {
    next: u64,
    mac: [u8; 32],
    after: Option<[u8; 32]>,
    acts: Vec<usize>,
}

impl Counting {
    pub(super) fn new() -> Self {
        Self {
            next: 1,
            mac: [0; 32],
            after: None,
            acts: Vec::new(),
        }
    }

    /// Number of the next record.
    pub(super) fn next(&self) -> u64 {
        self.next
    }
}

impl Auditor for Counting {
    fn record(&mut self, acts: &[Act<'_>]) -> Result<Option<NewRecord>, StoreError> {
        self.acts.push(acts.len());
        // As a real one, it differs with everything that it is over.
        self.mac = [self.acts.len() as u8; 32];
        let row = AuditRow {
            chain: [8; 16],
            number: self.next,
            content: vec![acts.len() as u8],
            mac: self.mac,
        };
        Ok(Some(NewRecord {
            row,
            after: self.after,
        }))
    }

    fn committed(&mut self) {
        self.next += 1;
        self.after = Some(self.mac);
    }
}

fn the_audit_record_is_in_the_batch(fixture: &mut Fixture) {
    let mut audit = Counting::new();
    assert_eq!(fixture.store.audit_chains().unwrap(), []);
    let replayed = NewToken {
        nonce: token(50).nonce,
        ..token(52)
    };
    fixture.write_audited(vec![token(50), token(51), replayed], &mut audit);
    fixture.write_audited(vec![settlement(99, Outcome::UsedUp)], &mut audit);
    fixture.write_audited(vec![operation(50, 50)], &mut audit);
    assert_eq!(
        audit.acts,
        [2, 1],
        "refusals are no acts, and a batch of them has no record"
    );
    assert_eq!(audit.next, 3);
    assert_eq!(fixture.store.audit_chains().unwrap(), [([8; 16], 2)]);
    let records = fixture.store.audit(&[8; 16], 1, 10).unwrap();
    let told: Vec<_> = records
        .iter()
        .map(|row| (row.number, row.content.clone(), row.mac))
        .collect();
    assert_eq!(told, [(1, vec![2], [1; 32]), (2, vec![1], [2; 32])]);
    assert_eq!(fixture.store.audit(&[8; 16], 2, 10).unwrap(), records[1..]);
    assert_eq!(fixture.store.audit(&[8; 16], 1, 1).unwrap(), records[..1]);

    // A record that does not follow the last one takes its batch with it.
    for (next, after, why) in [
        (2, [1; 32], "its place is taken"),
        (3, [1; 32], "the one before it is another one"),
        (4, [2; 32], "there is none before it"),
        (1, [2; 32], "a chain begins with the first"),
    ] {
        (audit.next, audit.after) = (next, Some(after));
        let told = fixture.write_audited(vec![token(53)], &mut audit);
        assert!(told[0].is_err(), "{why}");
        assert_eq!(audit.next, next, "{why}");
        assert!(fixture.store.token("p", &id(53)).unwrap().is_none(), "{why}");
    }
    (audit.next, audit.after) = (3, Some([2; 32]));
    let told = fixture.write_audited(vec![token(54)], &mut audit);
    assert_eq!(told, [Ok(WriteVerdict::Written)]);
    assert_eq!(
        fixture.write(token(53)),
        WriteVerdict::Written,
        "and the next batch is written"
    );
}

fn cleaning(fixture: &mut Fixture) {
    let step = |now: u64, limit| CleanStep {
        now,
        oldest_hour: (now / 3600).saturating_sub(1),
        limit,
    };
    let nothing = fixture.write(step(NOW, 100));
    assert_eq!(nothing, crate::Cleaned::default());
    let cleaned = fixture.write(step(NOW + 600, 3));
    assert_eq!(
        (cleaned.tokens, cleaned.answers, cleaned.codes),
        (0, 3, 0),
        "no more than a step"
    );
    let cleaned = fixture.write(step(NOW + 600, 100));
    assert!(cleaned.answers > 3);
    assert!(fixture.store.answer(&[17; 32], 0).unwrap().is_none());
    // Two hours after the hour began, of an operation that still lives.
    fixture.write(NewOperation {
        expires_at: NOW + 9000,
        ..operation(60, 17)
    });
    let gone = (NOW / 3600 + 2) * 3600;
    let cleaned = fixture.write(step(gone, 100));
    assert!(
        cleaned.tokens > 10 && cleaned.operations > 0 && cleaned.codes > 0,
        "{cleaned:?}"
    );
    let row = fixture.store.operation("p", "op-60", gone).unwrap().unwrap();
    assert_eq!((row.card, row.code.is_some()), (vec![60, 5], false));
    assert!(fixture.store.token("p", &id(17)).unwrap().is_none());
    fixture.store.tidy().unwrap();
}
