//! The service through its router, in this process. Those that need a socket open one on loopback.

#[cfg(test)]
mod http {
    pub(crate) mod sealing;
    pub(crate) mod service;
    pub(crate) mod socket;

    mod apps;
    mod assets;
    mod frame;
    mod inventory;
    mod limits;
    mod logs;
    mod memory;
    mod metrics;
    mod operator;
    mod reference;
    mod refusals;
    mod repeats;
    mod routes;
    mod slow;
    mod sockets;
    mod stopping;
    mod testing;
    mod texts;
    mod tls;
    mod tokens;
}
