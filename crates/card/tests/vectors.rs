//! The vectors of `tests/vectors/card/`, which JavaScript reads as well.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use card_widget_card::digits::{Class, class};
use card_widget_card::expiry::parse;
use card_widget_card::{
    Brand, Card, CardError, CodeLength, ErrorId, Expiry, Field, Form, FormKind, Pan, State, UnixSeconds,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// 2026-11-21T00:00:00Z, as in the files.
const NOW: UnixSeconds = UnixSeconds(1_795_219_200);

#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct File<T> {
    cases: Vec<T>,
    #[serde(default)]
    now: Option<u64>,
}

#[expect(
    clippy::unwrap_used,
    reason = "a helper of tests: the lint knows only the tests themselves"
)]
fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/vectors/card")
        .join(name);
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Runs every case and names all that fail, so that one run tells the whole story.
fn each<T: DeserializeOwned>(file: &str, run: impl Fn(&T) -> Result<(), String>) {
    let file: File<T> = read(file);
    if let Some(now) = file.now {
        assert_eq!(now, NOW.0);
    }
    assert!(file.cases.len() > 5);
    let failed: Vec<_> = file.cases.iter().filter_map(|case| run(case).err()).collect();
    assert!(
        failed.is_empty(),
        "{} failed:\n{}",
        failed.len(),
        failed.join("\n")
    );
}

fn same<T: PartialEq + std::fmt::Debug>(name: &str, what: &str, got: T, want: T) -> Result<(), String> {
    if got == want {
        Ok(())
    } else {
        Err(format!("{name}: {what} is {got:?}, should be {want:?}"))
    }
}

fn key(error: Option<ErrorId>) -> Option<&'static str> {
    error.map(ErrorId::text_key)
}

fn card_error_id(error: CardError) -> &'static str {
    match error {
        CardError::NumberCharacters => "number_characters",
        CardError::NumberLength => "number_length",
        CardError::NumberCheckDigit => "number_check_digit",
        CardError::NumberRepeated => "number_repeated",
        CardError::CodeCharacters => "code_characters",
        CardError::CodeLength => "code_length",
        CardError::Missing(Field::Number) => "missing_number",
        _ => "other",
    }
}

#[test]
fn numbers() {
    #[derive(Deserialize)]
    struct Case {
        name: String,
        digits: String,
        brand: Option<String>,
        state: Option<String>,
        error: Option<String>,
        left: Option<String>,
        strict: Option<String>,
    }
    each("numbers.json", |case: &Case| {
        let name = &case.name;
        let strict = Card::parse(&case.digits, None, None, FormKind::PanOnly, NOW);
        same(
            name,
            "strict",
            strict.err().map(card_error_id),
            case.strict.as_deref(),
        )?;
        let Some(state) = &case.state else { return Ok(()) };
        let mut form = Form::new(FormKind::PanOnly, NOW);
        form.input(Field::Number, &case.digits, case.digits.len());
        same(name, "brand", form.brand().map(Brand::id), case.brand.as_deref())?;
        let view = form.view(Field::Number);
        same(name, "state", view.state.id(), state)?;
        let hard = case.error.as_deref().filter(|_| state == "invalid");
        same(name, "error while typing", key(view.error), hard)?;
        form.blur(Field::Number);
        let view = form.view(Field::Number);
        same(
            name,
            "state after leaving",
            Some(view.state.id()),
            case.left.as_deref(),
        )?;
        let left = case.error.as_deref().filter(|error| *error != "number_empty");
        same(name, "error after leaving", key(view.error), left)?;
        let submitted = form.submit(NOW);
        same(name, "submit", submitted.is_ok(), state == "valid")?;
        same(
            name,
            "error after submit",
            key(form.view(Field::Number).error),
            case.error.as_deref(),
        )
    });
}

#[test]
fn masks() {
    #[derive(Deserialize)]
    struct Case {
        name: String,
        digits: String,
        mask: String,
    }
    each("masks.json", |case: &Case| {
        same(
            &case.name,
            "mask",
            Pan::new(&case.digits).unwrap().mask(),
            case.mask.clone(),
        )
    });
}

#[test]
fn brands() {
    #[derive(Deserialize)]
    struct Case {
        name: String,
        digits: String,
        candidates: Vec<String>,
        decided: Option<String>,
        #[serde(default)]
        choices: Vec<String>,
        code: String,
    }
    each("brands.json", |case: &Case| {
        let mut form = Form::new(FormKind::FullCard, NOW);
        form.input(Field::Number, &case.digits, case.digits.len());
        let found: Vec<_> = form
            .candidates()
            .iter()
            .map(|brand| brand.id().to_owned())
            .collect();
        same(&case.name, "candidates", found, case.candidates.clone())?;
        same(
            &case.name,
            "decided",
            form.brand().map(Brand::id),
            case.decided.as_deref(),
        )?;
        let choices: Vec<_> = form.choices().iter().map(|brand| brand.id().to_owned()).collect();
        same(&case.name, "choices", choices, case.choices.clone())?;
        let code = match form.code_length() {
            CodeLength::Three => "three",
            CodeLength::Four => "four",
            CodeLength::ThreeOrFour => "three_or_four",
        };
        same(&case.name, "code", code, &case.code)
    });
}

#[test]
fn expiry_texts() {
    #[derive(Deserialize)]
    struct Case {
        name: String,
        text: String,
        year: Option<u16>,
        month: Option<u8>,
        error: Option<String>,
    }
    each("expiry.json", |case: &Case| {
        let found = parse(&case.text, NOW);
        same(&case.name, "error", key(found.err()), case.error.as_deref())?;
        same(&case.name, "year", found.ok().map(|date| date.year), case.year)?;
        same(&case.name, "month", found.ok().map(|date| date.month), case.month)?;
        // Pasted into the form, a good date comes out of a submit.
        if let (Some(year), Some(month)) = (case.year, case.month) {
            let mut form = Form::new(FormKind::FullCard, NOW);
            form.input(Field::Number, "4242424242424242", 16);
            form.input(Field::Expiry, &case.text, case.text.encode_utf16().count());
            form.input(Field::Code, "123", 3);
            let text = format!("{month:02}/{:02}", year % 100);
            same(&case.name, "text", form.view(Field::Expiry).text, text.as_str())?;
            let date = form.submit(NOW).unwrap().expiry.unwrap();
            same(&case.name, "submitted", (date.year, date.month), (year, month))?;
        }
        Ok(())
    });
}

#[test]
fn expiry_ends() {
    #[derive(Deserialize)]
    struct Case {
        name: String,
        now: u64,
        year: u16,
        month: u8,
        error: Option<String>,
    }
    each("expiry_ends.json", |case: &Case| {
        let found = Expiry::new(case.year, case.month, UnixSeconds(case.now));
        same(&case.name, "error", key(found.err()), case.error.as_deref())
    });
}

#[test]
fn codes() {
    #[derive(Deserialize)]
    struct Case {
        name: String,
        number: String,
        code: String,
        state: String,
        error: Option<String>,
        #[serde(default)]
        strict: Option<String>,
    }
    each("codes.json", |case: &Case| {
        let mut form = Form::new(FormKind::FullCard, NOW);
        // The code first: it is judged anew when the number says the brand.
        form.input(Field::Code, &case.code, case.code.len());
        form.input(Field::Number, &case.number, case.number.len());
        form.submit(NOW).err();
        let view = form.view(Field::Code);
        same(&case.name, "state", view.state.id(), &case.state)?;
        same(&case.name, "error", key(view.error), case.error.as_deref())?;
        if case.number.len() > 11 {
            let found = Card::parse(
                &case.number,
                Some((1, 2029)),
                Some(&case.code),
                FormKind::FullCard,
                NOW,
            );
            same(
                &case.name,
                "strict",
                found.err().map(card_error_id),
                case.strict.as_deref(),
            )?;
        }
        Ok(())
    });
}

#[test]
fn format() {
    #[derive(Deserialize)]
    struct Step {
        r#in: String,
        out: String,
    }
    #[derive(Deserialize)]
    struct Case {
        name: String,
        field: String,
        steps: Vec<Step>,
        state: Option<String>,
        #[serde(default)]
        error: Option<String>,
        #[serde(default)]
        left: Option<String>,
    }
    each("format.json", |case: &Case| {
        let field = FormKind::FullCard
            .fields()
            .iter()
            .copied()
            .find(|field| field.id() == case.field)
            .unwrap();
        let mut form = Form::new(FormKind::FullCard, NOW);
        form.focus(field);
        for step in &case.steps {
            let (head, tail) = step.r#in.split_once('|').unwrap();
            form.input(field, &format!("{head}{tail}"), head.encode_utf16().count());
            let view = form.view(field);
            let mut shown = view.text.to_owned();
            shown.insert(view.caret.unwrap(), '|');
            same(
                &case.name,
                &format!("after {:?}, text", step.r#in),
                &shown,
                &step.out,
            )?;
        }
        if let Some(state) = &case.state {
            let view = form.view(field);
            same(&case.name, "state", view.state.id(), state)?;
            same(&case.name, "error", key(view.error), case.error.as_deref())?;
            form.blur(field);
            same(
                &case.name,
                "left",
                key(form.view(field).error),
                case.left.as_deref(),
            )?;
        }
        Ok(())
    });
}

#[test]
fn digits_of_every_script() {
    #[derive(Deserialize)]
    struct Scripts {
        zeros: Vec<u32>,
    }
    let scripts: Scripts = read("digits.json");
    let digits: BTreeSet<u32> = scripts.zeros.iter().flat_map(|zero| *zero..zero + 10).collect();
    assert!(digits.len() > 700);
    for character in '\0'..=char::MAX {
        let point = character as u32;
        match class(character) {
            Class::Digit(digit) => {
                assert!(digits.contains(&point), "U+{point:04X} is no digit");
                assert!(
                    scripts.zeros.contains(&(point - u32::from(digit))),
                    "U+{point:04X} is not {digit}"
                );
            }
            _ => assert!(!digits.contains(&point), "U+{point:04X} is a digit"),
        }
    }
}

#[test]
fn every_state_has_its_own_id() {
    let ids: BTreeSet<_> = [State::Incomplete, State::Valid, State::Invalid]
        .into_iter()
        .map(State::id)
        .collect();
    assert_eq!(ids.len(), 3);
    let keys: BTreeSet<_> = ErrorId::ALL.into_iter().map(ErrorId::text_key).collect();
    assert_eq!(keys.len(), ErrorId::ALL.len());
    for (index, error) in ErrorId::ALL.into_iter().enumerate() {
        assert_eq!(error as usize, index);
    }
}
