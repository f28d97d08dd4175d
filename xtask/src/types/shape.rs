//! A JSON Schema as a type of TypeScript.

use anyhow::{Result, bail};
use serde_json::{Map, Value};

use super::Side;
use super::comment::{comment, limits};

/// Writes types of one side, and notes which others they name.
pub(super) struct Shape {
    side: Side,
    /// Types that were named, in the order in which they were.
    pub(super) named: Vec<String>,
}

impl Shape {
    pub(super) fn new(side: Side) -> Self {
        Self {
            side,
            named: Vec::new(),
        }
    }

    /// The declaration of a named type, without its comment.
    pub(super) fn declare(&mut self, name: &str, schema: &Value) -> Result<String> {
        let members = schema["properties"].as_object();
        if let Some((_, tag)) = TAGGED.iter().find(|(tagged, _)| *tagged == name) {
            return Ok(format!("export type {name} =\n{};\n", self.tagged(tag, schema)?));
        }
        if ONE_OF.contains(&name) {
            return Ok(format!("export type {name} =\n{};\n", self.one_of(schema)?));
        }
        if let Some(closed) = name.strip_prefix("Any").filter(|_| schema["x-words"].is_object()) {
            self.named.push(closed.to_owned());
            return Ok(format!("export type {name} = {closed} | (string & {{}});\n"));
        }
        match members {
            Some(members) => Ok(format!(
                "export interface {name} {{\n{}}}\n",
                self.members(schema, members)?
            )),
            None if schema["x-words"].is_object() || schema["oneOf"].is_array() => {
                Ok(format!("export type {name} =\n{};\n", words(schema)))
            }
            None => Ok(format!("export type {name} = {};\n", self.kind(schema)?)),
        }
    }

    /// The type of a value.
    pub(super) fn kind(&mut self, schema: &Value) -> Result<String> {
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.rsplit('/').next().unwrap_or_default();
            self.named.push(name.to_owned());
            return Ok(name.to_owned());
        }
        if let Some(alternatives) = schema["anyOf"].as_array() {
            let mut kinds: Vec<String> = Vec::new();
            for alternative in alternatives {
                let kind = self.kind(alternative)?;
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
            return Ok(kinds.join(" | "));
        }
        if let Some(kinds) = schema["type"].as_array() {
            let mut alternatives = Vec::new();
            for kind in kinds {
                let mut one = schema.clone();
                one["type"] = kind.clone();
                alternatives.push(self.kind(&one)?);
            }
            return Ok(alternatives.join(" | "));
        }
        let kind = schema["type"].as_str().unwrap_or_default();
        Ok(match (kind, schema["format"].as_str()) {
            ("string" | "number", Some("decimal")) => "Decimal".to_owned(),
            ("string", Some("date-time")) => "DateTime".to_owned(),
            ("string", Some("date")) => "Day".to_owned(),
            ("string" | "boolean" | "null", _) => kind.to_owned(),
            ("number" | "integer", _) => "number".to_owned(),
            ("array", _) => {
                let element = self.kind(&schema["items"])?;
                let element = if element.contains(' ') {
                    format!("({element})")
                } else {
                    element
                };
                match self.side {
                    Side::Request => format!("readonly {element}[]"),
                    Side::Answer => format!("{element}[]"),
                }
            }
            ("object", _) if schema["additionalProperties"].is_object() => {
                let value = self.kind(&schema["additionalProperties"])?;
                format!("{{ [name: string]: {value} }}")
            }
            _ => bail!("TypeScript has no type for the schema {schema}"),
        })
    }

    /// Members that are needed in their order, then those that may be absent.
    fn members(&mut self, schema: &Value, members: &Map<String, Value>) -> Result<String> {
        let mut required = required(schema);
        // A row of a report has the columns that were asked for: all of them where nothing is said.
        if self.side == Side::Answer && required.is_empty() {
            required = members.keys().map(String::as_str).collect();
        }
        let needed = required
            .iter()
            .filter_map(|name| Some((*name, members.get(*name)?)));
        let others = members
            .iter()
            .filter(|(name, _)| !required.contains(&name.as_str()));
        let mut text = String::new();
        for (name, member) in needed {
            text.push_str(&self.member(name, member, "", "")?);
        }
        for (name, member) in others {
            // Who compiles with `exactOptionalPropertyTypes` may yet hand on what may be undefined.
            let or = match self.side {
                Side::Request => " | undefined",
                Side::Answer => "",
            };
            text.push_str(&self.member(name, member, "?", or)?);
        }
        Ok(text)
    }

    fn member(&mut self, name: &str, member: &Value, mark: &str, or: &str) -> Result<String> {
        let about = member["description"].as_str().unwrap_or_default();
        let kind = self.kind(member)?;
        Ok(format!(
            "{}  {name}{mark}: {kind}{or};\n",
            comment("  ", about, &limits(member))
        ))
    }

    /// An object whose member `tag` names the one other member that counts.
    fn tagged(&mut self, tag: &str, schema: &Value) -> Result<String> {
        let mut arms = Vec::new();
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            if name == tag {
                continue;
            }
            let about = member["description"].as_str().unwrap_or_default();
            let kind = self.kind(member)?;
            let kind = kind.trim_end_matches(" | null");
            let needed = NEEDED.iter().find(|(arm, _)| arm == name);
            let more = needed.map_or_else(String::new, |(_, member)| format!(" & {{ {member}: string }}"));
            arms.push(format!(
                "{}  | {{ {tag}: '{name}'; {name}: {kind}{more} }}",
                comment("  ", about, &[])
            ));
        }
        Ok(arms.join("\n"))
    }

    /// An object with exactly one of its members.
    fn one_of(&mut self, schema: &Value) -> Result<String> {
        let members = schema["properties"].as_object();
        let names: Vec<&String> = members.into_iter().flat_map(Map::keys).collect();
        let mut arms = Vec::new();
        for (name, member) in members.into_iter().flatten() {
            let about = member["description"].as_str().unwrap_or_default();
            let kind = self.kind(member)?;
            let kind = kind.trim_end_matches(" | null");
            let others: String = names
                .iter()
                .filter(|other| **other != name)
                .map(|other| format!("; {other}?: undefined"))
                .collect();
            arms.push(format!(
                "{}  | {{ {name}: {kind}{others} }}",
                comment("  ", about, &limits(member))
            ));
        }
        Ok(arms.join("\n"))
    }
}

fn required(schema: &Value) -> Vec<&str> {
    let names = schema["required"].as_array().into_iter().flatten();
    names.filter_map(Value::as_str).collect()
}

/// The words of a list, with their meanings, and any other where the list is open. Those of an enum of Rust may grow.
fn words(schema: &Value) -> String {
    let list = |name: &str| schema[name].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_open = !schema["enum"].is_array();
    let described = list("enum").iter().chain(list("examples")).filter_map(|word| {
        let word = word.as_str()?;
        Some((word, schema["x-words"][word].as_str()))
    });
    let of_enum = list("oneOf")
        .iter()
        .filter_map(|word| Some((word["const"].as_str()?, word["description"].as_str())));
    let mut lines: Vec<String> = described
        .chain(of_enum)
        .map(|(word, about)| format!("{}  | '{word}'", comment("  ", about.unwrap_or_default(), &[])))
        .collect();
    if is_open {
        lines.push(format!(
            "{}  | (string & {{}})",
            comment("  ", "A word of a later version.", &[])
        ));
    }
    lines.join("\n")
}

/// Objects of which one member says which other one counts. The service takes more besides; there is no use in sending it.
const TAGGED: [(&str, &str); 2] = [("PaymentMethod", "type"), ("PayoutRecipient", "payout_type")];

/// Of such an object, what the other one needs besides.
const NEEDED: [(&str, &str); 1] = [("cash", "phone")];

/// Objects with exactly one of their members.
const ONE_OF: [&str; 1] = ["CardData"];
