//! Tests of what the program says and does when something is wrong: each time a clear message, a
//! hint, an exit code of its own, and nothing lost.

use crate::support::{
    FEW_PASSES, Finished, Reduction, Running, World, copy, exit_code, read_tree, reproduces_with,
};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Runs without the daemon: what is checked here does not depend on it.
fn refused(world: &World, args: &[&str]) -> Finished {
    world.reduce(&[&["--no-daemon"], args].concat())
}

#[test]
fn a_directory_without_a_manifest_is_bad_input() {
    let world = World::empty();
    refused(&world, &[]).expect_failure(exit_code::BAD_INPUT, &["Cargo.toml"]);
    assert!(read_tree(world.work()).is_empty(), "something was written");
}

#[test]
fn an_address_of_a_server_without_a_scheme_or_a_port_is_bad_input() {
    let world = World::empty();
    for address in [
        "build.example:8980",
        "grpc://build.example",
        "http://build.example:80",
    ] {
        let finished = refused(&world, &["--remote", address]);
        finished.expect_code(exit_code::BAD_INPUT);
    }
}

#[test]
fn a_manifest_that_cargo_rejects_is_shown_with_what_cargo_says() {
    let world = World::with("bad-manifest");
    refused(&world, &[]).expect_failure(exit_code::BAD_INPUT, &["edition", "1066"]);
}

#[test]
fn a_package_that_is_not_there_is_bad_input() {
    let world = World::with("with-dependency");
    refused(&world, &["-p", "sounds"]).expect_failure(exit_code::BAD_INPUT, &["sounds"]);
}

#[test]
fn a_file_that_is_not_there_is_bad_input() {
    let world = World::empty();
    refused(&world, &["nowhere.rs"]).expect_failure(exit_code::BAD_INPUT, &["nowhere.rs"]);
}

#[test]
fn a_command_that_does_not_say_what_must_stay_is_bad_input() {
    let world = World::with("no-crash");
    let finished = Running::start(world.program(&["--detach"])).finish();
    finished.expect_failure(exit_code::BAD_INPUT, &["--ice"]);
}

#[test]
fn a_choice_that_does_not_exist_is_refused_wherever_it_stands() {
    let world = World::empty();
    let choices = "[possible values: ddmin, wddmin, probdd, wprobdd, cdd]";
    let reduce = |args: &[&str], variable: Option<&str>| {
        let mut command = world.ice(&[&["--no-daemon", "absent.rs"], args].concat());
        command.envs(variable.map(|value| ("CARGO_REDUCE_ALGORITHM", value)));
        let finished = Running::start(command).finish();
        let finished = finished.expect_code(exit_code::BAD_INPUT);
        finished.stderr().contains(choices)
    };
    assert!(reduce(&["--algorithm", "quick"], None));
    assert!(reduce(&[], Some("quick")));
    assert!(
        !reduce(&["--algorithm", "cdd"], Some("quick")),
        "the flag wins"
    );
    std::fs::write(world.work().join("reduce.toml"), "algorithm = 'quick'").expect("written");
    assert!(reduce(&[], Some("cdd")), "a file must be right in itself");
    std::fs::write(world.work().join("reduce.toml"), "algorithm = 'cdd'").expect("written");
    assert!(reduce(&[], Some("quick")), "the variable wins");
    assert!(!reduce(&[], None));
}

#[test]
fn a_crate_that_compiles_has_no_crash() {
    let world = World::with("no-crash");
    let before = read_tree(world.work());
    refused(&world, &[]).expect_failure(exit_code::NO_CRASH, &["`cargo build` succeeds"]);
    assert_eq!(read_tree(world.work()), before, "something was written");
}

#[test]
fn an_ordinary_error_is_no_crash_even_if_it_quotes_the_words_of_one() {
    let world = World::with("ordinary-error");
    let finished = refused(&world, &[]);
    finished.expect_failure(
        exit_code::NO_CRASH,
        &["`cargo check` fails otherwise", "mismatched types"],
    );
}

/// Checks that a macro may say what a crashing compiler says, and end as one does.
#[track_caller]
fn check_macro(program: &str, name: &str, ending: &str) {
    let world = World::with("macro-ends-process");
    let message =
        format!("the procedural macro `{name}` of the crate `loud` ends the process ({ending})");
    let source = path(&world.work().join("loud/src/lib.rs")).to_owned();
    let args = ["-p", "choir", "--bin", program];
    let texts = [message.as_str(), source.as_str(), "--cargo"];
    refused(&world, &args).expect_failure(exit_code::NO_CRASH, &texts);
}

#[test]
fn a_macro_that_imitates_a_crash_of_the_compiler_is_told_from_one() {
    check_macro("pretends", "pretend", "exit status 101");
}

#[test]
fn a_macro_that_aborts_is_no_crash_of_the_compiler() {
    check_macro("aborts", "abort", "signal 6");
}

#[test]
fn a_macro_whose_stack_overflows_is_no_crash_of_the_compiler() {
    check_macro("overflows", "Overflow", "signal 11");
}

#[test]
fn an_input_with_a_feature_is_told_which_toolchain_it_needs() {
    let world = World::with("no-crash");
    let library = world.work().join("src/lib.rs");
    std::fs::write(library, "#![feature(never_type)]\n").expect("written");
    let texts = ["E0554", "`cargo +nightly reduce ..`"];
    refused(&world, &[]).expect_failure(exit_code::NO_CRASH, &texts);
}

#[test]
fn a_toolchain_behind_the_command_is_told_where_it_belongs() {
    let world = World::with("ice-library");
    for goal in ["--ice", "--last"] {
        let refused = Running::start(world.program(&["+nightly", goal])).finish();
        let refused = refused.expect_code(exit_code::BAD_INPUT);
        assert!(
            refused.stderr().contains("`cargo +nightly reduce ..`"),
            "{refused}"
        );
    }
}

#[test]
fn a_compiler_that_is_not_there_is_named() {
    let world = World::with("ice-library");
    let args = ["--rustc", "/nonexistent/bin/rustc"];
    let finished = refused(&world, &args);
    finished.expect_failure(exit_code::COMPILER_MISSING, &["/nonexistent/bin/rustc"]);
}

#[test]
fn an_output_directory_that_is_used_is_refused_and_left_as_it_is() {
    let world = World::with("treat-err-as-bug");
    let output = directory_with_notes(&world);
    let before = read_tree(&output);
    let args = ["--output", path(&output)];
    refused(&world, &args).expect_failure(exit_code::OUTPUT_EXISTS, &[path(&output), "--force"]);
    assert_eq!(read_tree(&output), before);
}

#[test]
fn with_force_an_earlier_result_is_replaced_and_other_files_stay() {
    let world = World::with("treat-err-as-bug");
    let output = directory_with_notes(&world);
    std::fs::write(output.join("reduced.rs"), "an earlier result").unwrap();
    let args = ["--output", path(&output), "--force"];
    refused(&world, &args).expect_success();
    reproduces_with(&Reduction::read(&output), &world, &["treat-err-as-bug"]);
    assert_eq!(
        std::fs::read_to_string(output.join("notes.txt")).unwrap(),
        "mine"
    );
}

fn directory_with_notes(world: &World) -> std::path::PathBuf {
    let output = world.beside("out");
    std::fs::create_dir(&output).expect("a directory can be made");
    std::fs::write(output.join("notes.txt"), "mine").expect("a file can be written");
    output
}

#[test]
fn an_output_directory_below_a_file_is_a_failure_of_the_surroundings() {
    let world = World::with("treat-err-as-bug");
    let below = world.beside("home").join("file/out");
    std::fs::write(world.beside("home").join("file"), "").unwrap();
    let finished = refused(&world, &["--output", path(&below)]);
    assert!(finished.stderr().contains(path(&below)), "{finished}");
    finished.expect_code(exit_code::ENVIRONMENT);
}

/// A file is written under a name that ends with `.new` and then renamed, so that a link with that
/// name to the device that is always full makes the disk full for that file.
#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_the_result_so_far_stays_and_the_next_run_needs_no_compiler() {
    let world = World::with("treat-err-as-bug");
    let output = world.beside("out");
    std::fs::create_dir(&output).unwrap();
    symlink("/dev/full", output.join(".report.md.unfinished")).unwrap();
    let args = ["--output", path(&output), "--force"];
    let finished = refused(&world, &args);
    assert!(
        finished.stderr().contains("No space left on device"),
        "{finished}"
    );
    finished.expect_code(exit_code::ENVIRONMENT);
    let code = std::fs::read_to_string(output.join("reduced.rs")).unwrap();
    let left = output.join(".report.md.unfinished").symlink_metadata();
    assert!(left.is_err(), "what is not written to its end stays");
    refused(&world, &args).expect_success();
    let reduction = Reduction::read(&output);
    assert_eq!(
        (reduction.code(), reduction.number("queries")),
        (code.as_str(), 0)
    );
}

#[test]
fn files_that_cannot_be_parsed_are_reduced_all_the_same() {
    let world = World::with("unparsable");
    let finished = world
        .start_to("out", &["--no-daemon"])
        .finish()
        .expect_success();
    let islands = finished.events_named("islands-in-file");
    let files: Vec<_> = islands
        .iter()
        .filter_map(|event| event["path"].as_str())
        .collect();
    for file in ["drafts.rs", "meter.rs"] {
        assert!(
            files.iter().any(|path| path.ends_with(file)),
            "no islands in {file}: {files:?}"
        );
    }
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(reduction.number("tokens_after") <= 100, "{code}");
    assert_eq!(reduction.summary()["clean"], true, "{code}");
    let crash = [
        "rustc_borrowck/src/places_conflict.rs:523:13",
        "not yet implemented",
    ];
    reproduces_with(&reduction, &world, &crash);
}

#[test]
fn a_crash_that_is_not_stable_is_counted() {
    let world = World::with("every-second-run");
    let finished = Running::start(with_flaky_compiler(&world)).finish();
    let finished = finished.expect_failure(
        exit_code::UNSTABLE_CRASH,
        &["failed in", "--repeat", "--sandbox off"],
    );
    let counted = (2..20).any(|runs| {
        let counts = (1..runs).map(|crashed| format!("{crashed} of {runs} runs"));
        counts
            .into_iter()
            .any(|count| finished.stderr().contains(&count))
    });
    assert!(counted, "not said how often\n{finished}");
}

/// Makes a command with one query at a time, so that each second run of the same candidate crashes.
fn with_flaky_compiler(world: &World) -> Command {
    let mut command = world.program(&["--ice", "--no-daemon", "--jobs", "1"]);
    // The script counts its runs beside the program, which a sandbox would not let it do.
    command.args(["--sandbox", "off", "--rustc"]);
    command.arg(world.work().join("flaky-rustc.sh"));
    command.env("RUSTC_REAL", world.real_compiler());
    command.env("RUSTC_FLAKY_MARK", world.beside("mark"));
    // The first run crashes.
    let _ = std::fs::create_dir(world.beside("mark"));
    command
}

#[test]
fn a_store_that_the_daemon_has_open_is_not_touched() {
    let world = World::with("no-crash");
    world.reduce(&[]).expect_code(exit_code::NO_CRASH);
    let locked = refused(&world, &[]);
    locked.expect_failure(
        exit_code::STORE,
        &["in use by another process", "daemon stop"],
    );
    refused(&world, &["--no-cache"]).expect_code(exit_code::NO_CRASH);
}

#[test]
fn a_store_of_a_later_version_is_refused_and_left_as_it_is() {
    let world = World::with("treat-err-as-bug");
    let store = world.state().join("store");
    std::fs::create_dir(&store).unwrap();
    std::fs::write(store.join("format"), "4000\n").unwrap();
    std::fs::write(store.join("later"), "what this version does not know").unwrap();
    let before = read_tree(&store);
    refused(&world, &[]).expect_failure(exit_code::STORE, &["4000", "CARGO_REDUCE_HOME"]);
    assert_eq!(read_tree(&store), before);
}

#[test]
fn a_corrupt_store_is_set_aside_and_the_work_is_done() {
    let world = World::with("treat-err-as-bug");
    let args = ["--no-daemon", "--passes", FEW_PASSES];
    let cold = world.reduce_to("first", &args);
    let store = world.state().join("store");
    overwrite(&store);
    let finished = world.start_to("out", &args).finish().expect_success();
    let warnings = finished.events_named("warning");
    let is_told = |told: &str| {
        warnings
            .iter()
            .any(|warning| warning.to_string().contains(told))
    };
    assert!(is_told("damaged"), "{finished}");
    let aside = std::fs::read_dir(world.state())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let aside: Vec<_> = aside.filter_map(|name| name.into_string().ok()).collect();
    assert!(
        aside.iter().any(|name| name.contains("corrupt")),
        "nothing is kept: {aside:?}"
    );
    assert_eq!(Reduction::read(&world.beside("out")).code(), cold.code());
}

/// Replaces what is in each file by the same number of other bytes.
fn overwrite(directory: &Path) {
    for (name, bytes) in read_tree(directory) {
        let file = directory.join(name);
        if file.is_file() {
            std::fs::write(file, vec![0xAB; bytes.len()]).expect("a file can be written");
        }
    }
}

#[test]
fn a_path_with_spaces_and_other_letters_is_no_obstacle() {
    let world = World::with("treat-err-as-bug");
    let odd = world.beside("home").join("día 'uno'");
    copy(world.work(), &odd);
    let manifest = odd.join("Cargo.toml");
    let args = ["--manifest-path", path(&manifest)];
    let reduction = world.reduce_to("o u t", &[&args[..], &["--no-daemon"]].concat());
    reproduces_with(&reduction, &world, &["treat-err-as-bug"]);
}

fn path(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}
