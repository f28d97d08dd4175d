//! What probes hear while PostgreSQL is away.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use service::AppConfig;
use tokio::task::JoinHandle;

use super::cluster;
use super::sealing::{full_card, seal};
use super::service::{Answer, SHOP, Service};

#[tokio::test(flavor = "multi_thread")]
async fn a_service_without_its_database_is_alive_and_not_ready() {
    let Some(url) = cluster::database() else { return };
    let proxy = Proxy::start(&url);
    let service = Service::on(proxy.url.clone(), AppConfig::default());
    let boot = service.boot().await;
    assert_eq!(service.get("/readyz").await.status, 200);

    proxy.set(GONE);
    wait_until(&service, 503).await;
    assert_eq!(
        service.get("/readyz").await.refusal(),
        (503, "service_unavailable".into())
    );
    assert_eq!(service.get("/healthz").await.status, 200);
    let answer = service.tokenize(&seal(&boot, &full_card())).await;
    assert_eq!(answer.refusal(), (503, "service_unavailable".into()));

    proxy.set(THERE);
    wait_until(&service, 200).await;
    let answer = service.tokenize(&seal(&boot, &full_card())).await;
    assert_eq!(answer.status, 201, "{}", answer.text());

    // Connections stay open, and nothing comes back: a probe still has its answer in time.
    proxy.set(SILENT);
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let begun = Instant::now();
    assert_eq!(service.get("/readyz").await.status, 503);
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    proxy.set(THERE);
    wait_until(&service, 200).await;
}

/// More requests than the runtime has threads wait for a database that says nothing. The service still says that it is
/// alive, and opens no connection for each of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn however_many_wait_for_the_database_the_service_says_that_it_is_alive() {
    let Some(url) = cluster::database() else { return };
    let proxy = Proxy::start(&url);
    let service = Arc::new(Service::on(proxy.url.clone(), AppConfig::default()));
    service.boot().await;
    proxy.set(SILENT);
    // Another second: what is known of the key is asked for again.
    service.clock.advance(1);
    let waiting = ask(&service, 700);
    for _ in 0..5 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let begun = Instant::now();
        // As a request: on the runtime's threads, and not on this one.
        let asked = Arc::clone(&service);
        let answer = tokio::spawn(async move { asked.get("/healthz").await });
        assert_eq!(answer.await.unwrap().status, 200);
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    }
    let mut refused = 0;
    tokio::time::sleep(Duration::from_secs(3)).await;
    proxy.set(THERE);
    for answer in waiting {
        refused += u32::from(answer.await.unwrap().status == 503);
    }
    assert!(refused > 0, "they did wait");

    // And where it refuses, there is no storm of attempts when it comes back.
    proxy.set(GONE);
    wait_until(&service, 503).await;
    let before = proxy.connections.load(Ordering::SeqCst);
    service.clock.advance(1);
    for answer in ask(&service, 300) {
        assert_eq!(answer.await.unwrap().status, 503);
    }
    let attempts = proxy.connections.load(Ordering::SeqCst) - before;
    assert!(attempts < 100, "{attempts} attempts");
}

/// So many ask for boot data at once.
fn ask(service: &Arc<Service>, count: usize) -> Vec<JoinHandle<Answer>> {
    let ask = |_| {
        let service = Arc::clone(service);
        let path = format!("/widget/v1/boot?key=wk_sandbox&origin={SHOP}");
        tokio::spawn(async move { service.get(&path).await })
    };
    (0..count).map(ask).collect()
}

async fn wait_until(service: &Service, status: u16) {
    let begun = Instant::now();
    while service.get("/readyz").await.status != status {
        assert!(begun.elapsed() < Duration::from_secs(30), "never {status}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Stands between the service and its database.
struct Proxy {
    url: String,
    mood: Arc<AtomicU8>,
    connections: Arc<AtomicU32>,
}

/// Passes everything on.
const THERE: u8 = 0;
/// Cuts connections, and takes no new ones.
const GONE: u8 = 1;
/// Takes connections and holds everything back.
const SILENT: u8 = 2;

impl Proxy {
    fn start(url: &str) -> Self {
        let server = url.split(['@', '/']).nth(3).unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = url.replace(&server, &listener.local_addr().unwrap().to_string());
        let mood = Arc::new(AtomicU8::new(THERE));
        let connections = Arc::<AtomicU32>::default();
        let (told, counted) = (Arc::clone(&mood), Arc::clone(&connections));
        thread::spawn(move || {
            for client in listener.incoming() {
                let client = client.unwrap();
                counted.fetch_add(1, Ordering::SeqCst);
                if told.load(Ordering::SeqCst) == GONE {
                    continue;
                }
                let server = TcpStream::connect(&server).unwrap();
                let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                for (from, to) in [(client, server), (to, from)] {
                    let told = Arc::clone(&told);
                    thread::spawn(move || pass(from, to, &told));
                }
            }
        });
        Self {
            url,
            mood,
            connections,
        }
    }

    fn set(&self, mood: u8) {
        self.mood.store(mood, Ordering::SeqCst);
    }
}

/// Until either side ends, or the mood says so.
fn pass(mut from: TcpStream, mut to: TcpStream, mood: &AtomicU8) {
    from.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let mut buffer = vec![0; 1 << 16];
    'passing: while mood.load(Ordering::SeqCst) != GONE {
        let count = match from.read(&mut buffer) {
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => continue,
            Ok(count @ 1..) => count,
            _ => break,
        };
        while mood.load(Ordering::SeqCst) != THERE {
            if mood.load(Ordering::SeqCst) == GONE {
                break 'passing;
            }
            thread::sleep(Duration::from_millis(10));
        }
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
