//! Invoices of a small business: amounts and rates as types of their own, with the operators that they need.

use std::cmp::Ordering;
use std::fmt;
use std::iter::{FusedIterator, Sum};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Not, Sub, SubAssign};

/// An amount of money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cents(i64);

impl Cents {
    pub const ZERO: Cents = Cents(0);

    pub fn new(euros: i64, cents: i64) -> Self {
        Cents(euros * 100 + cents)
    }

    pub fn is_debt(self) -> bool {
        self < Self::ZERO
    }

    pub fn abs(self) -> Self {
        Cents(self.0.abs())
    }

    /// Splits an amount so that no cent is lost.
    pub fn split(self, parts: usize) -> Split {
        Split {
            rest: self.0,
            parts: parts as i64,
        }
    }
}

impl Add for Cents {
    type Output = Cents;

    fn add(self, other: Cents) -> Cents {
        Cents(self.0 + other.0)
    }
}

impl Sub for Cents {
    type Output = Cents;

    fn sub(self, other: Cents) -> Cents {
        Cents(self.0 - other.0)
    }
}

impl AddAssign for Cents {
    fn add_assign(&mut self, other: Cents) {
        *self = *self + other;
    }
}

impl SubAssign for Cents {
    fn sub_assign(&mut self, other: Cents) {
        *self = *self - other;
    }
}

impl Neg for Cents {
    type Output = Cents;

    fn neg(self) -> Cents {
        Cents(-self.0)
    }
}

impl Mul<Rate> for Cents {
    type Output = Cents;

    fn mul(self, rate: Rate) -> Cents {
        let product = self.0 * i64::from(rate.0);
        let half = if product < 0 { -5_000 } else { 5_000 };
        Cents((product + half) / 10_000)
    }
}

impl Mul<u32> for Cents {
    type Output = Cents;

    fn mul(self, count: u32) -> Cents {
        Cents(self.0 * i64::from(count))
    }
}

impl Div<Cents> for Cents {
    type Output = f64;

    fn div(self, other: Cents) -> f64 {
        self.0 as f64 / other.0 as f64
    }
}

impl Sum for Cents {
    fn sum<I: Iterator<Item = Cents>>(amounts: I) -> Cents {
        amounts.fold(Cents::ZERO, Add::add)
    }
}

impl<'a> Sum<&'a Cents> for Cents {
    fn sum<I: Iterator<Item = &'a Cents>>(amounts: I) -> Cents {
        amounts.copied().sum()
    }
}

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_debt() { "-" } else { "" };
        let Cents(amount) = self.abs();
        write!(f, "{sign}{}.{:02}", amount / 100, amount % 100)
    }
}

/// A part of a whole, in hundredths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(u32);

impl Rate {
    pub const fn percent(percent: u32) -> Self {
        Rate(percent * 100)
    }
}

impl Not for Rate {
    type Output = Rate;

    /// What is left of the whole.
    fn not(self) -> Rate {
        Rate(10_000_u32.saturating_sub(self.0))
    }
}

/// Parts of an amount that differ by one cent at most.
#[derive(Debug, Clone)]
pub struct Split {
    rest: i64,
    parts: i64,
}

impl Iterator for Split {
    type Item = Cents;

    fn next(&mut self) -> Option<Cents> {
        if self.parts == 0 {
            return None;
        }
        let part = self.rest / self.parts;
        self.rest -= part;
        self.parts -= 1;
        Some(Cents(part))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.parts as usize, Some(self.parts as usize))
    }
}

impl ExactSizeIterator for Split {}
impl FusedIterator for Split {}

#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub article: String,
    pub count: u32,
    pub price: Cents,
}

impl Line {
    pub fn net(&self) -> Cents {
        self.price * self.count
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Draft,
    Sent { day: u32 },
    Paid,
}

#[derive(Debug, Clone)]
pub struct Invoice {
    pub number: u32,
    lines: Vec<Line>,
    paid: Cents,
    status: Status,
}

impl Invoice {
    pub fn new(number: u32) -> Self {
        Invoice {
            number,
            lines: Vec::new(),
            paid: Cents::ZERO,
            status: Status::Draft,
        }
    }

    pub fn line(mut self, article: &str, count: u32, price: Cents) -> Self {
        self.lines.push(Line {
            article: article.to_string(),
            count,
            price,
        });
        self
    }

    pub fn net(&self) -> Cents {
        self.lines.iter().map(Line::net).sum()
    }

    pub fn gross(&self, tax: Rate) -> Cents {
        self.net() + self.net() * tax
    }

    pub fn owed(&self, tax: Rate) -> Cents {
        self.gross(tax) - self.paid
    }

    pub fn is_late(&self, today: u32) -> bool {
        matches!(self.status, Status::Sent { day } if day + 30 < today)
    }

    pub fn send(&mut self, day: u32) {
        if self.status == Status::Draft {
            self.status = Status::Sent { day };
        }
    }
}

/// Invoices that were not paid in time.
pub struct Late<'a> {
    invoices: std::slice::Iter<'a, Invoice>,
    today: u32,
}

impl<'a> Iterator for Late<'a> {
    type Item = &'a Invoice;

    fn next(&mut self) -> Option<&'a Invoice> {
        let today = self.today;
        self.invoices.find(|invoice| invoice.is_late(today))
    }
}

#[derive(Debug)]
pub struct Ledger {
    invoices: Vec<Invoice>,
    fees: Cents,
    tax: Rate,
}

impl Ledger {
    pub fn new(tax: Rate) -> Self {
        Ledger {
            invoices: vec![],
            fees: Cents::ZERO,
            tax,
        }
    }

    pub fn add(&mut self, invoice: Invoice) {
        self.invoices.push(invoice);
    }

    pub fn late(&self, today: u32) -> Late<'_> {
        Late {
            invoices: self.invoices.iter(),
            today,
        }
    }

    pub fn charge(&mut self, fee: Cents) {
        self.fees += fee;
    }

    /// Charges a fee for each invoice that is late, and returns what all of them come to.
    pub fn remind(&mut self, today: u32, rate: Rate) -> Cents {
        let mut total = Cents::ZERO;
        for invoice in self.late(today) {
            let fee = invoice.owed(self.tax) * rate;
            if fee > Cents::new(1, 0) {
                self.charge(fee);
                total += fee;
            }
        }
        total
    }

    pub fn pay(&mut self, number: u32, amount: Cents) -> Result<Cents, Cents> {
        let tax = self.tax;
        let found = self.invoices.iter_mut().find(|it| it.number == number);
        let Some(invoice) = found else {
            return Err(amount);
        };
        invoice.paid += amount;
        let owed = invoice.owed(tax);
        if owed <= Cents::ZERO {
            invoice.status = Status::Paid;
        }
        Ok(owed)
    }

    pub fn outstanding(&self) -> Cents {
        let owed = self.invoices.iter().map(|invoice| invoice.owed(self.tax));
        owed.sum::<Cents>() + self.fees
    }

    pub fn by_size(&self) -> Vec<&Invoice> {
        let mut sorted: Vec<&Invoice> = self.invoices.iter().collect();
        sorted.sort_by(|a, b| match b.net().cmp(&a.net()) {
            Ordering::Equal => a.number.cmp(&b.number),
            order => order,
        });
        sorted
    }
}

pub fn instalments(invoice: &Invoice, tax: Rate, months: usize) -> Vec<String> {
    let parts = invoice.owed(tax).split(months);
    parts
        .zip(1..)
        .map(|(part, month)| format!("{month}: {part}"))
        .collect()
}

pub fn sample() -> Ledger {
    let mut ledger = Ledger::new(Rate::percent(19));
    let mut first = Invoice::new(1)
        .line("desk", 2, Cents::new(249, 90))
        .line("lamp", 3, Cents::new(19, 95));
    first.send(10);
    ledger.add(first);
    ledger.add(Invoice::new(2).line("discount", 1, -Cents::new(5, 0)));
    ledger
}
