//! Writes answers as JSON. All that is written is ASCII of our own making, so nothing has to be escaped.

use zeroize::Zeroizing;

/// Room for the longest answer about one card, without its digits: it never grows, and so leaves no copy behind. The table
/// of brands, which is public, may outgrow it.
const SIZE: usize = 768;

/// JSON text as it grows.
pub(crate) struct Writer {
    text: Zeroizing<String>,
}

impl Writer {
    /// Begins an object that holds a text of that many digits.
    pub(crate) fn new(digits: usize) -> Self {
        let mut text = Zeroizing::new(String::with_capacity(SIZE + digits));
        text.push('{');
        Self { text }
    }

    /// Ends the object.
    pub(crate) fn finish(mut self) -> Zeroizing<String> {
        self.close('}');
        self.text
    }

    /// Begins a member.
    pub(crate) fn name(&mut self, name: &str) -> &mut Self {
        self.quote(name);
        self.text.push(':');
        self
    }

    /// Begins a member whose name is a number.
    pub(crate) fn number_name(&mut self, name: usize) -> &mut Self {
        self.text.push('"');
        self.digits(name);
        self.text.push_str("\":");
        self
    }

    /// A text, or null.
    pub(crate) fn text(&mut self, value: Option<&str>) -> &mut Self {
        match value {
            Some(value) => self.quote(value),
            None => self.text.push_str("null"),
        }
        self.next()
    }

    /// A number, or null.
    pub(crate) fn number(&mut self, value: Option<usize>) -> &mut Self {
        match value {
            Some(value) => self.digits(value),
            None => self.text.push_str("null"),
        }
        self.next()
    }

    /// True or false.
    pub(crate) fn flag(&mut self, value: bool) -> &mut Self {
        self.text.push_str(if value { "true" } else { "false" });
        self.next()
    }

    /// A list of texts.
    pub(crate) fn texts<'a>(&mut self, values: impl Iterator<Item = &'a str>) -> &mut Self {
        self.open('[');
        values.for_each(|value| {
            self.text(Some(value));
        });
        self.close(']');
        self.next()
    }

    /// A list of numbers.
    pub(crate) fn numbers(&mut self, values: impl Iterator<Item = usize>) -> &mut Self {
        self.open('[');
        values.for_each(|value| {
            self.number(Some(value));
        });
        self.close(']');
        self.next()
    }

    /// Begins a list or an object inside.
    pub(crate) fn open(&mut self, bracket: char) -> &mut Self {
        self.text.push(bracket);
        self
    }

    /// Ends it, in place of the last comma.
    pub(crate) fn close(&mut self, bracket: char) -> &mut Self {
        if self.text.ends_with(',') {
            self.text.pop();
        }
        self.text.push(bracket);
        self
    }

    /// A comma, which the next end takes away.
    pub(crate) fn next(&mut self) -> &mut Self {
        self.text.push(',');
        self
    }

    fn quote(&mut self, value: &str) {
        self.text.push('"');
        self.text.push_str(value);
        self.text.push('"');
    }

    /// Without `core::fmt`, which costs more than this crate.
    fn digits(&mut self, value: usize) {
        if value > 9 {
            self.digits(value / 10);
        }
        self.text.push(char::from(b'0' + (value % 10) as u8));
    }
}
