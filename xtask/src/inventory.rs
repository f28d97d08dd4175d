//! `docs/security/inventory.md`: what a shop hands to its assessor. The text is `inventory/page.md`; version and hashes are
//! filled in.

use anyhow::{Result, ensure};

use crate::web::{self, loader};
use crate::{bytes, node, project};

/// Where the page is written.
pub(crate) const PAGE: &str = "docs/security/inventory.md";

/// The page, as it has to be.
pub(crate) fn page() -> Result<String> {
    let tools = node::Tools::install()?;
    let mut page = TEXT.replace("{{version}}", project::VERSION);
    for (name, bytes) in web::without_module(Some(&tools))? {
        page = page.replace(&format!("{{{{{name}}}}}"), &bytes::integrity(&bytes));
    }
    ensure!(!page.contains("{{"), "{PAGE}: a place was not filled in");
    for name in [loader::NAME, web::INLINE, web::REFUSAL] {
        ensure!(TEXT.contains(&format!("{{{{{name}}}}}")), "{PAGE} lacks {name}");
    }
    Ok(page)
}

const TEXT: &str = include_str!("inventory/page.md");
