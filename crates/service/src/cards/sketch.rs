//! Marks of many values in little room.

use std::num::NonZeroU32;

/// A field of bits, one of which each value sets. A bit that is set may be another value's, so a new value counts as an
/// old one now and then, never the other way: a count may be too small, and by less than `1 / BITS_PER_VALUE`.
pub(super) struct Sketch {
    words: Box<[u64]>,
    count: u32,
}

impl Sketch {
    /// For up to `values` different ones.
    pub(super) fn new(values: NonZeroU32) -> Self {
        let bits = (values.get() as usize)
            .saturating_mul(BITS_PER_VALUE)
            .clamp(FEWEST, MOST);
        Self {
            words: vec![0; bits.div_ceil(64)].into(),
            count: 0,
        }
    }

    /// How many different ones were marked.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Whether `value` may have been marked.
    pub(super) fn has(&self, value: u64) -> bool {
        let (word, bit) = self.place(value);
        self.words[word] & bit != 0
    }

    pub(super) fn mark(&mut self, value: u64) {
        if !self.has(value) {
            let (word, bit) = self.place(value);
            self.words[word] |= bit;
            self.count += 1;
        }
    }

    /// Values are evenly spread already. The remainder is smaller than the number of bits.
    fn place(&self, value: u64) -> (usize, u64) {
        let bit = value % (self.words.len() as u64 * 64);
        ((bit / 64) as usize, 1 << (bit % 64))
    }
}

/// Of 16 bits at most one is set, so that at most one new value in 16 goes unnoticed.
const BITS_PER_VALUE: usize = 16;

/// Small ones are a little more exact, at no price.
const FEWEST: usize = 1024;

/// 128 KiB, for limits of many thousands.
const MOST: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_is_different() {
        let mut sketch = Sketch::new(NonZeroU32::new(1000).unwrap());
        for round in 0..2 {
            for value in 0..1000_u64 {
                sketch.mark(value.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            }
            assert!(
                (930..=1000).contains(&sketch.count()),
                "{round}: {}",
                sketch.count()
            );
        }
        assert_eq!(sketch.words.len() * 8, 2000, "bytes");
    }
}
