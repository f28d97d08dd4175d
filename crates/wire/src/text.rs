//! The widget's texts in one language: `www/texts/<tag>.json`, the tag being of BCP 47.
//!
//! A file is all that a language needs: whatever must know the languages lists that folder. Every member is required
//! and unknown ones are refused, so a missing or surplus key fails the build. Members that the interface's `locale`
//! parameter can replace carry its names.

use alloc::collections::BTreeMap;
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// All texts of one language.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Texts {
    /// Where lines begin.
    pub dir: Direction,
    /// Title of the frame's document for a payment.
    pub title: String,
    /// The same for a form that receives money.
    pub title_receive: String,
    /// Label of the number.
    pub card_number: String,
    /// Label of the expiry date.
    pub expiry_date: String,
    /// Label of the security code.
    pub cvv: String,
    /// Two letters for the month, shown in the empty expiry field.
    pub mm: String,
    /// Two letters for the year.
    pub yy: String,
    /// Legend over the two networks of a co-badged card.
    pub networks: String,
    /// Button of a payment.
    pub submit: String,
    /// Button of a payment with an amount; `{amount}` is replaced.
    pub submit_amount: String,
    /// Button of a form that receives money.
    pub submit_receive: String,
    /// The same with an amount.
    pub submit_receive_amount: String,
    /// Said while the service is asked.
    pub busy: String,
    /// Said when a token was issued.
    pub done: String,
    /// Mark of the sandbox.
    pub test_mode: String,
    /// Shown where scripts are switched off.
    pub no_script: String,
    /// Help beside the fields.
    pub hints: Hints,
    /// What is wrong with a field, by the error ids of the crate `card`.
    pub errors: FieldErrors,
    /// What went wrong with a submit, by code; codes without a text of their own use `setup` or `service`.
    pub codes: CodeTexts,
}

/// Help beside the fields.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Hints {
    /// Where the code is found, on most cards.
    pub cvv_hint: String,
    /// Where it is found when it has four digits.
    pub cvv_hint4: String,
}

/// What is wrong with a field. Names are the error ids.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    missing_docs,
    reason = "each name is an error id of the crate `card`, which documents it"
)]
pub struct FieldErrors {
    pub number_empty: String,
    pub number_incomplete: String,
    pub number_invalid: String,
    pub number_too_long: String,
    pub number_repeated: String,
    pub number_brand: String,
    pub expiry_empty: String,
    pub expiry_incomplete: String,
    pub expiry_month: String,
    pub expiry_past: String,
    pub expiry_far: String,
    pub expiry_too_long: String,
    pub code_empty: String,
    /// Counts the digits that the code has.
    pub code_incomplete: Counted,
    pub code_too_long: String,
}

/// What went wrong with a submit, in the words of the person.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    missing_docs,
    reason = "each name is a code of `crate::code` or one of the two it falls back to"
)]
pub struct CodeTexts {
    pub offline: String,
    pub service_unreachable: String,
    pub timeout: String,
    /// Counts the minutes to wait.
    pub too_many_requests: Counted,
    pub wrong_card_number: String,
    pub card_expired: String,
    pub wrong_expiry: String,
    pub wrong_cvv: String,
    /// The shop has to act: key, origin, parameters.
    pub setup: String,
    /// The service has to act, and trying again may help.
    pub service: String,
}

/// A text about a count, in the plural forms of its language; `{n}` stands for the count.
///
/// Looked up by the category that `Intl.PluralRules` names for the count (Unicode TR35 part 3, "Language Plural
/// Rules"), else `other`. The file holds exactly the categories that whole numbers have in the language, so the
/// fallback is for a browser with other rules; Ukrainian and Polish have no `other` for whole numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<Plural, String>")]
pub struct Counted(BTreeMap<Plural, String>);

impl Counted {
    /// The categories that there are forms for; at least one.
    pub fn categories(&self) -> impl Iterator<Item = Plural> {
        self.0.keys().copied()
    }
}

impl TryFrom<BTreeMap<Plural, String>> for Counted {
    type Error = &'static str;

    fn try_from(forms: BTreeMap<Plural, String>) -> Result<Self, Self::Error> {
        if forms.is_empty() {
            return Err("no plural form");
        }
        match forms.values().all(|form| form.matches("{n}").count() == 1) {
            true => Ok(Self(forms)),
            false => Err("a plural form needs `{n}`, once"),
        }
    }
}

/// Category of a plural form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are those of Unicode TR35")]
pub enum Plural {
    Zero,
    One,
    Two,
    Few,
    Many,
    Other,
}

/// Direction of writing, by its name in HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From the left.
    Ltr,
    /// From the right.
    Rtl,
}

impl Direction {
    /// The name in HTML.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ltr => "ltr",
            Self::Rtl => "rtl",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counted_text_has_forms_and_each_has_a_place_for_the_count() {
        let counted = |json| serde_json::from_str::<Counted>(json).map_err(|error| alloc::format!("{error}"));
        let fine = counted(r#"{"one":"{n} minute","other":"{n} minutes"}"#).unwrap();
        assert!(fine.categories().eq([Plural::One, Plural::Other]));
        for (json, complaint) in [
            ("{}", "no plural form"),
            (r#"{"one":"a minute"}"#, "`{n}`"),
            (r#"{"other":"{n} or {n}"}"#, "`{n}`"),
            (r#"{"several":"{n}"}"#, "several"),
            (r#""{n} minutes""#, "map"),
        ] {
            let error = counted(json).unwrap_err();
            assert!(error.contains(complaint), "{json}: {error}");
        }
    }
}
