//! The elements of the frame's page: found once, read and shown through here alone.

use card::Field;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlInputElement};
use zeroize::Zeroizing;

/// The form's elements. Ids are those of `www/frame/frame.html`.
pub(crate) struct Page {
    form: Element,
    /// By `Field as usize`; a form of the number alone has the first.
    inputs: Vec<Input>,
    brand: Element,
    button: Element,
    status: Element,
    spoken: Element,
}

/// One field: its label, its input, and the note below it that holds a hint or an error.
struct Input {
    label: Element,
    input: HtmlInputElement,
    note: Element,
}

impl Page {
    /// Finds the elements of a form with these fields. Nothing when the page is not the one that the service serves.
    pub(crate) fn find(document: &Document, fields: &[Field]) -> Option<Self> {
        let find = |id: &str| document.get_element_by_id(id);
        let mut inputs = Vec::with_capacity(fields.len());
        for field in fields {
            let id = field.id();
            inputs.push(Input {
                label: find(&[id, "-label"].concat())?,
                input: find(id)?.unchecked_into(),
                note: find(&[id, "-note"].concat())?,
            });
        }
        Some(Self {
            form: find("form")?,
            inputs,
            brand: find("brand")?,
            button: find("submit")?,
            status: find("status")?,
            spoken: find("spoken")?,
        })
    }

    fn input(&self, field: Field) -> Option<&Input> {
        self.inputs.get(field as usize)
    }

    /// The input of a field.
    pub(crate) fn element(&self, field: Field) -> Option<HtmlInputElement> {
        self.input(field).map(|input| input.input.clone())
    }

    /// What stands in a field.
    pub(crate) fn value(&self, field: Field) -> Zeroizing<String> {
        Zeroizing::new(
            self.input(field)
                .map(|input| input.input.value())
                .unwrap_or_default(),
        )
    }

    /// The caret in a field, in UTF-16 units: where a selection begins.
    pub(crate) fn caret(&self, field: Field) -> usize {
        let caret = self
            .input(field)
            .and_then(|input| input.input.selection_start().ok().flatten());
        caret.unwrap_or_default() as usize
    }

    /// Writes a field's text where it differs from what stands there.
    pub(crate) fn write(&self, field: Field, text: &str) {
        if *self.value(field) != *text
            && let Some(Input { input, .. }) = self.input(field)
        {
            input.set_value(text);
        }
    }

    /// Puts the caret of a focused field. (One engine moves the focus along with the caret.)
    pub(crate) fn place(&self, field: Field, caret: usize) {
        if let Some(Input { input, .. }) = self.input(field) {
            let caret = caret as u32;
            // Fails on inputs without a selection only; ours are text.
            let _ = input.set_selection_range(caret, caret);
        }
    }

    /// Shows an error below a field, or the hint when there is none.
    pub(crate) fn note(&self, field: Field, error: Option<&str>, hint: &str) {
        if let Some(Input { input, note, .. }) = self.input(field) {
            set_text(note, error.unwrap_or(hint));
            set_flag(note, "data-error", error.is_some());
            set_flag(input, "aria-invalid", error.is_some());
        }
    }

    /// Sets a field's label.
    pub(crate) fn label(&self, field: Field, text: &str) {
        if let Some(input) = self.input(field) {
            set_text(&input.label, text);
        }
    }

    /// Sets what an empty field shows.
    pub(crate) fn placeholder(&self, field: Field, text: &str) {
        if let Some(input) = self.input(field) {
            set_attribute(&input.input, "placeholder", text);
        }
    }

    /// Names the brand beside the number.
    pub(crate) fn brand(&self, name: &str) {
        set_text(&self.brand, name);
    }

    /// Sets the button's text.
    pub(crate) fn button(&self, text: &str) {
        set_text(&self.button, text);
    }

    /// Shows what became of a submit, below the button; an empty text takes it away.
    pub(crate) fn status(&self, text: &str, is_error: bool) {
        set_text(&self.status, text);
        set_flag(&self.status, "data-error", is_error);
    }

    /// Says something to who cannot see the form.
    pub(crate) fn say(&self, text: &str) {
        set_text(&self.spoken, text);
    }

    /// Holds the form while the service is asked.
    pub(crate) fn busy(&self, busy: bool) {
        set_flag(&self.form, "aria-busy", busy);
        set_flag(&self.button, "aria-disabled", busy);
        for Input { input, .. } in &self.inputs {
            set_flag(input, "readonly", busy);
        }
    }
}

/// Sets text only where it differs, so that a screen reader is not told the same twice.
fn set_text(element: &Element, text: &str) {
    if element.text_content().as_deref() != Some(text) {
        element.set_text_content(Some(text));
    }
}

fn set_flag(element: &Element, name: &str, on: bool) {
    if on {
        set_attribute(element, name, "true");
    } else {
        // Fails for an invalid name only.
        let _ = element.remove_attribute(name);
    }
}

fn set_attribute(element: &Element, name: &str, value: &str) {
    // Fails for an invalid name only.
    let _ = element.set_attribute(name, value);
}
