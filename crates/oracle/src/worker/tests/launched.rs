//! Workers whose processes are started by a launcher, which is a shell script.

use super::*;
use crate::launcher::{Launcher, launched};
use std::ffi::OsString;
use std::process::ExitCode;

/// The variable that names the task where this test program stands in for our executable.
const TASK: &str = "CARGO_REDUCE_TEST_TASK";
/// The test that stands in for our executable.
const STAND_IN: &str = "worker::tests::launched::runs_a_task_where_a_launcher_has_started_this";

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the one way to tell a test program what it is to do"
)]
fn runs_a_task_where_a_launcher_has_started_this() {
    if let Some(task) = std::env::var_os(TASK) {
        let args = [OsString::new(), OsString::new(), task];
        assert_eq!(
            format!("{:?}", launched::main(args.into_iter())),
            format!("{:?}", ExitCode::SUCCESS)
        );
    }
}

impl Bench {
    /// Makes a worker whose processes are started by this script, with the words of the call as its
    /// arguments.
    fn launched_worker(&self, launcher: &str) -> Worker {
        let mut worker = self.worker();
        worker.run_by(&self.launcher(launcher));
        worker
    }

    fn launcher(&self, script: &str) -> Executor {
        let own = std::env::current_exe().unwrap();
        let stand_in = format!(
            "test -z \"$CARGO_REDUCE_KEEPER\" || exec /bin/cat\n\
             {TASK}=\"$2\" exec '{}' --exact {STAND_IN} --nocapture",
            own.display()
        );
        let [executable, launcher] =
            [("stand-in", stand_in.as_str()), ("launcher", script)].map(|(name, script)| {
                let path = self.dir.join(name);
                files::write(&path, &format!("#!/bin/sh\n{script}\n")).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
                path
            });
        let env = BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]);
        let words = vec![launcher.into_string()];
        Launcher::executor(words, env, &executable, &self.dir).unwrap()
    }

    fn lines_in(&self, name: &str) -> usize {
        let text = fs::read_to_string(self.dir.join(name)).unwrap_or_default();
        text.lines().count()
    }
}

/// A launcher that does no more than it has to.
const PLAIN: &str = "exec \"$@\"";

/// Returns all of an answer that does not depend on how long something took.
fn said(answer: &Answer) -> (&Verdict, &Option<Signature>, &BTreeSet<String>, Ending, u32) {
    let Answer {
        verdict,
        crash,
        errors,
        ending,
        runs,
        ..
    } = answer;
    (verdict, crash, errors, *ending, *runs)
}

#[test]
fn what_a_launcher_starts_has_the_answer_of_what_runs_here() {
    let crashing = Bench::new(CRASH);
    let failing = time::running("echo some >&2");
    let rejected = Bench::new("echo 'error: odd' >&2; exit 1");
    for (mut bench, calls) in [(crashing, 1), (failing, 2), (rejected, 1)] {
        bench.plan.access.sandbox = CONFINED;
        let text = sources(&[("src/lib.rs", "some"), ("src/a.rs", "")]);
        let here = bench.ask(&mut bench.worker(), &text);
        let mut worker = bench.launched_worker(&format!("echo >> {}/calls; {PLAIN}", bench.dir));
        let elsewhere = bench.ask(&mut worker, &text);
        assert_eq!(said(&here), said(&elsewhere));
        assert_eq!(bench.lines_in("calls"), calls);
        assert!(elsewhere.spent.compiling > Duration::ZERO);
        assert_eq!(worker.place.executor.take_notice(), None);
        let left = fs::read_dir(bench.dir.join("worker/launched")).unwrap();
        assert_eq!(left.count(), 0, "tasks go with their queries");
    }
}

#[test]
fn a_launched_compiler_is_stopped_at_the_first_error_that_is_new() {
    let error = r#"{"$message_type":"diagnostic","message":"m","code":{"code":"E0001"},"level":"error","spans":[],"children":[],"rendered":"error"}"#;
    let bench = Bench::new(&format!("echo '{error}' >&2; exec sleep 1000"));
    let mut worker = bench.launched_worker(PLAIN);
    let answer = bench.ask(&mut worker, &sources(&[("src/lib.rs", "")]));
    assert_eq!(answer.ending, Ending::Decided);
    assert_eq!(answer.verdict, Verdict::AddsError("E0001".to_owned()));
}

/// Returns a launcher that does this in each third call, beginning with the first one.
fn each_third(bench: &Bench, what: &str) -> String {
    let calls = bench.dir.join("calls");
    format!("echo >> {calls}; test $(($(wc -l < {calls}) % 3)) != 1 || {{ {what}; }}; {PLAIN}")
}

#[test]
fn a_launcher_that_dies_is_called_again_and_no_verdict_comes_from_it() {
    let bench = Bench::new(CRASH);
    let mut worker = bench.launched_worker(&each_third(&bench, "echo broken >&2; exit 1"));
    for number in 0..4 {
        let text = sources(&[("src/lib.rs", &number.to_string())]);
        let answer = bench.ask(&mut worker, &text);
        assert_eq!(answer.verdict, Verdict::Interesting, "{number}");
    }
    assert_eq!(worker.place.executor.take_notice(), None);
    assert_eq!(bench.lines_in("calls"), 6);
}

#[test]
fn a_launcher_that_starts_nothing_is_told_of_once_and_left_alone() {
    let bench = Bench::new(CRASH);
    let script = format!("echo >> {}/calls; echo broken >&2; exit 1", bench.dir);
    let mut worker = bench.launched_worker(&script);
    for number in 0..8 {
        let text = sources(&[("src/lib.rs", &number.to_string())]);
        assert_eq!(bench.ask(&mut worker, &text).verdict, Verdict::Interesting);
    }
    let notice = worker.place.executor.take_notice().unwrap();
    assert!(notice.contains("(exit status 1): broken"), "{notice}");
    assert_eq!(worker.place.executor.take_notice(), None);
    assert_eq!(bench.lines_in("calls"), 15);
}

#[test]
fn a_launcher_that_passes_no_input_on_is_told_of_as_one() {
    let bench = Bench::new(&format!("sleep 1; {CRASH}"));
    let mut worker = bench.launched_worker("exec \"$@\" < /dev/null");
    let answer = bench.ask(&mut worker, &sources(&[("src/lib.rs", "")]));
    assert_eq!(answer.verdict, Verdict::Interesting);
    let notice = worker.place.executor.take_notice().unwrap();
    assert!(
        notice.contains("does not keep standard input open"),
        "{notice}"
    );
}

#[test]
fn a_launcher_that_is_not_there_any_more_is_no_failure() {
    let bench = Bench::new(CRASH);
    let mut worker = bench.launched_worker(PLAIN);
    fs::remove_file(bench.dir.join("launcher")).unwrap();
    let answer = bench.ask(&mut worker, &sources(&[("src/lib.rs", "")]));
    assert_eq!(answer.verdict, Verdict::Interesting);
    let notice = worker.place.executor.take_notice().unwrap();
    assert!(notice.contains("failed to start"), "{notice}");
}

/// A process with a session of its own gets none of our signals, as on another machine.
#[test]
fn cancelling_ends_what_no_signal_of_ours_gets_to() {
    let bench = Bench::new("echo $$ > ../pid; sleep 1000 & echo $! > ../child; wait");
    let mut worker = bench.launched_worker("exec setsid -w \"$@\"");
    let cancel = Cancel::new().unwrap();
    let text = sources(&[("src/lib.rs", "")]);
    let verdict = std::thread::scope(|scope| {
        let asked = scope.spawn(|| worker.judge(&bench.plan, &text, &property(), &cancel));
        let child = bench.dir.join("worker/child");
        while !fs::read_to_string(&child).is_ok_and(|pid| pid.ends_with('\n')) {
            std::thread::yield_now();
        }
        cancel.cancel();
        asked.join().unwrap().unwrap().verdict
    });
    assert_eq!(verdict, Verdict::Cancelled);
    for name in ["pid", "child"] {
        let pid = fs::read_to_string(bench.dir.join("worker").join(name)).unwrap();
        let proc = format!("/proc/{}", pid.trim());
        let until = std::time::Instant::now() + Duration::from_secs(20);
        while fs::exists(&proc).unwrap() && std::time::Instant::now() < until {
            std::thread::yield_now();
        }
        assert!(!fs::exists(&proc).unwrap(), "{name}");
    }
}

#[test]
fn what_is_killed_in_the_middle_leaves_nothing_for_the_next_attempt() {
    let bench = Bench::new(&format!(
        "test ! -e $TMPDIR/left || exit 3; touch $TMPDIR/left; sleep 0.2; {CRASH}"
    ));
    let left = bench.dir.join("worker/tmp/left");
    let kills = format!(
        "exec 3<&0; \"$@\" <&3 & while test ! -e {left}; do :; done; kill -KILL $!; exit 1"
    );
    let mut worker = bench.launched_worker(&each_third(&bench, &kills));
    let answer = bench.ask(&mut worker, &sources(&[("src/lib.rs", "")]));
    assert_eq!(answer.verdict, Verdict::Interesting);
    assert_eq!(worker.place.executor.take_notice(), None);
    assert_eq!(bench.lines_in("calls"), 2);
}
