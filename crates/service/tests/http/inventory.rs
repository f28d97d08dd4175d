use aws_lc_rs::digest::{SHA384, digest};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use base64ct::{Base64, Encoding};
use serde_json::Value;
use service::AppConfig;
use service::assets::VERSION;
use service::origin::Origin;

use super::service::{Answer, Service};

async fn ask(service: &Service, header: (&str, &str)) -> Answer {
    let request = Request::get("/widget/v1/inventory.json")
        .header("host", "localhost:8080")
        .header(header.0, header.1)
        .body(Body::empty())
        .unwrap();
    service.send(request).await
}

/// The entries with that value of a member.
fn with<'a>(inventory: &'a Value, member: &str, value: &str) -> Vec<&'a Value> {
    let files = inventory["files"].as_array().unwrap();
    files.iter().filter(|file| file[member] == value).collect()
}

#[tokio::test]
async fn every_file_is_listed_with_the_hash_of_what_is_served() {
    let service = Service::new();
    let inventory = ask(&service, ("accept", "*/*")).await.json();
    assert_eq!(inventory["version"], VERSION);
    let mut served = 0;
    for file in inventory["files"].as_array().unwrap() {
        assert!(file["purpose"].as_str().unwrap().ends_with('.'), "{file}");
        assert!(file["bytes"].as_u64().unwrap() > 0, "{file}");
        for address in [&file["address"], &file["evergreen"]] {
            let Some(address) = address.as_str() else { continue };
            let path = address.strip_prefix("http://localhost:8080").unwrap();
            let answer = service.get(path).await;
            assert_eq!(answer.status, StatusCode::OK, "{path}");
            let hash = Base64::encode_string(digest(&SHA384, &answer.body).as_ref());
            assert_eq!(file["integrity"], format!("sha384-{hash}"), "{path}");
            assert_eq!(file["bytes"], answer.body.len(), "{path}");
            served += 1;
        }
    }
    // All of the assets, the loader under both of its addresses, and the module that says we are there.
    assert_eq!(served, 5 + 1 + 1);
}

#[tokio::test]
async fn it_says_what_runs_on_the_shops_page_and_what_in_the_frame() {
    let inventory = ask(&Service::new(), ("accept", "*/*")).await.json();
    let shop: Vec<_> = with(&inventory, "runs", "shop")
        .iter()
        .map(|file| file["address"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        shop,
        [
            format!("http://localhost:8080/widget/{VERSION}/card-widget.js"),
            "http://localhost:8080/widget/v1/alive.js".to_owned(),
        ]
    );
    let frame = with(&inventory, "runs", "frame");
    assert_eq!(frame.len(), 4 + 2);
    let needed = frame.iter().filter(|file| file["always"] == true).count();
    assert_eq!(needed, 3, "script, module and inline script");
}

#[tokio::test]
async fn the_policies_name_the_service_as_browsers_see_it() {
    let configured = AppConfig {
        public_origin: Some(Origin::parse("https://pay.example").unwrap()),
        ..AppConfig::default()
    };
    for (service, origin) in [
        (Service::new(), "http://localhost:8080"),
        (Service::with(configured), "https://pay.example"),
    ] {
        let inventory = ask(&service, ("accept", "*/*")).await.json();
        assert_eq!(
            inventory["policies"]["minimal"],
            format!("script-src {origin}; frame-src {origin}")
        );
        let strict = inventory["policies"]["strict"].as_str().unwrap();
        for part in [
            "default-src 'none'; ",
            &format!("script-src {origin}/widget/{VERSION}/card-widget.js {origin}/widget/v1/alive.js; "),
            &format!("frame-src {origin}; "),
            "require-trusted-types-for 'script'; trusted-types 'none'",
        ] {
            assert!(strict.contains(part), "{part}: {strict}");
        }
        assert!(!strict.contains("unsafe"), "{strict}");
    }
}

#[tokio::test]
async fn a_host_that_is_none_gets_into_no_policy() {
    let service = Service::new();
    for host in ["evil.example; script-src *", "a b", "\"", "http://evil.example"] {
        let request = Request::get("/widget/v1/inventory.json")
            .header("host", host)
            .body(Body::empty())
            .unwrap();
        let answer = service.send(request).await;
        assert_eq!(answer.status, StatusCode::OK, "{host}");
        assert!(!answer.text().contains("evil"), "{host}");
    }
}

#[tokio::test]
async fn a_kept_answer_is_asked_about() {
    let service = Service::new();
    let first = ask(&service, ("accept", "*/*")).await;
    let again = ask(&service, ("if-none-match", first.header("etag"))).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    assert!(again.body.is_empty());
    assert_eq!(again.header("access-control-allow-origin"), "*");
}
