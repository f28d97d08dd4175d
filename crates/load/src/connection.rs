//! One connection that is kept alive: a request goes out in one piece, the answer is read to its end.
//!
//! It blocks. A load needs as many threads as connections then, which all sleep; in return a request costs the generator
//! two system calls and no runtime.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A connection to a server on this machine.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// What came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<'a> {
    /// HTTP status.
    pub status: u16,
    /// Body.
    pub body: &'a [u8],
}

impl Connection {
    /// Connects; neither this nor an answer may take longer than `limit`.
    pub fn open(address: SocketAddr, limit: Duration) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, limit)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(limit))?;
        stream.set_write_timeout(Some(limit))?;
        Ok(Self {
            stream,
            buffer: vec![0; BUFFER],
        })
    }

    /// Sends a whole request and waits for its answer. After an error the connection is of no more use.
    pub fn exchange(&mut self, request: &[u8]) -> io::Result<Answer<'_>> {
        self.send(request)?;
        self.receive()
    }

    /// Sends a whole request.
    pub fn send(&mut self, request: &[u8]) -> io::Result<()> {
        self.stream.write_all(request)
    }

    /// Waits for the answer to what was sent.
    pub fn receive(&mut self) -> io::Result<Answer<'_>> {
        let mut read = 0;
        let (status, body) = loop {
            let space = self.buffer.get_mut(read..).unwrap_or_default();
            let more = match self.stream.read(space) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                more => more?,
            };
            if more == 0 {
                // The server went away, or the answer is larger than any of ours.
                return Err(ErrorKind::UnexpectedEof.into());
            }
            read += more;
            if let Some(whole) = parse(&self.buffer[..read])? {
                break whole;
            }
        };
        // `parse` has seen that so much was read.
        let body = self.buffer.get(body..read).unwrap_or_default();
        Ok(Answer { status, body })
    }
}

/// Status and where the body begins, once the whole answer is there.
fn parse(bytes: &[u8]) -> io::Result<Option<(u16, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut head = httparse::Response::new(&mut headers);
    let parsed = head
        .parse(bytes)
        .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
    let httparse::Status::Complete(body) = parsed else {
        return Ok(None);
    };
    let length = head
        .headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case("content-length"))
        .and_then(|header| std::str::from_utf8(header.value).ok()?.parse::<usize>().ok());
    let (Some(status), Some(length)) = (head.code, length) else {
        return Err(io::Error::new(
            ErrorKind::InvalidData,
            "an answer without a length",
        ));
    };
    Ok((bytes.len() >= body + length).then_some((status, body)))
}

/// Larger than any answer with which a load has to do.
const BUFFER: usize = 256 * 1024;

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    #[test]
    fn answers_are_read_to_their_end() {
        let whole = b"HTTP/1.1 201 Created\r\nContent-Length: 3\r\n\r\nabc";
        assert_eq!(parse(whole).unwrap(), Some((201, whole.len() - 3)));
        for cut in 0..whole.len() {
            assert_eq!(parse(&whole[..cut]).unwrap(), None, "{cut}");
        }
        assert!(parse(b"HTTP/1.1 200 OK\r\n\r\n").is_err(), "no length");
        assert!(parse(b"nonsense\r\n\r\n").is_err());
    }

    #[test]
    fn one_connection_serves_several_requests_and_tells_when_it_is_cut() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            for part in ["HTTP/1.1 200 OK\r\ncontent-le", "ngth: 2\r\n\r\no", "k"] {
                stream.write_all(part.as_bytes()).unwrap();
                thread::sleep(Duration::from_millis(5));
            }
            let mut request = [0; 5];
            stream.read_exact(&mut request).unwrap();
            stream.read_exact(&mut request).unwrap();
            stream.write_all(b"HTTP/1.1 503 Un\r\ncontent-length: 9").unwrap();
        });
        let mut connection = Connection::open(address, Duration::from_secs(5)).unwrap();
        let answer = connection.exchange(b"first").unwrap();
        assert_eq!((answer.status, answer.body), (200, &b"ok"[..]));
        let error = connection.exchange(b"again").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
        server.join().unwrap();
    }
}
