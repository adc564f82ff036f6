//! Tests of what a shell and `man` get from the program: completion, typed into a real bash, and man pages.

use crate::support::{Finished, PROGRAM, Running, World, exit_code, wait_until};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Completes the word as far as it is certain.
const TAB: &str = "\t";
/// Puts all candidates in place of the word (`insert-completions`).
const ALL: &str = "\u{1b}*";
/// Goes to the start of the line, so that it is printed and not run.
const ECHO: &str = "\u{1}echo ";

/// Types keys into an interactive bash, and returns what each line has become; `None` where there is no bash.
///
/// `before` is what the shell runs before it reads the script of the program.
fn typed(world: &World, before: &str, lines: &[String]) -> Option<Vec<String>> {
    if !has_bash(world) {
        return None;
    }
    let script = "source <(cargo-reduce reduce completions bash)";
    let lines = lines.iter().map(|line| format!("{line}{ECHO}\n"));
    let keys = format!("{before}\n{script}\n{}", lines.collect::<String>());
    let finished = bash(world, &keys).expect_success();
    // The terminal gets what is typed by standard error.
    let printed = finished.stdout();
    Some(printed.lines().map(|line| line.trim().to_owned()).collect())
}

#[expect(
    clippy::print_stderr,
    reason = "whoever runs the tests is told what was left out"
)]
fn has_bash(world: &World) -> bool {
    let mut shell = world.command("sh");
    shell.args(["-c", "command -v bash"]);
    let found = !Running::start(shell).finish().stdout().is_empty();
    if !found {
        eprintln!("skipped: there is no bash, so that completion in it is not tested");
    }
    found
}

/// Runs a bash to which keys are typed. Without `setsid` it would take the terminal of whoever runs the
/// tests.
fn bash(world: &World, keys: &str) -> Finished {
    const START: &str =
        "PATH=$1:$PATH; export PATH; exec setsid -w bash --norc --noprofile -i < \"$2\"";
    let file = world.beside("keys");
    std::fs::write(&file, keys).expect("it can be written");
    let directory = Path::new(PROGRAM).parent().expect("it is in one");
    let mut shell = world.command("sh");
    shell.args(["-c", START, "sh"]).arg(directory).arg(&file);
    shell.env("TERM", "dumb").env("INPUTRC", "/dev/null");
    Running::start(shell).finish()
}

#[track_caller]
fn check(before: &str, lines: &[String], expected: &[&str]) {
    let world = World::with("failing-tests");
    if let Some(typed) = typed(&world, before, lines) {
        assert_eq!(typed, expected);
    }
}

#[test]
fn options_and_commands_are_completed_in_bash() {
    let all = |line: &str| format!("{line}{ALL}");
    let lines = [
        all("cargo reduce --i"),
        format!("cargo reduce --ic{TAB}"),
        all("cargo reduce daemon st"),
        format!("cargo +nightly reduce --rustd{TAB}"),
        format!("cargo-reduce re{TAB}completions f{TAB}"),
        format!("cargo reduce --passes=print,empty_b{TAB}"),
        format!("cargo reduce --warning clippy::a --prior=un{TAB}"),
    ];
    let expected = [
        "cargo reduce --ice --incremental --ignore-location --input --initial-probability --idle-minutes",
        "cargo reduce --ice",
        "cargo reduce daemon status stop",
        "cargo +nightly reduce --rustdoc",
        "cargo-reduce reduce completions fish",
        "cargo reduce --passes=print,empty_bodies",
        "cargo reduce --warning clippy::a --prior=uniform",
    ];
    check("", &lines, &expected);
}

#[test]
fn targets_packages_and_files_are_completed_in_bash() {
    let lines = [
        format!("cargo reduce --test {ALL}"),
        format!("cargo reduce --test=tr{TAB}"),
        format!("cargo reduce -p {TAB}"),
        format!("cargo reduce sr{TAB}l{TAB}"),
        format!("cargo reduce -p nobody --test {ALL}"),
        format!("cargo reduce --manifest-path Cargo.t{TAB}--lib"),
    ];
    let expected = [
        "cargo reduce --test others own_harness transfers",
        "cargo reduce --test=transfers",
        "cargo reduce -p ledger",
        "cargo reduce src/lib.rs",
        "cargo reduce -p nobody --test",
        "cargo reduce --manifest-path Cargo.toml --lib",
    ];
    check("", &lines, &expected);
}

#[test]
fn cargo_keeps_its_own_completion_in_bash() {
    let before = "_cargo() { COMPREPLY=(build bench); }; complete -o nospace -F _cargo cargo";
    let lines = [
        format!("cargo b{ALL}"),
        format!("cargo build --i{ALL}"),
        format!("cargo reduce --ic{TAB}--verb{TAB}"),
    ];
    let expected = [
        "cargo bench build",
        "cargo build bench build",
        "cargo reduce --ice --verbose",
    ];
    check(before, &lines, &expected);
    // A script that is read twice still knows what was there before it.
    let twice = format!("{before}\nsource <(cargo-reduce reduce completions bash)");
    check(&twice, &lines, &expected);
}

#[test]
fn a_shell_is_told_nothing_where_the_workspace_cannot_be_read() {
    let world = World::with("bad-manifest");
    let mut program = world.command(PROGRAM);
    program.args(["--", "cargo", "reduce", "--test", ""]);
    program.env("CARGO_REDUCE_COMPLETE", "bash");
    let finished = Running::start(program).finish().expect_success();
    assert_eq!((finished.stdout().as_str(), finished.stderr()), ("", ""));
}

#[test]
fn man_pages_are_written_with_all_options() {
    let world = World::empty();
    let finished = Running::start(world.program(&["man", "man1"])).finish();
    assert_eq!(finished.expect_success().stdout(), "");
    let page = world.work().join("man1/cargo-reduce.1");
    let page = std::fs::read_to_string(page).expect("it was written");
    for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "FILES", "EXIT"] {
        let heading = format!("\n.SH {section}");
        assert!(page.contains(&heading) || page.contains(&format!("\n.SH \"{section}")));
    }
    let help = Running::start(world.program(&["--help"])).finish();
    for option in long_options(&help.expect_success().stdout()) {
        let shown = format!("\\fB{}\\fR", option.replace('-', "\\-"));
        assert!(page.contains(&shown), "{option}\n{page}");
    }
}

/// The options that begin a line of the help.
fn long_options(help: &str) -> Vec<&str> {
    let lines = help.lines().map(str::trim_start);
    let lines = lines.map(|line| line.split_once(", ").map_or(line, |(_, long)| long));
    let options = lines.filter(|line| line.starts_with("--"));
    let names = options.map(|line| line.split([' ', '=', '[']).next().unwrap_or(line));
    // A line of a text may begin with an option that it quotes.
    let names = names.filter(|name| !name.contains('`'));
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 60, "{names:?}");
    names
}

#[test]
fn man_pages_replace_no_other_file() {
    let world = World::empty();
    let page = world.work().join("cargo-reduce-daemon.1");
    std::fs::write(&page, "mine").expect("it can be written");
    let finished = Running::start(world.program(&["man", "."])).finish();
    finished.expect_failure(exit_code::BAD_INPUT, &["cargo-reduce-daemon.1"]);
    assert_eq!(std::fs::read_to_string(page).expect("it is there"), "mine");
    let finished = Running::start(world.program(&["man", "/dev/null/man1"])).finish();
    finished.expect_failure(exit_code::ENVIRONMENT, &["`/dev/null/man1`"]);
}

#[test]
fn the_page_is_opened_when_the_result_is_written() {
    let world = World::with("recursion.rs");
    let opened = world.beside("opened");
    // The viewer stands before any other program of this name in the search path.
    let programs = world.beside("programs");
    std::fs::create_dir(&programs).expect("it can be made");
    let viewer = programs.join("xdg-open");
    let text = format!(
        "#!/bin/sh\nprintf '%s' \"$1\" > '{0}.part' && mv '{0}.part' '{0}'\n",
        opened.display()
    );
    std::fs::write(&viewer, text).expect("it can be written");
    std::fs::set_permissions(&viewer, Permissions::from_mode(0o755)).expect("it is ours");
    let out = world.beside("out");
    let mut command = world.program(&[
        "recursion.rs",
        "--warning",
        "unconditional_recursion",
        "--open",
        "--output",
    ]);
    command.arg(&out);
    let mut set = command.get_envs();
    let inherited = set.find_map(|(name, value)| value.filter(|_| name == "PATH"));
    let inherited = inherited
        .expect("what finds the compiler is set")
        .to_owned();
    let all = std::iter::once(programs).chain(std::env::split_paths(&inherited));
    command.env(
        "PATH",
        std::env::join_paths(all).expect("no path has a colon"),
    );
    Running::start(command).finish().expect_success();
    wait_until("the page is opened", || opened.exists().then_some(()));
    let page = std::fs::read_to_string(&opened).expect("it was written");
    assert_eq!(Path::new(&page), out.join("report.html"));
    assert!(Path::new(&page).exists());
}
