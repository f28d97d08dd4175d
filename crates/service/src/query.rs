//! Query parameters, read leniently: whatever cannot be understood is as good as absent.

use std::borrow::Cow;

/// The parameters of one request.
pub struct Query<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Query<'a> {
    /// Reads `application/x-www-form-urlencoded`; never fails.
    pub fn parse(query: Option<&'a str>) -> Self {
        let query = query.unwrap_or_default();
        Self(
            form_urlencoded::parse(query.as_bytes())
                .take(MAX_PARAMETERS)
                .collect(),
        )
    }

    /// The first parameter of that name, or nothing.
    pub fn first(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(candidate, _)| candidate == name);
        found.map_or("", |(_, value)| value)
    }
}

/// More than any address of ours has.
const MAX_PARAMETERS: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_counts_and_nothing_fails() {
        let query = Query::parse(Some(
            "key=wk%5F1&key=wk_2&origin=https%3A%2F%2Fshop.example&%ff=%&&a",
        ));
        assert_eq!(query.first("key"), "wk_1");
        assert_eq!(query.first("origin"), "https://shop.example");
        assert_eq!(query.first("a"), "");
        assert_eq!(query.first("missing"), "");
        assert_eq!(Query::parse(None).first("key"), "");
    }
}
