//! Figures of a running service, in the text form that Prometheus reads.
//!
//! No label holds anything that a caller wrote: routes are templates, codes and methods are words of ours.

mod scrape;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use vault::Figures;

pub use scrape::{Audience, PATH, answer, router};

use crate::assets::VERSION;
use crate::server::Refused;

/// All counters. They only grow, until the process ends.
pub struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    seconds: Family<Route, Histogram, fn() -> Histogram>,
    running: Gauge,
    refusals: Family<Refusal, Counter>,
    tokens: Family<Tokens, Counter>,
    limited: Family<Scope, Counter>,
    cards_refused: Family<Scope, Counter>,
    connections_refused: Family<Scope, Counter>,
    handshakes_failed: Counter,
    callbacks: Family<Outcome, Counter>,
    callbacks_given_up: Counter,
    /// Payments with callbacks that wait, as the store told last.
    callbacks_waiting: Gauge,
    /// Set when they are asked for.
    connections: Gauge,
    most_cards: Family<Scope, Gauge>,
    /// The vault counts for itself.
    vault: Vaulted,
}

/// Figures of the vault, as it told them last.
#[derive(Default)]
struct Vaulted {
    batches: Counter,
    changes: Counter,
    failed: Counter,
    resealed: Counter,
    /// The one figure that falls.
    to_reseal: Gauge,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Request {
    route: Arc<str>,
    method: &'static str,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Route {
    route: Arc<str>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Refusal {
    code: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Tokens {
    source: &'static str,
    repeated: &'static str,
}

/// Whom a limit is for: `address`, `key`, `key_and_address`, `all`.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Scope {
    scope: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Outcome {
    delivered: &'static str,
}

impl Metrics {
    /// All at zero.
    pub fn new() -> Self {
        let metrics = Self {
            registry: Registry::with_prefix("card_widget"),
            requests: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            running: Gauge::default(),
            refusals: Family::default(),
            tokens: Family::default(),
            limited: Family::default(),
            cards_refused: Family::default(),
            connections_refused: Family::default(),
            handshakes_failed: Counter::default(),
            callbacks: Family::default(),
            callbacks_given_up: Counter::default(),
            callbacks_waiting: Gauge::default(),
            connections: Gauge::default(),
            most_cards: Family::default(),
            vault: Vaulted::default(),
        };
        metrics.registered()
    }

    fn registered(mut self) -> Self {
        let registry = &mut self.registry;
        registry.register(
            "build",
            "The version that runs",
            Info::new([("version", VERSION)]),
        );
        registry.register("requests", "Requests answered", self.requests.clone());
        registry.register(
            "request_seconds",
            "From a request's head to its answer",
            self.seconds.clone(),
        );
        registry.register(
            "requests_running",
            "Requests begun and not yet answered",
            self.running.clone(),
        );
        registry.register("refusals", "Refusals by their code", self.refusals.clone());
        registry.register("tokens", "Tokens told, new or again", self.tokens.clone());
        registry.register("rate_limited", "Requests over a rate limit", self.limited.clone());
        registry.register(
            "cards_refused",
            "Cards over a limit of different cards",
            self.cards_refused.clone(),
        );
        registry.register(
            "cards_most",
            "Most different cards that one address or one key has had in its hour",
            self.most_cards.clone(),
        );
        registry.register("connections", "Open connections", self.connections.clone());
        registry.register(
            "connections_refused",
            "Connections closed at once for their number",
            self.connections_refused.clone(),
        );
        registry.register(
            "tls_handshakes_failed",
            "Connections that did not get to their first request",
            self.handshakes_failed.clone(),
        );
        registry.register(
            "callback_attempts",
            "Attempts to deliver a callback by this instance",
            self.callbacks.clone(),
        );
        registry.register(
            "callbacks_given_up",
            "Callbacks that nobody took within three days",
            self.callbacks_given_up.clone(),
        );
        registry.register(
            "callbacks_waiting",
            "Payments with callbacks that are not delivered yet, of all instances",
            self.callbacks_waiting.clone(),
        );
        let vault = &self.vault;
        for (name, help, counter) in [
            (
                "vault_batches",
                "Transactions on the disk, of one flush each",
                &vault.batches,
            ),
            ("vault_changes", "Changes in them", &vault.changes),
            ("vault_batches_failed", "Transactions that failed", &vault.failed),
            (
                "vault_cards_resealed",
                "Saved cards put under a newer data key",
                &vault.resealed,
            ),
        ] {
            registry.register(name, help, counter.clone());
        }
        registry.register(
            "vault_cards_to_reseal",
            "Saved cards still under an older one",
            vault.to_reseal.clone(),
        );
        self
    }

    /// A request begins. It ends when the answer is dropped.
    pub(crate) fn begin(&self) -> Running {
        self.running.inc();
        Running(self.running.clone())
    }

    pub(crate) fn answered(&self, route: &str, method: &'static str, status: u16, took: Duration) {
        let route: Arc<str> = route.into();
        let labels = Request {
            route: Arc::clone(&route),
            method,
            status,
        };
        self.requests.get_or_create(&labels).inc();
        self.seconds
            .get_or_create(&Route { route })
            .observe(took.as_secs_f64());
    }

    pub(crate) fn refused(&self, code: &'static str) {
        self.refusals.get_or_create(&Refusal { code }).inc();
    }

    /// A token was told. `source` is `browser` or `app`.
    pub(crate) fn token(&self, source: &'static str, repeated: bool) {
        let repeated = if repeated { "yes" } else { "no" };
        self.tokens.get_or_create(&Tokens { source, repeated }).inc();
    }

    pub(crate) fn rate_limited(&self, scope: &'static str) {
        self.limited.get_or_create(&Scope { scope }).inc();
    }

    pub(crate) fn card_refused(&self, scope: &'static str) {
        self.cards_refused.get_or_create(&Scope { scope }).inc();
    }

    pub(crate) fn connection_refused(&self, refused: Refused) {
        let scope = match refused {
            Refused::Full => "all",
            Refused::OneAddress => "address",
        };
        self.connections_refused.get_or_create(&Scope { scope }).inc();
    }

    pub(crate) fn callback_tried(&self, delivered: bool) {
        let delivered = if delivered { "yes" } else { "no" };
        self.callbacks.get_or_create(&Outcome { delivered }).inc();
    }

    pub(crate) fn callback_given_up(&self) {
        self.callbacks_given_up.inc();
    }

    pub(crate) fn set_callbacks_waiting(&self, count: u64) {
        self.callbacks_waiting
            .set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    pub(crate) fn handshake_failed(&self) {
        self.handshakes_failed.inc();
    }

    /// Takes over what the vault has counted, which only grows.
    fn set_vault(&self, figures: Figures) {
        let Vaulted {
            batches,
            changes,
            failed,
            resealed,
            to_reseal,
        } = &self.vault;
        to_reseal.set(i64::try_from(figures.to_reseal).unwrap_or(i64::MAX));
        for (counter, now) in [
            (batches, figures.batches),
            (changes, figures.changes),
            (failed, figures.failed),
            (resealed, figures.resealed),
        ] {
            counter.inner().fetch_max(now, Ordering::Relaxed);
        }
    }

    fn set_connections(&self, count: usize) {
        self.connections.set(count as i64);
    }

    fn set_most_cards(&self, scope: &'static str, count: u32) {
        self.most_cards.get_or_create(&Scope { scope }).set(count.into());
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

/// A request that has begun, also when its client goes away.
pub(crate) struct Running(Gauge<i64, AtomicI64>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Bounds of the histogram. A token takes a few milliseconds; half a minute is the longest anything may take.
const SECONDS: [f64; 12] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0,
];

#[cfg(test)]
mod tests {
    use prometheus_client::encoding::text::encode;

    use super::*;

    #[test]
    fn what_is_left_to_seal_anew_falls_and_what_is_done_does_not() {
        let metrics = Metrics::new();
        let told = |resealed, to_reseal| {
            let mut figures = Figures::default();
            (figures.resealed, figures.to_reseal) = (resealed, to_reseal);
            metrics.set_vault(figures);
            let mut text = String::new();
            encode(&mut text, &metrics.registry).unwrap();
            text
        };
        let first = told(200, 51);
        assert!(
            first.contains("card_widget_vault_cards_resealed_total 200\n"),
            "{first}"
        );
        assert!(
            first.contains("card_widget_vault_cards_to_reseal 51\n"),
            "{first}"
        );
        let second = told(150, 0);
        assert!(
            second.contains("card_widget_vault_cards_resealed_total 200\n"),
            "{second}"
        );
        assert!(
            second.contains("card_widget_vault_cards_to_reseal 0\n"),
            "{second}"
        );
    }
}
