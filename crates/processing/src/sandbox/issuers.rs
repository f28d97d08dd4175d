//! A small list of issuers, for the sandbox.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use vault::Clock;

use crate::port::issuers::{Issuer, Issuers};
use crate::project::Project;
use crate::time;

pub(crate) struct SandboxIssuers {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) public_url: String,
}

impl Issuers for SandboxIssuers {
    fn issuer(&self, mask: &str) -> Issuer {
        find(mask).map_or_else(Issuer::default, |row| Issuer {
            bank_short_name: Some(row.bank.to_owned()),
            country: Some(row.country.to_owned()),
            country_digits: COUNTRIES
                .iter()
                .find(|(letters, _)| *letters == row.country)
                .map(|(_, digits)| (*digits).to_owned()),
        })
    }

    fn art(&self, project: &Project, mask: &str, first_seen: Timestamp) -> Option<String> {
        let art = find(mask)?.art?;
        let now = project.now(time::of(&*self.clock));
        (now.duration_since(first_seen) >= ART_TAKES)
            .then(|| format!("{}/sandbox/art/{art}.png", self.public_url))
    }
}

/// By the project's clock.
const ART_TAKES: SignedDuration = SignedDuration::from_secs(3);

fn find(mask: &str) -> Option<&'static Row> {
    ISSUERS.iter().find(|row| mask.starts_with(row.prefix))
}

struct Row {
    /// The first digits of a number; the first row that fits holds.
    prefix: &'static str,
    bank: &'static str,
    country: &'static str,
    /// Picture of its cards.
    art: Option<&'static str>,
}

/// Test cards of wire notes §7 by their first digits, then what begins as they do.
const ISSUERS: &[Row] = &[
    row("42424242", "Bank A", "UKR", Some("blue")),
    row("41111111", "Bank A", "UKR", Some("blue")),
    row("42000000", "Bank B", "UKR", Some("green")),
    row("44443333", "Bank B", "POL", None),
    row("40000000", "Bank C", "USA", None),
    row("4", "Bank V", "UKR", Some("green")),
    row("5", "Bank M", "UKR", Some("blue")),
];

/// ISO 3166-1, of the countries above.
const COUNTRIES: &[(&str, &str)] = &[("UKR", "804"), ("POL", "616"), ("USA", "840")];

const fn row(
    prefix: &'static str,
    bank: &'static str,
    country: &'static str,
    art: Option<&'static str>,
) -> Row {
    Row {
        prefix,
        bank,
        country,
        art,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Place;

    #[test]
    fn pictures_come_later_and_cards_that_look_alike_share_one() {
        let place = Place::sqlite();
        let issuers = SandboxIssuers {
            clock: place.clock.clone(),
            public_url: "https://pay.example".to_owned(),
        };
        let (project, seen) = (place.sandbox(), time::of(&*place.clock));
        let art = |mask| issuers.art(&project, mask, seen);
        assert_eq!(art("42424242****4242"), None, "not yet");
        place.clock.advance(3000);
        assert!(art("42424242****4242").is_some_and(|url| url.ends_with(".png")));
        assert_eq!(art("42424242****4242"), art("41111111****1111"));
        assert_eq!(art("40000000****0044"), None, "never");
        assert_eq!(issuers.issuer("44443333****1111").country.as_deref(), Some("POL"));
        assert_eq!(issuers.issuer("378282*****0005"), Issuer::default());
    }
}
