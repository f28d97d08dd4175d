//! Payments as simple as they can be said: what each act answers, and what money is where afterwards.

use wire::interface::StatusCode as Code;
use wire::interface::answer::Status;

use super::payouts::{NewPayout, Payouts};

/// What somebody does with one of the orders.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// The shop pays with a card.
    Pay(usize, Card, Terms),
    /// The shop asks for a page.
    Open(usize, Terms),
    /// A payer pays on the newest page.
    PayPage(usize, Card),
    /// A payer answers the newest proof that is asked for.
    Prove(usize, bool),
    Confirm(usize, Part),
    Cancel(usize, Part),
    Refund(usize, Part),
    RetryRefund(usize),
    CancelRefund(usize),
    /// The shop pays both orders as one basket.
    Basket(Card, Terms),
    /// Of the orders that are named.
    ConfirmBasket([Option<Part>; 2]),
    CancelBasket,
    /// The shop pays money out, to a card or as cash.
    PayOut(usize, NewPayout),
    CancelPayout(usize),
    /// What takes a second has ended.
    Soon,
    /// The same from two sides at once.
    Twice(Box<Act>),
    NextDay,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Card {
    Good,
    Bad,
    Asks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Terms {
    Charge,
    Hold,
    Verify,
}

/// How much, in hundredths.
pub(super) type Part = Option<u64>;

/// Of every order but those that verify a card.
pub(super) const AMOUNT: u64 = 10_000;

/// What a call answers: how the operation stands, if that is told, or why it was refused.
pub(super) type Answer = Result<Option<(Status, Code)>, Code>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Is {
    Created,
    Asked,
    Held,
    Charged,
    Verified,
    Released,
    Failed,
    Expired,
}

#[derive(Clone, Debug)]
pub(super) struct Payment {
    pub(super) is: Is,
    terms: Terms,
    /// Which basket it is in.
    basket: Option<usize>,
    /// Whether the page's time is over; `None` of one that has no page.
    is_over: Option<bool>,
    pub(super) charged: u64,
    pub(super) released: u64,
    pub(super) refunded: u64,
    refunding: u64,
    /// Operations that have ended: so many callbacks there are.
    pub(super) told: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    pub(super) payments: Vec<Payment>,
    winner: Option<usize>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    pub(super) orders: [Order; 2],
    /// The payment of each order.
    baskets: Vec<[usize; 2]>,
    paid_basket: Option<usize>,
    /// Refunds that wait, in the order in which they began to: order, payment, amount.
    waiting: Vec<(usize, usize, u64)>,
    /// Of the day's payments.
    today: u64,
    /// Of all payments, less what was paid out.
    pub(super) balance: u64,
    pub(super) payouts: Payouts,
}

impl Order {
    /// What its number means.
    pub(super) fn target(&self) -> Option<usize> {
        self.winner.or(self.payments.len().checked_sub(1))
    }

    pub(super) fn page(&self) -> Option<usize> {
        self.payments
            .iter()
            .rposition(|payment| payment.is_over.is_some())
    }

    pub(super) fn asked(&self) -> Option<usize> {
        self.payments.iter().rposition(|payment| payment.is == Is::Asked)
    }

    fn refuse_paid(&self) -> Result<(), Code> {
        match self.winner {
            Some(_) => Err(Code::TransactionAlreadyPaid),
            None => Ok(()),
        }
    }
}

impl Payment {
    /// Whether something can be done in its state; `done` is where it was done before.
    fn allow(&self, needed: Is, done: Option<Is>) -> Result<(), Code> {
        match self.is {
            is if is == needed => Ok(()),
            is if Some(is) == done => Err(Code::ActionAlreadyDone),
            Is::Expired => Err(Code::OrderExpired),
            _ => Err(Code::ActionNotAllowed),
        }
    }

    /// How much a confirmation charges.
    fn confirmable(&self, part: Part) -> Result<u64, Code> {
        self.allow(Is::Held, Some(Is::Charged))?;
        let rest = AMOUNT - self.released;
        let amount = part.unwrap_or(rest);
        match amount > rest {
            true => Err(Code::ConfirmAmountTooHigh),
            false => Ok(amount),
        }
    }
}

impl Model {
    pub(super) fn apply(&mut self, act: &Act) -> Answer {
        match act {
            Act::Pay(at, card, terms) => {
                self.orders[*at].refuse_paid()?;
                let payment = self.open(*at, *terms, None);
                Ok(Some(self.try_card(&[(*at, payment)], *card)))
            }
            Act::Open(at, terms) => {
                self.orders[*at].refuse_paid()?;
                self.open(*at, *terms, Some(false));
                Ok(None)
            }
            Act::PayPage(at, card) => self.pay_page(*at, *card),
            Act::Prove(at, passed) => {
                if let Some(asked) = self.orders[*at].asked() {
                    let whole = self.whole(*at, asked);
                    let is_paid = whole.iter().any(|(at, _)| self.orders[*at].winner.is_some());
                    match (is_paid, *passed) {
                        (true, _) => self.decline(&whole, true),
                        (false, false) => self.decline(&whole, false),
                        (false, true) => self.approve(&whole),
                    }
                }
                Ok(None)
            }
            Act::Basket(card, terms) => {
                for order in &self.orders {
                    order.refuse_paid()?;
                }
                let payments = [0, 1].map(|at| self.open(at, *terms, None));
                for (order, payment) in self.orders.iter_mut().zip(payments) {
                    order.payments[payment].basket = Some(self.baskets.len());
                }
                self.baskets.push(payments);
                Ok(Some(self.try_card(&self.whole(0, payments[0]), *card)))
            }
            Act::ConfirmBasket(parts) => {
                let basket = self.basket()?;
                let named = || (0..2).zip(basket).zip(parts);
                let mut amounts = [0; 2];
                for ((at, payment), part) in named() {
                    if let Some(part) = part {
                        amounts[at] = self.orders[at].payments[payment].confirmable(*part)?;
                    }
                }
                for ((at, payment), part) in named() {
                    if part.is_some() {
                        self.charge(at, payment, amounts[at]);
                    }
                }
                self.look_at_refunds();
                Ok(Some((Status::Success, Code::TransactionSuccessful)))
            }
            Act::CancelBasket => {
                let basket = self.basket()?;
                let is_held = |at: usize, payment: usize| self.orders[at].payments[payment].is == Is::Held;
                let held: Vec<_> = (0..2)
                    .zip(basket)
                    .filter(|(at, payment)| is_held(*at, *payment))
                    .collect();
                if held.is_empty() {
                    self.orders[0].payments[basket[0]].allow(Is::Held, Some(Is::Released))?;
                }
                for (at, payment) in held {
                    let payment = &mut self.orders[at].payments[payment];
                    payment.released = AMOUNT;
                    payment.is = Is::Released;
                    payment.told += 1;
                }
                Ok(Some((Status::Success, Code::CancelSuccessful)))
            }
            Act::Confirm(at, part) => self.confirm(*at, *part).map(Some),
            Act::Cancel(at, part) => self.cancel(*at, *part).map(Some),
            Act::Refund(at, part) => self.refund(*at, *part).map(Some),
            Act::RetryRefund(at) => {
                let waiting = self.newest_waiting(*at)?;
                Ok(Some(match self.give_back(waiting) {
                    true => (Status::Success, Code::RefundSuccessful),
                    false => (Status::Pending, Code::RefundWaitingForFunds),
                }))
            }
            Act::CancelRefund(at) => {
                let waiting = self.newest_waiting(*at)?;
                let (order, payment, amount) = self.waiting.remove(waiting);
                let payment = &mut self.orders[order].payments[payment];
                payment.refunding -= amount;
                payment.told += 1;
                Ok(Some((Status::Failure, Code::RefundIsCancelledByInitiator)))
            }
            Act::PayOut(at, payout) => self.payouts.begin(*at, *payout, &mut self.balance),
            Act::CancelPayout(at) => {
                let cancelled = self.payouts.cancel(*at, &mut self.balance);
                self.look_at_refunds();
                cancelled
            }
            Act::Soon => {
                self.payouts.end(&mut self.balance);
                self.look_at_refunds();
                Ok(None)
            }
            Act::Twice(_) => Ok(None),
            Act::NextDay => {
                self.today = 0;
                self.payouts.end(&mut self.balance);
                for at in 0..self.orders.len() {
                    for payment in 0..self.orders[at].payments.len() {
                        self.pass_time(at, payment);
                    }
                }
                Ok(None)
            }
        }
    }

    fn open(&mut self, at: usize, terms: Terms, is_over: Option<bool>) -> usize {
        self.orders[at].payments.push(Payment {
            is: Is::Created,
            terms,
            basket: None,
            is_over,
            charged: 0,
            released: 0,
            refunded: 0,
            refunding: 0,
            told: 0,
        });
        self.orders[at].payments.len() - 1
    }

    /// The payments that are made at once with this one, each with its order.
    fn whole(&self, at: usize, payment: usize) -> Vec<(usize, usize)> {
        match self.orders[at].payments[payment].basket {
            Some(basket) => (0..2).zip(self.baskets[basket]).collect(),
            None => vec![(at, payment)],
        }
    }

    /// What the basket's number means.
    fn basket(&self) -> Result<[usize; 2], Code> {
        let target = self.paid_basket.or(self.baskets.len().checked_sub(1));
        Ok(self.baskets[target.ok_or(Code::TransactionNotFound)?])
    }

    fn try_card(&mut self, whole: &[(usize, usize)], card: Card) -> (Status, Code) {
        match card {
            Card::Good => {
                self.approve(whole);
                (Status::Success, Code::TransactionSuccessful)
            }
            Card::Bad => {
                self.decline(whole, false);
                (Status::Failure, Code::TransactionRejected)
            }
            Card::Asks => {
                for (at, payment) in whole {
                    self.orders[*at].payments[*payment].is = Is::Asked;
                }
                (Status::Pending, Code::WaitingForVerification)
            }
        }
    }

    fn pay_page(&mut self, at: usize, card: Card) -> Answer {
        let Some(page) = self.orders[at].page() else {
            return Ok(None);
        };
        if self.orders[at].payments[page].is == Is::Asked {
            self.decline(&[(at, page)], false);
        }
        if self.orders[at].payments[page].is_over == Some(true) {
            return Ok(None);
        }
        self.orders[at].refuse_paid()?;
        self.try_card(&[(at, page)], card);
        Ok(None)
    }

    fn approve(&mut self, whole: &[(usize, usize)]) {
        for (at, payment) in whole {
            let paid = &mut self.orders[*at].payments[*payment];
            match paid.terms {
                Terms::Charge => self.charge(*at, *payment, AMOUNT),
                terms => {
                    paid.told += 1;
                    paid.is = if terms == Terms::Hold {
                        Is::Held
                    } else {
                        Is::Verified
                    };
                }
            }
            self.orders[*at].winner = Some(*payment);
            self.paid_basket = self.orders[*at].payments[*payment].basket.or(self.paid_basket);
        }
        self.look_at_refunds();
    }

    fn charge(&mut self, at: usize, payment: usize, amount: u64) {
        let payment = &mut self.orders[at].payments[payment];
        payment.is = Is::Charged;
        payment.charged = amount;
        payment.told += 1;
        self.today += amount;
        self.balance += amount;
    }

    fn decline(&mut self, whole: &[(usize, usize)], for_good: bool) {
        for (at, payment) in whole {
            let payment = &mut self.orders[*at].payments[*payment];
            payment.told += 1;
            payment.is = match payment.is_over {
                Some(false) if !for_good => Is::Created,
                _ => Is::Failed,
            };
        }
    }

    fn pass_time(&mut self, at: usize, payment: usize) {
        let passed = &mut self.orders[at].payments[payment];
        if let Some(is_over) = &mut passed.is_over {
            *is_over = true;
        }
        match passed.is {
            Is::Asked => self.decline(&[(at, payment)], false),
            Is::Created => passed.is = Is::Expired,
            _ => {}
        }
    }

    /// What the number of an order means, in a state that allows what is asked.
    fn target(&mut self, at: usize, needed: Is, done: Option<Is>) -> Result<(usize, &mut Payment), Code> {
        let order = &mut self.orders[at];
        let target = order.target().ok_or(Code::TransactionNotFound)?;
        let payment = &mut order.payments[target];
        payment.allow(needed, done)?;
        Ok((target, payment))
    }

    fn confirm(&mut self, at: usize, part: Part) -> Result<(Status, Code), Code> {
        let target = self.orders[at].target().ok_or(Code::TransactionNotFound)?;
        let amount = self.orders[at].payments[target].confirmable(part)?;
        self.charge(at, target, amount);
        self.look_at_refunds();
        Ok((Status::Success, Code::TransactionSuccessful))
    }

    fn cancel(&mut self, at: usize, part: Part) -> Result<(Status, Code), Code> {
        let (_, payment) = self.target(at, Is::Held, Some(Is::Released))?;
        let rest = AMOUNT - payment.released;
        let amount = part.unwrap_or(rest);
        if amount > rest {
            return Err(Code::InvalidTransactionAmount);
        }
        payment.released += amount;
        payment.told += 1;
        if payment.released == AMOUNT {
            payment.is = Is::Released;
        }
        Ok((Status::Success, Code::CancelSuccessful))
    }

    fn refund(&mut self, at: usize, part: Part) -> Result<(Status, Code), Code> {
        let (target, payment) = self.target(at, Is::Charged, None)?;
        let rest = payment.charged - payment.refunded - payment.refunding;
        if rest == 0 {
            return Err(Code::PaymentWasRefunded);
        }
        let amount = part.unwrap_or(rest);
        if amount > rest {
            return Err(Code::IncorrectRefund);
        }
        payment.refunding += amount;
        self.waiting.push((at, target, amount));
        Ok(match self.give_back(self.waiting.len() - 1) {
            true => (Status::Success, Code::RefundSuccessful),
            false => (Status::Pending, Code::RefundWaitingForFunds),
        })
    }

    fn newest_waiting(&self, at: usize) -> Result<usize, Code> {
        let target = self.orders[at].target().ok_or(Code::TransactionNotFound)?;
        let newest = self
            .waiting
            .iter()
            .rposition(|(order, payment, _)| (*order, *payment) == (at, target));
        newest.ok_or(Code::ActionNotAllowed)
    }

    /// Does a refund that waits, if there is enough for it.
    fn give_back(&mut self, waiting: usize) -> bool {
        let (at, payment, amount) = self.waiting[waiting];
        // What was paid out cannot go back.
        if self.today.min(self.balance) < amount {
            return false;
        }
        self.waiting.remove(waiting);
        self.today -= amount;
        self.balance -= amount;
        let payment = &mut self.orders[at].payments[payment];
        payment.refunding -= amount;
        payment.refunded += amount;
        payment.told += 1;
        true
    }

    /// Money came in: what waits is looked at once more, the oldest first.
    fn look_at_refunds(&mut self) {
        let mut at = 0;
        while at < self.waiting.len() {
            at += usize::from(!self.give_back(at));
        }
    }
}
