//! The ceilings that `cargo xtask bench tokens` measures the service against. Neither is a service: nothing is stored or
//! issued, and their answers hold no token.
//!
//! `ceiling` is the service without its vault: its own handler, with all that it checks, and in the vault's place the
//! envelope's cryptography alone: agreement, key derivation, decryption, one encryption as for a store, one MAC as for a
//! fingerprint. What differs between the two is what a durable token costs.
//!
//! `ceiling bare` checks nothing either: the service's sockets, layers and log, the reading of a request, and the same
//! cryptography.
//!
//! A store of the sandbox's keys is made in the working directory, as the handler asks it for the widget key.

use std::alloc::System;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::agreement::{self, ECDH_P256, PrivateKey, UnparsedPublicKey};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::{hmac, rand};
use axum::body::Body;
use axum::extract::{Extension, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64ct::{Base64UrlUnpadded, Encoding};
use processing::{Processing, ProcessingConfig};
use seal::{Envelope, Point, kdf};
use service::address::Peer;
use service::admission::Admission;
use service::app::{App, AppConfig};
use service::assets::Assets;
use service::config::LogFormat;
use service::error::Failure;
use service::query::Query;
use service::router::surround;
use service::server::Server;
use service::{body, run, server, tokens};
use vault::{IssueRequest, Issued, Location, Source, SystemClock, Vault, VaultConfig};
use wire::Code;
use wire::boot::{self, Boot, SealingKey};
use wire::token::{self, TokenResponse};
use zeroizing_alloc::ZeroAlloc;

/// As in the service.
#[global_allocator]
static ALLOCATOR: ZeroAlloc<System> = ZeroAlloc(System);

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    run::start_log(LogFormat::Text);
    let keys = Arc::new(Keys::make()?);
    let listeners = server::bind("127.0.0.1:0").await?;
    let address = server::address("http", "127.0.0.1:0", &listeners).ok_or("no address")?;
    let server = Server::default();
    let router = match std::env::args().nth(1).as_deref() {
        None => handler(keys, &address)?,
        Some("bare") => bare(keys),
        Some(_) => return Err("one argument at most, which is `bare`".into()),
    };
    writeln!(io::stdout(), "listening on {address}")?;
    let router = surround(router, Arc::clone(&server.metrics));
    server.serve(listeners, router, std::future::pending()).await;
    Ok(())
}

/// The service's handler, without the vault behind it.
fn handler(keys: Arc<Keys>, address: &str) -> Result<Router, Box<dyn Error>> {
    let clock = Arc::new(SystemClock);
    let location = Location::Sqlite(PathBuf::from("ceiling.sqlite"));
    let vault = Arc::new(Vault::open(VaultConfig::new(location.clone(), clock.clone()))?);
    vault.ensure_sandbox()?;
    let config = ProcessingConfig::beside(&location, Arc::clone(&vault), clock.clone(), address.to_owned());
    let processing = Processing::open(config)?;
    processing.ensure_sandbox()?;
    let config = AppConfig {
        sandbox: true,
        ..AppConfig::default()
    };
    let app = Arc::new(App::new(config, vault, processing, Assets::embedded(), clock)?);
    Ok(Router::new()
        .route(boot::PATH, get(answer_boot))
        .route(token::PATH, post(answer_token))
        .with_state((app, keys)))
}

/// The service's boot data, with the key of this process.
async fn answer_boot(
    State((app, keys)): State<(Arc<App>, Arc<Keys>)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Json<Boot>, Failure> {
    let query = Query::parse(query.as_deref());
    let admission = Admission::check(&app, &headers, query.first("key"), query.first("origin")).await?;
    Ok(Json(Boot {
        sealing_key: keys.sealing_key(),
        ..service::boot::make(&app, &admission)?
    }))
}

async fn answer_token(
    State((app, keys)): State<(Arc<App>, Arc<Keys>)>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let work = |request: IssueRequest| async move {
        let Source::Frame(sealed) = &request.source else {
            return Err(Code::InternalError.into());
        };
        let body = keys.answer(&sealed.envelope)?;
        Ok(Issued {
            token: body.token,
            expires_at: now() + 3600,
            card_mask: body.card_mask,
            repeated: false,
        })
    };
    tokens::issue_by(&app, peer, &headers, body, work).await
}

fn bare(keys: Arc<Keys>) -> Router {
    Router::new()
        .route(boot::PATH, get(answer_boot_bare))
        .route(token::PATH, post(answer_token_bare))
        .with_state(keys)
}

struct Keys {
    private: PrivateKey,
    public: Point,
    store: LessSafeKey,
    fingerprint: hmac::Key,
}

impl Keys {
    fn make() -> Result<Self, Box<dyn Error>> {
        let private = PrivateKey::generate(&ECDH_P256)?;
        let public = Point::from_uncompressed(private.compute_public_key()?.as_ref()).ok_or("no point")?;
        let mut key = [0; 32];
        rand::fill(&mut key)?;
        Ok(Self {
            private,
            public,
            store: LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &key)?),
            fingerprint: hmac::Key::new(hmac::HMAC_SHA256, &key),
        })
    }

    fn sealing_key(&self) -> SealingKey {
        SealingKey {
            kid: "ceiling".into(),
            x: Base64UrlUnpadded::encode_string(&self.public.x),
            y: Base64UrlUnpadded::encode_string(&self.public.y),
        }
    }

    /// An answer of the size of a token's.
    fn answer(&self, envelope: &Envelope) -> Result<TokenResponse, Failure> {
        let id = self
            .work(envelope)
            .map_err(|_| Failure::from(Code::EnvelopeUnreadable))?;
        Ok(TokenResponse {
            token: Base64UrlUnpadded::encode_string(&[id; 4].concat()),
            expires_at: "2026-01-31T23:59:59".into(),
            card_mask: "42424242****4242".into(),
        })
    }

    /// What has to be computed for any envelope, whatever is done with the card.
    fn work(&self, envelope: &Envelope) -> Result<[u8; 16], aws_lc_rs::error::Unspecified> {
        use aws_lc_rs::error::Unspecified;
        let theirs = UnparsedPublicKey::new(&ECDH_P256, envelope.header().epk.to_uncompressed());
        let key = agreement::agree(&self.private, theirs, Unspecified, |agreed| {
            let agreed = agreed.try_into().map_err(|_| Unspecified)?;
            Ok(digest(&SHA256, &kdf::content_key_input(agreed)[..]))
        })?;
        let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key.as_ref())?);
        let mut content = [envelope.ciphertext(), envelope.tag()].concat();
        let iv = Nonce::assume_unique_for_key(*envelope.iv());
        let card = key.open_in_place(iv, Aad::from(envelope.aad()), &mut content)?;

        let mut iv = [0; NONCE_LEN];
        rand::fill(&mut iv)?;
        let mac = hmac::sign(&self.fingerprint, card);
        let mut record = card.to_vec();
        self.store
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(iv), Aad::empty(), &mut record)?;
        let mut id = [0; 16];
        id.copy_from_slice(mac.as_ref().get(..16).unwrap_or(&[0; 16]));
        Ok(id)
    }
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs())
}

/// Boot data with a ticket that is none.
async fn answer_boot_bare(State(keys): State<Arc<Keys>>, RawQuery(query): RawQuery) -> Json<Boot> {
    let query = Query::parse(query.as_deref());
    Json(Boot {
        key: query.first("key").to_owned(),
        origin: query.first("origin").to_owned(),
        ticket: Base64UrlUnpadded::encode_string(&[0; 41]),
        sealing_key: keys.sealing_key(),
        now: now(),
        live: false,
    })
}

async fn answer_token_bare(
    State(keys): State<Arc<Keys>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let bytes = body::read(&headers, body).await?;
    let request = body::parse(&bytes)?;
    let envelope =
        Envelope::parse(&request.envelope).map_err(|_| Failure::of(Code::EnvelopeMalformed, "envelope"))?;
    Ok((StatusCode::CREATED, Json(keys.answer(&envelope)?)).into_response())
}
