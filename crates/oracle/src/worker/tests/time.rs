//! The time that a candidate may take: a matter of CPU time and of sleep, and the same for all
//! workers.

use super::*;
use crate::check::Execution;
use crate::check::program::Program;
use crate::evidence::program::Harness;
use crate::system::budget::{Expectation, Late, TimeSpent};

/// A shell function that computes until the shell has used so many hundredths of a second of CPU time.
const COMPUTE: &str = r#"compute() {
    while read -r pid name state a b c d e f g h i j used system rest < /proc/$$/stat; do
        test $((used + system)) -ge "$1" && break
    done
}"#;

/// Makes a bench whose compiler computes for so long as the program says, and crashes; or sleeps
/// first.
fn bench() -> Bench {
    let mut bench = Bench::new(&format!(
        "{COMPUTE}\nread -r verb amount < src/lib.rs\n\
         case $verb in compute) compute $amount;; sleep) sleep $amount;; esac; {CRASH}"
    ));
    bench.plan.run_policy.limits.deadline = None;
    bench.plan.run_policy.limits.usual = Some(TimeSpent::default());
    bench
}

fn times(times: u32) -> Expectation {
    Expectation { usual: None, times }
}

#[track_caller]
fn check(worker: &mut Worker, bench: &Bench, text: &str, expected: (Verdict, Option<Late>)) {
    let answer = bench.ask(worker, &sources(&[("src/lib.rs", text)]));
    assert_eq!((answer.verdict, answer.late), expected, "{text}");
}

#[test]
fn a_compiler_that_uses_its_cpu_time_is_late_unless_more_is_expected() {
    let bench = bench();
    let mut worker = bench.worker();
    let late = (Verdict::TimedOut, Some(Late::Cpu));
    check(&mut worker, &bench, "compute 160\n", late);
    worker.expect(times(1).again());
    check(
        &mut worker,
        &bench,
        "compute 161\n",
        (Verdict::Interesting, None),
    );
}

// The time that a process sleeps is known on Linux only.
#[cfg(linux_parts)]
#[test]
fn what_sleeps_for_too_long_is_late_by_its_sleep() {
    let bench = bench();
    let late = (Verdict::TimedOut, Some(Late::Asleep));
    check(&mut bench.worker(), &bench, "sleep 1000\n", late);
}

#[test]
fn a_worker_that_has_seen_quick_programs_allows_as_much_as_one_that_has_not() {
    let bench = bench();
    let slow = TimeSpent {
        compiling: Duration::from_millis(90),
        ..TimeSpent::default()
    };
    let usual = Expectation {
        usual: Some(slow),
        times: 1,
    };
    let interesting = (Verdict::Interesting, None);
    let (mut new, mut experienced) = (bench.worker(), bench.worker());
    check(&mut experienced, &bench, "quick\n", interesting.clone());
    for worker in [&mut new, &mut experienced] {
        worker.expect(usual);
        check(worker, &bench, "compute 130\n", interesting.clone());
    }
}

#[test]
fn the_time_of_a_candidate_is_that_of_its_compiler_and_of_its_program() {
    let bench = running("compute 12");
    let answer = bench.ask(&mut bench.worker(), &sources(&[("src/lib.rs", "")]));
    assert!(answer.spent.running >= Duration::from_millis(100));
    assert!(answer.spent.compiling > Duration::ZERO);
}

/// Makes a bench whose compiler writes a program which is this script.
pub(super) fn running(program: &str) -> Bench {
    let script = format!(
        "while test \"$1\" != -o; do shift; done\n\
         printf '%s\\n' '#!/bin/sh' '{COMPUTE}' '{program}; kill -ABRT $$' > \"$2\"; chmod +x \"$2\""
    );
    let mut bench = Bench::new(&script);
    bench.plan.run_policy.limits.deadline = None;
    bench.plan.run_policy.limits.usual = Some(TimeSpent {
        running: Duration::from_secs(1),
        ..TimeSpent::default()
    });
    bench.plan.run_policy.check = Program::check(Execution {
        args: vec![],
        harness: Harness::None,
        env: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
        cwd: Utf8PathBuf::new(),
        hangs_after: None,
        may_succeed: false,
        links_dynamically: false,
        link_args: vec![],
        input: None,
    });
    bench
}

// Elsewhere than on Linux, CPU time is limited in whole seconds.
#[cfg(linux_parts)]
#[test]
fn a_program_has_a_time_of_its_own() {
    let mut bench = running("compute 40");
    for (usual, expected) in [(0, Some(Late::Cpu)), (100, None)] {
        bench.plan.run_policy.limits.usual = Some(TimeSpent {
            running: Duration::from_millis(usual),
            ..TimeSpent::default()
        });
        let answer = bench.ask(&mut bench.worker(), &sources(&[("src/lib.rs", "")]));
        assert_eq!(answer.late, expected, "{usual} ms");
    }
}

/// Beside a load everything takes longer. A program that takes long for another reason stands in for
/// that here: neither its CPU time nor its sleep alone is much.
#[test]
fn wall_time_alone_puts_nothing_out_of_time() {
    let mut bench = Bench::new(&format!("{COMPUTE}\ncompute 75; sleep 0.7; {CRASH}"));
    bench.plan.run_policy.limits.deadline = None;
    bench.plan.run_policy.limits.usual = Some(TimeSpent::default());
    let interesting = (Verdict::Interesting, None);
    check(&mut bench.worker(), &bench, "", interesting);
}
