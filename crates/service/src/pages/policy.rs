//! Content policies of the pages. What runs and paints stands inside them and is allowed by its hash; of other origins nothing is
//! but pictures of cards.

use wire::interface::saved::WalletItem;

use super::shell::{CSS, SCRIPT};
use crate::frame::hash;
use crate::origin::Origin;

/// What the policies need of the pages, the same for all requests.
pub struct PagePolicies {
    plain: String,
    payment: String,
}

impl PagePolicies {
    /// Hashes what stands inside the pages, once.
    pub fn hash_embedded() -> Self {
        let (style, script) = (hash(CSS), hash(SCRIPT));
        // The icon is an empty one, which asks for nothing. A form's answer is a page of ours, which then leads on: browsers hold redirects to `form-action` too.
        let common = format!(
            "default-src 'none'; style-src {style}; connect-src 'self'; form-action 'self'; base-uri 'none'; \
             frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
        );
        Self {
            plain: format!("{common}; script-src {script}; img-src data:"),
            payment: format!("{common}; script-src 'self' {script}; frame-src 'self'; img-src data: 'self'"),
        }
    }

    /// Of a page without a card form.
    pub(super) fn plain(&self) -> String {
        self.plain.clone()
    }

    /// Of the payment page; pictures of `cards` may come from where they lie.
    pub(super) fn payment(&self, cards: &[WalletItem]) -> String {
        let mut policy = self.payment.clone();
        let mut known: Vec<String> = Vec::new();
        for address in cards.iter().filter_map(|item| item.card.card_art_url.as_deref()) {
            if let Some(origin) = origin(address)
                && !known.contains(&origin)
            {
                policy.push(' ');
                policy.push_str(&origin);
                known.push(origin);
            }
        }
        policy
    }
}

/// The origin of an address, in the only form that may stand in a policy.
fn origin(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let origin = Origin::parse(&format!("{scheme}://{authority}")).ok()?;
    Some(origin.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_an_origin_gets_into_a_policy() {
        for (address, found) in [
            ("https://art.example/a/b.png?c", Some("https://art.example")),
            ("http://localhost:8080/art/1.png", Some("http://localhost:8080")),
            ("https://art.example; script-src *", None),
            ("https://a@art.example/", None),
            ("data:image/png;base64,AA", None),
            ("/art/1.png", None),
            ("javascript://art.example/%0aalert(1)", None),
        ] {
            assert_eq!(origin(address).as_deref(), found, "{address}");
        }
    }
}
