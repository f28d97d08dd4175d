//! Control of the sandbox: clock, balance, limits, faults, snapshots, and a page that shows it all. Only with `--sandbox`, and only for
//! projects that are not live.

mod calls;
mod faults;
mod page;

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use processing::Project;
use tokio::sync::Notify;
use vault::{Issued, WidgetKey};
use wire::interface::sandbox::SandboxToken;

use crate::api;
use crate::app::App;
use crate::cards::{CardRates, Cards};
use crate::limit::{Counted, Limit, ProjectBuckets};

pub(crate) use calls::calls;
pub use faults::HungUp;
pub(crate) use page::routes;

/// What an instance remembers of the sandbox; everything else is in the store.
#[derive(Default)]
pub(crate) struct Sandbox {
    /// Tokens of a widget key in a minute.
    tokens: ProjectBuckets,
    /// Different cards of a project's keys in an hour, with the limit that they were made for.
    cards: Mutex<HashMap<String, (NonZeroU32, Arc<Cards>)>>,
    /// Tokens of a project, the newest first, as they may be shown.
    issued: Mutex<HashMap<String, VecDeque<SandboxToken>>>,
    /// Told when a call of a project has been answered.
    answered: Mutex<HashMap<String, Arc<Notify>>>,
}

impl Sandbox {
    /// Counts a token, where the key's project has turned that limit on.
    pub(crate) async fn count_token(&self, app: &App, key: &WidgetKey) -> Option<Counted> {
        let limit = project(app, key).await?.token_limit?;
        let allowance = self.tokens.count(&key.id, limit);
        Some(Counted {
            refused_by: allowance.retry_after.map(|_| "key"),
            allowance: Some(allowance),
        })
    }

    /// Notes a token for the page.
    pub(crate) fn issued(&self, project: String, widget_key: String, issued: &Issued, now: u64) {
        let issued_at = i64::try_from(now)
            .ok()
            .and_then(|now| Timestamp::from_second(now).ok());
        let mut all = self.issued.lock().unwrap_or_else(PoisonError::into_inner);
        // As many entries as there are projects.
        let of_project = all.entry(project).or_default();
        of_project.push_front(SandboxToken {
            issued_at: issued_at.unwrap_or_default(),
            card_mask: issued.card_mask.clone(),
            widget_key,
        });
        of_project.truncate(SHOWN);
    }

    fn tokens(&self, project: &str) -> Vec<SandboxToken> {
        let all = self.issued.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(project).into_iter().flatten().cloned().collect()
    }

    /// Who counts the cards of a key, where its project has turned that limit on.
    pub(crate) async fn cards(&self, app: &App, key: &WidgetKey) -> Option<Arc<Cards>> {
        let limit = project(app, key).await?.card_limit?;
        // Each entry is whole at any moment, also after a panic elsewhere.
        let mut cards = self.cards.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, cards)) = cards.get(&key.project)
            && *of == limit
        {
            return Some(Arc::clone(cards));
        }
        let rates = CardRates {
            key_and_address: Some(Limit::Off),
            key: Some(Limit::At(limit)),
        };
        let made = Arc::new(Cards::new(rates, app.metrics()));
        cards.insert(key.project.clone(), (limit, Arc::clone(&made)));
        Some(made)
    }
}

/// Tokens of a project that are remembered.
const SHOWN: usize = 50;

/// The project of a key. Nobody's limits are what is not known.
async fn project(app: &App, key: &WidgetKey) -> Option<Arc<Project>> {
    if key.live {
        return None;
    }
    if let Some(project) = app.processing.project_at_hand(&key.project) {
        return Some(project);
    }
    let find = || app.processing.find_project(&key.project);
    api::run(&app.waiting, find).await.ok()?.ok()?
}

impl fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sandbox").finish_non_exhaustive()
    }
}
