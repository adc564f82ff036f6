//! Tests of failures that do not last, with the real program: a compiler that stops crashing while its crash is
//! reduced, that is replaced or removed meanwhile, or that does not crash for the result. Each compiler is a script
//! around the real one, which counts its runs, so that nothing is left to chance.

use crate::support::{Finished, Reduction, Running, World, exit_code};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A name that is gone after the first step.
const GONE_SOON: &str = "AccountName";
/// A name that the result has until all names are made short.
const GONE_LATE: &str = "Ledger";

/// Writes a compiler that does what `before` says, and then what the real one does. `$file` is the source that it
/// compiles; `has NAME` tells whether a name is in it.
fn script(world: &World, name: &str, before: &str) -> PathBuf {
    let path = world.beside(name);
    let real = world.real_compiler();
    let text = format!(
        "#!/bin/sh\nfor argument; do case \"$argument\" in *.rs) file=$argument ;; esac; done\n\
         has() {{ test -n \"$file\" && grep -q \"$1\" \"$file\"; }}\n{before}\nexec {} \"$@\"\n",
        real.display()
    );
    std::fs::write(&path, text).expect("a script can be written");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, mode).expect("a script can be made executable");
    path
}

/// Counts the runs about programs of which `condition` is true, into `$count`.
fn counted(world: &World, condition: &str, work: &str) -> String {
    let marks = world.beside("marks");
    let marks = marks.display();
    format!("if {condition}; then\necho run >> {marks}; count=$(wc -l < {marks})\n{work}\nfi")
}

/// Reduces with a script as the compiler, which writes outside of its scratch directory.
fn reduce(world: &World, rustc: &Path, args: &[&str]) -> Finished {
    let mut command = world.ice(&["--no-daemon", "--sandbox", "off", "--output"]);
    command.arg(world.beside("out")).arg("--rustc").arg(rustc);
    command.args(args);
    Running::start(command).finish()
}

#[test]
fn an_input_that_stops_failing_is_refused_and_leaves_nothing_behind() {
    let world = World::with("ice-library").with_usual_runs();
    // The baseline takes half as many runs.
    let work = "if [ $count -gt 40 ]; then exit 0; fi";
    let rustc = script(
        &world,
        "rustc.sh",
        &counted(&world, &format!("has {GONE_SOON}"), work),
    );
    let finished = reduce(&world, &rustc, &[]);
    finished.expect_failure(
        exit_code::UNSTABLE_CRASH,
        &[
            "failed to see the same failure in each run",
            "--repeat auto",
        ],
    );
    assert!(!world.beside("out").exists());
}

/// The compiler passes the input in one of ten runs.
#[test]
fn an_input_that_passes_once_in_ten_runs_is_refused() {
    let world = World::with("ice-library").with_usual_runs();
    // The baseline is let alone, so that it does not notice.
    let work = "if [ $count -gt 20 ] && [ $((count % 10)) = 0 ]; then exit 0; fi";
    let condition = format!("has {GONE_SOON}");
    let rustc = script(&world, "rustc.sh", &counted(&world, &condition, work));
    let finished = reduce(&world, &rustc, &[]);
    finished.expect_failure(
        exit_code::UNSTABLE_CRASH,
        &[
            "failed to see the same failure in each run",
            "it was seen in",
        ],
    );
}

#[test]
fn a_stable_input_is_run_as_often_as_the_stated_error_needs() {
    let world = World::with("ice-library").with_usual_runs();
    let reduction = world.reduce_to("out", &["--no-daemon"]);
    let stability = &reduction.summary()["stability"];
    assert_eq!(stability["runs"], 66, "{stability}");
    assert_eq!(stability["failed"], 66, "{stability}");
    assert!(stability["mistaken"].as_f64() < Some(0.001), "{stability}");
    assert!(reduction.report().contains("66 of 66 runs failed"));
}

#[test]
fn where_the_result_does_not_fail_the_last_step_that_does_is_the_result() {
    let world = World::with("ice-library").with_usual_runs();
    // The condition meets a call as a person makes it, and only for the names that the result is given in the end.
    let before = format!("if [ \"$RUST_BACKTRACE\" = 1 ] && ! has {GONE_LATE}; then exit 0; fi");
    let rustc = script(&world, "rustc.sh", &before);
    let finished = reduce(&world, &rustc, &[]);
    finished.expect_failure(
        exit_code::UNSTABLE_CRASH,
        &[
            "failed to confirm the result: its last check did not show the failure",
            "the last step that still fails",
            "--repeat auto --force",
        ],
    );
    let reduction = Reduction::read(&world.beside("out"));
    assert!(reduction.code().contains(GONE_LATE), "{}", reduction.code());
    assert!(
        reduction.number("tokens_after") <= 40,
        "{}",
        reduction.code()
    );
    assert_eq!(reduction.summary()["ended"], "unconfirmed");
    let said = reduction.reproduce(&world).expect_code(101);
    assert!(
        said.everything().contains("was matchable against"),
        "{said}"
    );
}

/// A compiler that replaces itself by `fixed` when it has compiled some programs without the first name.
fn replacing_itself(world: &World, fixed: &Path) -> PathBuf {
    let place = world.beside("rustc.sh");
    // Two runs at once may both count 21, and none 20: the first one that is late enough replaces the compiler.
    let replace = format!(
        "if [ $count -ge 20 ] && [ -e {fixed} ]; then mv {fixed} {} 2>/dev/null; fi",
        place.display(),
        fixed = fixed.display(),
    );
    let condition = format!("[ -n \"$file\" ] && ! has {GONE_SOON}");
    script(world, "rustc.sh", &counted(world, &condition, &replace))
}

#[test]
fn a_compiler_that_is_replaced_meanwhile_ends_the_reduction_with_the_last_confirmed_step() {
    let world = World::with("ice-library").with_usual_runs();
    let fixed = script(&world, "fixed.sh", "if [ -n \"$file\" ]; then exit 0; fi");
    let rustc = replacing_itself(&world, &fixed);
    let finished = reduce(&world, &rustc, &[]);
    let said = finished.expect_failure(
        exit_code::CHANGED,
        &[
            "failed to go on: the compiler",
            "was changed during the reduction",
            "is the last confirmed step",
            "give the same command again",
        ],
    );
    let result = std::fs::read_to_string(world.beside("out/reduced.rs"));
    let result = result.expect("the last confirmed step is there");
    assert!(!result.contains(GONE_SOON), "{result}");
    assert!(!world.beside("out/report.md").exists(), "{said}");
    let mut real = world.command(world.real_compiler().to_str().expect("it is UTF-8"));
    real.args([
        "--crate-type=lib",
        "--edition=2024",
        "--emit=metadata",
        "-o",
    ]);
    real.arg(world.beside("checked.rmeta"));
    real.arg(world.beside("out/reduced.rs"));
    assert!(Running::start(real).finish().is_crash(), "{result}");
    // The last reduction needs no `--force`: the files in the output directory are the command's own.
    let rustc = script(&world, "rustc.sh", "");
    reduce(&world, &rustc, &[]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert!(reduction.number("tokens_after") <= 40);
}

#[test]
fn a_compiler_that_is_removed_meanwhile_ends_the_reduction_with_the_last_confirmed_step() {
    let world = World::with("ice-library").with_usual_runs();
    let place = world.beside("rustc.sh");
    let remove = format!("if [ $count -ge 20 ]; then rm -f {}; fi", place.display());
    let condition = format!("[ -n \"$file\" ] && ! has {GONE_SOON}");
    let rustc = script(&world, "rustc.sh", &counted(&world, &condition, &remove));
    let finished = reduce(&world, &rustc, &[]);
    finished.expect_failure(
        exit_code::CHANGED,
        &[
            "was removed during the reduction",
            "is the last confirmed step",
        ],
    );
    let result = std::fs::read_to_string(world.beside("out/reduced.rs"));
    assert!(!result.expect("it is there").contains(GONE_SOON));
}
