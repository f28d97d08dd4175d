//! Callbacks on their whole way, from the sandbox into a handler of axum's.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::routing::post;
use client::callback::{Callback, Callbacks, Event};
use client::receiver::Signed;
use client::{RefundAmount, RefundRequest};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::place::{GOOD, Place, payment, until};

struct Shop {
    address: String,
    heard: Arc<Mutex<Vec<Callback>>>,
}

impl Shop {
    async fn new(callbacks: Callbacks) -> Self {
        let heard = Arc::<Mutex<Vec<Callback>>>::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let noted = Arc::clone(&heard);
        let hear = async move |Signed(callback): Signed| noted.lock().unwrap().push(callback);
        let router: Router = Router::new().route("/heard", post(hear)).with_state(callbacks);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, heard }
    }

    /// What a stranger is answered.
    async fn status(&self, headers: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        let length = body.len();
        let request = format!(
            "POST /heard HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer[9..12].to_owned()
    }
}

#[tokio::test]
async fn what_the_service_tells_is_heard_and_what_strangers_tell_is_not() {
    let place = Place::new().await;
    let shop = Shop::new(place.client.callbacks()).await;
    let url = format!("http://{}/heard", shop.address);
    let payments = place.client.payments();
    let told = payment("order-1", GOOD, json!({ "callback_url": url }));
    payments.create(&told).await.unwrap();
    let refund = RefundRequest::new(told.external_id.clone(), RefundAmount::Full);
    payments.refund(&refund).await.unwrap();
    let heard = until(async || {
        let heard = shop.heard.lock().unwrap();
        (heard.len() == 2).then(|| heard.clone())
    })
    .await;
    let operations = heard.iter().map(|callback| match &callback.event {
        Event::Payment(payment) => payment.operation.as_ref().unwrap().as_str().to_owned(),
        other => panic!("{other:?}"),
    });
    assert_eq!(operations.collect::<Vec<_>>(), ["payment", "refund"]);
    assert_ne!(heard[0].key, heard[1].key);
    // Told again, it has the key that it had.
    payments
        .resend_callback(&client::parameters(json!({ "external_id": "order-1" })).unwrap())
        .await
        .unwrap();
    let again = until(async || shop.heard.lock().unwrap().get(2).cloned()).await;
    assert_eq!(again.key, heard[1].key);

    let body = r#"{"external_id":"order-1","is_success":true}"#;
    let signature = client::interface::callback::signature(b"another", body.as_bytes());
    for headers in [
        String::new(),
        format!("x-service-signature: {signature}\r\n"),
        format!("x-service-signature: {signature}\r\nx-service-signature: {signature}\r\n"),
    ] {
        assert_eq!(shop.status(&headers, body).await, "401");
    }
    let broken = "{";
    let signature = client::interface::callback::signature(b"sandbox-password", broken.as_bytes());
    let headers = format!("x-service-signature: {signature}\r\n");
    assert_eq!(shop.status(&headers, broken).await, "400");
    assert_eq!(shop.heard.lock().unwrap().len(), 3);
}
