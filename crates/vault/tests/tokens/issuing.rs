//! From envelope to token, and everything that stands in between.

use card::{Brand, FormKind};
use vault::{IssueError, Purpose, TokenState, WidgetKey};
use wire::Code;
use wire::payload::CardPayload;

use super::support::*;

#[test]
fn a_card_becomes_a_token_that_is_recognised() {
    let place = Place::new();
    let vault = place.open();
    let issued = Submit::new(&vault, NOW).send(&vault).unwrap();
    assert!(issued.token.starts_with("ct_") && issued.token.len() <= 128);
    assert!(!issued.token.bytes().any(|byte| byte.is_ascii_digit()));
    assert_eq!(
        (issued.expires_at, issued.card_mask.as_str(), issued.repeated),
        (NOW + 3600, MASK, false)
    );

    let info = vault
        .recognise(PROJECT, &issued.token)
        .unwrap()
        .unwrap()
        .widget()
        .unwrap();
    assert_eq!(
        (info.card_mask.as_str(), info.brand, info.form),
        (MASK, Some(Brand::Visa), FormKind::FullCard)
    );
    assert_eq!((info.state, info.has_code), (TokenState::Ready, true));
    assert_eq!((info.issued_at, info.expires_at), (NOW, NOW + 3600));
    assert_eq!(
        (info.widget_key.as_str(), info.address.as_str()),
        ("wk_sandbox", "203.0.113.7")
    );
    assert_eq!(info.customer.id.as_deref(), Some("customer-17"));
    assert_eq!(info.customer.email, None);
}

#[test]
fn a_number_alone_becomes_a_token_without_a_code() {
    let place = Place::new();
    let vault = place.open();
    let issued = Submit::pan_only(&vault, NOW).send(&vault).unwrap();
    let info = vault
        .recognise(PROJECT, &issued.token)
        .unwrap()
        .unwrap()
        .widget()
        .unwrap();
    assert_eq!(
        (info.form, info.has_code, info.brand),
        (FormKind::PanOnly, false, Some(Brand::Mastercard))
    );
}

#[test]
fn a_token_is_known_to_its_project_alone_and_only_as_a_whole() {
    let place = Place::new();
    let vault = place.open();
    let token = token(&place, &vault);
    let other = self::token(&place, &vault);
    assert!(vault.recognise(PROJECT, &token).unwrap().is_some());
    for (project, text, why) in [
        ("sandbox-2", token.clone(), "another project"),
        ("nobody", token.clone(), "no project"),
        (PROJECT, String::new(), "nothing"),
        (PROJECT, token[..79].to_owned(), "cut"),
        (
            PROJECT,
            format!("{}{}", &token[..40], &other[40..]),
            "the id with another secret",
        ),
        (PROJECT, VISA.to_owned(), "a number"),
    ] {
        assert_eq!(vault.recognise(project, &text).unwrap(), None, "{why}");
    }
}

#[test]
fn tokens_outlive_the_process() {
    let place = Place::new();
    let vault = place.open();
    let token = token(&place, &vault);
    let key = vault.sealing_key(NOW).unwrap();
    let ticket_key = *vault.ticket_key();
    drop(vault);
    let vault = place.open();
    assert_eq!(
        vault
            .recognise(PROJECT, &token)
            .unwrap()
            .unwrap()
            .widget()
            .unwrap()
            .card_mask,
        MASK
    );
    assert_eq!(
        (vault.sealing_key(NOW).unwrap(), *vault.ticket_key()),
        (key, ticket_key)
    );
}

/// What a test changes, the code it expects, and why.
type Case = (fn(&mut Submit), Code, &'static str);

#[test]
fn refused_envelopes() {
    let place = Place::new();
    let vault = place.open();
    let cases: &[Case] = &[
        (
            |s| s.claims.widget_key = "wk_sandbox_2".into(),
            Code::EnvelopeMismatch,
            "another widget key",
        ),
        (
            |s| s.claims.origin = "https://evil.example".into(),
            Code::EnvelopeMismatch,
            "another origin",
        ),
        (
            |s| s.claims.form = "half_card".into(),
            Code::EnvelopeMismatch,
            "unknown form",
        ),
        (
            |s| s.claims.issued_at = NOW + 301,
            Code::EnvelopeMismatch,
            "sealed in the future",
        ),
        (
            |s| s.claims.issued_at = NOW - 301,
            Code::EnvelopeMismatch,
            "sealed before its ticket",
        ),
        (
            |s| s.ticket_made_at = NOW - 3600,
            Code::TicketExpired,
            "an hour old",
        ),
        (
            |s| s.sealing.kid = "nobodys".into(),
            Code::SealingKeyUnknown,
            "unknown sealing key",
        ),
        (
            |s| s.payload = b"".to_vec(),
            Code::WrongCardData,
            "nothing inside",
        ),
        (
            |s| s.payload = b"[]".to_vec(),
            Code::WrongCardData,
            "not a card inside",
        ),
        (
            |s| s.payload = br#"{"number":"4242424242424242","pin":"1234"}"#.to_vec(),
            Code::WrongCardData,
            "surplus member",
        ),
        (
            |s| s.payload = br#"{"number":"\u0034242424242424242"}"#.to_vec(),
            Code::WrongCardData,
            "an escape",
        ),
        (
            |s| s.payload = br#"{"number":"4242424242424242","exp_month":1,"cvv":"123"}"#.to_vec(),
            Code::WrongCardData,
            "month without year",
        ),
        (
            |s| s.payload = pan_only(),
            Code::WrongCardData,
            "no expiry and code",
        ),
        (
            |s| s.claims.form = "pan_only".into(),
            Code::WrongCardData,
            "a code where money is received",
        ),
    ];
    for (change, code, why) in cases {
        let mut submit = Submit::new(&vault, NOW);
        change(&mut submit);
        assert_eq!(submit.send(&vault).unwrap_err().code(), *code, "{why}");
    }
}

#[test]
fn clocks_may_differ_a_little() {
    let place = Place::new();
    let vault = place.open();
    for issued_at in [NOW - 300, NOW + 300] {
        let mut submit = Submit::new(&vault, NOW);
        submit.claims.issued_at = issued_at;
        assert!(submit.send(&vault).is_ok());
    }
}

#[test]
fn altered_envelopes() {
    let place = Place::new();
    let vault = place.open();
    let good = Submit::new(&vault, NOW);
    let envelope = good.envelope();
    let parts: Vec<&str> = envelope.split('.').collect();
    for part in [2, 3, 4] {
        let mut parts: Vec<String> = parts.iter().map(|part| part.to_string()).collect();
        // The first character, so that the last one stays canonical.
        let first = if parts[part].starts_with('A') { "B" } else { "A" };
        parts[part].replace_range(..1, first);
        let error = issue(&vault, good.request_with(&parts.join("."))).unwrap_err();
        assert!(matches!(error, IssueError::EnvelopeUnreadable), "part {part}");
    }
    // Sealed for a key that is not the vault's, under the vault's key id.
    let other = Place::new();
    let mut submit = Submit::new(&other.open(), NOW);
    submit.sealing.kid = vault.sealing_key(NOW).unwrap().kid;
    assert!(
        matches!(submit.send(&vault), Err(IssueError::EnvelopeUnreadable)),
        "another key"
    );
    // A header that was exchanged as a whole.
    let other = Submit::new(&vault, NOW).envelope();
    let mixed = format!("{}.{}", other.split('.').next().unwrap(), parts[1..].join("."));
    assert!(
        matches!(
            issue(&vault, good.request_with(&mixed)),
            Err(IssueError::EnvelopeUnreadable)
        ),
        "header"
    );
}

#[test]
fn refused_cards() {
    let place = Place::new();
    let vault = place.open();
    let card = |number: &str, expiry, code| CardPayload::write(number, Some(expiry), Some(code)).to_vec();
    for (payload, code, why) in [
        (
            card("4242424242424241", (12, 2030), "123"),
            Code::WrongCardNumber,
            "Luhn",
        ),
        (card("", (12, 2030), "123"), Code::WrongCardNumber, "no number"),
        (
            card("42424242424242", (12, 2030), "123"),
            Code::WrongCardNumber,
            "short",
        ),
        (
            card(&"4".repeat(30), (12, 2030), "123"),
            Code::WrongCardNumber,
            "30 digits",
        ),
        (
            card("4242 4242 4242 4242", (12, 2030), "123"),
            Code::WrongCardNumber,
            "spaces",
        ),
        (
            card("٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢", (12, 2030), "123"),
            Code::WrongCardNumber,
            "digits of another script",
        ),
        (card(VISA, (8, 2026), "123"), Code::CardExpired, "last month"),
        (card(VISA, (13, 2030), "123"), Code::WrongExpiry, "month 13"),
        (card(VISA, (1, 2090), "123"), Code::WrongExpiry, "far ahead"),
        (card(VISA, (12, 2030), "12"), Code::WrongCvv, "short code"),
        (card(VISA, (12, 2030), "1234"), Code::WrongCvv, "long code"),
        (card(VISA, (12, 2030), "abc"), Code::WrongCvv, "letters"),
    ] {
        let mut submit = Submit::new(&vault, NOW);
        submit.payload = payload;
        let error = submit.send(&vault).unwrap_err();
        assert_eq!(error.code(), code, "{why}");
        let shown = format!("{error} {error:?}");
        // "1 to 12" is the most that is said in digits.
        assert!(
            !shown
                .as_bytes()
                .windows(3)
                .any(|three| three.iter().all(u8::is_ascii_digit)),
            "{why}"
        );
    }
}

#[test]
fn test_numbers_are_for_test_keys() {
    let place = Place::new();
    let vault = place.open();
    for number in [VISA, "5555555555554444", "4000000000000044", "378282246310005"] {
        let code = if number.starts_with('3') { "1234" } else { "123" };
        let mut submit = Submit::new(&vault, NOW);
        submit.payload = CardPayload::write(number, Some((12, 2030)), Some(code)).to_vec();
        submit.live = true;
        let error = submit.send(&vault).unwrap_err();
        assert!(matches!(error, IssueError::TestNumber));
        assert_eq!(error.code(), Code::WrongCardNumber);

        // Nothing was stored: neither nonce nor idempotency key is used up.
        submit.live = false;
        assert!(!submit.send(&vault).unwrap().repeated);
    }

    let mut receiving = Submit::pan_only(&vault, NOW);
    receiving.live = true;
    assert!(matches!(receiving.send(&vault), Err(IssueError::TestNumber)));

    for live in [true, false] {
        let mut submit = Submit::new(&vault, NOW);
        submit.payload = CardPayload::write(REAL, Some((12, 2030)), Some("123")).to_vec();
        submit.live = live;
        assert_eq!(submit.send(&vault).unwrap().card_mask, "99990000****3459");
    }
}

#[test]
fn expiry_is_judged_by_the_servers_clock() {
    let place = Place::new();
    let vault = place.open();
    let mut submit = Submit::new(&vault, NOW);
    submit.payload = CardPayload::write(VISA, Some((9, 2026)), Some("123")).to_vec();
    assert!(submit.send(&vault).is_ok(), "September in September");
    place.advance(30 * 86_400);
    let mut late = Submit::new(&vault, place.now());
    late.payload = submit.payload;
    assert_eq!(late.send(&vault).unwrap_err().code(), Code::CardExpired);
}

#[test]
fn a_project_that_was_never_added_has_no_key() {
    let place = Place::new();
    let vault = place.open();
    let mut submit = Submit::new(&vault, NOW);
    submit.project = "nobody".into();
    assert_eq!(submit.send(&vault).unwrap_err().code(), Code::InternalError);
}

#[test]
fn widget_keys() {
    let place = Place::new();
    let vault = place.open();
    vault.ensure_sandbox().unwrap();
    let sandbox = vault.widget_key("wk_sandbox").unwrap().unwrap();
    assert_eq!((sandbox.project.as_str(), sandbox.live), ("sandbox", false));
    assert_eq!(sandbox.origins, ["http://localhost:*", "http://127.0.0.1:*"]);
    assert_eq!(
        vault.widget_key("wk_sandbox_2").unwrap().unwrap().project,
        "sandbox-2"
    );
    assert_eq!(vault.widget_key("wk_nobody").unwrap(), None);

    let key = WidgetKey {
        id: "wk_live_x".into(),
        project: "shop".into(),
        live: true,
        origins: vec!["https://shop.example".into()],
        apps: false,
    };
    vault.add_widget_key(&key).unwrap();
    assert_eq!(vault.widget_key("wk_live_x").unwrap().as_ref(), Some(&key));
    assert!(matches!(
        vault.add_widget_key(&key),
        Err(vault::VaultError::WidgetKeyTaken)
    ));
    assert_eq!(vault.widget_keys().unwrap().len(), 3);
    for id in [String::new(), "w".repeat(129)] {
        let wrong = WidgetKey { id, ..key.clone() };
        assert!(matches!(
            vault.add_widget_key(&wrong),
            Err(vault::VaultError::WrongId)
        ));
    }
    // Added beside a running service, by another process.
    let second = place.open();
    second
        .add_widget_key(&WidgetKey {
            id: "wk_live_y".into(),
            ..key
        })
        .unwrap();
    assert!(vault.widget_key("wk_live_y").unwrap().is_some());
}

#[test]
fn nothing_of_card_person_or_token_is_printed() {
    let place = Place::new();
    let vault = place.open();
    let submit = Submit::new(&vault, NOW);
    let request = submit.request();
    let shown = format!("{request:?} {:?} {vault:?}", request.customer);
    let issued = issue(&vault, request).unwrap();
    let info = vault
        .recognise(PROJECT, &issued.token)
        .unwrap()
        .unwrap()
        .widget()
        .unwrap();
    let redeemed = vault
        .redeem(
            PROJECT,
            &issued.token,
            &vault::OperationId::new("op").unwrap(),
            Purpose::PAY,
        )
        .unwrap();
    let card = vault.use_card(&redeemed, |card| format!("{card:?}")).unwrap();
    let replay = vault.replay(PROJECT, &submit.key, &submit.body_hash).unwrap();
    let shown = format!("{shown} {issued:?} {info:?} {redeemed:?} {card} {replay:?}");
    for secret in [
        VISA,
        MASK,
        "4242",
        "2030",
        "123",
        "customer-17",
        "203.0.113.7",
        &submit.key,
        &issued.token,
    ] {
        assert!(!shown.contains(secret), "{shown}");
    }
}
