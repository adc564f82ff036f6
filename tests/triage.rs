//! `cargo reduce triage` with the real compiler. Ordinary errors become crashes by a flag, so that it is known which inputs
//! show one bug.

use crate::support::schema::fits_the_schema_of_triage;
use crate::support::{Finished, Running, World, exit_code, read_tree, signal, wait_until};
use serde_json::Value;
use std::fs;

/// The flags by which the compiler crashes at the first error.
const FLAGS: [&str; 3] = ["--", "--crate-type=lib", "-Ztreat-err-as-bug=1"];

/// A value is used after it was moved, among other things.
const MOVED: &str = "\
pub struct Other(u8);

pub struct Ticket {
    name: String,
}

pub fn print(ticket: Ticket) -> usize {
    ticket.name.len()
}

pub fn twice(ticket: Ticket) -> usize {
    let many = 3;
    let first = print(ticket);
    first + print(ticket)
}
";

/// The same under other names, in another order, in a module, and with something else around it.
const MOVED_ELSEWHERE: &str = "\
mod booking {
    pub fn again(seat: Seat) -> usize {
        let row = [1, 2, 3];
        let begin = sell(seat);
        begin + sell(seat)
    }

    pub fn sell(seat: Seat) -> usize {
        seat.row.len()
    }

    pub struct Seat {
        row: String,
    }

    pub const ROWS: usize = 12;
}
";

/// Another program with the same error.
const MOVED_IN_LOOP: &str = "\
pub fn print(ticket: String) -> usize {
    ticket.len()
}

pub fn all(ticket: String, count: usize) -> usize {
    let mut sum = 0;
    for _ in 0..count {
        sum += print(ticket);
    }
    sum
}
";

/// Another error.
const MISMATCHED: &str = "\
pub const ROWS: usize = \"twelve\";

pub fn rows() -> usize {
    ROWS
}
";

fn triage(world: &World, args: &[&str]) -> Running {
    let mut command = world.program(&["triage", "--no-daemon"]);
    command.env("RUSTC_BOOTSTRAP", "1").args(args).args(FLAGS);
    Running::start(command)
}

fn done(world: &World, args: &[&str]) -> (Finished, Value) {
    let finished = triage(world, args).finish().expect_success();
    (finished, results(world, "target/reduce/triage"))
}

fn results(world: &World, output: &str) -> Value {
    let text = fs::read_to_string(world.work().join(output).join("triage.json"));
    let value = serde_json::from_str(&text.expect("there are results")).expect("they are JSON");
    fits_the_schema_of_triage(&value);
    value
}

/// The names of the members of each group, sorted.
fn members(triage: &Value) -> Vec<Vec<&str>> {
    let groups = triage["groups"].as_array().expect("there are groups");
    let mut all: Vec<Vec<&str>> = groups
        .iter()
        .map(|group| {
            let members = group["members"].as_array().expect("a group has members");
            let names = members.iter().map(|one| one["input"].as_str());
            names.map(|name| name.expect("a name is text")).collect()
        })
        .collect();
    all.sort();
    all
}

#[test]
fn one_bug_under_other_names_is_one_group_and_what_does_not_crash_has_a_line() {
    let world = World::with_files(&[
        ("in/moved.rs", MOVED),
        ("in/elsewhere.rs", MOVED_ELSEWHERE),
        ("in/same.rs", MOVED),
        ("in/in_loop.rs", MOVED_IN_LOOP),
        ("in/fine.rs", "pub fn f() {}\n"),
    ]);
    fs::write(world.work().join("in/bytes.rs"), [0xff, 0xfe, b'\n']).expect("it is written");
    let before = read_tree(&world.work().join("in"));
    let (finished, triage) = done(&world, &["in", "gone.rs"]);
    assert_eq!(
        members(&triage),
        [
            vec!["in/elsewhere.rs", "in/moved.rs", "in/same.rs"],
            vec!["in/in_loop.rs"]
        ],
        "{triage:#}"
    );
    let groups = &triage["groups"];
    assert_eq!(groups[0]["signature"], groups[1]["signature"]);
    assert_eq!(groups[0]["possibly_same_as"], serde_json::json!([2]));
    let confirmed: Vec<&str> = groups[0]["members"]
        .as_array()
        .expect("there are members")
        .iter()
        .filter_map(|member| member["confirmed"].as_str())
        .collect();
    assert_eq!(confirmed.iter().filter(|how| **how == "content").count(), 1);
    assert_eq!(
        confirmed.iter().filter(|how| **how == "reduction").count(),
        1
    );
    let other = |name: &str| {
        let others = triage["others"].as_array().expect("there are others");
        let mut reasons = others.iter().filter(|other| other["input"] == name);
        reasons.next().expect("it has a line")["reason"].to_string()
    };
    assert!(other("in/fine.rs").contains("it compiles"));
    assert!(other("in/bytes.rs").contains("no UTF-8"));
    assert!(other("gone.rs").contains("no such file"));
    let table = finished.stdout();
    assert!(table.contains("group 1: 3 inputs"), "{table}");
    assert!(table.contains("in/fine.rs: it compiles"), "{table}");
    let output = world.work().join("target/reduce/triage");
    let report = groups[0]["reduced"]["report"]
        .as_str()
        .expect("there is a report");
    assert!(output.join(report).is_file());
    let page = fs::read_to_string(output.join("triage.html")).expect("there is a page");
    assert!(page.contains(report), "{page}");
    assert_eq!(read_tree(&world.work().join("in")), before);
}

#[test]
fn neither_order_nor_jobs_nor_an_earlier_triage_changes_the_groups() {
    let world = World::with_files(&[
        ("a.rs", MOVED),
        ("b.rs", MOVED_ELSEWHERE),
        ("c.rs", MISMATCHED),
    ]);
    let to = |output: &str, args: &[&str]| {
        let all = [&["--output", output], args].concat();
        triage(&world, &all).finish().expect_success();
        results(&world, output)
    };
    let all = to("one", &["a.rs", "b.rs", "c.rs", "--jobs", "1"]);
    assert_eq!(members(&all), [vec!["a.rs", "b.rs"], vec!["c.rs"]]);
    assert_eq!(to("two", &["c.rs", "b.rs", "a.rs", "--jobs", "3"]), all);
    // One after the other, into one directory: what is there stays, and new inputs are compared with it.
    to("three", &["b.rs"]);
    to("three", &["c.rs"]);
    assert_eq!(to("three", &["a.rs"]), all);
}

#[test]
fn a_triage_that_is_killed_goes_on_and_does_nothing_twice() {
    let world = World::with_files(&[("a.rs", MOVED), ("b.rs", MISMATCHED)]);
    let mut running = triage(&world, &["a.rs", "b.rs", "--message-format", "json"]);
    // The first reduction is done, and the second one has begun.
    let output = world.work().join("target/reduce/triage");
    let n_reduced = || {
        let text = fs::read_to_string(output.join("triage.json")).unwrap_or_default();
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let groups = value["groups"].as_array().cloned().unwrap_or_default();
        groups
            .iter()
            .filter(|group| !group["reduced"].is_null())
            .count()
    };
    wait_until("a group is reduced", || (n_reduced() == 1).then_some(()));
    running.wait_for("baseline-found");
    signal(running.pid(), "KILL");
    drop(running);
    let killed = read_tree(&output);
    let (finished, after) = done(&world, &["a.rs", "b.rs"]);
    assert_eq!(members(&after), [vec!["a.rs"], vec!["b.rs"]]);
    assert_eq!(after["is_complete"], true);
    let said = finished.stderr();
    assert!(said.contains("at 0 files, 2 are known"), "{said}");
    assert!(said.contains("1 of 1"), "{said}");
    assert!(killed.len() > 3, "{killed:?}");
}

#[test]
fn a_crash_of_a_known_directory_is_recognised() {
    let known = format!("//@ known-bug: #123\n{MOVED_ELSEWHERE}");
    let world = World::with_files(&[
        ("a.rs", MOVED),
        ("b.rs", MOVED_IN_LOOP),
        ("crashes/123.rs", &known),
        ("crashes/9.rs", MISMATCHED),
    ]);
    let (_, triage) = done(&world, &["a.rs", "b.rs", "--known", "crashes"]);
    assert_eq!(members(&triage), [vec!["a.rs"], vec!["b.rs"]]);
    let groups = triage["groups"].as_array().expect("there are groups");
    let of = |name: &str| {
        let mut found = groups
            .iter()
            .filter(|group| group["members"][0]["input"] == name);
        found.next().expect("the input is in a group")
    };
    let known = serde_json::json!([{"file": "crashes/123.rs", "bug": "#123"}]);
    assert_eq!(of("a.rs")["known"], known);
    assert_eq!(of("a.rs")["possibly_known"], serde_json::json!([]));
    assert_eq!(of("b.rs")["known"], serde_json::json!([]));
}

#[test]
fn a_list_has_flags_and_packages_are_inputs_too() {
    let manifest = "[package]\nname = \"pack\"\nedition = \"2021\"\n[workspace]\n";
    let world = World::with_files(&[
        ("list", "sub/a.rs --cfg broken\nsub/b.rs\npack\n"),
        ("sub/a.rs", "#[cfg(broken)]\npub const A: u8 = \"\";\n"),
        ("sub/b.rs", "#[cfg(broken)]\npub const A: u8 = \"\";\n"),
        ("pack/Cargo.toml", manifest),
        ("pack/src/lib.rs", MISMATCHED),
    ]);
    let mut command = world.program(&["triage", "--no-daemon", "--list", "list", "--"]);
    command
        .env("RUSTC_BOOTSTRAP", "1")
        .arg("-Ztreat-err-as-bug=1");
    Running::start(command).finish().expect_success();
    let triage = results(&world, "target/reduce/triage");
    let all = members(&triage);
    assert!(all.concat().contains(&"sub/a.rs"), "{triage:#}");
    assert!(all.concat().contains(&"pack"), "{triage:#}");
    assert_eq!(triage["others"][0]["input"], "sub/b.rs");
}

#[test]
fn nothing_to_triage_and_a_directory_of_others_are_refused() {
    let world = World::with_files(&[("a.rs", MOVED), ("mine/notes", "")]);
    let finished = triage(&world, &["gone"]).finish();
    finished.expect_failure(exit_code::BAD_INPUT, &["nothing to triage", "no such file"]);
    let finished = triage(&world, &["a.rs", "--output", "mine"]).finish();
    finished.expect_failure(exit_code::OUTPUT_EXISTS, &["is no triage"]);
    let world = World::with_files(&[("fine.rs", "pub fn f() {}\n")]);
    let finished = triage(&world, &["fine.rs"]).finish();
    finished.expect_code(exit_code::NO_CRASH);
}
