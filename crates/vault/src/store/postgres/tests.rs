//! On a server of their own.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use super::*;
use crate::store::suite::{self, Counting, Fixture};
use crate::store::{Reseal, Resealed, ReserveVerdict, WriteVerdict};
use crate::token::TokenKind;

#[path = "../../../tests/postgres/cluster.rs"]
mod cluster;

fn open(url: &str) -> PostgresDatabase {
    PostgresDatabase::new(&PostgresUrl::parse(url).unwrap())
}

#[test]
fn does_what_every_store_does() {
    if let Some(url) = cluster::database() {
        suite::run(&open(&url));
    }
}

#[test]
fn does_what_the_model_does() {
    if let Some(url) = cluster::database() {
        suite::property::run(&open(&url), 12, 8);
    }
}

#[test]
fn steps_lead_forward_one_by_one_and_a_later_version_is_refused() {
    let Some(url) = cluster::database() else { return };
    let database = open(&url);
    drop(Fixture::open(&database));
    let link = Link::connect(&database.url).unwrap();
    let version = || cluster::sql(&url, "SELECT version FROM card_widget_vault.store");
    let now = schema::STEPS.len();
    assert_eq!(version(), now.to_string());
    let steps = |last| {
        let next = [
            "ALTER TABLE card_widget_vault.projects ADD COLUMN more BIGINT",
            last,
        ];
        [schema::STEPS, &next].concat()
    };
    let good = steps("UPDATE card_widget_vault.projects SET more = 3");
    let bad = steps("UPDATE card_widget_vault.projects SET less = 3");
    assert!(schema::bring_forward(&link, &bad).is_err());
    assert_eq!(
        version(),
        (now + 1).to_string(),
        "each step is whole or not at all"
    );
    let link = Link::connect(&database.url).unwrap();
    schema::bring_forward(&link, &good).unwrap();
    assert_eq!(version(), (now + 2).to_string());
    assert!(matches!(database.identify(), Err(VaultError::LaterVersion)));
    assert!(matches!(database.open(), Err(VaultError::LaterVersion)));
    assert_eq!(version(), (now + 2).to_string());
}

#[test]
fn operations_of_version_1_go_on() {
    let Some(url) = cluster::database() else { return };
    cluster::sql(&url, schema::STEPS[0]);
    cluster::sql(
        &url,
        "INSERT INTO card_widget_vault.store VALUES (true, 1, '\\x07', 1, '\\x01');
         INSERT INTO card_widget_vault.operations
             VALUES ('p', 'op', decode(repeat('01', 16), 'hex'), 1, NULL, '\\x02', '\\x03', 4, 5)",
    );
    let (store, _commit) = open(&url).open().unwrap();
    let found = store.operation("p", "op", 0).unwrap().unwrap();
    assert_eq!((found.token, found.source), ([1; 16], TokenKind::Widget));
    assert_eq!((found.epoch, found.card, found.saved), (1, vec![2], None));
    assert_eq!(
        found.code.map(|code| (code.sealed, code.hour)),
        Some((vec![3], 4))
    );
}

/// As the service does.
#[test]
fn an_async_program_may_open_read_and_close_it() {
    let Some(url) = cluster::database() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let database = open(&url);
        assert!(!database.exists().unwrap());
        let fixture = Fixture::open(&database);
        assert!(database.identify().unwrap().is_some());
        assert!(fixture.store.widget_key("wk").unwrap().is_none());
        drop(fixture);
    });
}

/// When a proxy cuts the connection.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Cut {
    /// The server never hears of the commit.
    BeforeCommit,
    /// The commit is done, its answer lost.
    AfterCommit,
}

/// Stands between the store and its server. Cuts the next commit that passes after it was told to.
fn proxy(url: &str) -> (String, Arc<Mutex<Option<Cut>>>) {
    let server = url.split(['@', '/']).nth(3).unwrap().to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let through = url.replace(&server, &listener.local_addr().unwrap().to_string());
    let cut = Arc::<Mutex<Option<Cut>>>::default();
    let told = Arc::clone(&cut);
    thread::spawn(move || {
        for client in listener.incoming() {
            let (client, server) = (client.unwrap(), TcpStream::connect(&server).unwrap());
            let muted = Arc::new(Mutex::new(false));
            let back = (
                server.try_clone().unwrap(),
                client.try_clone().unwrap(),
                Arc::clone(&muted),
            );
            thread::spawn(move || forward(back.0, back.1, |_| *back.2.lock().unwrap()));
            let (told, other) = (Arc::clone(&told), client.try_clone().unwrap());
            thread::spawn(move || {
                let mut to = server.try_clone().unwrap();
                forward(client, server, |bytes| {
                    if !bytes.windows(6).any(|window| window == b"COMMIT") {
                        return false;
                    }
                    let cut = told.lock().unwrap().take();
                    if cut == Some(Cut::AfterCommit) {
                        *muted.lock().unwrap() = true;
                        to.write_all(bytes).unwrap();
                        // For the server to do it, before it notices that nobody is there.
                        thread::sleep(Duration::from_millis(300));
                    }
                    cut.is_some()
                });
                let _ = other.shutdown(Shutdown::Both);
            });
        }
    });
    (through, cut)
}

/// Passes bytes on until either side ends, or until `stop` says so of some.
fn forward(mut from: TcpStream, mut to: TcpStream, mut stop: impl FnMut(&[u8]) -> bool) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        if stop(&buffer[..count]) || to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

#[test]
fn a_commit_whose_answer_is_lost_is_neither_lost_nor_done_twice() {
    let Some(url) = cluster::database() else { return };
    let (through, cut) = proxy(&url);
    let mut fixture = Fixture::open(&open(&through));
    let mut audit = Counting::new();
    let count = |table: &str| cluster::sql(&url, &format!("SELECT count(*) FROM card_widget_vault.{table}"));
    for (round, kind) in [Cut::AfterCommit, Cut::BeforeCommit, Cut::AfterCommit]
        .into_iter()
        .enumerate()
    {
        *cut.lock().unwrap() = Some(kind);
        let tokens = (0..2).map(|n| suite::token(2 * round as u8 + n)).collect();
        let told = fixture.write_audited(tokens, &mut audit);
        assert_eq!(
            told,
            [Ok(WriteVerdict::Written), Ok(WriteVerdict::Written)],
            "{kind:?}"
        );
        assert_eq!(*cut.lock().unwrap(), None, "it was cut");
        let rows = (round + 1).to_string();
        assert_eq!(count("audit"), rows, "one record a batch, after {kind:?}");
        assert_eq!(count("tokens"), (2 * (round + 1)).to_string(), "{kind:?}");
        assert_eq!(audit.next(), round as u64 + 2);
    }
}

/// A card that is saved, sealed anew and forgotten, each change with a commit whose answer is lost.
#[test]
fn a_saved_card_is_saved_and_forgotten_once_whatever_is_lost() {
    let Some(url) = cluster::database() else { return };
    let (through, cut) = proxy(&url);
    let mut fixture = Fixture::open(&open(&through));
    let mut audit = Counting::new();
    let count = |table: &str| cluster::sql(&url, &format!("SELECT count(*) FROM card_widget_vault.{table}"));
    for (n, kind) in [(1, Cut::AfterCommit), (2, Cut::BeforeCommit)] {
        fixture.write_audited(vec![suite::token(n)], &mut audit);
        let cut_now = || *cut.lock().unwrap() = Some(kind);
        cut_now();
        let (operation, card) = suite::saving(n);
        let told = fixture.write_audited(vec![operation], &mut audit);
        assert_eq!(told, [Ok(ReserveVerdict::Saved(card.id))], "{kind:?}");
        assert_eq!(
            (count("lasting"), count("fingerprints")),
            ("1".into(), "1".into())
        );
        cut_now();
        let reseal = Reseal {
            project: card.project.clone(),
            from: 1,
            to: 2,
            records: vec![Resealed {
                id: card.id,
                record: vec![9],
            }],
        };
        assert_eq!(
            fixture.write_audited(vec![reseal], &mut audit),
            [Ok(1)],
            "{kind:?}"
        );
        cut_now();
        assert_eq!(
            fixture.write_audited(vec![card], &mut audit),
            [Ok(true)],
            "{kind:?}"
        );
        assert_eq!(
            (count("lasting"), count("fingerprints")),
            ("0".into(), "0".into())
        );
        assert_eq!(*cut.lock().unwrap(), None, "it was cut");
        assert_eq!(count("audit"), (4 * u64::from(n)).to_string());
    }
}
