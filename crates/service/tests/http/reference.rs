use axum::body::Body;
use axum::http::Request;
use serde_json::Value;
use wire::Code;

use super::sealing::{full_card, seal};
use super::service::Service;

async fn document(service: &Service) -> Value {
    let answer = service.get("/api/openapi.json").await;
    assert_eq!(answer.status, 200);
    answer.json()
}

/// What is described is there, under its method and no other.
#[tokio::test]
async fn every_described_address_is_there() {
    let service = Service::new();
    let document = document(&service).await;
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() > 60, "{}", paths.len());
    for (path, methods) in paths {
        let path = path.replace("{file}", "main.js");
        let request = |method: &str| {
            let request = Request::builder().method(method).uri(&path);
            service.send(
                request
                    .header("host", "localhost:8080")
                    .body(Body::empty())
                    .unwrap(),
            )
        };
        // `/metrics` is there for this machine only, and says so by the same status.
        let there = request("TRACE").await;
        assert_eq!(there.refusal(), (405, "method_not_allowed".into()), "{path}");
        let allowed = there.header("allow").to_ascii_lowercase();
        for method in methods.as_object().unwrap().keys() {
            assert!(
                allowed.split(',').any(|allowed| allowed == method),
                "{method} {path}"
            );
        }
    }
}

/// The shapes are those of real answers.
#[tokio::test]
async fn answers_are_as_described() {
    let service = Service::new();
    let document = document(&service).await;
    let boot = service.boot().await;
    let created = service.tokenize(&seal(&boot, &full_card())).await;
    let refused = service.tokenize("rubbish").await;
    let described = |path: &str, method: &str, status: &str| {
        document["paths"][path][method]["responses"][status]["content"]["application/json"]["schema"].clone()
    };
    for (answer, schema) in [
        (created.json(), described("/api/widget/v1/tokens", "post", "201")),
        (
            serde_json::to_value(&boot).unwrap(),
            described("/widget/v1/boot", "get", "200"),
        ),
        (refused.json(), document["components"]["schemas"]["Error"].clone()),
    ] {
        let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&answer), names(&schema["properties"]));
        for (name, value) in answer.as_object().unwrap() {
            let kind = match value {
                Value::String(_) => "string",
                Value::Bool(_) => "boolean",
                Value::Number(_) => "integer",
                _ => "object",
            };
            assert_eq!(schema["properties"][name]["type"], kind, "{name}");
        }
    }
    assert_eq!(
        described("/api/widget/v1/tokens", "post", "400"),
        serde_json::json!({"$ref": "#/components/schemas/Error"})
    );
}

/// What is said once is there where it is named.
#[tokio::test]
async fn every_name_leads_somewhere() {
    let service = Service::new();
    let document = document(&service).await;
    let (mut waiting, mut names) = (vec![&document], Vec::new());
    while let Some(value) = waiting.pop() {
        if let Some(name) = value["$ref"].as_str() {
            assert!(document.pointer(&name[1..]).is_some(), "{name}");
            names.push(name);
        }
        waiting.extend(value.as_object().into_iter().flat_map(|object| object.values()));
        waiting.extend(value.as_array().into_iter().flatten());
    }
    for name in [
        "headers/X-RateLimit-Limit",
        "responses/Refused401",
        "schemas/Error",
    ] {
        assert!(names.contains(&&*format!("#/components/{name}")), "{name}");
    }
    // Said in no other place.
    let text = document.to_string();
    assert_eq!(text.matches("Calls per minute.").count(), 1);
    assert_eq!(
        text.matches("or the customer's token, are missing or wrong")
            .count(),
        1
    );
}

#[tokio::test]
async fn the_page_says_the_same_and_runs_nothing() {
    let service = Service::new();
    let page = service.get("/api/reference").await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(
        page.header("content-security-policy")
            .starts_with("default-src 'none'")
    );
    let text = page.text();
    for path in document(&service).await["paths"].as_object().unwrap().keys() {
        assert!(text.contains(path.as_str()), "{path}");
    }
    assert!(!text.contains("<script") && !text.contains("onload"));
    // Not of the service, or of the router as a whole.
    let elsewhere = ["method_not_allowed"];
    for code in Code::ALL {
        assert!(
            elsewhere.contains(&code.as_str()) || text.contains(code.as_str()),
            "{code:?}"
        );
    }
}
