//! What a payer does on the pages, from the shop's call to the way back.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use wire::boot::Boot;
use wire::payload::CardPayload;

use super::sealing::seal;
use super::service::{Answer, OURS, SHOP, Service, call};

/// A card of the sandbox that asks for a proof, and pays.
const PROVEN: &str = "4242424242424242";
/// One that asks for nothing, and pays.
const PAYING: &str = "5555555555554444";
/// One that has no money.
const EMPTY: &str = "4000000000000044";

impl Service {
    /// A payment in mode `hosted`: its page.
    async fn hosted(&self, external_id: &str) -> String {
        let body = json!({
            "amount": "100.50", "currency": "UAH", "external_id": external_id, "mode": "hosted",
            "result_url": format!("{SHOP}/done"), "result_url_fail": format!("{SHOP}/cart"),
            "customer": { "external_id": "customer", "locale": "EN" },
        });
        let answer = self
            .send(call("POST", "/api/payments/v1/new", &body.to_string()))
            .await;
        let body = answer.json();
        let address = body["action"]["value"].as_str().unwrap();
        address.strip_prefix(OURS).unwrap().to_owned()
    }

    async fn form(&self, path: &str, form: &str) -> Answer {
        self.send(form_request(path, form)).await
    }

    /// What a page's own card form makes of a card.
    async fn token_of_page(&self, number: &str) -> String {
        let path = format!("/widget/v1/boot?key=page.sandbox&origin={OURS}");
        let boot: Boot = serde_json::from_slice(&self.get_here(&path).await.body).unwrap();
        let payload = CardPayload::write(number, Some((12, 2028)), Some("123"));
        let answer = self.tokenize(&seal(&boot, &payload)).await;
        answer.json()["token"].as_str().unwrap().to_owned()
    }

    async fn get_here(&self, path: &str) -> Answer {
        let request = Request::get(path).header("host", "localhost:8080");
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// Pays on a page with a card that is typed there; the page that follows.
    async fn pay_with(&self, page: &str, attempt: u32, number: &str) -> Answer {
        let token = self.token_of_page(number).await;
        let paid = self
            .form(page, &format!("attempt={attempt}&method=cc_token&token={token}"))
            .await;
        self.get(followed(&paid)).await
    }

    async fn attempts(&self, external_id: &str) -> Vec<Value> {
        let path = format!("/api/payments/v1/info?external_id={external_id}");
        let body = self.send(call("GET", &path, "")).await.json();
        body["purchase_details"].as_array().cloned().unwrap_or_default()
    }
}

fn form_request(path: &str, form: &str) -> Request<Body> {
    Request::post(path)
        .header("host", "localhost:8080")
        .header("origin", OURS)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(form.to_owned()))
        .unwrap()
}

/// Where a form's answer leads.
#[track_caller]
fn followed(answer: &Answer) -> &str {
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text());
    answer.header("location")
}

/// The address that a page leads to at once.
fn leads_to(page: &Answer) -> String {
    let text = page.text();
    let address = text
        .split("http-equiv=\"refresh\" content=\"0; url=")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    address.unwrap_or_default().replace("&#38;", "&")
}

#[tokio::test]
async fn a_card_pays_and_the_payer_is_led_back() {
    let service = Service::new();
    let page = service.hosted("a").await;
    let open = service.get(&page).await;
    assert_eq!(open.status, StatusCode::OK);
    for text in ["data-key=\"page.sandbox\"", "UAH\u{a0}100.50", "name=\"save\""] {
        assert!(open.text().contains(text), "{text}");
    }
    for (header, value) in [
        ("cache-control", "no-store"),
        ("referrer-policy", "same-origin"),
        ("x-robots-tag", "noindex"),
    ] {
        assert_eq!(open.header(header), value);
    }
    let paid = service.pay_with(&page, 0, PAYING).await;
    assert_eq!(
        leads_to(&paid),
        format!("{SHOP}/done?external_id=a&status=success")
    );
    // Whoever opens it again is told, and stays.
    let again = service.get(&page).await;
    assert!(again.text().contains("Paid") && leads_to(&again).is_empty());
    let receipt = again.text();
    let receipt = receipt
        .split("href=\"/receipt/")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let receipt = service.get(&format!("/receipt/{receipt}")).await;
    assert!(receipt.text().contains("UAH\u{a0}100.50"));
}

#[tokio::test]
async fn one_payment_for_a_double_click_another_window_and_the_back_button() {
    let service = Service::new();
    let page = service.hosted("a").await;
    for _ in 0..3 {
        let answer = service.form(&page, "attempt=0&method=mobile_a_pay").await;
        assert!(followed(&answer).starts_with(&page));
    }
    let other_way = service.form(&page, "attempt=0&method=mobile_b_pay").await;
    followed(&other_way);
    assert_eq!(service.attempts("a").await.len(), 1);
    assert_eq!(service.attempts("a").await[0]["status"], "success");
}

#[tokio::test]
async fn after_a_decline_another_card_pays() {
    let service = Service::new();
    let page = service.hosted("a").await;
    let declined = service.pay_with(&page, 0, EMPTY).await;
    assert!(
        declined.text().contains("not enough money"),
        "{}",
        declined.text()
    );
    assert!(leads_to(&declined).is_empty());
    // The form of before the decline is a repeat of that.
    let repeat = service.form(&page, "attempt=0&method=mobile_a_pay").await;
    followed(&repeat);
    assert_eq!(service.attempts("a").await.len(), 1);
    let paid = service.pay_with(&page, 1, PAYING).await;
    assert!(leads_to(&paid).starts_with(&format!("{SHOP}/done")));
    assert_eq!(service.attempts("a").await.len(), 2);
}

#[tokio::test]
async fn a_proof_passes_or_fails() {
    let service = Service::new();
    for (external_id, proof, text) in [
        ("a", "passed", "Paid"),
        ("b", "failed", "was not confirmed with the bank"),
    ] {
        let page = service.hosted(external_id).await;
        let asked = service.pay_with(&page, 0, PROVEN).await;
        let challenge = leads_to(&asked);
        assert!(challenge.starts_with("/3ds/"), "{}", asked.text());
        let shown = service.get(&challenge).await;
        assert!(shown.text().contains("42424242****4242"));
        let proven = service.form(&challenge, &format!("proof={proof}")).await;
        let next = leads_to(&service.get(followed(&proven)).await);
        assert!(next.starts_with(&page), "{next}");
        let end = service.get(&next).await;
        assert!(end.text().contains(text), "{}", end.text());
        // The other answer comes too late.
        followed(&service.form(&challenge, "proof=passed").await);
        followed(&service.form(&challenge, "proof=failed").await);
        assert!(service.get(&page).await.text().contains(text));
    }
}

#[tokio::test]
async fn a_payment_of_the_shops_server_is_proven_and_led_back() {
    let service = Service::new();
    for (external_id, proof, end) in [
        ("a", "passed", format!("{SHOP}/done?external_id=a&status=success")),
        ("b", "failed", format!("{SHOP}/cart?external_id=b&status=failure")),
    ] {
        let token = service.token_of_page(PROVEN).await;
        let body = json!({
            "amount": 10, "currency": "UAH", "external_id": external_id, "mode": "direct",
            "result_url": format!("{SHOP}/done"), "result_url_fail": format!("{SHOP}/cart"),
            "customer": { "payment_method": { "type": "cc_token", "cc_token": { "token": token } } },
        });
        let created = service
            .send(call("POST", "/api/payments/v1/new", &body.to_string()))
            .await;
        let address = created.json()["action"]["value"].as_str().unwrap().to_owned();
        let challenge = address.strip_prefix(OURS).unwrap();
        let proven = service.form(challenge, &format!("proof={proof}")).await;
        assert_eq!(leads_to(&service.get(followed(&proven)).await), end);
        assert!(leads_to(&service.get(challenge).await).is_empty());
    }
}

#[tokio::test]
async fn a_page_that_is_open_learns_that_it_is_old() {
    let service = Service::new();
    let page = service.hosted("a").await;
    let state = format!("{page}/state");
    let version = |answer: Answer| answer.json()["version"].as_str().unwrap().to_owned();
    let before = version(service.get(&state).await);
    assert!(
        service
            .get(&page)
            .await
            .text()
            .contains(&format!("data-version=\"{before}\""))
    );
    assert_eq!(version(service.get(&state).await), before);
    service.form(&page, "attempt=0&method=mobile_a_pay").await;
    assert_ne!(version(service.get(&state).await), before);
}

#[tokio::test]
async fn the_server_decides_that_time_is_up() {
    let service = Service::new();
    let page = service.hosted("a").await;
    service.clock.advance(720 * 60 - 1);
    assert!(service.get(&page).await.text().contains("data-left=\"1\""));
    service.clock.advance(1);
    let late = service.form(&page, "attempt=0&method=mobile_a_pay").await;
    let shown = service.get(followed(&late)).await;
    assert!(shown.text().contains("time to pay is over"), "{}", shown.text());
    assert!(service.attempts("a").await.is_empty());
}

#[tokio::test]
async fn what_is_wrong_is_a_page_that_says_so_and_pays_nothing() {
    let service = Service::new();
    let page = service.hosted("a").await;
    let secret = page.strip_prefix("/pay/").unwrap();
    let altered = page.replace(&page[page.len() - 4..], "AAAA");
    for (path, why) in [
        ("/pay/", "no secret"),
        ("/pay/1", "too short"),
        ("/pay/%2e%2e%2f%2e%2e", "no secret at all"),
        (&altered, "altered"),
        (&format!("/3ds/{secret}"), "of another page"),
        (&format!("/receipt/{secret}"), "of another page"),
        (&format!("/receipt/{secret}/state"), "no such route"),
    ] {
        let answer = service.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{why}");
        if !path.ends_with('/') && !path.ends_with("state") {
            assert!(
                answer.text().contains("There is no such page"),
                "{why}: {}",
                answer.text()
            );
        }
    }
    for (form, status) in [
        ("", 400),
        ("attempt=0&method=cc&number=4242424242424242", 400),
        ("attempt=0&method=cc_token&token=", 200),
        ("attempt=0&method=wallet&option=zzzz", 200),
        ("attempt=0&method=cc_token&token=ct_zzzz", 200),
    ] {
        let answer = service.form(&page, form).await;
        assert_eq!(answer.status.as_u16(), status, "{form}: {}", answer.text());
        assert!(!answer.text().contains("zzzz"), "{form}");
    }
    let long = format!("attempt=0&method=wallet&option={}", "x".repeat(20_000));
    assert_eq!(
        service.form(&page, &long).await.status,
        StatusCode::PAYLOAD_TOO_LARGE
    );
    let mut foreign = form_request(&page, "attempt=0&method=mobile_a_pay");
    foreign.headers_mut().insert("origin", SHOP.parse().unwrap());
    assert_eq!(service.send(foreign).await.status, StatusCode::FORBIDDEN);
    assert!(service.attempts("a").await.is_empty());
    assert_eq!(
        service.form("/3ds/x", "proof=passed").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn the_key_of_pages_is_for_our_own_origin_and_for_projects_that_there_are() {
    let service = Service::new();
    for (key, origin, expected) in [
        ("page.sandbox", OURS, 200),
        ("page.sandbox", SHOP, 403),
        ("page.sandbox", "http://localhost:8081", 403),
        ("page.nobody", OURS, 401),
        ("page.", OURS, 401),
    ] {
        let path = format!("/widget/v1/boot?key={key}&origin={origin}");
        assert_eq!(service.get_here(&path).await.status, expected, "{key} {origin}");
    }
}

#[tokio::test]
async fn the_language_is_chosen_said_or_preferred() {
    let service = Service::new();
    let page = service.hosted("a").await;
    for (path, accepted, lang) in [
        (page.clone(), "pl", "en"),
        (format!("{page}?lang=uk"), "pl", "uk"),
        ("/pay/nothing".to_owned(), "pl-PL,en;q=0.5", "pl"),
    ] {
        let request = Request::get(&path).header("accept-language", accepted);
        let answer = service.send(request.body(Body::empty()).unwrap()).await;
        assert!(
            answer.text().contains(&format!("<html lang=\"{lang}\"")),
            "{path}"
        );
    }
    let paid = service
        .form(&format!("{page}?lang=uk"), "attempt=0&method=mobile_a_pay")
        .await;
    assert!(followed(&paid).ends_with("lang=uk"));
}
