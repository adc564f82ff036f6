//! Tests of more results of `--whole`; `tests/whole.rs` has one.

use crate::support::World;
use crate::support::whole::{check_mended, whole, whole_with_log};

#[test]
fn a_unit_test_is_guarded_by_mutants_of_its_own_crate() {
    let world = World::with("unit-tests");
    let reduction = whole(&world, &["--lib", "a_large_parcel"]);
    let code = reduction.code();
    let failed = reduction.reproduce(&world).expect_code(101);
    assert!(failed.everything().contains("left: (900, 900)"), "{failed}");
    assert!(!code.contains("/*@"), "a mark is left\n{code}");
    let tokens = reduction.number("tokens_after");
    assert!(tokens <= 150, "{tokens} tokens\n{code}");
    check_mended(&world, &reduction, ".min(", ".max(");
}

#[test]
fn what_only_constant_functions_show_stays() {
    let world = World::with("const-functions");
    let reduction = whole(&world, &["--test", "game"]);
    let code = reduction.code();
    let failed = reduction.reproduce(&world).expect_code(101);
    assert!(failed.everything().contains("left: (2, 30)"), "{failed}");
    assert!(
        !code.contains("const"),
        "nothing needs to be `const`\n{code}"
    );
    check_mended(&world, &reduction, " - 1;", ";");
}

#[test]
fn blocks_that_no_run_enters_are_emptied_at_once() {
    let world = World::with("faulty-till");
    let library = world.work().join("src/lib.rs");
    let text = std::fs::read_to_string(&library).expect("the fixture has a library");
    let pushed = "self.lines.push((price, pieces));";
    let unentered = "if price > 1_000 { self.lines.clear(); self.customer.push('!'); return; }\n";
    let longer = text.replace(pushed, &format!("{unentered} {pushed}"));
    assert_ne!(longer, text);
    std::fs::write(&library, longer).expect("it can be written");
    let (reduction, log) = whole_with_log(&world, &["--test", "orders", "many_are_cheaper"]);
    let is_emptied = |line: &str| line.contains(" accepted ") && line.contains(", unentered;");
    assert!(log.lines().any(is_emptied), "{log}");
    check_mended(&world, &reduction, "> 10", ">= 10");
}

#[test]
fn a_method_that_is_called_on_the_wrong_field_stays() {
    let world = World::with("wrong-field");
    let test = "a_room_is_open_while_a_guest_is_there";
    let (reduction, log) = whole_with_log(&world, &["--test", "room", test]);
    // Only a mutant calls `push_front`, which the slice of the merged program has for it.
    let slices = log
        .lines()
        .filter(|line| line.contains(" keep_slice,") && line.contains(", slice;"));
    // The test has nothing left to take away: what its failure does not need went before.
    let merged = slices.filter(|line| !line.contains(" rejected (not smaller"));
    let are_accepted: Vec<bool> = merged.map(|line| line.contains(" accepted ")).collect();
    assert_eq!(are_accepted, [true], "{log}");
    check_mended(&world, &reduction, "x.d.b.foo(1)", "x.d.a.foo(1)");
}

#[test]
fn what_should_make_a_value_stays_though_no_run_enters_it() {
    let world = World::with("wrong-call");
    let test = "names_decide_between_equal_scores";
    let reduction = whole(&world, &["--test", "game", test]);
    check_mended(&world, &reduction, "c: Foo::A,", "c: Foo::new(),");
}

#[test]
fn the_method_that_should_be_called_stays_though_no_run_enters_it() {
    let world = World::with("wrong-call");
    let test = "the_best_of_both_lists_comes_first";
    let reduction = whole(&world, &["--test", "game", test]);
    let call = "self.all.extend(x.all);\n        self.";
    let [wrong, right] = ["bar(self.all.len() - 1);", "baz();"].map(|end| format!("{call}{end}"));
    check_mended(&world, &reduction, &wrong, &right);
}
