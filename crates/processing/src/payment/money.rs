//! The money of one payment: sums that no operation can bring out of order.

use wire::interface::{Amount, StatusCode};

/// What became of an amount. At any moment `charged + released <= held`, where it was held, and `refunded + refunding <= charged`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Money {
    /// What was held; nothing where it was charged at once.
    pub(crate) held: Amount,
    /// What was charged.
    pub(crate) charged: Amount,
    /// What was held and is free again.
    pub(crate) released: Amount,
    /// What went back.
    pub(crate) refunded: Amount,
    /// What is to go back and has not yet.
    pub(crate) refunding: Amount,
}

impl Money {
    /// All of an amount, held.
    pub(crate) fn of_hold(amount: Amount) -> Self {
        Self {
            held: amount,
            ..Self::default()
        }
    }

    /// What is held now.
    pub(crate) fn rest(&self) -> Amount {
        let gone = self.charged.plus(self.released);
        gone.and_then(|gone| self.held.minus(gone)).unwrap_or_default()
    }

    /// What may still be refunded.
    pub(crate) fn refundable(&self) -> Amount {
        let gone = self.refunded.plus(self.refunding);
        gone.and_then(|gone| self.charged.minus(gone)).unwrap_or_default()
    }

    /// How much a confirmation charges: what is asked for, or all.
    pub(crate) fn to_confirm(self, asked: Option<Amount>) -> Result<Amount, StatusCode> {
        let amount = asked.unwrap_or(self.rest());
        match amount {
            amount if amount.is_zero() => Err(StatusCode::WrongAmount),
            amount if amount > self.rest() => Err(StatusCode::ConfirmAmountTooHigh),
            amount => Ok(amount),
        }
    }

    /// How much a cancellation releases, and whether that is all.
    pub(crate) fn to_release(self, asked: Option<Amount>) -> Result<(Amount, bool), StatusCode> {
        let amount = asked.unwrap_or(self.rest());
        match amount {
            amount if amount.is_zero() => Err(StatusCode::WrongAmount),
            amount if amount > self.rest() => Err(StatusCode::InvalidTransactionAmount),
            amount => Ok((amount, amount == self.rest())),
        }
    }

    /// How much a refund gives back.
    pub(crate) fn to_refund(self, asked: Option<Amount>) -> Result<Amount, StatusCode> {
        if self.refundable().is_zero() {
            return Err(StatusCode::PaymentWasRefunded);
        }
        let amount = asked.unwrap_or(self.refundable());
        match amount {
            amount if amount.is_zero() || amount > self.refundable() => Err(StatusCode::IncorrectRefund),
            amount => Ok(amount),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(minor: u64) -> Amount {
        Amount::from_minor(minor).unwrap()
    }

    #[test]
    fn nothing_beyond_what_is_held_is_confirmed_or_released() {
        let money = Money {
            held: amount(100),
            released: amount(30),
            ..Money::default()
        };
        assert_eq!(money.to_confirm(None), Ok(amount(70)));
        assert_eq!(
            money.to_confirm(Some(amount(71))),
            Err(StatusCode::ConfirmAmountTooHigh)
        );
        assert_eq!(money.to_confirm(Some(Amount::ZERO)), Err(StatusCode::WrongAmount));
        assert_eq!(money.to_release(Some(amount(70))), Ok((amount(70), true)));
        assert_eq!(money.to_release(Some(amount(69))), Ok((amount(69), false)));
        assert_eq!(
            money.to_release(Some(amount(71))),
            Err(StatusCode::InvalidTransactionAmount)
        );
    }

    #[test]
    fn nothing_beyond_what_was_charged_goes_back() {
        let money = Money {
            charged: amount(100),
            refunded: amount(20),
            refunding: amount(30),
            ..Money::default()
        };
        assert_eq!(money.to_refund(None), Ok(amount(50)));
        assert_eq!(
            money.to_refund(Some(amount(51))),
            Err(StatusCode::IncorrectRefund)
        );
        let money = Money {
            refunded: amount(70),
            ..money
        };
        assert_eq!(money.to_refund(None), Err(StatusCode::PaymentWasRefunded));
    }
}
