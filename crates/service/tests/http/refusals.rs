use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::json;
use wire::boot::Boot;
use wire::payload::CardPayload;

use super::sealing::{VISA, full_card, idempotency_key, random, seal, seal_with};
use super::service::{Answer, Service, token_request};

/// A refusal must not hold anything that was sent: it looks for every piece of `sent` that is long enough to be one.
fn assert_no_echo(answer: &Answer, sent: &str, why: &str) {
    let mut told = answer.text();
    for (name, value) in &answer.headers {
        told.push_str(&format!(
            "\n{name}: {}",
            String::from_utf8_lossy(value.as_bytes())
        ));
    }
    let pieces = sent
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|piece| piece.len() >= 6);
    for piece in pieces {
        let ours = ["envelope", "customer"].contains(&piece);
        assert!(ours || !told.contains(piece), "{why}: {piece}");
    }
    assert!(!told.contains(VISA), "{why}");
}

async fn refused(
    service: &Service,
    request: Request<Body>,
    sent: &str,
    expected: (u16, &str),
    why: &str,
) -> Answer {
    let answer = service.send(request).await;
    assert_eq!(answer.refusal(), (expected.0, expected.1.to_owned()), "{why}");
    assert_no_echo(&answer, sent, why);
    answer
}

#[tokio::test]
async fn bodies() {
    let service = Service::new();
    let large = format!(r#"{{"envelope":"{}"}}"#, "x".repeat(16 * 1024));
    let deep = "[".repeat(16_000);
    let deep_envelope = format!(r#"{{"envelope":{}"#, "{\"seventh\":".repeat(1_000));
    let five_dots = format!(r#"{{"envelope":"{}"}}"#, "eleventh.".repeat(4));
    for (body, expected, param, why) in [
        ("", (400, "invalid_request_body"), "", "empty"),
        ("seventeen", (400, "invalid_request_body"), "", "not JSON"),
        (r#"{"envelope":"#, (400, "invalid_request_body"), "", "cut off"),
        (&deep, (400, "invalid_request_body"), "", "deep"),
        (
            &deep_envelope,
            (400, "invalid_request_body"),
            "envelope",
            "deep where a text belongs",
        ),
        (r#"[]"#, (400, "invalid_request_body"), "", "an array"),
        (
            r#"["seventeen",null,null,null]"#,
            (400, "invalid_request_body"),
            "",
            "members without names",
        ),
        (
            r#"{"seventeen":"eighteen"}"#,
            (400, "invalid_request_body"),
            "envelope",
            "no envelope",
        ),
        (
            r#"{"envelope":4242424242424242}"#,
            (400, "invalid_request_body"),
            "envelope",
            "a number",
        ),
        (
            r#"{"envelope":"e","customer_email":{"seventeen":1}}"#,
            (400, "invalid_request_body"),
            "customer_email",
            "wrong type",
        ),
        (&large, (413, "body_too_large"), "", "too large"),
        (
            r#"{"envelope":""}"#,
            (400, "envelope_malformed"),
            "envelope",
            "empty envelope",
        ),
        (
            r#"{"envelope":"4242424242424242"}"#,
            (400, "envelope_malformed"),
            "envelope",
            "a clear number",
        ),
        (
            &five_dots,
            (400, "envelope_malformed"),
            "envelope",
            "rubbish in five parts",
        ),
    ] {
        let answer = refused(
            &service,
            token_request(body, &idempotency_key()),
            body,
            expected,
            why,
        )
        .await;
        assert_eq!(answer.json()["param"], param, "{why}");
    }
}

#[tokio::test]
async fn a_declared_length_is_refused_unread() {
    let service = Service::new();
    let mut request = token_request("{}", &idempotency_key());
    request
        .headers_mut()
        .insert("content-length", "16385".parse().unwrap());
    assert_eq!(
        service.send(request).await.refusal(),
        (413, "body_too_large".into())
    );
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come() {
    let service = Service::new();
    let mut request = token_request("", &idempotency_key());
    *request.body_mut() = Body::new(Never);
    let answer = service.send(request).await;
    assert_eq!(answer.refusal(), (408, "request_timeout".into()));
}

/// A client that sends a head and then nothing.
struct Never;

impl axum::body::HttpBody for Never {
    type Data = axum::body::Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Self::Data>, Self::Error>>> {
        std::task::Poll::Pending
    }
}

#[tokio::test]
async fn origins_of_the_request() {
    let service = Service::new();
    for (origin, why) in [
        (None, "no browser"),
        (Some("http://127.0.0.1:8081"), "the shop's page"),
        (Some("https://evil.example"), "another page"),
        (Some("http://localhost:8081"), "another port"),
        (Some("null"), "a sandboxed frame"),
        (Some("localhost:8080"), "no scheme"),
    ] {
        let body = json!({"envelope": seal(&service.boot().await, &full_card())}).to_string();
        let mut request = token_request(&body, &idempotency_key());
        request.headers_mut().remove("origin");
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        refused(&service, request, &body, (403, "origin_not_allowed"), why).await;
    }
}

#[tokio::test]
async fn idempotency_keys() {
    let service = Service::new();
    for (key, why) in [
        (None, "missing"),
        (Some("short-key-of-15"), "short"),
        (Some("has a space in it"), "a space"),
    ] {
        let body = json!({"envelope": seal(&service.boot().await, &full_card())}).to_string();
        let mut request = token_request(&body, &idempotency_key());
        request.headers_mut().remove("idempotency-key");
        if let Some(key) = key {
            request
                .headers_mut()
                .insert("idempotency-key", key.parse().unwrap());
        }
        refused(&service, request, &body, (400, "idempotency_key_invalid"), why).await;
    }
}

/// What is wrong with an envelope, and what it is called.
type Case = (&'static str, fn(&Boot) -> String, (u16, &'static str));

#[tokio::test]
async fn envelopes() {
    let cases: &[Case] = &[
        (
            "of an unknown widget key",
            |boot| header(boot, |h| h.claims.widget_key = "wk_nobody_at_all".into()),
            (401, "widget_key_unknown"),
        ),
        (
            "of another widget key",
            |boot| header(boot, |h| h.claims.widget_key = "wk_sandbox_2".into()),
            (403, "ticket_invalid"),
        ),
        (
            "of an origin not on the list",
            |boot| header(boot, |h| h.claims.origin = "https://evil.example".into()),
            (403, "origin_not_allowed"),
        ),
        (
            "of an allowed origin that is not the ticket's",
            |boot| header(boot, |h| h.claims.origin = "http://localhost:9999".into()),
            (403, "ticket_invalid"),
        ),
        (
            "of an opaque origin",
            |boot| header(boot, |h| h.claims.origin = "null".into()),
            (403, "origin_opaque"),
        ),
        (
            "with a made-up ticket",
            |boot| header(boot, |h| h.claims.ticket = "made_up_ticket".into()),
            (403, "ticket_invalid"),
        ),
        (
            "with an unknown form",
            |boot| header(boot, |h| h.claims.form = "half_card".into()),
            (400, "envelope_mismatch"),
        ),
        (
            "sealed before its ticket",
            |boot| header(boot, |h| h.claims.issued_at -= 3600),
            (400, "envelope_mismatch"),
        ),
        (
            "sealed in the future",
            |boot| header(boot, |h| h.claims.issued_at += 3600),
            (400, "envelope_mismatch"),
        ),
        (
            "for an unknown sealing key",
            |boot| header(boot, |h| h.kid = "nobodys".into()),
            (400, "sealing_key_unknown"),
        ),
        (
            "for another sealing key",
            |boot| seal(&for_another_vault(boot), &full_card()),
            (400, "envelope_unreadable"),
        ),
        (
            "with an altered ciphertext",
            |boot| altered(boot, 3),
            (400, "envelope_unreadable"),
        ),
        (
            "with an altered iv",
            |boot| altered(boot, 2),
            (400, "envelope_unreadable"),
        ),
        (
            "with an altered tag",
            |boot| altered(boot, 4),
            (400, "envelope_unreadable"),
        ),
        (
            "with a one-time key off the curve",
            off_the_curve,
            (400, "envelope_unreadable"),
        ),
    ];
    for (why, make, expected) in cases {
        let service = Service::new();
        let body = json!({"envelope": make(&service.boot().await)}).to_string();
        refused(
            &service,
            token_request(&body, &idempotency_key()),
            &body,
            *expected,
            why,
        )
        .await;
    }
}

#[tokio::test]
async fn an_expired_ticket() {
    let service = Service::new();
    let boot = service.boot().await;
    service.clock.advance(3600);
    let envelope = seal_with(&boot, &full_card(), |header| header.claims.issued_at += 3599);
    let body = json!({"envelope": envelope}).to_string();
    refused(
        &service,
        token_request(&body, &idempotency_key()),
        &body,
        (403, "ticket_expired"),
        "an hour old",
    )
    .await;
}

#[tokio::test]
async fn cards() {
    let number = |digits: &str| CardPayload::write(digits, Some((12, 2028)), Some("123")).to_vec();
    let expiry = |month, year| CardPayload::write(VISA, Some((month, year)), Some("123")).to_vec();
    let code = |code: &str| CardPayload::write(VISA, Some((12, 2028)), Some(code)).to_vec();
    let service = Service::new();
    for (payload, form, expected, why) in [
        (
            number("4242424242424241"),
            "full_card",
            (422, "wrong_card_number"),
            "Luhn",
        ),
        (
            number("424242424242"),
            "full_card",
            (422, "wrong_card_number"),
            "short",
        ),
        (
            number(&"4".repeat(30)),
            "full_card",
            (422, "wrong_card_number"),
            "30 digits",
        ),
        (
            number("4242abcd42424242"),
            "full_card",
            (422, "wrong_card_number"),
            "letters",
        ),
        (
            number("4242 4242 4242 4242"),
            "full_card",
            (422, "wrong_card_number"),
            "spaces",
        ),
        (number(""), "full_card", (422, "wrong_card_number"), "nothing"),
        (
            number("0000000000000000"),
            "full_card",
            (422, "wrong_card_number"),
            "one digit repeated",
        ),
        (expiry(8, 2026), "full_card", (422, "card_expired"), "last month"),
        (expiry(1, 2020), "full_card", (422, "card_expired"), "long ago"),
        (expiry(13, 2028), "full_card", (422, "wrong_expiry"), "month 13"),
        (expiry(0, 2028), "full_card", (422, "wrong_expiry"), "month 0"),
        (
            expiry(1, 2090),
            "full_card",
            (422, "wrong_expiry"),
            "too far ahead",
        ),
        (code("12"), "full_card", (422, "wrong_cvv"), "two digits"),
        (code("12345"), "full_card", (422, "wrong_cvv"), "five digits"),
        (code("12a"), "full_card", (422, "wrong_cvv"), "a letter"),
        (
            super::sealing::pan_only(),
            "full_card",
            (422, "wrong_card_data"),
            "no expiry and code",
        ),
        (
            full_card(),
            "pan_only",
            (422, "wrong_card_data"),
            "a code where money is received",
        ),
    ] {
        let envelope = seal_with(&service.boot().await, &payload, |header| {
            header.claims.form = form.into()
        });
        let body = json!({"envelope": envelope}).to_string();
        refused(
            &service,
            token_request(&body, &idempotency_key()),
            &body,
            expected,
            why,
        )
        .await;
    }
    for (payload, why) in [
        (b"".to_vec(), "nothing inside"),
        (b"seventeen".to_vec(), "not JSON inside"),
        (
            br#"{"number":"4242424242424242","pin":"1234"}"#.to_vec(),
            "a member that is not a card's",
        ),
    ] {
        let body = json!({"envelope": seal(&service.boot().await, &payload)}).to_string();
        let answer = service.send(token_request(&body, &idempotency_key())).await;
        let (status, code) = answer.refusal();
        assert!(
            [
                (400, "envelope_malformed"),
                (400, "envelope_unreadable"),
                (400, "envelope_mismatch"),
                (422, "wrong_card_data")
            ]
            .contains(&(status, code.as_str())),
            "{why}: {status} {code}"
        );
        assert_no_echo(&answer, &body, why);
    }
}

/// A refused card leaves nothing behind: the person corrects it and submits again with a new envelope.
#[tokio::test]
async fn a_corrected_card_is_accepted() {
    let service = Service::new();
    let boot = service.boot().await;
    let wrong = CardPayload::write(VISA, Some((12, 2028)), Some("12")).to_vec();
    assert_eq!(
        service.tokenize(&seal(&boot, &wrong)).await.refusal(),
        (422, "wrong_cvv".into())
    );
    assert_eq!(service.tokenize(&seal(&boot, &full_card())).await.status, 201);
}

/// The checks stand in the order of the design: of two faults, the earlier one is told.
#[tokio::test]
async fn the_first_fault_is_told() {
    let service = Service::new();
    let boot = service.boot().await;
    let everything = header(&boot, |h| {
        h.claims.widget_key = "wk_nobody_at_all".into();
        h.claims.origin = "null".into();
        h.claims.ticket = "made_up_ticket".into();
        h.kid = "nobodys".into();
    });
    let origin_on = header(&boot, |h| {
        h.claims.origin = "null".into();
        h.claims.ticket = "made_up_ticket".into();
    });
    let ticket_on = header(&boot, |h| {
        h.claims.ticket = "made_up_ticket".into();
        h.kid = "nobodys".into();
    });
    for (envelope, key, expected) in [
        (&everything, "short", (401, "widget_key_unknown")),
        (&origin_on, "short", (403, "origin_opaque")),
        (&ticket_on, "short", (400, "idempotency_key_invalid")),
        (&ticket_on, "0123456789abcdef", (403, "ticket_invalid")),
    ] {
        let body = json!({"envelope": envelope}).to_string();
        refused(&service, token_request(&body, key), &body, expected, "two faults").await;
    }
}

#[tokio::test]
async fn wrong_methods_echo_nothing() {
    let service = Service::new();
    for method in [Method::GET, Method::PUT, Method::DELETE, Method::OPTIONS] {
        let sent = "{\"envelope\":\"seventeen\"}";
        let mut request = token_request(sent, &idempotency_key());
        *request.method_mut() = method;
        refused(&service, request, sent, (405, "method_not_allowed"), "method").await;
    }
}

fn header(boot: &Boot, change: fn(&mut seal::Header)) -> String {
    seal_with(boot, &full_card(), change)
}

/// Boot data that names a sealing key by its right id and with another key's point.
fn for_another_vault(boot: &Boot) -> Boot {
    let other = another_key();
    Boot {
        sealing_key: wire::boot::SealingKey {
            kid: boot.sealing_key.kid.clone(),
            ..other
        },
        ..boot.clone()
    }
}

fn another_key() -> wire::boot::SealingKey {
    use aws_lc_rs::agreement::{ECDH_P256, EphemeralPrivateKey};
    use aws_lc_rs::rand::SystemRandom;
    use base64ct::{Base64UrlUnpadded, Encoding};

    let key = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
    let point = seal::Point::from_uncompressed(key.compute_public_key().unwrap().as_ref()).unwrap();
    wire::boot::SealingKey {
        kid: String::new(),
        x: Base64UrlUnpadded::encode_string(&point.x),
        y: Base64UrlUnpadded::encode_string(&point.y),
    }
}

/// One character of one part is another.
fn altered(boot: &Boot, part: usize) -> String {
    let envelope = seal(boot, &full_card());
    let mut parts: Vec<String> = envelope.split('.').map(str::to_owned).collect();
    let first = parts[part].remove(0);
    parts[part].insert(0, if first == 'A' { 'B' } else { 'A' });
    parts.join(".")
}

fn off_the_curve(boot: &Boot) -> String {
    seal_with(boot, &full_card(), |header| header.epk.y = random())
}
