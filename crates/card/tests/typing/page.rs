//! A page with the form in it, and somebody at the keyboard: what a browser does with keys, and what the frame does then.

use card_widget_card::{Brand, Edit, ErrorId, Field, Form, FormKind, UnixSeconds, difference};

use crate::session::{Caret, Session, Step, field_of};

/// One text field as a browser keeps it.
#[derive(Default)]
struct Input {
    text: String,
    /// Where the selection began and where it was dragged to; the same without one.
    anchor: usize,
    head: usize,
    /// Texts before each step, and those that were undone.
    done: Vec<String>,
    undone: Vec<String>,
}

/// A page with the form, and somebody at the keyboard.
pub(crate) struct Page {
    form: Form,
    inputs: [Input; 3],
    pub(crate) focus: Field,
    clipboard: String,
}

impl Page {
    pub(crate) fn new(session: &Session, now: u64) -> Self {
        let kind = session.kind.as_deref().map_or(FormKind::FullCard, |id| {
            FormKind::from_id(id).expect("a form of this kind")
        });
        let mut form = Form::new(kind, UnixSeconds(session.now.unwrap_or(now)));
        if let Some(brands) = &session.brands {
            let brands = brands.iter().map(|id| Brand::from_id(id).expect("a brand"));
            form.restrict(Some(brands.collect()));
        }
        let focus = field_of(&session.field);
        form.focus(focus);
        Self {
            form,
            inputs: Default::default(),
            focus,
            clipboard: String::new(),
        }
    }

    fn input(&mut self) -> &mut Input {
        &mut self.inputs[self.focus as usize]
    }

    /// A click behind the text of a field.
    pub(crate) fn go_to(&mut self, field: Field) {
        if field != self.focus {
            self.form.blur(self.focus);
        }
        self.form.focus(field);
        self.focus = field;
        let end = self.input().text.len();
        self.select(end, end);
    }

    fn select(&mut self, anchor: usize, head: usize) {
        let input = self.input();
        input.anchor = anchor;
        input.head = head;
    }

    fn selection(&mut self) -> std::ops::Range<usize> {
        let input = self.input();
        input.anchor.min(input.head)..input.anchor.max(input.head)
    }

    pub(crate) fn press(&mut self, key: &str) {
        if let Some(text) = key.strip_prefix("type:") {
            for character in text.chars() {
                self.edit(Edit::Insert(&character.to_string()));
            }
            return;
        }
        if let Some(text) = key.strip_prefix("paste:") {
            return self.edit(Edit::Insert(text));
        }
        if let Some(range) = key.strip_prefix("select:") {
            let (start, end) = range.split_once('-').expect("a range");
            return self.select(start.parse().expect("a place"), end.parse().expect("a place"));
        }
        if let Some(id) = key.strip_prefix("choose:") {
            return self.form.choose(Brand::from_id(id).expect("a brand"));
        }
        let len = self.input().text.len();
        let head = self.input().head;
        let range = self.selection();
        match key {
            "Backspace" => self.edit(Edit::DeleteBackward),
            "Delete" => self.edit(Edit::DeleteForward),
            "Control+Backspace" => self.edit(Edit::DeleteWordBackward),
            "Control+Delete" => self.edit(Edit::DeleteWordForward),
            "delete to start" => self.edit(Edit::DeleteToStart),
            "delete to end" => self.edit(Edit::DeleteToEnd),
            "Home" => self.select(0, 0),
            "End" => self.select(len, len),
            "ArrowLeft" if range.is_empty() => self.select(head.saturating_sub(1), head.saturating_sub(1)),
            "ArrowLeft" => self.select(range.start, range.start),
            "ArrowRight" if range.is_empty() => self.select((head + 1).min(len), (head + 1).min(len)),
            "ArrowRight" => self.select(range.end, range.end),
            "Shift+ArrowLeft" => self.input().head = head.saturating_sub(1),
            "Shift+ArrowRight" => self.input().head = (head + 1).min(len),
            "Shift+Home" => self.input().head = 0,
            "Shift+End" => self.input().head = len,
            "Control+a" => self.select(0, len),
            "Control+z" => self.travel(true),
            "Control+Shift+z" => self.travel(false),
            "undo all" => (0..100).for_each(|_| self.travel(true)),
            "redo all" => (0..100).for_each(|_| self.travel(false)),
            "cut" if range.is_empty() => {}
            "cut" => {
                self.clipboard = self.input().text[range].to_owned();
                self.edit(Edit::DeleteSelection);
            }
            "paste" => self.edit(Edit::Insert(&self.clipboard.clone())),
            "blur" => self.form.blur(self.focus),
            _ if key.chars().count() == 1 => self.edit(Edit::Insert(key)),
            _ => panic!("there is no key {key}"),
        }
    }

    /// What the frame does on `beforeinput`.
    fn edit(&mut self, edit: Edit<'_>) {
        let selection = self.selection();
        self.form.edit(self.focus, selection, edit);
        let view = self.form.view(self.focus);
        let (start, end) = (
            view.caret.expect("a caret"),
            view.caret.expect("a caret") + view.selected,
        );
        let shown = view.text.to_owned();
        let input = self.input();
        if shown != input.text {
            let (range, put_in) = difference(&input.text, &shown);
            let mut text = input.text.clone();
            text.replace_range(range, put_in);
            assert_eq!(text, shown, "the difference makes one of the other");
            input.done.push(std::mem::replace(&mut input.text, text));
            input.undone.clear();
        }
        input.anchor = start;
        input.head = end;
        if let Some(next) = self.form.advance() {
            self.go_to(next);
        }
    }

    /// What a browser does for undo and redo, and the frame after it. A browser with nothing to undo tells nobody.
    fn travel(&mut self, back: bool) {
        let input = self.input();
        let text = if back {
            input.done.pop()
        } else {
            input.undone.pop()
        };
        let Some(text) = text else { return };
        let before = std::mem::replace(&mut input.text, text.clone());
        if back {
            input.undone.push(before);
            self.form.undo(self.focus, &text);
        } else {
            input.done.push(before);
            self.form.redo(self.focus, &text);
        }
        let view = self.form.view(self.focus);
        assert_eq!(view.text, text, "a state that the form remembers");
        let caret = view.caret.expect("a caret");
        self.select(caret, caret + self.form.view(self.focus).selected);
        assert_eq!(self.form.advance(), None);
    }

    pub(crate) fn check(&self, field: Field, step: &Step) -> Vec<String> {
        let view = self.form.view(field);
        let input = &self.inputs[field as usize];
        let mut wrong = Vec::new();
        let mut same = |what: &str, got: &dyn std::fmt::Debug, want: &dyn std::fmt::Debug| {
            let (got, want) = (format!("{got:?}"), format!("{want:?}"));
            if got != want {
                wrong.push(format!("{what} is {got}, should be {want}"));
            }
        };
        same("value", &view.text, &step.value);
        same("the input's value", &input.text, &step.value);
        if let Some(want) = step.caret {
            let (start, end) = (input.anchor.min(input.head), input.anchor.max(input.head));
            let got = if start == end {
                Caret::At(start)
            } else {
                Caret::Range(start, end)
            };
            same("caret", &got, &want);
        }
        same("state", &view.state.id(), &step.state);
        same(
            "error",
            &view.error.map(ErrorId::text_key),
            &step.error.as_deref(),
        );
        if field == Field::Number {
            same("brand", &self.form.brand().map(Brand::id), &step.brand.as_deref());
            let choices: Vec<_> = self.form.choices().iter().map(Brand::id).collect();
            same("choices", &choices, &step.choices);
        }
        if let Some(focus) = &step.focus {
            same("focus", &self.focus.id(), focus);
        }
        wrong
    }
}
