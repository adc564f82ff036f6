//! Tests of many jobs: each gets its share of the workers, and nothing is left of those that have ended.

use crate::support::{Running, World, exit_code, wait_until};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::read_dir;
use std::path::PathBuf;

/// The number of jobs that share two workers.
const JOBS: usize = 20;
/// The span, in seconds, in which each job gets its share.
const SPAN: f64 = 30.0;

/// The number of short jobs that run one after the other, and the number of them after which the daemon is
/// looked at first.
const SHORT_JOBS: usize = 2000;
const WARM_UP: usize = 400;
/// The number of short jobs that are under way at once.
const BATCH: usize = 50;
/// The number of short jobs of which one asks the compiler; the others are refused for their output
/// directory, which is quick.
const ONE_COMPILES: usize = 20;

fn status(world: &World) -> Value {
    let said = world.daemon(&["status", "--message-format", "json"]);
    serde_json::from_str(&said.expect_success().stdout()).expect("it is JSON")
}

/// Starts a daemon with this number of workers, and waits until it answers.
fn daemon(world: &World, workers: &str) -> Running {
    let args = ["daemon", "run", "--workers", workers];
    let daemon = Running::start(world.program(&args));
    wait_until("the daemon answers", || {
        status(world)["pid"].as_u64().map(drop)
    });
    daemon
}

fn detach(world: &World, out: &str, args: &[&str]) {
    let mut command = world.ice(&["--detach", "--no-cache", "--output"]);
    command.arg(world.beside(out)).args(args);
    Running::start(command).finish().expect_success();
}

/// The seconds of a worker that each running job has used at a time, if its search has begun.
struct Sample {
    uptime: f64,
    used: BTreeMap<u64, Option<f64>>,
}

fn sample(status: &Value, uptime: f64) -> Sample {
    let jobs = status["jobs"].as_array().expect("it is a list").iter();
    let used = jobs.map(|job| {
        let searches = job["state"] == "running" && !job["progress"].is_null();
        let seconds = job["worker_seconds"].as_f64().filter(|_| searches);
        (job["job"].as_u64().expect("it has a number"), seconds)
    });
    Sample {
        uptime,
        used: used.collect(),
    }
}

/// The least part of a fair share that a job gets, of those that search throughout a span.
fn least_share(samples: &[Sample], workers: f64) -> Option<f64> {
    let shares = samples.iter().enumerate().filter_map(|(idx, first)| {
        let is_last = |last: &&Sample| last.uptime - first.uptime >= SPAN;
        let last = samples[idx..].iter().find(is_last)?;
        let ran = first.used.len().max(last.used.len()) as f64;
        let fair = workers * (last.uptime - first.uptime) / ran;
        let used = first.used.iter().filter_map(|(job, used)| {
            let end = last.used.get(job).copied().flatten()?;
            Some((end - (*used)?) / fair)
        });
        used.min_by(f64::total_cmp)
    });
    shares.min_by(f64::total_cmp)
}

#[test]
fn twenty_jobs_on_two_workers_all_end_and_each_gets_half_of_its_share_in_thirty_seconds() {
    let world = World::with("ice-library");
    let _daemon = daemon(&world, "2");
    let began = std::time::Instant::now();
    for number in 0..JOBS {
        detach(&world, &format!("out-{number}"), &["src/lib.rs"]);
    }
    let samples = std::cell::RefCell::new(Vec::new());
    let last = wait_until("all jobs have ended", || {
        let status = status(&world);
        let sample = sample(&status, began.elapsed().as_secs_f64());
        let is_over = sample.used.is_empty();
        samples.borrow_mut().push(sample);
        is_over.then_some(status)
    });
    let ended = last["ended"].as_array().expect("it is a list");
    assert_eq!(ended.len(), JOBS);
    assert!(ended.iter().all(|job| job["ended"] == "fixpoint"), "{last}");
    let least = least_share(&samples.borrow(), 2.0);
    // Jobs that end within less than a span had what they needed.
    assert!(least.is_none_or(|least| least >= 0.5), "{least:?}");
}

/// The memory, descriptors, threads and other resources that a daemon has of the system.
#[derive(Debug)]
struct Held {
    kilobytes: u64,
    descriptors: usize,
    threads: usize,
    children: usize,
    scratch: usize,
}

fn held(pid: u64) -> Held {
    let process = PathBuf::from(format!("/proc/{pid}"));
    let status = std::fs::read_to_string(process.join("status")).expect("it runs");
    let number = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        number.unwrap_or_else(|| panic!("no {name} in {status}"))
    };
    let count = |path: PathBuf| read_dir(path).map_or(0, Iterator::count);
    let tasks = read_dir(process.join("task")).expect("it has threads");
    let children = tasks.flatten().map(|task| {
        let children = std::fs::read_to_string(task.path().join("children"));
        children.map_or(0, |children| children.split_whitespace().count())
    });
    let uid = std::os::unix::fs::MetadataExt::uid(&process.metadata().expect("it runs"));
    let scratch = format!("/dev/shm/cargo-reduce-{uid}/{pid}");
    Held {
        kilobytes: number("VmRSS:"),
        descriptors: count(process.join("fd")),
        threads: usize::try_from(number("Threads:")).expect("it is small"),
        children: children.sum(),
        scratch: count(PathBuf::from(scratch)),
    }
}

#[test]
fn two_thousand_short_jobs_leave_nothing_behind() {
    let world = World::with("no-crash");
    let _daemon = daemon(&world, "2");
    let pid = status(&world)["pid"].as_u64().expect("it has a number");
    for number in 0..BATCH {
        let taken = world.beside(&format!("taken-{number}/file"));
        std::fs::create_dir_all(taken).expect("it can be made");
    }
    let run = |begin: usize, end: usize| {
        for first in (begin..end).step_by(BATCH) {
            for number in 0..BATCH {
                let out = match number % ONE_COMPILES {
                    0 => format!("out-{}", first + number),
                    _ => format!("taken-{number}"),
                };
                detach(&world, &out, &["src/lib.rs"]);
            }
            wait_until("the batch has ended", || {
                let status = status(&world);
                status["jobs"].as_array()?.is_empty().then_some(())
            });
        }
        wait_until("threads and connections have ended", || {
            (held(pid).threads < 8).then_some(())
        });
        held(pid)
    };
    let early = run(0, WARM_UP);
    let late = run(WARM_UP, SHORT_JOBS);
    assert_eq!(late.scratch, 0, "{late:?}");
    assert_eq!(late.children, early.children, "{early:?} {late:?}");
    assert!(
        late.descriptors <= early.descriptors + 2,
        "{early:?} {late:?}"
    );
    assert!(late.threads <= early.threads + 2, "{early:?} {late:?}");
    let most = early.kilobytes + (16 << 10);
    assert!(late.kilobytes <= most, "{early:?} {late:?}");
    let logs = read_dir(world.state().join("jobs")).map_or(0, Iterator::count);
    assert!(logs <= 200, "{logs} logs of jobs");
    let failed = world.daemon(&["status", "--message-format", "json"]);
    assert!(failed.stdout().contains("failed"), "{failed}");
    world
        .reduce(&["src/lib.rs"])
        .expect_code(exit_code::NO_CRASH);
}
