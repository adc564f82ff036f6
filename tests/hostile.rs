//! Tests of a test that fails by itself, and whose candidates do what they can to do harm: each attack
//! is in a branch that is never taken, until the condition is removed. What each attack meets is in the
//! table of `crates/oracle/src/sandbox/tests.rs`; here the whole program goes through a reduction.

use crate::support::hostile::{SECRET, check_attacks};
use crate::support::{
    FEW_PASSES, Finished, PROGRAM, Reduction, Running, World, exit_code, read_tree, write,
};
use std::path::Path;
use std::process::Command;

/// A package whose only test fails, and says what it can read of these files. Each has the secret in it.
fn package_that_reads(files: &[&str]) -> World {
    let world = World::empty();
    let mut reading = String::new();
    for file in files {
        let path = world.beside(file);
        write(&path, &format!("[registry]\ntoken = \"{SECRET}\"\n"));
        reading +=
            &format!("    seen += &std::fs::read_to_string({path:?}).unwrap_or_default();\n");
    }
    let manifest = "[package]\nname = \"nosy\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    write(&world.work().join("Cargo.toml"), manifest);
    write(&world.work().join("src/lib.rs"), "");
    let start = "    let mut seen = String::new();\n";
    let end = "    assert_eq!(seen, \"nothing\");\n";
    let test = format!("#[test]\nfn sees() {{\n{start}{reading}{end}}}\n");
    write(&world.work().join("tests/sees.rs"), &test);
    world
}

/// Reduces without the daemon; the secret is neither printed nor in the result.
#[track_caller]
fn keeps_the_secret(world: &World, args: &[&str], set: &dyn Fn(&mut Command)) -> Reduction {
    let finished = reduce(world, args, set).expect_success();
    let result = read_tree(&world.beside("out"));
    assert!(!finished.everything().contains(SECRET), "{finished}");
    for (path, bytes) in result {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains(SECRET), "in {path:?}: {text}");
    }
    Reduction::read(&world.beside("out"))
}

fn reduce(world: &World, args: &[&str], set: &dyn Fn(&mut Command)) -> Finished {
    let mut command = world.program(&["--jobs", "2", "--no-daemon", "--output"]);
    command.arg(world.beside("out")).args(args);
    set(&mut command);
    Running::start(command).finish()
}

#[test]
fn a_flag_that_names_the_home_does_not_open_it() {
    let world = package_that_reads(&["home/.ssh/id"]);
    let test = std::fs::read_to_string(world.work().join("tests/sees.rs")).expect("it is there");
    let program = test.replace("#[test]\nfn sees()", "fn main()");
    write(&world.work().join("sees.rs"), &program);
    let home = world.beside("home");
    let remap = format!("--remap-path-prefix={}=/x", home.display());
    let search = format!("-Lnative={}", home.display());
    // Outside of the sandbox it would read the secret: with a pattern, that is not compared.
    let and = ["--and", "right: .nothing"];
    let goal = [&and[..], &["--run", "sees.rs", "--", &remap, &search]].concat();
    let reduction = keeps_the_secret(&world, &goal, &|_| {});
    assert!(reduction.report().contains("nothing"));
}

/// The program leaves directories behind that are deeper than there are descriptors, and than a path may
/// be long.
#[test]
fn directories_that_are_nested_deeply_stop_no_run() {
    let world = World::empty();
    let program = "fn main() {\n    let dir = std::env::var(\"TMPDIR\").unwrap_or_default();\n    \
        std::env::set_current_dir(dir).unwrap();\n    for _ in 0..1100 {\n        \
        std::fs::create_dir(\"d\").unwrap();\n        std::env::set_current_dir(\"d\").unwrap();\n    \
        }\n    let sum: i32 = [1, 2].iter().sum();\n    assert_eq!(sum, 4);\n}\n";
    write(&world.work().join("nests.rs"), program);
    // The limit on descriptors is that of most systems.
    let mut command = world.command("sh");
    let limited = "ulimit -n 1024 && exec \"$0\" \"$@\"";
    command.args([
        "-c",
        limited,
        PROGRAM,
        "reduce",
        "--no-daemon",
        "--jobs",
        "2",
    ]);
    command
        .args(["--run", "nests.rs", "--output"])
        .arg(world.beside("out"));
    let finished = Running::start(command).finish().expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert!(!reduction.code().contains("create_dir"), "{finished}");
}

#[test]
fn a_cargo_command_does_not_see_the_tokens_of_cargo() {
    let files = ["cargo/credentials.toml", "cargo/config.toml"];
    let world = package_that_reads(&files);
    let cargo = world.beside("cargo");
    let goal = ["--cargo", "test --test sees", "--passes", FEW_PASSES];
    keeps_the_secret(&world, &goal, &|command| {
        command.env("CARGO_HOME", &cargo);
    });
}

/// A script in the home that is content where the secret beside it cannot be read, and `word` can be
/// found in the file and in a list of words.
fn script_in_the_home(world: &World) -> (String, String) {
    let home = world.beside("home");
    write(&home.join("secret"), SECRET);
    write(&home.join("lists/words"), "keep");
    let text = format!(
        "#!/bin/sh\n! grep . '{0}/secret' && grep -qf '{0}/lists/words' \"$1\"\n",
        home.display()
    );
    let script = home.join("check.sh");
    write(&script, &text);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, mode).expect("it is ours");
    write(&world.work().join("a.rs"), "fn keep() {}\nfn drop() {}\n");
    let path = |path: &Path| path.to_str().expect("the path is UTF-8").to_owned();
    (path(&script), path(&home.join("lists")))
}

#[test]
fn a_script_reads_itself_and_what_is_named_with_it_alone() {
    let world = World::empty();
    let (script, lists) = script_in_the_home(&world);
    let refused = reduce(&world, &["--script", &script, "a.rs"], &|_| {});
    let said = refused.everything();
    assert!(
        said.contains("Permission denied") && said.contains("--read PATH"),
        "{said}"
    );
    refused.expect_code(exit_code::NO_CRASH);
    let args = ["--script", &script, "--read", &lists, "a.rs"];
    let reduction = keeps_the_secret(&world, &args, &|_| {});
    assert!(!reduction.code().contains("drop"), "{}", reduction.code());
}

#[test]
fn a_home_cannot_be_opened_to_candidates() {
    let world = World::empty();
    let (script, _) = script_in_the_home(&world);
    for path in [
        "/",
        "/root",
        world.beside("home").to_str().expect("UTF-8"),
        "nowhere",
    ] {
        let args = ["--script", &script, "--read", path, "a.rs"];
        let refused = reduce(&world, &args, &|_| {});
        assert!(
            refused.everything().contains("to candidates: "),
            "{refused}"
        );
        refused.expect_code(exit_code::BAD_INPUT);
    }
}

/// A program that writes into whatever it was given, and fails.
const WRITES_EVERYWHERE: &str = r#"//! A program that writes into all descriptors that it has been given.
use std::io::Write;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;

fn main() {
    for number in 3..64 {
        let file = unsafe { std::fs::File::from_raw_fd(number) };
        ManuallyDrop::new(file).write_all(b"evil").ok();
    }
    let fees = [12, 3];
    assert_eq!(fees[0] * 4, 24);
}
"#;

/// Runs a reduction as a shell does that has opened a file as 9 and its own output as 7 for it. Were
/// one of them open in whoever is left, the output would not end.
fn reduce_with_open_files(more: &[&str]) -> World {
    let world = World::empty();
    std::fs::write(world.work().join("leaks.rs"), WRITES_EVERYWHERE).expect("written");
    std::fs::write(world.beside("treasure"), "precious").expect("written");
    let mut command = world.command("sh");
    command.args(["-c", r#"exec "$@" 7>&1 9>>"$0""#]);
    command.arg(world.beside("treasure")).arg(PROGRAM);
    command.args(["reduce", "--run", "--jobs", "2", "leaks.rs", "--output"]);
    command.arg(world.beside("out")).args(more);
    let finished = Running::start(command).finish().expect_success();
    assert!(!finished.everything().contains("evil"), "{finished}");
    let treasure = std::fs::read_to_string(world.beside("treasure")).expect("it is there");
    assert_eq!(treasure, "precious");
    let code = Reduction::read(&world.beside("out")).code().to_owned();
    assert!(!code.contains("evil"), "{code}");
    world
}

#[test]
fn candidates_get_none_of_the_files_that_the_caller_has_open() {
    reduce_with_open_files(&["--no-daemon"]);
}

#[test]
fn a_daemon_keeps_none_of_the_files_that_its_first_caller_has_open() {
    let world = reduce_with_open_files(&[]);
    assert!(world.daemon_pid().is_some(), "the daemon has ended");
}

#[test]
fn candidates_that_attack_change_nothing_and_the_reduction_ends() {
    check_attacks(&["--passes", &format!("hoist_parts,{FEW_PASSES}")]);
}
