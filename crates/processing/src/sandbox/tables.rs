//! Which tables hold what belongs to projects, read from the schema itself: a table of a new room is among them by having a column
//! `project`.

use std::sync::LazyLock;

use crate::schema::SCHEMA;

/// A table with a column `project`, and the statements about one project's rows.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// In the order of [`Table::select`].
    pub(super) columns: Vec<&'static str>,
    pub(super) select: String,
    pub(super) insert: String,
    pub(super) delete: String,
}

/// All of them, but those that [`KEPT`] names.
pub(super) fn all() -> &'static [Table] {
    static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
        read()
            .into_iter()
            .filter(|table| table.columns.contains(&"project") && !KEPT.contains(&table.name))
            .collect()
    });
    &TABLES
}

/// What is neither emptied nor saved with a project: snapshots themselves, and who is just now advancing its clock.
const KEPT: &[&str] = &["sandbox_snapshots", "holds"];

/// Statements are written one column a line, as all of ours are; columns that came later, one statement each.
fn read() -> Vec<Table> {
    let mut tables: Vec<(&str, Vec<&str>)> = Vec::new();
    let statements = SCHEMA.steps.iter().flat_map(|step| step.split(";\n"));
    for statement in statements {
        if let Some((_, text)) = statement.split_once("CREATE TABLE ") {
            let Some((name, rest)) = text.split_once(" (") else {
                continue;
            };
            let (columns, _) = rest.split_once("\n)").unwrap_or_default();
            tables.push((name, columns.lines().filter_map(column).collect()));
        }
        if let Some((_, text)) = statement.split_once("ALTER TABLE ")
            && let Some((name, line)) = text.split_once(" ADD COLUMN ")
            && let Some((_, columns)) = tables.iter_mut().find(|(known, _)| *known == name)
        {
            columns.extend(column(line));
        }
    }
    tables
        .into_iter()
        .map(|(name, columns)| Table::new(name, columns))
        .collect()
}

/// The name of a column.
fn column(line: &'static str) -> Option<&'static str> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let kind = words.next()?.trim_end_matches([',', ';']);
    matches!(kind, "TEXT" | "INTEGER" | "BLOB").then_some(name)
}

impl Table {
    fn new(name: &'static str, columns: Vec<&'static str>) -> Self {
        let parameters: Vec<_> = (1..=columns.len()).map(|number| format!("${number}")).collect();
        let (list, parameters) = (columns.join(", "), parameters.join(", "));
        Self {
            name,
            select: format!("SELECT {list} FROM {name} WHERE project = $1"),
            insert: format!("INSERT INTO {name} ({list}) VALUES ({parameters})"),
            delete: format!("DELETE FROM {name} WHERE project = $1"),
            columns,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::stores;

    /// Against what the database says it has.
    #[test]
    fn every_table_is_read_whole() {
        let read: BTreeMap<&str, Vec<&str>> = read()
            .into_iter()
            .map(|table| (table.name, table.columns))
            .collect();
        stores::on_each(|location| {
            if !matches!(location, database::Location::Sqlite(_)) {
                return;
            }
            let database = stores::open(&location);
            let rows = database.read(|tx| {
                tx.rows(
                    "SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
                     WHERE m.type = 'table' AND m.name NOT IN ('about', 'commits') ORDER BY m.name, c.cid",
                    &[],
                )
            });
            let mut there: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for row in rows.unwrap() {
                let table = there.entry(row.get(0).unwrap()).or_default();
                table.push(row.get(1).unwrap());
            }
            let there: BTreeMap<&str, Vec<&str>> = there
                .iter()
                .map(|(name, columns)| (name.as_str(), columns.iter().map(String::as_str).collect()))
                .collect();
            assert_eq!(read, there);
        });
    }

    #[test]
    fn what_belongs_to_no_project_is_named_here() {
        let without: Vec<_> = read()
            .into_iter()
            .filter(|table| !table.columns.contains(&"project"))
            .map(|table| table.name)
            .collect();
        assert_eq!(
            without,
            ["projects"],
            "a table of a project's own needs a column `project`"
        );
    }
}
