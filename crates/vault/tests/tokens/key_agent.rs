//! The agent of `examples/key_agent`, asked by a vault and by others.

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;

use base64ct::{Base64UrlUnpadded, Encoding};
use vault::{MasterKeyError, MasterKeySource, Vault, VaultConfig, VaultError};

use super::support::*;

#[path = "../../examples/key_agent/agent.rs"]
mod agent;

/// An agent with a file of keys in a folder of its own. It answers until the test program ends.
struct Running {
    folder: tempfile::TempDir,
}

impl Running {
    fn start(keys: &[&str]) -> Self {
        let running = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        running.write(keys);
        let listener = UnixListener::bind(running.socket()).unwrap();
        let keys = running.keys();
        thread::spawn(move || agent::serve(&listener, &keys));
        running
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    fn keys(&self) -> PathBuf {
        self.folder.path().join("keys")
    }

    fn write(&self, keys: &[&str]) {
        fs::write(self.keys(), keys.join("\n")).unwrap();
        fs::set_permissions(self.keys(), Permissions::from_mode(0o600)).unwrap();
    }

    fn ask(&self, question: &[u8]) -> String {
        let mut stream = UnixStream::connect(self.socket()).unwrap();
        // It may have heard enough.
        let _ = stream.write_all(question);
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    }
}

fn config(place: &Place, socket: &Path) -> VaultConfig {
    let mut config = place.config();
    config.master_key = MasterKeySource::Agent(socket.to_owned());
    config
}

fn new_key() -> String {
    Base64UrlUnpadded::encode_string(&random::<32>())
}

fn refusal(opened: Result<Vault, VaultError>) -> String {
    match opened.unwrap_err() {
        VaultError::MasterKey(error @ MasterKeyError::Unavailable { .. }) => error.to_string(),
        other => panic!("{other}"),
    }
}

#[test]
fn a_vault_is_made_rotated_and_opened_again_with_it() {
    let (place, first, second) = (Place::new(), new_key(), new_key());
    let agent = Running::start(&[&first]);
    let open = || Vault::open(config(&place, &agent.socket()));
    let vault = open().unwrap();
    vault.ensure_sandbox().unwrap();
    let before = token(&place, &vault);

    agent.write(&[&second, &first]);
    vault.rotate_master_key(None, |_| {}).unwrap();
    agent.write(&[&second]);
    drop(vault);
    let vault = open().unwrap();
    assert!(vault.recognise(PROJECT, &before).unwrap().is_some());
    drop(vault);

    // The key that is needed is gone: said, and nothing is touched.
    agent.write(&[&first]);
    let told = refusal(open());
    assert!(told.contains("not here") && !told.contains(&first), "{told}");
    agent.write(&[]);
    assert!(refusal(open()).contains("there is no key in it"));
    agent.write(&["a key"]);
    assert!(refusal(open()).contains("a line is no key"));
    agent.write(&[&second]);
    fs::set_permissions(agent.keys(), Permissions::from_mode(0o640)).unwrap();
    assert!(refusal(open()).contains("0600"));
    agent.write(&[&second]);
    assert!(open().unwrap().recognise(PROJECT, &before).unwrap().is_some());
}

#[test]
fn what_one_installation_wrapped_is_of_no_use_to_another() {
    let key = new_key();
    let agent = Running::start(&[&key]);
    let secret = Base64UrlUnpadded::encode_string(&[7; 32]);
    let wrap = format!(r#"{{"version":1,"ask":"wrap","context":"b25l","key":"{secret}"}}"#);
    let wrapped = agent.ask(format!("{wrap}\n").as_bytes());
    assert!(!wrapped.contains(&secret) && !wrapped.contains(&key), "{wrapped}");
    let unwrap = |context: &str| {
        let told = wrapped.trim().trim_start_matches('{').trim_end_matches('}');
        agent.ask(
            format!("{{\"version\":1,\"ask\":\"unwrap\",\"context\":\"{context}\",{told}}}\n").as_bytes(),
        )
    };
    assert!(unwrap("b25l").contains(&secret));
    let refused = unwrap("dHdv");
    assert!(
        refused.contains("another installation") && !refused.contains(&secret),
        "{refused}"
    );
    assert_ne!(
        agent.ask(format!("{wrap}\n").as_bytes()),
        wrapped,
        "a nonce of its own"
    );
}

#[test]
fn odd_questions_are_answered_in_words_and_do_not_stop_it() {
    let agent = Running::start(&[&new_key()]);
    for question in [
        "\n",
        "{}\n",
        "[[[[[[\n",
        r#"{"version":2,"ask":"wrap","context":"","key":""}"#,
        r#"{"version":1,"ask":"delete","context":""}"#,
        r#"{"version":1,"ask":"wrap","context":"","key":"AAAA"}"#,
        r#"{"version":1,"ask":"wrap","context":"=","key":"AAAA"}"#,
        r#"{"version":1,"ask":"unwrap","context":"","id":"x","wrapped":"AAAA"}"#,
        r#"{"version":1,"ask":"unwrap","context":""}"#,
    ] {
        let answer = agent.ask(format!("{}\n", question.trim_end()).as_bytes());
        assert!(answer.starts_with(r#"{"error":""#), "{question}: {answer}");
    }
    // Longer than a question may be, and without an end.
    agent.ask(&vec![b'['; 1 << 17]);
    drop(UnixStream::connect(agent.socket()).unwrap());
    let place = Place::new();
    drop(Vault::open(config(&place, &agent.socket())).unwrap());
}
