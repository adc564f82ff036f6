//! Programs that are forked for runs which differ in a variable, against processes that are started with it.

use super::bench::{Bench, sources};
use crate::check::program::Program;
use crate::check::{Bench as _, Execution};
use crate::evidence::own::Own;
use crate::evidence::program::Harness;
use crate::plan::Plan;
use crate::system::budget::{Late, TimeSpent};
use crate::system::process::{Ending, Outcome};
use crate::worker::query::Query;
use crate::worker::{Came, OriginalRun, Worker};
use reduce_platform::Cancel;
use std::collections::BTreeSet;

/// A program that tells all that it is given, and then ends as its switch says. A constructor tells the switch too.
const TOLD: &str = r#"
use std::io::{Read, Write};
#[used]
#[link_section = ".init_array"]
static FIRST: extern "C" fn() = first;
extern "C" fn first() {
    let _ = writeln!(std::io::stderr(), "first {:?}", std::env::var("SWITCH"));
}
extern "C" { fn getpgrp() -> i32; }
fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    println!("{:?} {:?} {input:?}", std::env::args(), std::env::current_dir());
    println!("{:#?}", std::env::vars().collect::<Vec<_>>());
    println!("{}", unsafe { getpgrp() } as u32 == std::process::id());
    std::fs::write(std::env::temp_dir().join("written"), "").unwrap();
    let threads = std::fs::read_dir("/proc/self/task").unwrap().count();
    let files = std::fs::read_dir("/proc/self/fd").unwrap().count();
    println!("{threads} {files} {}", std::thread::spawn(|| 5).join().unwrap());
    match &*std::env::var("SWITCH").unwrap_or_default() {
        "1" => panic!("one"),
        "2" => std::process::abort(),
        "3" => std::process::exit(7),
        "4" => loop { std::hint::black_box(()); },
        _ => {}
    }
}
"#;

const SETTINGS: [&str; 6] = [
    "SWITCH=0", "SWITCH=1", "SWITCH=2", "SWITCH=3", "SWITCH=4", "A=b=c",
];

fn execution(bench: &Bench) -> Execution {
    let compiler = &bench.plan.call.compiler;
    let libraries = compiler.sysroot.as_ref().unwrap().join("lib/rustlib");
    let library_path = libraries.join(compiler.host().unwrap()).join("lib");
    let env = [
        ("LD_LIBRARY_PATH", library_path.as_str()),
        ("A", "first"),
        ("SWITCHES", "after"),
        ("Z", "last"),
    ];
    Execution {
        args: vec!["one".to_owned(), "two words".to_owned()],
        harness: Harness::None,
        env: env
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        cwd: "".into(),
        hangs_after: None,
        may_succeed: false,
        links_dynamically: true,
        link_args: vec![],
        input: None,
    }
}

/// Compiles a program and calls `check` with a query about it.
fn with_program(text: &str, check: impl FnOnce(&mut Query<'_>, &Execution)) {
    with_worker(text, |worker, plan| {
        let cancel = Cancel::new().unwrap();
        let execution = plan.execution().unwrap().clone();
        check(&mut worker.query(plan, &cancel), &execution);
    });
}

/// Compiles a program and calls `check` with the worker that holds it.
fn with_worker(text: &str, check: impl FnOnce(&mut Worker, &Plan)) {
    let mut bench = Bench::new("--edition=2021 --emit=link --crate-type=bin");
    let execution = execution(&bench);
    bench.plan.run_policy.check = Program::check(execution);
    bench.plan.run_policy.limits.deadline = None;
    bench.plan.run_policy.limits.usual = Some(TimeSpent::default());
    let (mut worker, _) = bench.worker();
    let cancel = Cancel::new().unwrap();
    let built = worker.build_original(&bench.plan, &sources(text), &cancel);
    let (built, _) = built.unwrap().unwrap();
    assert_eq!(built.ending, Ending::Exited(0), "{}", built.stderr);
    check(&mut worker, &bench.plan);
}

/// Returns what of an outcome two processes agree in: threads have numbers in messages.
fn told(ran: Outcome) -> (Ending, Option<Late>, String, String) {
    let mut stderr = ran.stderr;
    if let (Some(from), Some(to)) = (stderr.find(" ("), stderr.find(") panicked")) {
        stderr.replace_range(from..=to, "");
    }
    (ran.ending, ran.late, ran.stdout, stderr)
}

#[test]
fn a_fork_of_a_program_is_as_a_process_that_was_started() {
    with_program(TOLD, |query, execution| {
        let settings = SETTINGS.map(str::to_owned);
        assert!(query.start_forks(execution, &settings).unwrap());
        let mut endings = Vec::new();
        for (number, setting) in SETTINGS.into_iter().enumerate() {
            let (name, value) = setting.split_once('=').unwrap();
            let mut with_setting = execution.clone();
            with_setting.env.insert(name.to_owned(), value.to_owned());
            let forked = told(query.execute_fork(execution, number).unwrap().unwrap());
            query.clear_temporary().unwrap();
            let started = told(query.execute(&with_setting).unwrap());
            query.clear_temporary().unwrap();
            assert_eq!(forked, started, "{setting}");
            endings.push(started.0);
        }
        let expected = [
            Ending::Exited(0),
            Ending::Exited(101),
            Ending::Signalled(6),
            Ending::Exited(7),
            Ending::TimedOut,
            Ending::Exited(0),
        ];
        assert_eq!(endings, expected);
    });
}

#[test]
fn a_program_that_ends_its_server_is_started_anew() {
    let text = "extern \"C\" { fn getppid() -> i32; fn kill(process: i32, signal: i32) -> i32; }\n\
                fn main() { unsafe { kill(getppid(), 9); } }";
    with_program(text, |query, execution| {
        let settings = ["A=1".to_owned(), "A=2".to_owned()];
        assert!(query.start_forks(execution, &settings).unwrap());
        for number in 0..2 {
            assert!(query.execute_fork(execution, number).unwrap().is_none());
        }
    });
}

#[test]
fn a_program_that_cannot_be_preloaded_is_not_forked() {
    with_program("fn main() {}", |query, execution| {
        let script = "#!/bin/sh\nexit 3\n";
        std::fs::write(query.place.program(), script).unwrap();
        assert!(!query.start_forks(execution, &["A=1".to_owned()]).unwrap());
        assert!(query.execute_fork(execution, 0).unwrap().is_none());
        assert_eq!(query.execute(execution).unwrap().ending, Ending::Exited(3));
    });
}

/// Runs a program with four values, after a run without any that came to `unchanged`, or to what it really comes to. Returns
/// the number of different places in memory at which it was.
fn places_in_runs(unchanged: Option<Came>) -> usize {
    let text = "fn main() {
        let switch = std::env::var(\"SWITCH\").unwrap_or_default();
        let record = format!(\"{} {switch}\", main as fn() as usize);
        std::fs::write(std::env::var(\"RECORD\").unwrap(), record).unwrap();
        assert_ne!(switch, \"2\");
    }";
    let mut places = BTreeSet::new();
    with_worker(text, |worker, plan| {
        let (own, cancel) = (Own::default(), Cancel::new().unwrap());
        let run = worker.run_original(plan, None, Some("RECORD"), &own, &cancel);
        let (run, _) = run.unwrap();
        assert_eq!(run.came, Came::Passes);
        let unchanged = OriginalRun {
            came: unchanged.unwrap_or(Came::Passes),
            ..run
        };
        let values = ["0", "1", "2", "3"].map(str::to_owned);
        let (each, record) = (("SWITCH", &values[..]), (Some("RECORD"), &unchanged));
        let runs = worker.run_original_with_each(plan, each, record, &own, &cancel);
        let runs = runs.unwrap();
        assert_eq!(runs.len(), values.len());
        for (value, run) in values.iter().zip(runs) {
            assert_eq!(matches!(run.came, Came::Fails(_)), value == "2");
            let record = String::from_utf8(run.record.unwrap()).unwrap();
            let (place, seen) = record.split_once(' ').unwrap();
            assert_eq!(seen, value);
            places.insert(place.to_owned());
        }
    });
    places.len()
}

#[test]
fn a_program_is_started_once_for_its_runs_with_many_values() {
    assert_eq!(places_in_runs(None), 1);
}

#[test]
fn where_forks_come_to_something_else_each_run_is_a_process_of_its_own() {
    assert!(places_in_runs(Some(Came::Unfinished)) > 1);
}
