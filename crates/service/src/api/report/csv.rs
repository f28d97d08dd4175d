//! Rows as CSV (RFC 4180), which people open with programs that calculate.

use std::io::Write as _;

use wire::interface::report::row::Cell;

/// The line of names.
pub(super) fn names<'a>(names: impl Iterator<Item = &'a str>, out: &mut Vec<u8>) {
    row(names.map(Cell::Text), out);
}

/// A line.
pub(super) fn row<'a>(cells: impl Iterator<Item = Cell<'a>>, out: &mut Vec<u8>) {
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        let written = match cell {
            Cell::Empty => Ok(()),
            Cell::Text(content) => {
                text(content, out);
                Ok(())
            }
            Cell::Whole(number) => write!(out, "{number}"),
            Cell::Decimal(amount) => write!(out, "{amount}"),
            Cell::Day(day) => write!(out, "{day}"),
            Cell::Moment(moment) => write!(out, "{moment}"),
        };
        debug_assert!(written.is_ok(), "writing into memory cannot fail");
    }
    out.extend_from_slice(b"\r\n");
}

/// Text, in quotes where it needs them. Text that such a program would take for a formula gets an apostrophe in front, by which it knows that
/// this is none: anybody who can name an order could otherwise have it calculate.
fn text(text: &str, out: &mut Vec<u8>) {
    let is_quoted = text.contains(['"', ',', '\r', '\n']);
    if is_quoted {
        out.push(b'"');
    }
    if text.starts_with(FORMULAS) {
        out.push(b'\'');
    }
    match is_quoted {
        true => {
            out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
            out.push(b'"');
        }
        false => out.extend_from_slice(text.as_bytes()),
    }
}

/// What formulas begin with, in wide letters too, and white space that programs leave out.
const FORMULAS: [char; 11] = [
    '=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
];

#[cfg(test)]
mod tests {
    use wire::interface::Amount;

    use super::*;

    fn line(cells: &[Cell<'_>]) -> String {
        let mut out = Vec::new();
        row(cells.iter().copied(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn cells_are_told_apart() {
        let cells = [
            Cell::Text("a"),
            Cell::Empty,
            Cell::Text(""),
            Cell::Whole(-700),
            Cell::Decimal(Amount::from_minor(1250).unwrap()),
            Cell::Text("a, b"),
            Cell::Text("say \"so\""),
            Cell::Text("line\r\nfeed"),
            Cell::Text("коза"),
        ];
        let told = "a,,,-700,12.50,\"a, b\",\"say \"\"so\"\"\",\"line\r\nfeed\",коза\r\n";
        assert_eq!(line(&cells), told);
    }

    #[test]
    fn no_text_is_a_formula() {
        for (text, told) in [
            ("=1+1", "'=1+1"),
            ("+380", "'+380"),
            ("-1", "'-1"),
            ("@x", "'@x"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("=a,\"b\"", "\"'=a,\"\"b\"\"\""),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("a=1", "a=1"),
            ("'=1", "'=1"),
        ] {
            assert_eq!(line(&[Cell::Text(text)]), format!("{told}\r\n"), "{text}");
        }
    }
}
