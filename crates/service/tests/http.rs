//! The service through its router, in this process. Those that need a socket open one on loopback.

#[cfg(test)]
mod http {
    #[path = "../../../vault/tests/postgres/cluster.rs"]
    pub(crate) mod cluster;
    pub(crate) mod sealing;
    pub(crate) mod service;
    pub(crate) mod socket;

    mod api;
    mod apps;
    mod assets;
    mod callbacks;
    mod frame;
    mod installments;
    mod instances;
    mod inventory;
    mod limits;
    mod logs;
    mod memory;
    mod metrics;
    mod operator;
    mod pages;
    mod payments;
    mod payouts;
    mod projects;
    mod readiness;
    mod reference;
    mod refusals;
    mod rehearsal;
    mod repeats;
    mod reports;
    mod routes;
    mod sandbox;
    mod saved_cards;
    mod slow;
    mod sockets;
    mod stopping;
    mod subscriptions;
    mod testing;
    mod texts;
    mod tls;
    mod tokens;
}
