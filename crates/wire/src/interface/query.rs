//! What calls are told in the query of their address.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::values::{ExternalId, Text};

/// Which order.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct OrderQuery {
    /// The shop's number of the order.
    pub external_id: ExternalId,
}

/// Which basket.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct BasketQuery {
    /// The shop's number of the basket.
    pub batch_external_id: ExternalId,
}

/// Which saved card.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct CardQuery {
    /// Its id.
    pub option_id: Text<1, 64>,
}
