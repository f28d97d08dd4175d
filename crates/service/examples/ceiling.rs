//! The ceiling that `cargo xtask bench tokens` measures the service against. Not a service: nothing is checked, stored or
//! issued, and its answers hold no token.
//!
//! It has the service's sockets, layers and log, and reads a request as the service does. Of the work behind that it does
//! the envelope's cryptography alone: agreement, key derivation, decryption, one encryption as for a store, one MAC as
//! for a fingerprint.

use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::agreement::{self, ECDH_P256, PrivateKey, UnparsedPublicKey};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::{hmac, rand};
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64ct::{Base64UrlUnpadded, Encoding};
use seal::{Envelope, Point, kdf};
use service::config::LogFormat;
use service::error::Failure;
use service::query::Query;
use service::router::surround;
use service::server::Server;
use service::{body, run, server};
use wire::Code;
use wire::boot::{self, Boot, SealingKey};
use wire::token::{self, TokenResponse};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    run::start_log(LogFormat::Text);
    let keys = Arc::new(Keys::make()?);
    let router = Router::new()
        .route(boot::PATH, get(answer_boot))
        .route(token::PATH, post(answer_token));
    let listeners = server::bind("127.0.0.1:0").await?;
    let address = server::address("http", "127.0.0.1:0", &listeners).ok_or("no address")?;
    writeln!(io::stdout(), "listening on {address}")?;
    let server = Server::default();
    let router = surround(router, Arc::clone(&server.metrics)).with_state(keys);
    server.serve(listeners, router, std::future::pending()).await;
    Ok(())
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

/// The service's boot data, with a ticket that is none.
async fn answer_boot(State(keys): State<Arc<Keys>>, RawQuery(query): RawQuery) -> Json<Boot> {
    let query = Query::parse(query.as_deref());
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    Json(Boot {
        key: query.first("key").to_owned(),
        origin: query.first("origin").to_owned(),
        ticket: Base64UrlUnpadded::encode_string(&[0; 41]),
        sealing_key: SealingKey {
            kid: "ceiling".into(),
            x: Base64UrlUnpadded::encode_string(&keys.public.x),
            y: Base64UrlUnpadded::encode_string(&keys.public.y),
        },
        now: now.map_or(0, |since| since.as_secs()),
        live: false,
    })
}

/// An answer of the size of a token's.
async fn answer_token(
    State(keys): State<Arc<Keys>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let bytes = body::read(&headers, body).await?;
    let request = body::parse(&bytes)?;
    let envelope =
        Envelope::parse(&request.envelope).map_err(|_| Failure::of(Code::EnvelopeMalformed, "envelope"))?;
    let id = keys
        .work(&envelope)
        .map_err(|_| Failure::from(Code::EnvelopeUnreadable))?;
    let body = TokenResponse {
        token: Base64UrlUnpadded::encode_string(&[id; 4].concat()),
        expires_at: "2026-01-31T23:59:59".into(),
        card_mask: "42424242****4242".into(),
    };
    Ok((StatusCode::CREATED, Json(body)).into_response())
}
