//! Empty databases for tests: one of each kind.

use database::{Database, Location, PostgresUrl};

use crate::schema::SCHEMA;

#[path = "../../vault/tests/postgres/cluster.rs"]
mod cluster;

/// Does `test` on SQLite, and on PostgreSQL unless the tests are to be done without.
pub(crate) fn on_each(test: impl Fn(Location)) {
    let folder = tempfile::tempdir().unwrap();
    test(Location::Sqlite(folder.path().join("store.sqlite")));
    if let Some(url) = cluster::database() {
        test(Location::Postgres(PostgresUrl::parse(&url).unwrap()));
    }
}

/// Opens one with the tables of payments.
pub(crate) fn open(location: &Location) -> Database {
    Database::open(location, SCHEMA).unwrap()
}
