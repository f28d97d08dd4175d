//! What happens to the form, and how bytes say it.

/// One thing that happens to the form.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Op {
    /// The focus moves to this field.
    Focus(u8),
    /// The focus leaves the form.
    Blur,
    /// A selection, in any order and perhaps beyond the end.
    Select(u8, u8),
    /// A key, a paste, a drop.
    Insert(String),
    /// One of the ways to delete, by its place in `DELETES`.
    Delete(u8),
    /// A value from a script or a password manager, and the caret in it.
    Value(String, u8),
    /// The browser goes so many of its own steps back, or forth.
    Travel(bool, u8),
    /// It does, and shows what never was there.
    Stray(bool, String),
    Submit,
    Clear,
    Choose(u8),
    Restrict(u16),
    Unrestrict,
}

/// What one byte below 64 types: digits often, marks and oddities now and then.
const KEYS: [char; 32] = [
    '0',
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    ' ',
    '-',
    '/',
    '.',
    'x',
    'Z',
    '\n',
    '\u{a0}',
    '\u{200e}',
    '\u{2013}',
    '\u{ff0f}',
    '\u{663}',
    '\u{6f5}',
    '\u{96b}',
    '\u{ff15}',
    '\u{1d7db}',
    '\u{1f600}',
    '\u{301}',
    '0',
    '1',
    '2',
    '4',
];

const SELECT: u8 = 64;
const DELETE: u8 = 72;
const PASTE: u8 = 80;
const VALUE: u8 = 81;
const TRAVEL: u8 = 82;
const STRAY: u8 = 84;
const FOCUS: u8 = 88;
const BLUR: u8 = 91;
const SUBMIT: u8 = 92;
const CLEAR: u8 = 93;
const CHOOSE: u8 = 94;
const RESTRICT: u8 = 95;
const UNRESTRICT: u8 = 96;

/// Reads a session from bytes: each begins an operation, whatever it is.
pub(crate) fn decode(bytes: &[u8]) -> Vec<Op> {
    let mut bytes = bytes.iter().copied();
    let mut ops = Vec::new();
    while let Some(byte) = bytes.next() {
        let mut next = || bytes.next().unwrap_or(0);
        let text = |next: &mut dyn FnMut() -> u8| {
            let count = usize::from(next() % 48);
            (0..count).map(|_| key(next())).collect::<String>()
        };
        ops.push(match byte {
            SELECT..DELETE => Op::Select(next(), next()),
            DELETE..PASTE => Op::Delete((byte - DELETE) % 7),
            PASTE => Op::Insert(text(&mut next)),
            VALUE => Op::Value(text(&mut next), next()),
            TRAVEL | 83 => Op::Travel(byte == TRAVEL, next() % 80),
            STRAY | 85 => Op::Stray(byte == STRAY, text(&mut next)),
            FOCUS..BLUR => Op::Focus(byte - FOCUS),
            BLUR => Op::Blur,
            SUBMIT => Op::Submit,
            CLEAR => Op::Clear,
            CHOOSE => Op::Choose(next()),
            RESTRICT => Op::Restrict(u16::from_le_bytes([next(), next()])),
            UNRESTRICT => Op::Unrestrict,
            _ => Op::Insert(key(byte).to_string()),
        });
    }
    ops
}

fn key(byte: u8) -> char {
    KEYS[usize::from(byte) % KEYS.len()]
}

/// The other way round, as far as the keys above reach: other characters become `x`.
pub(crate) fn encode(ops: &[Op]) -> Vec<u8> {
    let code = |character: char| KEYS.iter().position(|key| *key == character).unwrap_or(14) as u8;
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.push(text.chars().count().min(47) as u8);
        bytes.extend(text.chars().take(47).map(code));
    };
    let mut bytes = Vec::new();
    for op in ops {
        match op {
            Op::Focus(field) => bytes.push(FOCUS + field % 3),
            Op::Blur => bytes.push(BLUR),
            Op::Select(start, end) => bytes.extend([SELECT, *start, *end]),
            Op::Insert(put) if put.chars().count() == 1 => bytes.extend(put.chars().map(code)),
            Op::Insert(put) => {
                bytes.push(PASTE);
                text(&mut bytes, put);
            }
            Op::Delete(kind) => bytes.push(DELETE + kind % 7),
            Op::Value(value, caret) => {
                bytes.push(VALUE);
                text(&mut bytes, value);
                bytes.push(*caret);
            }
            Op::Travel(back, steps) => bytes.extend([TRAVEL + u8::from(!back), *steps]),
            Op::Stray(back, value) => {
                bytes.push(STRAY + u8::from(!back));
                text(&mut bytes, value);
            }
            Op::Submit => bytes.push(SUBMIT),
            Op::Clear => bytes.push(CLEAR),
            Op::Choose(brand) => bytes.extend([CHOOSE, *brand]),
            Op::Restrict(brands) => {
                bytes.push(RESTRICT);
                bytes.extend(brands.to_le_bytes());
            }
            Op::Unrestrict => bytes.push(UNRESTRICT),
        }
    }
    bytes
}
