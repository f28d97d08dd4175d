//! Writes the table of calls as Rust: addresses, what they take, and which numbers of their answers are amounts. All of it is
//! read off the types of `wire`; what this program does not understand fails the build.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::{env, fs};

use anyhow::{Context as _, Result, bail};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use wire::interface::call::{CALLS, Call, Visitor, visit};
use wire::interface::payout::PayoutCallback;
use wire::interface::subscription::SubscriptionCallback;

fn main() -> Result<()> {
    // What the table is made of is code, which cargo follows by itself.
    println!("cargo::rerun-if-changed=build.rs");
    let mut table = String::from("pub(crate) static CALLS: &[Call] = &[\n");
    for entry in CALLS {
        let types = visit(entry.name, Schemas).context(entry.name)?;
        write!(
            table,
            "    Call {{\n        entry: &wire::interface::call::CALLS[{}],\n",
            place(entry.name)?
        )?;
        for (name, schema) in [
            ("path", &types.path),
            ("query", &types.query),
            ("body", &types.body),
        ] {
            let members = members(schema).context(entry.name)?;
            writeln!(table, "        {name}: &{members},")?;
        }
        writeln!(table, "        answer: {},", answer(&types.answer))?;
        writeln!(table, "        amounts: {},\n    }},", amounts(&[&types.answer]))?;
    }
    table.push_str("];\n\n");
    let callbacks = [written::<PayoutCallback>(), written::<SubscriptionCallback>()];
    let installment = visit("installments.info", Schemas)
        .context("installments.info")?
        .answer;
    let [payout, subscription] = &callbacks;
    writeln!(
        table,
        "pub(crate) static OF_CALLBACKS: &[&str] = {};",
        amounts(&[payout, subscription, &installment])
    )?;
    let path = std::path::Path::new(&env::var_os("OUT_DIR").context("OUT_DIR")?).join("table.rs");
    fs::write(path, table)?;
    Ok(())
}

fn place(name: &str) -> Result<usize> {
    CALLS.iter().position(|call| call.name == name).context("a call")
}

struct Types {
    path: Value,
    query: Value,
    body: Value,
    answer: Value,
}

struct Schemas;

impl Visitor for Schemas {
    type Output = Types;

    fn visit<C: Call>(self) -> Types {
        Types {
            path: read::<C::Path>(),
            query: read::<C::Query>(),
            body: read::<C::Body>(),
            answer: written::<C::Answer>(),
        }
    }
}

fn read<T: schemars::JsonSchema>() -> Value {
    schema::<T>(SchemaSettings::default().for_deserialize())
}

fn written<T: schemars::JsonSchema>() -> Value {
    schema::<T>(SchemaSettings::default().for_serialize())
}

fn schema<T: schemars::JsonSchema>(settings: SchemaSettings) -> Value {
    let inline = settings.with(|settings| settings.inline_subschemas = true);
    SchemaGenerator::new(inline)
        .into_root_schema_for::<T>()
        .to_value()
}

/// The members of an object, as Rust.
fn members(schema: &Value) -> Result<String> {
    let none = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none);
    let required: Vec<&str> = texts(&schema["required"]);
    let mut rust = String::from("[");
    for (name, schema) in properties {
        let shape = shape(schema).with_context(|| name.clone())?;
        let required = required.contains(&&**name);
        write!(
            rust,
            "Member {{ name: {name:?}, required: {required}, shape: {shape} }}, "
        )?;
    }
    rust.push(']');
    Ok(rust)
}

/// A shape, as Rust.
fn shape(schema: &Value) -> Result<String> {
    if let Some(choices) = schema["anyOf"].as_array() {
        let some: Vec<&Value> = choices.iter().filter(|choice| choice["type"] != "null").collect();
        return match *some.as_slice() {
            [one] => shape(one),
            [number, _] if number["multipleOf"] == 0.01 => Ok("Shape::Amount".to_owned()),
            [moment, day] if moment["format"] == "date-time" && day["format"] == "date" => {
                Ok("Shape::DayOrMoment".to_owned())
            }
            _ => bail!("no way to tell what this is: {schema}"),
        };
    }
    let kinds = match &schema["type"] {
        Value::String(one) => vec![&**one],
        several => texts(several)
            .into_iter()
            .filter(|kind| *kind != "null")
            .collect(),
    };
    let bound = |name: &str, otherwise: u64| schema[name].as_u64().unwrap_or(otherwise);
    Ok(match *kinds.as_slice() {
        ["string"] => match (
            &schema["enum"],
            schema["format"].as_str(),
            schema["pattern"].as_str(),
        ) {
            (Value::Array(_), ..) => format!("Shape::Word(&{:?})", words(schema)),
            (_, Some("uri"), _) => "Shape::Address".to_owned(),
            (_, Some("date-time"), _) => "Shape::Moment".to_owned(),
            (_, Some("date"), _) => "Shape::Day".to_owned(),
            (_, Some(format), _) => bail!("an unknown format, {format}"),
            (_, _, Some("^[A-Z]{3}$")) => "Shape::Currency".to_owned(),
            // Patterns that are rare are the service's to judge.
            (_, _, Some(_)) => "Shape::Text { min: 1, max: 255 }".to_owned(),
            _ => format!(
                "Shape::Text {{ min: {}, max: {} }}",
                bound("minLength", 0),
                bound("maxLength", u32::MAX.into())
            ),
        },
        ["boolean"] => "Shape::Flag".to_owned(),
        ["integer"] => {
            let allowed: Vec<u64> = schema["enum"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_u64)
                .collect();
            let min = allowed.iter().min().copied().unwrap_or(bound("minimum", 0));
            let max = allowed
                .iter()
                .max()
                .copied()
                .unwrap_or(bound("maximum", u32::MAX.into()));
            format!("Shape::Whole {{ min: {min}, max: {max} }}")
        }
        ["array"] => format!(
            "Shape::List {{ of: &{}, min: {}, max: {} }}",
            shape(&schema["items"])?,
            bound("minItems", 0),
            bound("maxItems", u32::MAX.into())
        ),
        ["object"] if schema["additionalProperties"].is_object() => format!(
            "Shape::Words {{ most: {}, name: {}, text: {} }}",
            schema["maxProperties"],
            schema["propertyNames"]["maxLength"],
            schema["additionalProperties"]["maxLength"]
        ),
        ["object"] => format!("Shape::Object(&{})", members(schema)?),
        _ => bail!("no way to tell what this is: {schema}"),
    })
}

fn words(schema: &Value) -> Vec<&str> {
    texts(&schema["enum"]).into_iter().collect()
}

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// What an answer is, as Rust.
fn answer(schema: &Value) -> String {
    let names = |schema: &Value| -> Vec<String> {
        schema["properties"]
            .as_object()
            .into_iter()
            .flat_map(Map::keys)
            .cloned()
            .collect()
    };
    match schema["type"].as_str() {
        Some("array") => "Answer::List".to_owned(),
        _ if names(schema).is_empty() => "Answer::Nothing".to_owned(),
        _ => format!("Answer::Object(&{:?})", names(schema)),
    }
}

/// Names of the members that are amounts written as numbers, as Rust.
fn amounts(schemas: &[&Value]) -> String {
    fn collect(name: &str, schema: &Value, found: &mut BTreeSet<String>) {
        if schema["type"] == "number" || texts(&schema["type"]).contains(&"number") {
            found.insert(name.to_owned());
        }
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            collect(name, member, found);
        }
        for inner in schema["anyOf"]
            .as_array()
            .into_iter()
            .flatten()
            .chain([&schema["items"]])
        {
            if inner.is_object() {
                collect(name, inner, found);
            }
        }
    }
    let mut found = BTreeSet::new();
    for schema in schemas {
        collect("", schema, &mut found);
    }
    format!("&{:?}", found.into_iter().collect::<Vec<_>>())
}
