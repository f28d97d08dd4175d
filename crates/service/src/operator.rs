//! Operator commands. They work on the store beside a running service.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;

use aws_lc_rs::rand;
use processing::{DatabaseError, Processing, ProcessingConfig, Project, Refusal};
use vault::{Location, Recognised, SystemClock, Vault, VaultError, WidgetKey};
use zeroize::Zeroizing;

use crate::config::{AddKeyArgs, ConfigError, DatabaseArgs, InspectArgs, RemoveKeyArgs, StoreSettings};
use crate::time;

pub mod audit;
pub mod backup;
pub mod find;
pub mod keys;
pub mod project;

/// `widget-key add`: issues a key and prints its id.
pub fn add_key(args: AddKeyArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let vault = open_or_make(args.store.resolve()?)?;
    let key = WidgetKey {
        id: make_key_id(args.live)?,
        project: args.project,
        live: args.live,
        apps: args.apps,
        origins: args.origins,
    };
    vault.add_widget_key(&key)?;
    writeln!(out, "{}", key.id)?;
    Ok(())
}

/// `widget-key list`: one line per key.
pub fn list_keys(args: DatabaseArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let vault = open(args.resolve()?)?;
    for key in vault.widget_keys()? {
        let kind = if key.live { "live" } else { "test" };
        writeln!(
            out,
            "{}\t{kind}\t{}\t{}",
            key.id,
            key.project,
            key.origins.join(" ")
        )?;
    }
    Ok(())
}

/// `widget-key remove`: withdraws a key.
pub fn remove_key(args: RemoveKeyArgs) -> Result<(), OperatorError> {
    let vault = open(args.store.resolve()?)?;
    match vault.remove_widget_key(&args.key)? {
        true => Ok(()),
        false => Err(OperatorError::UnknownKey(args.key)),
    }
}

/// `token inspect`: what may be known about the token on `input`.
pub fn inspect(
    args: InspectArgs,
    mut input: impl BufRead,
    out: &mut impl Write,
) -> Result<(), OperatorError> {
    let vault = open(args.store.resolve()?)?;
    let token = read_token(&mut input)?;
    let info = vault
        .recognise(&args.project, token.trim())?
        .ok_or(OperatorError::UnknownToken)?;
    writeln!(out, "mask\t{}", info.card_mask())?;
    match info {
        Recognised::Widget(token) => {
            writeln!(out, "type\t{}", token.form.id())?;
            writeln!(out, "state\t{}", token.state)?;
            let expires_at = time::without_zone(token.expires_at).unwrap_or_default();
            writeln!(out, "expires_at\t{expires_at}")?;
        }
        Recognised::Lasting(card) => {
            writeln!(out, "type\t{}", card.form.id())?;
            writeln!(out, "state\t{}", if card.kept { "saved" } else { "being saved" })?;
            writeln!(
                out,
                "use\t{}",
                if card.may_pay() {
                    "pays and receives"
                } else {
                    "receives only"
                }
            )?;
            writeln!(out, "saved_at\t{}", utc(card.saved_at))?;
            writeln!(out, "mark\t{}", card.mark)?;
        }
        // What later versions of the vault may know.
        _ => {}
    }
    Ok(())
}

/// A store that is there: a misspelt name must not become an empty one, of which nothing could be wrong.
/// `token forget`: deletes the saved card whose token is on `input`.
pub fn forget(args: InspectArgs, mut input: impl BufRead) -> Result<(), OperatorError> {
    let vault = open(args.store.resolve()?)?;
    match vault.forget(&args.project, read_token(&mut input)?.trim())? {
        true => Ok(()),
        false => Err(OperatorError::UnknownToken),
    }
}

/// A token is worth money: it comes on standard input, since arguments are seen by every user of the machine.
fn read_token(input: &mut impl BufRead) -> Result<Zeroizing<String>, OperatorError> {
    let mut token = Zeroizing::new(String::new());
    input.read_line(&mut token)?;
    Ok(token)
}

fn open(store: StoreSettings) -> Result<Vault, OperatorError> {
    let mut config = store.vault(Arc::new(SystemClock));
    config.create = false;
    Ok(Vault::open(config)?)
}

/// The same, or a new one: shops can be set up before the first start.
fn open_or_make(store: StoreSettings) -> Result<Vault, OperatorError> {
    Ok(Vault::open(store.vault(Arc::new(SystemClock)))?)
}

/// The vault with the payments beside it.
struct Payments {
    vault: Arc<Vault>,
    processing: Processing,
}

impl Payments {
    fn open(store: StoreSettings) -> Result<Self, OperatorError> {
        let location = store.database.clone();
        Self::beside(&location, open(store)?)
    }

    fn open_or_make(store: StoreSettings) -> Result<Self, OperatorError> {
        let location = store.database.clone();
        Self::beside(&location, open_or_make(store)?)
    }

    fn beside(location: &Location, vault: Vault) -> Result<Self, OperatorError> {
        let vault = Arc::new(vault);
        // No command makes an address of a page.
        let config =
            ProcessingConfig::beside(location, Arc::clone(&vault), Arc::new(SystemClock), String::new());
        let processing = Processing::open(config)?;
        Ok(Self { vault, processing })
    }

    fn project(&self, id: &str) -> Result<Project, OperatorError> {
        let found = self
            .processing
            .projects()?
            .into_iter()
            .find(|project| project.id == id);
        found.ok_or_else(|| OperatorError::UnknownProject(id.to_owned()))
    }
}

/// A time in UTC, or a dash where the calendar ends.
fn utc(seconds: u64) -> String {
    time::without_zone(seconds).map_or_else(|| "-".to_owned(), |time| format!("{time}Z"))
}

/// `wk_live_` or `wk_test_` and 80 random bits in letters. Public, but not to be guessed from another one.
fn make_key_id(live: bool) -> Result<String, OperatorError> {
    let mut bytes = [0; 16];
    rand::fill(&mut bytes).map_err(|_| OperatorError::Randomness)?;
    let letters = bytes
        .iter()
        .map(|byte| char::from(LETTERS[usize::from(byte % 32)]));
    let prefix = if live { "wk_live_" } else { "wk_test_" };
    Ok(prefix.chars().chain(letters).collect())
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OperatorError {
    /// A setting.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The store.
    #[error("the vault refused: {0}")]
    Vault(#[from] VaultError),
    /// Standard input or output.
    #[error("standard input or output failed: {0}")]
    Io(#[from] io::Error),
    /// A file that a command was given.
    #[error("{path} cannot be read: {source}", path = path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Never issued, or withdrawn before. A widget key is public, so it may be named.
    #[error("there is no widget key {0:?}; `widget-key list` shows those that there are")]
    UnknownKey(String),
    /// The store of payments.
    #[error("the store of payments cannot be opened: {0}")]
    Database(#[from] DatabaseError),
    /// Something about payments.
    #[error("{}", .0.message)]
    Refused(#[from] Refusal),
    /// There is none with credentials.
    #[error("there is no project {0:?} with credentials; `project list` shows those that there are")]
    UnknownProject(String),
    /// Nothing is called so.
    #[error(
        "nothing in that project is called {0:?}: give the number of an order, a payout, a basket or a customer, or a subscription's id"
    )]
    UnknownNumber(String),
    /// There is one.
    #[error("there is a project {0:?} already")]
    ProjectTaken(String),
    /// Not issued, expired and removed, or of another project.
    #[error("this is not a token of that project; expired ones are removed after a while")]
    UnknownToken,
    /// The audit log.
    #[error("the audit log is not what was written: {0} finding(s), see above and docs/operations/audit.md")]
    Audit(usize),
    /// The system's random source.
    #[error("the system gave no random bytes")]
    Randomness,
}

/// 32 letters, so that five bits choose one evenly.
const LETTERS: &[u8; 32] = b"abcdefghijkmnopqrstuvwxyz2345678";

#[cfg(test)]
mod tests {
    use super::*;

    /// A store of its own in a folder that is removed afterwards.
    struct Store(PathBuf);

    impl Store {
        fn new(name: &str) -> Self {
            let path =
                std::env::temp_dir().join(format!("card-widget-operator-{name}-{}", std::process::id()));
            std::fs::create_dir(&path).unwrap();
            Self(path)
        }

        fn args(&self) -> DatabaseArgs {
            DatabaseArgs {
                database: Some(format!("sqlite:{}/vault.sqlite", self.0.display())),
                ..DatabaseArgs::default()
            }
        }
    }

    impl Drop for Store {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn an_added_key_is_listed() {
        let store = Store::new("keys");
        let mut added = Vec::new();
        let args = AddKeyArgs {
            store: store.args(),
            project: "shop".into(),
            origins: vec!["https://shop.example".into(), "http://localhost:*".into()],
            live: true,
            apps: false,
        };
        add_key(args, &mut added).unwrap();
        let key = String::from_utf8(added).unwrap();
        assert!(key.starts_with("wk_live_") && key.trim_end().len() == 24, "{key}");

        let mut listed = Vec::new();
        list_keys(store.args(), &mut listed).unwrap();
        let expected = format!(
            "{}\tlive\tshop\thttps://shop.example http://localhost:*\n",
            key.trim_end()
        );
        assert_eq!(String::from_utf8(listed).unwrap(), expected);
    }

    #[test]
    fn a_misspelt_name_does_not_become_a_store() {
        let store = Store::new("none");
        let error = list_keys(store.args(), &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("there is no store"), "{error}");
        let verify = audit::AuditCommand::Verify(audit::VerifyArgs {
            store: store.args(),
            heads: Vec::new(),
            log: None,
        });
        assert!(
            audit::run(verify, &mut Vec::new()).is_err(),
            "of nothing, nothing is right"
        );
        assert_eq!(std::fs::read_dir(&store.0).unwrap().count(), 0);
    }

    #[test]
    fn an_exported_log_proves_the_log() {
        let store = Store::new("export");
        let add = |project: &str| {
            let vault = open_or_make(store.args().resolve().unwrap()).unwrap();
            vault.add_project(project).unwrap();
        };
        let export = || {
            let mut out = Vec::new();
            audit::run(audit::AuditCommand::Export(store.args()), &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let verify = |log: &str| {
            let path = store.0.join("log");
            std::fs::write(&path, log).unwrap();
            let mut out = Vec::new();
            let args = audit::VerifyArgs {
                store: store.args(),
                heads: Vec::new(),
                log: Some(path),
            };
            audit::run(audit::AuditCommand::Verify(args), &mut out).map(|()| String::from_utf8(out).unwrap())
        };
        add("first");
        let exported = export();
        // One that adds the project, one that closes the log; reading writes nothing.
        assert_eq!(exported.lines().count(), 2, "{exported}");
        for line in exported.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(
                line["record"]["at"].is_u64() && line["head"].is_string(),
                "{line}"
            );
        }
        assert!(exported.contains("first") && exported.contains("log closed"));
        add("second");
        assert_eq!(export().lines().count(), 4);
        assert!(
            verify(&exported)
                .unwrap()
                .contains("2 published heads were compared")
        );
        // The same places with other records, as after somebody with all keys has written them anew.
        let line: serde_json::Value = serde_json::from_str(exported.lines().next().unwrap()).unwrap();
        let (place, mac) = line["head"].as_str().unwrap().rsplit_once(':').unwrap();
        let other = if mac.starts_with('A') { "B" } else { "A" };
        let forged = format!("{place}:{other}{}", &mac[1..]);
        assert!(
            matches!(verify(&forged), Err(OperatorError::Audit(1))),
            "{forged}"
        );
        // And one that is gone.
        let gone = format!("{}:9:{mac}", place.split_once(':').unwrap().0);
        assert!(matches!(verify(&gone), Err(OperatorError::Audit(1))), "{gone}");
    }

    #[test]
    fn what_is_not_a_token_is_refused_without_an_echo() {
        let store = Store::new("tokens");
        open_or_make(store.args().resolve().unwrap()).unwrap();
        for text in ["", "seventeen", "4242424242424242"] {
            let args = InspectArgs {
                store: store.args(),
                project: "shop".into(),
            };
            let error = inspect(args, text.as_bytes(), &mut Vec::new()).unwrap_err();
            assert!(matches!(error, OperatorError::UnknownToken));
            assert!(text.is_empty() || !error.to_string().contains(text));
        }
    }
}
