//! Calls that go wrong, because a test asked for it.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use axum::http::StatusCode as Status;
use axum::response::{IntoResponse, Response};
use processing::{Project, Refusal};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use wire::interface::StatusCode;
use wire::interface::sandbox::{FaultKind, SandboxFault};
use wire::interface::values::Whole;

use super::Sandbox;
use crate::api::{self, Call};
use crate::app::App;

/// Stands with an answer that nobody gets: the connection is closed instead.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("hung up, as a fault of the sandbox asks for")]
pub struct HungUp;

impl Sandbox {
    /// Does the work of a call as its next fault says.
    pub(crate) async fn amid_faults<F>(
        &self,
        app: &App,
        project: &Project,
        call: &Call,
        work: impl Fn() -> F,
    ) -> Result<Response, Refusal>
    where
        F: Future<Output = Result<Result<Response, Refusal>, Refusal>>,
    {
        let take = || app.processing.take_fault(project, call.path(), KINDS);
        let fault = api::run(&app.waiting, take).await??;
        let answered = match fault {
            None => work().await.and_then(|answered| answered),
            Some(fault) => self.amid(&fault, project, call, work).await,
        };
        self.notify(project).notify_waiters();
        answered
    }

    async fn amid<F>(
        &self,
        fault: &SandboxFault,
        project: &Project,
        call: &Call,
        work: impl Fn() -> F,
    ) -> Result<Response, Refusal>
    where
        F: Future<Output = Result<Result<Response, Refusal>, Refusal>>,
    {
        match fault.kind {
            FaultKind::Delay => {
                let millis = fault.milliseconds.map_or(1000, Whole::value);
                sleep(Duration::from_millis(millis.into())).await;
            }
            FaultKind::Drop => return Ok(hung_up()),
            FaultKind::LostAnswer => {
                // Whatever it is, nobody hears of it.
                let _ = work().await;
                return Ok(hung_up());
            }
            FaultKind::Duplicate => {
                let _ = work().await;
            }
            FaultKind::Reorder => {
                // Goes on by itself when nothing follows.
                let _ = timeout(LONGEST_WAIT, self.notify(project).notified()).await;
            }
            FaultKind::Error => {
                let code = fault.result().unwrap_or(StatusCode::InternalError);
                let refusal = Refusal::new(code, "A fault of the sandbox: nothing was done.");
                let status = fault.status.map_or(500, Whole::value);
                let mut response = api::refuse(call.family(), refusal);
                *response.status_mut() = u16::try_from(status)
                    .ok()
                    .and_then(|status| Status::from_u16(status).ok())
                    .unwrap_or(Status::INTERNAL_SERVER_ERROR);
                return Ok(response);
            }
            // The acquirer's, not the call's.
            _ => {}
        }
        work().await?
    }

    fn notify(&self, project: &Project) -> Arc<Notify> {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        // As many entries as there are projects.
        Arc::clone(answered.entry(project.id.clone()).or_default())
    }
}

fn hung_up() -> Response {
    let mut response = Status::SERVICE_UNAVAILABLE.into_response();
    response.extensions_mut().insert(HungUp);
    response
}

/// What can happen to a call.
const KINDS: &[FaultKind] = &[
    FaultKind::Delay,
    FaultKind::Drop,
    FaultKind::Duplicate,
    FaultKind::Reorder,
    FaultKind::Error,
    FaultKind::LostAnswer,
];

/// For the call behind it.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
