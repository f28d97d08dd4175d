//! What a payment is for, as far as it changes words.

use processing::page::PagePurpose;

use super::texts::Texts;

/// That it was done.
pub(super) fn done(purpose: PagePurpose, texts: &Texts) -> &'static str {
    match purpose {
        PagePurpose::Pay => texts.paid,
        PagePurpose::Hold => texts.held,
        PagePurpose::Verify => texts.verified,
        PagePurpose::Save => texts.saved,
    }
}

/// The name of the sum; where no money is asked for, there is none.
pub(super) fn total(purpose: PagePurpose, name: &'static str) -> Option<&'static str> {
    matches!(purpose, PagePurpose::Pay | PagePurpose::Hold).then_some(name)
}

/// Whether there is an order. A card that is saved belongs to none.
pub(super) fn has_order(purpose: PagePurpose) -> bool {
    purpose != PagePurpose::Save
}
