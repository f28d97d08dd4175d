//! Counts in what test programs print.

use super::Outcome;
use crate::run::Finished;

/// What `cargo test` printed: the sum over its test binaries. No test at all is a failure, as is a run that failed
/// without naming a test.
pub(super) fn libtest(finished: &Finished) -> Outcome {
    let mut outcome = Outcome::default();
    for line in finished
        .text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("test result: "))
    {
        outcome.passed += before(line, "passed");
        outcome.failed += before(line, "failed");
    }
    // `test name ... ignored, the reason`; a test without a reason is named itself.
    for line in finished.text.lines().filter(|line| line.starts_with("test ")) {
        if let Some((name, reason)) = line.split_once(" ... ignored") {
            let reason = reason.trim_start_matches(',').trim();
            outcome
                .skipped
                .push(if reason.is_empty() { name } else { reason }.to_owned());
        } else if let Some(name) = line.strip_suffix(" ... FAILED") {
            outcome.notes.push(format!("failed: {}", &name["test ".len()..]));
        }
    }
    settle(outcome, finished)
}

/// What `node --test` printed in its TAP form.
pub(super) fn tap(finished: &Finished) -> Outcome {
    let mut outcome = Outcome::default();
    for line in finished.text.lines() {
        let number = |name: &str| {
            line.strip_prefix(name)
                .and_then(|number| number.trim().parse::<usize>().ok())
        };
        outcome.passed += number("# pass ").unwrap_or(0);
        outcome.failed += number("# fail ").unwrap_or(0) + number("# cancelled ").unwrap_or(0);
        if let Some(named) = line.trim_start().strip_prefix("# second try: ") {
            outcome.notes.push(format!(
                "passed at the second try only, unless listed as failed: {named}"
            ));
        }
        // `not ok 3 - name`
        if let Some((_, name)) = line
            .strip_prefix("not ok ")
            .and_then(|rest| rest.split_once(" - "))
        {
            outcome.notes.push(format!("failed: {name}"));
        }
        // `ok 3 - name # SKIP the reason`
        if let Some((name, reason)) = line.split_once(" # SKIP") {
            let reason = reason.trim();
            outcome
                .skipped
                .push(if reason.is_empty() { name } else { reason }.to_owned());
        }
    }
    settle(outcome, finished)
}

fn settle(mut outcome: Outcome, finished: &Finished) -> Outcome {
    if outcome.failed > 0 {
        outcome.notes.push("what failed is told above".to_owned());
    } else if !finished.success {
        outcome.failed = 1;
        outcome
            .notes
            .push("the run failed without naming a test; see above".to_owned());
    } else if outcome.passed == 0 {
        outcome.failed = 1;
        outcome.notes.push("no test ran, which is not a pass".to_owned());
    }
    outcome
}

/// The number that stands before a word, as in `3 passed; 0 failed`.
fn before(line: &str, word: &str) -> usize {
    let words: Vec<&str> = line.split([' ', ';', '.']).collect();
    words
        .windows(2)
        .find(|pair| pair[1] == word)
        .and_then(|pair| pair[0].parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(success: bool, text: &str) -> Finished {
        Finished {
            success,
            text: text.to_owned(),
        }
    }

    #[test]
    fn counts_are_read() {
        let two = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\nx\n\
                   test result: FAILED. 1 passed; 2 failed; 0 ignored\n";
        let skipped = "ok 1 - a\nok 2 - b # SKIP webkit: cannot\n# pass 1\n# fail 0\n# skipped 1\n";
        let tap_text = "ok 1 - a\n# tests 3\n# pass 2\n# fail 1\n# cancelled 0\n";
        for (name, outcome, passed, failed) in [
            ("two binaries", libtest(&finished(false, two)), 4, 2),
            (
                "tests that say nothing",
                libtest(&finished(true, "no tests to run!")),
                0,
                1,
            ),
            (
                "a run that breaks",
                libtest(&finished(false, "test result: ok. 3 passed; 0 failed")),
                3,
                1,
            ),
            ("tap", tap(&finished(false, tap_text)), 2, 1),
            ("tap, all well", tap(&finished(true, "# pass 2\n# fail 0")), 2, 0),
            ("tap, skipped", tap(&finished(true, skipped)), 1, 0),
            ("tap, nothing", tap(&finished(true, "# pass 0\n# fail 0")), 0, 1),
        ] {
            assert_eq!((outcome.passed, outcome.failed), (passed, failed), "{name}");
        }
    }

    #[test]
    fn second_tries_are_named() {
        let text = "ok 1 - a\n# second try: a: waited in vain\n# pass 1\n# fail 0\n";
        let outcome = tap(&finished(true, text));
        assert_eq!((outcome.passed, outcome.failed), (1, 0));
        assert!(
            outcome.notes[0].ends_with(": a: waited in vain"),
            "{:?}",
            outcome.notes
        );
    }

    #[test]
    fn failures_are_named() {
        let rust =
            "test a::b ... FAILED\ntest c ... ok\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n";
        assert_eq!(libtest(&finished(false, rust)).notes[0], "failed: a::b");
        let node = "ok 1 - a\nnot ok 2 - it breaks - here\n# pass 1\n# fail 1\n";
        assert_eq!(tap(&finished(false, node)).notes[0], "failed: it breaks - here");
    }

    #[test]
    fn skips_are_named() {
        let rust = "test a ... ok\ntest b ... ignored, needs a disk\ntest c ... ignored\n\
                    test result: ok. 1 passed; 0 failed; 2 ignored\n";
        assert_eq!(libtest(&finished(true, rust)).skipped, ["needs a disk", "test c"]);
        let node = "ok 1 - a\nok 2 - b # SKIP webkit: cannot\nok 3 - c # SKIP\n# pass 1\n";
        assert_eq!(tap(&finished(true, node)).skipped, ["webkit: cannot", "ok 3 - c"]);
    }
}
