//! The browsers that tests drive: Chromium with its driver everywhere, Firefox and WebKit for the stories.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};

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
        let chromium = named("CHROMIUM", CHROMIUM)?;
        let driver = named("CHROMEDRIVER", &["chromedriver"])?;
        Some(Self { chromium, driver })
    }
}

/// One of the engines that the stories run in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Engine {
    /// As the stories name it.
    pub(crate) name: &'static str,
    /// Everything that it needs, each by the variable that names another one and its usual names.
    programs: &'static [(&'static str, &'static [&'static str])],
    /// Debian's packages with these programs.
    packages: &'static [&'static str],
}

impl Engine {
    /// Its programs by the variables under which the stories look for them. What is missing is installed where root
    /// may.
    pub(crate) fn find(self) -> Result<Vec<(&'static str, PathBuf)>> {
        if let Ok(programs) = self.present() {
            return Ok(programs);
        }
        if is_root() && run::exists("apt-get") {
            say::progress(format!("apt-get install {}", self.packages.join(" ")));
            apt_install(self.packages);
        }
        self.present().map_err(|missing| {
            anyhow!(
                "{} cannot be driven, as {missing} is missing: on Debian `apt-get install {}` as root, or name the program \
                 in {missing}, or leave the engine out with {WITHOUT}={}",
                self.name,
                self.packages.join(" "),
                self.name
            )
        })
    }

    /// Its programs, or the variable of the first one that is missing.
    fn present(self) -> Result<Vec<(&'static str, PathBuf)>, &'static str> {
        self.programs
            .iter()
            .map(|(variable, names)| Ok((*variable, named(variable, names).ok_or(*variable)?)))
            .collect()
    }

    /// Whether the variable [`WITHOUT`] names it.
    pub(crate) fn is_left_out(self) -> bool {
        env::var(WITHOUT).is_ok_and(|names| names.split(',').any(|name| name.trim() == self.name))
    }
}

/// The engines that stories run in.
pub(crate) const ENGINES: [Engine; 3] = [
    Engine {
        name: "chromium",
        programs: &[("CHROMIUM", CHROMIUM)],
        packages: &["chromium", "chromium-driver"],
    },
    // On a screen that nobody sees, with a mouse of its own: what is dragged goes through the toolkit.
    Engine {
        name: "firefox",
        programs: &[
            ("FIREFOX", &["firefox-esr", "firefox"]),
            ("XVFB", &["Xvfb"]),
            ("XDOTOOL", &["xdotool"]),
        ],
        packages: &["firefox-esr", "xvfb", "xdotool"],
    },
    Engine {
        name: "webkit",
        programs: &[
            ("WEBKIT_DRIVER", &["WebKitWebDriver"]),
            ("WEBKIT", &["MiniBrowser"]),
            ("XVFB", &["Xvfb"]),
            ("XDOTOOL", &["xdotool"]),
        ],
        packages: &["webkit2gtk-driver", "xvfb", "xdotool"],
    },
];

/// Names engines that the stories shall not run in, with commas between; each is counted as a skip.
pub(crate) const WITHOUT: &str = "CARD_WIDGET_WITHOUT";

const CHROMIUM: &[&str] = &["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The program that a variable names, else the first of these names on the `PATH` or among WebKit's own programs, which
/// Debian keeps beside its library.
fn named(variable: &str, names: &[&str]) -> Option<PathBuf> {
    env::var_os(variable)
        .map(PathBuf::from)
        .filter(|path| path.is_file())
        .or_else(|| names.iter().find_map(|name| run::find(name)))
        .or_else(|| {
            let machine = format!("/usr/lib/{}-linux-gnu", env::consts::ARCH);
            ["webkit2gtk-4.1", "webkit2gtk-4.0"]
                .iter()
                .flat_map(|library| names.iter().map(move |name| (library, name)))
                .map(|(library, name)| Path::new(&machine).join(library).join(name))
                .find(|path| path.is_file())
        })
}
