//! What must, and what must not, stand in the tree.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::Outcome;
use crate::{documents, project, run};

/// Commands that a newcomer has to find in the README.
const COMMANDS: [&str; 3] = ["cargo xtask demo", "cargo xtask test", "cargo xtask package"];

/// Units for systemd, in `docs/operations/`.
const UNITS: [&str; 2] = ["card-widget.service", "card-widget-keys.service"];

/// Reads every file that git knows or would take.
pub(super) fn check() -> Result<Outcome> {
    let files = listed()?;
    let mut outcome = Outcome::default();
    let readme = fs::read_to_string(project::at("README.md")).unwrap_or_default();
    for command in COMMANDS {
        outcome.check(readme.contains(command), || {
            format!("README.md does not mention `{command}`")
        });
    }
    let forbidden = forbidden();
    let mut links = 0;
    for path in &files {
        let Ok(text) = fs::read_to_string(path) else {
            continue;
        };
        let name = project::shown(path);
        for (what, found) in forbidden
            .iter()
            .filter_map(|(what, word)| Some((what, find(&text, word)?)))
        {
            let is_lock = name.ends_with("Cargo.lock");
            outcome.check(is_lock, || format!("{name}:{found} names {what}"));
        }
        if name.ends_with(".md") {
            for target in missing_targets(path, &text) {
                outcome.check(false, || format!("{name} links to {target}, which is not there"));
            }
            links += 1;
        }
        if name.ends_with("Cargo.toml") && path.with_file_name("src").is_dir() {
            let readme = path.with_file_name("README.md").is_file();
            outcome.check(readme, || format!("{name} has no README.md beside it"));
        }
    }
    outcome.check(links > 0, || "no page was read".to_owned());
    for (path, page) in documents::pages()? {
        let same = fs::read_to_string(project::at(path)).is_ok_and(|text| text == page);
        outcome.check(same, || {
            format!("{path} is not what the sources say; run `cargo xtask docs`")
        });
    }
    units(&mut outcome)?;
    Ok(outcome)
}

/// What systemd says of its units, where it is there: nothing at all of their words, and little exposure.
fn units(outcome: &mut Outcome) -> Result<()> {
    if !run::exists("systemd-analyze") {
        return Ok(());
    }
    let folder = project::scratch().join("units");
    fs::create_dir_all(&folder)?;
    for unit in UNITS {
        let text = fs::read_to_string(project::at("docs/operations").join(unit))?;
        // The programs are not installed where this runs.
        let text: Vec<&str> = text
            .lines()
            .map(|line| {
                if line.starts_with("ExecStart=") {
                    "ExecStart=/bin/true"
                } else {
                    line
                }
            })
            .collect();
        let path = folder.join(unit);
        fs::write(&path, text.join("\n"))?;
        for words in [&["verify"][..], &["security", "--offline=yes", "--threshold=15"]] {
            let told = run::program("systemd-analyze").args(words).arg(&path).output()?;
            let complaint = String::from_utf8_lossy(&told.stderr);
            outcome.check(told.status.success() && complaint.is_empty(), || {
                format!("systemd-analyze {} {unit}: {complaint}", words[0])
            });
        }
    }
    Ok(())
}

/// Files of the tree: tracked, or new and not ignored.
fn listed() -> Result<Vec<PathBuf>> {
    let mut git = run::program("git");
    let text = run::quiet(git.args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]))?;
    let files: Vec<PathBuf> = text
        .split('\0')
        .filter(|name| !name.is_empty())
        .map(project::at)
        .collect();
    if files.is_empty() {
        bail!("git lists no files");
    }
    Ok(files)
}

/// Words that may not stand in any file, spelt in two parts so that this file is none of them.
fn forbidden() -> Vec<(&'static str, String)> {
    let mut words: Vec<(&str, String)> = [
        ("registry.npm", "js.org"),
        ("crates", ".io/"),
        ("static.rust", "-lang.org"),
        ("pypi", ".org"),
        ("deb.deb", "ian.org"),
    ]
    .map(|(start, end)| ("the host of a package registry", format!("{start}{end}")))
    .into();
    // Folders right below `/`, as in a container, are too common as words; their paths are not.
    let folders = [
        Some(project::root()),
        project::root().parent().map(Path::to_path_buf),
        std::env::home_dir(),
    ];
    for folder in folders
        .into_iter()
        .flatten()
        .filter(|folder| folder.components().count() > 1)
    {
        words.push(("a path of this machine", format!("{}/", folder.display())));
    }
    words
}

/// The line, counted from 1, that holds a word.
fn find(text: &str, word: &str) -> Option<usize> {
    text.lines()
        .position(|line| line.contains(word))
        .map(|line| line + 1)
}

/// Relative link targets of a page that do not exist.
fn missing_targets(page: &Path, text: &str) -> Vec<String> {
    let folder = page.parent().unwrap_or(page);
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets
        .map(|target| target.split('#').next().unwrap_or_default())
        .filter(|target| !target.is_empty() && !target.contains("://") && !target.contains([' ', '\n']))
        .filter(|target| !folder.join(target).exists())
        .map(str::to_owned)
        .collect()
}
