//! The widget key of a project's payment pages. Nobody makes it and nobody can take it away: it is there while the project is, and
//! allows our own origin alone.

use vault::WidgetKey;
use wire::Code;

use crate::app::App;
use crate::error::Failure;

/// The key of a project's pages.
pub(super) fn of(project: &str) -> String {
    format!("{PREFIX}{project}")
}

/// Whether a key is one of pages. Those that are made for shops begin otherwise.
pub(crate) fn is_one(key: &str) -> bool {
    key.starts_with(PREFIX)
}

/// What the key stands for; `None` where there is no such project. Waits for the store, unless the project is known.
pub(crate) async fn find(app: &App, key: &str) -> Result<Option<WidgetKey>, Failure> {
    let Some(project) = key.strip_prefix(PREFIX) else {
        return Ok(None);
    };
    let find = || app.processing.find_project(project);
    let found = app.waiting.run(find).await?;
    let project = found.map_err(|_| Failure::from(Code::InternalError))?;
    Ok(project.map(|project| WidgetKey {
        id: key.to_owned(),
        project: project.id.clone(),
        live: project.is_live,
        apps: false,
        origins: Vec::new(),
    }))
}

const PREFIX: &str = "page.";
