//! The vault through its public face, on PostgreSQL: the same tests, and what several instances do to each other. Where
//! `CARD_WIDGET_WITHOUT` names postgresql, the same tests are done on SQLite once more and the others say nothing.

#![cfg(test)]

mod tokens {
    #[path = "../postgres/cluster.rs"]
    mod cluster;
    #[path = "../postgres/instances.rs"]
    mod instances;
    #[path = "../tokens/issuing.rs"]
    mod issuing;
    #[path = "../postgres/keeping.rs"]
    mod keeping;
    #[path = "../tokens/redeeming.rs"]
    mod redeeming;
    #[path = "../tokens/repeating.rs"]
    mod repeating;
    #[path = "../tokens/rotating.rs"]
    mod rotating;
    #[path = "../tokens/saving.rs"]
    mod saving;
    #[path = "../tokens/support.rs"]
    mod support;
    #[path = "../postgres/tls.rs"]
    mod tls;

    use cluster::database;
}
