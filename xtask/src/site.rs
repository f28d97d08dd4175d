//! `cargo xtask site`: the documents of the repository as a site of plain files, in `target/site`.
//!
//! `docs/README.md` is its first page, and its lists of links are the navigation of every page. Pages are those of `docs/`
//! and whatever else of the repository that page links to.

mod contents;
mod page;
mod reference;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use contents::Contents;
use page::Page;

use crate::{project, say};

/// The first page, with the lists of all others.
const FRONT: &str = "docs/README.md";

/// What every page lies in, and what it loads.
const TEMPLATE: &str = "www/docs/page.html";
const FILES: [&str; 2] = ["site.css", "site.js"];

/// The folder of references below the site's.
const REFERENCES: &str = "api";

pub(crate) use reference::make as reference_of_rust;

/// Where the site lies.
pub(crate) fn folder() -> PathBuf {
    project::at("target/site")
}

/// Builds all of it anew but the reference of Rust, which [`reference_of_rust`] makes; `service` is where a running service has its own reference. Fails on a link to nowhere.
pub(crate) fn build(service: &str) -> Result<()> {
    let front = read(FRONT)?;
    let contents = Contents::read(&front)?;
    let listed = sources(&contents)?;
    let declared = reference::javascript()?;
    let mut sources = listed.clone();
    sources.extend(declared.iter().map(|(source, _)| source.clone()));
    let mut pages = BTreeMap::new();
    for source in &listed {
        pages.insert(source.clone(), Page::read(source, &read(source)?, &sources));
    }
    for (source, text) in &declared {
        pages.insert(source.clone(), Page::read(source, text, &sources));
    }
    check(&contents, &listed, &pages)?;

    let folder = folder();
    clear(&folder)?;
    let template = read(TEMPLATE)?;
    for (source, page) in &pages {
        let root = "../".repeat(page.address.matches('/').count());
        let html = [
            ("%TITLE%", page.title.clone()),
            ("%ABOUT%", page::escaped(&page.about)),
            ("%CONTENTS%", contents.html(source, &pages)),
            ("%SERVICE%", service.to_owned()),
            ("%ROOT%", root),
            // Last: whatever a page says stays as it is.
            ("%BODY%", page.whole()),
        ]
        .into_iter()
        .fold(template.clone(), |html, (name, text)| html.replace(name, &text));
        write(&folder.join(&page.address), html.as_bytes())?;
    }
    for name in FILES {
        write(&folder.join(name), read(&format!("www/docs/{name}"))?.as_bytes())?;
    }
    copy(&project::at("docs/images"), &folder.join("images"))?;
    write(
        &folder.join("search.json"),
        found(&contents, &pages).to_string().as_bytes(),
    )?;
    say::line(format!("{}: {} pages", project::shown(&folder), pages.len()));
    Ok(())
}

/// Every page by its path in the repository: all of `docs/`, and what the first page links to.
fn sources(contents: &Contents) -> Result<Vec<String>> {
    let mut sources = Vec::new();
    walk(&project::at("docs"), &mut |path| {
        if path.extension().is_some_and(|extension| extension == "md") {
            sources.push(project::shown(path));
        }
        Ok(())
    })?;
    for entry in contents.entries() {
        if !sources.contains(&entry.source) {
            ensure!(
                entry.source.ends_with(".md"),
                "{FRONT} lists {}, which is no page",
                entry.source
            );
            sources.push(entry.source.clone());
        }
    }
    sources.sort();
    Ok(sources)
}

/// Every page but those of references stands in the lists, and every link leads somewhere.
fn check(contents: &Contents, listed: &[String], pages: &BTreeMap<String, Page>) -> Result<()> {
    let mut wrong = Vec::new();
    for source in listed.iter().filter(|source| *source != FRONT) {
        if !contents.entries().any(|entry| entry.source == *source) {
            wrong.push(format!("{FRONT} does not list {source}"));
        }
    }
    for (source, page) in pages {
        for (target, fragment) in &page.links {
            let there = pages.get(target).is_some_and(|page| page.has(fragment));
            if !there {
                wrong.push(format!(
                    "{source} links to {target}#{fragment}, which is not there"
                ));
            }
        }
    }
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    Ok(())
}

/// What the search reads: every part of every page, with its address.
fn found(contents: &Contents, pages: &BTreeMap<String, Page>) -> Value {
    let parts = pages.iter().flat_map(|(source, page)| {
        let name = contents.name(source).unwrap_or(&page.title).to_owned();
        page.parts.iter().map(move |part| {
            let address = match part.id.as_str() {
                "" => page.address.clone(),
                id => format!("{}#{id}", page.address),
            };
            json!({ "page": name, "part": part.title, "address": address, "text": part.text })
        })
    });
    Value::Array(parts.collect())
}

/// Takes away what an earlier build has left, except the references that are made apart.
fn clear(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry?.path();
        if path.is_file() {
            fs::remove_file(path)?;
        } else if !path.ends_with(REFERENCES) {
            fs::remove_dir_all(path)?;
        }
    }
    // Pages like all others, if in the folder of references.
    let declared = folder.join(REFERENCES).join("js");
    if declared.exists() {
        fs::remove_dir_all(declared)?;
    }
    Ok(())
}

fn read(path: &str) -> Result<String> {
    fs::read_to_string(project::at(path)).with_context(|| path.to_owned())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes).with_context(|| project::shown(path))
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    walk(from, &mut |path| {
        write(&to.join(path.strip_prefix(from)?), &fs::read(path)?)
    })
}

/// Every file below a folder.
fn walk(folder: &Path, see: &mut impl FnMut(&Path) -> Result<()>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| project::shown(folder))? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, see)?;
        } else {
            see(&path)?;
        }
    }
    Ok(())
}
