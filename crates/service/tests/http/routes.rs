use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use service::assets::VERSION;

use super::service::Service;

#[tokio::test]
async fn health() {
    let service = Service::new();
    for path in ["/healthz", "/readyz"] {
        let answer = service.get(path).await;
        assert_eq!(answer.status, StatusCode::OK);
        // A success never has a top-level `code`: clients tell errors by it.
        assert!(answer.json().get("code").is_none());
    }
}

#[tokio::test]
async fn unknown_addresses() {
    let service = Service::new();
    for (method, path) in [
        (Method::GET, "/"),
        (Method::GET, "/widget/v1/"),
        (Method::GET, "/widget/v1/nothing"),
        (Method::GET, "/widget/9.9.9/card-widget.js"),
        (Method::POST, "/widget/v1/nothing"),
        (Method::DELETE, "/api/widget/v1/token"),
        (Method::GET, "/widget/v1/..%2f..%2fetc%2fpasswd"),
    ] {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .body(Body::empty())
            .unwrap();
        assert_eq!(
            service.send(request).await.refusal(),
            (404, "not_found".into()),
            "{path}"
        );
    }
}

#[tokio::test]
async fn wrong_methods_learn_the_right_ones() {
    let service = Service::new();
    let asset = format!("/widget/{VERSION}/card-widget.js");
    let texts = format!("/widget/{VERSION}/texts");
    for (method, path, allow) in [
        ("GET", "/api/widget/v1/tokens", "POST"),
        ("OPTIONS", "/api/widget/v1/tokens", "POST"),
        ("BREW", "/api/widget/v1/tokens", "POST"),
        ("POST", "/widget/v1/boot", "GET,HEAD"),
        ("POST", "/widget/v1/frame", "GET,HEAD"),
        ("POST", &texts, "GET,HEAD"),
        ("POST", "/widget/v1/alive.js", "GET,HEAD"),
        ("POST", "/widget/v1/inventory.json", "GET,HEAD"),
        ("DELETE", &asset, "GET,HEAD"),
    ] {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .body(Body::empty())
            .unwrap();
        let answer = service.send(request).await;
        assert_eq!(
            answer.refusal(),
            (405, "method_not_allowed".into()),
            "{method} {path}"
        );
        assert_eq!(answer.header("allow"), allow, "{method} {path}");
    }
}

#[tokio::test]
async fn every_answer_has_an_id_of_its_own() {
    let service = Service::new();
    let request = || {
        Request::get("/healthz")
            .header("x-request-id", "theirs")
            .body(Body::empty())
            .unwrap()
    };
    let (first, second) = (service.send(request()).await, service.send(request()).await);
    assert_eq!(first.header("x-request-id").len(), 16);
    assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
    assert_ne!(first.header("x-request-id"), "theirs");
}

/// What stands beside the content of every answer, by its kind.
#[tokio::test]
async fn every_answer_says_who_may_use_it_and_how_long() {
    const IMMUTABLE: &str = "public, max-age=31536000, immutable";
    const OPEN: &str = "cross-origin";
    const OWN: &str = "same-origin";
    let service = Service::new();
    let file = |name: &str| format!("/widget/{VERSION}/{name}");
    let frame = "/widget/v1/frame?key=wk_sandbox&origin=http://localhost:1".to_owned();
    for (path, content, kept, resource, allowed, embedder) in [
        (
            file("card-widget.js"),
            "text/javascript; charset=utf-8",
            IMMUTABLE,
            OPEN,
            "*",
            "",
        ),
        (
            file("frame-0a1b2c3d.js"),
            "text/javascript; charset=utf-8",
            IMMUTABLE,
            OPEN,
            "*",
            "",
        ),
        (
            file("frame-0a1b2c3d.wasm"),
            "application/wasm",
            IMMUTABLE,
            OPEN,
            "*",
            "",
        ),
        (
            file("fallback-0a1b2c3d.js"),
            "text/javascript; charset=utf-8",
            IMMUTABLE,
            OPEN,
            "*",
            "",
        ),
        (
            file("main.js"),
            "text/javascript; charset=utf-8",
            "no-cache",
            OPEN,
            "*",
            "",
        ),
        (file("texts?lang=uk"), "application/json", IMMUTABLE, OWN, "", ""),
        (
            "/widget/v1/card-widget.js".into(),
            "text/javascript; charset=utf-8",
            "no-cache",
            OPEN,
            "*",
            "",
        ),
        (
            "/widget/v1/alive.js".into(),
            "text/javascript; charset=utf-8",
            "no-store",
            OPEN,
            "*",
            "",
        ),
        (
            "/widget/v1/inventory.json".into(),
            "application/json",
            "no-cache",
            OPEN,
            "*",
            "",
        ),
        (
            "/widget/v1/boot".into(),
            "application/json",
            "no-store",
            OWN,
            "",
            "",
        ),
        ("/nothing".into(), "application/json", "no-store", OWN, "", ""),
        (
            frame,
            "text/html; charset=utf-8",
            "no-store",
            OPEN,
            "",
            "require-corp",
        ),
        (
            "/widget/v1/frame".into(),
            "text/html; charset=utf-8",
            "no-store",
            OPEN,
            "",
            "require-corp",
        ),
    ] {
        let answer = service.get(&path).await;
        for (name, value) in [
            ("content-type", content),
            ("cache-control", kept),
            ("cross-origin-resource-policy", resource),
            ("access-control-allow-origin", allowed),
            ("cross-origin-embedder-policy", embedder),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
        ] {
            assert_eq!(answer.header(name), value, "{path}: {name}");
        }
        assert!(
            answer
                .header("content-security-policy")
                .starts_with("default-src 'none'"),
            "{path}"
        );
        assert_eq!(answer.header("set-cookie"), "", "{path}");
    }
}

#[tokio::test]
async fn api_answers_are_nobodys_document() {
    let answer = Service::new().get("/widget/v1/boot").await;
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(
        answer.header("content-security-policy"),
        "default-src 'none'; frame-ancestors 'none'"
    );
    assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
}
