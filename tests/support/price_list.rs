//! Reduces tests of the fixture `price-list`, whose library has a bug in the limit of a step.

use super::failing_test::{run, run_command};
use super::{Finished, Reduction, World, read_tree};

/// A test that goes on where there is no price, and a straight line of its calls does not.
pub(crate) const PURCHASES: &str = r#"
use price_list::prices::Prices;

struct Till {
    prices: Prices,
    cents: u32,
    without_price: Vec<u32>,
}

impl Till {
    fn sell(&mut self, pieces: u32) {
        match self.prices.of_piece(pieces) {
            Some(cents) => self.cents += cents,
            None => self.without_price.push(pieces),
        }
    }
}

#[test]
fn ten_are_sold_for_less() {
    let prices = Prices::default().with(1, 25).with(10, 20);
    let mut till = Till { prices, cents: 0, without_price: Vec::new() };
    for pieces in [3, 10] {
        till.sell(pieces);
    }
    assert_eq!(till.cents, 45);
}
"#;

/// Reduces a test of the fixture.
#[track_caller]
pub(crate) fn reduced(args: &[&str]) -> (World, Reduction) {
    let world = World::with("price-list");
    let before = read_tree(world.work());
    run(&world, args).expect_success();
    assert_eq!(read_tree(world.work()), before, "the user's files changed");
    let reduction = Reduction::read(&world.beside("out"));
    (world, reduction)
}

/// Runs the command of the result in the package, whose file has been written.
#[track_caller]
pub(crate) fn reproduce(world: &World, reduction: &Reduction, code: i32) -> Finished {
    run_command(world, world.work(), reduction, code)
}

/// Mends the bug in the library of the fixture.
#[track_caller]
pub(crate) fn mend(world: &World) {
    let path = "src/prices.rs";
    let text = std::fs::read_to_string(world.work().join(path)).expect("it is there");
    let mended = text.replace("amount > step.from", "amount >= step.from");
    assert_ne!(mended, text);
    world.write(path, &mended);
}
