//! `serve`: from settings to a running service and back to nothing.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::panic;
use std::sync::Arc;
use std::time::Duration;

use processing::{DatabaseError, Processing, ProcessingConfig, Refusal};
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{MissedTickBehavior, interval};
use tracing::Level;
use vault::{SystemClock, Vault, VaultError};

use crate::app::{App, AppConfig, AppError};
use crate::assets::Assets;
use crate::config::{LogFormat, Settings, unknown_variables};
use crate::jobs::Jobs;
use crate::metrics;
use crate::server::{self, BindError, Connections, Server, Times, Tls, TlsError};

/// Serves until SIGINT or SIGTERM.
pub fn serve(settings: Settings) -> Result<(), ServeError> {
    start_log(settings.log_format);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(ServeError::Runtime)?;
    runtime.block_on(run(settings))
}

async fn run(settings: Settings) -> Result<(), ServeError> {
    // Listening comes first: a second service on the same port must not touch the store.
    let listeners = server::bind(&settings.listen).await?;
    let metrics_listeners = match &settings.metrics_listen {
        Some(listen) => server::bind(listen).await?,
        None => Vec::new(),
    };
    let tls = settings.tls.map(|(certificate, key)| Tls::read(certificate, key));
    let tls = tls.transpose()?.map(Arc::new);
    let clock = Arc::new(SystemClock);
    let store = settings.store.vault(clock.clone());
    let location = store.database.clone();
    let vault = Arc::new(Vault::open(store)?);
    let scheme = if tls.is_some() { "https" } else { "http" };
    let public_url = match &settings.app.public_origin {
        Some(origin) => Some(origin.to_string()),
        None => server::address(scheme, &settings.listen, &listeners),
    };
    let processing = Processing::open(ProcessingConfig::beside(
        &location,
        Arc::clone(&vault),
        clock.clone(),
        public_url.unwrap_or_default(),
    ))?;
    if settings.app.sandbox {
        vault.ensure_sandbox()?;
        processing.ensure_sandbox()?;
    }
    let mut app = settings.app;
    fit_descriptors(&mut app);
    let app = Arc::new(App::new(app, vault, processing, Assets::embedded(), clock)?);
    let hangup = signal(SignalKind::hangup()).map_err(ServeError::Runtime)?;
    let stop = stop_signal().map_err(ServeError::Runtime)?;

    announce(tls.is_some(), &settings.listen, &listeners);
    if let Some(address) = server::address(
        "http",
        settings.metrics_listen.as_deref().unwrap_or(""),
        &metrics_listeners,
    ) {
        tracing::info!(%address, "metrics");
    }
    for name in unknown_variables(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok())) {
        tracing::warn!(
            name,
            "no setting has this name; `card-widget-service serve --help` lists them"
        );
    }
    if app.assets.frame().is_none() {
        tracing::warn!(
            "built without the widget's files: the frame answers 503; run `cargo xtask web` and build again"
        );
    }
    let everywhere = listeners
        .iter()
        .any(|listener| listener.local_addr().is_ok_and(|bound| !bound.ip().is_loopback()));
    if everywhere && app.public_origin.is_none() {
        tracing::warn!(
            "reachable from other machines without --public-url: `Origin` is compared with `Host` only"
        );
    }
    let tidying = tokio::spawn(tidy(Arc::clone(&app)));
    let reloading = tokio::spawn(reload(hangup, tls.clone()));
    let scraping = tokio::spawn(serve_metrics(Arc::clone(&app), metrics_listeners));
    let jobs = Jobs::start(&app);
    let server = Server {
        connections: app.connections(),
        times: Times::default(),
        tls,
        metrics: app.metrics(),
    };
    let router = crate::router(Arc::clone(&app));
    server
        .serve(listeners, router, async {
            stop.await;
            app.stop();
            tracing::info!("stopping");
        })
        .await;
    jobs.stop().await;
    for job in [tidying, reloading, scraping] {
        job.abort();
    }
    tracing::info!("stopped");
    Ok(())
}

/// One line on standard output that people and programs wait for; everything else is log.
fn announce(tls: bool, listen: &str, listeners: &[TcpListener]) {
    let scheme = if tls { "https" } else { "http" };
    if let Some(address) = server::address(scheme, listen, listeners) {
        // Nobody may be reading; that is no reason not to serve.
        let _ = writeln!(io::stdout(), "listening on {address}");
        tracing::info!(%address, "listening");
    }
}

/// Completes with the first SIGINT or SIGTERM.
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// A signal to read again what can be read again. A certificate that cannot be used leaves the old one in use.
async fn reload(mut hangup: Signal, tls: Option<Arc<Tls>>) {
    while hangup.recv().await.is_some() {
        match tls.as_deref().map(Tls::reload) {
            None => tracing::info!("nothing to read again"),
            Some(Ok(())) => tracing::info!("certificate read again"),
            Some(Err(error)) => tracing::error!(%error, "certificate not read again; the old one stays"),
        }
    }
}

/// Figures have connections of their own, few of them: a flood of others must not hide what it does.
async fn serve_metrics(app: Arc<App>, listeners: Vec<TcpListener>) {
    let few = SCRAPERS;
    let server = Server {
        connections: Arc::new(Connections::new(few, few, Vec::new())),
        times: Times::default(),
        tls: None,
        metrics: app.metrics(),
    };
    if !listeners.is_empty() {
        server
            .serve(listeners, metrics::router(app), std::future::pending())
            .await;
    }
}

/// Leaves descriptors for files, where the system gives fewer than there may be connections.
fn fit_descriptors(app: &mut AppConfig) {
    let (Some(descriptors), Some((most, _))) = (descriptors(), &mut app.connections) else {
        return;
    };
    let fitting = NonZeroUsize::new(descriptors.saturating_sub(FILES)).unwrap_or(NonZeroUsize::MIN);
    if fitting < *most {
        tracing::warn!(
            descriptors,
            connections = fitting.get(),
            "fewer file descriptors than connections; raise `ulimit -n` or lower --max-connections"
        );
        *most = fitting;
    }
}

/// How many files and sockets this process may have open, where the system tells.
fn descriptors() -> Option<usize> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

async fn tidy(app: Arc<App>) {
    let mut ticks = interval(TIDY_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        app.tidy();
    }
}

/// Sends the log to standard error. The level is fixed: below it, libraries write what passes through them.
pub fn start_log(format: LogFormat) {
    let builder = tracing_subscriber::fmt()
        .with_max_level(Level::INFO)
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr);
    // Fails only where a log has been set up before, as in tests.
    let _ = match format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().try_init(),
    };
    // The standard hook prints the message of a panic, which may quote whatever was being worked on.
    panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "panic");
    }));
}

/// Why the service did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// Certificate or key.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The store or its keys.
    #[error("the vault cannot be opened: {0}")]
    Vault(#[from] VaultError),
    /// The store of payments.
    #[error("the store of payments cannot be opened: {0}")]
    Database(#[from] DatabaseError),
    /// What the sandbox needs.
    #[error("the sandbox cannot be made: {0}")]
    Sandbox(#[from] Refusal),
    /// Threads or signals.
    #[error("the system refused threads or signals: {0}")]
    Runtime(#[source] io::Error),
    /// What the build rules out.
    #[error(transparent)]
    App(#[from] AppError),
}

/// How often the running job looks.
const TIDY_EVERY: Duration = Duration::from_secs(10);

/// Most connections of those who read figures.
const SCRAPERS: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// Descriptors for the store, its readers, keys and the runtime.
const FILES: usize = 128;
