//! What the pages say, in each language. A text that is missing in one of them does not compile.
//!
//! `{…}` is filled in. The form in the frame has its own texts, in `www/texts`.

mod en;
mod pl;
mod uk;

use wire::interface::StatusCode;
use wire::interface::customer::Locale;

/// All texts of one language.
pub(super) struct Texts {
    /// BCP 47 tag, that of the form too.
    pub(super) lang: &'static str,
    /// Its own name.
    pub(super) name: &'static str,
    pub(super) languages: &'static str,
    pub(super) test_mode: &'static str,

    pub(super) payment: &'static str,
    pub(super) verification: &'static str,
    pub(super) saving: &'static str,
    pub(super) hold_note: &'static str,
    pub(super) verify_note: &'static str,
    pub(super) save_note: &'static str,
    pub(super) order: &'static str,
    pub(super) seller: &'static str,
    pub(super) number: &'static str,
    pub(super) total: &'static str,
    pub(super) amount: &'static str,
    /// `{time}`.
    pub(super) until: &'static str,
    pub(super) left: &'static str,

    pub(super) saved_cards: &'static str,
    /// `{date}`.
    pub(super) good_until: &'static str,
    pub(super) wallets: &'static str,
    pub(super) wallet_note: &'static str,
    pub(super) card: &'static str,
    pub(super) another_card: &'static str,
    pub(super) keep_card: &'static str,
    /// `{amount}`.
    pub(super) pay: &'static str,
    pub(super) verify: &'static str,
    pub(super) save: &'static str,
    pub(super) no_script: &'static str,
    pub(super) no_script_cards: &'static str,
    pub(super) form_failed: &'static str,
    pub(super) again: &'static str,
    pub(super) sending: &'static str,

    pub(super) declined: &'static str,
    pub(super) declined_next: &'static str,
    pub(super) processing: &'static str,
    pub(super) processing_next: &'static str,
    pub(super) prove: &'static str,
    pub(super) prove_next: &'static str,
    pub(super) paid: &'static str,
    pub(super) held: &'static str,
    pub(super) verified: &'static str,
    pub(super) saved: &'static str,
    pub(super) thanks: &'static str,
    pub(super) expired: &'static str,
    pub(super) expired_next: &'static str,
    pub(super) closed: &'static str,
    pub(super) failed: &'static str,
    pub(super) failed_next: &'static str,
    pub(super) back: &'static str,
    pub(super) show_receipt: &'static str,

    pub(super) bank: &'static str,
    pub(super) bank_note: &'static str,
    pub(super) confirm: &'static str,
    pub(super) refuse: &'static str,

    pub(super) installment: &'static str,
    pub(super) parts: &'static str,
    pub(super) part: &'static str,
    /// `{time}`.
    pub(super) until_agreed: &'static str,
    pub(super) bank_page_note: &'static str,
    pub(super) agree: &'static str,
    pub(super) sign_note: &'static str,
    pub(super) sign: &'static str,
    pub(super) sending_answer: &'static str,
    pub(super) not_taken: &'static str,
    pub(super) not_taken_next: &'static str,
    pub(super) asking: &'static str,
    pub(super) asking_next: &'static str,
    pub(super) signed: &'static str,
    pub(super) rejected: &'static str,
    pub(super) too_late: &'static str,
    pub(super) withdrawn: &'static str,

    pub(super) receipt: &'static str,
    pub(super) paid_at: &'static str,
    pub(super) paid_with: &'static str,
    pub(super) charged: &'static str,
    pub(super) still_held: &'static str,
    pub(super) refunded: &'static str,
    pub(super) auth_code: &'static str,
    pub(super) reference: &'static str,
    pub(super) payment_id: &'static str,
    pub(super) tax_receipt: &'static str,

    pub(super) not_found: &'static str,
    pub(super) not_found_next: &'static str,
    pub(super) wrong: &'static str,
    pub(super) wrong_next: &'static str,
    pub(super) busy: &'static str,
    pub(super) busy_next: &'static str,

    pub(super) reasons: Reasons,
}

/// Why a payment failed, for the payer. What they cannot do anything about has one text.
pub(super) struct Reasons {
    any: &'static str,
    funds: &'static str,
    expired: &'static str,
    code: &'static str,
    number: &'static str,
    kind: &'static str,
    proof: &'static str,
    token: &'static str,
    paid: &'static str,
    late: &'static str,
}

impl Texts {
    /// Every language, the default first.
    pub(super) const ALL: [&'static Self; 3] = [&en::TEXTS, &uk::TEXTS, &pl::TEXTS];

    /// The language of a shop's word for it.
    pub(super) fn of(locale: Locale) -> &'static Self {
        match locale {
            Locale::Uk => &uk::TEXTS,
            Locale::Pl => &pl::TEXTS,
            _ => &en::TEXTS,
        }
    }

    /// The language of that tag, or that above it: `uk-UA` finds `uk`.
    pub(super) fn find(tag: &str) -> Option<&'static Self> {
        let language = tag.split('-').next().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|texts| texts.lang.eq_ignore_ascii_case(language))
    }

    /// Why it failed.
    pub(super) fn reason(&self, code: &StatusCode) -> &'static str {
        match code {
            StatusCode::InsufficientFunds => self.reasons.funds,
            StatusCode::CardExpired => self.reasons.expired,
            StatusCode::WrongCvv => self.reasons.code,
            StatusCode::WrongCardNumber => self.reasons.number,
            StatusCode::CardNotSupported | StatusCode::CardTypeIsNotSupported => self.reasons.kind,
            StatusCode::ThreeDsVerificationFailed | StatusCode::ThreeDsRequired => self.reasons.proof,
            StatusCode::InvalidCardToken
            | StatusCode::TokenDoesNotExist
            | StatusCode::PaymentMethodNotFound => self.reasons.token,
            StatusCode::TransactionAlreadyPaid | StatusCode::ActionAlreadyDone => self.reasons.paid,
            StatusCode::OrderExpired => self.reasons.late,
            _ => self.reasons.any,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_finds_its_language() {
        for (tag, found) in [
            ("uk", Some("uk")),
            ("UK", Some("uk")),
            ("pl-PL", Some("pl")),
            ("en-GB", Some("en")),
            ("ukr", None),
            ("", None),
            ("*", None),
        ] {
            assert_eq!(Texts::find(tag).map(|texts| texts.lang), found, "{tag}");
        }
    }

    #[test]
    fn what_is_filled_in_has_a_place_in_every_language() {
        for texts in Texts::ALL {
            for (text, place) in [
                (texts.until, "{time}"),
                (texts.until_agreed, "{time}"),
                (texts.good_until, "{date}"),
                (texts.pay, "{amount}"),
            ] {
                assert_eq!(text.matches(place).count(), 1, "{}: {text}", texts.lang);
            }
        }
    }
}
