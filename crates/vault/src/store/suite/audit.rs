//! The audit record of a batch: with it or not at all, and behind the last one.

use super::*;

pub(super) fn run(fixture: &mut Fixture) {
    the_record_is_in_the_batch(fixture);
}

/// Counts, as the real one does.
pub(in crate::store) struct Counting {
    next: u64,
    mac: [u8; 32],
    after: Option<[u8; 32]>,
    acts: Vec<usize>,
}

impl Counting {
    pub(in crate::store) fn new() -> Self {
        Self {
            next: 1,
            mac: [0; 32],
            after: None,
            acts: Vec::new(),
        }
    }

    /// Number of the next record.
    pub(in crate::store) fn next(&self) -> u64 {
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

fn the_record_is_in_the_batch(fixture: &mut Fixture) {
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
