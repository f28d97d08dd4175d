//! The widget's parameters as far as they reach the frame, and what they may be.

/// An enumeration whose values have names on the wire.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident { $($(#[$value_doc:meta])* $value:ident = $name:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type { $($(#[$value_doc])* $value),+ }

        impl $type {
            /// Every value.
            pub const ALL: &[Self] = &[$(Self::$value),+];

            /// The name on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $name),+ }
            }

            /// The value of that name; names are exact.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == name)
            }
        }
    };
}

named! {
    /// What the form asks for (`type`).
    FormType {
        /// Number, expiry and code: to pay. The default.
        FullCard = "full_card",
        /// The number alone: to receive money.
        PanOnly = "pan_only",
    }
}

named! {
    /// Arrangement of the fields (`template`); the interface knows `line` alone.
    Template {
        /// Number above, expiry and code beside each other below. The default.
        Stacked = "stacked",
        /// All fields on one line where there is room.
        Line = "line",
    }
}

named! {
    /// Look of the form (`style`); the interface knows `evo` alone.
    Style {
        /// Quiet, close to the browser's own fields. The default.
        Plain = "plain",
        /// Rounded and filled.
        Evo = "evo",
    }
}

named! {
    /// Colours of the form (`colorScheme`, beyond the interface; `scheme` in the frame's address).
    Scheme {
        /// Dark on light. The default.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
        /// As the person's device asks.
        Auto = "auto",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_parses_to_itself_and_nothing_else_does() {
        for form in FormType::ALL {
            assert_eq!(FormType::parse(form.as_str()), Some(*form));
        }
        assert_eq!(Template::parse("line"), Some(Template::Line));
        assert_eq!(Style::parse("evo"), Some(Style::Evo));
        assert_eq!(Scheme::parse("auto"), Some(Scheme::Auto));
        assert_eq!(Scheme::parse("AUTO"), None);
        assert_eq!(FormType::parse(""), None);
    }
}
