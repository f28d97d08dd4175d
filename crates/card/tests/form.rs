//! The form's story: which error is shown when, where the focus goes, what a submit gives.

use card_widget_card::{
    Brand, Card, CardError, CodeLength, Edit, ErrorId, Field, Form, FormKind, Pan, State, UnixSeconds,
};

/// 2026-11-21T00:00:00Z
const NOW: UnixSeconds = UnixSeconds(1_795_219_200);

fn type_into(form: &mut Form, field: Field, value: &str) {
    form.focus(field);
    form.input(field, value, value.len());
}

fn filled() -> Form {
    let mut form = Form::new(FormKind::FullCard, NOW);
    type_into(&mut form, Field::Number, "4242424242424242");
    type_into(&mut form, Field::Expiry, "01/29");
    type_into(&mut form, Field::Code, "123");
    form
}

fn error(form: &Form, field: Field) -> Option<ErrorId> {
    form.view(field).error
}

#[test]
fn a_whole_card_is_submitted_and_stays() {
    let mut form = filled();
    assert!(form.is_valid());
    let card = form.submit(NOW).unwrap();
    assert_eq!(card.number.expose(), "4242424242424242");
    assert_eq!(card.expiry.map(|date| (date.year, date.month)), Some((2029, 1)));
    assert_eq!(card.code.unwrap().expose(), "123");
    assert_eq!(form.view(Field::Number).text, "4242 4242 4242 4242");
}

#[test]
fn a_number_alone_is_enough_to_receive_money() {
    let mut form = Form::new(FormKind::PanOnly, NOW);
    assert_eq!(form.submit(NOW).unwrap_err(), Field::Number);
    type_into(&mut form, Field::Number, "5555555555554444");
    type_into(&mut form, Field::Expiry, "01/29");
    type_into(&mut form, Field::Code, "123");
    assert!(form.view(Field::Expiry).empty && form.view(Field::Code).empty);
    assert_eq!(form.advance(), None);
    let card = form.submit(NOW).unwrap();
    assert!(card.expiry.is_none() && card.code.is_none());
}

#[test]
fn a_refused_submit_names_the_first_wrong_field_and_shows_all_errors() {
    let mut form = Form::new(FormKind::FullCard, NOW);
    assert_eq!(form.submit(NOW).unwrap_err(), Field::Number);
    assert_eq!(error(&form, Field::Number), Some(ErrorId::NumberEmpty));
    assert_eq!(error(&form, Field::Expiry), Some(ErrorId::ExpiryEmpty));
    assert_eq!(error(&form, Field::Code), Some(ErrorId::CodeEmpty));
    type_into(&mut form, Field::Number, "4242424242424242");
    assert_eq!(form.submit(NOW).unwrap_err(), Field::Expiry);
    type_into(&mut form, Field::Expiry, "01/29");
    assert_eq!(form.submit(NOW).unwrap_err(), Field::Code);
}

#[test]
fn an_error_goes_when_the_person_mends_it_and_comes_back_on_leaving() {
    let mut form = Form::new(FormKind::FullCard, NOW);
    type_into(&mut form, Field::Number, "4242");
    assert_eq!(error(&form, Field::Number), None);
    form.blur(Field::Number);
    assert_eq!(error(&form, Field::Number), Some(ErrorId::NumberIncomplete));
    assert_eq!(form.view(Field::Number).state, State::Incomplete);
    form.focus(Field::Number);
    assert_eq!(
        error(&form, Field::Number),
        Some(ErrorId::NumberIncomplete),
        "still there to be read"
    );
    type_into(&mut form, Field::Number, "42424");
    assert_eq!(error(&form, Field::Number), None);
    form.blur(Field::Number);
    assert_eq!(error(&form, Field::Number), Some(ErrorId::NumberIncomplete));
}

#[test]
fn passing_through_an_empty_field_is_no_error() {
    let mut form = Form::new(FormKind::FullCard, NOW);
    for field in FormKind::FullCard.fields() {
        form.focus(*field);
        form.blur(*field);
        assert_eq!(error(&form, *field), None);
    }
}

#[test]
fn the_code_is_judged_again_when_the_brand_changes() {
    let mut form = filled();
    assert_eq!(form.code_length(), CodeLength::Three);
    type_into(&mut form, Field::Number, "378282246310005");
    assert_eq!(form.code_length(), CodeLength::Four);
    assert_eq!(form.view(Field::Code).state, State::Incomplete);
    assert_eq!(form.submit(NOW).unwrap_err(), Field::Code);
    type_into(&mut form, Field::Code, "1234");
    assert_eq!(form.view(Field::Code).state, State::Valid);
    type_into(&mut form, Field::Number, "5555555555554444");
    assert_eq!(form.view(Field::Code).state, State::Invalid);
    assert_eq!(error(&form, Field::Code), Some(ErrorId::CodeTooLong));
}

#[test]
fn the_focus_moves_on_only_when_all_is_certain() {
    let number = Field::Number;
    let advance = |prepare: fn(&mut Form), value: &str, caret: usize| {
        let mut form = Form::new(FormKind::FullCard, NOW);
        form.focus(number);
        prepare(&mut form);
        form.input(number, value, caret);
        form.advance()
    };
    let nothing = |_: &mut Form| ();
    assert_eq!(advance(nothing, "5555555555554444", 16), Some(Field::Expiry));
    assert_eq!(advance(nothing, "378282246310005", 15), Some(Field::Expiry));
    assert_eq!(
        advance(nothing, "4242424242424242", 16),
        None,
        "visa has 19 digits too"
    );
    assert_eq!(advance(nothing, "4000000000000000006", 19), Some(Field::Expiry));
    assert_eq!(
        advance(nothing, "5555555555554445", 16),
        None,
        "wrong check digit"
    );
    assert_eq!(
        advance(nothing, "5555555555554444", 3),
        None,
        "the caret is in the middle"
    );
    assert_eq!(
        advance(|form| form.set_auto_advance(false), "5555555555554444", 16),
        None
    );
    assert_eq!(
        advance(|form| form.blur(Field::Number), "5555555555554444", 16),
        None,
        "autofill from elsewhere"
    );
    assert_eq!(
        advance(|form| form.focus(Field::Code), "5555555555554444", 16),
        None
    );
    assert_eq!(
        advance(
            |form| form.input(Field::Expiry, "01/29", 5),
            "5555555555554444",
            16
        ),
        None,
        "not empty"
    );

    let mut form = Form::new(FormKind::FullCard, NOW);
    type_into(&mut form, Field::Expiry, "01/29");
    assert_eq!(form.advance(), Some(Field::Code));
    form.focus(Field::Code);
    assert_eq!(form.advance(), None);
    type_into(&mut form, Field::Code, "123");
    assert_eq!(form.advance(), None);
    type_into(&mut form, number, "55555555555544440");
    form.input(number, "5555 5555 5555 4444", 19);
    assert_eq!(form.advance(), None, "deleting moves nobody on");
}

#[test]
fn what_the_shop_changes_later_moves_nobody_on() {
    let mut form = Form::new(FormKind::FullCard, NOW);
    type_into(&mut form, Field::Number, "5555555555554444");
    assert_eq!(form.advance(), Some(Field::Expiry));
    form.restrict(Some([Brand::Visa].into_iter().collect()));
    assert_eq!(form.advance(), None);
    assert_eq!(error(&form, Field::Number), Some(ErrorId::NumberBrand));
    assert_eq!(form.submit(NOW).unwrap_err(), Field::Number);
    form.restrict(None);
    assert_eq!(form.view(Field::Number).state, State::Valid);
    assert_eq!(form.advance(), None, "found by the fuzzer");
}

#[test]
fn a_code_is_not_kept_beyond_a_submit() {
    let mut form = filled();
    form.focus(Field::Code);
    form.edit(Field::Code, 0..3, Edit::Insert("456"));
    form.submit(NOW).unwrap();
    form.undo(Field::Code, "123");
    assert_eq!(form.view(Field::Code).text, "456");
}

#[test]
fn clear_empties_the_history_and_the_choice() {
    let mut form = Form::new(FormKind::FullCard, NOW);
    form.edit(Field::Number, 0..0, Edit::Insert("3538"));
    form.choose(Brand::Jcb);
    assert_eq!(form.brand(), Some(Brand::Jcb));
    form.clear();
    form.undo(Field::Number, "3538");
    form.redo(Field::Number, "3538");
    assert!(form.view(Field::Number).empty);
    form.edit(Field::Number, 0..0, Edit::Insert("3538"));
    assert_eq!(form.brand(), Some(Brand::RuPay), "the choice is forgotten");
}

#[test]
fn a_value_that_no_key_put_in_starts_the_history_anew() {
    let mut form = Form::new(FormKind::FullCard, NOW);
    form.edit(Field::Number, 0..0, Edit::Insert("4"));
    form.input(Field::Number, "5555", 4);
    form.edit(Field::Number, 4..4, Edit::Insert("6"));
    form.undo(Field::Number, "5555");
    assert_eq!(form.view(Field::Number).text, "5555");
    form.undo(Field::Number, "4");
    assert_eq!(form.view(Field::Number).text, "5555", "nothing lies before it");
    form.input(Field::Number, "5555", 4);
    form.redo(Field::Number, "5555 6");
    assert_eq!(
        form.view(Field::Number).text,
        "5555 6",
        "the same value changes nothing"
    );
}

#[test]
fn a_browser_that_takes_several_steps_back_at_once_is_followed() {
    let mut form = Form::new(FormKind::FullCard, NOW);
    for (at, key) in ["4", "2", "4", "2"].into_iter().enumerate() {
        form.edit(Field::Number, at..at, Edit::Insert(key));
    }
    form.undo(Field::Number, "4");
    let view = form.view(Field::Number);
    assert_eq!((view.text, view.caret), ("4", Some(1)));
    form.redo(Field::Number, "4242");
    let view = form.view(Field::Number);
    assert_eq!((view.text, view.caret), ("4242", Some(4)));
    form.undo(Field::Number, "a value that was never shown");
    assert_eq!(form.view(Field::Number).text, "424");
}

#[test]
fn the_time_of_the_submit_counts() {
    let mut form = filled();
    // 2029-02-01T12:00:00Z
    assert_eq!(
        form.submit(UnixSeconds(1_864_641_600)).unwrap_err(),
        Field::Expiry
    );
    assert_eq!(error(&form, Field::Expiry), Some(ErrorId::ExpiryPast));
    assert!(form.submit(UnixSeconds(1_864_641_599)).is_ok());
}

#[test]
fn a_refused_paste_blocks_the_submit() {
    let mut form = filled();
    form.input(Field::Number, &"4".repeat(40), 40);
    assert_eq!(form.view(Field::Number).text, "4242 4242 4242 4242");
    assert_eq!(error(&form, Field::Number), Some(ErrorId::NumberTooLong));
    assert_eq!(
        form.submit(NOW).unwrap_err(),
        Field::Number,
        "the person meant another number"
    );
}

#[test]
fn clear_empties_everything() {
    let mut form = filled();
    form.clear();
    for field in FormKind::FullCard.fields() {
        let view = form.view(*field);
        assert!(view.empty && view.text.is_empty());
        assert_eq!(
            (view.state, view.error, view.caret),
            (State::Incomplete, None, None)
        );
    }
    assert_eq!(form.candidates().count(), 0);
}

#[test]
fn nothing_prints_a_digit() {
    let mut form = filled();
    let card = form.submit(NOW).unwrap();
    let printed = format!(
        "{form:?} {:?} {:?} {:?} {:?}",
        card.number,
        card.code,
        form.view(Field::Number),
        form.view(Field::Code)
    );
    assert!(!printed.bytes().any(|byte| byte.is_ascii_digit()), "{printed}");
    assert!(format!("{card:?}").contains("Pan(..)"));
}

#[test]
fn a_card_from_outside_is_checked_in_every_part() {
    let full = |number, expiry, code| Card::parse(number, expiry, code, FormKind::FullCard, NOW).err();
    let visa = "4242424242424242";
    assert_eq!(full(visa, Some((11, 2026)), Some("123")), None);
    assert_eq!(
        full("", Some((1, 2029)), Some("123")),
        Some(CardError::Missing(Field::Number))
    );
    assert_eq!(
        full(visa, None, Some("123")),
        Some(CardError::Missing(Field::Expiry))
    );
    assert_eq!(
        full(visa, Some((1, 2029)), None),
        Some(CardError::Missing(Field::Code))
    );
    assert_eq!(
        full(visa, Some((0, 2029)), Some("123")),
        Some(CardError::ExpiryMonth)
    );
    assert_eq!(
        full(visa, Some((13, 2029)), Some("123")),
        Some(CardError::ExpiryMonth)
    );
    assert_eq!(
        full(visa, Some((10, 2026)), Some("123")),
        Some(CardError::ExpiryPast)
    );
    assert_eq!(
        full(visa, Some((1, 29)), Some("123")),
        Some(CardError::ExpiryPast),
        "a year has four digits"
    );
    assert_eq!(
        full(visa, Some((1, 2047)), Some("123")),
        Some(CardError::ExpiryFar)
    );
    assert_eq!(full(visa, Some((1, 2029)), Some("")), Some(CardError::CodeLength));
    assert_eq!(
        full(visa, Some((1, 2029)), Some("12a")),
        Some(CardError::CodeCharacters)
    );
    let number = |expiry, code| Card::parse(visa, expiry, code, FormKind::PanOnly, NOW).err();
    assert_eq!(number(None, None), None);
    assert_eq!(
        number(Some((1, 2029)), None),
        Some(CardError::Surplus(Field::Expiry))
    );
    assert_eq!(number(None, Some("123")), Some(CardError::Surplus(Field::Code)));
    assert!(Pan::new("4242 4242 4242 4242").is_none());
}
