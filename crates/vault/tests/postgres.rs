//! The vault through its public face, on PostgreSQL: the same tests, and what several instances do to each other. Where
//! `CARD_WIDGET_WITHOUT` names postgresql, the same tests are done on SQLite once more and the others say nothing.

#![cfg(test)]

mod tokens {
    #[path = "../tokens/backing_up.rs"]
    mod backing_up;
    #[path = "../postgres/cluster.rs"]
    mod cluster;
    #[path = "../postgres/instances.rs"]
    mod instances;
    #[path = "../tokens/issuing.rs"]
    mod issuing;
    #[path = "../postgres/keeping.rs"]
    mod keeping;
    #[path = "../postgres/own_tools.rs"]
    mod own_tools;
    #[path = "../tokens/redeeming.rs"]
    mod redeeming;
    #[path = "../tokens/repeating.rs"]
    mod repeating;
    #[path = "../tokens/resealing.rs"]
    mod resealing;
    #[path = "../tokens/rotating.rs"]
    mod rotating;
    #[path = "../tokens/saved_crashing.rs"]
    mod saved_crashing;
    #[path = "../tokens/saving.rs"]
    mod saving;
    #[path = "../tokens/support.rs"]
    mod support;
    #[path = "../postgres/tampering.rs"]
    mod tampering;
    #[path = "../postgres/tls.rs"]
    mod tls;

    use cluster::database;

    /// The database itself stays.
    fn drop_store(url: &str) {
        cluster::sql(url, "DROP SCHEMA IF EXISTS card_widget_vault CASCADE");
    }
}
