//! Projects, their data keys, and the widget keys that shops put into their pages.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use rusqlite::{Connection, OptionalExtension, Row};

use crate::config::Random;
use crate::crypto::{self, Key, Kind, Place};
use crate::error::VaultError;
use crate::keys::Keys;
use crate::vault::{Shared, Vault};

/// What a widget key stands for. Public: it is in the source of the shop's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WidgetKey {
    /// The key itself, 1 to 128 bytes.
    pub id: String,
    /// The project that its tokens belong to, 1 to 128 bytes.
    pub project: String,
    /// Whether real cards are meant.
    pub live: bool,
    /// Patterns of the origins whose pages may use it, as the service reads them: `https://shop.example`,
    /// `http://localhost:*`.
    pub origins: Vec<String>,
}

impl Vault {
    /// Adds a widget key, and its project where that is new.
    ///
    /// Fails with [`VaultError::WidgetKeyTaken`] when there is one of this id. Waits for the disk.
    pub fn add_widget_key(&self, key: &WidgetKey) -> Result<(), VaultError> {
        if [&key.id, &key.project]
            .iter()
            .any(|id| id.is_empty() || id.len() > MAX_ID)
        {
            return Err(VaultError::WrongId);
        }
        let key = key.clone();
        let shared = Arc::clone(&self.shared);
        self.writer()?.call(move |connection| {
            ensure_project(connection, &shared.keys, &key.project, &*shared.random)?;
            insert(connection, &key)
        })
    }

    /// Withdraws a widget key; `false` when there is none of that id. Its project and tokens stay. Waits for the disk.
    pub fn remove_widget_key(&self, id: &str) -> Result<bool, VaultError> {
        let id = id.to_owned();
        self.writer()?.call(move |connection| {
            Ok(connection.execute("DELETE FROM widget_keys WHERE id = ?1", [id])? == 1)
        })
    }

    /// The widget key of that id.
    pub fn widget_key(&self, id: &str) -> Result<Option<WidgetKey>, VaultError> {
        Ok(self.shared.readers.read(|connection| {
            connection
                .prepare_cached("SELECT id, project, live, origins FROM widget_keys WHERE id = ?1")?
                .query_row([id], read)
                .optional()
        })?)
    }

    /// All widget keys, by project and id.
    pub fn widget_keys(&self) -> Result<Vec<WidgetKey>, VaultError> {
        Ok(self.shared.readers.read(|connection| {
            connection
                .prepare_cached("SELECT id, project, live, origins FROM widget_keys ORDER BY project, id")?
                .query_map((), read)?
                .collect()
        })?)
    }

    /// Makes the sandbox's two projects with their widget keys, where they are not there yet.
    pub fn ensure_sandbox(&self) -> Result<(), VaultError> {
        for (id, project) in [("wk_sandbox", "sandbox"), ("wk_sandbox_2", "sandbox-2")] {
            if self.widget_key(id)?.is_some() {
                continue;
            }
            let added = self.add_widget_key(&WidgetKey {
                id: id.into(),
                project: project.into(),
                live: false,
                origins: vec!["http://localhost:*".into(), "http://127.0.0.1:*".into()],
            });
            match added {
                // Another process was faster.
                Err(VaultError::WidgetKeyTaken) => {}
                other => other?,
            }
        }
        Ok(())
    }
}

/// A project's data key and which version it is.
#[derive(Clone)]
pub(crate) struct DataKey {
    pub(crate) epoch: u32,
    pub(crate) key: Arc<Key>,
}

/// Data keys that were unwrapped before.
#[derive(Default)]
pub(crate) struct DataKeys {
    by_project: RwLock<HashMap<String, Vec<DataKey>>>,
}

impl Shared {
    /// The key for new records of a project.
    pub(crate) fn data_key(&self, project: &str) -> Result<DataKey, VaultError> {
        self.find_data_key(project, |keys| keys.iter().max_by_key(|key| key.epoch))
    }

    /// The key of old ones.
    pub(crate) fn data_key_of(&self, project: &str, epoch: u32) -> Result<DataKey, VaultError> {
        self.find_data_key(project, |keys| keys.iter().find(|key| key.epoch == epoch))
    }

    fn find_data_key(
        &self,
        project: &str,
        pick: impl Fn(&[DataKey]) -> Option<&DataKey>,
    ) -> Result<DataKey, VaultError> {
        // The map is whole at any moment, also after a panic elsewhere.
        let cache = &self.data_keys.by_project;
        let held = cache.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = held.get(project).and_then(|keys| pick(keys)) {
            return Ok(key.clone());
        }
        drop(held);
        let keys = self.load_data_keys(project)?;
        let key = pick(&keys).cloned().ok_or(VaultError::UnknownProject)?;
        let mut held = cache.write().unwrap_or_else(PoisonError::into_inner);
        held.insert(project.to_owned(), keys);
        Ok(key)
    }

    fn load_data_keys(&self, project: &str) -> Result<Vec<DataKey>, VaultError> {
        let rows: Vec<(u32, u32, Vec<u8>)> = self.readers.read(|connection| {
            connection
                .prepare_cached("SELECT epoch, master_key, wrapped FROM data_keys WHERE project = ?1")?
                .query_map([project], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                .collect()
        })?;
        rows.into_iter()
            .map(|(epoch, master, wrapped)| {
                let place = wrapping_place(&self.keys, project, epoch);
                let opened = crypto::open(&self.keys.master_of(master)?.key, &place, &wrapped)?;
                let key: &[u8; 32] = opened.as_slice().try_into().map_err(|_| VaultError::Damaged)?;
                Ok(DataKey {
                    epoch,
                    key: Arc::new(Key::new(*key)),
                })
            })
            .collect()
    }
}

/// A project has a data key from its first moment.
fn ensure_project(
    connection: &Connection,
    keys: &Keys,
    project: &str,
    random: &dyn Random,
) -> Result<(), VaultError> {
    if connection.execute("INSERT OR IGNORE INTO projects (id) VALUES (?1)", [project])? == 0 {
        return Ok(());
    }
    let master = keys.master()?;
    let place = wrapping_place(keys, project, FIRST_EPOCH);
    let wrapped = crypto::seal(&master.key, &place, &*crypto::make_key(random)?, random)?;
    connection.execute(
        "INSERT INTO data_keys (project, epoch, master_key, wrapped) VALUES (?1, ?2, ?3, ?4)",
        (project, FIRST_EPOCH, master.id, wrapped),
    )?;
    Ok(())
}

/// A wrapped key belongs to its store too: rows of another store do not open.
fn wrapping_place<'a>(keys: &'a Keys, project: &'a str, epoch: u32) -> Place<'a> {
    Place {
        kind: Kind::DataKey,
        project,
        epoch,
        row: &keys.store,
    }
}

fn insert(connection: &Connection, key: &WidgetKey) -> Result<(), VaultError> {
    // Strings always become JSON.
    let origins = serde_json::to_string(&key.origins).map_err(|_| VaultError::WrongId)?;
    let inserted = connection.execute(
        "INSERT OR IGNORE INTO widget_keys (id, project, live, origins) VALUES (?1, ?2, ?3, ?4)",
        (&key.id, &key.project, key.live, origins),
    )?;
    if inserted == 1 {
        Ok(())
    } else {
        Err(VaultError::WidgetKeyTaken)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<WidgetKey> {
    let origins: String = row.get(3)?;
    Ok(WidgetKey {
        id: row.get(0)?,
        project: row.get(1)?,
        live: row.get(2)?,
        // A list that cannot be read allows no origin.
        origins: serde_json::from_str(&origins).unwrap_or_default(),
    })
}

/// Longest id, in bytes; that of a widget key inside an envelope has the same bound.
const MAX_ID: usize = 128;

/// Version of a project's first data key.
const FIRST_EPOCH: u32 = 1;
