//! What the service's own pages show: the payment page, the page that proves who the payer is, and the receipt.
//!
//! They are views of a moment. A page knows nothing else, so nothing else can be shown; there is no number of a card in them,
//! and no token.

use jiff::Timestamp;
use wire::interface::answer::Fiscalization;
use wire::interface::customer::{ColorMode, Locale};
use wire::interface::method::MethodType;
use wire::interface::saved::WalletItem;
use wire::interface::{Amount, Currency, StatusCode};

pub use crate::secret::{NoPageSecret, PageSecret};

/// The payment page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageView {
    /// How it stands.
    pub state: PageState,
    /// What it is for.
    pub purpose: PagePurpose,
    /// How many attempts to pay have begun. Whoever pays says on which number they did: another one is a repeat, of a double
    /// click, another window or the back button, and begins nothing.
    pub attempt: u32,
    /// What all pages of a payment say.
    pub order: OrderView,
    /// The time of the project's clock.
    pub now: Timestamp,
    /// From when on nobody can pay.
    pub expires_at: Timestamp,
    /// The payer's saved cards that may pay, the default first.
    pub cards: Vec<WalletItem>,
    /// Mobile wallets that may pay.
    pub wallets: Vec<MethodType>,
    /// Whether the payer may save the card that they pay with.
    pub may_save: bool,
}

/// What a page is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PagePurpose {
    /// To charge the amount.
    Pay,
    /// To hold it.
    Hold,
    /// To verify a card, without money.
    Verify,
    /// To save a card.
    Save,
}

/// How a payment page stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageState {
    /// The payer may pay. After a decline they may try again, and hear why.
    Open {
        /// Why the last attempt failed; `None` before the first.
        declined: Option<StatusCode>,
    },
    /// The payer has to prove who they are.
    Challenge {
        /// End of that page's address.
        secret: PageSecret,
    },
    /// The acquirer has not answered yet.
    Processing,
    /// Paid, held, verified or saved.
    Paid {
        /// End of the receipt's address; none where a card was saved.
        receipt: Option<PageSecret>,
        /// The card's mask.
        mask: Option<String>,
    },
    /// Its time is up.
    Expired,
    /// Nobody can pay any more, for another reason: the order was paid elsewhere or withdrawn.
    Closed {
        /// Why.
        code: StatusCode,
    },
}

/// What all pages of a payment say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderView {
    /// The project that asks for it, by its id.
    pub project: String,
    /// Its name for people.
    pub seller: String,
    /// Whether real money is meant.
    pub is_live: bool,
    /// One order, or those of a basket; none where a card is saved.
    pub lines: Vec<OrderLine>,
    /// All together.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// The payer's language, where the shop said it.
    pub language: Option<Locale>,
    /// The page's colours, where the shop said them.
    pub colours: Option<ColorMode>,
    /// Where the payer goes when they are done.
    pub back: Back,
}

/// One order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderLine {
    /// Who sells it.
    pub seller: String,
    /// The seller's number of it.
    pub external_id: String,
    /// As the seller described it.
    pub description: Option<String>,
    /// How much it is.
    pub amount: Amount,
    /// What is sold.
    pub products: Vec<ProductLine>,
}

/// Something that is sold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductLine {
    /// What it is called.
    pub name: String,
    /// How many units, as a decimal number.
    pub quantity: String,
    /// What the payer sees as its price.
    pub price: Amount,
}

/// Where a payer goes when they are done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Back {
    /// The shop's number of the order or the basket; where a card is saved, of the customer.
    pub external_id: String,
    /// Whether it is a basket's.
    pub is_basket: bool,
    /// After a success: `result_url_success`, else `result_url`.
    pub success: Option<String>,
    /// After a failure: `result_url_fail`, else `result_url`.
    pub failure: Option<String>,
}

/// The page on which a payer proves who they are. Not a bank's page: the sandbox's stand-in for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengeView {
    /// How it stands.
    pub state: ChallengeState,
    /// What it is for.
    pub purpose: PagePurpose,
    /// What is paid.
    pub order: OrderView,
    /// The card's mask.
    pub mask: String,
    /// End of the address of the payment page that the payer came from; `None` where the shop's server pays.
    pub page: Option<PageSecret>,
}

/// How a proof stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChallengeState {
    /// The payer has not answered.
    Open,
    /// The acquirer has not answered yet.
    Processing,
    /// The payment has succeeded.
    Paid {
        /// End of the receipt's address; none where a card was saved.
        receipt: Option<PageSecret>,
    },
    /// The payment has failed, or the time for an answer is up.
    Failed {
        /// Why.
        code: StatusCode,
    },
}

/// The receipt of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptView {
    /// What was paid.
    pub order: OrderView,
    /// The payment's id.
    pub payment_id: String,
    /// When it was paid or held.
    pub paid_at: Timestamp,
    /// What was charged; less than the order's amount where it was held.
    pub charged: Amount,
    /// What is held and neither charged nor released.
    pub held: Amount,
    /// What was given back.
    pub refunded: Amount,
    /// The card's mask.
    pub mask: Option<String>,
    /// `VISA`, `MASTERCARD` and the like.
    pub payment_system: Option<String>,
    /// The issuer's authorisation.
    pub auth_code: Option<String>,
    /// The acquirer's reference.
    pub rrn: Option<String>,
    /// The tax receipt.
    pub fiscalization: Option<Fiscalization>,
}
