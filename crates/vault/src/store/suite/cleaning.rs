//! What is due goes, in whatever order it has come: clocks are set, and rows are found by when they came.

use super::*;

pub(super) fn run(fixture: &mut Fixture) {
    each_kind_goes_at_its_time(fixture);
    what_is_due_goes_whatever_came_around_it(fixture);
    what_follows_a_cleaning_in_its_batch_is_cleaned_too(fixture);
}

fn each_kind_goes_at_its_time(fixture: &mut Fixture) {
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

/// A token of the second `at`, which may be one of many.
fn token_of(n: u16, at: u64) -> NewToken {
    let [high, low] = n.to_be_bytes();
    let mut bytes = [0; 16];
    (bytes[1], bytes[14], bytes[15]) = (77, high, low);
    let mut index = [77; 32];
    (index[30], index[31]) = (high, low);
    NewToken {
        id: bytes,
        nonce: Some(NonceKey::new(at, &bytes)),
        answer: Some(NewAnswer {
            index,
            sealed: vec![1],
            until: at + 600,
        }),
        issued_at: at,
        expires_at: at + 3600,
        remove_at: at + 3600,
        ..token(1)
    }
}

fn step(now: u64) -> CleanStep {
    CleanStep {
        now,
        oldest_hour: 0,
        limit: 100,
    }
}

/// Tokens and answers that went by `now`.
fn clean(fixture: &mut Fixture, now: u64) -> (usize, usize) {
    let mut sum = (0, 0);
    loop {
        let cleaned = fixture.write(step(now));
        if (cleaned.tokens, cleaned.answers) == (0, 0) {
            return sum;
        }
        assert!(
            cleaned.tokens <= 100 && cleaned.answers <= 100,
            "no more than a step"
        );
        sum = (sum.0 + cleaned.tokens, sum.1 + cleaned.answers);
    }
}

fn what_is_due_goes_whatever_came_around_it(fixture: &mut Fixture) {
    const DAY: u64 = 86_400;
    let start = NOW + 10 * DAY;
    clean(fixture, start);
    // The clock goes a day ahead again and again, and back.
    let at = |n: u16| start + u64::from(n % 3 % 2) * DAY;
    let written = fixture.write_all((0..1500).map(|n| token_of(n, at(n))).collect());
    assert!(
        written
            .into_iter()
            .all(|verdict| verdict == Ok(WriteVerdict::Written))
    );
    assert_eq!(clean(fixture, start + 599), (0, 0));
    assert_eq!(clean(fixture, start + 600), (0, 1000));
    assert_eq!(clean(fixture, start + 3600), (1000, 0));
    let there = |n: u16| {
        let id = token_of(n, at(n)).id;
        fixture.store.token("p", &id).unwrap().is_some()
    };
    assert!((0..1500).all(|n| there(n) == (n % 3 == 1)));
    // Their answers go with them.
    assert_eq!(clean(fixture, start + DAY + 3600).0, 500);
}

fn what_follows_a_cleaning_in_its_batch_is_cleaned_too(fixture: &mut Fixture) {
    let now = NOW + 20 * 86_400;
    let (sender, told) = std::sync::mpsc::channel();
    fn job<C: Change>(change: C) -> Job {
        C::into_job(change::Entry {
            change,
            verdict: None,
            done: Box::new(|_| {}),
        })
    }
    let cleaning = change::Entry {
        change: step(now),
        verdict: None,
        done: Box::new(move |cleaned| sender.send(cleaned).unwrap()),
    };
    let mut batch = vec![
        job(token_of(1, now - 7200)),
        CleanStep::into_job(cleaning),
        job(token_of(2, now)),
    ];
    let committed = fixture.commit.commit(&mut batch, &mut Unaudited);
    batch.into_iter().for_each(|job| job.finish(committed.clone()));
    assert_eq!(told.recv().unwrap().unwrap().tokens, 1);
    assert_eq!(clean(fixture, now + 600), (0, 1));
    assert_eq!(clean(fixture, now + 3600), (1, 0));
}
