//! Payments over a vault in a folder of their own, on both databases, with a clock that tests set.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;
use vault::{Clock, Location, PostgresUrl, Vault, VaultConfig};

use crate::project::Project;
use crate::recovery;
use crate::stores::on_each;
use crate::{Processing, ProcessingConfig};

/// When tests begin: 2026-09-21T14:13:20Z.
pub(crate) const START: u64 = 1_790_000_000_000;

/// The sandbox in a store.
pub(crate) struct Place {
    pub(crate) vault: Arc<Vault>,
    pub(crate) processing: Processing,
    pub(crate) clock: Arc<TestClock>,
    store: Location,
    _folder: TempDir,
}

/// Does the same in SQLite and in PostgreSQL, each in a place of its own.
pub(crate) fn in_both(test: impl Fn(&Place)) {
    on_each(|location| match location {
        database::Location::Postgres(url) => test(&Place::new(Some(url))),
        _ => test(&Place::sqlite()),
    });
}

impl Place {
    /// In SQLite, or in an empty PostgreSQL database.
    fn new(url: Option<PostgresUrl>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(TestClock(AtomicU64::new(START)));
        let mut config = VaultConfig::new(folder.path().join("vault.sqlite"), clock.clone());
        if let Some(url) = url {
            config.database = Location::Postgres(url);
        }
        let store = config.database.clone();
        let vault = Arc::new(Vault::open(config).unwrap());
        vault.ensure_sandbox().unwrap();
        let processing = open(&store, &vault, &clock);
        processing.ensure_sandbox().unwrap();
        Self {
            vault,
            processing,
            clock,
            store,
            _folder: folder,
        }
    }

    /// In SQLite.
    pub(crate) fn sqlite() -> Self {
        Self::new(None)
    }

    /// Another instance on the same store.
    pub(crate) fn beside(&self) -> Processing {
        open(&self.store, &self.vault, &self.clock)
    }

    /// The sandbox's first project.
    pub(crate) fn sandbox(&self) -> Arc<Project> {
        self.processing.shared.project("sandbox").unwrap().unwrap()
    }
}

fn open(store: &Location, vault: &Arc<Vault>, clock: &Arc<TestClock>) -> Processing {
    let url = "http://localhost:8080".to_owned();
    let config = ProcessingConfig::beside(store, Arc::clone(vault), clock.clone(), url);
    Processing::open(config).unwrap()
}

pub(crate) struct TestClock(AtomicU64);

impl TestClock {
    /// Seconds since 1970.
    pub(crate) fn second(&self) -> i64 {
        i64::try_from(self.now()).unwrap()
    }

    pub(crate) fn advance(&self, millis: u64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> u64 {
        self.millis() / 1000
    }

    fn millis(&self) -> u64 {
        recovery::look();
        self.0.load(Ordering::SeqCst)
    }
}
