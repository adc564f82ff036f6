//! Tests of `--whole`: the code under test is reduced after the test, and what makes the test fail
//! stays.

use crate::support::failing_test::run;
use crate::support::price_list::PURCHASES;
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

#[test]
fn a_test_that_gets_over_errors_is_written_anew_before_the_code_under_test_is_reduced() {
    let world = World::with("price-list");
    world.write("tests/purchases.rs", PURCHASES);
    let test = ["--whole", "--test", "purchases", "ten_are_sold_for_less"];
    let passes = ["--passes", "carve,delete_items,delete_statements"];
    run(&world, &[test.as_slice(), &passes].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert_eq!(reduction.number("carved_calls"), 5);
    assert!(reduction.number("tokens_after") < 100);
}
