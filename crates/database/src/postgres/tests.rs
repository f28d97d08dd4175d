//! On a server of their own.

use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::{Database, Location};

#[path = "../../../vault/tests/postgres/cluster.rs"]
mod cluster;

fn open(url: &str, schema: Schema) -> Result<Database, DatabaseError> {
    Database::open(&Location::Postgres(PostgresUrl::parse(url).unwrap()), schema)
}

const NUMBERS: Schema = Schema {
    name: "numbers",
    steps: &["CREATE TABLE numbers (id INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;"],
};

#[test]
fn does_what_every_database_does() {
    if let Some(url) = cluster::database() {
        crate::suite::run(&Location::Postgres(PostgresUrl::parse(&url).unwrap()));
    }
}

#[test]
fn instances_that_start_at_once_make_the_tables_once() {
    let Some(url) = cluster::database() else { return };
    let opened: Vec<_> = (0..4)
        .map(|_| {
            let url = url.clone();
            thread::spawn(move || open(&url, NUMBERS).map(drop))
        })
        .collect();
    for thread in opened {
        assert_eq!(thread.join().unwrap(), Ok(()));
    }
}

/// Two transactions that read each other's row before they write their own.
#[test]
fn a_deadlock_is_tried_again() {
    let Some(url) = cluster::database() else { return };
    let database = open(&url, NUMBERS).unwrap();
    database
        .write(|tx| tx.change("INSERT INTO numbers (id, n) VALUES (1, 0), (2, 0)", &[]))
        .unwrap();
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let both: Vec<_> = [(1_i64, 2_i64), (2, 1)]
        .into_iter()
        .map(|(first, second)| {
            let database = database.clone();
            thread::spawn(move || {
                database.write(move |tx| {
                    RUNS.fetch_add(1, Ordering::SeqCst);
                    tx.change("UPDATE numbers SET n = n + 1 WHERE id = $1", values![first])?;
                    // Until the other one has its first row too, or a while.
                    for _ in 0..50 {
                        if RUNS.load(Ordering::SeqCst) > 1 {
                            break;
                        }
                        thread::sleep(Duration::from_millis(10));
                    }
                    thread::sleep(Duration::from_millis(50));
                    tx.change("UPDATE numbers SET n = n + 1 WHERE id = $1", values![second])
                })
            })
        })
        .collect();
    for thread in both {
        assert_eq!(thread.join().unwrap(), Ok(1));
    }
    assert!(RUNS.load(Ordering::SeqCst) > 2, "one of them ran again");
    assert_eq!(cluster::sql(&url, "SELECT sum(n) FROM numbers.numbers"), "4");
}

#[test]
fn lost_connections_are_made_anew() {
    let Some(url) = cluster::database() else { return };
    let database = open(&url, NUMBERS).unwrap();
    for id in 0..20_i64 {
        let written =
            database.write(move |tx| tx.change("INSERT INTO numbers (id, n) VALUES ($1, 0)", values![id]));
        assert_eq!(written, Ok(1));
        cluster::sql(
            &url,
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        );
    }
    assert_eq!(cluster::sql(&url, "SELECT count(*) FROM numbers.numbers"), "20");
    assert_eq!(cluster::sql(&url, "SELECT count(*) FROM numbers.commits"), "20");
}

/// More transactions than there are connections, each of which reads beside itself.
#[test]
fn who_reads_within_a_transaction_waits_for_nobody() {
    let Some(url) = cluster::database() else { return };
    let database = open(&url, NUMBERS).unwrap();
    let (done, told) = std::sync::mpsc::channel();
    for id in 0..40_i64 {
        let (beside, done) = (database.clone(), done.clone());
        let write = move |tx: &mut dyn Transaction| {
            tx.change("INSERT INTO numbers (id, n) VALUES ($1, 0)", values![id])?;
            beside.read(|tx| tx.rows("SELECT n FROM numbers", &[]))?;
            Ok::<_, DatabaseError>(())
        };
        database.submit(write, move |written| done.send(written).unwrap());
    }
    for _ in 0..40 {
        assert_eq!(told.recv_timeout(Duration::from_secs(20)), Ok(Ok(())));
    }
}

#[test]
fn a_copy_goes_into_an_empty_database_and_never_back_over_a_later_version() {
    let (Some(one), Some(other)) = (cluster::database(), cluster::database()) else {
        return;
    };
    let place = |url: &str| Location::Postgres(PostgresUrl::parse(url).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let copied = folder.path().join("copied");
    let database = open(&one, NUMBERS).unwrap();
    database
        .write(|tx| tx.change("INSERT INTO numbers (id, n) VALUES (1, 7)", &[]))
        .unwrap();
    database.copy(&copied).unwrap();

    const LATER: Schema = Schema {
        name: NUMBERS.name,
        steps: &[NUMBERS.steps[0], "ALTER TABLE numbers ADD COLUMN more INTEGER;"],
    };
    drop(database);
    drop(open(&one, LATER).unwrap());
    let refused = Database::check(&place(&one), LATER, &copied)
        .unwrap_err()
        .to_string();
    assert!(refused.contains("an earlier version"), "{refused}");
    assert!(Database::put_back(&place(&one), LATER, &copied).is_err());
    assert_eq!(
        cluster::sql(&one, "SELECT more IS NULL FROM numbers.numbers"),
        "t"
    );

    // Made as of the copy's version, and brought forward when it is opened.
    Database::check(&place(&other), LATER, &copied).unwrap();
    Database::put_back(&place(&other), LATER, &copied).unwrap();
    drop(open(&other, LATER).unwrap());
    assert_eq!(
        cluster::sql(&other, "SELECT id, n, more FROM numbers.numbers"),
        "1|7|"
    );
}
