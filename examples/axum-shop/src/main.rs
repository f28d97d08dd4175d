//! A small shop: `cargo run` serves its pages, makes payments, and hears callbacks.
//!
//! `SERVICE`, `LOGIN`, `PASSWORD` and `WIDGET_KEY` are those of the sandbox where nothing is said; `PORT` is 3000.

mod order;
mod pages;
mod shop;

use std::env;
use std::io::{self, Write};
use std::net::Ipv4Addr;

use axum::Router;
use axum::routing::{get, post};
use client::Client;
use tokio::net::TcpListener;

use shop::{Failure, Shop};

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let setting = |name: &str, usual: &str| env::var(name).unwrap_or_else(|_| usual.to_owned());
    let service = setting("SERVICE", "http://localhost:8080");
    let (login, password) = (
        setting("LOGIN", "sandbox"),
        setting("PASSWORD", "sandbox-password"),
    );
    let client = Client::new(service.as_str(), login, password)?;

    let port = setting("PORT", "3000");
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.parse().unwrap_or(3000))).await?;
    let address = format!("http://{}", listener.local_addr()?);
    let shop = Shop::new(
        client,
        service,
        address.clone(),
        setting("WIDGET_KEY", "wk_sandbox"),
    );
    writeln!(io::stdout(), "open {address}")?;
    axum::serve(listener, router(shop)).await?;
    Ok(())
}

fn router(shop: Shop) -> Router {
    Router::new()
        .route("/api/shop", get(shop::about))
        .route("/api/orders", post(shop::open))
        .route("/api/orders/{number}", get(shop::look))
        .route("/api/orders/{number}/pay", post(shop::pay))
        .route("/callbacks", post(shop::hear))
        .fallback(get(pages::page))
        .with_state(shop)
}
