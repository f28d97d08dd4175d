use axum::body::Body;
use axum::http::Request;
use service::AppConfig;
use service::address::Peer;
use service::metrics::{self, Audience};
use tower::ServiceExt;

use super::sealing::{VISA, full_card, seal};
use super::service::{SHOP, Service};

#[tokio::test]
async fn what_happened_is_counted_and_nothing_that_was_sent_is_told() {
    let service = Service::new();
    let envelope = seal(&service.boot().await, &full_card());
    assert_eq!(service.tokenize(&envelope).await.status, 201);
    assert_eq!(service.tokenize(&envelope).await.status, 409);
    service.get("/4242424242424242").await;
    service.get("/widget/v1/frame?key=wk_nobody").await;
    let answer = service.get_from("127.0.0.1", "/metrics").await;
    assert_eq!(answer.status, 200);
    assert!(
        answer
            .header("content-type")
            .starts_with("application/openmetrics-text")
    );
    let text = answer.text();
    let batches = text
        .lines()
        .find_map(|line| line.strip_prefix("card_widget_vault_batches_total "));
    assert!(batches.unwrap().parse::<u64>().unwrap() > 0, "{text}");
    for line in [
        r#"card_widget_requests_total{route="/api/widget/v1/tokens",method="POST",status="201"} 1"#,
        r#"card_widget_requests_total{route="/api/widget/v1/tokens",method="POST",status="409"} 1"#,
        r#"card_widget_requests_total{route="-",method="GET",status="404"} 1"#,
        r#"card_widget_request_seconds_count{route="/api/widget/v1/tokens"} 2"#,
        r#"card_widget_refusals_total{code="nonce_replayed"} 1"#,
        r#"card_widget_refusals_total{code="widget_key_unknown"} 1"#,
        r#"card_widget_tokens_total{source="browser",repeated="no"} 1"#,
        "card_widget_vault_batches_failed_total 0",
        "card_widget_vault_cards_resealed_total 0",
        "card_widget_vault_cards_to_reseal 0",
        // The one that asks.
        "card_widget_requests_running 1",
    ] {
        assert!(text.lines().any(|told| told == line), "{line}\n{text}");
    }
    assert!(text.ends_with("# EOF\n"));
    for secret in [VISA, SHOP, "wk_", &envelope[..20]] {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn figures_are_for_this_machine() {
    let behind_a_proxy = Service::with(AppConfig {
        trusted_proxies: vec!["127.0.0.2".parse().unwrap()],
        ..AppConfig::default()
    });
    let elsewhere = Service::with(AppConfig {
        audience: Audience::Nobody,
        ..AppConfig::default()
    });
    let alone = Service::new();
    for (service, peer, forwarded, status, why) in [
        (&alone, "127.0.0.1", None, 200, "loopback"),
        (&alone, "::1", None, 200, "the other loopback"),
        (&alone, "192.0.2.1", None, 404, "another machine"),
        (
            &alone,
            "127.0.0.1",
            Some("192.0.2.1"),
            404,
            "a proxy that nobody told us of",
        ),
        (&alone, "192.0.2.1", Some("127.0.0.1"), 404, "a claim"),
        (
            &behind_a_proxy,
            "127.0.0.2",
            Some("192.0.2.1"),
            404,
            "through the proxy",
        ),
        (
            &behind_a_proxy,
            "127.0.0.2",
            Some("127.0.0.1"),
            200,
            "from here through the proxy",
        ),
        (
            &elsewhere,
            "127.0.0.1",
            None,
            404,
            "they have an address of their own",
        ),
    ] {
        let mut request = Request::get("/metrics");
        if let Some(forwarded) = forwarded {
            request = request.header("x-forwarded-for", forwarded);
        }
        let mut request = request.body(Body::empty()).unwrap();
        let peer = Peer(std::net::SocketAddr::new(peer.parse().unwrap(), 1));
        request.extensions_mut().insert(peer);
        assert_eq!(service.send(request).await.status, status, "{why}");
    }
    let request = Request::get("/metrics").body(Body::empty()).unwrap();
    let answer = metrics::router(elsewhere.app).oneshot(request).await.unwrap();
    assert_eq!(answer.status(), 200);
}
