//! Suspends a daemon with all that it has started, as with a machine that sleeps.

use super::{FEW_PASSES, Reduction, World, signal, wait_until};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A reduction of some steps.
const FEW: [&str; 2] = ["--passes", FEW_PASSES];

/// Checks that a reduction that is suspended for so long in its middle has the result and the figures of one
/// that is not.
#[track_caller]
pub(crate) fn check(time: Duration) {
    let undisturbed = World::with("ice-library");
    let expected = undisturbed.reduce_to("out", &FEW);
    let world = World::with("ice-library");
    let mut client = world.start_to("out", &FEW);
    client.wait_for("step-accepted");
    let daemon = world.daemon_pid().expect("a daemon runs");
    signal(daemon, "STOP");
    // The daemon starts no more processes.
    let all = tree(daemon);
    signal_all(&all, "STOP");
    let began = Instant::now();
    wait_until("time has passed", || (began.elapsed() > time).then_some(()));
    signal_all(&all, "CONT");
    client.finish().expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert_eq!(reduction.code(), expected.code());
    for figure in ["steps", "queries", "tokens_after"] {
        let (number, expected) = (reduction.number(figure), expected.number(figure));
        assert_eq!(number, expected, "{figure}");
    }
}

/// A process with all that descends from it.
fn tree(root: u32) -> BTreeSet<u32> {
    let mut tree = BTreeSet::from([root]);
    loop {
        let before = tree.len();
        for entry in std::fs::read_dir("/proc")
            .expect("there is /proc")
            .flatten()
        {
            let name = entry.file_name();
            let Some(pid) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else {
                continue;
            };
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            // The name before it may have anything in it.
            let rest = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
            let parent = rest.split(' ').nth(1).and_then(|field| field.parse().ok());
            if parent.is_some_and(|parent: u32| tree.contains(&parent)) {
                tree.insert(pid);
            }
        }
        if tree.len() == before {
            return tree;
        }
    }
}

fn signal_all(pids: &BTreeSet<u32>, name: &str) {
    for pid in pids {
        signal(*pid, name);
    }
}
