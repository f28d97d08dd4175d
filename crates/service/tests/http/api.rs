//! What all calls of shops' servers have in common.

use axum::body::Body;
use axum::http::Request;
use processing::{NewProject, Permissions};
use service::AppConfig;
use service::limit::Limit;
use zeroize::Zeroizing;

use super::service::{Service, call, call_as};

const RESEND: &str = "/api/payments/v1/callback/resend";
const BODY: &str = r#"{"external_id":"order-17"}"#;

#[tokio::test]
async fn callers_are_known_by_their_credentials() {
    let service = Service::new();
    let answer = service.send(call("POST", RESEND, BODY)).await;
    assert_eq!(answer.refusal(), (400, "transaction_not_found".into()));
    assert_eq!(answer.json()["type"], "payment_error");
    assert_eq!(answer.json()["param"], "external_id");
    for credentials in [
        "sandbox:sandbox-2-password",
        "sandbox-2:sandbox-password",
        "sandbox:",
        "sandbox:sandbox-password ",
        ":",
        "nobody:sandbox-password",
        "крамниця:sandbox-password",
    ] {
        let answer = service.send(call_as(credentials, "POST", RESEND, BODY)).await;
        assert_eq!(
            answer.refusal(),
            (401, "authorization_failed".into()),
            "{credentials}"
        );
        assert_eq!(
            answer.header("www-authenticate"),
            "Basic realm=\"card-widget\", charset=\"UTF-8\""
        );
        assert_eq!(answer.header("x-ratelimit-limit"), "", "nobody's limit");
    }
    let without = Request::post(RESEND).body(Body::from(BODY)).unwrap();
    assert_eq!(service.send(without).await.status, 401);
    let mut twice = call("POST", RESEND, BODY);
    let again = twice.headers()["authorization"].clone();
    twice.headers_mut().append("authorization", again);
    assert_eq!(service.send(twice).await.status, 401);
}

#[tokio::test]
async fn a_body_is_json_under_any_name() {
    let service = Service::new();
    for kind in [
        "text/plain;charset=UTF-8",
        "application/x-www-form-urlencoded",
        "rubbish",
        "",
    ] {
        let mut request = call("POST", RESEND, &format!(" {BODY}\n"));
        request
            .headers_mut()
            .insert("content-type", kind.parse().unwrap());
        let answer = service.send(request).await;
        assert_eq!(answer.refusal(), (400, "transaction_not_found".into()), "{kind}");
    }
    let long = format!(r#"{{"external_id":"{}"}}"#, "x".repeat(256));
    let huge = format!(r#"{{"x":"{}"}}"#, "x".repeat(1 << 20));
    for (body, param) in [
        ("", ""),
        ("null", ""),
        ("[]", ""),
        ("{", ""),
        (r#"{"external_id":"a"}{}"#, ""),
        (&huge, ""),
        ("{}", "external_id"),
        (r#"{"external_id":null}"#, "external_id"),
        (r#"{"external_id":""}"#, "external_id"),
        (r#"{"external_id":17}"#, "external_id"),
        (r#"{"external_id":"a\u0000"}"#, "external_id"),
        (&long, "external_id"),
        (r#"{"external_id":"a","operation":[]}"#, "operation"),
    ] {
        let answer = service.send(call("POST", RESEND, body)).await;
        assert_eq!(
            answer.refusal(),
            (400, "invalid_request_body".into()),
            "{body:.60}"
        );
        assert_eq!(answer.json()["param"], param, "{body:.60}");
        assert_eq!(answer.json()["type"], "invalid_request_error");
    }
}

#[tokio::test]
async fn other_addresses_are_refused_in_the_same_words() {
    let service = Service::new();
    for (method, path) in [
        ("POST", "/api/payments/v1/nothing"),
        ("DELETE", "/api/payments/v1"),
        ("GET", "/api/payments/v2/info?external_id=a"),
        ("POST", "/api/payments/v1/callback/resend/"),
    ] {
        let answer = service.send(call(method, path, BODY)).await;
        assert_eq!(answer.refusal(), (404, "not_found".into()), "{path}");
    }
    let answer = service.send(call("GET", RESEND, "")).await;
    assert_eq!(answer.refusal(), (405, "method_not_allowed".into()));
}

#[tokio::test]
async fn a_project_has_its_own_limit() {
    let service = Service::with(AppConfig {
        call_rate: Some("2".parse::<Limit>().unwrap()),
        ..AppConfig::default()
    });
    let mut left = Vec::new();
    for _ in 0..3 {
        let answer = service.send(call("POST", RESEND, BODY)).await;
        assert_eq!(answer.header("x-ratelimit-limit"), "2");
        left.push((
            answer.status.as_u16(),
            answer.header("x-ratelimit-remaining").to_owned(),
        ));
        assert!(answer.header("x-ratelimit-reset").parse::<u64>().unwrap() <= 60);
    }
    let expected = [(400, "1"), (400, "0"), (429, "0")].map(|(status, left)| (status, left.to_owned()));
    assert_eq!(left, expected);
    let refused = service.send(call("POST", RESEND, BODY)).await;
    assert_eq!(refused.refusal(), (429, "too_many_requests".into()));
    assert_eq!(refused.json()["type"], "api_error");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() <= 30);
    let other = call_as("sandbox-2:sandbox-2-password", "POST", RESEND, BODY);
    assert_eq!(service.send(other).await.status, 400);
    let stranger = call_as("sandbox:wrong", "POST", RESEND, BODY);
    assert_eq!(
        service.send(stranger).await.status,
        401,
        "uses up nothing, and learns nothing"
    );
}

#[tokio::test]
async fn limits_hold_for_live_projects_and_the_sandbox_is_told_a_generous_one() {
    let service = Service::new();
    let new = NewProject {
        id: "live".into(),
        partner: "partner".into(),
        name: "Shop".into(),
        is_live: true,
        password: Zeroizing::new("a live password of a shop".into()),
        permissions: Permissions::default(),
    };
    service.processing.add_project(&new).unwrap();
    let live = call_as("live:a live password of a shop", "POST", RESEND, BODY);
    assert_eq!(service.send(live).await.header("x-ratelimit-limit"), "6000");
    let answer = service.send(call("POST", RESEND, BODY)).await;
    assert_eq!(answer.header("x-ratelimit-limit"), "1000000");
    assert_eq!(answer.header("x-ratelimit-remaining"), "1000000");
    assert_eq!(answer.header("x-ratelimit-reset"), "0");
}
