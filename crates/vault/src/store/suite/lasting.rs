//! Saved cards, row by row.

use super::*;

/// On a store in which nothing is saved yet.
pub(super) fn run(fixture: &mut Fixture) {
    saved_once_for_equal_cards(fixture);
    kept_with_success_alone(fixture);
    what_nobody_may_keep_any_more_goes(fixture);
    redeemed_by_many_and_forgotten(fixture);
    sealed_anew(fixture);
    a_data_key_stays_as_long_as_a_card_needs_it(fixture);
}

/// Ids of the other tests end at 99.
fn new_lasting(n: u8, fingerprint: u8) -> NewLasting {
    NewLasting {
        id: id(n),
        hash: [n; 32],
        epoch: 1,
        record: vec![n, 7],
        fingerprint: [fingerprint; 32],
    }
}

/// An operation of its own token, which saves a card.
fn saving(fixture: &mut Fixture, n: u8, fingerprint: u8) -> ReserveVerdict {
    assert_eq!(fixture.write(token(n)), WriteVerdict::Written);
    let save = Some(new_lasting(n, fingerprint));
    fixture.write(NewOperation {
        save,
        ..operation(n, n)
    })
}

/// Whether the saved card is there, and kept.
fn kept(fixture: &Fixture, n: u8) -> Option<bool> {
    let row = fixture.store.lasting("p", &id(n)).unwrap();
    row.map(|row| row.kept)
}

fn settle(fixture: &mut Fixture, n: u8, outcome: Outcome) {
    assert_eq!(fixture.write(settlement(n, outcome)), SettleVerdict::Settled);
}

fn forget(n: u8) -> Forget {
    Forget {
        project: "p".into(),
        id: id(n),
        hash: [n; 32],
    }
}

fn saved_once_for_equal_cards(fixture: &mut Fixture) {
    use ReserveVerdict::Saved;
    assert_eq!(saving(fixture, 100, 1), Saved(id(100)));
    let row = fixture.store.lasting("p", &id(100)).unwrap().unwrap();
    let (id_, hash, epoch, record) = (row.id, row.hash, row.epoch, row.record);
    assert_eq!(
        (id_, hash, epoch, record),
        (id(100), vec![100; 32], 1, vec![100, 7])
    );
    assert!(
        fixture.store.lasting("q", &id(100)).unwrap().is_none(),
        "another project"
    );
    let open = fixture.store.operation("p", "op-100", NOW).unwrap().unwrap();
    assert_eq!(
        (open.token, open.source, open.saved),
        (id(100), TokenKind::Widget, Some(id(100)))
    );
    // The same attempt again finds itself.
    let again = NewOperation {
        save: Some(new_lasting(100, 1)),
        ..operation(100, 100)
    };
    assert_eq!(fixture.write(again), Saved(id(100)));

    assert_eq!(saving(fixture, 101, 1), Saved(id(100)), "equal");
    assert_eq!(kept(fixture, 101), None);
    assert_eq!(saving(fixture, 102, 2), Saved(id(102)), "another card");
    // Two equal ones in one batch.
    fixture.write_all(vec![token(103), token(104)]);
    let batch = [103, 104].map(|n| NewOperation {
        save: Some(new_lasting(n, 3)),
        ..operation(n, n)
    });
    let told = fixture.write_all(batch.into());
    assert_eq!(told[0], told[1]);
    // The same fingerprint in another project is another card.
    let foreign = NewToken {
        project: "q".into(),
        ..token(105)
    };
    fixture.write(foreign);
    let save = Some(new_lasting(105, 1));
    let foreign = NewOperation {
        project: "q".into(),
        save,
        ..operation(105, 105)
    };
    assert_eq!(fixture.write(foreign), Saved(id(105)));
    // What is refused saves nothing.
    let refused = NewOperation {
        save: Some(new_lasting(106, 6)),
        ..operation(106, 100)
    };
    assert_eq!(fixture.write(refused), ReserveVerdict::Taken);
    assert_eq!(kept(fixture, 106), None);
}

fn kept_with_success_alone(fixture: &mut Fixture) {
    // Two operations may keep it: the first fails, the second succeeds.
    saving(fixture, 110, 10);
    saving(fixture, 111, 10);
    assert_eq!(kept(fixture, 110), Some(false));
    settle(fixture, 110, Outcome::Released);
    assert_eq!(kept(fixture, 110), Some(false), "another one may keep it");
    settle(fixture, 111, Outcome::UsedUp);
    assert_eq!(kept(fixture, 110), Some(true));
    // A third fails: it stays.
    assert_eq!(saving(fixture, 112, 10), ReserveVerdict::Saved(id(110)));
    settle(fixture, 112, Outcome::Released);
    assert_eq!(kept(fixture, 110), Some(true));

    // Both fail: it goes, and its fingerprint with it.
    saving(fixture, 113, 13);
    saving(fixture, 114, 13);
    settle(fixture, 114, Outcome::Released);
    settle(fixture, 113, Outcome::Released);
    assert_eq!(kept(fixture, 113), None);
    assert_eq!(saving(fixture, 115, 13), ReserveVerdict::Saved(id(115)));
}

fn what_nobody_may_keep_any_more_goes(fixture: &mut Fixture) {
    saving(fixture, 120, 20);
    saving(fixture, 121, 21);
    settle(fixture, 121, Outcome::UsedUp);
    let step = |now| CleanStep {
        now,
        oldest_hour: 0,
        limit: 100,
    };
    let cleaned = fixture.write(step(NOW));
    assert_eq!((cleaned.cards, kept(fixture, 120)), (0, Some(false)));
    // Its hour is over.
    let cleaned = fixture.write(step(NOW + 3600));
    assert!(cleaned.cards > 0, "{cleaned:?}");
    assert_eq!((kept(fixture, 120), kept(fixture, 121)), (None, Some(true)));
    assert_eq!(
        saving(fixture, 122, 20),
        ReserveVerdict::Saved(id(122)),
        "its fingerprint went too"
    );
}

fn redeemed_by_many_and_forgotten(fixture: &mut Fixture) {
    saving(fixture, 130, 30);
    settle(fixture, 130, Outcome::UsedUp);
    let redeem = |n: u8| NewOperation {
        source: TokenKind::Lasting,
        code: None,
        ..operation(n, 130)
    };
    use ReserveVerdict::{NotOpen, Reserved, Saved, Taken};
    let told = fixture.write_all(vec![redeem(131), redeem(132)]);
    assert_eq!(told, [Ok(Reserved), Ok(Reserved)]);
    settle(fixture, 131, Outcome::UsedUp);
    settle(fixture, 132, Outcome::Released);
    assert_eq!(kept(fixture, 130), Some(true), "not used up");
    assert_eq!(fixture.write(redeem(131)), NotOpen);
    assert_eq!(fixture.write(redeem(133)), Reserved);
    // For another holder: another fingerprint, a record of its own.
    let other = NewOperation {
        save: Some(new_lasting(134, 34)),
        ..redeem(134)
    };
    assert_eq!(fixture.write(other), Saved(id(134)));

    for wrong in [
        Forget {
            project: "q".into(),
            ..forget(130)
        },
        Forget {
            hash: [0; 32],
            ..forget(130)
        },
        forget(139),
    ] {
        assert!(!fixture.write(wrong));
    }
    assert!(fixture.write(forget(130)));
    assert!(!fixture.write(forget(130)), "only once");
    assert_eq!((kept(fixture, 130), kept(fixture, 134)), (None, Some(false)));
    assert_eq!(fixture.write(redeem(135)), Taken, "no such card any more");
    let open = fixture.store.operation("p", "op-133", NOW).unwrap().unwrap();
    assert_eq!(open.card, [133, 5], "what is under way goes on");
    settle(fixture, 133, Outcome::UsedUp);
    // An operation that saved what was forgotten meanwhile.
    assert!(fixture.write(forget(134)));
    settle(fixture, 134, Outcome::UsedUp);
    assert_eq!(kept(fixture, 134), None);
    assert_eq!(saving(fixture, 136, 30), Saved(id(136)), "saved anew");
    settle(fixture, 136, Outcome::UsedUp);
}

fn sealed_anew(fixture: &mut Fixture) {
    for n in [140, 141, 142] {
        saving(fixture, n, n);
        settle(fixture, n, Outcome::UsedUp);
    }
    let under = |fixture: &Fixture, epoch, from: u8, limit| -> Vec<[u8; 16]> {
        let rows = fixture.store.lasting_under("p", epoch, &id(from), limit).unwrap();
        assert!(rows.iter().all(|row| row.epoch == epoch));
        rows.iter().map(|row| row.id).collect()
    };
    let all = under(fixture, 1, 0, 1000);
    let mut sorted = all.clone();
    sorted.sort();
    assert_eq!(all, sorted);
    assert_eq!(fixture.store.lasting_count("p", 1), Ok(all.len() as u64));
    assert_eq!(under(fixture, 1, 0, 2), all[..2]);
    let from = all.iter().position(|&one| one == id(141)).unwrap();
    assert_eq!(under(fixture, 1, 141, 1000), all[from..]);
    assert_eq!(fixture.store.lasting_under("x", 1, &[0; 16], 9).unwrap(), []);

    assert!(fixture.write(forget(142)));
    let reseal = |from, to| Reseal {
        project: "p".into(),
        from,
        to,
        records: [140, 142, 141]
            .map(|n| Resealed {
                id: id(n),
                record: vec![n, to as u8],
            })
            .into(),
    };
    assert_eq!(fixture.write(reseal(1, 2)), 2, "not what is gone");
    let row = fixture.store.lasting("p", &id(140)).unwrap().unwrap();
    assert_eq!((row.epoch, row.record, row.kept), (2, vec![140, 2], true));
    assert_eq!(fixture.write(reseal(1, 3)), 0, "somebody was faster");
    assert_eq!(under(fixture, 2, 0, 9).len(), 2);
    let foreign = Reseal {
        project: "q".into(),
        ..reseal(2, 3)
    };
    assert_eq!(fixture.write(foreign), 0);
}

fn a_data_key_stays_as_long_as_a_card_needs_it(fixture: &mut Fixture) {
    // Everything that passes is gone.
    while fixture.write(CleanStep {
        now: u64::MAX,
        oldest_hour: 0,
        limit: 500,
    }) != crate::Cleaned::default()
    {}
    let under = fixture.store.sealed_under("p", 1).unwrap();
    assert!(under.passing == 0 && under.lasting > 0, "{under:?}");
    let remove = || KeyChange::RemoveDataKey {
        project: "p".into(),
        epoch: 1,
    };
    assert!(!fixture.write(remove()));
    let rows = fixture.store.lasting_under("p", 1, &[0; 16], 1000).unwrap();
    for row in rows {
        let hash = row.hash.try_into().unwrap();
        assert!(fixture.write(Forget {
            project: "p".into(),
            id: row.id,
            hash
        }));
    }
    assert_eq!(fixture.store.sealed_under("p", 1), Ok(SealedUnder::default()));
    assert!(fixture.write(remove()));
}
