use aws_lc_rs::digest::{SHA256, digest};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use base64ct::{Base64, Encoding};
use serde_json::Value;
use service::AppConfig;
use service::assets::{Assets, FrameFiles, VERSION};

use super::service::{Answer, SHOP, START, Service};

async fn frame(service: &Service, query: &str) -> Answer {
    service.get(&format!("/widget/v1/frame?{query}")).await
}

fn good(rest: &str) -> String {
    format!("key=wk_sandbox&origin={SHOP}{rest}")
}

/// What stands between the first `start` and the next `end`.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let text = text.split_once(start).unwrap().1;
    text.split_once(end).unwrap().0
}

fn boot_of(answer: &Answer) -> Value {
    let text = answer.text();
    serde_json::from_str(between(&text, "id=\"boot\">", "</script>")).unwrap()
}

fn hash(text: &str) -> String {
    format!(
        "'sha256-{}'",
        Base64::encode_string(digest(&SHA256, text.as_bytes()).as_ref())
    )
}

#[tokio::test]
async fn the_form_may_stand_in_the_shops_page_and_in_no_other() {
    let answer = frame(&Service::new(), &good("")).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    let policy = answer.header("content-security-policy");
    for directive in [
        "default-src 'none'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors http://127.0.0.1:8081",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ] {
        assert!(
            policy.split("; ").any(|found| found == directive),
            "{directive}: {policy}"
        );
    }
    assert!(
        !policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"),
        "{policy}"
    );
    assert_eq!(answer.header("cross-origin-embedder-policy"), "require-corp");
    assert_eq!(answer.header("cross-origin-resource-policy"), "cross-origin");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(answer.header("permissions-policy").contains("camera=()"));
}

#[tokio::test]
async fn hashes_in_the_policy_are_those_of_the_bytes_in_the_page() {
    let service = Service::new();
    for query in [good(""), "key=unknown".to_owned()] {
        let answer = frame(&service, &query).await;
        let (page, policy) = (answer.text(), answer.header("content-security-policy"));
        for (start, end) in [("<script>", "</script>"), ("<style>", "</style>")] {
            assert_eq!(page.matches(start).count(), 1, "one {start}");
            let hash = hash(between(&page, start, end));
            assert!(policy.contains(&hash), "{query} {start} {hash}: {policy}");
        }
        assert!(!page.contains(" style=") && !page.contains(" onload="), "{query}");
    }
}

#[tokio::test]
async fn boot_data_is_that_of_the_key_and_origin() {
    let boot = boot_of(&frame(&Service::new(), &good("&lang=pl&type=pan_only")).await);
    assert_eq!(boot["boot"]["key"], "wk_sandbox");
    assert_eq!(boot["boot"]["origin"], SHOP);
    assert_eq!(boot["boot"]["now"], START);
    assert_eq!(boot["boot"]["live"], false);
    assert_eq!(boot["form"], "pan_only");
    assert_eq!(boot["lang"], "pl");
    assert!(boot["texts"]["errors"]["number_empty"].is_string());
}

#[tokio::test]
async fn the_page_names_the_script_for_browsers_without_webassembly() {
    let data = boot_of(&frame(&Service::new(), &good("")).await);
    assert_eq!(
        data["fallback"],
        format!("/widget/{VERSION}/fallback-0a1b2c3d.js")
    );
    let without = Assets::new(
        &[],
        Some(FrameFiles {
            script: "main.js",
            wasm: "main.wasm",
            glue: None,
            fallback: None,
        }),
    );
    let service = Service::with_assets(AppConfig::default(), without);
    let data = boot_of(&frame(&service, &good("")).await);
    assert!(data.get("fallback").is_none());
}

#[tokio::test]
async fn the_form_stands_in_the_page_in_language_and_type() {
    let service = Service::new();
    for (rest, lang, fields) in [
        ("", "en", 3),
        ("&lang=uk", "uk", 3),
        ("&lang=uk-UA", "uk", 3),
        ("&lang=pl&type=pan_only", "pl", 1),
        ("&lang=xx&type=other&template=x&style=y", "en", 3),
        ("&lang=%22%3E%3Cscript%3E&style=evo&template=line", "en", 3),
    ] {
        let page = frame(&service, &good(rest)).await.text();
        assert!(page.contains(&format!("<html lang=\"{lang}\"")), "{rest}");
        assert_eq!(page.matches("autocomplete=\"cc-").count(), fields, "{rest}");
        assert_eq!(page.matches("<form").count(), 1);
        assert!(page.contains("autocomplete=\"cc-number\""));
        assert_eq!(page.contains("autocomplete=\"cc-csc\""), fields == 3, "{rest}");
        assert!(page.contains(&format!("/widget/{VERSION}/frame-0a1b2c3d.js")));
        assert!(page.contains(&format!("/widget/{VERSION}/frame-0a1b2c3d.wasm")));
    }
}

#[tokio::test]
async fn the_look_is_in_the_page_and_the_theme_is_left_to_its_script() {
    let service = Service::new();
    let themed = "&scheme=dark&theme=%7B%22accent%22%3A%22%230a0%22%7D";
    for (rest, scheme) in [
        ("", "light"),
        ("&scheme=auto", "auto"),
        (themed, "dark"),
        ("&scheme=x", "light"),
    ] {
        let answer = frame(&service, &good(rest)).await;
        assert_eq!(answer.status, StatusCode::OK, "{rest}");
        let page = answer.text();
        let html = between(&page, "<html", ">");
        assert!(
            html.contains(&format!("data-scheme=\"{scheme}\"")),
            "{rest}: {html}"
        );
        assert!(html.contains("dir=\"ltr\""), "{rest}: {html}");
        assert!(!page.contains("0a0\""), "{rest}");
    }
}

#[tokio::test]
async fn a_refusal_has_no_form_and_tells_everybody_why() {
    let service = Service::new();
    for (query, status, code) in [
        ("", 401, "widget_key_unknown"),
        (
            "key=wk_nobody&origin=http://127.0.0.1:8081",
            401,
            "widget_key_unknown",
        ),
        ("key=wk_sandbox", 403, "origin_not_allowed"),
        (
            "key=wk_sandbox&origin=https://evil.example",
            403,
            "origin_not_allowed",
        ),
        (
            "key=wk_sandbox&origin=http://localhost.evil.example:80",
            403,
            "origin_not_allowed",
        ),
        (
            "key=wk_sandbox&origin=http://localhost:1%20https://evil.example",
            403,
            "origin_not_allowed",
        ),
        (
            "key=wk_sandbox&origin=http://localhost:1%3b%20script-src%20*",
            403,
            "origin_not_allowed",
        ),
        ("key=wk_sandbox&origin=null", 403, "origin_opaque"),
        (
            "key=wk_sandbox&origin=%3Cscript%3Ealert(1)%3C/script%3E",
            403,
            "origin_not_allowed",
        ),
    ] {
        let answer = frame(&service, query).await;
        assert_eq!(answer.status.as_u16(), status, "{query}");
        let page = answer.text();
        assert!(page.contains(code), "{query}");
        assert!(
            !page.contains("<form") && !page.contains("<input") && !page.contains("ticket"),
            "{query}"
        );
        assert!(
            !page.contains("evil") && !page.contains("nobody") && !page.contains("alert"),
            "{query}"
        );
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("frame-ancestors *;"), "{policy}");
        assert!(
            policy.contains("default-src 'none'") && !policy.contains("wasm"),
            "{policy}"
        );
        assert_eq!(answer.header("cross-origin-embedder-policy"), "require-corp");
    }
}

#[tokio::test]
async fn nobody_opens_the_form_as_a_page_of_its_own() {
    let service = Service::new();
    for (dest, status) in [("document", 403), ("iframe", 200)] {
        let request = Request::get(format!("/widget/v1/frame?{}", good("")))
            .header("sec-fetch-dest", dest)
            .body(Body::empty())
            .unwrap();
        let answer = service.send(request).await;
        assert_eq!(answer.status.as_u16(), status, "{dest}");
        assert_eq!(answer.text().contains("frame_only"), status == 403);
    }
}

#[tokio::test]
async fn a_service_without_the_widget_says_so_in_the_frame() {
    let service = Service::with_assets(AppConfig::default(), Assets::new(&[], None));
    let answer = frame(&service, &good("")).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.text().contains("widget_assets_missing"));
}

#[tokio::test]
async fn the_page_is_compressed_as_asked() {
    let service = Service::new();
    let plain = frame(&service, &good("")).await.body.len();
    for (accepted, encoding) in [
        ("gzip, deflate, br", "br"),
        ("gzip", "gzip"),
        ("identity", ""),
        ("", ""),
    ] {
        let request = Request::get(format!("/widget/v1/frame?{}", good("")))
            .header("accept-encoding", accepted)
            .body(Body::empty())
            .unwrap();
        let answer = service.send(request).await;
        assert_eq!(answer.header("content-encoding"), encoding, "{accepted}");
        assert_eq!(answer.body.len() < plain, !encoding.is_empty(), "{accepted}");
    }
}

#[tokio::test]
async fn boot_data_is_renewed_and_refused_as_json() {
    let service = Service::new();
    let first = service.boot().await;
    service.clock.advance(10);
    let second = service.boot().await;
    assert_ne!(first.ticket, second.ticket);
    assert_eq!(second.now, START + 10);
    for (query, status, code) in [
        ("", 401, "widget_key_unknown"),
        ("key=%ff%fe&origin=%00", 401, "widget_key_unknown"),
        (
            "key=wk_sandbox&origin=https://evil.example",
            403,
            "origin_not_allowed",
        ),
        ("key=wk_sandbox&origin=null", 403, "origin_opaque"),
    ] {
        let answer = service.get(&format!("/widget/v1/boot?{query}")).await;
        assert_eq!(answer.refusal(), (status, code.into()), "{query}");
        assert!(!answer.text().contains("evil"), "{query}");
    }
}
