//! The shop's server: what pages ask for, and what the service tells.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Json;
use axum::extract::{FromRef, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use client::callback::{Callbacks, Event};
use client::interface::Currency;
use client::interface::customer::{Customer, Locale};
use client::interface::method::{CardToken, Method, PaymentMethod};
use client::interface::payment::{Mode, NewPayment};
use client::interface::query::OrderQuery;
use client::interface::values::{Text, WebAddress};
use client::receiver::Signed;
use client::{Client, interface};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::order::{self, Order, OrderView, PRODUCTS};

/// What all requests share.
#[derive(Clone)]
pub(crate) struct Shop {
    client: Client,
    pub(crate) service: String,
    address: String,
    widget_key: String,
    orders: Arc<Mutex<HashMap<String, Order>>>,
}

impl Shop {
    pub(crate) fn new(client: Client, service: String, address: String, widget_key: String) -> Self {
        Self {
            client,
            service,
            address,
            widget_key,
            orders: Arc::default(),
        }
    }

    fn orders(&self) -> MutexGuard<'_, HashMap<String, Order>> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, number: &str) -> Result<Order, Failure> {
        self.orders().get(number).cloned().ok_or(Failure::NoSuchThing)
    }

    /// Changes an order, and shows it.
    fn change(&self, number: &str, change: impl FnOnce(&mut Order)) -> Result<OrderView, Failure> {
        let mut orders = self.orders();
        let order = orders.get_mut(number).ok_or(Failure::NoSuchThing)?;
        change(order);
        Ok(order.view())
    }

    /// Whether a page of the shop asks, and not another site's.
    fn is_own(&self, headers: &HeaderMap) -> Result<(), Failure> {
        let origin = headers
            .get(header::ORIGIN)
            .and_then(|origin| origin.to_str().ok());
        (origin == Some(&self.address))
            .then_some(())
            .ok_or(Failure::NoSuchThing)
    }
}

impl FromRef<Shop> for Callbacks {
    fn from_ref(shop: &Shop) -> Self {
        shop.client.callbacks()
    }
}

/// What is for sale.
pub(crate) async fn about(State(shop): State<Shop>) -> Json<Value> {
    Json(json!({
        "service": shop.service, "widgetKey": shop.widget_key, "currency": "UAH", "products": PRODUCTS,
    }))
}

/// Opens an order.
pub(crate) async fn open(
    State(shop): State<Shop>,
    headers: HeaderMap,
    pieces: String,
) -> Result<Json<OrderView>, Failure> {
    shop.is_own(&headers)?;
    let pieces: BTreeMap<String, u64> = serde_json::from_str(&pieces)?;
    let order = Order::open(&pieces).ok_or(Failure::NoSuchThing)?;
    let view = order.view();
    shop.orders().insert(order.number.to_string(), order);
    Ok(Json(view))
}

#[derive(Deserialize)]
struct Paying {
    /// Of the card form.
    token: Text<1, 128>,
}

/// Pays an order with a token of the form.
pub(crate) async fn pay(
    State(shop): State<Shop>,
    Path(number): Path<String>,
    headers: HeaderMap,
    paying: String,
) -> Result<Json<OrderView>, Failure> {
    shop.is_own(&headers)?;
    let Paying { token } = serde_json::from_str(&paying)?;
    let order = shop.find(&number)?;
    let uah = Currency::new("UAH").ok_or(Failure::NoSuchThing)?;
    let here = |path: String| WebAddress::new(format!("{}{path}", shop.address));
    let token = CardToken {
        token,
        use_3ds_flow: None,
        save_to_wallet: None,
        mask: None,
        expires_at: None,
    };
    let payment = NewPayment {
        callback_url: here("/callbacks".to_owned()),
        result_url: here(format!("/order.html?number={number}")),
        customer: Some(Customer {
            locale: Some(Locale::En),
            payment_method: Some(PaymentMethod::of(&Method::CcToken(token))),
            ..Customer::default()
        }),
        ..NewPayment::new(order.amount, uah, order.number, Mode::Direct)
    };
    let paid = shop.client.payments().create(&payment).await?;
    let next = paid.action.map(|action| action.value);
    let is_paid = paid.is_success && !paid.action_required;
    let mut view = shop.change(&number, |order| {
        order.settle(is_paid, paid.details.as_ref(), paid.receipt_url.as_ref());
    })?;
    view.next = next;
    Ok(Json(view))
}

/// How an order stands. Asks where it is not known: a callback may be on its way, or lost.
pub(crate) async fn look(
    State(shop): State<Shop>,
    Path(number): Path<String>,
) -> Result<Json<OrderView>, Failure> {
    let order = shop.find(&number)?;
    if order.state != order::State::Waiting {
        return Ok(Json(order.view()));
    }
    let query = OrderQuery {
        external_id: order.number.clone(),
    };
    match shop.client.payments().info(&query).await {
        Ok(info) => {
            let last = info.purchase_details.last();
            let view = shop.change(&number, |order| {
                order.settle(info.purchased, last, info.receipt_url.as_ref());
            })?;
            Ok(Json(view))
        }
        // Nobody has finished an attempt yet.
        Err(error) if error.code() == Some(&interface::StatusCode::DataNotFound) => Ok(Json(order.view())),
        Err(error) => Err(error.into()),
    }
}

/// What the service tells. Who is not the service does not come here.
pub(crate) async fn hear(State(shop): State<Shop>, Signed(callback): Signed) -> Result<(), Failure> {
    let Event::Payment(payment) = callback.event else {
        return Ok(());
    };
    let told = shop.change(&payment.external_id, |order| {
        // A callback may come twice.
        if order.heard.insert(callback.key) {
            let is_paid = payment.is_success && !payment.action_required;
            order.settle(is_paid, payment.details.as_ref(), payment.receipt_url.as_ref());
        }
    });
    // An order of somebody else's: it is heard, and that is all.
    let Ok(view) = told else { return Ok(()) };
    let state = serde_json::to_value(view.state())?;
    writeln!(
        io::stdout(),
        "callback: {} is {}",
        payment.external_id,
        state.as_str().unwrap_or_default()
    )?;
    Ok(())
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("there is no such thing")]
    NoSuchThing,
    #[error("this is not what a page sends")]
    NotUnderstood(#[from] serde_json::Error),
    #[error(transparent)]
    Service(#[from] client::Error),
    #[error(transparent)]
    Machine(#[from] io::Error),
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = match &self {
            Self::NoSuchThing => StatusCode::NOT_FOUND,
            Self::NotUnderstood(_) => StatusCode::BAD_REQUEST,
            Self::Service(_) | Self::Machine(_) => {
                // Whether a call was carried out is not known of an answer that was lost: the page asks for the order again.
                let _ = writeln!(io::stderr(), "{self}");
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        (status, Json(json!({ "error": "this did not work" }))).into_response()
    }
}
