//! Which projects there are, and whose password it is.

use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::{Arc, PoisonError, RwLock};

use database::{Row, Transaction, values};
use jiff::SignedDuration;
use subtle::ConstantTimeEq;
use wire::interface::StatusCode;
use zeroize::Zeroizing;

use super::{FeeRate, Project};
use crate::processing::{Processing, Shared};
use crate::refusal::Refusal;
use crate::time;

/// A project to be.
pub struct NewProject {
    /// As [`Project::is_id`] says.
    pub id: String,
    /// The partner that it belongs to.
    pub partner: String,
    /// Its name for people.
    pub name: String,
    /// Whether real money is meant.
    pub is_live: bool,
    /// 16 to 255 characters without control characters, as shops' programs are to send it and to sign with.
    pub password: Zeroizing<String>,
    /// What it may do besides.
    pub permissions: Permissions,
}

impl fmt::Debug for NewProject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewProject")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// What a project may do besides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Send cards in clear.
    pub may_send_cards: bool,
    /// Have callbacks sent to private and loopback addresses.
    pub may_call_private: bool,
}

/// Projects as the store had them a moment ago: calls need not ask it who calls.
#[derive(Default)]
pub(crate) struct Registry(RwLock<HashMap<String, Held>>);

struct Held {
    known: Known,
    /// Milliseconds since 1970.
    read_at: u64,
}

/// A project with its password.
#[derive(Clone)]
struct Known {
    project: Arc<Project>,
    password: Arc<Zeroizing<Vec<u8>>>,
}

impl Processing {
    /// Adds a project; `false` when there is one of that id. Waits for the disk.
    pub fn add_project(&self, new: &NewProject) -> Result<bool, Refusal> {
        if !Project::is_id(&new.id) {
            return Err(Refusal::new(
                StatusCode::InvalidData,
                "this is not an id of a project",
            ));
        }
        check_password(&new.password)?;
        let sealed = self.shared.seal_password(&new.id, &new.password)?;
        let (id, partner, name, is_live) =
            (new.id.clone(), new.partner.clone(), new.name.clone(), new.is_live);
        let permissions = new.permissions;
        let now = time::to_sql(self.shared.now());
        let added = self.shared.database.write(move |tx| {
            tx.change(
                "INSERT INTO projects (id, partner, name, password, is_live, may_send_cards, may_call_private, clock_offset, \
                     rate_limit, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, 0, NULL, $8) ON CONFLICT DO NOTHING",
                values![
                    &id,
                    &partner,
                    &name,
                    sealed.clone(),
                    is_live,
                    permissions.may_send_cards,
                    permissions.may_call_private,
                    now
                ],
            )
            .map_err(Refusal::from)
        })?;
        Ok(added == 1)
    }

    /// All projects, by id.
    pub fn projects(&self) -> Result<Vec<Project>, Refusal> {
        self.shared.database.read(|tx| {
            let rows = tx.rows(
                "SELECT id, partner, name, is_live, may_send_cards, may_call_private, clock_offset, rate_limit, password, \
                     token_limit, card_limit, fee_rate
                 FROM projects ORDER BY id",
                &[],
            )?;
            rows.iter().map(read).collect()
        })
    }

    /// The project of that id. May wait for the store; a change made elsewhere is noticed within two seconds.
    pub fn find_project(&self, id: &str) -> Result<Option<Arc<Project>>, Refusal> {
        self.shared.project(id)
    }

    /// Gives a project another password; `false` when there is no such project. The old one is refused within two seconds, and
    /// callbacks are signed with the new one. Waits for the disk.
    pub fn set_password(&self, id: &str, password: &Zeroizing<String>) -> Result<bool, Refusal> {
        check_password(password)?;
        let sealed = self.shared.seal_password(id, password)?;
        self.change_project(id, move |tx, id| {
            Ok(tx.change(
                "UPDATE projects SET password = $2 WHERE id = $1",
                values![id, sealed.clone()],
            )?)
        })
    }

    /// Says what a project may do besides; `false` when there is no such project. Waits for the disk.
    pub fn permit(&self, id: &str, permissions: Permissions) -> Result<bool, Refusal> {
        self.change_project(id, move |tx, id| {
            Ok(tx.change(
                "UPDATE projects SET may_send_cards = $2, may_call_private = $3 WHERE id = $1",
                values![id, permissions.may_send_cards, permissions.may_call_private],
            )?)
        })
    }

    /// Says what the charges of a project cost it from now on; `false` when there is no such project. Waits for the disk.
    pub fn set_fee_rate(&self, id: &str, rate: FeeRate) -> Result<bool, Refusal> {
        self.change_project(id, move |tx, id| {
            Ok(tx.change(
                "UPDATE projects SET fee_rate = $2 WHERE id = $1",
                values![id, rate.hundredths()],
            )?)
        })
    }

    /// Makes the sandbox's two projects where they are not there yet.
    pub fn ensure_sandbox(&self) -> Result<(), Refusal> {
        for (id, password) in [
            ("sandbox", "sandbox-password"),
            ("sandbox-2", "sandbox-2-password"),
        ] {
            if self.shared.project(id)?.is_none() {
                self.add_project(&NewProject {
                    id: id.into(),
                    partner: "sandbox-entity".into(),
                    name: id.into(),
                    is_live: false,
                    password: Zeroizing::new(password.into()),
                    permissions: Permissions {
                        may_send_cards: true,
                        may_call_private: true,
                    },
                })?;
            }
        }
        Ok(())
    }

    /// Whose credentials these are. May wait for the store; a change made elsewhere is noticed within two seconds.
    pub fn authenticate(&self, login: &str, password: &[u8]) -> Result<Arc<Project>, Refusal> {
        let known = self.shared.known(login)?;
        let stored: &[u8] = known.as_ref().map_or(&[], |known| known.password.as_slice());
        // In constant time. A login is no secret: whether there is one may show.
        match known {
            Some(known) if bool::from(stored.ct_eq(password)) => Ok(known.project),
            _ => Err(wrong_credentials()),
        }
    }

    /// Whether [`Processing::authenticate`] would answer without waiting.
    pub fn is_at_hand(&self, login: &str) -> bool {
        self.shared.held(login).is_some()
    }

    /// What [`Processing::find_project`] would find without waiting.
    pub fn project_at_hand(&self, id: &str) -> Option<Arc<Project>> {
        Some(self.shared.held(id)?.project)
    }

    /// The password of a project, with which its callbacks are signed. May wait for the store.
    pub fn password(&self, id: &str) -> Result<Arc<Zeroizing<Vec<u8>>>, Refusal> {
        let known = self.shared.known(id)?;
        known
            .map(|known| known.password)
            .ok_or_else(|| Refusal::internal("a project is gone"))
    }

    fn change_project(
        &self,
        id: &str,
        mut change: impl FnMut(&mut dyn Transaction, &str) -> Result<u64, Refusal> + Send + 'static,
    ) -> Result<bool, Refusal> {
        let name = id.to_owned();
        let changed = self.shared.database.write(move |tx| change(tx, &name))?;
        self.shared.registry.forget(id);
        Ok(changed == 1)
    }
}

impl Shared {
    /// The project of that id. May wait for the store; not to be called within a transaction.
    pub(crate) fn project(&self, id: &str) -> Result<Option<Arc<Project>>, Refusal> {
        Ok(self.known(id)?.map(|known| known.project))
    }

    fn known(&self, id: &str) -> Result<Option<Known>, Refusal> {
        if let Some(known) = self.held(id) {
            return Ok(Some(known));
        }
        // Databases cannot look for just any text.
        if !Project::is_id(id) {
            return Ok(None);
        }
        let read_at = self.clock.millis();
        let name = id.to_owned();
        let row = self.database.read(move |tx| {
            let row = tx.row(
                "SELECT id, partner, name, is_live, may_send_cards, may_call_private, clock_offset, rate_limit, password, \
                     token_limit, card_limit, fee_rate
                 FROM projects WHERE id = $1",
                values![&name],
            )?;
            let read = row.map(|row| Ok::<_, Refusal>((read(&row)?, row.get::<Vec<u8>>(8)?)));
            read.transpose()
        })?;
        let Some((project, sealed)) = row else {
            self.registry.forget(id);
            return Ok(None);
        };
        let known = Known {
            project: Arc::new(project),
            password: Arc::new(self.vault.open_secret(&secret(id), &sealed)?),
        };
        let held = Held {
            known: known.clone(),
            read_at,
        };
        // As many entries as there are projects, whatever strangers ask for.
        self.registry.write().insert(id.to_owned(), held);
        Ok(Some(known))
    }

    fn held(&self, id: &str) -> Option<Known> {
        let now = self.clock.millis();
        let held = self.registry.0.read().unwrap_or_else(PoisonError::into_inner);
        let held = held.get(id)?;
        (now.abs_diff(held.read_at) < FRESH).then(|| held.known.clone())
    }

    fn seal_password(&self, id: &str, password: &str) -> Result<Vec<u8>, Refusal> {
        Ok(self.vault.seal_secret(&secret(id), password.as_bytes())?)
    }
}

impl Registry {
    /// To be called when a project was changed.
    pub(crate) fn forget(&self, id: &str) {
        self.write().remove(id);
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, HashMap<String, Held>> {
        // Each entry is whole at any moment, also after a panic elsewhere.
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(row: &Row) -> Result<Project, Refusal> {
    Ok(Project {
        id: row.get(0)?,
        partner: row.get(1)?,
        name: row.get(2)?,
        is_live: row.get(3)?,
        may_send_cards: row.get(4)?,
        may_call_private: row.get(5)?,
        clock_offset: SignedDuration::from_millis(row.get(6)?),
        fee_rate: row
            .get::<Option<u32>>(11)?
            .and_then(FeeRate::from_hundredths)
            .unwrap_or_default(),
        rate_limit: optional(row, 7)?,
        token_limit: optional(row, 9)?,
        card_limit: optional(row, 10)?,
    })
}

fn optional(row: &Row, column: usize) -> Result<Option<NonZeroU32>, Refusal> {
    Ok(row.get::<Option<u32>>(column)?.and_then(NonZeroU32::new))
}

/// Under which the vault seals a password: that of another project does not open in its place.
fn secret(id: &str) -> String {
    format!("password of {id}")
}

impl Project {
    /// What may be an id of a project: 1 to 123 letters, digits, dots, dashes and underscores. Anything else is none without looking. With
    /// five more it names the widget key of the payment page, and such a key has 128 at most.
    pub fn is_id(text: &str) -> bool {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        (1..=123).contains(&text.len()) && text.bytes().all(plain)
    }
}

fn check_password(password: &str) -> Result<(), Refusal> {
    let length = password.chars().count();
    match (16..=255).contains(&length) && !password.chars().any(char::is_control) {
        true => Ok(()),
        false => Err(Refusal::new(
            StatusCode::InvalidData,
            "a password has 16 to 255 characters, without control characters",
        )),
    }
}

fn wrong_credentials() -> Refusal {
    Refusal::new(
        StatusCode::AuthorizationFailed,
        "The login or the password is missing or wrong.",
    )
}

/// For how long a project is remembered, in milliseconds.
const FRESH: u64 = 2000;
