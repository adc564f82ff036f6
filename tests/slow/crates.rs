//! Tests of more workspaces with dependencies; `tests/crates.rs` has one of each kind.

use crate::support::{CASE, Case, World, check, names_in, reproduces_with};

#[test]
fn nothing_is_written_beside_the_one_file_but_what_tells_of_it() {
    let world = World::with("proc-macro-derive");
    let reduction = world.reduce_to("out", &["--no-daemon", "-p", "mill"]);
    let mut names = names_in(&world.beside("out"));
    names.retain(|name| name != "other-crashes");
    assert_eq!(
        names,
        [
            "reduced.rs",
            "reduction.json",
            "report.html",
            "report.md",
            "steps.json"
        ]
    );
    let crash = &["error performing operation: fully_perform"];
    reproduces_with(&reduction, &world, crash);
}

#[test]
fn a_derived_impl_of_a_registry_crate_is_written_out() {
    let reduction = check(&Case {
        fixture: "serde-derive",
        at_most: 20,
        factor: 40,
        crash: &[
            "aborting due to `-Z treat-err-as-bug=1`",
            "conflicting implementations of trait",
        ],
        ..CASE
    });
    let code = reduction.code();
    assert!(!code.contains("serde"), "{code}");
    assert!(!code.contains("derive"), "{code}");
}
