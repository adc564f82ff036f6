//! Tests of `--whole`: the code under test is reduced after the test, and what makes the test fail
//! stays.

use crate::support::World;
use crate::support::whole::{check_mended, whole};

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
