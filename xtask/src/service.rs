//! The service as a child process.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::{http, project, run, say};

/// A running service; stopped when dropped.
pub(crate) struct Service {
    child: Child,
    /// Port on 127.0.0.1.
    pub(crate) port: u16,
}

impl Service {
    /// Builds the binary of the dev profile. The web files must be built before: they are embedded.
    pub(crate) fn build() -> Result<PathBuf> {
        run::shown(run::cargo("build").args(["--package", "card-widget-service"]))
            .context("the service does not compile")?;
        Ok(project::binary("card-widget-service"))
    }

    /// Builds the binary as it is released, for measuring. Takes some minutes the first time.
    pub(crate) fn build_optimized() -> Result<PathBuf> {
        run::shown(run::cargo("build").args(["--release", "--package", "card-widget-service"]))
            .context("the service does not compile")?;
        Ok(project::release_binary("card-widget-service"))
    }

    /// Starts it in sandbox mode with its database in `data`, and waits until it answers.
    ///
    /// It listens on both loopback addresses, which browsers take `localhost` for, and names itself by that in the addresses of its pages;
    /// that nobody else has the port is what [`ensure_free`] checks.
    pub(crate) fn start(binary: &Path, port: u16, data: &Path) -> Result<Self> {
        Self::launch(binary, port, data, Stdio::inherit())
    }

    /// The same without its log, for thousands of requests.
    pub(crate) fn start_silent(binary: &Path, port: u16, data: &Path) -> Result<Self> {
        Self::launch(binary, port, data, Stdio::null())
    }

    fn launch(binary: &Path, port: u16, data: &Path, log: Stdio) -> Result<Self> {
        let mut command = run::program(binary);
        command.args([
            "serve",
            "--sandbox",
            "--listen",
            &format!("localhost:{port}"),
            "--database",
        ]);
        command.arg(format!("sqlite:{}", data.join("card-widget.sqlite").display()));
        let child = command
            .stdout(Stdio::inherit())
            .stderr(log)
            .spawn()
            .context("the service cannot be started")?;
        let mut service = Self { child, port };
        service.wait_until_healthy()?;
        Ok(service)
    }

    /// How it ended, if it did.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Asks it to stop and waits; after ten seconds it is ended.
    pub(crate) fn stop(&mut self) {
        if self.ended().is_some() {
            return;
        }
        run::within(
            Duration::from_secs(2),
            run::program("kill").args(["-TERM", &self.child.id().to_string()]),
        );
        let start = Instant::now();
        while self.ended().is_none() && start.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(20));
        }
        if self.ended().is_none() {
            say::progress("the service did not stop by itself within ten seconds; ending it");
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    fn wait_until_healthy(&mut self) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(20) {
            if let Some(status) = self.ended() {
                bail!("the service stopped while starting ({status}); its last lines above say why");
            }
            if http::get(self.port, "/healthz").is_ok_and(|answer| answer.status == 200) {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(25));
        }
        bail!(
            "the service runs but does not answer on port {} within 20 seconds",
            self.port
        );
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Fails when somebody listens on the port, on either loopback address; `flag` is what changes the port.
pub(crate) fn ensure_free(port: u16, flag: &str) -> Result<()> {
    for address in [
        SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        SocketAddr::from((Ipv6Addr::LOCALHOST, port)),
    ] {
        match TcpListener::bind(address) {
            // A machine without IPv6 has nobody on it.
            Err(error)
                if error.kind() == ErrorKind::AddrNotAvailable || error.kind() == ErrorKind::Unsupported => {}
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                bail!("port {port} may not be used here; choose another one with {flag}");
            }
            Err(error) if error.kind() == ErrorKind::AddrInUse => {
                bail!(
                    "port {port} is busy ({address}); stop what uses it, or choose another one with {flag}"
                );
            }
            _ => {}
        }
    }
    Ok(())
}

/// A port that nobody uses at the moment.
pub(crate) fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_port_is_named_with_its_flag() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("binds");
        let port = taken.local_addr().expect("has an address").port();
        let error = ensure_free(port, "--shop-port").expect_err("is busy").to_string();
        assert!(
            error.contains(&port.to_string()) && error.contains("--shop-port"),
            "{error}"
        );
        drop(taken);
        ensure_free(port, "--shop-port").expect("is free again");
    }
}
