//! Payouts as simple as they can be said: what is reserved, and where it is when they have ended.

use wire::interface::StatusCode as Code;
use wire::interface::answer::Status;
use wire::interface::recipient::PayoutType;

use super::expected::{Answer, Card};

/// A payout that is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewPayout {
    pub(super) kind: PayoutType,
    pub(super) card: Card,
    /// In hundredths.
    pub(super) amount: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    UnderWay,
    Paid,
    Declined,
    Cancelled,
}

#[derive(Clone, Debug)]
struct Payout {
    asked: NewPayout,
    is: Is,
}

/// All payouts, by their two numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Payouts([Vec<Payout>; 2]);

impl Payouts {
    /// Takes the money from the balance, where there is enough.
    pub(super) fn begin(&mut self, at: usize, asked: NewPayout, balance: &mut u64) -> Answer {
        let payouts = &mut self.0[at];
        match payouts.last().map(|last| last.is) {
            Some(Is::UnderWay) => return Err(Code::OrderIsDuplicated),
            Some(Is::Paid) => return Err(Code::TransactionAlreadyPaid),
            _ => {}
        }
        *balance = balance.checked_sub(asked.amount).ok_or(Code::InsufficientFunds)?;
        payouts.push(Payout {
            asked,
            is: Is::UnderWay,
        });
        Ok(Some((Status::Pending, Code::TransactionInProgress)))
    }

    /// Puts the money of cash back that is under way. Said twice it is the same.
    pub(super) fn cancel(&mut self, at: usize, balance: &mut u64) -> Answer {
        let payout = self.0[at].last_mut().ok_or(Code::TransactionNotFound)?;
        match (payout.asked.kind, payout.is) {
            (PayoutType::Cash, Is::UnderWay) => *balance += payout.asked.amount,
            (PayoutType::Cash, Is::Cancelled) => {}
            _ => return Err(Code::ActionNotAllowed),
        }
        payout.is = Is::Cancelled;
        Ok(Some((Status::Failure, Code::CancelSuccessful)))
    }

    /// All that are under way end.
    pub(super) fn end(&mut self, balance: &mut u64) {
        for payout in self
            .0
            .iter_mut()
            .flatten()
            .filter(|payout| payout.is == Is::UnderWay)
        {
            payout.is = match payout.asked.card {
                Card::Bad => Is::Declined,
                _ => Is::Paid,
            };
            if payout.is == Is::Declined {
                *balance += payout.asked.amount;
            }
        }
    }

    /// What is reserved.
    pub(super) fn reserved(&self) -> u64 {
        let under_way = self.0.iter().flatten().filter(|payout| payout.is == Is::UnderWay);
        under_way.map(|payout| payout.asked.amount).sum()
    }

    /// How many have ended: so many callbacks there are.
    pub(super) fn told(&self) -> usize {
        let ended = self.0.iter().flatten().filter(|payout| payout.is != Is::UnderWay);
        ended.count()
    }

    /// How the one stands that its number means.
    pub(super) fn stands(&self, at: usize) -> Option<(Status, Code)> {
        let newest = self.0[at].last()?;
        Some(match newest.is {
            Is::UnderWay => (Status::Pending, Code::TransactionInProgress),
            Is::Paid => (Status::Success, Code::TransactionSuccessful),
            Is::Declined => (Status::Failure, Code::TransactionRejected),
            Is::Cancelled => (Status::Failure, Code::CancelSuccessful),
        })
    }
}
