//! What a server tells of itself at `/metrics`.

use std::net::SocketAddr;

use crate::boot;

/// Flushes to the disk so far; `None` where the server does not tell them.
pub fn flushes(address: SocketAddr) -> Option<f64> {
    let text = boot::get(address, "/metrics").ok()?;
    value(std::str::from_utf8(&text).ok()?, FLUSHES)
}

/// A value in the text format of Prometheus, summed over its labels.
fn value(text: &str, name: &str) -> Option<f64> {
    let values = text.lines().filter_map(|line| {
        let rest = line.strip_prefix(name)?;
        let rest = match rest.split_once('}') {
            Some((labels, rest)) if labels.starts_with('{') => rest,
            _ => rest,
        };
        rest.strip_prefix(' ')?.trim().parse::<f64>().ok()
    });
    values.reduce(|sum, value| sum + value)
}

/// Committed transactions of the vault's writer, each of which waits for the disk once.
const FLUSHES: &str = "card_widget_vault_batches_total";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_whole_name() {
        let text = "# TYPE a counter\na_b 9\na 3\n";
        assert_eq!(value(text, "a"), Some(3.0));
        assert_eq!(value(text, "b"), None);
        assert_eq!(value("a{x=\"1\"} 2\na{x=\"2\"} 5\n", "a"), Some(7.0));
        assert_eq!(value("a nonsense", "a"), None);
    }
}
