//! What is known of a number, a date or a code, as JSON. Read off the reducer that drives the frame.

use card::brand::{self, Rules};
use card::code::{self, CodeLength};
use card::digits::{Class, class, fold};
use card::number::{LONGEST, SHORTEST};
use card::{Brand, Brands, ErrorId, Field, Form, FormKind, Pan, State, UnixSeconds, expiry as date};
use zeroize::Zeroizing;

use crate::json::Writer;

/// A text, what the field showed before it, and the caret in it in UTF-16 units.
pub(crate) struct Typed {
    pub(crate) text: Zeroizing<String>,
    pub(crate) previous: Zeroizing<String>,
    pub(crate) caret: usize,
    /// The slash at the end of `previous` was put there by the reducer.
    pub(crate) own_slash: bool,
}

impl Typed {
    /// Puts it into a form, as a person would.
    fn put(&self, form: &mut Form, field: Field) {
        if let Some(month) = self.previous.strip_suffix('/').filter(|_| self.own_slash) {
            // It puts the slash there again, and knows it for its own.
            form.input(field, month, month.len());
        }
        if !self.previous.is_empty() {
            form.input(field, &self.previous, self.previous.len());
        }
        form.input(field, &self.text, self.caret);
    }

    /// The slash at the end of what is shown now was put there, too: nobody wrote one.
    fn leaves_own_slash(&self, shown: &str) -> bool {
        let same = self.own_slash && *self.text == *self.previous;
        let written = self
            .text
            .chars()
            .next_back()
            .is_some_and(|last| class(last) == Class::Separator);
        shown.ends_with('/') && (same || !written)
    }

    /// More digits than a field keeps: an empty one stays empty.
    fn is_refused_date(&self, now: UnixSeconds) -> bool {
        let mut form = Form::new(FormKind::FullCard, now);
        form.input(Field::Expiry, &self.text, 0);
        form.view(Field::Expiry).empty
    }
}

/// A number: digits, formatted text, state, brands, what its lengths are, and its mask when it is right.
pub(crate) fn number(typed: &Typed, taken: Option<Brands>, choice: Option<Brand>) -> Zeroizing<String> {
    let mut form = Form::new(FormKind::PanOnly, UnixSeconds(0));
    form.restrict(taken);
    typed.put(&mut form, Field::Number);
    if let Some(choice) = choice {
        form.choose(choice);
    }
    // More digits than a field keeps: it shows what it showed before.
    let refused = fold(&typed.text, 0).overflows();
    // Of what the field shows, as a deleted gap takes a digit along; of all that came when the field refuses it.
    let digits = digits(if refused {
        &typed.text
    } else {
        form.view(Field::Number).text
    });
    let mut answer = Writer::new(digits.len());
    answer.name("digits").text(Some(&digits));
    view(&mut answer, &mut form, Field::Number, refused, UnixSeconds(0));
    answer
        .name("brands")
        .texts(form.candidates().iter().map(Brand::id));
    answer.name("choices").texts(form.choices().iter().map(Brand::id));
    answer.name("brand").text(form.brand().map(Brand::id));
    answer.name("lengths").numbers(lengths(form.candidates().rules()));
    code_lengths(&mut answer, form.code_length());
    let pan = form.is_valid().then(|| Pan::new(&digits)).flatten();
    let mask = pan.map(|pan| Zeroizing::new(pan.mask()));
    answer.name("mask").text(mask.as_ref().map(|mask| mask.as_str()));
    answer.finish()
}

/// A date: month, year, formatted text and state at the time `now`.
pub(crate) fn expiry(typed: &Typed, now: UnixSeconds) -> Zeroizing<String> {
    let mut form = Form::new(FormKind::FullCard, now);
    typed.put(&mut form, Field::Expiry);
    let refused =
        form.view(Field::Expiry).error == Some(ErrorId::ExpiryTooLong) && typed.is_refused_date(now);
    let mut answer = Writer::new(0);
    // The date that the field shows: what was typed key by key may read otherwise when it comes at one go.
    let date = date::parse(form.view(Field::Expiry).text, now).ok();
    let own_slash = typed.leaves_own_slash(form.view(Field::Expiry).text);
    view(&mut answer, &mut form, Field::Expiry, refused, now);
    answer.name("ownSlash").flag(own_slash);
    answer.name("month").number(date.map(|date| date.month.into()));
    answer.name("year").number(date.map(|date| date.year.into()));
    answer.finish()
}

/// A code, for a number or for a brand.
pub(crate) fn code(text: &str, number: &str, brand: Option<Brand>) -> Zeroizing<String> {
    let length = match brand.map(|brand| brand.rules().code_length()) {
        Some(3) => CodeLength::Three,
        Some(4) => CodeLength::Four,
        _ => CodeLength::of(brand::candidates(digits(number).as_bytes())),
    };
    let digits = digits(text);
    let verdict = code::judge(digits.len(), length);
    let mut answer = Writer::new(digits.len());
    answer.name("digits").text(Some(&digits));
    state(&mut answer, verdict.state, verdict.error);
    code_lengths(&mut answer, length);
    answer.finish()
}

/// All brands with their rules.
pub(crate) fn brands() -> Zeroizing<String> {
    let mut answer = Writer::new(0);
    answer.name("brands").open('[');
    for brand in Brand::ALL {
        let rules = brand.rules();
        answer.open('{');
        answer.name("id").text(Some(brand.id()));
        answer.name("name").text(Some(brand.name()));
        answer.name("lengths").numbers(lengths(rules));
        answer.name("groups").open('{');
        for length in lengths(rules) {
            answer.number_name(length).numbers(groups(rules, length));
        }
        answer.close('}').next();
        answer.name("luhn").flag(rules.has_luhn());
        answer.name("codeLength").number(Some(rules.code_length().into()));
        answer.close('}').next();
    }
    answer.close(']');
    answer.finish()
}

/// Formatted text, caret, state and error; no text and caret when it was refused. The form is left as after a submit.
fn view(answer: &mut Writer, form: &mut Form, field: Field, refused: bool, now: UnixSeconds) {
    let shown = form.view(field);
    answer.name("formatted").text((!refused).then_some(shown.text));
    answer.name("caret").number(shown.caret.filter(|_| !refused));
    let while_typing = shown.state;
    // What would be wrong if this were all: what a submit says.
    form.submit(now).err();
    state(answer, while_typing, form.view(field).error);
}

/// State and error. An empty field is a state of its own here.
fn state(answer: &mut Writer, state: State, error: Option<ErrorId>) {
    let empty = error.is_some_and(ErrorId::is_empty);
    answer
        .name("state")
        .text(Some(if empty { "empty" } else { state.id() }));
    answer.name("error").text(error.map(ErrorId::text_key));
}

fn code_lengths(answer: &mut Writer, length: CodeLength) {
    answer
        .name("codeLengths")
        .numbers(length.shortest()..length.longest() + 1);
}

fn lengths(rules: Rules) -> impl Iterator<Item = usize> {
    (SHORTEST..=LONGEST).filter(move |length| rules.has_length(*length))
}

/// Sizes of the groups in which a number of that many digits is written.
fn groups(rules: Rules, length: usize) -> impl Iterator<Item = usize> {
    let mut size = 0;
    (1..=length).filter_map(move |count| {
        size += 1;
        (count == length || rules.has_gap_after(count, length)).then(|| core::mem::take(&mut size))
    })
}

/// All digits, however many.
fn digits(text: &str) -> Zeroizing<String> {
    let mut digits = Zeroizing::new(String::with_capacity(text.len()));
    for character in text.chars() {
        if let Class::Digit(digit) = class(character) {
            digits.push(char::from(b'0' + digit));
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Typed {
        Typed {
            text: Zeroizing::new(text.to_owned()),
            previous: Zeroizing::default(),
            caret: text.encode_utf16().count(),
            own_slash: false,
        }
    }

    fn parse(answer: &str) -> serde_json::Value {
        serde_json::from_str(answer).unwrap()
    }

    #[test]
    fn answers_are_json() {
        let answer = parse(&number(&typed("6500 35"), None, Some(Brand::Discover)));
        assert_eq!(answer["brand"], "discover");
        assert_eq!(answer["choices"], serde_json::json!(["elo", "discover"]));
        assert_eq!(answer["mask"], serde_json::Value::Null);
        let answer = parse(&expiry(&typed("1/29"), UnixSeconds(1_795_219_200)));
        assert_eq!(answer["formatted"], "01/29");
        assert_eq!(answer["year"], 2029);
        let answer = parse(&code("12", "", Some(Brand::Amex)));
        assert_eq!(answer["codeLengths"], serde_json::json!([4]));
        assert_eq!(
            parse(&brands())["brands"].as_array().unwrap().len(),
            Brand::ALL.len()
        );
    }

    #[test]
    fn the_answer_about_a_card_fits_its_room() {
        let longest = Brand::ALL
            .into_iter()
            .flat_map(|brand| brand.id().bytes())
            .count();
        assert!(longest < 128);
        // The most brands, digits and lengths that there can be.
        for text in [
            "6",
            "3",
            "4000000000000000006",
            "42424242424242424242424242424242",
        ] {
            let answer = number(&typed(text), None, None);
            assert_eq!(
                answer.capacity(),
                Writer::new(digits(text).len()).finish().capacity(),
                "{text}"
            );
        }
    }

    #[test]
    fn a_month_keeps_its_own_slash_until_one_is_written() {
        let mut date = typed("12");
        assert_eq!(parse(&expiry(&date, UnixSeconds(0)))["ownSlash"], true);
        date = typed("12/");
        assert_eq!(parse(&expiry(&date, UnixSeconds(0)))["ownSlash"], false);
        date.previous = date.text.clone();
        date.own_slash = true;
        assert_eq!(parse(&expiry(&date, UnixSeconds(0)))["ownSlash"], true);
    }
}
