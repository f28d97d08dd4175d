//! Each call of the interface as data: where it is, what it is told, what it answers, and what to do when its answer is lost.
//!
//! The service routes by it, clients ask by it, and declarations for other languages are made of it. [`Call`] is one call as a type,
//! [`CALLS`] all of them as values, and [`visit`] the way from a name to the type.

mod table;

use core::fmt::Debug;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use table::*;

/// One call as a type.
pub trait Call {
    /// The same as a value.
    const ENTRY: Entry;

    /// Who the customer is, where a call is about one: [`Nobody`], [`Named`] or [`Known`].
    type Customer: Who;
    /// What stands in the path's braces.
    type Path: Part;
    /// What stands in the query.
    type Query: Part;
    /// What stands in the body.
    type Body: Part;
    /// What comes back.
    type Answer: Serialize + DeserializeOwned + JsonSchema + Debug;
}

/// What a part of a request may be.
pub trait Part: Serialize + DeserializeOwned + JsonSchema + Debug {}

impl<T: Serialize + DeserializeOwned + JsonSchema + Debug> Part for T {}

/// What is known of a call without its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// `payments.create`: what clients of all languages call it.
    pub name: &'static str,
    /// What it does, as a sentence.
    pub about: &'static str,
    /// The HTTP method.
    pub method: Method,
    /// The path, names in braces included.
    pub path: &'static str,
    /// Who the customer is.
    pub customer: Customer,
    /// Whether there is something in the query.
    pub has_query: bool,
    /// Whether there is a body.
    pub has_body: bool,
    /// Whether an answer has a body; 204 where it has none.
    pub has_answer: bool,
    /// Whether it may be asked again.
    pub repeat: Repeat,
    /// Which call tells what became of it.
    pub remedy: Option<Remedy>,
}

/// The HTTP methods that calls have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Does, or reads a report.
    Post,
    /// Changes.
    Patch,
    /// Takes away.
    Delete,
}

impl Method {
    /// As HTTP writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// How a call names a customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Customer {
    /// It is about none.
    Nobody,
    /// By the shop's number, `external_id` in the query, or by their access token in the header [`CUSTOMER_AUTH`].
    Named,
    /// By their access token alone.
    Known,
}

/// The header with a customer's access token.
pub const CUSTOMER_AUTH: &str = "x-customer-auth";

/// [`Customer`] as a type.
pub trait Who {
    /// The same as a value.
    const WHO: Customer;
}

/// [`Customer::Nobody`].
#[derive(Debug)]
pub enum Nobody {}

/// [`Customer::Named`].
#[derive(Debug)]
pub enum Named {}

/// [`Customer::Known`].
#[derive(Debug)]
pub enum Known {}

impl Who for Nobody {
    const WHO: Customer = Customer::Nobody;
}

impl Who for Named {
    const WHO: Customer = Customer::Named;
}

impl Who for Known {
    const WHO: Customer = Customer::Known;
}

/// Whether a call may be asked again after its answer was lost, when it may have been carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// As often as one likes: it changes nothing.
    Reads,
    /// Yes: at most one attempt under its number succeeds. [`Repeat::tells_of_earlier`] knows the answer of a second one.
    Numbered,
    /// No: it might be done twice.
    Never,
}

/// Why an attempt of a call came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Nothing reached the service.
    NotSent,
    /// It may have reached it; no answer came.
    Lost,
    /// An answer of that status, which is a refusal or none of the service.
    Status(u16),
}

impl Failure {
    /// Whether the call may have been carried out: half an answer, a fault of the service, a proxy that gave up.
    pub fn may_be_done(self) -> bool {
        matches!(self, Self::Lost | Self::Status(..300 | 500..))
    }
}

impl Repeat {
    /// Whether a call may be asked again after this: nothing was done, or once more does no harm.
    pub fn is_safe_after(self, failure: Failure) -> bool {
        match failure {
            // Refused by a limit before anything was done.
            Failure::NotSent | Failure::Status(429) => true,
            failure => failure.may_be_done() && self != Self::Never,
        }
    }

    /// Whether a refusal of a repeated request says that the earlier one was carried out, or is being.
    pub fn tells_of_earlier(self, code: &super::StatusCode) -> bool {
        use super::StatusCode as Is;
        self == Self::Numbered && matches!(code, Is::TransactionAlreadyPaid | Is::OrderIsDuplicated)
    }
}

/// The call that tells what became of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// Its name. A customer is the same for both.
    pub call: &'static str,
    /// What it is told, as members of the other's parameters: `order.external_id` gives `external_id`.
    pub told: &'static [&'static str],
}

/// Nothing in a place, or nothing to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Nothing {}

/// Something that is done with the types of a call.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<C: Call>(self) -> Self::Output;
}

/// Makes the types of calls, their list, and the way from a name to the type.
macro_rules! calls {
    ($(
        #[doc = $about:literal]
        $call:ident = $name:literal: $method:ident $place:path {
            $(customer: $customer:ty,)?
            $(path: $path:ty,)?
            $(query: $query:ty,)?
            $(body: $body:ty,)?
            $(answer: $answer:ty,)?
            repeat: $repeat:ident,
            $(remedy: $remedy:literal $told:expr,)?
        }
    )+) => {
        $(
            #[doc = $about]
            #[derive(Debug)]
            pub enum $call {}

            impl $crate::interface::call::Call for $call {
                const ENTRY: $crate::interface::call::Entry = $crate::interface::call::Entry {
                    name: $name,
                    about: $about.trim_ascii(),
                    method: $crate::interface::call::Method::$method,
                    path: $place,
                    customer: <Self::Customer as $crate::interface::call::Who>::WHO,
                    has_query: $crate::interface::call::is_there!($($query)?),
                    has_body: $crate::interface::call::is_there!($($body)?),
                    has_answer: $crate::interface::call::is_there!($($answer)?),
                    repeat: $crate::interface::call::Repeat::$repeat,
                    remedy: $crate::interface::call::remedy!($($remedy $told)?),
                };

                type Customer = $crate::interface::call::either!($($customer)?, $crate::interface::call::Nobody);
                type Path = $crate::interface::call::either!($($path)?, $crate::interface::call::Nothing);
                type Query = $crate::interface::call::either!($($query)?, $crate::interface::call::Nothing);
                type Body = $crate::interface::call::either!($($body)?, $crate::interface::call::Nothing);
                type Answer = $crate::interface::call::either!($($answer)?, $crate::interface::call::Nothing);
            }
        )+

        /// Every call, in the order of the interface.
        pub const CALLS: &[$crate::interface::call::Entry] =
            &[$(<$call as $crate::interface::call::Call>::ENTRY),+];

        /// Does something with the types of the call of a name; `None` where there is no such call.
        pub fn visit<V: $crate::interface::call::Visitor>(name: &str, visitor: V) -> Option<V::Output> {
            match name {
                $($name => Some(visitor.visit::<$call>()),)+
                _ => None,
            }
        }
    };
}

macro_rules! either {
    (, $other:ty) => {
        $other
    };
    ($type:ty, $other:ty) => {
        $type
    };
}

macro_rules! is_there {
    () => {
        false
    };
    ($type:ty) => {
        true
    };
}

macro_rules! remedy {
    () => {
        None
    };
    ($call:literal $told:expr) => {
        Some($crate::interface::call::Remedy {
            call: $call,
            told: &$told,
        })
    };
}

use {calls, either, is_there, remedy};

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;
    use alloc::vec::Vec;

    use schemars::SchemaGenerator;

    use super::*;

    #[test]
    fn no_two_calls_have_a_name_or_an_address_in_common() {
        for (at, call) in CALLS.iter().enumerate() {
            assert!(call.about.ends_with('.'), "{}", call.name);
            for other in &CALLS[at + 1..] {
                assert_ne!(call.name, other.name);
                assert!(
                    call.method != other.method || call.path != other.path,
                    "{}",
                    call.name
                );
            }
        }
    }

    #[test]
    fn what_reads_may_be_repeated_and_what_does_has_a_remedy() {
        for call in CALLS {
            let name = call.name;
            let reads = call.repeat == Repeat::Reads;
            let is_report = name.starts_with("reports.");
            assert_eq!(reads, call.method == Method::Get || is_report, "{name}");
            // A callback that is sent twice does no harm: receivers have to bear it anyway.
            let does = !reads && !name.ends_with(".resendCallback");
            assert_eq!(call.remedy.is_some(), does, "{name}");
        }
    }

    /// Members of a request that a schema names: dotted.
    fn has(schema: &serde_json::Value, path: &str) -> bool {
        let mut at = schema;
        path.split('.').all(|name| {
            at = &at["properties"][name];
            at.is_object()
        })
    }

    struct Members;

    impl Visitor for Members {
        type Output = [serde_json::Value; 3];

        fn visit<C: Call>(self) -> [serde_json::Value; 3] {
            let schema = |root: fn(SchemaGenerator) -> schemars::Schema| {
                let inline = schemars::generate::SchemaSettings::default();
                root(
                    inline
                        .with(|settings| settings.inline_subschemas = true)
                        .into_generator(),
                )
                .to_value()
            };
            [
                schema(SchemaGenerator::into_root_schema_for::<C::Path>),
                schema(SchemaGenerator::into_root_schema_for::<C::Query>),
                schema(SchemaGenerator::into_root_schema_for::<C::Body>),
            ]
        }
    }

    #[test]
    fn a_remedy_reads_and_is_told_what_the_call_was_told() {
        for call in CALLS {
            let Some(remedy) = call.remedy else { continue };
            let other = CALLS.iter().find(|other| other.name == remedy.call).unwrap();
            assert_eq!(
                (other.repeat, other.customer),
                (Repeat::Reads, call.customer),
                "{}",
                call.name
            );
            let [ours, theirs] = [call.name, other.name].map(|name| visit(name, Members).unwrap());
            let mut told = Vec::new();
            for path in remedy.told {
                assert!(
                    ours.iter().any(|schema| has(schema, path)),
                    "{}: {path}",
                    call.name
                );
                told.push(path.rsplit('.').next().unwrap().to_string());
            }
            for required in theirs.iter().filter_map(|schema| schema["required"].as_array()) {
                for name in required {
                    assert!(told.iter().any(|told| told == name), "{}: {name}", call.name);
                }
            }
        }
    }

    #[test]
    fn only_what_cannot_be_done_twice_is_asked_again() {
        use Failure::*;
        for (failure, [reads, numbered, never]) in [
            (NotSent, [true; 3]),
            (Status(429), [true; 3]),
            (Lost, [true, true, false]),
            (Status(200), [true, true, false]),
            (Status(500), [true, true, false]),
            (Status(502), [true, true, false]),
            (Status(301), [false; 3]),
            (Status(400), [false; 3]),
            (Status(404), [false; 3]),
        ] {
            for (repeat, expected) in [
                (Repeat::Reads, reads),
                (Repeat::Numbered, numbered),
                (Repeat::Never, never),
            ] {
                assert_eq!(repeat.is_safe_after(failure), expected, "{repeat:?} {failure:?}");
            }
        }
    }

    #[test]
    fn names_in_braces_are_members_of_the_path() {
        for call in CALLS {
            let [path, ..] = visit(call.name, Members).unwrap();
            let names = call
                .path
                .split('{')
                .skip(1)
                .filter_map(|rest| rest.split('}').next());
            let names: Vec<_> = names.collect();
            let count = path["properties"].as_object().map_or(0, |members| members.len());
            assert!(
                names.len() == count && names.iter().all(|name| has(&path, name)),
                "{}",
                call.name
            );
        }
        assert!(visit("payments.steal", Members).is_none());
    }
}
