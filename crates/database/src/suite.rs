//! What every database does.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

use crate::{Database, DatabaseError, Location, Schema, Transaction, values};

const FIRST: Schema = Schema {
    name: "suite",
    steps: &["CREATE TABLE things (
            id    INTEGER PRIMARY KEY,
            name  TEXT,
            bytes BLOB
        ) STRICT, WITHOUT ROWID;"],
};

const SECOND: Schema = Schema {
    name: "suite",
    steps: &[
        FIRST.steps[0],
        "ALTER TABLE things ADD COLUMN amount INTEGER NOT NULL DEFAULT 0;
         CREATE UNIQUE INDEX things_name ON things (name);",
    ],
};

/// A refusal that is not the database's.
#[derive(Debug, PartialEq)]
enum Refusal {
    Ours(&'static str),
    Database(DatabaseError),
}

impl From<DatabaseError> for Refusal {
    fn from(error: DatabaseError) -> Self {
        Self::Database(error)
    }
}

/// Runs all of it in the empty database at `location`.
pub(crate) fn run(location: &Location) {
    let first = Database::open(location, FIRST).unwrap();
    values_come_back_as_they_went_in(&first);
    drop(first);
    let other = Schema {
        name: "other",
        ..FIRST
    };
    if matches!(location, Location::Sqlite(_)) {
        assert!(matches!(
            Database::open(location, other).err(),
            Some(DatabaseError::Foreign(_))
        ));
    }
    let database = Database::open(location, SECOND).unwrap();
    assert_eq!(count(&database), 3, "rows stay when tables are brought forward");
    assert!(
        matches!(
            Database::open(location, FIRST).err(),
            Some(DatabaseError::Foreign(_))
        ),
        "later tables"
    );
    refused_work_leaves_nothing(&database);
    what_the_database_refuses_harms_nobody_else(&database);
    reading_writes_nothing(&database);
    nothing_is_lost_between_many(&database);
    rows_that_are_locked_are_changed_by_one(&database);
    a_copy_is_made_and_put_back_below_what_is_open(&database, location);
    work_is_finished_before_the_end(database, location);
}

fn values_come_back_as_they_went_in(database: &Database) {
    let rows = database.write(|tx| {
        for (id, name, bytes) in [
            (i64::MIN, Some("їжак"), Some(vec![0, 255])),
            (0, None, None),
            (i64::MAX, Some(""), Some(vec![])),
        ] {
            let changed = tx.change(
                "INSERT INTO things (id, name, bytes) VALUES ($1, $2, $3)",
                values![id, name, bytes],
            )?;
            assert_eq!(changed, 1);
        }
        tx.rows("SELECT id, name, bytes FROM things ORDER BY id", &[])
    });
    let rows = rows.unwrap();
    let row = &rows[0];
    assert_eq!(row.get(0), Ok(i64::MIN));
    assert_eq!(row.get(1), Ok("їжак".to_owned()));
    assert_eq!(row.get(2), Ok(vec![0, 255_u8]));
    assert_eq!(rows[1].get(1), Ok(None::<String>));
    assert_eq!(rows[1].get(2), Ok(None::<Vec<u8>>));
    assert_eq!(rows[2].get(1), Ok(Some(String::new())));
    assert!(rows[1].get::<String>(1).is_err() && rows[1].get::<i64>(3).is_err());
    assert!(rows[0].get::<u64>(0).is_err(), "less than nothing");
}

fn refused_work_leaves_nothing(database: &Database) {
    let before = count(database);
    let refused = database.write(|tx| {
        put(tx, 10)?;
        Err::<(), _>(Refusal::Ours("no"))
    });
    assert_eq!(refused, Err(Refusal::Ours("no")));
    let panicked = database.write(|tx| {
        put(tx, 11)?;
        if count_in(tx)? > 0 {
            panic!("on purpose");
        }
        Ok::<_, Refusal>(())
    });
    assert!(matches!(
        panicked,
        Err(Refusal::Database(DatabaseError::Refused(_)))
    ));
    assert_eq!(count(database), before);
}

fn what_the_database_refuses_harms_nobody_else(database: &Database) {
    let before = count(database);
    let done: Vec<_> = (100..130)
        .map(|id| {
            let database = database.clone();
            thread::spawn(move || {
                database.write(move |tx| {
                    put(tx, id)?;
                    if id % 3 == 0 {
                        // There is one of that name: what came before goes with it, even if the work goes on as if nothing was.
                        let again = tx.change(
                            "INSERT INTO things (id, name) VALUES ($1, $2)",
                            values![id + 1000, format!("thing {id}")],
                        );
                        assert!(again.is_err());
                        assert!(tx.rows("SELECT id FROM things", &[]).is_err());
                    }
                    Ok::<_, Refusal>(())
                })
            })
        })
        .collect();
    let done = done
        .into_iter()
        .filter(|_| true)
        .map(|thread| thread.join().unwrap());
    assert_eq!(done.filter(Result::is_ok).count(), 20);
    assert_eq!(count(database), before + 20);
    // What may be there is no error.
    let changed = database.write(|tx| {
        tx.change(
            "INSERT INTO things (id, name) VALUES (100, 'another') ON CONFLICT DO NOTHING",
            &[],
        )
    });
    assert_eq!(changed, Ok(0));
}

fn reading_writes_nothing(database: &Database) {
    let before = count(database);
    let read = database.read(|tx| put(tx, 12).map_err(Refusal::from));
    assert!(matches!(read, Err(Refusal::Database(_))), "{read:?}");
    assert_eq!(count(database), before);
    let twice = database.read(|tx| Ok::<_, DatabaseError>((count_in(tx)?, count_in(tx)?)));
    assert_eq!(twice, Ok((before, before)));
}

fn nothing_is_lost_between_many(database: &Database) {
    let before = count(database);
    let runs = Arc::new(AtomicU32::new(0));
    let start = Arc::new(Barrier::new(16));
    let threads: Vec<_> = (0..16)
        .map(|thread| {
            let (database, runs, start) = (database.clone(), Arc::clone(&runs), Arc::clone(&start));
            thread::spawn(move || {
                start.wait();
                for turn in 0..20 {
                    let runs = Arc::clone(&runs);
                    let id = 10_000 + thread * 100 + turn;
                    database
                        .write(move |tx| {
                            runs.fetch_add(1, Ordering::Relaxed);
                            put(tx, id)
                        })
                        .unwrap();
                    // What is told is there for everybody.
                    let there =
                        database.read(move |tx| tx.row("SELECT 1 FROM things WHERE id = $1", values![id]));
                    assert!(there.unwrap().is_some());
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(count(database), before + 320);
    assert!(runs.load(Ordering::Relaxed) >= 320);
}

/// A balance that all of them take from, and that never falls below nothing.
fn rows_that_are_locked_are_changed_by_one(database: &Database) {
    database
        .write(|tx| {
            tx.change(
                "INSERT INTO things (id, name, amount) VALUES (1, 'balance', 30)",
                &[],
            )
        })
        .unwrap();
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let database = database.clone();
            thread::spawn(move || (0..10).filter(|_| take(&database).is_ok()).count())
        })
        .collect();
    let taken: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    assert_eq!(taken, 30);
    let left = database.read(|tx| tx.row("SELECT amount FROM things WHERE id = 1", &[]));
    assert_eq!(left.unwrap().unwrap().get(0), Ok(0_i64));
}

fn take(database: &Database) -> Result<(), Refusal> {
    database.write(|tx| {
        let row = tx.row("SELECT amount FROM things WHERE id = 1 FOR UPDATE", &[])?;
        let amount: i64 = row.map_or(Ok(0), |row| row.get(0))?;
        if amount == 0 {
            return Err(Refusal::Ours("nothing left"));
        }
        tx.change("UPDATE things SET amount = $1 WHERE id = 1", values![amount - 1])?;
        Ok(())
    })
}

fn a_copy_is_made_and_put_back_below_what_is_open(database: &Database, location: &Location) {
    let folder = tempfile::tempdir().unwrap();
    let [copied, cut, rubbish] = ["copied", "cut", "rubbish"].map(|name| folder.path().join(name));
    let odd = "a tab\t, a line\n, \\. and ' and ї";
    let written = database.write(move |tx| {
        tx.change(
            "INSERT INTO things (id, name, bytes) VALUES ($1, $2, $3)",
            values![-77_i64, odd, vec![0_u8, 255]],
        )
    });
    assert_eq!(written, Ok(1));
    let before = count(database);
    database.copy(&copied).unwrap();
    assert!(database.copy(&copied).is_err(), "nothing is written over");
    database.write(|tx| put(tx, -78)).unwrap();
    let changed = database.write(|tx| tx.change("DELETE FROM things WHERE id = -77", &[]));
    assert_eq!(changed, Ok(1));
    Database::check(location, SECOND, &copied).unwrap();
    Database::put_back(location, SECOND, &copied).unwrap();
    assert_eq!(count(database), before);
    let row = database.read(|tx| tx.row("SELECT name, bytes FROM things WHERE id = -77", &[]));
    let row = row.unwrap().unwrap();
    assert_eq!(row.get(0), Ok(odd.to_owned()));
    assert_eq!(row.get(1), Ok(vec![0, 255_u8]));
    // It goes on.
    database.write(|tx| put(tx, -78)).unwrap();

    let whole = std::fs::read(&copied).unwrap();
    std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    std::fs::write(&rubbish, "a text that is no database").unwrap();
    let other = Schema {
        name: "other",
        ..SECOND
    };
    for (schema, from) in [
        (other, &copied),
        (FIRST, &copied),
        (SECOND, &cut),
        (SECOND, &rubbish),
        (SECOND, &folder.path().join("none")),
    ] {
        assert!(Database::put_back(location, schema, from).is_err());
        assert_eq!(count(database), before + 1);
    }
}

fn work_is_finished_before_the_end(database: Database, location: &Location) {
    let before = count(&database);
    let told = Arc::new(AtomicU32::new(0));
    for id in 50_000..50_100 {
        let told = Arc::clone(&told);
        database.submit(
            move |tx| put(tx, id),
            move |done| {
                done.unwrap();
                told.fetch_add(1, Ordering::Relaxed);
            },
        );
    }
    drop(database);
    assert_eq!(told.load(Ordering::Relaxed), 100);
    let again = Database::open(location, SECOND).unwrap();
    assert_eq!(count(&again), before + 100);
}

fn put(tx: &mut dyn Transaction, id: i64) -> Result<(), DatabaseError> {
    let name = format!("thing {id}");
    tx.change("INSERT INTO things (id, name) VALUES ($1, $2)", values![id, name])?;
    Ok(())
}

fn count(database: &Database) -> i64 {
    database.read(count_in).unwrap()
}

fn count_in(tx: &mut dyn Transaction) -> Result<i64, DatabaseError> {
    let row = tx.row("SELECT count(*) FROM things", &[])?;
    row.map_or(Ok(0), |row| row.get(0))
}
