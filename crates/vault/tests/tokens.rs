//! The vault through its public face.

#![cfg(test)]

mod tokens {
    mod at_rest;
    mod auditing;
    mod crashing;
    mod issuing;
    mod redeeming;
    mod repeating;
    mod rotating;
    mod support;
}
