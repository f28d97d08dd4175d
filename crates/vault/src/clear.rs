//! Cards that come in clear where the interface has that: `cc` of a payment, the number of a payout, and what a mobile wallet's token held.
//!
//! Read here and not by callers, who have no type with room for a number.

use std::fmt;
use std::mem;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::mpsc::sync_channel;

use card::{Card, Expiry, FormKind, Pan};
use serde::Deserialize;
use wire::payload::CardPayload;
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::error::{IssueError, StoreError};
use crate::issue::{IssueRequest, Source};
use crate::record::{Customer, Issued};
use crate::vault::Vault;

/// A card in clear that was not looked at any further.
pub struct ClearCard(pub(crate) Content);

pub(crate) enum Content {
    /// As a shop sent it.
    Sent(CardPayload, FormKind),
    /// Without a security code.
    Held(Card),
}

/// `{"number":"…","exp_month":1,"exp_year":2029,"cvv":"…"}`, with two or four digits of the year; other members are not looked at.
#[derive(Deserialize, Zeroize, ZeroizeOnDrop)]
struct Sent {
    number: String,
    exp_month: u8,
    exp_year: u16,
    cvv: String,
}

impl ClearCard {
    /// Reads the object `cc` of a request; `Err` names the first member that is missing or of another type, empty where it is the object.
    pub fn read(json: &str) -> Result<Self, &'static str> {
        // The parser would unfold escapes into memory that is not wiped, and digits need none.
        if json.contains('\\') {
            return Err("");
        }
        let sent: Sent = serde_json::from_str(json).map_err(|_| wrong_member(json))?;
        let year = match sent.exp_year {
            year @ 0..=99 => 2000 + year,
            year => year,
        };
        let mut sent = sent;
        let payload = CardPayload {
            number: mem::take(&mut sent.number),
            exp_month: Some(sent.exp_month),
            exp_year: Some(year),
            cvv: Some(mem::take(&mut sent.cvv)),
        };
        Ok(Self(Content::Sent(payload, FormKind::FullCard)))
    }

    /// Reads a number that money is sent to: JSON text of its digits. `None` where it is no such text; whether it is a card's number is
    /// checked when it is taken.
    pub fn read_number(json: &str) -> Option<Self> {
        let digits = json.strip_prefix('"')?.strip_suffix('"')?;
        let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        are_digits.then(|| {
            let payload = CardPayload {
                number: digits.to_owned(),
                exp_month: None,
                exp_year: None,
                cvv: None,
            };
            Self(Content::Sent(payload, FormKind::PanOnly))
        })
    }

    /// What a wallet's token held.
    pub fn from_wallet(number: Pan, expiry: Expiry) -> Self {
        Self(Content::Held(Card::without_code(number, expiry)))
    }

    /// A number that money is sent to.
    pub fn number_alone(number: Pan) -> Self {
        Self(Content::Held(Card::number_alone(number)))
    }
}

/// The first member that cannot be read.
fn wrong_member(json: &str) -> &'static str {
    let Ok(members) = serde_json::from_str::<Types>(json) else {
        return "";
    };
    let members = [
        ("number", members.number),
        ("exp_month", members.exp_month),
        ("exp_year", members.exp_year),
        ("cvv", members.cvv),
    ];
    let is_right = |name, kind| match name {
        "number" | "cvv" => kind == Type::Text,
        _ => kind == Type::Number,
    };
    let wrong = members.into_iter().find(|(name, kind)| !is_right(*name, *kind));
    wrong.map_or("", |(name, _)| name)
}

/// What stands where, without keeping it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Types {
    number: Type,
    exp_month: Type,
    exp_year: Type,
    cvv: Type,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Type {
    Text,
    Number,
    #[default]
    Other,
}

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TypeVisitor)
    }
}

struct TypeVisitor;

impl<'de> serde::de::Visitor<'de> for TypeVisitor {
    type Value = Type;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text or a number")
    }

    fn visit_str<E>(self, _: &str) -> Result<Type, E> {
        Ok(Type::Text)
    }

    fn visit_u64<E>(self, number: u64) -> Result<Type, E> {
        // Months fit into one byte, years into two; what does not is none of them.
        Ok(if number <= 9999 { Type::Number } else { Type::Other })
    }

    fn visit_i64<E>(self, _: i64) -> Result<Type, E> {
        Ok(Type::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Type, E> {
        Ok(Type::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Type, E> {
        Ok(Type::Other)
    }

    fn visit_unit<E>(self) -> Result<Type, E> {
        Ok(Type::Other)
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<Type, A::Error> {
        while list.next_element::<serde::de::IgnoredAny>()?.is_some() {}
        Ok(Type::Other)
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Type, A::Error> {
        while map
            .next_entry::<serde::de::IgnoredAny, serde::de::IgnoredAny>()?
            .is_some()
        {}
        Ok(Type::Other)
    }
}

impl Vault {
    /// Keeps a card and gives a token for it, good for an hour as those of the widget are. Public test numbers are refused of a project that is `live`.
    /// Waits for the disk.
    pub fn take(&self, project: &str, live: bool, card: ClearCard) -> Result<Issued, IssueError> {
        let (sender, receiver) = sync_channel(1);
        let request = IssueRequest {
            project: project.to_owned(),
            widget_key: String::new(),
            live,
            source: Source::Clear(card),
            idempotency_key: None,
            body_hash: [0; 32],
            address: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            customer: Customer::default(),
            watch: None,
        };
        self.issue(request, move |issued| {
            // The other side waits below.
            let _ = sender.send(issued);
        });
        receiver
            .recv()
            .unwrap_or_else(|_| Err(StoreError::Closing.into()))
    }
}

impl fmt::Debug for ClearCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClearCard").finish_non_exhaustive()
    }
}
