//! Tests of more targets of a package; `tests/targets.rs` has one of each kind.

use crate::support::{World, only_result_in};

#[test]
fn two_targets_of_one_package_do_not_share_a_directory() {
    let world = World::with("test-builds");
    world.reduce(&["--no-daemon", "--tests"]).expect_success();
    let crash = only_result_in(world.work());
    assert!(crash.ends_with("test-builds.ice.tests"), "{crash:?}");
    world
        .reduce(&["--no-daemon", "--bench", "tides"])
        .expect_success();
    let bench = crash.with_file_name("test-builds.ice.bench-tides");
    assert!(bench.join("reduced.rs").is_file(), "{bench:?}");
}
