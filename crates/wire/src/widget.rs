//! The widget's parameters as far as they reach the frame, and what they may be.

/// Language of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lang {
    /// Ukrainian.
    Uk,
    /// English, the fallback.
    En,
    /// Polish.
    Pl,
}

impl Lang {
    /// Every language.
    pub const ALL: &[Self] = &[Self::Uk, Self::En, Self::Pl];

    /// BCP 47 tag.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Uk => "uk",
            Self::En => "en",
            Self::Pl => "pl",
        }
    }

    /// The language of that tag.
    pub fn parse(tag: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|lang| lang.as_str() == tag)
    }
}

/// What the form asks for (`type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormType {
    /// Number, expiry and code: to pay.
    FullCard,
    /// The number alone: to receive money.
    PanOnly,
}

impl FormType {
    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FullCard => "full_card",
            Self::PanOnly => "pan_only",
        }
    }

    /// The type of that name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::FullCard, Self::PanOnly]
            .into_iter()
            .find(|form| form.as_str() == name)
    }
}

/// Arrangement of the fields (`template`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// Number above, expiry and code beside each other below. The default.
    Stacked,
    /// All fields on one line where there is room.
    Line,
}

impl Template {
    /// The name on the wire; the contract knows `line` alone.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stacked => "stacked",
            Self::Line => "line",
        }
    }

    /// The template of that name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Stacked, Self::Line]
            .into_iter()
            .find(|template| template.as_str() == name)
    }
}

/// Look of the form (`style`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Quiet, close to the browser's own fields. The default.
    Plain,
    /// Rounded and filled, as the contract names it.
    Evo,
}

impl Style {
    /// The name on the wire; the contract knows `evo` alone.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Evo => "evo",
        }
    }

    /// The style of that name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Plain, Self::Evo]
            .into_iter()
            .find(|style| style.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_parses_to_itself_and_nothing_else_does() {
        for lang in Lang::ALL {
            assert_eq!(Lang::parse(lang.as_str()), Some(*lang));
        }
        assert_eq!(FormType::parse("pan_only"), Some(FormType::PanOnly));
        assert_eq!(Template::parse("line"), Some(Template::Line));
        assert_eq!(Style::parse("evo"), Some(Style::Evo));
        assert_eq!(Lang::parse("UK"), None);
        assert_eq!(FormType::parse(""), None);
    }
}
