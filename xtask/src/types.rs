//! `pkg-template/wire.d.ts`: what travels between a shop's server and the service, as TypeScript has it, from the schemas of
//! `wire`. Written by `cargo xtask docs`; the suite `docs` finds a file that is not what the sources say.

mod calls;
mod comment;
mod shape;

use std::collections::{BTreeMap, VecDeque};

use anyhow::{Context as _, Result, ensure};
use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use serde_json::Value;

use calls::Root;
use comment::comment;
use shape::Shape;

/// Where the file stands.
pub(crate) const FILE: &str = "pkg-template/wire.d.ts";

/// The file, as it has to be.
pub(crate) fn file() -> Result<String> {
    let mut generators = Generators::new();
    let roots = calls::roots(&mut generators);
    let definitions = Definitions {
        requests: generators.requests.take_definitions(true),
        answers: generators.answers.take_definitions(true),
    };
    let mut written: BTreeMap<(String, Side), String> = BTreeMap::new();
    let mut text = String::from(HEAD);
    for Root { title, types } in roots {
        text.push_str(&format!("\n// {title}\n"));
        let mut next: VecDeque<(String, Side)> = types.into();
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
                text.push_str(&format!("\n{}{declared}", comment("", about, &[])));
            }
            written.insert((name, side), declared);
        }
    }
    Ok(text)
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
    fn find(&self, name: &str, side: Side) -> Result<&Value> {
        let definitions = match side {
            Side::Request => &self.requests,
            Side::Answer => &self.answers,
        };
        definitions
            .get(name)
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
