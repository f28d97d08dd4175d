//! The HTTP client: one request, one answer, within ten seconds and to an address that it may go to.

use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use std::{io, vec};

use axum::body::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::header::{CONTENT_TYPE, USER_AGENT};
use hyper::{Request, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::net::lookup_host;
use tokio::time::timeout;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};
use tower::Service;
use url::{Host, Url};
use wire::interface::callback::SIGNATURE;

use super::address;
use crate::assets::VERSION;

/// A callback on its way.
pub(super) struct Parcel {
    pub(super) url: Url,
    pub(super) body: Bytes,
    pub(super) signature: String,
    pub(super) may_be_private: bool,
}

/// Two clients, which share no connection: one that goes anywhere, and one that does not.
pub(super) struct Clients {
    anywhere: HttpClient,
    public: HttpClient,
}

type HttpClient = Client<HttpsConnector<HttpConnector<Resolver>>, Full<Bytes>>;

impl Clients {
    /// Believing these authorities.
    pub(super) fn new(authorities: RootCertStore) -> Result<Self, rustls::Error> {
        let tls = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(authorities)
            .with_no_client_auth();
        let client = |may_be_private| {
            let mut http = HttpConnector::new_with_resolver(Resolver { may_be_private });
            http.enforce_http(false);
            http.set_nodelay(true);
            let https = HttpsConnectorBuilder::new()
                .with_tls_config(tls.clone())
                .https_or_http()
                .enable_http1()
                .wrap_connector(http);
            Client::builder(TokioExecutor::new())
                .pool_timer(TokioTimer::new())
                .pool_idle_timeout(IDLE)
                .pool_max_idle_per_host(super::pace::MOST as usize)
                .build(https)
        };
        Ok(Self {
            anywhere: client(true),
            public: client(false),
        })
    }

    /// Sends one and tells the status that came back with a whole answer, or why none did.
    pub(super) async fn post(&self, parcel: Parcel, limit: Duration) -> Result<u16, String> {
        match timeout(limit, self.exchange(parcel)).await {
            Ok(result) => result,
            Err(_) => Err(format!("no answer within {} seconds", limit.as_secs())),
        }
    }

    async fn exchange(&self, parcel: Parcel) -> Result<u16, String> {
        // An address is not looked up, and so not judged by the resolver.
        if let Some(address) = literal(&parcel.url).filter(|_| !parcel.may_be_private)
            && !address::is_public(address)
        {
            return Err(PRIVATE.to_owned());
        }
        let client = match parcel.may_be_private {
            true => &self.anywhere,
            false => &self.public,
        };
        let uri: Uri = parcel
            .url
            .as_str()
            .parse()
            .map_err(|_| "not an address of the web")?;
        let request = Request::post(uri)
            .header(CONTENT_TYPE, "application/json")
            .header(USER_AGENT, format!("card-widget-service/{VERSION}"))
            .header(SIGNATURE, parcel.signature)
            .body(Full::new(parcel.body))
            .map_err(|_| "not an address of the web")?;
        let answer = client.request(request).await.map_err(|error| innermost(&error))?;
        let status = answer.status().as_u16();
        // To its end: whoever stops half-way may have stopped working, too.
        match Limited::new(answer.into_body(), READ).collect().await {
            Ok(_) => Ok(status),
            Err(error) if error.is::<http_body_util::LengthLimitError>() => Ok(status),
            Err(_) => Err(format!("status {status}, and then the answer broke off")),
        }
    }
}

/// The host of an address that is no name.
fn literal(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

/// What an error comes from, which says more than what came of it.
fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let told = cause.to_string();
    told.chars().take(200).collect()
}

/// Looks names up, and leaves out what may not be called.
#[derive(Clone)]
struct Resolver {
    may_be_private: bool,
}

impl Service<Name> for Resolver {
    type Response = vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let may_be_private = self.may_be_private;
        Box::pin(async move {
            // The connector puts the port in.
            let found = lookup_host((name.as_str(), 0)).await?;
            let mut found: Vec<SocketAddr> = found.collect();
            found.retain(|found| may_be_private || address::is_public(found.ip()));
            match found.is_empty() {
                false => Ok(found.into_iter()),
                true => Err(io::Error::new(io::ErrorKind::PermissionDenied, PRIVATE)),
            }
        })
    }
}

/// What shops read in the journal.
const PRIVATE: &str = "the address is private, and this project may not have it called";

/// How much of an answer is read: nobody needs it.
const READ: usize = 64 * 1024;

/// How long a connection is kept for the next callback.
const IDLE: Duration = Duration::from_secs(20);

#[cfg(test)]
mod tests;
