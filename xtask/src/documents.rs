//! What is written by `cargo xtask docs`: pages of `docs/`, and types of the npm package.

use std::fs;

use anyhow::{Context as _, Result};

use crate::{codes, inventory, project, say, types};

/// Each page by its path, as it has to be.
pub(crate) fn pages() -> Result<Vec<(&'static str, String)>> {
    Ok(vec![
        (codes::PAGE, codes::page()?),
        (inventory::PAGE, inventory::page()?),
        (types::FILE, types::file()?),
    ])
}

/// Writes those that differ.
pub(crate) fn write() -> Result<()> {
    for (path, page) in pages()? {
        let file = project::at(path);
        if fs::read_to_string(&file).is_ok_and(|old| old == page) {
            continue;
        }
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&file, page).with_context(|| path.to_owned())?;
        say::line(format!("{path} written"));
    }
    Ok(())
}
