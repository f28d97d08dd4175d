//! Which status carries a refusal: each family of calls has its own few (wire notes §1).

use axum::http::StatusCode as Status;
use wire::interface::StatusCode;

/// Calls that answer with the same statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Payments, baskets and payouts.
    Payments,
    /// Saved cards.
    SavedCards,
    /// Plans of subscriptions.
    Plans,
    /// The deletion of a plan.
    PlanDeletion,
    /// Customers' subscriptions.
    Subscriptions,
    /// Installment orders.
    Installments,
    /// Control of the sandbox.
    Sandbox,
}

impl Family {
    /// The statuses of its refusals, in their order.
    pub(crate) fn statuses(self) -> &'static [u16] {
        match self {
            Self::Payments => &[400, 401, 403, 429, 500],
            Self::Installments | Self::Sandbox => &[400, 401, 403, 500],
            Self::SavedCards => &[400, 401, 429, 500],
            Self::Plans => &[400, 401, 403, 404, 500],
            Self::PlanDeletion => &[400, 401, 403, 404, 412, 500],
            Self::Subscriptions => &[400, 401, 403, 404, 409, 412, 500],
        }
    }

    /// The status of a refusal: what the code means in HTTP where the family has that, else 400.
    pub(crate) fn status(self, code: &StatusCode) -> Status {
        let status = match code {
            StatusCode::AuthorizationFailed
            | StatusCode::CustomerAuthNotFound
            | StatusCode::CustomerAuthInvalid => 401,
            StatusCode::AccessNotAllowed | StatusCode::RestrictedIp => 403,
            StatusCode::PlanNotFound | StatusCode::SubscriptionNotFound => 404,
            StatusCode::SubscriptionAlreadyExists | StatusCode::OrderIsDuplicated => 409,
            StatusCode::PlanNotActive | StatusCode::SubscriptionNotActive => 412,
            StatusCode::TooManyRequests => 429,
            StatusCode::InternalError => 500,
            _ => 400,
        };
        let status = if self.statuses().contains(&status) {
            status
        } else {
            400
        };
        Status::from_u16(status).unwrap_or(Status::BAD_REQUEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_has_no_other_statuses() {
        for family in [
            Family::Payments,
            Family::SavedCards,
            Family::Plans,
            Family::PlanDeletion,
            Family::Subscriptions,
            Family::Installments,
            Family::Sandbox,
        ] {
            for code in StatusCode::KNOWN {
                assert!(
                    family.statuses().contains(&family.status(code).as_u16()),
                    "{code}"
                );
            }
        }
        let status = |family: Family| family.status(&StatusCode::AccessNotAllowed);
        assert_eq!(
            (status(Family::Payments), status(Family::SavedCards)),
            (Status::FORBIDDEN, Status::BAD_REQUEST)
        );
        assert_eq!(Family::Payments.status(&StatusCode::DataNotFound), 400);
        let ended = |family: Family| family.status(&StatusCode::PlanNotActive).as_u16();
        assert_eq!(
            (
                ended(Family::Plans),
                ended(Family::PlanDeletion),
                ended(Family::Subscriptions)
            ),
            (400, 412, 412)
        );
        assert_eq!(Family::Payments.status(&StatusCode::Other("new".into())), 400);
    }
}
