//! Tests of more commands that are asked in place of the compiler, with all passes;
//! `tests/commands.rs` has one of each kind.

use crate::support::World;
use crate::support::asked::{
    check, check_started, command_is, out, path_str, reproduces, with_errors_as_bugs,
};

#[test]
fn a_script_may_call_cargo_in_the_directory_of_a_package() {
    let world = World::with("script-package");
    let script = world.work().join("still-fails.sh");
    let reduction = check(&world, &["--script", path_str(&script)], 40);
    command_is(&reduction, "still-fails.sh src/main.rs");
    reproduces(&reduction, &world, 0, &[]);
    assert!(reduction.code().contains('7'), "{}", reduction.code());
}

#[test]
fn an_example_in_the_documentation_goes_on_failing() {
    let world = World::with("doc-example");
    let reduction = check(&world, &["--cargo", "test --doc"], 60);
    command_is(&reduction, "cargo");
    command_is(&reduction, "test --doc");
    let values = ["left: 12964.0", "right: 11112.0"];
    reproduces(&reduction, &world, 101, &values);
    assert_eq!(reduction.summary()["signature"]["kind"], "assertion");
}

#[test]
fn the_target_of_a_cargo_command_becomes_as_small_as_it_can() {
    let world = World::with("doc-example");
    let reduction = check(&world, &["--cargo", "run --example sail"], 23);
    reproduces(&reduction, &world, 101, &["the ship is home"]);
    let code = std::fs::read_to_string(out(&world).join("reduced/examples/sail.rs"));
    assert!(code.expect("it is there").contains("the ship is home"));
}

#[test]
fn a_crash_of_rustdoc_becomes_as_small_as_it_can() {
    let world = World::with("rustdoc-crash.rs");
    let command = with_errors_as_bugs(&world, &["rustdoc-crash.rs", "--rustdoc"]);
    let reduction = check_started(&world, command, 16);
    command_is(&reduction, "rustdoc");
    reproduces(&reduction, &world, 101, &["unresolved link to"]);
}
