//! Failing integration tests that are written anew from what they did, and what guards them then.

use crate::support::failing_test::run;
use crate::support::price_list::{PURCHASES, mend, reproduce};
use crate::support::{Reduction, World};

const SCAFFOLDING: &str = r#"
use price_list::prices::Prices;

enum Event {
    Agreed { from: u32, cents: u32 },
    Waited(u32),
    Doubled(Box<Event>),
}

struct Contract {
    prices: Prices,
    days: u32,
}

impl Contract {
    fn new() -> Self {
        Contract { prices: Prices::default(), days: 0 }
    }

    fn handle(&mut self, event: &Event) {
        match event {
            Event::Agreed { from, cents } => {
                let prices = std::mem::take(&mut self.prices);
                self.prices = prices.with(*from, *cents);
            }
            Event::Waited(days) => self.days += days,
            Event::Doubled(event) => {
                self.handle(event);
                self.handle(event);
            }
        }
    }

    fn price(&self, pieces: u32) -> Option<u32> {
        self.prices.of_piece(pieces)
    }
}

#[test]
fn a_contract_has_the_price_of_ten() {
    let mut contract = Contract::new();
    let events = [
        Event::Agreed { from: 1, cents: 25 },
        Event::Doubled(Box::new(Event::Waited(3))),
        Event::Agreed { from: 10, cents: 20 },
    ];
    for event in &events {
        contract.handle(event);
    }
    assert_eq!(contract.days, 6);
    assert_eq!(contract.price(10), Some(20));
}
"#;

const BASKET: &str = r#"
use price_list::prices::Prices;

fn cents(pieces: u32) -> u32 {
    Prices::default().with(1, 25).with(10, 20).of_piece(pieces).unwrap()
}

#[test]
fn three_purchases_make_a_sum() {
    let mut all = Vec::new();
    for pieces in [3, 4, 10] {
        all.push(cents(pieces));
    }
    assert_eq!(all.iter().sum::<u32>(), 70);
}
"#;

/// The price of ten is the first value that is another one with a change that mends the test.
#[test]
fn a_test_ends_at_the_first_value_that_is_another_with_the_mends() {
    let world = World::with("price-list");
    world.write("tests/basket.rs", BASKET);
    let test = ["--test", "basket", "three_purchases_make_a_sum"];
    let passes = ["--passes", "carve,delete_statements"];
    run(&world, &[&test[..], &passes].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert_eq!(code.matches("of_piece").count(), 1, "{code}");
    assert!(code.contains("of_piece(10)"), "{code}");
    for gone in ["fn cents", "Vec", "sum::", "70"] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    assert_eq!(reduction.summary()["expects_anew"], true);
    let told =
        "what the code under test gives or decides here under the changes that mend the original";
    assert!(reduction.report().contains(told), "{}", reduction.report());
    world.write("tests/basket.rs", code);
    reproduce(&world, &reduction, 101);
    mend(&world);
    reproduce(&world, &reduction, 0);
}

const TWO_PRICES: &str = r#"
use price_list::prices::Prices;

#[test]
fn a_large_order_and_a_small_one() {
    let prices = Prices::default().with(1, 25).with(10, 20);
    assert_eq!(prices.of_piece(10).unwrap() + prices.of_piece(3).unwrap(), 45);
}
"#;

/// Without the small order another sum is right: the price of ten where the bug is mended.
#[test]
fn a_part_of_the_setup_goes_with_which_another_value_is_right() {
    let world = World::with("price-list");
    world.write("tests/two.rs", TWO_PRICES);
    let test = ["--test", "two", "a_large_order_and_a_small_one"];
    let passes = ["--passes", "hoist_parts,recompute_expected"];
    run(&world, &[&test[..], &passes].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(code.contains("of_piece(10).unwrap(), 20);"), "{code}");
    assert!(!code.contains("of_piece(3)"), "{code}");
    assert_eq!(reduction.summary()["expects_anew"], true);
    assert_eq!(reduction.summary()["carved_calls"], 0);
    world.write("tests/two.rs", code);
    reproduce(&world, &reduction, 101);
    mend(&world);
    reproduce(&world, &reduction, 0);
}

/// A unit test that a macro of its own makes, and that passes a function of the code under test on.
const TILL: &str = r#"
    use super::Prices;

    struct Till {
        prices: Prices,
        cents: u32,
    }

    impl Till {
        fn sell(&mut self, pieces: &[u32], price: fn(&Prices, u32) -> Option<u32>) {
            let cents = pieces.iter().map(|pieces| price(&self.prices, *pieces));
            self.cents += cents.sum::<Option<u32>>().unwrap();
        }
    }

    macro_rules! sold {
        ($name:ident: $($pieces:expr),* => $cents:expr) => {
            #[test]
            fn $name() {
                let prices = super::Prices::default().with(1, 25).with(10, 20);
                let mut till = Till { prices, cents: 0 };
                till.sell(&[$($pieces),*], crate::prices::Prices::of_piece);
                assert_eq!(till.cents, $cents);
            }
        };
    }

    sold! { ten_are_sold_for_less: 3, 10 => 45 }
"#;

#[test]
fn a_unit_test_that_a_macro_makes_is_written_anew() {
    let world = World::with("price-list");
    let path = "src/prices.rs";
    let library = std::fs::read_to_string(world.work().join(path)).expect("it is there");
    let with_tests = |tests: &str| format!("{library}\n#[cfg(test)]\nmod tests {{\n{tests}\n}}\n");
    world.write(path, &with_tests(TILL));
    let test = ["--lib", "ten_are_sold_for_less"];
    let passes = ["--passes", "carve,delete_statements"];
    run(&world, &[&test[..], &passes].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(code.contains("of_piece("), "{code}");
    for gone in ["Till", "macro_rules", "sell"] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    world.write(path, &with_tests(code));
    reproduce(&world, &reduction, 101);
    mend(&world);
    reproduce(&world, &reduction, 0);
}

const OFFER: &str = r#"
use price_list::prices::Prices;

#[derive(Debug, PartialEq)]
enum Answer {
    Buys { pieces: u32, for_each: u32 },
    Leaves,
}

fn answer(prices: &Prices, pieces: u32) -> Answer {
    for cents in prices.of_piece(pieces) {
        if cents <= 20 {
            return Answer::Buys { pieces, for_each: cents };
        }
    }
    Answer::Leaves
}

#[test]
fn who_wants_ten_buys() {
    let prices = Prices::default().with(1, 25).with(10, 20);
    assert_eq!(answer(&prices, 3), Answer::Leaves);
    assert_eq!(answer(&prices, 10), Answer::Buys { pieces: 10, for_each: 20 });
}
"#;

/// That ten cost too much is decided by a branch of the test, and no value of the code under test is in the assertion.
#[test]
fn a_test_that_fails_by_the_way_it_goes_asserts_what_was_decided() {
    let world = World::with("price-list");
    world.write("tests/offer.rs", OFFER);
    let test = ["--test", "offer", "who_wants_ten_buys"];
    let passes = ["--passes", "carve,delete_statements"];
    run(&world, &[&test[..], &passes].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(code.contains("of_piece(10)"), "{code}");
    for gone in ["fn answer", "enum", "of_piece(3)", "for "] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    assert_eq!(reduction.summary()["expects_anew"], true);
    world.write("tests/offer.rs", code);
    reproduce(&world, &reduction, 101);
    mend(&world);
    reproduce(&world, &reduction, 0);
}

#[test]
fn a_test_is_written_anew_from_the_calls_that_it_made() {
    let world = World::with("price-list");
    world.write("tests/contracts.rs", SCAFFOLDING);
    let test = ["--test", "contracts", "a_contract_has_the_price_of_ten"];
    run(
        &world,
        &[
            &test[..],
            &["--passes", "carve,delete_items,delete_statements"],
        ]
        .concat(),
    )
    .expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    for has in [".with(1, 25)", ".with(10, 20)", ".of_piece(10)"] {
        assert!(code.contains(has), "no `{has}` in\n{code}");
    }
    let told = "Written anew from 4 calls that the test made.";
    assert!(reduction.report().contains(told), "{}", reduction.report());
    assert_eq!(reduction.number("carved_calls"), 4);
    for gone in ["struct", "enum", "impl", "for ", "match", "days"] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    world.write("tests/contracts.rs", code);
    reproduce(&world, &reduction, 101);
    mend(&world);
    reproduce(&world, &reduction, 0);
}

/// Where no price is found under a mutant, this test goes on, and what it is written as does not.
#[test]
fn a_test_that_gets_over_errors_is_written_anew_if_it_passes_under_the_mends() {
    let world = World::with("price-list");
    world.write("tests/purchases.rs", PURCHASES);
    let test = ["--test", "purchases", "ten_are_sold_for_less"];
    let passes = ["--passes", "carve,delete_items,delete_statements"];
    run(&world, &[test.as_slice(), &passes].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    for gone in ["struct", "impl", "for ", "match", "without_price"] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    assert!(code.contains(".of_piece(10)"), "{code}");
    world.write("tests/purchases.rs", code);
    reproduce(&world, &reduction, 101);
    mend(&world);
    reproduce(&world, &reduction, 0);
}

const MANY_DAYS: &str = r#"
use price_list::prices::Prices;

#[test]
fn ten_are_sold_after_many_days() {
    let prices = Prices::default().with(1, 25).with(10, 20);
    let mut days = 0;
    for day in 0..20_000 {
        days += day % 2;
    }
    assert_eq!(prices.of_piece(days / 1_000), Some(20));
}
"#;

/// A trace of it would end somewhere, and so would the straight line.
#[test]
fn a_test_that_does_too_much_is_not_written_anew_and_the_report_says_so() {
    let world = World::with("price-list");
    world.write("tests/days.rs", MANY_DAYS);
    let test = ["--test", "days", "ten_are_sold_after_many_days"];
    run(&world, &[&test[..], &["--passes", "carve"]].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    // On a busy machine the run with probes may be ended before the trace is full, which is told as well.
    let told = "Not written anew from what the test did: the run ";
    assert!(reduction.report().contains(told), "{}", reduction.report());
    assert_eq!(reduction.number("carved_calls"), 0);
}

/// Without an end, a book has room for no copy of it: the copy has as much room as lines may be written. No mutant makes it right.
const LOG_BOOK: &str = r#"//! Log books, which may have a largest number of lines.
pub struct LogBook {
    lines: Vec<String>,
    most: usize,
}
impl LogBook {
    pub fn without_end() -> Self {
        Self { lines: Vec::new(), most: usize::MAX }
    }
    pub fn with_most(most: usize) -> Self {
        Self { lines: Vec::with_capacity(most), most }
    }
    pub fn write(&mut self, line: &str) -> usize {
        if self.lines.len() < self.most {
            self.lines.push(line.to_owned());
        }
        self.lines.len()
    }
    pub fn lines(&self) -> &[String] {
        &self.lines
    }
}
impl Clone for LogBook {
    fn clone(&self) -> Self {
        let mut copy = Self::with_most(self.most);
        copy.lines.extend(self.lines.iter().cloned());
        copy
    }
}
"#;

const SHIPS: &str = r#"
use log_book::LogBook;

#[derive(Clone, Copy)]
enum Event {
    Said(&'static str),
    Copied { lines: usize },
}

struct Ship {
    name: &'static str,
    book: LogBook,
    copies: Vec<LogBook>,
}

impl Ship {
    fn note(&mut self, event: Event) {
        match event {
            Event::Said(words) => {
                let line = format!("{}: {words}", self.name);
                self.book.write(&line);
            }
            Event::Copied { lines } => {
                self.copies.push(self.book.clone());
                assert_eq!(self.copies[self.copies.len() - 1].lines().len(), lines);
            }
        }
    }
}

#[test]
fn two_ships_copy_their_books() {
    let mut ships = [
        Ship { name: "Wren", book: LogBook::with_most(2), copies: Vec::new() },
        Ship { name: "Gull", book: LogBook::without_end(), copies: Vec::new() },
    ];
    let days = [
        (0, vec![Event::Said("fog"), Event::Copied { lines: 1 }]),
        (1, vec![Event::Said("calm"), Event::Said("rain")]),
        (0, vec![Event::Said("land"), Event::Said("sun"), Event::Copied { lines: 2 }]),
        (1, vec![Event::Copied { lines: 2 }]),
    ];
    for (ship, events) in days {
        for event in events {
            ships[ship].note(event);
        }
    }
    assert_eq!(ships[0].book.lines(), ["Wren: fog", "Wren: land"]);
    assert_eq!(ships[1].copies[0].lines(), ["Gull: calm", "Gull: rain"]);
}
"#;

#[test]
fn a_test_that_no_mutant_guards_is_held_to_the_calls_that_lead_to_its_panic() {
    let files = [("src/lib.rs", LOG_BOOK), ("tests/ships.rs", SHIPS)];
    let world = World::with_package("log-book", &files);
    let test = ["--test", "ships", "two_ships_copy_their_books"];
    let passes = ["--passes", "carve,delete_items,delete_statements"];
    run(&world, &[test.as_slice(), &passes].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    for has in ["LogBook::without_end()", ".clone()"] {
        assert!(code.contains(has), "no `{has}` in\n{code}");
    }
    for gone in [
        "struct",
        "enum",
        "impl",
        "for ",
        "match",
        "with_most",
        "write",
    ] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    let warning = reduction.summary()["code_under_test"]["warning"].to_string();
    let calls =
        "`<log_book::LogBook as core::clone::Clone>::clone` and `log_book::LogBook::with_most`";
    for told in ["no mutant of the code under test", calls, "`--good`"] {
        assert!(warning.contains(told), "no {told} in\n{warning}");
    }
    world.write("tests/ships.rs", code);
    reproduce(&world, &reduction, 101);
    let mended = LOG_BOOK.replace(
        "Self::with_most(self.most)",
        "Self { lines: Vec::new(), most: self.most }",
    );
    world.write("src/lib.rs", &mended);
    reproduce(&world, &reduction, 0);
}

const LUGGAGE: &str = r#"
use bag_rules::MOST_BAGS;

struct Traveller {
    bags: Vec<u32>,
    refused: usize,
}

impl Traveller {
    fn packs(&mut self, weight: u32) {
        if self.bags.len() < MOST_BAGS {
            self.bags.push(weight);
        } else {
            self.refused += 1;
        }
    }
}

#[test]
fn a_third_bag_fits() {
    let mut traveller = Traveller { bags: Vec::new(), refused: 0 };
    for weight in [12, 7, 30] {
        traveller.packs(weight);
    }
    assert_eq!((traveller.bags.len(), MOST_BAGS), (3, 3));
}
"#;

/// What a constant is has no switch, and so nothing says whether a branch on it would be another one without the bug.
#[test]
fn a_test_that_nothing_guards_is_written_anew_with_its_branches() {
    let library = "pub const MOST_BAGS: usize = 2;\n";
    let files = [("src/lib.rs", library), ("tests/luggage.rs", LUGGAGE)];
    let world = World::with_package("bag-rules", &files);
    let test = ["--test", "luggage", "a_third_bag_fits"];
    run(&world, &[test.as_slice(), &["--passes", "carve"]].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    for gone in ["struct", "impl", "fn packs"] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    assert!(code.contains("< MOST_BAGS"), "{code}");
    let warning = reduction.summary()["code_under_test"]["warning"].to_string();
    assert!(warning.contains("`--good`"), "{warning}");
    world.write("tests/luggage.rs", code);
    reproduce(&world, &reduction, 101);
    world.write("src/lib.rs", &library.replace('2', "3"));
    reproduce(&world, &reduction, 0);
}

/// A queue that gives what came last in place of what came first.
const QUEUE: &str = r"
pub struct Queue<T> {
    waiting: Vec<T>,
}

impl<T> Queue<T> {
    pub fn new() -> Self {
        Queue { waiting: Vec::new() }
    }

    pub fn push(&mut self, one: T) {
        self.waiting.push(one);
    }

    pub fn next(&mut self) -> Option<T> {
        if self.waiting.is_empty() {
            return None;
        }
        let last = self.waiting.len() - 1;
        let at = if last < 1 { 0 } else { last };
        Some(self.waiting.remove(at))
    }
}
";

/// A test whose helpers are generic: only its run says that their values are texts. What they write to is borrowed again with each call.
const WARD: &str = r#"
use std::fmt::{Display, Write};
use ward_queue::Queue;

struct Ward<P> {
    queue: Queue<P>,
    seen: Vec<P>,
}

impl<P: Clone + Display> Ward<P> {
    fn call(&mut self) -> bool {
        match self.queue.next() {
            Some(patient) => {
                self.seen.push(patient.clone());
                true
            }
            None => false,
        }
    }

    fn write(&mut self, out: &mut impl Write) {
        line(out, &"seen");
        while self.call() {}
        for patient in &self.seen {
            line(out, patient);
        }
        line(out, &"all");
    }
}

fn line(out: &mut impl Write, one: &impl Display) {
    writeln!(out, "{one}").unwrap();
}

#[test]
fn who_waits_alone_is_called() {
    let mut queue = Queue::new();
    queue.push(1);
    assert_eq!(queue.next(), Some(1));
    assert_eq!(queue.next(), None);
}

#[test]
fn who_comes_first_is_called_first() {
    let mut ward = Ward { queue: Queue::new(), seen: Vec::new() };
    for patient in ["ann", "bob", "cy"] {
        ward.queue.push(patient);
    }
    let mut out = String::new();
    ward.write(&mut out);
    assert_eq!(out, "seen\nann\nbob\ncy\nall\n");
}
"#;

#[test]
fn values_of_generic_functions_are_known_by_the_names_of_their_types() {
    let files = [("src/lib.rs", QUEUE), ("tests/ward.rs", WARD)];
    let world = World::with_package("ward-queue", &files);
    let test = ["--test", "ward", "who_comes_first_is_called_first"];
    run(
        &world,
        &[test.as_slice(), &["--passes", "carve,delete_items"]].concat(),
    )
    .expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert_eq!(code.matches(".next()").count(), 1, "{code}");
    for gone in ["Ward", "fn line", "Display", "\"all"] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    world.write("tests/ward.rs", code);
    reproduce(&world, &reduction, 101);
    world.write("src/lib.rs", &QUEUE.replace("last < 1", "last >= 1"));
    reproduce(&world, &reduction, 0);
}
