//! The three things that a process of ours may not do: outlive us, flood us, hang us.

use super::*;
use camino::Utf8Path;
use camino::Utf8PathBuf;
use reduce_platform::Cancel;
use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

const BOUNDS: Bounds = Bounds {
    deadline: Some(Duration::from_secs(60)),
    cpu: None,
    own_cpu: None,
    group: None,
    processes: None,
    memory_bytes: None,
    file_bytes: None,
    open_files: None,
    output_bytes: 4096,
};

/// A shell script that is run in a directory of its own.
struct Shell {
    dir: tempfile::TempDir,
    bounds: Bounds,
}

impl Shell {
    fn new(bounds: Bounds) -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            bounds,
        }
    }

    fn dir(&self) -> &Utf8Path {
        Utf8Path::from_path(self.dir.path()).unwrap()
    }

    fn run(&self, script: &str, cancel: &Cancel) -> Outcome {
        let args = ["-c".to_owned(), script.to_owned()];
        let env = BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]);
        let program = Utf8Path::new("/bin/sh");
        let bounds = self.bounds.clone();
        let invocation = Invocation {
            program,
            args: &args,
            env: &env,
            dir: self.dir(),
            bounds,
            confinement: None,
        };
        run(&invocation, cancel).unwrap()
    }
}

fn run_script(script: &str) -> Outcome {
    Shell::new(BOUNDS).run(script, &Cancel::new().unwrap())
}

fn deadline(milliseconds: u64) -> Bounds {
    Bounds {
        deadline: Some(Duration::from_millis(milliseconds)),
        ..BOUNDS
    }
}

/// Whether a process is there and no zombie.
fn is_running(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

/// Whether a process ends soon: the kernel takes a moment to end one that was killed.
fn ends_soon(pid: &str) -> bool {
    let until = Instant::now() + Duration::from_secs(20);
    while is_running(pid) && Instant::now() < until {
        thread::yield_now();
    }
    !is_running(pid)
}

#[test]
fn the_outcome_tells_status_output_and_use() {
    let outcome = run_script("echo out; echo err >&2; exit 3");
    assert_eq!(outcome.ending, Ending::Exited(3));
    assert_eq!(
        (outcome.stdout.as_str(), outcome.stderr.as_str()),
        ("out\n", "err\n")
    );
    assert!(!outcome.truncated);
    assert!(
        outcome.peak_memory_bytes > 100_000,
        "{}",
        outcome.peak_memory_bytes
    );
    assert!(outcome.cpu <= outcome.wall * 8 + Duration::from_secs(1));
}

#[test]
fn a_signal_that_is_not_ours_is_told() {
    assert_eq!(run_script("kill -SEGV $$").ending, Ending::Signalled(11));
}

#[test]
fn environment_directory_and_input_are_what_was_asked_for() {
    let shell = Shell::new(BOUNDS);
    let outcome = shell.run("env; pwd -P; cat", &Cancel::new().unwrap());
    let dir = shell.dir().canonicalize_utf8().unwrap();
    let expected = [
        format!("PWD={}", shell.dir()),
        "PATH=/usr/bin:/bin".to_owned(),
        dir.into_string(),
    ];
    let lines: Vec<_> = outcome
        .stdout
        .lines()
        .filter(|line| !line.starts_with("_="))
        .collect();
    assert!(
        expected.iter().all(|line| lines.contains(&line.as_str())),
        "{lines:?}"
    );
    assert!(
        lines
            .iter()
            .all(|line| !line.starts_with("HOME=") && !line.starts_with("CARGO"))
    );
}

#[test]
fn grandchildren_die_with_the_leader() {
    let shell = Shell::new(BOUNDS);
    let outcome = shell.run(
        "sleep 1000 & echo $! > pid; exit 0",
        &Cancel::new().unwrap(),
    );
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert!(outcome.wall < Duration::from_secs(30));
    assert!(ends_soon(
        &std::fs::read_to_string(shell.dir().join("pid")).unwrap()
    ));
}

#[test]
fn a_flood_of_output_is_drained_and_cut_in_the_middle() {
    let outcome =
        run_script("echo first >&2; yes 0123456789 | head -c 20000000 >&2; echo last >&2");
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert!(outcome.truncated);
    assert!(outcome.stderr.starts_with("first\n") && outcome.stderr.ends_with("last\n"));
    assert!(
        outcome.stderr.len() < 4096 + 100,
        "{}",
        outcome.stderr.len()
    );
    assert!(outcome.stderr.contains("bytes left out"));
}

#[test]
fn an_endless_flood_ends_at_the_deadline() {
    let outcome = Shell::new(deadline(300)).run("yes >&2", &Cancel::new().unwrap());
    assert_eq!(outcome.ending, Ending::TimedOut);
    assert!(outcome.wall < Duration::from_secs(30));
}

#[test]
fn cpu_time_is_limited() {
    let bounds = Bounds {
        cpu: Some(Duration::from_millis(500)),
        ..BOUNDS
    };
    let outcome = Shell::new(bounds).run("while :; do :; done", &Cancel::new().unwrap());
    assert_eq!(outcome.ending, Ending::TimedOut);
    assert!(outcome.wall < Duration::from_secs(30));
}

#[test]
fn a_line_that_decides_ends_the_child_at_once() {
    let shell = Shell::new(BOUNDS);
    let args = [
        "-c".to_owned(),
        "echo no >&2; echo yes >&2; exec sleep 1000".to_owned(),
    ];
    let env = BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]);
    let invocation = Invocation {
        program: Utf8Path::new("/bin/sh"),
        args: &args,
        env: &env,
        dir: shell.dir(),
        bounds: BOUNDS,
        confinement: None,
    };
    let mut seen = vec![];
    let mut decides = |line: &str| {
        seen.push(line.to_owned());
        line == "yes"
    };
    let outcome = run_until(&invocation, &Cancel::new().unwrap(), &mut decides).unwrap();
    assert_eq!(outcome.ending, Ending::Decided);
    assert!(outcome.wall < Duration::from_secs(30));
    assert_eq!(seen, ["no", "yes"]);
    assert_eq!(outcome.stderr, "no\nyes\n");
}

#[test]
fn a_child_that_ignores_sigterm_ends() {
    let shell = Shell::new(deadline(300));
    let script = "trap '' TERM; echo $$ > pid; while :; do sleep 1000; done";
    let outcome = shell.run(script, &Cancel::new().unwrap());
    assert_eq!(outcome.ending, Ending::TimedOut);
    assert!(outcome.wall < Duration::from_secs(30));
    assert!(!is_running(
        &std::fs::read_to_string(shell.dir().join("pid")).unwrap()
    ));
}

#[test]
fn cancelling_from_another_thread_ends_the_child_at_once() {
    let (shell, cancel) = (Shell::new(BOUNDS), Cancel::new().unwrap());
    let fifo = shell.dir().join("ready");
    rustix::fs::mkfifoat(rustix::fs::CWD, fifo.as_std_path(), rustix::fs::Mode::RWXU).unwrap();
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            // Opening waits until the child has opened its end.
            std::fs::File::open(&fifo).unwrap();
            cancel.cancel();
        });
        shell.run(": > ready; exec sleep 1000", &cancel)
    });
    assert_eq!(outcome.ending, Ending::Cancelled);
    assert!(outcome.wall < Duration::from_secs(30));
}

#[test]
fn nothing_is_left_running_of_what_was_cancelled_before() {
    let cancel = Cancel::new().unwrap();
    cancel.cancel();
    assert_eq!(
        Shell::new(BOUNDS).run("sleep 1000", &cancel).ending,
        Ending::Cancelled
    );
}

#[test]
fn a_program_that_is_not_there_is_an_error_with_its_path() {
    let shell = Shell::new(BOUNDS);
    let program = Utf8PathBuf::from("/nowhere/rustc");
    let (args, env) = ([], BTreeMap::new());
    let invocation = Invocation {
        program: &program,
        args: &args,
        env: &env,
        dir: shell.dir(),
        bounds: BOUNDS,
        confinement: None,
    };
    let error = run(&invocation, &Cancel::new().unwrap()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("failed to start `/nowhere/rustc` in `"),
        "{error}"
    );
}

#[test]
fn memory_and_files_are_limited() {
    let bounds = Bounds {
        memory_bytes: Some(64 << 20),
        file_bytes: Some(1000),
        ..BOUNDS
    };
    let shell = Shell::new(bounds);
    let outcome = shell.run(
        "ulimit -v; ulimit -c; head -c 5000 /dev/zero > big",
        &Cancel::new().unwrap(),
    );
    assert!(
        outcome.stdout.starts_with("65536\n0\n"),
        "{}",
        outcome.stdout
    );
    assert!(shell.dir().join("big").metadata().unwrap().len() <= 1000);
}

/// Runs a script whose input is open as long as it is to run.
fn attend(shell: &Shell, script: &str, decides: &mut Decides<'_>) -> Outcome {
    let args = ["-c".to_owned(), script.to_owned()];
    let env = BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]);
    let invocation = Invocation {
        program: Utf8Path::new("/bin/sh"),
        args: &args,
        env: &env,
        dir: shell.dir(),
        bounds: shell.bounds.clone(),
        confinement: None,
    };
    run_attended(&invocation, &Cancel::new().unwrap(), decides).unwrap()
}

#[test]
fn what_is_attended_is_told_by_the_end_of_its_input_and_may_end_by_itself() {
    let shell = Shell::new(deadline(50));
    let outcome = attend(&shell, "cat; echo bye", &mut |_| false);
    assert_eq!(
        (outcome.ending, outcome.stdout.as_str()),
        (Ending::TimedOut, "bye\n")
    );
}

#[test]
fn what_is_attended_and_does_not_read_its_input_is_signalled() {
    let shell = Shell::new(BOUNDS);
    let script = "trap '' TERM; echo decided >&2; while :; do sleep 1000; done";
    let outcome = attend(&shell, script, &mut |line| line == "decided");
    assert_eq!(outcome.ending, Ending::Decided);
}
