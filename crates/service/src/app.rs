//! What every request handler shares.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use processing::Processing;
use tokio::sync::oneshot;
use tokio_rustls::rustls;
use vault::{Clock, IssueRequest, Issued, Replay, Vault, Watch, WidgetKey};
use wire::Code;

use crate::assets::Assets;
use crate::cards::{CardRates, Cards};
use crate::courier::Courier;
use crate::error::Failure;
use crate::frame::Policies;
use crate::idempotency::IdempotencyKey;
use crate::known::KnownKeys;
use crate::languages::Languages;
use crate::limit::{CallLimits, Counted, Limit, Limits, Rates};
use crate::metrics::{Audience, Metrics};
use crate::origin::Origin;
use crate::pages::PagePolicies;
use crate::readiness::Readiness;
use crate::sandbox::Sandbox;
use crate::server::Connections;
use crate::ticket::Tickets;
use crate::waiting::Waiting;

/// What differs between one installation and the next, as far as requests see it.
#[derive(Clone, Debug, Default)]
pub struct AppConfig {
    /// Our own origin as browsers see it. Without it, `Origin` is compared with `Host`.
    pub public_origin: Option<Origin>,
    /// How many tokens may be asked for.
    pub rates: Rates,
    /// How many forms and boot data may be asked for.
    pub frame_rates: Rates,
    /// How many calls of the interface a project may make in a minute.
    pub call_rate: Option<Limit>,
    /// How many different cards may come.
    pub card_rates: CardRates,
    /// Most connections at a time, in all and of one address.
    pub connections: Option<(NonZeroUsize, NonZeroUsize)>,
    /// Who may read `/metrics`.
    pub audience: Audience,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpAddr>,
    /// Whether the sandbox can be controlled.
    pub sandbox: bool,
}

/// The service behind its routes.
pub struct App {
    pub(crate) vault: Arc<Vault>,
    pub(crate) processing: Processing,
    pub(crate) courier: Arc<Courier>,
    pub(crate) assets: Assets,
    pub(crate) policies: Policies,
    pub(crate) page_policies: PagePolicies,
    pub(crate) languages: Languages,
    pub(crate) tickets: Tickets,
    pub(crate) known_keys: KnownKeys,
    pub(crate) limits: Limits,
    pub(crate) frame_limits: Limits,
    pub(crate) call_limits: CallLimits,
    pub(crate) cards: Arc<Cards>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) connections: Arc<Connections>,
    pub(crate) sandbox: Option<Arc<Sandbox>>,
    pub(crate) audience: Audience,
    pub(crate) readiness: Readiness,
    pub(crate) waiting: Arc<Waiting>,
    pub(crate) public_origin: Option<Origin>,
    pub(crate) trusted_proxies: Vec<IpAddr>,
    clock: Arc<dyn Clock>,
    stopping: AtomicBool,
}

impl App {
    /// Puts the service together. `clock` is the vault's.
    ///
    /// Fails only in ways that the build rules out.
    pub fn new(
        config: AppConfig,
        vault: Arc<Vault>,
        processing: Processing,
        assets: Assets,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, AppError> {
        let (most, most_of_one) = config.connections.unwrap_or((CONNECTIONS, CONNECTIONS_OF_ONE));
        let connections = Connections::new(most, most_of_one, config.trusted_proxies.clone());
        let metrics = Arc::new(Metrics::new());
        let courier = Courier::new(processing.clone(), Arc::clone(&metrics))?;
        Ok(Self {
            tickets: Tickets::new(vault.ticket_key()),
            policies: Policies::hash_embedded(),
            page_policies: PagePolicies::hash_embedded(),
            languages: Languages::embedded()?,
            known_keys: KnownKeys::default(),
            limits: Limits::new(config.rates),
            frame_limits: Limits::of_frames(config.frame_rates),
            call_limits: CallLimits::new(config.call_rate),
            cards: Arc::new(Cards::new(config.card_rates, Arc::clone(&metrics))),
            metrics,
            connections: Arc::new(connections),
            sandbox: config.sandbox.then(Arc::default),
            audience: config.audience,
            readiness: Readiness::default(),
            waiting: Arc::default(),
            public_origin: config.public_origin,
            trusted_proxies: config.trusted_proxies,
            vault,
            processing,
            courier: Arc::new(courier),
            assets,
            clock,
            stopping: AtomicBool::new(false),
        })
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    pub fn now(&self) -> u64 {
        self.clock.now()
    }

    /// Asks the vault, and waits until the token is on the disk.
    pub(crate) async fn issue(&self, request: IssueRequest) -> Result<Issued, Failure> {
        let (done, issued) = oneshot::channel();
        // What the sandbox's page shows of it.
        let sandbox = self.sandbox.as_ref().filter(|_| !request.live);
        let shown = sandbox.map(|sandbox| (sandbox, request.project.clone(), request.widget_key.clone()));
        self.vault.issue(request, move |result| {
            // Nobody listens when the client has gone. The token is stored; a repeat gets it.
            let _ = done.send(result);
        });
        match issued.await {
            Ok(result) => {
                let issued = result?;
                if let Some((sandbox, project, key)) = shown.filter(|_| !issued.repeated) {
                    sandbox.issued(project, key, &issued, self.now());
                }
                Ok(issued)
            }
            // The vault dropped its answer, which it does only while it closes.
            Err(_) => Err(Code::ServiceUnavailable.into()),
        }
    }

    /// What came of a request, unless it was refused and is a repeat: idempotency comes before ticket and card, so that a
    /// repeat is answered as it was, whatever has happened since.
    ///
    /// Asked only after a refusal, since the vault finds a repeat by itself where nothing else is wrong.
    pub(crate) async fn or_repeat(
        &self,
        issued: Result<Issued, Failure>,
        project: &str,
        key: &IdempotencyKey,
        body_hash: &[u8; 32],
    ) -> Result<Issued, Failure> {
        let Err(refused) = issued else {
            return issued;
        };
        let replay = || self.vault.replay(project, key.as_str(), body_hash);
        match self.waiting.run(replay).await?? {
            Replay::Answer(issued) => Ok(issued),
            Replay::Conflict => Err(Code::IdempotencyConflict.into()),
            Replay::None => Err(refused),
        }
    }

    /// Who hears of each card.
    pub(crate) async fn watch(&self, key: &WidgetKey) -> Arc<dyn Watch> {
        let of_project = match &self.sandbox {
            Some(sandbox) => sandbox.cards(self, key).await,
            None => None,
        };
        of_project.unwrap_or_else(|| Arc::clone(&self.cards)) as _
    }

    /// Counts a token that is asked for.
    pub(crate) async fn count_token(&self, key: &WidgetKey, address: IpAddr) -> Counted {
        let of_project = match &self.sandbox {
            Some(sandbox) => sandbox.count_token(self, key).await,
            None => None,
        };
        of_project.unwrap_or_else(|| self.limits.count(&key.id, key.live, address))
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
        self.frame_limits.forget_idle();
        self.cards.forget_idle(self.now());
    }

    /// Where everything is counted.
    pub fn metrics(&self) -> Arc<Metrics> {
        Arc::clone(&self.metrics)
    }

    /// The connections that there are.
    pub fn connections(&self) -> Arc<Connections> {
        Arc::clone(&self.connections)
    }
}

/// Why there is no service.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppError {
    /// An embedded text.
    #[error("the embedded texts cannot be read: {0}")]
    Texts(#[from] serde_json::Error),
    /// TLS to receivers of callbacks.
    #[error("TLS for callbacks cannot be set up: {0}")]
    Tls(#[from] rustls::Error),
}

/// Most connections at a time, where nothing else is configured. One takes some 25 KB and a file descriptor.
pub const CONNECTIONS: NonZeroUsize = NonZeroUsize::new(4096).unwrap();

/// Most connections of one address. A browser holds six; behind one address there may be a company.
pub const CONNECTIONS_OF_ONE: NonZeroUsize = NonZeroUsize::new(256).unwrap();
