//! Doc comments: what a schema says of a value in words, and its limits.

use serde_json::Value;

/// A comment before a declaration, `indent` deep, with further sentences behind the first ones. Nothing where nothing is said.
pub(super) fn comment(indent: &str, about: &str, limits: &[String]) -> String {
    let about = linked(about);
    let mut paragraphs: Vec<String> = about.split("\n\n").map(|part| words(part, "")).collect();
    if let Some(first) = paragraphs.first_mut() {
        *first = words(first, &limits.join(" "));
    }
    paragraphs.retain(|part| !part.is_empty());
    let width = 118 - indent.len();
    match paragraphs.as_slice() {
        [] => String::new(),
        [one] if one.chars().count() + 7 <= width => format!("{indent}/** {one} */\n"),
        many => {
            let lines: Vec<String> = many
                .iter()
                .map(|part| wrap(part, width - 3, &format!("{indent} * ")))
                .collect();
            format!(
                "{indent}/**\n{}{indent} */\n",
                lines.join(&format!("{indent} *\n"))
            )
        }
    }
}

/// The limits of a value as sentences.
pub(super) fn limits(schema: &Value) -> Vec<String> {
    // Of a value that may be absent, those of the value.
    if let Some(alternatives) = schema["anyOf"].as_array() {
        let present = alternatives.iter().find(|schema| schema["type"] != "null");
        return present.map(limits).unwrap_or_default();
    }
    let number = |name: &str| schema[name].as_u64();
    let mut sentences = Vec::new();
    if schema["format"] == "uri" {
        sentences.push("Absolute `https:` or `http:` address, at most 2048 characters.".to_owned());
    } else if let Some(range) = range(number("minLength"), number("maxLength")) {
        sentences.push(format!("{range} characters."));
    }
    if let Some(range) = range(number("minItems"), number("maxItems")) {
        sentences.push(format!("{range} elements."));
    }
    if let Some(most) = number("maxProperties") {
        let longest = |part: &str| schema[part]["maxLength"].as_u64().unwrap_or_default();
        let (name, text) = (longest("propertyNames"), longest("additionalProperties"));
        sentences.push(format!(
            "At most {most} names of at most {name} characters, with texts of at most {text}."
        ));
    }
    // Answers hold what fits their integers, which says nothing.
    if schema["format"].is_null()
        && let Some(range) = range(number("minimum"), number("maximum"))
    {
        let from = if range.starts_with("At") { "" } else { "From " };
        sentences.push(format!("{from}{range}."));
    }
    if schema["pattern"].is_string()
        && let Some(examples) = schema["examples"].as_array()
    {
        let examples: Vec<String> = examples.iter().map(|example| format!("`{example}`")).collect();
        sentences.push(format!("Such as {}.", examples.join(", ")));
    }
    sentences
}

fn range(least: Option<u64>, most: Option<u64>) -> Option<String> {
    match (least.unwrap_or_default(), most?) {
        (0, most) => Some(format!("At most {most}")),
        (least, most) => Some(format!("{least} to {most}")),
    }
}

/// Names of other types become links, those of constants of Rust go with their brackets.
fn linked(about: &str) -> String {
    let mut parts = about.split("[`");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("`]").unwrap_or((part, ""));
        if name.chars().any(char::is_lowercase) {
            text.push_str(&format!("{{@link {name}}}{rest}"));
        } else {
            text.push_str(&format!("`{name}`{rest}"));
        }
    }
    text
}

fn words(part: &str, more: &str) -> String {
    part.split_whitespace()
        .chain(more.split_whitespace())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Words, where a piece of code is one.
fn unbroken(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match words.last_mut() {
            Some(last) if last.matches('`').count() % 2 == 1 => last.push_str(&format!(" {word}")),
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// Lines of at most `width` characters, each behind `start`.
fn wrap(text: &str, width: usize, start: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in unbroken(text) {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push_str(&format!("{start}{line}\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    lines + &format!("{start}{line}\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn comments_are_wrapped_and_hold_the_limits() {
        assert_eq!(comment("", "", &[]), "");
        assert_eq!(
            comment("  ", "Its name.", &["1 to 255 characters.".to_owned()]),
            "  /** Its name. 1 to 255 characters. */\n"
        );
        let long = "word ".repeat(40);
        let told = comment("  ", &format!("{long}\n\nSecond."), &["At most 3.".to_owned()]);
        assert!(told.starts_with("  /**\n   * word word"), "{told}");
        assert!(
            told.ends_with("word At most 3.\n   *\n   * Second.\n   */\n"),
            "{told}"
        );
        assert!(told.lines().all(|line| line.len() <= 118), "{told}");
    }

    #[test]
    fn limits_are_sentences() {
        for (schema, told) in [
            (
                json!({ "minLength": 1, "maxLength": 255 }),
                "1 to 255 characters.",
            ),
            (
                json!({ "anyOf": [{ "minLength": 0, "maxLength": 9 }, { "type": "null" }] }),
                "At most 9 characters.",
            ),
            (json!({ "minimum": 5, "maximum": 720 }), "From 5 to 720."),
            (json!({ "minItems": 1, "maxItems": 10 }), "1 to 10 elements."),
            (json!({ "format": "uint32", "minimum": 0, "maximum": 9 }), ""),
            (
                json!({ "pattern": "^[0-9]$", "examples": ["1", "2"] }),
                "Such as `\"1\"`, `\"2\"`.",
            ),
        ] {
            assert_eq!(limits(&schema).join(" "), told);
        }
    }

    #[test]
    fn names_of_types_are_links() {
        assert_eq!(
            linked("See [`Details`], and [`PATH`]."),
            "See {@link Details}, and `PATH`."
        );
    }
}
