//! On a server of their own.

use super::*;

#[path = "../../../tests/postgres/cluster.rs"]
mod cluster;

fn database() -> Option<PostgresDatabase> {
    let url = cluster::database()?;
    Some(PostgresDatabase::new(&PostgresUrl::parse(&url).unwrap()))
}

#[test]
fn does_what_every_store_does() {
    if let Some(database) = database() {
        crate::store::suite::run(&database);
    }
}
