//! The two reports: what was done in a period, and what it comes to (service interface, "Reports"; wire notes §3.9).
//!
//! A row is a list of cells under the names of its columns, so that JSON and CSV are the same table.

pub mod day;
mod number;
pub mod row;

use alloc::string::String;
use alloc::vec::Vec;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_with::apply;

use super::amount::Currency;
use super::lenient;
use super::words::{Word, closed};
use day::{Day, Moment};
use row::{Decimal, cells, row};

/// Path of the settlement register.
pub const REGISTER: &str = "/api/reports/v1/payments";

/// Path of the list of transactions.
pub const TRANSACTIONS: &str = "/api/reports/v1/transactions";

/// Body of [`REGISTER`].
#[apply(Option => #[serde(default, skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct RegisterRequest {
    /// First day of the period in which money was settled, in UTC.
    pub date_from: Day,
    /// Its last day.
    pub date_to: Day,
    /// Whose rows; the caller's own where nothing is said.
    #[serde(deserialize_with = "lenient::optional")]
    pub scope: Option<Scope>,
    /// Both give the same rows.
    #[serde(deserialize_with = "lenient::optional")]
    pub register_type: Option<RegisterType>,
    /// Columns to answer, in this order; all where nothing is said.
    #[serde(deserialize_with = "lenient::optional")]
    pub fields: Option<Vec<RegisterColumn>>,
}

/// Body of [`TRANSACTIONS`].
#[apply(Option => #[serde(default, skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct TransactionsRequest {
    /// First day of the period in which transactions were begun, in UTC: at most 90 days ago.
    pub date_from: Day,
    /// Its last day: at most 14 days after the first.
    pub date_to: Day,
    /// There is one.
    #[serde(deserialize_with = "lenient::optional")]
    pub register_type: Option<TransactionsType>,
    /// Only these; all where nothing is said.
    #[serde(deserialize_with = "lenient::optional")]
    pub operation_types: Option<Vec<OperationType>>,
    /// Only these; all where nothing is said.
    #[serde(deserialize_with = "lenient::optional")]
    pub statuses: Option<Vec<TransactionStatus>>,
}

closed! {
    /// Whose rows a settlement register has.
    Scope {
        /// Those of the project that asks.
        CurrentLogin = "current_login",
        /// Those of all projects of its partner.
        AllKeys = "all_keys",
    }
}

closed! {
    /// Kinds of settlement registers.
    RegisterType {
        /// One row for each transaction.
        Transactions = "transactions_list",
        /// The same, for warehouses of data.
        Warehouse = "transactions_list_dwh",
    }
}

closed! {
    /// Kinds of lists of transactions.
    TransactionsType {
        /// One row for each transaction.
        Transactions = "transactions_list",
    }
}

closed! {
    /// What a transaction was.
    OperationType {
        /// An amount was held, or a card verified.
        Auth = "auth",
        /// What was held is free.
        Void = "void",
        /// Charged at once.
        Purchase = "purchase",
        /// Charged of what was held.
        Capture = "capture",
        /// Given back.
        Refund = "refund",
        /// A bank pays an order for its buyer, who pays in parts.
        Payment = "payment",
        /// Paid out, to a card or in cash.
        Payout = "payout",
        /// A bank lends a buyer what an order costs.
        Credit = "credit",
        /// An order in parts was made.
        Create = "create",
    }
}

closed! {
    /// How a transaction stands.
    TransactionStatus {
        /// It was done.
        Success = "Success",
        /// It broke off: the service or the other side could not do it.
        Failed = "Failed",
        /// The issuer or the bank of the card said no.
        Unsuccessful = "Unsuccessful",
        /// It was begun.
        Created = "Created",
        /// Somebody took it back before it was done.
        Cancel = "Cancel",
        /// It waits.
        Pending = "Pending",
        /// It was refused: by a rule, or a proof that was not given.
        Rejected = "Rejected",
    }
}

row! {
    /// One row of a list of transactions.
    TransactionRow;
    /// Columns of a list of transactions.
    TransactionColumn;

    /// The payment, payout or order in parts: `details.payment_id`.
    OrderId = "order_id" => order_id: String,
    /// `details.transaction_id`: the orders of a basket share it.
    TransactionId = "transaction_id" => transaction_id: String,
    /// The shop's number.
    ExternalId = "external_id" => external_id: String,
    /// What it was.
    OperationType = "operation_type" => operation_type: Word<OperationType>,
    /// How it stands.
    Status = "status" => status: Word<TransactionStatus>,
    /// Why, as a number of the service's table.
    StatusCode = "status_code" => status_code: u32,
    /// What paid, or was paid to: `cc_token`, `card`, `cash`, or a bank of orders in parts.
    PaymentMethod = "payment_method" => payment_method: String,
    /// Name of the project.
    ProjectName = "project_name" => project_name: String,
    /// As the shop described the order.
    OrderDescription = "order_description" => order_description: Option<String>,
    /// First and last digits of the card.
    PayerCardMask = "payer_card_mask" => payer_card_mask: Option<String>,
    /// Short name of the card's issuer.
    PayerBankName = "payer_bank_name" => payer_bank_name: Option<String>,
    /// `VISA`, `MASTERCARD` and the like.
    BinPaymentSystem = "bin_payment_system" => bin_payment_system: Option<String>,
    /// Country of the card's issuer: three digits of ISO 3166-1.
    BinCountryDigitCode = "bin_country_digit_code" => bin_country_digit_code: Option<String>,
    /// Amount of this transaction.
    OriginalAmount = "original_amount" => original_amount: Decimal,
    /// The same with the payer's fee.
    PayerAmount = "payer_amount" => payer_amount: Decimal,
    /// ISO 4217 code.
    Currency = "currency" => currency: Currency,
    /// What the payer paid besides: always 0.
    PayerFee = "payer_fee" => payer_fee: Decimal,
    /// The merchant's commission.
    MerchantFee = "merchant_fee" => merchant_fee: Decimal,
    /// The issuer's authorisation.
    AuthCode = "auth_code" => auth_code: Option<String>,
    /// The acquirer's reference.
    Rrn = "rrn" => rrn: Option<String>,
    /// When it was begun, in UTC.
    CreatedAt = "created_at" => created_at: Moment,
    /// When it ended.
    ProcessedAt = "processed_at" => processed_at: Option<Moment>,
}

cells! {
    /// One row of a settlement register. Amounts are in hundredths.
    #[schemars(transform = any_columns)]
    RegisterRow;
    /// Columns of a settlement register.
    RegisterColumn;
    /// A row of a settlement register as it is read: with the columns that were asked for.
    RegisterCells;

    /// Amount of this transaction, whichever way it went.
    Amount = "amount" => amount: i64,
    /// First and last digits of the card.
    CardPan = "card_pan" => card_pan: Option<String>,
    /// ISO 4217 code.
    Currency = "currency" => currency: Currency,
    /// As the shop described the order.
    Description = "description" => description: Option<String>,
    /// The shop's number.
    ExternalId = "external_id" => external_id: String,
    /// The merchant's commission.
    InternalCommission = "internal_commission" => internal_commission: i64,
    /// What the payer paid besides: always 0.
    PayerExternalFee = "payer_external_fee" => payer_external_fee: i64,
    /// The payment, payout or order in parts.
    PaymentId = "payment_id" => payment_id: String,
    /// What paid, or was paid to.
    PaymentMethod = "payment_method" => payment_method: String,
    /// `VISA`, `MASTERCARD` and the like.
    PaymentSystem = "payment_system" => payment_system: Option<String>,
    /// What it was.
    PaymentType = "payment_type" => payment_type: Word<OperationType>,
    /// What the merchant gets: the amount less the commission; below 0 where money went from the merchant.
    PayoutAmount = "payout_amount" => payout_amount: i64,
    /// Day on which it is settled.
    PayoutDate = "payout_date" => payout_date: Day,
    /// Day on which it ended.
    ProcessingDate = "processing_date" => processing_date: Day,
    /// Name of the project.
    ProjectName = "project_name" => project_name: String,
    /// E-mail of the payer, or of the one who is paid to.
    ClientEmail = "client_email" => client_email: Option<String>,
    /// Their given name.
    ClientFirstName = "client_first_name" => client_first_name: Option<String>,
    /// Their family name.
    ClientLastName = "client_last_name" => client_last_name: Option<String>,
}

/// A request names the columns that it wants.
fn any_columns(schema: &mut Schema) {
    schema.remove("required");
}

/// Answer of [`REGISTER`], as JSON.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Register {
    /// By day, of one project after the other.
    #[schemars(with = "Vec<RegisterRow>")]
    pub payments: Vec<RegisterCells>,
}

/// Answer of [`TRANSACTIONS`], as JSON.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Transactions {
    /// In the order in which they were begun.
    pub transactions: Vec<TransactionRow>,
}
