//! A server as a child process: started, watched, stopped or killed.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// A running server. Killed when dropped.
pub struct Process {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
}

impl Process {
    /// Starts `command` and waits for the line that says where it listens.
    pub fn start(command: &mut Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} cannot be started", command.get_program().display()))?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let address = line
            .trim()
            .rsplit_once("http://")
            .map(|(_, address)| address.parse());
        match address {
            Some(Ok(address)) => Ok(Self { child, address }),
            _ => {
                let _ = child.kill();
                let status = child.wait()?;
                bail!("the server did not begin to listen ({status}); its log says why");
            }
        }
    }

    /// Process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends it at once, whatever it is doing: SIGKILL.
    pub fn kill(mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Asks it to stop and waits for the end.
    pub fn stop(mut self) -> Result<ExitStatus> {
        signal("TERM", self.child.id())?;
        let start = Instant::now();
        while start.elapsed() < STOP_TIME {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(10));
        }
        bail!("the server does not stop");
    }

    /// Processor time that it has used up so far, on all cores; `None` where the system does not tell.
    pub fn processor_time(&self) -> Option<Duration> {
        // proc(5): the name in brackets may hold anything; utime and stime are the 14th and 15th field.
        let text = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        Some(Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND))
    }

    /// Memory that it holds in RAM, in bytes; `None` where the system does not tell.
    pub fn memory(&self) -> Option<u64> {
        let text = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal by its name.
pub fn signal(name: &str, process: u32) -> Result<()> {
    let status = Command::new("kill")
        .args([&format!("-{name}"), &process.to_string()])
        .status()
        .context("there is no `kill`")?;
    if !status.success() {
        bail!("SIG{name} could not be sent");
    }
    Ok(())
}

/// USER_HZ, which is the same on every Linux that we run on.
const TICKS_PER_SECOND: u64 = 100;

/// Longest wait for a stop: what the service takes at most, and some.
const STOP_TIME: Duration = Duration::from_secs(20);
