//! `tests/vectors/typing/` in wasm: somebody at the keyboard of a real page, with the frame's module behind the inputs.

use gloo::timers::future::TimeoutFuture;
use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::bench::{Bench, ENTERED, LEFT, index};

#[derive(Deserialize)]
struct File {
    now: u64,
    sessions: Vec<Session>,
}

#[derive(Deserialize)]
struct Session {
    name: String,
    field: String,
    kind: Option<String>,
    now: Option<u64>,
    brands: Option<Vec<String>>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    field: Option<String>,
    keys: Vec<String>,
    value: String,
    caret: Option<Value>,
    state: String,
    brand: Option<String>,
    error: Option<String>,
    #[serde(default)]
    choices: Vec<String>,
    focus: Option<String>,
}

/// Places in `EDITS` of `www/frame/input.js`.
const INSERT: usize = 0;
const CUT: usize = 7;

struct Person {
    bench: Bench,
    focus: String,
    clipboard: String,
}

impl Person {
    fn new(session: &Session, now: u64) -> Self {
        let kind = session.kind.as_deref().unwrap_or("full_card");
        let bench = Bench::at_time(kind, session.now.unwrap_or(now));
        bench.shop_says(json!({ "type": "init", "brands": session.brands }));
        let mut person = Self {
            bench,
            focus: session.field.clone(),
            clipboard: String::new(),
        };
        person.go_to(&session.field);
        person
    }

    fn go_to(&mut self, field: &str) {
        if field != self.focus {
            self.bench.happens(&self.focus, LEFT);
        }
        self.focus = field.to_owned();
        self.bench.happens(field, ENTERED);
        let input = self.bench.input(field);
        let end = input.value().len() as u32;
        input.set_selection_range(end, end).unwrap();
    }

    /// Start and end of the selection, and the end of the two that moves.
    fn selection(&self) -> (u32, u32, u32) {
        let input = self.bench.input(&self.focus);
        let start = input.selection_start().unwrap().unwrap();
        let end = input.selection_end().unwrap().unwrap();
        let backward = input.selection_direction().unwrap().as_deref() == Some("backward");
        (start, end, if backward { start } else { end })
    }

    fn select(&self, anchor: u32, head: u32) {
        let direction = if head < anchor { "backward" } else { "forward" };
        let input = self.bench.input(&self.focus);
        input
            .set_selection_range_with_direction(anchor.min(head), anchor.max(head), direction)
            .unwrap();
    }

    fn edit(&mut self, kind: usize, text: &str) {
        let (start, end, _) = self.selection();
        card_widget::on_edit(
            index(&self.focus),
            kind,
            start as usize,
            end as usize,
            &text.into(),
        );
        if let Some(next) = self.bench.take_focused() {
            self.go_to(&next);
        }
    }

    fn press(&mut self, key: &str) {
        if let Some(text) = key.strip_prefix("type:") {
            for character in text.chars() {
                self.edit(INSERT, character.encode_utf8(&mut [0; 4]));
            }
            return;
        }
        if let Some(text) = key.strip_prefix("paste:") {
            return self.edit(INSERT, text);
        }
        if let Some(range) = key.strip_prefix("select:") {
            let (start, end) = range.split_once('-').unwrap();
            return self.select(start.parse().unwrap(), end.parse().unwrap());
        }
        if let Some(brand) = key.strip_prefix("choose:") {
            // A network that is not offered cannot be chosen.
            if let Some(place) = [0, 1]
                .into_iter()
                .find(|place| self.bench.network(*place) == brand)
            {
                card_widget::on_choice(place);
            }
            return;
        }
        let (start, end, head) = self.selection();
        let anchor = if head == start { end } else { start };
        let len = self.bench.input(&self.focus).value().len() as u32;
        match key {
            "Backspace" => self.edit(1, ""),
            "Delete" => self.edit(2, ""),
            "Control+Backspace" => self.edit(3, ""),
            "Control+Delete" => self.edit(4, ""),
            "delete to start" => self.edit(5, ""),
            "delete to end" => self.edit(6, ""),
            "Home" => self.select(0, 0),
            "End" => self.select(len, len),
            "ArrowLeft" if start == end => self.select(start.saturating_sub(1), start.saturating_sub(1)),
            "ArrowLeft" => self.select(start, start),
            "ArrowRight" if start == end => self.select((end + 1).min(len), (end + 1).min(len)),
            "ArrowRight" => self.select(end, end),
            "Shift+ArrowLeft" => self.select(anchor, head.saturating_sub(1)),
            "Shift+ArrowRight" => self.select(anchor, (head + 1).min(len)),
            "Shift+Home" => self.select(anchor, 0),
            "Shift+End" => self.select(anchor, len),
            "Control+a" => self.select(0, len),
            "Control+z" => self.bench.travels(&self.focus, true),
            "Control+Shift+z" => self.bench.travels(&self.focus, false),
            "undo all" => (0..100).for_each(|_| self.bench.travels(&self.focus, true)),
            "redo all" => (0..100).for_each(|_| self.bench.travels(&self.focus, false)),
            "cut" if start == end => {}
            "cut" => {
                let value = self.bench.input(&self.focus).value();
                self.clipboard = value[start as usize..end as usize].to_owned();
                self.edit(CUT, "");
            }
            "paste" => self.edit(INSERT, &self.clipboard.clone()),
            "blur" => self.bench.happens(&self.focus, LEFT),
            _ => self.edit(INSERT, key),
        }
    }

    fn check(&self, field: &str, step: &Step, place: &str) {
        let input = self.bench.input(field);
        assert_eq!(input.value(), step.value, "{place}");
        if let Some(caret) = &step.caret {
            let start = input.selection_start().unwrap();
            let end = input.selection_end().unwrap();
            let shown = if start == end {
                json!(start)
            } else {
                json!([start, end])
            };
            assert_eq!(shown, *caret, "{place}: caret");
        }
        let change = self.bench.change();
        let shown = &change["fields"][field];
        let state = if step.value.is_empty() && step.state == "incomplete" {
            "empty"
        } else {
            &step.state
        };
        assert_eq!(shown["state"], state, "{place}: state");
        assert_eq!(shown["error"], json!(step.error), "{place}: error");
        assert_eq!(
            input.get_attribute("aria-invalid").is_some(),
            step.error.is_some(),
            "{place}"
        );
        if field == "number" {
            assert_eq!(change["brand"], json!(step.brand), "{place}: brand");
            assert_eq!(change["choices"], json!(step.choices), "{place}: choices");
        }
        if let Some(focus) = &step.focus {
            assert_eq!(self.focus, *focus, "{place}: focus");
        }
    }
}

#[wasm_bindgen_test]
async fn sessions_key_by_key() {
    let mut count = 0;
    for file in [
        include_str!("../vectors/typing/brands.json"),
        include_str!("../vectors/typing/code.json"),
        include_str!("../vectors/typing/editing.json"),
        include_str!("../vectors/typing/expiry.json"),
        include_str!("../vectors/typing/number.json"),
        include_str!("../vectors/typing/undo.json"),
    ] {
        let file: File = serde_json::from_str(file).unwrap();
        for session in &file.sessions {
            let mut person = Person::new(session, file.now);
            for (number, step) in session.steps.iter().enumerate() {
                if let Some(field) = &step.field {
                    person.go_to(field);
                }
                let field = person.focus.clone();
                for key in &step.keys {
                    person.press(key);
                }
                person.check(&field, step, &format!("{}, step {}", session.name, number + 1));
            }
            count += 1;
            // Lets the page breathe, as it does between keys.
            TimeoutFuture::new(0).await;
        }
    }
    assert!(count > 200);
}
