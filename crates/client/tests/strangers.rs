//! What strangers send is read or refused, whatever it is; what is sent arrives as it was meant.

use client::callback::Callbacks;
use client::hosted::{Return, address};
use client::interface::answer::Action;
use client::interface::call::{CALLS, Call, FindSavedCard, GetPlan, Visitor, visit};
use client::interface::callback::signature;
use client::interface::plan::PlanPath;
use client::interface::query::CardQuery;
use client::interface::values::Text;
use client::prepare::{Told, prepare};
use client::read::{Response, read};
use client::{Credentials, Customer, wallets};
use proptest::prelude::*;

struct Read<'a>(Response<'a>);

impl Visitor for Read<'_> {
    type Output = ();

    fn visit<C: Call>(self) {
        let _ = read::<C>(self.0, None);
    }
}

/// Bytes, and JSON that looks like an answer and is cut somewhere.
fn body() -> impl Strategy<Value = Vec<u8>> {
    let members = prop::collection::vec(
        (
            prop::sample::select(vec![
                "id",
                "external_id",
                "details",
                "status",
                "amount",
                "wallet",
                "code",
                "message",
                "payments",
            ]),
            prop::sample::select(vec![
                "null",
                "\"1\"",
                "1.005",
                "-1e999",
                "[[]]",
                "{}",
                "{\"status\":1}",
                "true",
                "\"\\ud800\"",
            ]),
        ),
        0..6,
    );
    let json = (members, 0..200_usize).prop_map(|(members, end)| {
        let members: Vec<_> = members
            .iter()
            .map(|(name, value)| format!("\"{name}\":{value}"))
            .collect();
        let mut json = format!("{{{}}}", members.join(",")).into_bytes();
        json.truncate(end.max(1));
        json
    });
    prop_oneof![json, prop::collection::vec(any::<u8>(), 0..64)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn whatever_comes_back_is_read_or_refused(body in body(), status in 100..600_u16, wait in any::<Option<u64>>()) {
        for call in CALLS {
            visit(call.name, Read(Response { status, wait, body: &body })).unwrap();
        }
        let callbacks = Callbacks::signed_with(["password"]).unwrap();
        let _ = callbacks.read(&body, [signature(b"password", &body)]);
        prop_assert!(callbacks.read(&body, [&body]).is_err());
    }

    #[test]
    fn whatever_browsers_bring_is_read_or_refused(text in ".{0,80}", query in "[a-z_=&%?#0-9+]{0,60}") {
        for text in [&text, &query, &format!("?external_id={query}"), &format!("https://pay.example{text}")] {
            let _ = Return::read(text);
            let _ = wallets::mobile_a_pay(text);
            let _ = wallets::mobile_b_pay(text);
            if let Ok(url) = address(Some(&Action::url(text.as_str())), &["pay.example"]) {
                let rest = url.strip_prefix("https://pay.example").unwrap();
                prop_assert!(rest.starts_with(['/', ':']), "{url}");
            }
        }
    }

    #[test]
    fn what_is_sent_arrives(id in "\\PC{1,40}", number in "\\PC{1,40}") {
        let credentials = Credentials::new("login", "password").unwrap();
        let (customer, option_id) = (Customer::external_id(&*number).unwrap(), Text::new(&*id).unwrap());
        let query = CardQuery { option_id };
        let prepared = prepare(&credentials, &Told::<FindSavedCard>::query(&query).about(&customer)).unwrap();
        let (path, query) = prepared.target.split_once('?').unwrap();
        prop_assert_eq!(path, FindSavedCard::ENTRY.path);
        let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        prop_assert_eq!(pairs, [("external_id".to_owned(), number), ("option_id".to_owned(), id.clone())]);

        let plan = PlanPath { plan_id: Text::new(&*id).unwrap() };
        match prepare(&credentials, &Told::<GetPlan>::path(&plan)) {
            Ok(prepared) => {
                let sent = prepared.target.strip_prefix("/api/subscriptions/v1/plans/").unwrap();
                prop_assert!(!sent.contains(['/', '?', '#', ' ']) && sent.is_ascii(), "{sent}");
                let arrived = percent_encoding::percent_decode_str(sent).decode_utf8().unwrap();
                prop_assert_eq!(arrived, id);
            }
            Err(_) => prop_assert!(id == "." || id == ".."),
        }
    }
}
