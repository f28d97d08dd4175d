//! Reports on their way out: page by page, no faster than they are taken.
//!
//! The first page is read before the answer begins, so that what fails at once is an ordinary refusal. What fails later breaks the body off:
//! without its last chunk, no client takes it for a whole report.

mod csv;
mod writer;

use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use processing::report::Report;
use processing::{Processing, Project, Refusal};
use schemars::JsonSchema;
use schemars::generate::SchemaGenerator;
use tokio::sync::mpsc;

use super::call::{Answers, Output};
use super::input::{Input, Raw};
use crate::reference::Operation;
use crate::waiting::Waiting;
use writer::Writer;

/// How a report is wanted, and turns at the store for reading it.
pub(crate) struct As {
    form: Form,
    waiting: Arc<Waiting>,
}

/// What a report is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Json,
    Csv,
}

impl Input for As {
    fn read(raw: &Raw<'_>, _: &Processing, _: &Project) -> Result<Self, Refusal> {
        Ok(Self {
            form: Form::wanted(raw.headers),
            waiting: Arc::clone(raw.waiting),
        })
    }

    fn describe(operation: Operation, _: &mut SchemaGenerator) -> Operation {
        operation
    }
}

impl Form {
    /// Of the header `Accept` (RFC 9110, 12.5.1): what has the greater weight, or stands first; JSON where neither is named.
    fn wanted(headers: &HeaderMap) -> Self {
        let lists = headers.get_all(header::ACCEPT).into_iter();
        let ranges = lists
            .filter_map(|list| list.to_str().ok())
            .flat_map(|list| list.split(','));
        let mut best = (Self::Json, 0);
        for range in ranges {
            let mut parts = range.split(';').map(str::trim);
            let form = match parts.next().unwrap_or_default() {
                name if name.eq_ignore_ascii_case(CSV) => Self::Csv,
                name if name.eq_ignore_ascii_case(JSON) => Self::Json,
                _ => continue,
            };
            let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
            let weight = weight.map_or(1000, thousandths);
            if weight > best.1 {
                best = (form, weight);
            }
        }
        best.0
    }

    const fn media(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Csv => "text/csv; charset=utf-8; header=present",
        }
    }
}

/// A weight of 0 to 1 with at most three decimals; 0 for anything else.
fn thousandths(weight: &str) -> u32 {
    let (whole, decimals) = weight.split_once('.').unwrap_or((weight, ""));
    let is_one = matches!(whole, "0" | "1") && decimals.len() <= 3;
    match is_one.then(|| format!("{whole}{decimals:0<3}").parse()) {
        Some(Ok(weight @ 0..=1000)) => weight,
        _ => 0,
    }
}

/// A report whose first page is there. `S` is the shape of the whole as JSON: an object with one list.
pub(crate) struct Sheet<R, S> {
    writer: Writer<R>,
    to: As,
    shape: PhantomData<S>,
}

impl<R: Report, S> Sheet<R, S> {
    /// Reads the first page. May wait for the store.
    pub(crate) fn begin(list: &'static str, report: R, to: As) -> Result<Self, Refusal> {
        let mut writer = Writer::new(report, to.form, list);
        writer.go_on()?;
        Ok(Self {
            writer,
            to,
            shape: PhantomData,
        })
    }
}

impl<R: Report + 'static, S: JsonSchema> Answers<S> for Sheet<R, S> {}

impl<R: Report + 'static, S: JsonSchema> Output for Sheet<R, S> {
    fn write(self) -> Response {
        let Self { mut writer, to, .. } = self;
        let (sender, chunks) = mpsc::channel(AHEAD);
        let headers = [
            (header::CONTENT_TYPE, to.form.media()),
            (header::CACHE_CONTROL, "no-store"),
        ];
        tokio::spawn(async move {
            while let Some(chunk) = writer.take() {
                // Nobody takes it any more: nobody goes on.
                if sender.send(chunk).await.is_err() {
                    return;
                }
                // What is missing then says that the report broke off.
                let Ok(Ok(())) = to.waiting.run(|| writer.go_on()).await else {
                    return;
                };
            }
        });
        let body = Chunks {
            chunks,
            is_whole: false,
        };
        (headers, Body::new(body)).into_response()
    }

    fn describe(operation: Operation, schemas: &mut SchemaGenerator) -> Operation {
        let operation = operation.answers_schema(schemas.subschema_for::<S>().to_value());
        operation.answers_with(200, "The report.", CSV)
    }
}

/// A part of a body.
enum Chunk {
    /// More follows.
    Part(Bytes),
    /// It was all.
    Last(Bytes),
}

/// A body that is being made.
struct Chunks {
    chunks: mpsc::Receiver<Chunk>,
    /// Whether the last one has come.
    is_whole: bool,
}

impl hyper::body::Body for Chunks {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        Poll::Ready(match ready!(self.chunks.poll_recv(context)) {
            Some(Chunk::Part(bytes)) => Some(Ok(Frame::data(bytes))),
            Some(Chunk::Last(bytes)) => {
                self.is_whole = true;
                Some(Ok(Frame::data(bytes)))
            }
            None if self.is_whole => None,
            None => Some(Err(Broken)),
        })
    }
}

/// Rows could not be read: the connection ends without the last chunk.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a report broke off")]
struct Broken;

/// Parts that wait for the client. With the one that is being sent and the one that is being made, that is all that is held.
const AHEAD: usize = 1;

const JSON: &str = "application/json";

const CSV: &str = "text/csv";

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::error::Error;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::http::HeaderValue;
    use http_body_util::BodyExt;
    use hyper::service::service_fn;
    use hyper_util::rt::TokioIo;
    use serde_json::{Value, json};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use wire::interface::report::day::Day;
    use wire::interface::report::{OperationType, Register, RegisterColumn, RegisterRow};
    use wire::interface::{Currency, StatusCode};

    use super::*;

    #[test]
    fn csv_is_written_for_those_who_want_it() {
        for (accept, form) in [
            (&[][..], Form::Json),
            (&["*/*"], Form::Json),
            (&["text/csv"], Form::Csv),
            (&["Text/CSV; q=0.9; header=present, */*"], Form::Csv),
            (&["text/csv, application/json"], Form::Csv),
            (&["application/json, text/csv"], Form::Json),
            (&["application/json;q=0.5, text/csv"], Form::Csv),
            (&["application/json", "text/csv;q=0.999"], Form::Json),
            (&["text/csv;q=0"], Form::Json),
            (&["text/csv;q=2"], Form::Json),
            (&["text/csv;q=0.1234, application/json;q=0.1"], Form::Json),
            (&["text/html, text/*;q=0.5"], Form::Json),
        ] {
            let mut headers = HeaderMap::new();
            for line in accept {
                headers.append(header::ACCEPT, HeaderValue::from_static(line));
            }
            assert_eq!(Form::wanted(&headers), form, "{accept:?}");
        }
    }

    /// Pages of rows that know how many of them were read.
    struct Pages {
        read: Arc<AtomicUsize>,
        /// How many there are.
        count: usize,
        /// Which one cannot be read.
        broken: Option<usize>,
    }

    impl Report for Pages {
        type Row = RegisterRow;

        fn columns(&self) -> &[RegisterColumn] {
            &[RegisterColumn::ExternalId, RegisterColumn::Amount]
        }

        fn next_page(&mut self) -> Result<Option<Vec<RegisterRow>>, Refusal> {
            let read = self.read.fetch_add(1, Ordering::SeqCst);
            if self.broken == Some(read) {
                return Err(Refusal::new(StatusCode::InternalError, "the disk is gone"));
            }
            Ok((read < self.count).then(|| vec![row(read); 100]))
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            self.read.fetch_add(GONE, Ordering::SeqCst);
        }
    }

    const GONE: usize = 1_000_000;

    fn row(number: usize) -> RegisterRow {
        let day = Day::new("2026-11-22").unwrap();
        RegisterRow {
            amount: 1050,
            card_pan: None,
            currency: Currency::new("UAH").unwrap(),
            description: None,
            external_id: format!("=order {number}"),
            internal_commission: 0,
            payer_external_fee: 0,
            payment_id: String::new(),
            payment_method: String::new(),
            payment_system: None,
            payment_type: OperationType::Purchase.into(),
            payout_amount: 1050,
            payout_date: day,
            processing_date: day,
            project_name: String::new(),
            client_email: None,
            client_first_name: None,
            client_last_name: None,
        }
    }

    fn begin(
        form: Form,
        count: usize,
        broken: Option<usize>,
    ) -> (Result<Response, Refusal>, Arc<AtomicUsize>) {
        let read = Arc::<AtomicUsize>::default();
        let pages = Pages {
            read: Arc::clone(&read),
            count,
            broken,
        };
        let to = As {
            form,
            waiting: Arc::default(),
        };
        let sheet = Sheet::<_, Register>::begin("payments", pages, to);
        (sheet.map(Output::write), read)
    }

    async fn whole(form: Form, count: usize, broken: Option<usize>) -> Result<String, Box<dyn Error>> {
        let (response, _) = begin(form, count, broken);
        let bytes = axum::body::to_bytes(response?.into_body(), usize::MAX).await?;
        Ok(String::from_utf8(bytes.to_vec())?)
    }

    #[tokio::test]
    async fn rows_are_one_table_in_both_forms() {
        let json: Value = serde_json::from_str(&whole(Form::Json, 3, None).await.unwrap()).unwrap();
        let rows = json["payments"].as_array().unwrap();
        assert_eq!(rows.len(), 300);
        assert_eq!(rows[299], json!({ "external_id": "=order 2", "amount": 1050 }));
        let csv = whole(Form::Csv, 3, None).await.unwrap();
        let lines: Vec<_> = csv.split("\r\n").collect();
        assert_eq!(
            (lines.len(), lines[0], lines[300]),
            (302, "external_id,amount", "'=order 2,1050")
        );
        assert_eq!(whole(Form::Json, 0, None).await.unwrap(), "{\"payments\":[]}");
        assert_eq!(whole(Form::Csv, 0, None).await.unwrap(), "external_id,amount\r\n");
    }

    /// A client that takes nothing is not read for, and one that is gone ends it.
    #[tokio::test]
    async fn no_more_is_read_than_is_taken() {
        let (response, read) = begin(Form::Json, 10_000, None);
        let mut body = response.unwrap().into_body();
        for taken in 1..=3 {
            body.frame().await.unwrap().unwrap();
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            assert!(
                (taken..=taken + 2).contains(&read.load(Ordering::SeqCst)),
                "{read:?}"
            );
        }
        drop(body);
        while read.load(Ordering::SeqCst) < GONE {
            tokio::task::yield_now().await;
        }
        assert!(read.load(Ordering::SeqCst) < GONE + 7);
    }

    #[tokio::test]
    async fn what_breaks_at_once_is_refused_and_what_breaks_later_is_cut_off() {
        let (refused, _) = begin(Form::Csv, 5, Some(0));
        assert_eq!(refused.unwrap_err().code, StatusCode::InternalError);
        for form in [Form::Json, Form::Csv] {
            for broken in 1..5 {
                assert!(whole(form, 4, Some(broken)).await.is_err(), "{form:?} {broken}");
            }
        }
    }

    /// What a client sees of it: no last chunk.
    #[tokio::test]
    async fn a_broken_report_has_no_end_on_the_wire() {
        for broken in [None, Some(3)] {
            let (mut client, server) = tokio::io::duplex(1024);
            let answer =
                move |_| std::future::ready(Ok::<_, Infallible>(begin(Form::Csv, 5, broken).0.unwrap()));
            let connection = hyper::server::conn::http1::Builder::new()
                .keep_alive(false)
                .serve_connection(TokioIo::new(server), service_fn(answer));
            let server = tokio::spawn(connection);
            client
                .write_all(b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n")
                .await
                .unwrap();
            let mut told = Vec::new();
            client.read_to_end(&mut told).await.unwrap();
            assert_eq!(told.ends_with(b"\r\n0\r\n\r\n"), broken.is_none());
            assert_eq!(server.await.unwrap().is_ok(), broken.is_none());
        }
    }
}
