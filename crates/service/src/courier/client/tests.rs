//! Against receivers that are whatever a receiver may be.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use super::*;

/// A receiver that answers each request with the same bytes, and what has come to it.
struct Receiver {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
    connections: Arc<AtomicUsize>,
}

/// What a receiver does when it has read a request.
#[derive(Clone, Copy)]
enum Answer {
    /// Says this, and waits for the next request.
    Say(&'static str),
    /// Says this, and closes the connection.
    Close(&'static str),
    /// Says this, and nothing more.
    Hang(&'static str),
}

impl Receiver {
    async fn new(answer: Answer) -> Self {
        Self::with_tls(answer, None).await
    }

    async fn with_tls(answer: Answer, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (requests, connections) = (Arc::default(), Arc::new(AtomicUsize::new(0)));
        let (noted, counted) = (Arc::clone(&requests), Arc::clone(&connections));
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                counted.fetch_add(1, Ordering::SeqCst);
                let (noted, tls) = (Arc::clone(&noted), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        None => talk(stream, answer, noted).await,
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                talk(stream, answer, noted).await;
                            }
                        }
                    }
                });
            }
        });
        Self {
            port,
            requests,
            connections,
        }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/callback?shop=1", self.port)
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn talk(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    answer: Answer,
    noted: Arc<Mutex<Vec<String>>>,
) {
    let mut buffer = Vec::new();
    loop {
        let mut part = [0; 4096];
        let Ok(read @ 1..) = stream.read(&mut part).await else {
            return;
        };
        buffer.extend_from_slice(&part[..read]);
        if !buffer.ends_with(BODY.as_bytes()) {
            continue;
        }
        noted
            .lock()
            .unwrap()
            .push(String::from_utf8(std::mem::take(&mut buffer)).unwrap());
        let (Answer::Say(text) | Answer::Close(text) | Answer::Hang(text)) = answer;
        stream.write_all(text.as_bytes()).await.unwrap();
        match answer {
            Answer::Say(_) => {}
            Answer::Close(_) => return,
            Answer::Hang(_) => std::future::pending::<()>().await,
        }
    }
}

const BODY: &str = r#"{"description":"Оплата"}"#;
const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

fn clients() -> Clients {
    Clients::new(RootCertStore::empty()).unwrap()
}

async fn post(clients: &Clients, url: &str, may_be_private: bool) -> Result<u16, String> {
    let parcel = Parcel {
        url: Url::parse(url).unwrap(),
        body: BODY.into(),
        signature: "c2lnbmF0dXJl".to_owned(),
        may_be_private,
    };
    clients.post(parcel, Duration::from_millis(500)).await
}

#[tokio::test]
async fn a_callback_arrives_to_the_byte_and_connections_are_kept() {
    let (receiver, clients) = (Receiver::new(Answer::Say(OK)).await, clients());
    for _ in 0..3 {
        assert_eq!(post(&clients, &receiver.url(), true).await, Ok(200));
    }
    let requests = receiver.requests();
    let (head, body) = requests[0].split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /callback?shop=1 HTTP/1.1\r\n"), "{head}");
    let head = head.to_lowercase();
    for line in [
        "content-type: application/json",
        "x-service-signature: c2lnbmf0dxjl",
        "content-length: 30",
    ] {
        assert!(head.contains(line), "{head}");
    }
    assert_eq!(body, BODY);
    assert_eq!(requests.len(), 3);
    assert_eq!(receiver.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn what_comes_back_is_told_as_it_is() {
    let clients = clients();
    for (answer, expected) in [
        (
            Answer::Close("HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"),
            Ok(500),
        ),
        (Answer::Close("HTTP/1.1 204 No Content\r\n\r\n"), Ok(204)),
        (
            Answer::Close("HTTP/1.1 201 Made\r\nContent-Length: 0\r\n\r\n"),
            Ok(201),
        ),
        // Without an end of its own: the connection's.
        (Answer::Close("HTTP/1.0 200 OK\r\n\r\nthanks"), Ok(200)),
        (
            Answer::Close("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok"),
            Err("status 200, and then the answer broke off"),
        ),
        (
            Answer::Hang("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok"),
            Err("no answer within"),
        ),
        (Answer::Hang(""), Err("no answer within")),
        (
            Answer::Hang("HTTP/1.1 100 Continue\r\n\r\n"),
            Err("no answer within"),
        ),
        (Answer::Close(""), Err("")),
        (Answer::Close("what?\r\n\r\n"), Err("")),
    ] {
        let receiver = Receiver::new(answer).await;
        let told = post(&clients, &receiver.url(), true).await;
        match (&told, expected) {
            (Ok(status), Ok(expected)) => assert_eq!(*status, expected),
            (Err(error), Err(expected)) => assert!(error.contains(expected), "{error}"),
            _ => panic!("{told:?} and not {expected:?}"),
        }
    }
}

#[tokio::test]
async fn nobody_is_followed_elsewhere() {
    let elsewhere = Receiver::new(Answer::Say(OK)).await;
    let text = format!(
        "HTTP/1.1 307 Elsewhere\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n",
        elsewhere.url()
    );
    let receiver = Receiver::new(Answer::Say(text.leak())).await;
    assert_eq!(post(&clients(), &receiver.url(), true).await, Ok(307));
    assert_eq!(elsewhere.connections.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn an_answer_without_end_is_not_read_to_it() {
    let body = "x".repeat(200_000);
    let text = format!("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n{body}");
    let receiver = Receiver::new(Answer::Hang(text.leak())).await;
    assert_eq!(post(&clients(), &receiver.url(), true).await, Ok(200));
}

#[tokio::test]
async fn private_addresses_are_for_those_who_may() {
    let (receiver, clients) = (Receiver::new(Answer::Say(OK)).await, clients());
    let port = receiver.port;
    // A connection that lies ready is not for all.
    assert_eq!(post(&clients, &receiver.url(), true).await, Ok(200));
    for host in [
        "127.0.0.1",
        "localhost",
        "127.1",
        "0x7f000001",
        "2130706433",
        "0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "169.254.169.254",
    ] {
        let told = post(&clients, &format!("http://{host}:{port}/"), false).await;
        assert_eq!(told, Err(PRIVATE.to_owned()), "{host}");
    }
    assert_eq!(receiver.connections.load(Ordering::SeqCst), 1);
    assert_eq!(
        post(&clients, &format!("http://localhost:{port}/"), true).await,
        Ok(200)
    );
}

#[tokio::test]
async fn who_is_not_there_is_not_waited_for() {
    let port = Receiver::new(Answer::Say(OK)).await.port;
    let free = TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    assert_ne!(port, free);
    let told = post(&clients(), &format!("http://127.0.0.1:{free}/"), true)
        .await
        .unwrap_err();
    assert!(told.contains("refused"), "{told}");
    let told = post(&clients(), "http://no-such-host.invalid/", true).await;
    assert!(told.is_err());
}

#[tokio::test]
async fn a_certificate_must_be_good() {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let receiver = Receiver::with_tls(Answer::Say(OK), Some(Arc::new(config).into())).await;
    let mut authorities = RootCertStore::empty();
    authorities.add(cert.der().clone()).unwrap();
    let believing = Clients::new(authorities).unwrap();
    let port = receiver.port;
    let right = format!("https://localhost:{port}/");
    assert_eq!(post(&believing, &right, true).await, Ok(200));
    for (clients, url) in [
        (&believing, format!("https://127.0.0.1:{port}/")),
        (&clients(), right),
    ] {
        let told = post(clients, &url, true).await.unwrap_err();
        assert!(told.contains("certificate"), "{told}");
    }
    assert_eq!(receiver.requests().len(), 1);
}
