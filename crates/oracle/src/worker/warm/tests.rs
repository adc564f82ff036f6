//! The warm compiler against one that is started anew: the traces that both leave behind must be the
//! same for a program of any kind.

mod bench;
mod programs;

use crate::system::process::Ending;
use crate::system::process::protocol::{PACKET_BYTES, Reply, Request, Run, Use};
use bench::{Bench, fixture, variants};
use camino::Utf8Path;
use reduce_platform::Cancel;
use std::time::{Duration, Instant};

/// Fixtures, and arguments with which they crash, report errors or compile.
const CASES: [(&str, &str); 9] = [
    (
        "ice-library/src/lib.rs",
        "--edition=2024 --crate-type=lib --emit=metadata",
    ),
    (
        "treat-err-as-bug/src/lib.rs",
        "--crate-type=lib --emit=metadata -Ztreat-err-as-bug",
    ),
    ("codegen-only/src/main.rs", "--edition=2021 --emit=link"),
    (
        "standalone.rs",
        "--edition=2021 --crate-type=lib --cfg timed -Copt-level=3 --emit=obj,metadata",
    ),
    ("errors-before-crash.rs", "--edition=2021 --crate-type=lib"),
    ("stack-overflow.rs", "--edition=2021 --crate-type=lib"),
    (
        "ordinary-error/src/lib.rs",
        "--edition=2021 --crate-type=lib",
    ),
    (
        "no-crash/src/lib.rs",
        "--edition=2021 --crate-type=lib --emit=metadata,dep-info,mir",
    ),
    ("no-crash/src/lib.rs", "--edition=2021 --test"),
];

const ENDLESS: &str = "#![allow(long_running_const_eval)]\npub const X: u8 = loop {};";

#[test]
fn packets_are_read_as_they_were_written() {
    let requests = [
        Request::Run(Run::default()),
        Request::Run(Run {
            cpu_seconds: 70,
            own_microseconds: 60_000,
            setting: 3,
        }),
        Request::Signal(15),
    ];
    for request in requests {
        assert_eq!(Request::from_packet(&request.to_packet()), Some(request));
    }
    let used = Use {
        status: -1,
        cpu_microseconds: 1 << 40,
        peak_kib: 5,
    };
    for reply in [Reply::Ready, Reply::Ended(used), Reply::NotForked(11)] {
        assert_eq!(Reply::from_packet(&reply.to_packet()), Some(reply));
    }
}

#[test]
fn packets_of_another_build_are_not_understood() {
    let mut packet = Reply::Ready.to_packet();
    packet[0] ^= 1;
    assert_eq!(Reply::from_packet(&packet), None);
    assert_eq!(Request::from_packet(&[0; PACKET_BYTES]), None);
}

#[test]
fn crashing_fixtures_and_what_is_left_of_them_leave_the_same_behind() {
    let mut compared = 0;
    for (name, args) in CASES {
        let bench = Bench::new(args);
        let mut pair = bench.pair();
        for text in variants(&fixture(name), 8) {
            pair.compare(&text);
            compared += 1;
        }
        assert!(pair.is_warm(), "{name}");
    }
    assert_eq!(compared, CASES.len() * 9);
}

/// The whole output of a compiler, and its output up to where it was stopped, lead to one verdict.
#[test]
fn stopping_at_the_first_new_error_changes_no_verdict() {
    let mut stopped = 0;
    for (name, args) in CASES {
        let bench = Bench::new(args);
        let mut pair = bench.pair();
        let whole = fixture(name);
        let Some(property) = pair.property_of(&whole) else {
            continue;
        };
        for text in variants(&whole, 12) {
            let (answer, full) = pair.ask_both_ways(&text, &property);
            assert_eq!(answer.verdict, full, "{name}: {text}");
            stopped += u32::from(answer.ending == Ending::Decided);
        }
    }
    assert!(stopped > 20, "{stopped}");
}

#[test]
fn a_program_that_never_ends_is_stopped_at_its_deadline_and_the_server_stays() {
    let mut bench = Bench::new("--crate-type=lib --emit=metadata");
    bench.plan.run_policy.limits.deadline = Some(Duration::from_millis(1500));
    let mut pair = bench.pair();
    assert_eq!(pair.compare(ENDLESS), Ending::TimedOut);
    assert!(pair.is_warm());
    assert_eq!(pair.compare("pub fn f() {}"), Ending::Exited(0));
}

#[test]
fn the_cpu_time_of_each_child_is_limited_and_not_that_of_the_server() {
    let bench = Bench::new("--crate-type=lib --emit=metadata");
    let mut pair = bench.pair();
    let cpu = Duration::from_secs(1);
    assert_eq!(pair.end_with_cpu(ENDLESS, cpu), Ending::TimedOut);
    assert_eq!(pair.end_with_cpu("pub fn f() {}", cpu), Ending::Exited(0));
}

#[test]
fn a_cancelled_query_ends_at_once_and_the_server_stays() {
    let bench = Bench::new("--crate-type=lib --emit=metadata");
    let mut pair = bench.pair();
    pair.compare("pub fn f() {}");
    let cancel = Cancel::new().unwrap();
    let started = Instant::now();
    let ending = std::thread::scope(|scope| {
        let canceller = cancel.clone();
        scope.spawn(move || canceller.cancel());
        pair.ask_warm(ENDLESS, &cancel)
    });
    assert_eq!(ending, Ending::Cancelled);
    assert!(started.elapsed() < Duration::from_secs(30));
    assert_eq!(pair.compare("pub fn f() {}"), Ending::Exited(0));
}

#[test]
fn procedural_macros_may_do_what_they_like() {
    let mut bench = Bench::new("--edition=2021 --crate-type=lib --emit=metadata");
    bench.add_macros(include_str!("tests/macros.txt"));
    let mut pair = bench.pair();
    let ends = |macro_name: &str| format!("macros::do_{macro_name}!{{}}\npub fn f() {{}}");
    assert_eq!(pair.compare(&ends("nothing")), Ending::Exited(0));
    assert_eq!(pair.compare(&ends("panic")), Ending::Exited(1));
    assert_eq!(pair.compare(&ends("print")), Ending::Exited(0));
    assert_eq!(pair.compare(&ends("exit")), Ending::Exited(7));
    assert_eq!(
        pair.compare(&ends("abort")),
        Ending::Signalled(libc::SIGABRT)
    );
    assert_eq!(
        pair.compare(&ends("kill")),
        Ending::Signalled(libc::SIGKILL)
    );
    assert_eq!(pair.compare(&ends("thread")), Ending::Exited(0));
    assert_eq!(pair.compare(&ends("start")), Ending::Exited(0));
    assert_eq!(pair.compare(&ends("environment")), Ending::Exited(0));
    assert_eq!(
        pair.compare(&ends("memory")),
        Ending::Signalled(libc::SIGABRT)
    );
    assert!(pair.is_warm());
}

#[test]
fn what_a_candidate_starts_dies_with_it() {
    let mut bench = Bench::new("--edition=2021 --crate-type=lib --emit=metadata");
    bench.add_macros(include_str!("tests/macros.txt"));
    let mut pair = bench.pair();
    let ending = pair.ask_warm("macros::do_linger!{}", &Cancel::new().unwrap());
    assert_eq!(ending, Ending::Exited(0));
    let pid = std::fs::read_to_string(bench.dir.join("lingering")).unwrap();
    assert!(bench::ends_soon(&pid));
}

#[test]
fn nothing_of_a_server_is_left_when_its_worker_goes() {
    let mut bench = Bench::new("--edition=2021 --crate-type=lib --emit=metadata");
    bench.add_macros(include_str!("tests/macros.txt"));
    let mut pair = bench.pair();
    pair.ask_warm("macros::do_parent!{}", &Cancel::new().unwrap());
    let server = std::fs::read_to_string(bench.dir.join("parent")).unwrap();
    assert!(Utf8Path::new("/proc").join(server.trim()).is_dir());
    drop(pair);
    assert!(bench::ends_soon(&server));
}

#[test]
fn other_arguments_get_another_server_when_they_come_again() {
    let mut bench = Bench::new("--crate-type=lib --emit=metadata");
    let mut pair = bench.pair();
    let text = "#[cfg(here)] pub fn f() -> u8 { \"\" }";
    assert_eq!(pair.compare(text), Ending::Exited(0));
    bench.plan.call.args.push("--cfg=here".to_owned());
    let mut pair = bench.pair_with(pair);
    for _ in 0..3 {
        assert_eq!(pair.compare(text), Ending::Exited(1));
        assert!(pair.is_warm());
    }
}

#[test]
fn after_many_that_were_stopped_there_is_a_new_server_without_a_difference() {
    let bench = Bench::new("--crate-type=lib --emit=obj -Copt-level=3");
    let mut pair = bench.pair();
    let cancel = Cancel::new().unwrap();
    cancel.cancel();
    for _ in 0..20 {
        let text = "pub fn f() { println!(\"{:?}\", vec![1]); }";
        assert_eq!(pair.ask_warm(text, &cancel), Ending::Cancelled);
    }
    assert_eq!(pair.compare("pub fn f() {}"), Ending::Exited(0));
}

#[test]
fn what_is_wrong_with_the_arguments_is_said_as_by_a_compiler_that_is_started_anew() {
    let bench = Bench::new("--crate-type=nothing");
    let mut pair = bench.pair();
    assert_eq!(pair.compare("pub fn f() {}"), Ending::Exited(1));
    assert!(!pair.is_warm());
}

#[test]
fn what_is_printed_before_the_program_is_read_is_not_lost() {
    let bench = Bench::new(
        "--crate-type=lib --emit=metadata -Ctarget-cpu=native -Ctarget-feature=+nonsense",
    );
    let mut pair = bench.pair();
    assert_eq!(pair.compare("pub fn f() {}"), Ending::Exited(0));
    assert!(pair.is_warm());
}

#[test]
fn a_script_around_the_compiler_is_no_warm_compiler() {
    let mut bench = Bench::new("--crate-type=lib --emit=metadata");
    let real = bench.plan.call.compiler.path.clone();
    bench.plan.call.compiler.path = bench.script(&format!("exec {real} \"$@\""));
    assert!(bench.check().is_some());
    let mut pair = bench.pair();
    assert_eq!(pair.compare("pub fn f() {}"), Ending::Exited(0));
    assert!(!pair.is_warm());
}

#[test]
fn a_compiler_with_several_threads_is_no_warm_compiler() {
    let bench = Bench::new("--crate-type=lib --emit=metadata -Zthreads=4");
    let mut pair = bench.pair();
    assert_eq!(pair.compare("pub fn f() {}"), Ending::Exited(0));
    assert!(!pair.is_warm());
}

#[test]
fn the_compiler_at_hand_is_found_to_serve() {
    assert_eq!(Bench::new("--crate-type=lib --emit=metadata").check(), None);
    assert_eq!(Bench::new("--emit=link -Copt-level=2").check(), None);
    let as_bug = "--crate-type=lib --emit=metadata -Ztreat-err-as-bug";
    assert_eq!(Bench::new(as_bug).check(), None);
}
