//! A PostgreSQL server of our own: in a folder of its own, on a free port, to be killed, frozen and started again.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use tempfile::TempDir;

use crate::process::{self, Usage, signal};

/// A server with its data. It ends with this value, or with the program if that ends before.
pub struct Postgresql {
    folder: PathBuf,
    // Removed after the server has been ended.
    _own: Option<TempDir>,
    programs: PathBuf,
    port: u16,
    /// `None` while it is down.
    server: Option<Child>,
}

impl Postgresql {
    /// Makes a new cluster and starts it, set as it comes, so that commits wait for the disk.
    pub fn start() -> Result<Self> {
        let own = tempfile::tempdir()?;
        Self::start_in(own.path().to_owned(), Some(own))
    }

    /// The same in a folder that is there.
    pub fn start_in(folder: PathBuf, own: Option<TempDir>) -> Result<Self> {
        let mut server = Self {
            folder,
            _own: own,
            programs: programs()?,
            port: TcpListener::bind("127.0.0.1:0")?.local_addr()?.port(),
            server: None,
        };
        if is_root()? {
            let owner = user_id("postgres")?;
            chown(&server.folder, Some(owner), None)?;
        }
        let made = server
            .as_owner("initdb")
            .arg("-D")
            .arg(server.data())
            .args([
                "-U",
                "load",
                "-A",
                "trust",
                "--no-sync",
                "-E",
                "UTF8",
                "--locale=C",
            ])
            .output()
            .context("initdb cannot be started")?;
        ensure!(
            made.status.success(),
            "initdb failed: {}",
            String::from_utf8_lossy(&made.stderr).trim()
        );
        server.start_again()?;
        Ok(server)
    }

    /// The URL of a new, empty database.
    pub fn database(&self, name: &str) -> Result<String> {
        self.sql("postgres", &format!("CREATE DATABASE {name}"))?;
        Ok(format!("postgres://load@127.0.0.1:{}/{name}", self.port))
    }

    /// Runs statements with PostgreSQL's own client and gives what it prints.
    pub fn sql(&self, database: &str, statements: &str) -> Result<String> {
        let url = format!("postgres://load@127.0.0.1:{}/{database}", self.port);
        let said = Command::new(self.programs.join("psql"))
            .args([
                "-X",
                "-q",
                "-A",
                "-t",
                "-v",
                "ON_ERROR_STOP=1",
                "-d",
                &url,
                "-c",
                statements,
            ])
            .stdin(Stdio::null())
            .output()
            .context("psql cannot be started")?;
        ensure!(
            said.status.success(),
            "psql: {}",
            String::from_utf8_lossy(&said.stderr).trim()
        );
        Ok(String::from_utf8_lossy(&said.stdout).trim_end().to_owned())
    }

    /// Starts it again after [`Self::kill`] or [`Self::stop_at_once`], and waits until it takes connections.
    pub fn start_again(&mut self) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < START_TIME {
            let ended = match &mut self.server {
                Some(server) => server.try_wait()?.is_some(),
                None => true,
            };
            if ended {
                // It refuses to start while a process of the one that was killed is still there.
                self.server = Some(self.spawn()?);
            } else if self.is_ready()? {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
        bail!("PostgreSQL does not start: {}", self.last_words())
    }

    /// Ends the server and every process of it with SIGKILL.
    pub fn kill(&mut self) -> Result<()> {
        let Some(mut server) = self.server.take() else {
            return Ok(());
        };
        // Held still first: it would start others in the place of those that go.
        process::signal_each("STOP", &[server.id()])?;
        let mut all = process::children(server.id());
        all.push(server.id());
        process::signal_each("KILL", &all)?;
        server.wait()?;
        Ok(())
    }

    /// An immediate stop: connections are cut, nothing is written any more, and the next start recovers.
    pub fn stop_at_once(&mut self) -> Result<()> {
        if let Some(mut server) = self.server.take() {
            signal("QUIT", server.id())?;
            server.wait()?;
        }
        Ok(())
    }

    /// Freezes all of its processes: connections stay open, and nothing is answered.
    pub fn freeze(&self) -> Result<()> {
        let Some(server) = &self.server else { return Ok(()) };
        process::signal_each("STOP", &[server.id()])?;
        process::signal_each("STOP", &process::children(server.id()))
    }

    /// They go on where they were.
    pub fn thaw(&self) -> Result<()> {
        let Some(server) = &self.server else { return Ok(()) };
        process::signal_each("CONT", &process::children(server.id()))?;
        process::signal_each("CONT", &[server.id()])
    }

    /// What all of its processes together have used, those that have ended included as far as the system tells.
    pub fn usage(&self) -> Option<Usage> {
        let server = self.server.as_ref()?.id();
        let own = process::usage_with_ended_children(server)?;
        Some(
            process::children(server)
                .into_iter()
                .filter_map(process::usage)
                .fold(own, Usage::plus),
        )
    }

    fn spawn(&self) -> Result<Child> {
        let log = File::options().create(true).append(true).open(self.log())?;
        self.as_owner("postgres")
            .arg("-D")
            .arg(self.data())
            .args(["-p", &self.port.to_string()])
            .args([
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
            ])
            .args(["-c", "max_connections=100"])
            .stdout(Stdio::null())
            .stderr(log)
            // Ctrl-C in a terminal is for this program, which then ends the server.
            .process_group(0)
            .spawn()
            .context("PostgreSQL cannot be started")
    }

    /// A program of PostgreSQL's, as the user that may run it, who goes when this program does.
    fn as_owner(&self, program: &str) -> Command {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "INT"]);
        if is_root().unwrap_or(false) {
            command.args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups"]);
        }
        command.arg("--").arg(self.programs.join(program));
        command.current_dir("/").stdin(Stdio::null());
        command
    }

    fn is_ready(&self) -> Result<bool> {
        let asked = Command::new(self.programs.join("pg_isready"))
            .args(["-q", "-t", "1", "-h", "127.0.0.1", "-p", &self.port.to_string()])
            .args(["-U", "load", "-d", "postgres"])
            .stdin(Stdio::null())
            .status()?;
        Ok(asked.success())
    }

    fn last_words(&self) -> String {
        let log = fs::read_to_string(self.log()).unwrap_or_default();
        log.lines().last().unwrap_or("its log is empty").to_owned()
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn log(&self) -> PathBuf {
        self.folder.join("log")
    }
}

impl Drop for Postgresql {
    fn drop(&mut self) {
        // A frozen one hears only this; what it leaves lies in a folder that goes too.
        let _ = self.kill();
    }
}

/// Where the server's programs are: the newest that Debian's packages have put there, or those on the path.
fn programs() -> Result<PathBuf> {
    let packaged = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    let mut folders: BTreeSet<(u32, PathBuf)> = packaged
        .map(|entry| {
            let version = entry.file_name().to_str().and_then(|name| name.parse().ok());
            (version.unwrap_or(0), entry.path().join("bin"))
        })
        .collect();
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&path).map(|folder| (0, folder)));
    folders.retain(|(_, folder)| {
        ["initdb", "postgres", "psql"]
            .iter()
            .all(|name| is_file(folder, name))
    });
    let (_, newest) = folders.pop_last().context(
        "PostgreSQL is not installed: apt-get install postgresql, or leave it out with `--store sqlite`",
    )?;
    Ok(newest)
}

fn is_file(folder: &Path, name: &str) -> bool {
    folder.join(name).is_file()
}

fn is_root() -> Result<bool> {
    Ok(fs::metadata("/proc/self")?.uid() == 0)
}

fn user_id(name: &str) -> Result<u32> {
    let users = fs::read_to_string("/etc/passwd")?;
    users
        .lines()
        .filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
        .find_map(|rest| rest.split(':').nth(1)?.parse().ok())
        .with_context(|| format!("there is no user {name}; PostgreSQL does not run as root"))
}

/// Longest wait for a start, recovery included.
const START_TIME: Duration = Duration::from_secs(60);
