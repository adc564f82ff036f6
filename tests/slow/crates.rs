//! Tests of more workspaces with dependencies; `tests/crates.rs` has one of each kind.

use crate::support::crates::{FULLY_PERFORM, cargo, check_one_file, is_one_file};
use crate::support::{CASE, Case, Running, World, check, copy, names_in, reproduces_with};
use std::fmt::Write as _;

/// The number of members without any part in the crash that are added to a workspace.
const UNRELATED: usize = 10;

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

#[test]
fn a_crate_of_edition_2015_is_put_into_one_of_2021() {
    check_one_file(&Case {
        fixture: "edition-2015-dependency",
        args: &["-p", "tower"],
        at_most: 142,
        factor: 3,
        crash: &[
            "rustc_borrowck/src/type_check/relate_tys.rs:393:37",
            "failure to relate an opaque to itself",
        ],
        ..CASE
    });
}

#[test]
fn renamed_crates_of_two_versions_are_told_apart() {
    let reduction = check_one_file(&Case {
        fixture: "renamed-dependency",
        args: &["-p", "port"],
        at_most: 92,
        crash: FULLY_PERFORM,
        ..CASE
    });
    let code = reduction.code();
    for gone in ["macro_rules", "$crate", "\r"] {
        assert!(!code.contains(gone), "`{gone}` in\n{code}");
    }
}

#[test]
fn members_that_have_nothing_to_do_with_the_crash_cost_no_query() {
    let few = World::with("with-dependency");
    let many = World::with("with-dependency");
    add_members(&many);
    let args = ["-p", "app", "--no-daemon", "--no-cache"];
    let (few, many) = (few.reduce_to("out", &args), many.reduce_to("out", &args));
    assert_eq!(few.code(), many.code());
    for field in ["tokens_before", "tokens_after", "queries", "steps"] {
        assert_eq!(few.number(field), many.number(field), "{field}");
    }
    is_one_file(&many, FULLY_PERFORM);
    assert!(many.number("tokens_after") <= 84);
}

/// Adds members to a workspace, after the others and before them in the alphabet. Every second one
/// uses a crate that the crash needs too, every third one its neighbour.
fn add_members(world: &World) {
    let manifest = world.work().join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).expect("there is a manifest");
    let mut listed = String::new();
    for number in 0..UNRELATED {
        let name = format!("{}{number}", if number < 5 { "a" } else { "zone" });
        write!(listed, "\"{name}\", ").expect("a text can be written to");
        add_member(world, number, &name);
    }
    let text = text.replace("members = [", &format!("members = [{listed}"));
    std::fs::write(manifest, text).expect("a file can be written");
    let lock = cargo(world, &["generate-lockfile", "--offline", "--quiet"]);
    Running::start(lock).finish().expect_success();
}

fn add_member(world: &World, number: usize, name: &str) {
    let directory = world.work().join(name);
    copy(&world.work().join("colours"), &directory);
    let mut manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n"
    );
    let source = directory.join("src/lib.rs");
    let mut text = std::fs::read_to_string(&source).expect("there is a library");
    if number.is_multiple_of(2) {
        manifest.push_str("signals = { path = \"../signals\" }\n");
        text.push_str("\npub use signals::Strength;\n");
    }
    if number % 3 == 1 {
        let before = format!("a{}", number.saturating_sub(1).min(4));
        writeln!(manifest, "{before} = {{ path = \"../{before}\" }}").expect("the same");
        writeln!(text, "\npub use {before}::Colour as Other;").expect("the same");
    }
    std::fs::write(directory.join("Cargo.toml"), manifest).expect("a file can be written");
    std::fs::write(source, text).expect("a file can be written");
}
