//! A test that fails by itself, and whose candidates do what they can to do harm: each is in a branch
//! that is never taken, until the condition is removed. What each attack meets is in the table of
//! `crates/oracle/src/sandbox/tests.rs`; here the whole program goes through a reduction.

mod support;

use std::net::TcpListener;
use support::{Reduction, Running, World, read_tree};

/// Nobody's variable, and nobody's business.
const SECRET: &str = "swordfish-0d6f";

/// A world with something to lose beside the fixture.
fn world(port: u16) -> World {
    let world = World::with("hostile");
    let outside = world.beside("outside");
    std::fs::create_dir_all(outside.join("home")).expect("a directory can be made");
    for file in ["treasure.txt", "home/.profile"] {
        std::fs::write(outside.join(file), "precious").expect("written");
    }
    let test = world.work().join("tests/harbour.rs");
    let text = std::fs::read_to_string(&test).expect("it is there");
    let text = text
        .replace("OUTSIDE", outside.to_str().expect("the path is UTF-8"))
        .replace("PORT", &port.to_string());
    std::fs::write(test, text).expect("written");
    world
}

#[test]
fn candidates_that_attack_change_nothing_and_the_reduction_ends() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    listener.set_nonblocking(true).expect("it can be asked");
    let port = listener.local_addr().expect("it has a port").port();
    let world = world(port);
    let before = read_tree(&world.beside("outside"));
    let sources = read_tree(world.work());
    let output = world.beside("out");
    let mut command = world.program(&["--test", "harbour", "--jobs", "2", "--no-daemon"]);
    command.arg("--output").arg(&output);
    command.env("HARBOUR_TOKEN", SECRET);
    let finished = Running::start(command).finish().expect_success();
    assert_eq!(read_tree(&world.beside("outside")), before);
    assert_eq!(read_tree(world.work()), sources);
    assert!(listener.accept().is_err(), "somebody came");
    let reduction = Reduction::read(&output);
    // Some of them did attack, and were ended for it.
    let stages = reduction.summary()["stages"].as_array().expect("a list");
    let mut ended = stages.iter().filter(|one| one["stage"] == "deadline");
    let ended = ended.next().and_then(|one| one["candidates"].as_u64());
    assert!(ended > Some(0), "{stages:?}");
    assert!(!finished.everything().contains(SECRET));
    assert!(!reduction.report().contains(SECRET));
    for attack in [
        "remove_dir_all",
        "kill",
        "spawn",
        "connect",
        "write",
        "println",
    ] {
        assert!(!reduction.code().contains(attack), "{}", reduction.code());
    }
    let shown = reduction.reproduce(&world);
    assert!(
        shown.everything().contains("left: 12") && shown.everything().contains("right: 24"),
        "{shown}"
    );
}

/// Writes into whatever it was given, and fails.
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
    command.arg(world.beside("treasure")).arg(support::PROGRAM);
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
