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
        Some(usage(self.child.id())?.processor)
    }

    /// What it has used up so far; `None` where the system does not tell.
    pub fn usage(&self) -> Option<Usage> {
        usage(self.child.id())
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

/// What a process has used up since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time, on all cores.
    pub processor: Duration,
    /// Bytes that it made the system write to the disk.
    pub written: u64,
}

impl Usage {
    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            processor: self.processor + other.processor,
            written: self.written + other.written,
        }
    }

    /// What was used since `earlier`. A process that has ended in between is in neither.
    pub fn since(self, earlier: Self) -> Self {
        Self {
            processor: self.processor.saturating_sub(earlier.processor),
            written: self.written.saturating_sub(earlier.written),
        }
    }
}

/// What a process has used up; `None` where the system does not tell.
pub fn usage(process: u32) -> Option<Usage> {
    Some(Usage {
        processor: ticks(process, &[UTIME, STIME])?,
        written: written(process)?,
    })
}

/// The same, with the processor time of the processes that it had started and that have ended.
pub fn usage_with_ended_children(process: u32) -> Option<Usage> {
    Some(Usage {
        processor: ticks(process, &[UTIME, STIME, CUTIME, CSTIME])?,
        written: written(process)?,
    })
}

/// The processes that a process has started and that still run.
pub fn children(process: u32) -> Vec<u32> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|&id| field(id, PARENT) == Some(process.into()))
        .collect()
}

fn ticks(process: u32, fields: &[usize]) -> Option<Duration> {
    let ticks = fields
        .iter()
        .map(|&number| field(process, number))
        .sum::<Option<u64>>()?;
    Some(Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND))
}

/// A number from the system's account of a process, counted as in proc(5).
fn field(process: u32, number: usize) -> Option<u64> {
    // The second field is a name in brackets, in which anything may stand.
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let behind = text.rsplit_once(')')?.1;
    behind.split_whitespace().nth(number - 3)?.parse().ok()
}

fn written(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/io")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("write_bytes:"))?;
    line.trim().parse().ok()
}

/// Sends a signal to several, of which some may be gone.
pub fn signal_each(name: &str, processes: &[u32]) -> Result<()> {
    Command::new("kill")
        .arg(format!("-{name}"))
        .args(processes.iter().map(u32::to_string))
        .stderr(Stdio::null())
        .status()
        .context("there is no `kill`")?;
    Ok(())
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

/// Places in `/proc/<id>/stat`.
const PARENT: usize = 4;
const UTIME: usize = 14;
const STIME: usize = 15;
const CUTIME: usize = 16;
const CSTIME: usize = 17;

/// USER_HZ, which is the same on every Linux that we run on.
const TICKS_PER_SECOND: u64 = 100;

/// Longest wait for a stop: what the service takes at most, and some.
const STOP_TIME: Duration = Duration::from_secs(20);
