//! `pkg-template/wire.d.ts`: what travels between a shop's server and the service, as TypeScript has it, from the schemas of
//! `wire`. Written by `cargo xtask docs`; the suite `docs` finds a file that is not what the sources say.

mod calls;
mod comment;
mod shape;

use std::collections::{BTreeMap, VecDeque};

use anyhow::{Context as _, Result, ensure};
use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use serde_json::Value;

use calls::{Calls, Family};
use comment::comment;
use shape::Shape;

/// Where the file stands.
pub(crate) const FILE: &str = "pkg-template/wire.d.ts";

/// The file, as it has to be.
pub(crate) fn file() -> Result<String> {
    let mut generators = Generators::new();
    let calls = Calls::read(&mut generators)?;
    let definitions = Definitions {
        requests: generators.requests.take_definitions(true),
        answers: generators.answers.take_definitions(true),
    };
    let mut written: BTreeMap<(String, Side), String> = BTreeMap::new();
    let mut text = format!("{HEAD}\n{}", calls.declared);
    for Family { name, types } in &calls.families {
        text.push_str(&format!("\n// {name}\n"));
        let mut next: VecDeque<(String, Side)> = types.iter().cloned().collect();
        while let Some((name, side)) = next.pop_front() {
            if written.contains_key(&(name.clone(), side)) {
                continue;
            }
            let schema = definitions.find(&name, side)?;
            let mut shape = Shape::new(side);
            let declared = shape.declare(&name, schema)?;
            next.extend(shape.named.into_iter().map(|name| (name, side)));
            let other = written.get(&(name.clone(), side.other()));
            ensure!(
                other.is_none_or(|other| *other == declared),
                "{name} is not the same in requests and in answers, and would be one type in {FILE}"
            );
            if other.is_none() {
                let about = schema["description"].as_str().unwrap_or_default();
                let about = format!("{}\n\n{}", without_constants(about), calls.uses(&name));
                text.push_str(&format!("\n{}{declared}", comment("", about.trim(), &[])));
            }
            written.insert((name, side), declared);
        }
    }
    Ok(text)
}

/// What is said of a type, but for words about the constants that `wire` has for paths: in their place stand the calls.
fn without_constants(about: &str) -> &str {
    let mut names = about.split("[`").skip(1).filter_map(|rest| rest.split_once("`]"));
    let names_one = names.any(|(name, _)| !name.contains(char::is_lowercase));
    if names_one || about == "Body of the request." {
        ""
    } else {
        about
    }
}

/// Who writes what: of requests it is said what may be sent, of answers what comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Request,
    Answer,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Request => Self::Answer,
            Self::Answer => Self::Request,
        }
    }
}

/// Collect the types of either side.
struct Generators {
    requests: SchemaGenerator,
    answers: SchemaGenerator,
}

impl Generators {
    fn new() -> Self {
        let generator = |contract| {
            let settings = SchemaSettings::draft2020_12().with(|settings| settings.contract = contract);
            settings.into_generator()
        };
        Self {
            requests: generator(Contract::Deserialize),
            answers: generator(Contract::Serialize),
        }
    }
}

/// Schemas by name.
struct Definitions {
    requests: serde_json::Map<String, Value>,
    answers: serde_json::Map<String, Value>,
}

impl Definitions {
    /// Words are the same on both sides, and may be known to the other one alone.
    fn find(&self, name: &str, side: Side) -> Result<&Value> {
        let (own, other) = match side {
            Side::Request => (&self.requests, &self.answers),
            Side::Answer => (&self.answers, &self.requests),
        };
        own.get(name)
            .or_else(|| other.get(name).filter(|schema| schema["x-words"].is_object()))
            .with_context(|| format!("there is no schema of {name}"))
    }
}

const HEAD: &str = "\
// Written by `cargo xtask docs` from the types in `crates/wire/src/interface`.

/**
 * What travels between a shop's server and the service. Members have the names of the service's interface. What is asked
 * for has members that may be left out, where `null` says the same; what is answered has all of its members, `null` where
 * there is no value. Further members and words may come with later versions of the service.
 */

/**
 * A sum of money as text, in units of its currency with at most two decimals: `'100'`, `'100.5'`, `'100.50'`. From 0 to
 * 999999999999.99. Answers have two decimals. Never a number, which could not hold every sum.
 */
export type Decimal = string;

/** A time by RFC 3339, with its zone: `'2026-01-31T12:00:00Z'`. Answers are in UTC. */
export type DateTime = string;

/** A day: `'2026-01-31'`. */
export type Day = string;
";

#[cfg(test)]
mod tests {
    use wire::interface::call::CALLS;

    use super::*;

    #[test]
    fn every_call_is_there_and_no_name_of_rust_is_left() {
        let file = file().unwrap();
        for call in CALLS {
            assert!(
                file.contains(&format!("  '{}': {{ params: ", call.name)),
                "{}",
                call.name
            );
        }
        assert!(!file.contains("[`"));
    }

    #[test]
    fn constants_are_not_spoken_of() {
        assert_eq!(without_constants("Body of [`PATH`]."), "");
        assert_eq!(without_constants("See [`Details`]."), "See [`Details`].");
    }
}
