//! One buffer of fixed size for everything a person types.

use core::str;

use zeroize::Zeroize;

/// Most digits a field holds. The longest card number has 19 (ISO/IEC 7812-1); the rest is room to show a paste that
/// is too long as what it is.
pub(crate) const DIGIT_LIMIT: usize = 32;

/// Room for the digits and a gap after every fourth.
const SIZE: usize = DIGIT_LIMIT + DIGIT_LIMIT / 4;

/// ASCII text of at most 40 bytes, wiped on drop. One size for all fields, so that there is one copy of the code.
pub(crate) struct Buffer {
    bytes: [u8; SIZE],
    len: u8,
}

impl Buffer {
    pub(crate) const fn new() -> Self {
        Self {
            bytes: [0; SIZE],
            len: 0,
        }
    }

    /// Adds one ASCII byte. `false` when the buffer is full: nothing was added.
    pub(crate) fn push(&mut self, byte: u8) -> bool {
        let Some(slot) = self.bytes.get_mut(usize::from(self.len)) else {
            return false;
        };
        *slot = byte & 0x7f;
        self.len += 1;
        true
    }

    /// Removes the byte at `index`; out of range changes nothing.
    pub(crate) fn remove(&mut self, index: usize) {
        let len = self.len();
        if index >= len {
            return;
        }
        self.bytes.copy_within(index + 1..len, index);
        self.len -= 1;
        self.bytes[len - 1] = 0;
    }

    pub(crate) fn len(&self) -> usize {
        usize::from(self.len)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len()).unwrap_or(&[])
    }

    /// `push` and `insert` keep the bytes ASCII, so the fallback is never taken.
    pub(crate) fn as_str(&self) -> &str {
        str::from_utf8(self.as_bytes()).unwrap_or("")
    }

    pub(crate) fn wipe(&mut self) {
        self.bytes.zeroize();
        self.len = 0;
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.wipe();
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
        buffer.remove(SIZE);
        assert_eq!(buffer.len(), SIZE);
        buffer.remove(0);
        assert_eq!(buffer.len(), SIZE - 1);
        assert_eq!(buffer.bytes[SIZE - 1], 0, "nothing is left behind the end");
    }

    #[test]
    fn wiping_leaves_no_byte() {
        let mut buffer = Buffer::new();
        for byte in b"4242 4242" {
            buffer.push(*byte);
        }
        buffer.wipe();
        assert_eq!(buffer.bytes, [0; SIZE]);
        assert!(buffer.is_empty());
    }
}
