//! The service through its router, in this process. Only `sockets` and `memory` open any.

#[cfg(test)]
mod http {
    pub(crate) mod sealing;
    pub(crate) mod service;

    mod assets;
    mod frame;
    mod inventory;
    mod logs;
    mod memory;
    mod operator;
    mod refusals;
    mod repeats;
    mod routes;
    mod sockets;
    mod texts;
    mod tokens;
}
