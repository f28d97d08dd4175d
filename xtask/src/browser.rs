//! Chromium and its driver.

use std::env;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::toolchain::{apt_install, is_root};
use crate::{run, say};

/// A browser that tests can drive.
#[derive(Clone, Debug)]
pub(crate) struct Browser {
    /// Chromium's program.
    pub(crate) chromium: PathBuf,
    /// The program that speaks WebDriver for it.
    pub(crate) driver: PathBuf,
}

impl Browser {
    /// What is there, else what root can install.
    pub(crate) fn find() -> Result<Self> {
        if let Some(browser) = Self::present() {
            return Ok(browser);
        }
        if is_root() && run::exists("apt-get") {
            say::progress("apt-get install chromium chromium-driver");
            apt_install(&["chromium", "chromium-driver"]);
        }
        Self::present().context(
            "Chromium and chromedriver are missing: install them (on Debian `apt-get install chromium \
             chromium-driver` as root), or name their programs in CHROMIUM and CHROMEDRIVER",
        )
    }

    fn present() -> Option<Self> {
        let chromium = named(
            "CHROMIUM",
            &["chromium", "chromium-browser", "google-chrome", "chrome"],
        )?;
        let driver = named("CHROMEDRIVER", &["chromedriver"])?;
        Some(Self { chromium, driver })
    }
}

/// The program that a variable names, else the first of these names on the `PATH`.
fn named(variable: &str, names: &[&str]) -> Option<PathBuf> {
    env::var_os(variable)
        .map(PathBuf::from)
        .filter(|path| path.is_file())
        .or_else(|| names.iter().find_map(|name| run::find(name)))
}
