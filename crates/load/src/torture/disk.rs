//! Disks that do not take what is written.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::net::SocketAddr;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};

use vault::{SystemClock, VaultConfig};

use super::{outages, proof, record::Record};
use crate::connection::Connection;
use crate::place::Place;
use crate::postgresql::Postgresql;
use crate::process::Process;
use crate::submission::{self, NUMBERS, Submission};
use crate::{boot, service};

/// A name, and what is done under it: what it found, or which promise was broken.
type Check = (&'static str, fn(&Path) -> Result<String>);

/// All of them.
pub(super) const CHECKS: [Check; 3] = [
    ("disk full", small),
    ("file at its largest", full),
    ("read-only folder", read_only),
];

/// A file system of a few megabytes runs full: the service says 503, stays alive, has kept what it answered, and goes on by
/// itself when there is room.
fn small(binary: &Path) -> Result<String> {
    let place = Place::sqlite()?;
    let Some(disk) = Disk::mount(place.data(), SMALL)? else {
        return Ok("left out, as only root may mount a small disk".to_owned());
    };
    let victim = place.start(binary)?;
    let (record, refused) = fill(victim.address)?;
    boot::get(victim.address, "/healthz").context("the service is not alive any more")?;
    disk.enlarge()?;
    let found = proof::repeat(victim.address, record).context("after room was made")?;
    victim.kill()?;

    let again = place.start(binary)?;
    let after = proof::repeat(again.address, found.record)?;
    again.stop()?;
    proof::open(place.vault(), after.record)?;
    place.verify_audit(binary)?;
    Ok(format!(
        "{} answered tokens kept; {refused} requests refused with 503, of them {} stored, none double; went on with room made",
        found.answered, found.kept
    ))
}

/// No file may grow beyond a bound: the service says 503, stays alive, and has kept what it answered.
fn full(binary: &Path) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let database = folder.path().join("full.sqlite");
    let url = format!("sqlite:{}", database.display());
    // With the signal ignored, a write beyond the bound is an error like that of a full disk.
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        &format!(r#"trap "" XFSZ; ulimit -f {BLOCKS}; exec "$0" "$@""#),
    ]);
    let serve = service::serve(binary, &url)?;
    shell.arg(serve.get_program()).args(serve.get_args());
    let victim = Process::start(shell.stderr(Stdio::null()))?;

    let (record, refused) = fill(victim.address)?;
    boot::get(victim.address, "/healthz").context("the service is not alive any more")?;
    victim.kill()?;

    // As if somebody had made room.
    let again = Process::start(service::serve(binary, &url)?.stderr(Stdio::null()))?;
    let found = proof::repeat(again.address, record)?;
    again.stop()?;
    proof::open(VaultConfig::new(database, Arc::new(SystemClock)), found.record)?;
    Ok(format!(
        "{} answered tokens kept; {refused} requests refused with 503, of them {} stored, none double; goes on after a restart",
        found.answered, found.kept
    ))
}

/// The same under PostgreSQL, which stops for want of room for its journal, and starts again by itself.
pub(super) fn database(binary: &Path) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let Some(disk) = Disk::mount(folder.path(), SMALL_DATABASE)? else {
        return Ok("left out, as only root may mount a small disk".to_owned());
    };
    let mut server = Postgresql::start_in(folder.path().to_owned(), None)?;
    let place = Place::postgres(server.database("small_disk")?)?;
    let service = place.start(binary)?;
    let (record, refused) = fill(service.address)?;
    boot::get(service.address, "/healthz").context("the service is not alive any more")?;
    disk.enlarge()?;
    // It may have given up for good, and an operator would start it.
    server.start_again()?;
    outages::wait_until_ready(service.address, true)?;
    let found = proof::repeat(service.address, record).context("after room was made")?;
    service.stop()?;
    let (answered, kept) = (found.answered, found.kept);
    proof::open(place.vault(), found.record)?;
    place.verify_audit(binary)?;
    Ok(format!(
        "{answered} answered tokens kept; {refused} requests refused with 503, of them {kept} stored, none double; went on with \
         room made"
    ))
}

/// Sends until enough was refused. Gives how much that was.
fn fill(service: SocketAddr) -> Result<(Record, usize)> {
    let boot = boot::fetch(service)?;
    let mut connection = Connection::open(service, LIMIT)?;
    let mut record = Record::default();
    for n in 0..MOST_REQUESTS {
        let submission = Submission::make(service, &boot, NUMBERS[n % NUMBERS.len()])?;
        let answer = connection.exchange(submission.bytes())?;
        match answer.status {
            201 => record
                .answered
                .push((Arc::new(submission), submission::token(answer.body)?)),
            503 => record.cut.push(Arc::new(submission)),
            status => bail!("answered with {status} instead of 503"),
        }
        if record.cut.len() == ENOUGH {
            break;
        }
    }
    let refused = record.cut.len();
    ensure!(refused > 0, "the disk did not become full");
    Ok((record, refused))
}

/// Where nothing can be written, the service does not start, says so, and changes nothing. Neither in an empty folder nor
/// in that of a store.
fn read_only(binary: &Path) -> Result<String> {
    let folder = tempfile::tempdir()?;
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
    // The superuser may write everywhere, and another user may not read everywhere.
    let copy = folder.path().join("service");
    fs::copy(binary, &copy)?;
    let mut found = Vec::new();
    for (name, is_new) in [("new", true), ("old", false)] {
        let data = folder.path().join(name);
        fs::create_dir(&data)?;
        if is_root()? {
            chown(&data, Some(NOBODY), Some(NOBODY))?;
        }
        let url = format!("sqlite:{}", data.join("store.sqlite").display());
        if !is_new {
            let service =
                Process::start(as_nobody(&mut service::serve(&copy, &url)?)?.stderr(Stdio::null()))?;
            service.stop()?;
        }
        let before = lock(&data)?;
        let refused = as_nobody(&mut service::serve(&copy, &url)?)?.output()?;
        ensure!(
            !refused.status.success(),
            "the service started in a folder that it cannot write to"
        );
        let said = String::from_utf8_lossy(&refused.stderr);
        let reason = said.lines().last().unwrap_or_default();
        ensure!(
            reason.contains(&data.display().to_string()) || reason.contains("readonly"),
            "the service does not say where it cannot write: {reason}"
        );
        ensure!(
            lock(&data)? == before,
            "something was changed in a folder that is not to be written to"
        );
        found.push(name);
    }
    Ok(format!(
        "the service did not start and changed nothing ({})",
        found.join(", ")
    ))
}

/// A file system in memory, small and its own. Gone with this value.
struct Disk<'a>(&'a Path);

impl<'a> Disk<'a> {
    /// Mounts it at `folder`; `None` where that is not allowed.
    fn mount(folder: &'a Path, size: &str) -> Result<Option<Self>> {
        fs::create_dir_all(folder)?;
        let mounted = Self::call("mount", &["-t", "tmpfs", "-o", size, "card-widget"], folder);
        Ok(mounted.is_ok().then_some(Self(folder)))
    }

    /// Makes room.
    fn enlarge(&self) -> Result<()> {
        Self::call("mount", &["-o", LARGE], self.0)
    }

    fn call(program: &str, options: &[&str], folder: &Path) -> Result<()> {
        let mut command = Command::new(program);
        let said = command.args(options).arg(folder).stdin(Stdio::null()).output()?;
        ensure!(
            said.status.success(),
            "{program}: {}",
            String::from_utf8_lossy(&said.stderr).trim()
        );
        Ok(())
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        // Even while a process still has files there, which goes with them.
        let _ = Self::call("umount", &["--lazy"], self.0);
    }
}

/// Takes the right to write away, and gives what lies there.
fn lock(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(lock(&path)?);
        } else {
            fs::set_permissions(&path, Permissions::from_mode(0o400))?;
            files.insert(path.clone(), fs::read(&path)?);
        }
    }
    fs::set_permissions(folder, Permissions::from_mode(0o500))?;
    Ok(files)
}

/// To whom permissions mean something.
fn as_nobody(command: &mut Command) -> Result<&mut Command> {
    if is_root()? {
        command.uid(NOBODY).gid(NOBODY);
    }
    Ok(command.current_dir("/"))
}

fn is_root() -> Result<bool> {
    Ok(fs::metadata("/proc/self")?.uid() == 0)
}

/// The user and group that own nothing.
const NOBODY: u32 = 65534;

/// The small disk at first: room for some thousand cards.
const SMALL: &str = "size=16m,mode=700";

/// Room for a new cluster and some seconds of its journal.
const SMALL_DATABASE: &str = "size=58m,mode=700";

/// And later.
const LARGE: &str = "remount,size=256m";

/// Largest file, in blocks of the shell's: 512 or 1024 bytes.
const BLOCKS: u32 = 2048;

/// So many refusals, and the disk is full.
const ENOUGH: usize = 20;

/// Some times as many as fit.
const MOST_REQUESTS: usize = 20_000;

/// Longest wait for an answer.
const LIMIT: Duration = Duration::from_secs(10);
