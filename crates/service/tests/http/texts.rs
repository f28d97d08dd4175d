use axum::body::Body;
use axum::http::{Request, StatusCode};

use service::assets::VERSION;

use super::service::Service;

fn address(query: &str) -> String {
    format!("/widget/{VERSION}/texts?{query}")
}

#[tokio::test]
async fn an_open_form_gets_the_texts_of_another_language() {
    let service = Service::new();
    for (query, lang, pointer, text) in [
        ("lang=uk&type=full_card", "uk", "/title", "Дані картки"),
        ("lang=uk&type=full_card", "uk", "/testMode", "Тестовий режим"),
        ("lang=uk&type=full_card", "uk", "/dir", "ltr"),
        ("lang=uk&type=full_card", "uk", "/networks", "Платіжна система"),
        (
            "lang=uk&type=full_card",
            "uk",
            "/codes/too_many_requests/few",
            "Забагато спроб. Спробуйте ще раз через {n} хвилини",
        ),
        (
            "lang=pl&type=pan_only",
            "pl",
            "/titleReceive",
            "Karta do odbioru pieniędzy",
        ),
        (
            "lang=pl-PL&type=pan_only",
            "pl",
            "/submitReceive",
            "Odbierz na tę kartę",
        ),
        ("lang=en&type=other", "en", "/submit", "Pay"),
        ("lang=xx", "en", "/submit", "Pay"),
        ("", "en", "/submit", "Pay"),
    ] {
        let answer = service.get(&address(query)).await;
        assert_eq!(answer.status, StatusCode::OK, "{query}");
        assert_eq!(answer.header("content-type"), "application/json");
        let body = answer.json();
        assert_eq!(body["lang"], lang, "{query}");
        assert_eq!(body["texts"].pointer(pointer).unwrap(), text, "{query} {pointer}");
        assert!(body["texts"]["noScript"].is_null(), "{query}");
    }
}

#[tokio::test]
async fn the_texts_are_those_of_the_page() {
    let service = Service::new();
    for kind in ["full_card", "pan_only"] {
        let rest = format!("lang=pl&type={kind}");
        let shop = super::service::SHOP;
        let page = service
            .get(&format!("/widget/v1/frame?key=wk_sandbox&origin={shop}&{rest}"))
            .await
            .text();
        let boot = page.split_once("id=\"boot\">").unwrap().1;
        let boot = boot.split_once("</script>").unwrap().0;
        let boot: serde_json::Value = serde_json::from_str(boot).unwrap();
        let answer = service.get(&address(&rest)).await.json();
        let fetched = answer["texts"].as_object().unwrap();
        let in_page = boot["texts"].as_object().unwrap();
        assert!(in_page.len() > 5, "{kind}");
        for (name, text) in in_page {
            assert_eq!(fetched.get(name), Some(text), "{kind} {name}");
        }
        let more: Vec<_> = fetched
            .keys()
            .filter(|name| !in_page.contains_key(*name))
            .map(String::as_str)
            .collect();
        let title = if kind == "full_card" {
            "title"
        } else {
            "titleReceive"
        };
        assert_eq!(more, ["dir", "testMode", title], "{kind}");
    }
}

#[tokio::test]
async fn an_answer_is_kept_for_good() {
    let answer = Service::new().get(&address("lang=uk&type=full_card")).await;
    assert_eq!(
        answer.header("cache-control"),
        "public, max-age=31536000, immutable"
    );
    assert_eq!(answer.header("vary"), "accept-encoding");
}

#[tokio::test]
async fn the_texts_are_compressed_as_asked() {
    let service = Service::new();
    let path = &address("lang=uk&type=full_card");
    let plain = service.get(path).await;
    let request = Request::get(path)
        .header("accept-encoding", "gzip, br")
        .body(Body::empty())
        .unwrap();
    let packed = service.send(request).await;
    assert_eq!(packed.header("content-encoding"), "br");
    assert_eq!(packed.header("vary"), "accept-encoding");
    assert!(packed.body.len() * 2 < plain.body.len());
}
