//! The way back to the shop: its own address, with what it needs to find the order.
//!
//! Whoever comes back can have written the address themselves: a shop shows what it has heard by callback or asks `info`, and takes
//! the address for nothing but the order's number.

use form_urlencoded::Serializer;
use processing::page::Back;

/// How it ended, as the address says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Success,
    Failure,
}

/// The shop's address with `external_id`, or `batch_external_id` of a basket, and `status`: `success` or `failure`. `None`
/// where the shop gave none.
pub(super) fn address(back: &Back, outcome: Outcome) -> Option<String> {
    let (address, status) = match outcome {
        Outcome::Success => (back.success.as_ref()?, "success"),
        Outcome::Failure => (back.failure.as_ref()?, "failure"),
    };
    let (stem, fragment) = match address.split_once('#') {
        Some((stem, fragment)) => (stem, Some(fragment)),
        None => (address.as_str(), None),
    };
    let number = if back.is_basket {
        "batch_external_id"
    } else {
        "external_id"
    };
    let query = Serializer::new(String::new())
        .append_pair(number, &back.external_id)
        .append_pair("status", status)
        .finish();
    let joint = match stem.chars().last() {
        Some('?' | '&') => "",
        _ if stem.contains('?') => "&",
        _ => "?",
    };
    let fragment = fragment
        .map(|fragment| format!("#{fragment}"))
        .unwrap_or_default();
    Some(format!("{stem}{joint}{query}{fragment}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: &str, external_id: &str, is_basket: bool) -> Back {
        Back {
            external_id: external_id.into(),
            is_basket,
            success: Some(address.into()),
            failure: None,
        }
    }

    #[test]
    fn an_address_keeps_what_it_has() {
        for (address_of_shop, expected) in [
            (
                "https://shop.example/done",
                "https://shop.example/done?external_id=a+1&status=success",
            ),
            (
                "https://shop.example",
                "https://shop.example?external_id=a+1&status=success",
            ),
            (
                "https://shop.example/?page=done",
                "https://shop.example/?page=done&external_id=a+1&status=success",
            ),
            (
                "https://shop.example/?",
                "https://shop.example/?external_id=a+1&status=success",
            ),
            (
                "https://shop.example/#/done?x",
                "https://shop.example/?external_id=a+1&status=success#/done?x",
            ),
        ] {
            let back = of(address_of_shop, "a 1", false);
            assert_eq!(address(&back, Outcome::Success).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_number_cannot_write_the_address() {
        let back = of("https://shop.example/", "1&status=success#?\"><", true);
        assert_eq!(
            address(&back, Outcome::Success).unwrap(),
            "https://shop.example/?batch_external_id=1%26status%3Dsuccess%23%3F%22%3E%3C&status=success"
        );
        assert_eq!(address(&back, Outcome::Failure), None);
    }
}
