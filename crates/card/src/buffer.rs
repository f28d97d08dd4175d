//! One buffer of fixed size for everything a person types.

use alloc::string::String;

use zeroize::{Zeroize, Zeroizing};

/// Most digits a field holds. The longest card number has 19 (ISO/IEC 7812-1); the rest is room to show a paste that
/// is too long as what it is.
pub(crate) const DIGIT_LIMIT: usize = 32;

/// Room for the digits and a gap after every fourth.
pub(crate) const SIZE: usize = DIGIT_LIMIT + DIGIT_LIMIT / 4;

/// ASCII text of at most 40 bytes, wiped on drop. One size for all fields, so that there is one copy of the code.
///
/// It lives on the heap at its full size from the start: it never grows, and moving it leaves no copy on the stack.
pub(crate) struct Buffer {
    text: Zeroizing<String>,
}

impl Buffer {
    pub(crate) fn new() -> Self {
        Self {
            text: Zeroizing::new(String::with_capacity(SIZE)),
        }
    }

    /// Adds one ASCII byte. `false` when the buffer is full: nothing was added.
    pub(crate) fn push(&mut self, byte: u8) -> bool {
        let fits = self.len() < SIZE;
        if fits {
            self.text.push(char::from(byte & 0x7f));
        }
        fits
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Empties it, and wipes all of it, what lies behind the end too.
    pub(crate) fn wipe(&mut self) {
        self.text.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_fits_and_refuses_the_rest() {
        let mut buffer = Buffer::new();
        for _ in 0..SIZE {
            assert!(buffer.push(b'7'));
        }
        assert!(!buffer.push(b'8'));
        assert_eq!(buffer.as_bytes(), [b'7'; SIZE]);
        assert_eq!(buffer.text.capacity(), SIZE, "it never grew");
    }

    #[test]
    fn wiping_leaves_no_byte() {
        let mut buffer = Buffer::new();
        for byte in b"4242 4242" {
            buffer.push(*byte);
        }
        buffer.wipe();
        assert_eq!(buffer.text.capacity(), SIZE, "the room is kept");
        assert!(buffer.is_empty());
    }
}
