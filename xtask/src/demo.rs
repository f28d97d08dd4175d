//! `cargo xtask demo`: the service and a shop, ready to be opened in a browser.

pub(crate) mod shop;

use std::env;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};

use crate::service::{Service, ensure_free};
use crate::{say, site, web};

/// Builds, starts and serves until Ctrl-C, or until the service ends.
pub(crate) fn run(port: u16, shop_port: u16, data: &Path) -> Result<()> {
    // Before the build: nobody should wait a minute to hear it.
    ensure!(
        port != shop_port,
        "--port and --shop-port are both {port}; give them different ports"
    );
    ensure!(
        port != 0 && shop_port != 0,
        "port 0 means any port; the pages need fixed ones"
    );
    ensure_free(port, "--port")?;
    ensure_free(shop_port, "--shop-port")?;
    // Relative to where the command was given, which is not where the service will run.
    let data = env::current_dir()?.join(data);
    fs::create_dir_all(&data).with_context(|| format!("--data {} cannot be made", data.display()))?;

    say::progress("1/4 what browsers load (a minute or two the first time)");
    web::build(web::Tools::Welcome)?;
    say::progress("2/4 the service");
    let binary = Service::build()?;
    let address = format!("http://localhost:{port}");
    say::progress("3/4 the documents");
    site::build(&address)?;
    say::progress("4/4 starting");
    // From here on a signal must not leave the child behind.
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    ctrlc::set_handler(move || asked.store(true, Ordering::SeqCst))?;
    let mut service = Service::start(&binary, port, &data)?;
    // It takes a minute or two the first time: nobody should wait for it.
    thread::spawn(|| {
        if let Err(error) = site::reference_of_rust() {
            say::error(&error.context("the reference of Rust is not there"));
        }
    });
    let _shop = shop::Shop::open(shop_port, &address, port)?;

    say::line(format!(
        "\n  demo shop   http://127.0.0.1:{shop_port}/              a payment: 4242 4242 4242 4242, a future date, 123\n  \
         \x20           http://127.0.0.1:{shop_port}/office        its back office: orders, refunds, callbacks\n  \
         \x20           http://127.0.0.1:{shop_port}/payout        a payout: the number alone\n  \
         \x20           http://127.0.0.1:{shop_port}/subscription  a subscription, with a month that passes\n  \
         \x20           http://127.0.0.1:{shop_port}/playground/   every parameter, live\n  \
         documents   http://127.0.0.1:{shop_port}/docs          getting started, guides, references\n  \
         service     {address}\n  data        {}\n\n  Ctrl-C stops both.\n",
        data.display()
    ));

    while !stop.load(Ordering::SeqCst) {
        if let Some(status) = service.ended() {
            // The terminal sends Ctrl-C to both; the child may be the faster one.
            thread::sleep(Duration::from_millis(100));
            if stop.load(Ordering::SeqCst) {
                break;
            }
            bail!("the service stopped by itself ({status}); its last lines above say why");
        }
        thread::sleep(Duration::from_millis(50));
    }
    service.stop();
    say::line("stopped");
    Ok(())
}
