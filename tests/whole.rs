//! Tests of `--whole`: the code under test is reduced after the test, and what makes the test fail
//! stays.

use crate::support::failing_test::run;
use crate::support::whole::{check_mended, whole};
use crate::support::{Reduction, World};

#[test]
fn the_faulty_line_stays_and_the_result_passes_once_it_is_mended() {
    let world = World::with("faulty-till");
    let reduction = whole(&world, &["--test", "orders", "many_are_cheaper"]);
    let code = reduction.code();
    let failed = reduction.reproduce(&world).expect_code(101);
    assert!(failed.everything().contains("left: 214"), "{failed}");
    assert!(!code.contains("faulty_till::"), "still linked\n{code}");
    assert!(!code.contains("/*@"), "a mark is left\n{code}");
    assert!(
        !code.contains("format!"),
        "what did not run is left\n{code}"
    );
    assert!(reduction.is_single_file(), "{code}");
    check_mended(&world, &reduction, "> 10", ">= 10");
}

/// What has no price does not end this test, and a straight line it does.
const SALES: &str = r#"
use price_list::prices::Prices;

struct Shop {
    prices: Prices,
    taken: u32,
    n_unknown: u32,
}

impl Shop {
    fn sell(&mut self, pieces: u32) {
        match self.prices.of_piece(pieces) {
            Some(cents) => self.taken += cents,
            None => self.n_unknown += 1,
        }
    }
}

#[test]
fn ten_bring_less() {
    let prices = Prices::default().with(1, 25).with(10, 20);
    let mut shop = Shop { prices, taken: 0, n_unknown: 0 };
    for pieces in [3, 10] {
        shop.sell(pieces);
    }
    assert_eq!(shop.taken, 45);
}
"#;

#[test]
fn a_test_that_gets_over_errors_is_written_anew_before_the_code_under_test_is_reduced() {
    let world = World::with("price-list");
    std::fs::write(world.work().join("tests/sales.rs"), SALES).expect("it can be written");
    let test = ["--whole", "--test", "sales", "ten_bring_less"];
    let passes = ["--passes", "carve,delete_items,delete_statements"];
    run(&world, &[test.as_slice(), &passes].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert_eq!(reduction.number("carved_calls"), 5);
    assert!(reduction.number("tokens_after") < 100);
}
