//! How many calls a project may make in a minute.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, PoisonError, RwLock};

use processing::{Project, Refusal};
use wire::interface::StatusCode;

use super::bucket::Bucket;
use super::{Allowance, Limit};

/// Calls per minute of a live project.
pub const CALLS: NonZeroU32 = NonZeroU32::new(6000).unwrap();

/// Counts calls.
pub struct CallLimits {
    live: Option<NonZeroU32>,
    tests: Option<NonZeroU32>,
    buckets: ProjectBuckets,
}

/// A bucket for each project, or for something else of which there are as few.
#[derive(Default)]
pub struct ProjectBuckets(RwLock<HashMap<String, Held>>);

/// A project's bucket, and the limit that it was made for.
struct Held {
    limit: NonZeroU32,
    bucket: Arc<Bucket<()>>,
}

impl CallLimits {
    /// With this limit, or [`CALLS`] for live projects and none for others where nothing is said.
    pub fn new(configured: Option<Limit>) -> Self {
        let (live, tests) = Limit::resolve(configured, Some(CALLS));
        Self {
            live,
            tests,
            buckets: ProjectBuckets::default(),
        }
    }

    /// Counts one call, and says what is left.
    pub fn count(&self, project: &Project) -> Allowance {
        let usual = if project.is_live { self.live } else { self.tests };
        match project.rate_limit.or(usual) {
            Some(limit) => self.buckets.count(&project.id, limit),
            None => UNLIMITED,
        }
    }
}

impl ProjectBuckets {
    /// Counts one, where so many are free in a minute, and says what is left.
    pub fn count(&self, name: &str, limit: NonZeroU32) -> Allowance {
        self.bucket(name, limit).count(())
    }

    fn bucket(&self, project: &str, limit: NonZeroU32) -> Arc<Bucket<()>> {
        // Each entry is whole at any moment, also after a panic elsewhere.
        let buckets = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = buckets.get(project).filter(|held| held.limit == limit) {
            return Arc::clone(&held.bucket);
        }
        drop(buckets);
        let mut buckets = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let made = || Held {
            limit,
            bucket: Arc::new(Bucket::new(limit)),
        };
        // As many entries as there are projects.
        let held = buckets.entry(project.to_owned()).or_insert_with(made);
        if held.limit != limit {
            *held = made();
        }
        Arc::clone(&held.bucket)
    }
}

impl Allowance {
    /// One call too many.
    pub fn refusal(&self) -> Option<Refusal> {
        let wait = self.retry_after?;
        let message = format!("Too many requests: the next may come in {wait} seconds.");
        Some(Refusal::new(StatusCode::TooManyRequests, message))
    }
}

/// What is told where nothing is counted: clients read these headers from every answer.
const UNLIMITED: Allowance = Allowance {
    limit: 1_000_000,
    remaining: 1_000_000,
    reset: 0,
    retry_after: None,
};
