//! TLS of the service's own.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rcgen::{CertifiedKey, KeyPair};
use service::server::{Times, Tls};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::service::Service;
use super::socket::{Running, read_answer};

/// A client that trusts `certificate` alone.
fn connector(certificate: &CertificateDer<'static>) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

fn write(folder: &Path) -> CertificateDer<'static> {
    let made: CertifiedKey<KeyPair> = rcgen::generate_simple_self_signed(["localhost".into()]).unwrap();
    std::fs::write(folder.join("chain.pem"), made.cert.pem()).unwrap();
    std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
    made.cert.der().clone()
}

/// The status of `/healthz`, or nothing where there is no trust.
async fn ask(running: &Running, certificate: &CertificateDer<'static>) -> Option<u16> {
    let stream = TcpStream::connect(running.address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let mut stream = connector(certificate).connect(name, stream).await.ok()?;
    stream
        .write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
        .await
        .unwrap();
    Some(read_answer(&mut stream).await?.status)
}

#[tokio::test]
async fn a_new_certificate_is_taken_while_running_and_a_bad_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let first = write(folder.path());
    let tls = Tls::read(folder.path().join("chain.pem"), folder.path().join("key.pem")).unwrap();
    let tls = Arc::new(tls);
    let service = Service::new();
    let running = Running::with(&service, Times::default(), Some(Arc::clone(&tls))).await;
    assert_eq!(ask(&running, &first).await, Some(200));

    let second = write(folder.path());
    assert_eq!(ask(&running, &second).await, None, "not before it is read");
    tls.reload().unwrap();
    assert_eq!(ask(&running, &second).await, Some(200));
    assert_eq!(ask(&running, &first).await, None);

    std::fs::write(folder.path().join("key.pem"), "rubbish").unwrap();
    assert!(tls.reload().is_err());
    assert_eq!(ask(&running, &second).await, Some(200), "the old one stays");
    running.stop().await;
}

#[tokio::test]
async fn what_is_not_tls_is_left() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let tls = Tls::read(folder.path().join("chain.pem"), folder.path().join("key.pem")).unwrap();
    let service = Service::new();
    let times = Times {
        handshake: Duration::from_millis(200),
        ..Times::default()
    };
    let running = Running::with(&service, times, Some(Arc::new(tls))).await;
    for sent in [b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n".as_slice(), b""] {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(sent).await.unwrap();
        let mut answer = Vec::new();
        // Reset or closed, and not a word of HTTP.
        let _ = stream.read_to_end(&mut answer).await;
        assert!(!answer.starts_with(b"HTTP"), "{sent:?}");
    }
    running.wait_for_connections(0).await;
    let figures = service.get_from("127.0.0.1", "/metrics").await.text();
    assert!(
        figures.contains("card_widget_tls_handshakes_failed_total 2"),
        "{figures}"
    );
    running.stop().await;
}
