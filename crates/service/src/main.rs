//! Binary of the service.

fn main() {}
