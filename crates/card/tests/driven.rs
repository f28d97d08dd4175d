//! The form driven by bytes, as the fuzzer drives it: some thousand sessions in each test run.

#[cfg(test)]
#[path = "../../../tests/fuzz/driver.rs"]
mod driver;
#[cfg(test)]
#[path = "../../../tests/fuzz/seeds.rs"]
mod seeds;

use std::path::Path;

use card_widget_card::Brand;
use driver::ops::{Op, decode, encode};
use driver::run;
use proptest::prelude::*;

/// xorshift64: the same sessions in each run.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn sessions_of_any_bytes() {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..150 {
        let len = random(&mut state) % 160;
        let bytes: Vec<u8> = (0..len).map(|_| random(&mut state) as u8).collect();
        run(&bytes);
    }
}

/// Mostly digits, as people type them, in one field for a while.
#[test]
fn sessions_of_likely_bytes() {
    let mut state = 0x2545_f491_4f6c_dd1d;
    for _ in 0..150 {
        let mut bytes = vec![88 + (random(&mut state) % 3) as u8];
        for _ in 0..random(&mut state) % 120 {
            let random = random(&mut state);
            bytes.push(match random % 16 {
                0 => 64,
                1..=3 => 72 + (random >> 8) as u8 % 7,
                4 => 82 + (random >> 8) as u8 % 2,
                5 => 88 + (random >> 8) as u8 % 9,
                _ => (random >> 8) as u8 % 32,
            });
        }
        run(&bytes);
    }
}

/// The sessions of the vectors, and each of them cut short and spoilt in places.
#[test]
fn sessions_of_the_vectors() {
    let sessions = seeds::sessions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/typing"));
    assert!(sessions.len() > 200);
    let mut state = 0x1234_5678_9abc_def1;
    for (_, ops) in sessions {
        let seed = encode(&ops);
        run(&seed);
        for _ in 0..4 {
            let mut bytes = seed.clone();
            for _ in 0..3 {
                let at = random(&mut state) as usize % bytes.len();
                bytes[at] = random(&mut state) as u8;
            }
            run(&bytes);
        }
    }
}

/// Found by an hour of fuzzing: the gap that is deleted changes no text, and yet ends what was refused before.
#[test]
fn a_gap_deleted_after_a_refusal() {
    // Of a brand that is not taken, which whoever deletes in the middle may yet mend: no error is left.
    let others = Op::Restrict(1 << Brand::Visa as u16);
    let full = Op::Insert("7".repeat(32));
    let one_more = Op::Insert("1".into());
    run(&encode(&[
        others,
        full,
        one_more,
        Op::Select(4, 5),
        Op::Delete(3),
    ]));
}

proptest! {
    /// Other ones in each run; what fails is made small.
    #[test]
    fn any_session(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        run(&bytes);
    }
}

#[test]
fn what_is_written_is_read_again() {
    let mut state = 0xdead_beef_cafe_f00d;
    for _ in 0..500 {
        let bytes: Vec<u8> = (0..60).map(|_| random(&mut state) as u8).collect();
        let ops = decode(&bytes);
        assert_eq!(decode(&encode(&ops)), ops);
    }
}
