//! Invoices: prices by quantity, discounts as negative amounts, taxes by kind of goods.

use rust_decimal::prelude::*;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tax {
    Reduced,
    Full,
}

#[derive(Debug, Clone)]
struct Tier {
    from: u32,
    price: Decimal,
}

#[derive(Debug, Clone)]
struct Article {
    tiers: Vec<Tier>,
    tax: Tax,
}

#[derive(Debug, Clone, Copy)]
enum Discount {
    /// So many percent of the sum.
    Percent(u32),
    /// An amount, if the sum is at least so much.
    Amount { off: Decimal, from: Decimal },
}

#[derive(Debug, Default)]
struct Invoice {
    sums: BTreeMap<Tax, Decimal>,
    discounts: Vec<Discount>,
}

fn money(text: &str) -> Decimal {
    Decimal::from_str(text).expect("an amount is a number")
}

impl Tax {
    fn rate(self) -> Decimal {
        match self {
            Tax::Reduced => money("0.07"),
            Tax::Full => money("0.19"),
        }
    }
}

fn prices() -> BTreeMap<&'static str, Article> {
    let table: [(&str, Tax, &[(u32, &str)]); 4] = [
        (
            "book",
            Tax::Reduced,
            &[(1, "24.90"), (5, "22.50"), (25, "19.95")],
        ),
        ("lamp", Tax::Full, &[(1, "89"), (10, "81.50")]),
        (
            "pencil",
            Tax::Full,
            &[(1, "1.20"), (12, "0.95"), (144, "0.6125")],
        ),
        ("apples", Tax::Reduced, &[(1, "3.49")]),
    ];
    let articles = table.into_iter().map(|(name, tax, tiers)| {
        let tiers = tiers.iter().map(|&(from, price)| Tier {
            from,
            price: money(price),
        });
        let tiers = tiers.collect();
        (name, Article { tiers, tax })
    });
    articles.collect()
}

impl Article {
    fn price(&self, quantity: u32) -> Decimal {
        let tier = self.tiers.iter().rev().find(|tier| tier.from <= quantity);
        tier.map_or(Decimal::ZERO, |tier| tier.price)
    }
}

impl Invoice {
    fn add(&mut self, name: &str, quantity: u32) -> &mut Self {
        let prices = prices();
        let article = &prices[name];
        let sum = article.price(quantity) * Decimal::from(quantity);
        *self.sums.entry(article.tax).or_default() += sum.round_dp(2);
        self
    }

    fn net(&self) -> Decimal {
        self.sums.values().sum()
    }

    /// The discount that takes most off, as a negative amount.
    fn discount(&self) -> Decimal {
        let net = self.net();
        let amounts = self.discounts.iter().map(|discount| match *discount {
            Discount::Percent(percent) => -net * Decimal::new(i64::from(percent), 2),
            Discount::Amount { off, from } if net >= from => -off,
            Discount::Amount { .. } => Decimal::ZERO,
        });
        amounts.min().unwrap_or_default()
    }

    fn total(&self) -> Decimal {
        let taxes: Decimal = self.sums.iter().map(|(tax, sum)| sum * tax.rate()).sum();
        (self.net() + self.discount() + taxes).round_dp(2)
    }
}

#[test]
fn prices_depend_on_the_quantity() {
    let prices = prices();
    assert_eq!(prices["book"].price(4), money("24.90"));
    assert_eq!(prices["book"].price(5), money("22.50"));
    assert_eq!(prices["pencil"].price(200), money("0.6125"));
    assert_eq!(prices["lamp"].price(0), Decimal::ZERO);
}

#[test]
fn sums_are_rounded_by_article() {
    let mut invoice = Invoice::default();
    invoice.add("pencil", 146).add("lamp", 1);
    assert_eq!(invoice.net(), money("178.42"));
}

#[test]
fn an_invoice_without_discount_has_its_taxes() {
    let mut invoice = Invoice::default();
    invoice.add("book", 2).add("pencil", 12);
    assert_eq!(invoice.discount(), Decimal::ZERO);
    assert_eq!(invoice.total(), money("66.85"));
}

#[test]
fn the_better_of_two_discounts_is_given() {
    let mut invoice = Invoice::default();
    invoice.add("book", 6).add("lamp", 2).add("apples", 3);
    assert_eq!(invoice.net(), money("323.47"));
    invoice.discounts.push(Discount::Percent(5));
    assert_eq!(invoice.discount(), money("-16.1735"));
    invoice.discounts.push(Discount::Amount {
        off: money("25"),
        from: money("300"),
    });
    invoice.discounts.push(Discount::Amount {
        off: money("60"),
        from: money("500"),
    });
    assert_eq!(invoice.discount(), money("-25"));
    assert_eq!(invoice.total(), money("342.47"));
}
