//! Reduces a test whose candidates do what they can to do harm.

use super::failing_test::reproduce;
use super::{Reduction, Running, World, read_tree};
use std::net::TcpListener;

/// Nobody's variable, and nobody's business.
pub(crate) const SECRET: &str = "swordfish-0d6f";

/// A world with something to lose beside the fixture.
pub(crate) fn world(port: u16) -> World {
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

/// Reduces the test that attacks; the secret is nowhere.
pub(crate) fn attacked(world: &World, out: &str, args: &[&str]) -> Reduction {
    let output = world.beside(out);
    let mut command = world.program(&["--test", "harbour", "--jobs", "2", "--no-daemon"]);
    command.args(args).arg("--output").arg(&output);
    command.env("HARBOUR_TOKEN", SECRET);
    let finished = Running::start(command).finish().expect_success();
    let reduction = Reduction::read(&output);
    assert!(!finished.everything().contains(SECRET));
    assert!(!reduction.report().contains(SECRET));
    reduction
}

/// Reduces the test that attacks twice, the second time with these arguments: nothing happens to what is outside, and no attack
/// is left.
#[track_caller]
pub(crate) fn check_attacks(args: &[&str]) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    listener.set_nonblocking(true).expect("it can be asked");
    let port = listener.local_addr().expect("it has a port").port();
    let world = world(port);
    let before = read_tree(&world.beside("outside"));
    let sources = read_tree(world.work());
    // Only conditions go at first, so that what was behind them is run; then what the passes of the caller delete.
    let armed = attacked(&world, "armed", &["--passes", "hoist_parts"]);
    let stages = armed.summary()["stages"].as_array().expect("a list");
    let mut ended = stages.iter().filter(|one| one["stage"] == "deadline");
    let ended = ended.next().and_then(|one| one["candidates"].as_u64());
    let failed_otherwise = armed.summary()["slippage"].as_u64();
    assert!(ended.max(failed_otherwise) > Some(0), "{stages:?}");
    let reduction = attacked(&world, "out", args);
    assert_eq!(read_tree(&world.beside("outside")), before);
    assert_eq!(read_tree(world.work()), sources);
    assert!(listener.accept().is_err(), "somebody came");
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
    let shown = reproduce(&world, &reduction, 101);
    assert!(
        shown.everything().contains("left: 12") && shown.everything().contains("right: 24"),
        "{shown}"
    );
}
