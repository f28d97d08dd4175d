//! The client against a service with a sandbox: every call, and everything that can go wrong on the way.

#[cfg(test)]
mod sandbox {
    mod callbacks;
    mod calls;
    mod place;
    mod trouble;
}
