//! The service through its router, in this process. Only `sockets` opens any.

#[cfg(test)]
mod http {
    pub(crate) mod sealing;
    pub(crate) mod service;

    mod assets;
    mod frame;
    mod logs;
    mod operator;
    mod refusals;
    mod repeats;
    mod routes;
    mod sockets;
    mod tokens;
}
