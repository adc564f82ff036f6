//! Tests of the ways to ask the compiler: warm or started anew, and as little of it as the crash
//! needs. None of this may be seen in the result.

use crate::support::asked::{path_str, write_script};
use crate::support::{Reduction, Running, World, exit_code, reproduces_with, signal, wait_until};
use std::path::PathBuf;

const CRASH: [&str; 1] = ["rustc_trait_selection/src/traits/select/mod.rs:2495:17"];

/// Writes a compiler that is a script around the real one.
fn script(world: &World, before: &str) -> PathBuf {
    let path = world.beside("rustc.sh");
    let real = world.real_compiler();
    let text = format!("#!/bin/sh\n{before}\nexec {} \"$@\"\n", real.display());
    write_script(&path, &text);
    path
}

/// Reduces a crash where there is one other toolchain, whose compiler does this with a program.
fn beside_compiler(compiles: &str) -> (String, Reduction) {
    let world = World::with("stack-overflow.rs");
    let rustup = world.beside("rustup");
    let bin = rustup.join("toolchains/newer/bin");
    std::fs::create_dir_all(&bin).expect("a directory can be made");
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = -vV ] && printf 'rustc 1.999.0\\nrelease: 1.999.0\\n' && exit\n\
         [ \"$1\" = --print ] && echo /nowhere && exit\n{compiles}\n"
    );
    write_script(&bin.join("rustc"), &text);
    let (out, rustc) = (world.beside("out"), world.real_compiler());
    let mut command = world.program(&["--ice", "--no-daemon", "--no-cache", "--jobs", "2"]);
    command.args(["--rustc", path_str(&rustc), "--output", path_str(&out)]);
    command.args("stack-overflow.rs --edition 2021 -- --crate-type lib".split(' '));
    command.env("RUSTUP_HOME", &rustup);
    let finished = Running::start(command).finish().expect_success();
    (finished.everything(), Reduction::read(&out))
}

#[test]
fn the_warm_compiler_gives_the_same_result_with_the_same_queries() {
    let world = World::with("ice-library");
    let reduce = |out, how| world.reduce_to(out, &["--no-cache", "--compiler", how]);
    let (warm, spawn) = (reduce("warm", "warm"), reduce("spawn", "spawn"));
    assert_eq!(warm.code(), spawn.code());
    for figure in ["queries", "steps", "cache_hits", "tokens_after", "kinds"] {
        assert_eq!(warm.summary()[figure], spawn.summary()[figure], "{figure}");
    }
    assert_eq!(warm.summary()["warm_compiler"], true);
    assert_eq!(spawn.summary()["warm_compiler"], false);
    reproduces_with(&warm, &world, &CRASH);
}

#[test]
fn a_script_around_the_compiler_is_started_anew_and_that_is_said_once() {
    let world = World::with("ice-library");
    let rustc = script(&world, "");
    let client = world.start_to("out", &["--rustc", path_str(&rustc)]);
    let finished = client.finish().expect_success();
    let warnings = finished.events_named("warning");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].to_string().contains("warm compiler"),
        "{warnings:?}"
    );
    let reduction = Reduction::read(&world.beside("out"));
    assert_eq!(reduction.summary()["warm_compiler"], false);
    assert!(reduction.number("tokens_after") <= 60);
}

#[test]
fn who_stops_a_search_does_not_wait_for_a_large_program_to_be_compiled() {
    let small = "pub fn f() -> u8 { 1 + 2 }\n".repeat(2_000);
    let world = World::with_files(&[("large.rs", &format!("pub fn wrong() -> u8 {{}}\n{small}"))]);
    let rustc = script(&world, "sleep 1");
    let out = world.beside("out");
    let mut command = world.program(&["--error", "E0308", "--no-daemon", "large.rs"]);
    command.args(["--message-format", "json", "--rustc", path_str(&rustc)]);
    command.args(["--output", path_str(&out), "--", "--crate-type", "lib"]);
    let mut program = Running::start(command);
    program.wait_for("pass-started");
    signal(program.pid(), "INT");
    program.finish().expect_code(exit_code::STOPPED);
    let reduction = Reduction::read(&out);
    let summary = reduction.summary();
    assert_eq!(summary["ended"], "cancelled");
    assert_eq!(
        (&summary["checked"], &summary["clean"]),
        (&false.into(), &serde_json::Value::Null)
    );
    assert!(reduction.code().contains("pub fn wrong() -> u8 {}"));
}

#[test]
fn another_compiler_that_does_not_crash_says_whether_the_result_is_valid() {
    let (_, reduction) = beside_compiler("exit 0");
    let neighbour = &reduction.summary()["neighbour"];
    assert_eq!(neighbour["version"], "rustc 1.999.0");
    assert!(neighbour["error"].is_null(), "{neighbour}");
    assert!(reduction.report().contains("- It compiles with `"));

    let error = r#"{"$message_type":"diagnostic","level":"error","message":"a","code":{"code":"E0308"},"spans":[]}"#;
    let (said, reduction) = beside_compiler(&format!("echo '{error}' >&2; exit 1"));
    assert_eq!(reduction.summary()["neighbour"]["error"], "E0308");
    assert!(reduction.report().contains("- Another compiler refuses it"));
    assert!(said.contains("refuses it: E0308"), "{said}");
    assert_eq!(reduction.summary()["clean"], true, "it decides nothing");
}

#[test]
fn where_the_other_compiler_crashes_too_nothing_is_said() {
    let (said, reduction) = beside_compiler("kill -SEGV $$");
    assert!(reduction.summary()["neighbour"].is_null());
    assert!(
        !reduction.report().contains("compiler refuses it"),
        "{said}"
    );
}

/// Reduces a program that calls a procedural macro, with a script for a compiler: nobody sees who
/// ends the process then.
fn with_macro_and_script(program: &str) -> (Vec<String>, Reduction) {
    let world = World::with("macro-ends-process");
    let rustc = script(&world, "");
    let args = ["-p", "choir", "--bin", program, "--rustc", path_str(&rustc)];
    let finished = world.start_to("out", &args).finish().expect_success();
    let warnings = finished.events_named("warning").into_iter();
    let of_macros = warnings.map(|one| one.to_string());
    let of_macros = of_macros.filter(|one| one.contains("procedural macros"));
    (of_macros.collect(), Reduction::read(&world.beside("out")))
}

#[test]
fn where_nobody_knows_whether_a_macro_has_crashed_that_is_said() {
    let (warnings, reduction) = with_macro_and_script("pretends");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(reduction.summary()["may_be_of_macro"], true);
    let said = "It shows while procedural macros run, and may be theirs.";
    assert!(reduction.report().contains(said), "{}", reduction.report());
}

#[test]
fn a_crash_after_all_macros_were_expanded_is_that_of_the_compiler() {
    let (warnings, reduction) = with_macro_and_script("crashes");
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(reduction.summary()["may_be_of_macro"], false);
    assert!(reduction.number("tokens_after") <= 30);
}

#[test]
fn a_crash_of_the_compiler_beside_a_macro_is_reduced() {
    let world = World::with("macro-ends-process");
    let reduction = world.reduce_to("out", &["-p", "choir", "--bin", "crashes"]);
    reproduces_with(&reduction, &world, &CRASH);
    assert!(reduction.number("tokens_after") <= 30);
}

#[test]
fn who_wants_the_warm_compiler_and_cannot_have_it_is_told_why() {
    let world = World::with("ice-library");
    let rustc = script(&world, "");
    let out = world.beside("out");
    let args = [
        "--rustc",
        path_str(&rustc),
        "--compiler",
        "warm",
        "-o",
        path_str(&out),
    ];
    let said = ["failed to use the warm compiler", "--compiler warm"];
    world
        .reduce(&args)
        .expect_failure(exit_code::COMPILER_MISSING, &said);
}

#[test]
fn a_crash_in_the_parser_is_asked_for_no_further_than_name_resolution() {
    let world = World::with("stack-overflow.rs");
    let args = "stack-overflow.rs --edition 2021 -- --crate-type lib";
    let args: Vec<&str> = args.split(' ').collect();
    let reduction = world.reduce_to("out", &args);
    assert_eq!(reduction.summary()["ladder"], "resolve");
    let command = reduction.summary()["reproduce"]
        .as_str()
        .unwrap_or_default();
    assert!(!command.contains("dep-info"), "{command}");
    reproduces_with(&reduction, &world, &["overflowed its stack"]);
}

#[test]
fn a_crash_in_code_generation_needs_one_object_file_and_no_linker() {
    let world = World::with("codegen-only");
    let reduction = world.reduce_to("out", &[]);
    assert_eq!(reduction.summary()["ladder"], "object");
    let crash = ["rustc_middle/src/ty/instance.rs:570:21"];
    reproduces_with(&reduction, &world, &crash);
}

#[test]
fn each_candidate_is_accounted_for() {
    let world = World::with("ice-library");
    let reduction = world.reduce_to("out", &[]);
    let stages = reduction.summary()["stages"].as_array().cloned();
    let stages = stages.expect("there are stages");
    let count = |names: &[&str]| -> u64 {
        let of_names = stages
            .iter()
            .filter(|stage| names.contains(&stage["stage"].as_str().unwrap_or_default()));
        of_names
            .filter_map(|stage| stage["candidates"].as_u64())
            .sum()
    };
    let asked = count(&["new-error", "end", "deadline"]);
    let kinds = reduction.summary()["kinds"].as_array().cloned();
    let kinds = kinds.expect("there are kinds").into_iter();
    let together = kinds.filter(|kind| kind["kind"] == "joint compilation");
    let together: u64 = together.filter_map(|kind| kind["queries"].as_u64()).sum();
    assert_eq!(asked + together, reduction.number("queries"));
    assert_eq!(count(&["cache"]), reduction.number("cache_hits"));
    assert!(count(&["names"]) > 0, "{stages:?}");
    for figure in ["compiler_cpu_seconds", "overhead_seconds"] {
        assert!(reduction.summary()[figure].as_f64() > Some(0.0), "{figure}");
    }
    assert!(reduction.number("peak_memory_bytes") > 10 << 20);
}

#[test]
fn what_a_compiler_has_started_does_not_outlive_a_daemon_that_is_killed() {
    let world = World::with("ice-library");
    let (hang, pid) = (world.beside("hang"), world.beside("pid"));
    let before = format!(
        "if [ -e {0} ]; then sleep 1000 & echo $! > {1}.new; mv {1}.new {1}; sleep 1000; fi",
        hang.display(),
        pid.display()
    );
    let rustc = script(&world, &before);
    // The compiler says outside of its scratch directory what it has started.
    let args = [
        "--rustc",
        path_str(&rustc),
        "--timeout",
        "900",
        "--sandbox",
        "off",
    ];
    let mut client = world.start_to("out", &args);
    client.wait_for("step-accepted");
    std::fs::write(&hang, "").expect("a file can be written");
    let started = wait_until("a compiler has started something", || {
        std::fs::read_to_string(&pid).ok()?.trim().parse().ok()
    });
    assert!(is_running(started));
    signal(world.daemon_pid().expect("a daemon runs"), "KILL");
    client.finish().expect_code(exit_code::DAEMON);
    wait_until("it is gone", || (!is_running(started)).then_some(()));
}

fn is_running(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

#[test]
fn no_warm_compiler_is_left_of_a_daemon_that_is_killed() {
    let world = World::with("ice-library");
    let mut client = world.start_to("out", &["--compiler", "warm"]);
    client.wait_for("step-accepted");
    let daemon = world.daemon_pid().expect("a daemon runs");
    let compilers = children_of(daemon);
    assert!(!compilers.is_empty(), "no compiler is loaded");
    signal(daemon, "KILL");
    client.finish().expect_code(exit_code::DAEMON);
    wait_until("they are gone", || {
        (!compilers.iter().any(|pid| is_running(*pid))).then_some(())
    });
}

/// The processes that a process has started, by what the system says.
fn children_of(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("there is /proc");
    let pids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_child = |pid: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        status.contains(&format!("\nPPid:\t{parent}\n"))
    };
    pids.filter(is_child).collect()
}

#[test]
fn nothing_of_a_job_is_left_when_it_has_ended() {
    let world = World::with("ice-library");
    let mut command = world.ice(&["--no-daemon", "--compiler", "warm", "-o"]);
    command.arg(world.beside("out"));
    Running::start(command).finish().expect_success();
    world.reduce_to("again", &["--no-cache"]);
    let daemon = world.daemon_pid().expect("a daemon runs");
    let names = children_of(daemon).into_iter().filter_map(|pid| {
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm"));
        name.ok().map(|name| name.trim().to_owned())
    });
    let left: Vec<_> = names.filter(|name| name != "cargo-reduce").collect();
    assert!(left.is_empty(), "{left:?}");
}
