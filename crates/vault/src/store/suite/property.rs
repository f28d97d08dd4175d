//! Random work against a model: whatever comes in whatever order, every store answers as the model does, and holds what the
//! model holds.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::*;

mod model;

use model::{Model, Names};

/// One thing to do. Numbers choose among few names, so that they meet; those of tokens and cards count from the newest.
#[derive(Clone, Debug)]
enum Step {
    Issue {
        project: u8,
        nonce: Option<u8>,
        key: Option<u8>,
        code: bool,
        late: bool,
    },
    /// The same change once more, as after a commit whose answer was lost.
    IssueAgain(u8),
    /// Several in one batch.
    Reserve(Vec<Redeem>),
    Settle {
        project: u8,
        operation: u8,
        outcome: bool,
    },
    Forget {
        card: u8,
        wrong: Option<bool>,
    },
    /// A card that is saved by several operations at once, each with a token of its own; how they end, if they do.
    Save {
        project: u8,
        card: u8,
        outcomes: Vec<Option<bool>>,
    },
    Wait(u64),
    Clean {
        seconds: u64,
        limit: usize,
    },
    Rotate(u8),
    Reseal {
        project: u8,
        back: u8,
        limit: usize,
        /// Of what somebody else has sealed anew meanwhile.
        stale: bool,
    },
    RemoveKey {
        project: u8,
        back: u8,
    },
}

#[derive(Clone, Debug)]
struct Redeem {
    project: u8,
    operation: u8,
    token: u8,
    lasting: bool,
    save: Option<u8>,
    late: bool,
}

fn step() -> impl Strategy<Value = Step> {
    let project = || prop_oneof![4 => Just(0u8), 1 => Just(1u8)];
    let some = |weight, most| proptest::option::weighted(weight, 0..most);
    let redeem = (
        project(),
        0..8u8,
        0..4u8,
        any::<bool>(),
        some(0.7, 2u8),
        any::<bool>(),
    )
        .prop_map(|(project, operation, token, lasting, save, late)| Redeem {
            project,
            operation,
            token,
            lasting,
            save,
            late,
        });
    prop_oneof![
        5 => (project(), some(0.4, 4), some(0.4, 3), any::<bool>(), any::<bool>()).prop_map(
            |(project, nonce, key, code, late)| Step::Issue { project, nonce, key, code, late }
        ),
        1 => (0..4u8).prop_map(Step::IssueAgain),
        7 => vec(redeem, 1..4).prop_map(Step::Reserve),
        5 => (project(), 0..8u8, any::<bool>())
            .prop_map(|(project, operation, outcome)| Step::Settle { project, operation, outcome }),
        3 => (project(), 0..2u8, vec(proptest::option::weighted(0.8, any::<bool>()), 1..4))
            .prop_map(|(project, card, outcomes)| Step::Save { project, card, outcomes }),
        1 => (0..4u8, proptest::option::weighted(0.2, any::<bool>()))
            .prop_map(|(card, wrong)| Step::Forget { card, wrong }),
        2 => prop_oneof![1..700u64, Just(600), Just(3600)].prop_map(Step::Wait),
        2 => (prop_oneof![Just(0u64), 1..700u64, Just(3600), Just(7200)], 1..4usize)
            .prop_map(|(seconds, limit)| Step::Clean { seconds, limit }),
        2 => project().prop_map(Step::Rotate),
        2 => (project(), 0..3u8, 1..4usize, any::<bool>())
            .prop_map(|(project, back, limit, stale)| Step::Reseal { project, back, limit, stale }),
        2 => (project(), 1..3u8).prop_map(|(project, back)| Step::RemoveKey { project, back }),
    ]
}

/// So many random cases on one store, each under names of its own; everything is read after every so many steps, and at
/// the end of a case. `PROPTEST_CASES` asks for more of them.
pub(in super::super) fn run(database: &dyn Database, cases: u32, every: usize) {
    let fixture = RefCell::new(Fixture::open(database));
    let next = AtomicU32::new(0);
    let asked = std::env::var("PROPTEST_CASES").ok();
    let config = Config {
        cases: asked.and_then(|count| count.parse().ok()).unwrap_or(cases),
        failure_persistence: None,
        max_shrink_iters: 400,
        ..Config::default()
    };
    let told = TestRunner::new(config).run(&vec(step(), 1..60), |steps| {
        let mut fixture = fixture.borrow_mut();
        let names = Names(next.fetch_add(1, Ordering::Relaxed));
        let mut model = Model::begin(names, &mut fixture);
        for steps in steps.chunks(every) {
            for step in steps {
                apply(&mut model, &mut fixture, step);
            }
            model.compare(&*fixture.store);
        }
        Ok(())
    });
    told.unwrap_or_else(|error| panic!("{error}"));
}

/// Does it on both sides and compares what each is told.
fn apply(model: &mut Model, fixture: &mut Fixture, step: &Step) {
    match step {
        Step::Issue {
            project,
            nonce,
            key,
            code,
            late,
        } => {
            let token = model.new_token(*project, *nonce, *key, *code, *late);
            let expected = model.issue(&token);
            assert_eq!(fixture.write(model::again(&token)), expected);
            model.remember(token, expected);
        }
        Step::IssueAgain(back) => {
            if let Some(token) = model.issued_before(*back) {
                assert_eq!(fixture.write(token), WriteVerdict::Written);
            }
        }
        Step::Reserve(redeems) => {
            let operations: Vec<_> = redeems
                .iter()
                .filter_map(|one| model.new_operation(one))
                .collect();
            let expected: Vec<_> = operations.iter().map(|one| Ok(model.reserve(one))).collect();
            assert_eq!(fixture.write_all(operations), expected);
        }
        Step::Settle {
            project,
            operation,
            outcome,
        } => {
            let settlement = || Settlement {
                project: model.names.project(*project),
                operation: format!("op-{operation}"),
                outcome: if *outcome {
                    Outcome::UsedUp
                } else {
                    Outcome::Released
                },
            };
            let settlement = (settlement(), settlement());
            let expected = model.settle(&settlement.0);
            assert_eq!(fixture.write(settlement.1), expected);
        }
        Step::Forget { card, wrong } => {
            let Some(forget) = model.forgetting(*card, *wrong) else {
                return;
            };
            let expected = model.forget(&forget);
            assert_eq!(fixture.write(forget), expected);
        }
        Step::Save {
            project,
            card,
            outcomes,
        } => {
            let operation = |n: usize| 100 + 4 * *card + n as u8;
            for n in 0..outcomes.len() {
                let token = model.new_token(*project, None, None, true, false);
                let expected = model.issue(&token);
                assert_eq!(fixture.write(model::again(&token)), expected);
                model.remember(token, expected);
                let redeem = Redeem {
                    project: *project,
                    operation: operation(n),
                    token: 0,
                    lasting: false,
                    save: Some(*card),
                    late: true,
                };
                apply(model, fixture, &Step::Reserve(vec![redeem]));
            }
            for (n, outcome) in outcomes.iter().enumerate() {
                let Some(outcome) = *outcome else { continue };
                let settle = Step::Settle {
                    project: *project,
                    operation: operation(n),
                    outcome,
                };
                apply(model, fixture, &settle);
            }
        }
        Step::Wait(seconds) => model.now += seconds,
        Step::Clean { seconds, limit } => {
            model.now += seconds;
            let step = CleanStep {
                now: model.now,
                oldest_hour: (model.now / 3600).saturating_sub(1),
                limit: *limit,
            };
            model.clean(&step);
            while fixture.write(step) != crate::Cleaned::default() {}
        }
        Step::Rotate(project) => {
            let row = model.rotate(*project);
            assert!(fixture.write(KeyChange::AddDataKey(row)));
        }
        Step::Reseal {
            project,
            back,
            limit,
            stale,
        } => {
            let project = model.names.project(*project);
            let newest = model.newest(&project);
            let from = newest.saturating_sub(u32::from(*back)).max(1);
            let due = fixture
                .store
                .lasting_under(&project, from, &[0; 16], *limit)
                .unwrap();
            let reseal = || Reseal {
                project: project.clone(),
                from: from + u32::from(*stale),
                to: newest,
                records: due
                    .iter()
                    .map(|row| Resealed {
                        id: row.id,
                        record: [&row.record[..], &[newest as u8]].concat(),
                    })
                    .collect(),
            };
            let expected = model.reseal(&reseal());
            assert_eq!(fixture.write(reseal()), expected);
            assert_eq!(expected, if *stale { 0 } else { due.len() });
        }
        Step::RemoveKey { project, back } => {
            let project = model.names.project(*project);
            let Some(epoch) = model.newest(&project).checked_sub(u32::from(*back)) else {
                return;
            };
            let expected = model.remove_key(&project, epoch);
            assert_eq!(
                fixture.write(KeyChange::RemoveDataKey { project, epoch }),
                expected
            );
        }
    }
}
