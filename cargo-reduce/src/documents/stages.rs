//! The table of the stages in `ARCHITECTURE.md`, which is made from the engine's own table: with the variable `UPDATE_DOCS=1` the
//! test writes it, and without it the test compares.

use super::check_block;
use reduce_engine::listed_phases;
use std::fmt::Write;

fn table() -> String {
    let mut table =
        "| when | part | what is done, in this order |\n| --- | --- | --- |\n".to_owned();
    for phase in listed_phases() {
        let steps = phase.steps.join("; ");
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| {} | {} | {steps} |", phase.when, phase.part);
    }
    table
}

#[test]
fn the_order_of_the_stages_is_that_of_the_program() {
    check_block("ARCHITECTURE.md", "order of the stages", &table());
}
