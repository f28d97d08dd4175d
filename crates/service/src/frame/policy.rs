//! Content policies of the pages, with hashes of the very bytes inside them.

use aws_lc_rs::digest;
use base64ct::{Base64, Encoding};

use crate::assets::embedded;
use crate::origin::Origin;

/// What the policies need of the pages, the same for all requests.
pub struct Policies {
    frame_script: String,
    refusal_script: String,
    style: String,
}

impl Policies {
    /// Hashes what stands inside the pages, once.
    pub fn hash_embedded() -> Self {
        Self {
            frame_script: hash(embedded::inline_js()),
            refusal_script: hash(embedded::refusal_js()),
            style: hash(embedded::frame_css()),
        }
    }

    /// Policy of the form inside a page of `origin`, and of no other.
    pub(super) fn frame(&self, origin: &Origin) -> String {
        frame(&self.frame_script, &self.style, &origin.to_string())
    }

    /// Policy of a refusal.
    pub(super) fn refusal(&self) -> String {
        refusal(&self.refusal_script, &self.style)
    }
}

/// A source expression that allows exactly `text` inside an element (CSP3 §2.3.1).
pub(crate) fn hash(text: &str) -> String {
    let hash = digest::digest(&digest::SHA256, text.as_bytes());
    format!("'sha256-{}'", Base64::encode_string(hash.as_ref()))
}

/// The policy of the form.
///
/// `'wasm-unsafe-eval'` stands only here, so that shops need not allow it. `img-src` is for nothing, like all the rest
/// that is not named. A form that could be sent natively would carry card data in an address: `form-action 'none'`.
fn frame(script: &str, style: &str, ancestors: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {script}; style-src {style}; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors {ancestors}; \
         require-trusted-types-for 'script'; trusted-types 'none'"
    )
}

/// The policy of a refusal. Anybody may embed it, or nobody would learn why there is no form.
fn refusal(script: &str, style: &str) -> String {
    format!(
        "default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'; \
         frame-ancestors *; require-trusted-types-for 'script'; trusted-types 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_an_empty_text_is_the_published_one() {
        // FIPS 180-4 example value of SHA-256 over nothing, in base64.
        assert_eq!(hash(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    }
}
