//! The widget's texts in one language: `www/texts/<lang>.json`.
//!
//! Every member is required and unknown ones are refused, so a missing or surplus key fails the build. Members that
//! the interface's `locale` parameter can replace carry its names.

use alloc::string::String;
use serde::{Deserialize, Serialize};

/// All texts of one language.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Texts {
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
    pub expiry_empty: String,
    pub expiry_incomplete: String,
    pub expiry_month: String,
    pub expiry_past: String,
    pub expiry_far: String,
    pub code_empty: String,
    pub code_incomplete: String,
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
    pub timeout: String,
    pub too_many_requests: String,
    pub wrong_card_number: String,
    pub card_expired: String,
    pub wrong_expiry: String,
    pub wrong_cvv: String,
    /// The shop has to act: key, origin, parameters.
    pub setup: String,
    /// The service has to act, and trying again may help.
    pub service: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widget::Lang;

    fn source(lang: Lang) -> &'static str {
        match lang {
            Lang::Uk => include_str!("../../../www/texts/uk.json"),
            Lang::En => include_str!("../../../www/texts/en.json"),
            Lang::Pl => include_str!("../../../www/texts/pl.json"),
        }
    }

    #[test]
    fn every_language_is_complete_and_no_text_is_empty() {
        for lang in Lang::ALL {
            let texts: Texts = serde_json::from_str(source(*lang)).unwrap();
            let json = serde_json::to_value(&texts).unwrap();
            assert_no_empty(lang.as_str(), &json);
            for text in [&texts.submit_amount, &texts.submit_receive_amount] {
                assert!(text.contains("{amount}"), "{lang:?}");
            }
        }
    }

    fn assert_no_empty(path: &str, value: &serde_json::Value) {
        match value {
            serde_json::Value::Object(members) => {
                for (name, member) in members {
                    assert_no_empty(&alloc::format!("{path}.{name}"), member);
                }
            }
            other => assert!(
                other.as_str().is_some_and(|text| !text.trim().is_empty()),
                "{path}"
            ),
        }
    }
}
