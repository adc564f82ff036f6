//! Tests of `--log`: it tells the fate of each candidate to somebody who asks why something did not
//! go.

use crate::support::{Reduction, Running, World, exit_code};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The implementation that crashes the compiler, before its names are shortened.
const IMPLEMENTATION: &str =
    "impl Exchange for <dyn Send as Exchange>::Settled { type Settled = u8; }";

fn read(log: &Path) -> String {
    std::fs::read_to_string(log).expect("the log is there")
}

/// The lines without the time at which they were written.
fn lines(log: &str) -> Vec<&str> {
    let lines = log.lines().skip(1);
    let without_time = lines.filter_map(|line| line.trim_start().split_once(' '));
    without_time.map(|(_, line)| line).collect()
}

/// The line without what is left to chance: the number of the ticket, as what is proposed ahead of
/// time and becomes void has one, and whether the compiler was stopped at an error or was done before
/// that.
fn without_chance(line: &str) -> String {
    let line = line.replacen("(stopped at a new error: ", "(compiled to the end: ", 1);
    match line.split_once(", ticket ") {
        Some((before, after)) => {
            let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}{rest}")
        }
        None => line,
    }
}

/// The last line about a candidate that lacks this text: why it stayed.
#[track_caller]
fn why_it_stays<'l>(log: &[&'l str], text: &str) -> &'l str {
    let removal = format!(" without \"{text}\"");
    let line = log.iter().rev().find(|line| line.contains(&removal));
    line.unwrap_or_else(|| panic!("nobody tried to remove `{text}`:\n{}", log.join("\n")))
}

#[test]
fn the_log_says_why_an_item_stays_whoever_works_and_however_many() {
    let world = World::with("ice-library");
    let log = world.beside("log.txt");
    let log_arg = log.to_str().expect("the path is UTF-8");
    let reduction = world.reduce_to("out", &["--no-cache", "--log", log_arg]);
    let by_daemon = read(&log);
    let told = lines(&by_daemon);

    // The compiler does not crash without the implementation.
    let why = why_it_stays(&told, IMPLEMENTATION);
    assert!(
        why.starts_with("rejected (") && why.contains("it compiles"),
        "{why}"
    );
    // A candidate without the trait is refused before the compiler is asked.
    let why = why_it_stays(&told, "trait Exchange { type Settled; }");
    let expected = "names and arguments: the name `Exchange` has no definition";
    assert!(
        why.starts_with("rejected (") && why.contains(expected),
        "{why}"
    );
    // The line names the stage that proposed the candidate, and the tokens that it would have brought.
    for part in [
        "; stage delete_",
        ", round ",
        ", search ",
        ", ticket ",
        " tokens; src/lib.rs:",
    ] {
        assert!(why.contains(part), "`{part}` in {why}");
    }

    let accepted = told.iter().filter(|line| line.starts_with("accepted ("));
    assert_eq!(accepted.count() as u64, reduction.number("steps"));
    let mode = log.metadata().expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "programs of others do not read it");

    let alone = world.beside("alone.txt");
    let output = world.beside("again");
    let mut command = world.program(&["--ice", "--no-cache", "--no-daemon", "--jobs", "1"]);
    command.arg("--output").arg(&output);
    command.env("CARGO_REDUCE_LOG", &alone);
    Running::start(command).finish().expect_success();
    let by_one = read(&alone);
    let certain = |lines: &[&str]| lines.iter().map(|line| without_chance(line)).collect();
    let (by_one, by_two): (Vec<_>, Vec<_>) = (certain(&lines(&by_one)), certain(&told));
    for (one, two) in by_one.iter().zip(&by_two) {
        assert_eq!(one, two);
    }
    assert_eq!(by_one.len(), by_two.len());
    assert_eq!(Reduction::read(&output).code(), reduction.code());
}

#[test]
fn a_file_that_is_no_log_is_not_overwritten() {
    let world = World::with("ice-library");
    let manifest = world.work().join("Cargo.toml");
    let before = read(&manifest);
    let refused = world.reduce(&["--log", "Cargo.toml"]);
    refused.expect_failure(exit_code::BAD_INPUT, &["something else is there already"]);
    assert_eq!(read(&manifest), before);
}
