//! Failing integration tests whose own code is in the way: cases, loops, functions and values that the bug does not need.

use crate::support::failing_test::run;
use crate::support::price_list::{mend, reproduce};
use crate::support::{Reduction, World};

/// A table of which one case fails, with an assertion before it that would fail under most mutants.
const TABLE: &str = r#"//! A table of prices.

use price_list::prices::Prices;

#[test]
fn the_table_holds() {
    let few = Prices::default().with(0, 7);
    assert_eq!(few.of_piece(3), Some(7));
    println!("nothing of this matters");
    let many = Prices::default().with(0, 9).with(10, 8);
    for (amount, cents) in [(1, 9), (4, 9), (10, 8), (12, 8)] {
        assert_eq!(many.of_piece(amount), Some(cents));
    }
    assert_eq!(many.len(), 2);
}
"#;

#[test]
fn the_failing_case_is_taken_before_mutants_are_chosen() {
    let world = World::with("price-list");
    world.write("tests/table.rs", TABLE);
    // With a stage alone and no pass, the result is what was isolated.
    let args = ["--test", "table", "--passes", "keep_slice"];
    run(&world, &args).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    for gone in ["(1, 9)", "(4, 9)", "(12, 8)", "few", "nothing", "many.len"] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    assert!(code.contains("(10, 8)"), "{code}");
    world.write("tests/table.rs", code);
    reproduce(&world, &reduction, 101);
    mend(&world);
    reproduce(&world, &reduction, 0);
}

/// A library with a setting that nothing reads, which is its bug.
const AMOUNTS: &str = r#"//! Amounts as customers write them.

#[derive(Default)]
pub struct Amounts {
    unit: String,
}

impl Amounts {
    pub fn of(mut self, unit: &str) -> Self {
        self.unit = unit.to_owned();
        self
    }

    pub fn read(&self, text: &str) -> Result<u32, String> {
        let number = text.trim_end_matches("g").trim();
        number.parse().map_err(|_| format!("`{number}` is no number"))
    }
}
"#;

const WEIGHTS: &str = r#"
use price_list::Amounts;

#[test]
fn weights_are_read_without_their_unit() {
    let amounts = Amounts::default().of("kg");
    let weights = ["12 kg", "7 kg"];
    let sum: Result<u32, String> = weights.iter().map(|text| amounts.read(text)).sum();
    assert_eq!(sum, Ok(19));
}
"#;

#[test]
fn what_the_faulty_code_does_not_read_stays() {
    let world = World::with("price-list");
    world.write("src/lib.rs", AMOUNTS);
    world.write("tests/orders.rs", WEIGHTS);
    let passes = "keep_slice,hoist_parts,shorten_strings";
    run(&world, &["--test", "orders", "--passes", passes]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    for stays in ["of(\"kg\")", "12 kg", "7 kg"] {
        assert!(code.contains(stays), "no `{stays}` in\n{code}");
    }
    world.write("tests/orders.rs", code);
    reproduce(&world, &reduction, 101);
    let mended = AMOUNTS.replace("(\"g\")", "(&self.unit)");
    world.write("src/lib.rs", &mended);
    reproduce(&world, &reduction, 0);
}

const NEAR: &str = r#"
use price_list::Amounts;

fn is_near(found: Result<u32, String>, right: u32) -> bool {
    match found {
        Ok(found) if found.abs_diff(right) < 2 => true,
        _ => false,
    }
}

#[test]
fn a_weight_is_near_to_what_is_written() {
    assert!(is_near(Amounts::default().of("kg").read("12 kg"), 12));
}
"#;

#[test]
fn a_function_of_the_test_that_always_says_no_is_left_as_it_is() {
    let world = World::with("price-list");
    world.write("src/lib.rs", AMOUNTS);
    world.write("tests/orders.rs", NEAR);
    let passes = "keep_slice,delete_statements";
    let finished = run(&world, &["--test", "orders", "--passes", passes]).expect_success();
    let warning = "a function of the test says what is right, and does so under no mutant";
    assert!(finished.everything().contains(warning), "{finished}");
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(code.contains("=> true"), "{code}");
}

const CONSTANTS: &str = r#"
use price_list::prices::Prices;

struct Pack {
    pieces: u32,
}

fn pack(name: &str) -> Pack {
    let pieces = name.split('-').last().and_then(|number| number.parse().ok());
    Pack { pieces: pieces.unwrap_or(1) }
}

#[test]
fn a_pack_has_the_price_of_ten() {
    let prices = Prices::default().with(1, 25).with(10, 20);
    assert_eq!(prices.of_piece(pack("pencils-10").pieces), Some(20));
}
"#;

#[test]
fn what_the_test_computes_by_itself_becomes_a_literal() {
    let world = World::with("price-list");
    world.write("tests/packs.rs", CONSTANTS);
    let test = ["--test", "packs", "a_pack_has_the_price_of_ten"];
    run(
        &world,
        &[&test[..], &["--passes", "keep_slice,fold_values"]].concat(),
    )
    .expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(code.contains("of_piece(10)"), "{code}");
    assert!(
        !code.contains("fn pack") && !code.contains("struct Pack"),
        "{code}"
    );
}

const ROUNDS: &str = r#"
use price_list::prices::Prices;

#[test]
fn prices_fall_with_each_step() {
    let mut prices = Prices::default();
    let mut cents = 90;
    for step in 1..=6 {
        match step {
            5 => continue_without(step),
            _ => prices = prices.with(step * 10, cents),
        }
        cents -= step * step % 7;
    }
    assert_eq!(prices.of_piece(30), Some(85));
}

fn continue_without(step: u32) {
    assert!(step > 4);
}
"#;

#[test]
fn a_loop_becomes_the_rounds_that_matter() {
    let world = World::with("price-list");
    world.write("tests/rounds.rs", ROUNDS);
    let test = ["--test", "rounds", "prices_fall_with_each_step"];
    run(
        &world,
        &[
            &test[..],
            &["--passes", "keep_slice,fold_values,delete_statements"],
        ]
        .concat(),
    )
    .expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(code.contains("with(30, 85)"), "{code}");
    // The step that the price is of, the one before, and one that counts with another comparison.
    assert_eq!(code.matches(".with(").count(), 3, "{code}");
    for gone in ["for ", "match", "cents", "continue_without"] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    world.write("tests/rounds.rs", code);
    reproduce(&world, &reduction, 101);
    mend(&world);
    reproduce(&world, &reduction, 0);
}
