//! The vault through its public face, on SQLite.

#![cfg(test)]

mod tokens {
    mod at_rest;
    mod auditing;
    mod backing_up;
    mod clock;
    mod crashing;
    mod issuing;
    mod key_agent;
    mod redeeming;
    mod repeating;
    mod resealing;
    mod rotating;
    mod saved_at_rest;
    mod saved_crashing;
    mod saving;
    mod secrets;
    mod support;

    /// Stores lie in files.
    fn database() -> Option<String> {
        None
    }

    /// What lies outside of the test's folder: nothing.
    fn drop_store(_: &str) {}
}
