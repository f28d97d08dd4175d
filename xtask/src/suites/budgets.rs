//! Budgets: what a browser loads until a card form works, in bytes under brotli 11.

use std::fs;

use anyhow::{Context as _, Result, ensure};

use super::Outcome;
use crate::service::{Service, free_port};
use crate::web::{self, Built, loader};
use crate::{bytes, cores, entries, http, package, project};

/// The script on the shop's page.
const LOADER: usize = 5 * 1024;
/// Until the form can be typed into: the loader, then the frame's HTML with its style inside. Two requests, as the
/// HTML needs nothing else. It was 8 KiB with a loader of 3,696 bytes, and has grown with the loader alone.
const TYPABLE: usize = 8 * 1024 + LOADER - 3_696;
/// All together, with a standard library built for size.
const ALL: usize = 32 * 1024;
/// All together with the ready-made standard library of rustup, which is larger and cannot be helped here.
const ALL_PREBUILT: usize = 38 * 1024;

/// What is loaded instead of script and module where WebAssembly does not run, and nowhere else. Measured, and five per
/// cent.
const FALLBACK: usize = 27 * 1024;

/// Entries of the npm package, as a shop's bundler makes them, with everything they load: in bytes with a standard library
/// built for size, and with the ready-made one. A page that has one of the first three has the loader.
const ENTRIES: [(&str, usize, usize); 5] = [
    (".", 5 * 1024, 5 * 1024),
    ("./react", 2 * 1024, 2 * 1024),
    ("./element", 2 * 1024, 2 * 1024),
    ("./rules", 20 * 1024, 24 * 1024),
    ("./client", 60 * 1024, 60 * 1024),
];
/// What counts of these is what they add to the loader.
const ON_TOP: [&str; 2] = ["./react", "./element"];

/// Measures the files as built and the frame's HTML as served, the largest of its languages and types.
pub(super) fn check() -> Result<Outcome> {
    let manifest = web::build(web::Tools::Required)?;
    let packed = |name: &str| manifest.file(name).map(|file| file.brotli);
    let loader = packed(loader::NAME)?;
    let frame = &manifest.frame;
    let mut late = packed(&frame.script)? + packed(&frame.wasm)?;
    if let Some(glue) = &frame.glue {
        late += packed(glue)?;
    }
    let html = largest_html()?;
    package::pack(&cores::build()?)?;
    let entries = entries::measure(&package::staged())?;

    let mut outcome = Outcome::default();
    let mut budget = |what: &str, measured: usize, limit: usize| {
        outcome.notes.push(format!("{what}: {measured} of {limit} bytes"));
        outcome.check(measured <= limit, || format!("{what} is over its budget"));
    };
    budget("loader", loader, LOADER);
    budget("typable (loader, HTML)", loader + html, TYPABLE);
    let Built { std, route, .. } = &manifest.built;
    let is_small = std == "size";
    let all = if is_small { ALL } else { ALL_PREBUILT };
    budget(&format!("all (std: {std}, {route})"), loader + html + late, all);
    for (name, small, prebuilt) in ENTRIES {
        let limit = if is_small { small } else { prebuilt };
        let entry = entries.iter().find(|entry| entry.name == name);
        let entry = entry.with_context(|| format!("the package has no {name}"))?;
        if ON_TOP.contains(&name) {
            budget(
                &format!("card-widget {name}, beside the loader"),
                entry.on_top,
                limit,
            );
        } else {
            budget(&format!("card-widget {name}"), entry.brotli, limit);
        }
    }
    match &frame.fallback {
        Some(fallback) => budget(
            "without WebAssembly, beside the script",
            packed(fallback)?,
            FALLBACK,
        ),
        None => outcome
            .skipped
            .push("no fallback: std was not built from source".to_owned()),
    }
    Ok(outcome)
}

/// Asks a service of its own for every language and type.
fn largest_html() -> Result<usize> {
    let binary = Service::build()?;
    let data = project::scratch().join("budgets-data");
    fs::create_dir_all(&data)?;
    let service = Service::start(&binary, free_port()?, &data)?;
    let mut largest = 0;
    for lang in loader::titles(&project::at(loader::TEXTS))?.keys() {
        for kind in ["full_card", "pan_only"] {
            let origin = "http%3A%2F%2F127.0.0.1%3A8081";
            let path = format!("/widget/v1/frame?key=wk_sandbox&origin={origin}&lang={lang}&type={kind}");
            let answer = http::get(service.port, &path)?;
            ensure!(
                answer.status == 200,
                "the frame in {lang} answers {}",
                answer.status
            );
            largest = largest.max(bytes::brotli(&answer.body)?.len());
        }
    }
    Ok(largest)
}
