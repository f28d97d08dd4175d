use axum::body::Body;
use axum::http::{Request, StatusCode};
use service::AppConfig;
use service::assets::{Assets, VERSION};

use super::service::{Answer, Service};

async fn get(service: &Service, path: &str, header: (&str, &str)) -> Answer {
    let request = Request::get(path)
        .header(header.0, header.1)
        .body(Body::empty())
        .unwrap();
    service.send(request).await
}

#[tokio::test]
async fn every_file_may_be_loaded_by_any_page() {
    let service = Service::new();
    for (name, content_type) in [
        ("card-widget.js", "text/javascript; charset=utf-8"),
        ("frame-0a1b2c3d.js", "text/javascript; charset=utf-8"),
        ("frame-0a1b2c3d.wasm", "application/wasm"),
        ("fallback-0a1b2c3d.js", "text/javascript; charset=utf-8"),
    ] {
        let answer = service.get(&format!("/widget/{VERSION}/{name}")).await;
        assert_eq!(answer.status, StatusCode::OK, "{name}");
        assert_eq!(answer.header("content-type"), content_type);
        assert_eq!(
            answer.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert_eq!(answer.header("cross-origin-resource-policy"), "cross-origin");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
}

#[tokio::test]
async fn names_that_stay_while_content_changes_are_asked_for_again() {
    let service = Service::new();
    for path in [
        "/widget/v1/card-widget.js".to_owned(),
        format!("/widget/{VERSION}/main.js"),
    ] {
        let answer = service.get(&path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert_eq!(answer.header("cache-control"), "no-cache");
        assert!(answer.header("etag").starts_with('"'), "{path}");
    }
}

#[tokio::test]
async fn the_compressed_file_goes_to_those_who_take_it() {
    let service = Service::new();
    let path = "/widget/v1/card-widget.js";
    for (accepted, encoding, body) in [
        ("gzip, deflate, br, zstd", "br", "br of script"),
        ("gzip", "", "/* script */"),
        ("br;q=0", "", "/* script */"),
        ("identity", "", "/* script */"),
    ] {
        let answer = get(&service, path, ("accept-encoding", accepted)).await;
        assert_eq!(answer.header("content-encoding"), encoding, "{accepted}");
        assert_eq!(answer.header("vary"), "accept-encoding");
        assert_eq!(answer.text(), body);
    }
    let uncompressed = get(
        &service,
        &format!("/widget/{VERSION}/main.js"),
        ("accept-encoding", "br"),
    )
    .await;
    assert_eq!(uncompressed.header("content-encoding"), "");
}

#[tokio::test]
async fn a_known_tag_is_not_sent_again() {
    let service = Service::new();
    let path = "/widget/v1/card-widget.js";
    let tag = service.get(path).await.header("etag").to_owned();
    let compressed = get(&service, path, ("accept-encoding", "br"))
        .await
        .header("etag")
        .to_owned();
    assert_ne!(tag, compressed);
    for (sent, status) in [
        (tag.clone(), StatusCode::NOT_MODIFIED),
        (format!("\"other\", W/{tag}"), StatusCode::NOT_MODIFIED),
        (compressed, StatusCode::OK),
    ] {
        let answer = get(&service, path, ("if-none-match", &sent)).await;
        assert_eq!(answer.status, status, "{sent}");
        assert_eq!(answer.header("etag"), tag);
        assert_eq!(answer.body.is_empty(), status == StatusCode::NOT_MODIFIED);
    }
}

#[tokio::test]
async fn a_page_that_sees_no_form_learns_whether_we_are_there() {
    let answer = Service::new().get("/widget/v1/alive.js?0.25").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.text(), "export {}\n");
    for (name, value) in [
        ("content-type", "text/javascript; charset=utf-8"),
        ("cache-control", "no-store"),
        ("access-control-allow-origin", "*"),
        ("cross-origin-resource-policy", "cross-origin"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
}

#[tokio::test]
async fn a_service_without_the_widget_says_so() {
    let service = Service::with_assets(AppConfig::default(), Assets::new(&[], None));
    let answer = service.get("/widget/v1/card-widget.js").await;
    assert_eq!(answer.refusal(), (503, "widget_assets_missing".into()));
}
