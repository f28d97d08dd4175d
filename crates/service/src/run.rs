//! `serve`: from settings to a running service and back to nothing.

use std::io::{self, IsTerminal, Write};
use std::panic;
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{MissedTickBehavior, interval};
use tracing::Level;
use vault::{SystemClock, Vault, VaultConfig, VaultError};

use crate::app::App;
use crate::assets::Assets;
use crate::config::{LogFormat, Settings};
use crate::server::{self, BindError};

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
    let clock = Arc::new(SystemClock);
    let vault = Vault::open(VaultConfig::new(settings.database, clock.clone()))?;
    if settings.sandbox {
        vault.ensure_sandbox()?;
    }
    let app = Arc::new(App::new(settings.app, vault, Assets::embedded(), clock).map_err(ServeError::Texts)?);
    let stop = stop_signal().map_err(ServeError::Runtime)?;

    announce(&settings.listen, &listeners);
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
    let router = crate::router(Arc::clone(&app));
    server::serve(listeners, router, async {
        stop.await;
        app.stop();
        tracing::info!("stopping");
    })
    .await;
    tidying.abort();
    tracing::info!("stopped");
    Ok(())
}

/// One line on standard output that people and programs wait for; everything else is log.
fn announce(listen: &str, listeners: &[tokio::net::TcpListener]) {
    if let Some(address) = server::address(listen, listeners) {
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
    /// The store or its keys.
    #[error("the vault cannot be opened: {0}")]
    Vault(#[from] VaultError),
    /// Threads or signals.
    #[error("the system refused threads or signals: {0}")]
    Runtime(#[source] io::Error),
    /// An embedded text; ruled out by the build.
    #[error("the embedded texts cannot be read: {0}")]
    Texts(#[source] serde_json::Error),
}

/// How often the running job looks.
const TIDY_EVERY: Duration = Duration::from_secs(60);
