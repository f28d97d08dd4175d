//! What every request handler shares.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use vault::{Clock, Vault};

use crate::assets::Assets;
use crate::frame::Policies;
use crate::languages::Languages;
use crate::limit::Limits;
use crate::origin::Origin;
use crate::ticket::Tickets;

/// What differs between one installation and the next, as far as requests see it.
#[derive(Clone, Debug, Default)]
pub struct AppConfig {
    /// Our own origin as browsers see it. Without it, `Origin` is compared with `Host`.
    pub public_origin: Option<Origin>,
    /// Requests per minute for a widget key and address; see [`Limits::new`].
    pub rate_limit: Option<NonZeroU32>,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpAddr>,
}

/// The service behind its routes.
pub struct App {
    pub(crate) vault: Vault,
    pub(crate) assets: Assets,
    pub(crate) policies: Policies,
    pub(crate) languages: Languages,
    pub(crate) tickets: Tickets,
    pub(crate) limits: Limits,
    pub(crate) public_origin: Option<Origin>,
    pub(crate) trusted_proxies: Vec<IpAddr>,
    clock: Arc<dyn Clock>,
    stopping: AtomicBool,
}

impl App {
    /// Puts the service together. `clock` is the vault's.
    ///
    /// Fails when an embedded text cannot be read, which the build rules out.
    pub fn new(
        config: AppConfig,
        vault: Vault,
        assets: Assets,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            tickets: Tickets::new(vault.ticket_key()),
            policies: Policies::hash_embedded(),
            languages: Languages::embedded()?,
            limits: Limits::new(config.rate_limit),
            public_origin: config.public_origin,
            trusted_proxies: config.trusted_proxies,
            vault,
            assets,
            clock,
            stopping: AtomicBool::new(false),
        })
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    pub fn now(&self) -> u64 {
        self.clock.now()
    }

    /// From now on `/readyz` sends new clients elsewhere.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Whether the service takes new work.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Work of a running job: forgets what is no longer needed.
    pub fn tidy(&self) {
        self.limits.forget_idle();
    }
}
