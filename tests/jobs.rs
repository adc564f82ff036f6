//! Tests of the daemon's jobs: several at the same time, looked after by commands of their own, and searches that end early.

use crate::support::asked::{RECURSES, out, script};
use crate::support::{Finished, Reduction, Running, World, exit_code, signal, wait_until};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;

/// Runs `cargo reduce jobs ARGS`, which must succeed, and reads its JSON.
#[track_caller]
fn jobs(world: &World, args: &[&str]) -> Value {
    let all = [&["jobs", "--message-format", "json"], args].concat();
    let said = Running::start(world.program(&all)).finish();
    let said = said.expect_success().stdout();
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"))
}

fn human(world: &World, args: &[&str]) -> Finished {
    Running::start(world.program(args)).finish()
}

/// Hands a reduction into `out` to the daemon. Returns the number of its job.
#[track_caller]
fn detach(world: &World, out: &str, args: &[&str]) -> String {
    let mut command = world.ice(&["--detach", "--output"]);
    command.arg(world.beside(out)).args(args);
    let detached = Running::start(command).finish().expect_success();
    assert!(detached.stderr().contains("jobs attach"), "{detached}");
    detached.stdout().trim().to_owned()
}

#[test]
fn a_detached_job_is_paused_resumed_and_finished_and_its_result_copied() {
    let world = World::with("ice-library");
    let job = detach(&world, "out", &["--no-cache"]);
    let show = |world: &World| jobs(world, &["show", &job]);
    wait_until("there is a step", || {
        show(&world)["progress"]["tokens_now"].as_u64().map(drop)
    });
    assert_eq!(jobs(&world, &["pause", &job])["state"], "paused");
    let running = jobs(&world, &["--running"]);
    assert_eq!(running[0]["state"], "paused", "{running}");
    wait_until("nothing is under way", || {
        (show(&world)["workers"] == 0).then_some(())
    });
    let copy = world.beside("copy");
    let copy_arg = copy.to_str().expect("the path is UTF-8");
    let copied = human(&world, &["jobs", "result", &job, "-o", copy_arg]);
    copied.expect_success();
    let so_far = std::fs::read_to_string(copy.join("reduced.rs"));
    assert!(so_far.expect("there is a copy").contains("trait"));
    assert_eq!(jobs(&world, &["resume", &job])["state"], "running");
    assert_eq!(jobs(&world, &["finish", &job])["state"], "finishing");
    let attached = human(&world, &["jobs", "attach", &job]).expect_success();
    assert!(attached.stderr().contains("ended early"), "{attached}");
    let reduction = Reduction::read(&world.beside("out"));
    assert_eq!(reduction.summary()["ended"], "finished-soon");
    assert!(reduction.report().contains("The search ended early"));
    let listed = jobs(&world, &[]);
    assert_eq!(listed[0]["state"], "finished", "{listed}");
    assert_eq!(listed[0]["ended"], "finished-soon", "{listed}");
    let log = human(&world, &["jobs", "log", &job]).expect_success();
    assert!(log.stdout().contains("finished (FinishedSoon)"), "{log}");
    let ended = human(&world, &["jobs", "pause", &job]);
    ended.expect_failure(exit_code::BAD_INPUT, &["has ended", "hint: "]);
    let stats = human(&world, &["cache", "stats"]).expect_success();
    assert!(
        stats.stdout().contains("compiled dependencies: "),
        "{stats}"
    );
    assert_eq!(jobs(&world, &["--running"]), json!([]));
    let cleaned = human(&world, &["jobs", "clean"]).expect_success();
    assert!(
        cleaned.stderr().contains("removed 1 ended job"),
        "{cleaned}"
    );
    assert_eq!(jobs(&world, &[]), json!([]));
}

#[test]
fn the_pass_under_way_of_a_job_is_skipped_by_the_number_of_the_job() {
    let world = World::with("recursion.rs");
    let script = script(&world, &RECURSES.replacen('\n', "\nsleep 1\n", 1));
    let mut command = world.program(&["recursion.rs", "--script", &script, "--detach"]);
    command.arg("--output").arg(out(&world));
    Running::start(command).finish().expect_success();
    let skip = ["jobs", "--message-format", "json", "skip", "1"];
    let pass = wait_until("a pass is under way", || {
        let said = human(&world, &skip).stdout();
        let status: Value = serde_json::from_str(&said).ok()?;
        Some(status["skips"].as_str()?.to_owned())
    });
    jobs(&world, &["finish", "1"]);
    human(&world, &["jobs", "attach", "1"]).expect_success();
    let reduction = Reduction::read(&out(&world));
    let skipped = reduction.summary()["skipped"].as_array().cloned();
    let skipped = skipped.expect("it is a list");
    assert!(skipped.iter().any(|one| one["pass"] == pass), "{skipped:?}");
}

#[test]
fn a_budget_of_queries_is_used_to_the_last_with_any_number_of_workers() {
    let world = World::with("ice-library");
    let reduce = |out: &str, workers: &str, width: &str| {
        let args = ["--no-cache", "--max-queries", "15", "--jobs", workers];
        let args = [&args[..], &["--width", width]].concat();
        let output = world.beside(out);
        let output_arg = output.to_str().expect("the path is UTF-8");
        let all = [&["--ice", "--output", output_arg], &args[..]].concat();
        human(&world, &all).expect_success();
        Reduction::read(&output)
    };
    for width in ["1", "8"] {
        let reduce = |workers: &str| reduce(&format!("{workers}-{width}"), workers, width);
        let (one, three) = (reduce("1"), reduce("3"));
        for reduction in [&one, &three] {
            assert_eq!(reduction.number("queries"), 15);
            assert_eq!(reduction.summary()["ended"], "max-queries");
        }
        assert_eq!(one.code(), three.code());
        assert_eq!(one.number("steps"), three.number("steps"));
    }
}

#[test]
fn the_result_of_a_search_that_ends_early_is_tidied() {
    let world = World::with("no-main.rs");
    let args = ["--no-daemon", "--max-queries", "2", "no-main.rs"];
    let reduction = world.reduce_to("out", &[&args[..], &["--edition", "2021"]].concat());
    assert_eq!(reduction.number("queries"), 2);
    let code = reduction.code();
    for part in ["//", "pub", "\n\n", "Transform"] {
        assert!(!code.contains(part), "{part} in\n{code}");
    }
    assert!(code.contains("trait Trait {"), "{code}");
    let reproduce = reduction.summary()["reproduce"].to_string();
    assert!(!reproduce.contains("--cap-lints"), "{reproduce}");
    reduction.reproduce(&world).expect_code(101);
}

/// The first call of the compiler sleeps for as long as the search may take in all, so that no machine is fast enough to come to
/// its end.
#[test]
fn a_search_whose_time_is_over_ends_with_the_best_so_far() {
    let world = World::with("ice-library");
    let (script, slept) = (world.beside("rustc.sh"), world.beside("slept"));
    let text = format!(
        "#!/bin/sh\nfor argument; do case \"$argument\" in *.rs)\n[ -e {slept} ] || sleep 1; touch {slept} ;;\n\
         esac; done\nexec {} \"$@\"\n",
        world.real_compiler().display(),
        slept = slept.display(),
    );
    std::fs::write(&script, text).expect("a script can be written");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&script, mode).expect("it can be made executable");
    // The script writes outside of its directory.
    let mut command = world.ice(&["--max-time", "1s", "--sandbox", "off", "--output"]);
    command.arg(world.beside("out")).arg("--rustc").arg(&script);
    let finished = Running::start(command).finish().expect_success();
    assert!(
        finished
            .stderr()
            .contains("the time of `--max-time` was over"),
        "{finished}"
    );
    let reduction = Reduction::read(&world.beside("out"));
    assert_eq!(reduction.summary()["ended"], "max-time");
    assert!(reduction.report().contains("The search ended early"));
    reduction.reproduce(&world).expect_code(101);
}

#[test]
fn an_interrupt_leaves_a_job_that_another_client_watches() {
    let world = World::with("ice-library");
    let mut first = world.start_to("out", &["--max-queries", "15"]);
    first.wait_for("baseline-found");
    let mut second = world.start_to("out", &["--max-queries", "15"]);
    second.wait_for("baseline-found");
    signal(first.pid(), "INT");
    let first = first.finish();
    assert_eq!(first.events_named("left")[0]["others"], 1, "{first}");
    first.expect_code(exit_code::STOPPED);
    let second = second.finish().expect_success();
    assert_eq!(second.events_named("finished")[0]["ended"], "max-queries");
}

#[test]
fn a_hundred_clients_that_start_at_once_get_one_daemon_and_an_answer_each() {
    let world = World::with("no-crash");
    let clients: Vec<Running> = (0..100)
        .map(|number| {
            // Every tenth asks for something of its own.
            let out = world.beside(&format!("out-{}", number / 10));
            let mut command = world.ice(&["src/lib.rs", "--output"]);
            command.arg(out);
            Running::start(command)
        })
        .collect();
    for client in clients {
        client.finish().expect_code(exit_code::NO_CRASH);
    }
    let log = std::fs::read_to_string(world.state().join("log")).expect("there is a log");
    assert_eq!(log.matches("listens on").count(), 1, "{log}");
    let listed = jobs(&world, &[]);
    let listed = listed.as_array().expect("it is a list");
    assert!((10..=100).contains(&listed.len()), "{} jobs", listed.len());
}

#[test]
fn a_word_that_is_a_command_is_the_command_and_exact_takes_any_name() {
    let world = World::with("failing-tests");
    let listed = human(&world, &["--test", "others", "jobs"]).expect_success();
    assert_eq!(listed.stdout().trim(), "there are no jobs");
    let named = human(&world, &["--test", "others", "--exact", "jobs"]);
    named.expect_failure(exit_code::BAD_INPUT, &["no test has this name", "`jobs`"]);
}
