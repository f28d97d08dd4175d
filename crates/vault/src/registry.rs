//! Projects, their data keys, and the widget keys that shops put into their pages.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::config::Random;
use crate::crypto::{self, Base, Key, Kind, Place};
use crate::error::VaultError;
use crate::keys::Keys;
use crate::store::{DataKeyRow, KeyChange};
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
    /// Whether apps may send cards with it, which have no browser to prove where they come from.
    pub apps: bool,
    /// Patterns of the origins whose pages may use it, as the service reads them: `https://shop.example`,
    /// `http://localhost:*`.
    pub origins: Vec<String>,
}

impl WidgetKey {
    /// The patterns as stores keep them.
    pub(crate) fn origins_as_json(&self) -> String {
        origins_as_json(&self.origins)
    }
}

/// Patterns of origins as stores keep them.
pub(crate) fn origins_as_json(origins: &[String]) -> String {
    serde_json::Value::from(origins).to_string()
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
        let added = self.writer()?.call(KeyChange::AddWidgetKey {
            first_data_key: make_data_key(
                &self.shared.keys,
                &key.project,
                FIRST_EPOCH,
                &*self.shared.random,
            )?,
            key: key.clone(),
        })?;
        match added {
            true => Ok(()),
            false => Err(VaultError::WidgetKeyTaken),
        }
    }

    /// Withdraws a widget key; `false` when there is none of that id. Its project and tokens stay. Waits for the disk.
    pub fn remove_widget_key(&self, id: &str) -> Result<bool, VaultError> {
        Ok(self.writer()?.call(KeyChange::RemoveWidgetKey(id.to_owned()))?)
    }

    /// Gives a widget key other origins; `false` when there is none of that id. Open forms of an origin that is no longer
    /// among them are refused from then on. Waits for the disk.
    pub fn set_origins(&self, id: &str, origins: &[String]) -> Result<bool, VaultError> {
        let (id, origins) = (id.to_owned(), origins.to_vec());
        Ok(self.writer()?.call(KeyChange::SetOrigins { id, origins })?)
    }

    /// Adds a project without widget keys; `false` when there is one of that id. Waits for the disk.
    pub fn add_project(&self, id: &str) -> Result<bool, VaultError> {
        if id.is_empty() || id.len() > MAX_ID {
            return Err(VaultError::WrongId);
        }
        let row = make_data_key(&self.shared.keys, id, FIRST_EPOCH, &*self.shared.random)?;
        Ok(self.writer()?.call(KeyChange::AddProject(row))?)
    }

    /// The ids of all projects, in order.
    pub fn projects(&self) -> Result<Vec<String>, VaultError> {
        // A project has a data key from its first moment, and never none.
        let rows = self.shared.store.data_keys(None)?;
        let mut projects: Vec<_> = rows.into_iter().map(|row| row.project).collect();
        projects.sort();
        projects.dedup();
        Ok(projects)
    }

    /// The widget key of that id.
    pub fn widget_key(&self, id: &str) -> Result<Option<WidgetKey>, VaultError> {
        Ok(self.shared.store.widget_key(id)?)
    }

    /// All widget keys, by project and id.
    pub fn widget_keys(&self) -> Result<Vec<WidgetKey>, VaultError> {
        Ok(self.shared.store.widget_keys()?)
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
                apps: true,
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
    pub(crate) key: Arc<Base>,
}

/// Data keys that were unwrapped before.
#[derive(Default)]
pub(crate) struct DataKeys {
    by_project: RwLock<HashMap<String, Held>>,
}

struct Held {
    keys: Vec<DataKey>,
    loaded: Instant,
}

impl Shared {
    /// The key for new records of a project: the newest, unless it began within the last two seconds.
    pub(crate) fn data_key(&self, project: &str) -> Result<DataKey, VaultError> {
        self.find_data_key(project, Some(FRESH), |keys| {
            keys.iter().max_by_key(|key| key.epoch)
        })
    }

    /// The key of old ones.
    pub(crate) fn data_key_of(&self, project: &str, epoch: u32) -> Result<DataKey, VaultError> {
        self.find_data_key(project, None, |keys| keys.iter().find(|key| key.epoch == epoch))
    }

    /// Picks among the keys that are held, if they were loaded within `age`, or else among those in the store.
    fn find_data_key(
        &self,
        project: &str,
        age: Option<Duration>,
        pick: impl Fn(&[DataKey]) -> Option<&DataKey>,
    ) -> Result<DataKey, VaultError> {
        // The map is whole at any moment, also after a panic elsewhere.
        let cache = &self.data_keys.by_project;
        let held = cache.read().unwrap_or_else(PoisonError::into_inner);
        let known = match held.get(project) {
            Some(held) if age.is_none_or(|age| held.loaded.elapsed() < age) => match pick(&held.keys) {
                Some(key) => return Ok(key.clone()),
                None => held.keys.clone(),
            },
            Some(held) => held.keys.clone(),
            None => Vec::new(),
        };
        drop(held);
        let loaded = Instant::now();
        let keys = self.load_data_keys(project, &known)?;
        let key = pick(&keys).cloned().ok_or(VaultError::UnknownProject)?;
        let mut held = cache.write().unwrap_or_else(PoisonError::into_inner);
        held.insert(project.to_owned(), Held { keys, loaded });
        Ok(key)
    }

    /// The keys that the store has now. What was unwrapped before is not unwrapped again.
    fn load_data_keys(&self, project: &str, known: &[DataKey]) -> Result<Vec<DataKey>, VaultError> {
        let rows = self.store.data_keys(Some(project))?;
        rows.iter()
            .map(|row| match known.iter().find(|key| key.epoch == row.epoch) {
                Some(key) => Ok(key.clone()),
                None => Ok(DataKey {
                    epoch: row.epoch,
                    key: Arc::new(Base::new(&*unwrap(&self.keys, row)?)),
                }),
            })
            .collect()
    }
}

/// Opens a wrapped data key.
fn unwrap(keys: &Keys, row: &DataKeyRow) -> Result<Key, VaultError> {
    let place = wrapping_place(keys, &row.project, row.epoch);
    let opened = crypto::open(&keys.wrapping_of(row.master_key)?.key, &place, &row.wrapped)?;
    let key: &[u8; 32] = opened.as_slice().try_into().map_err(|_| VaultError::Damaged)?;
    Ok(Key::new(*key))
}

/// The same data key under the newest wrapping key.
pub(crate) fn wrap_anew(
    keys: &Keys,
    row: &DataKeyRow,
    random: &dyn Random,
) -> Result<DataKeyRow, VaultError> {
    wrap(keys, &row.project, row.epoch, &unwrap(keys, row)?, random)
}

/// A new data key, wrapped.
pub(crate) fn make_data_key(
    keys: &Keys,
    project: &str,
    epoch: u32,
    random: &dyn Random,
) -> Result<DataKeyRow, VaultError> {
    wrap(keys, project, epoch, &crypto::make_key(random)?, random)
}

fn wrap(
    keys: &Keys,
    project: &str,
    epoch: u32,
    key: &Key,
    random: &dyn Random,
) -> Result<DataKeyRow, VaultError> {
    let wrapping = keys.wrapping()?;
    let place = wrapping_place(keys, project, epoch);
    Ok(DataKeyRow {
        project: project.to_owned(),
        epoch,
        master_key: wrapping.id,
        wrapped: crypto::seal(&wrapping.key, &place, &**key, random)?,
    })
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

/// Longest id, in bytes; that of a widget key inside an envelope has the same bound.
const MAX_ID: usize = 128;

/// Version of a project's first data key.
const FIRST_EPOCH: u32 = 1;

/// How long a new epoch may go unnoticed. Reading a project's data keys that often costs nothing that could be measured.
const FRESH: Duration = Duration::from_secs(2);
