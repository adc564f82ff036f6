//! Programs that try what they must not do, what stops them, and what still works.

mod bench;

use super::*;
use crate::system::process::{Ending, GroupTime};
use bench::{Bench, Setting, compiler_links, warm_compiler_is_bounded, warm_compiler_serves};
use std::time::Duration;

/// The expected end of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The system refused what it tried.
    Refused,
    /// The program did what it tried.
    Done,
    /// The program was ended.
    By(Ending),
}

use End::{By, Done, Refused};

/// The attacks that are refused in each setting, each with what it is aimed at.
const REFUSED: [(&str, &str); 60] = [
    ("delete", "HOME/secret"),
    ("create", "HOME"),
    ("make directory", "HOME"),
    ("overwrite", "HOME/secret"),
    ("append", "HOME/secret"),
    ("truncate", "HOME/secret"),
    ("cut by reading", "HOME/secret"),
    ("read", "HOME/secret"),
    ("list", "HOME"),
    ("change mode", "HOME/secret"),
    ("change times", "HOME/secret"),
    ("change owner", "HOME/secret"),
    ("symlink to read", "HOME/secret"),
    ("symlink to write", "HOME/secret"),
    ("hard link", "HOME/secret"),
    ("rename out", "HOME"),
    ("rename in", "HOME/secret"),
    ("make pipe outside", "HOME"),
    ("delete", "INPUT/readable"),
    ("create", "INPUT"),
    ("overwrite", "INPUT/readable"),
    ("truncate", "INPUT/readable"),
    ("cut by reading", "INPUT/readable"),
    ("change mode", "INPUT/readable"),
    ("change times", "INPUT/readable"),
    ("hard link", "INPUT/readable"),
    ("rename out", "INPUT"),
    ("read", "/etc/shadow"),
    ("list", "/tmp"),
    ("create", "/tmp"),
    ("create", "/dev/shm"),
    ("tcp", "TCP"),
    ("unix stream", "STREAM"),
    ("unix datagram", "DATAGRAM"),
    ("pair to elsewhere", "DATAGRAM"),
    ("abstract", "ABSTRACT"),
    ("vsock", ""),
    ("raw socket", ""),
    ("setsid", ""),
    ("setsid in child", ""),
    ("setpgid", ""),
    ("kill parent", ""),
    ("kill group of parent", "GROUP"),
    ("kill first", ""),
    ("signal by descriptor", ""),
    ("environment of parent", ""),
    ("memory of parent", ""),
    ("descriptors of parent", ""),
    ("root of parent", "HOME/secret"),
    ("ptrace", ""),
    ("read memory", ""),
    ("limit parent", ""),
    ("slow parent", ""),
    ("bind parent", ""),
    ("setuid", ""),
    ("io_uring", ""),
    ("clone3", ""),
    ("descriptors", ""),
    ("sibling", ""),
    ("hide", ""),
];

const ALSO_REFUSED: [(&str, &str); 7] = [
    ("namespace", ""),
    ("mount", ""),
    ("keys", ""),
    ("terminal", ""),
    ("other architecture", ""),
    ("setuid program", "SETUID"),
    ("no unix listener", ""),
];

/// The actions that work in each setting.
const DONE: [(&str, &str); 10] = [
    ("write here", "SCRATCH"),
    ("read", "INPUT/readable"),
    ("child", ""),
    ("own children", ""),
    ("hosts", ""),
    ("devices", ""),
    ("join threads", ""),
    ("signal itself", ""),
    ("pair", ""),
    ("nothing", ""),
];

fn check_all(bench: &Bench) {
    for (attack, target) in REFUSED.into_iter().chain(ALSO_REFUSED) {
        bench.check(attack, target, Refused);
    }
    for (attack, target) in DONE {
        bench.check(attack, target, Done);
    }
    bench.check("abort", "", By(Ending::Signalled(libc::SIGABRT)));
}

#[test]
fn a_program_is_confined_and_has_a_network_of_its_own() {
    let Some(bench) = Bench::new(Setting::Program) else {
        return;
    };
    check_all(&bench);
    bench.check("other processes", "", Refused);
    bench.check("own network", "", Done);
    // Into its own network, where nobody listens.
    bench.check("udp", "UDP", Done);
    bench.check("shared memory", "", Refused);
}

#[test]
fn a_program_is_confined_without_namespaces_and_has_no_network() {
    let Some(bench) = Bench::new(Setting::Bare) else {
        return;
    };
    check_all(&bench);
    // Without a namespace of them, the command lines of all processes can be read.
    bench.check("other processes", "", Done);
    bench.check("no listener", "", Refused);
    bench.check("udp", "UDP", Refused);
    bench.check("shared memory", "", Refused);
}

#[test]
fn a_program_is_confined_by_a_kernel_of_the_first_version() {
    let Some(bench) = Bench::new(Setting::OldKernel) else {
        return;
    };
    for (attack, target) in REFUSED.into_iter().chain(ALSO_REFUSED) {
        bench.check(attack, target, Refused);
    }
    for (attack, target) in DONE
        .into_iter()
        .filter(|(attack, _)| *attack != "write here")
    {
        bench.check(attack, target, Done);
    }
    bench.check("abort", "", By(Ending::Signalled(libc::SIGABRT)));
}

#[test]
fn a_strict_program_has_no_sockets_but_pairs() {
    let Some(bench) = Bench::new(Setting::Strict) else {
        return;
    };
    check_all(&bench);
    bench.check("other processes", "", Refused);
    bench.check("no listener", "", Refused);
    bench.check("udp", "UDP", Refused);
}

#[test]
fn what_a_compiler_runs_is_confined_and_has_no_network() {
    let Some(bench) = Bench::new(Setting::Compiler) else {
        return;
    };
    check_all(&bench);
    bench.check("other processes", "", Refused);
    bench.check("no listener", "", Refused);
    bench.check("udp", "UDP", Refused);
}

#[test]
fn what_is_without_end_is_ended_and_nothing_is_left() {
    for setting in [Setting::Program, Setting::Bare] {
        let Some(mut bench) = Bench::new(setting) else {
            return;
        };
        let allowance = Allowance {
            threads: 300,
            memory_bytes: 512 << 20,
            disk_bytes: 64 << 20,
        };
        bench.allow(allowance);
        for attack in [
            "fork bomb",
            "processes",
            "threads",
            "memory of many",
            "disk",
        ] {
            bench.check(attack, "", By(Ending::Exceeded));
        }
        bench.check("leave", "", Done);
        // In a namespace there is nobody else.
        let kills_all = if setting == Setting::Bare {
            Done
        } else {
            Refused
        };
        bench.check("kill all", "", kills_all);
        bench.check("open files", "", Refused);
        bench.bounds.memory_bytes = Some(256 << 20);
        bench.check("memory", "", By(Ending::Signalled(libc::SIGABRT)));
        bench.bounds.deadline = Some(Duration::from_millis(300));
        bench.check("print", "", By(Ending::TimedOut));
        bench.check("ignore", "", By(Ending::TimedOut));
    }
}

/// The kernel of the tests must be able to limit the processes of a namespace: only to look at them is too slow on a machine
/// that is busy with them.
#[test]
fn processes_without_end_are_ended_while_they_are_few() {
    let most_of_all = || std::fs::read_to_string("/proc/sys/kernel/pid_max").unwrap();
    let before = most_of_all();
    let Some(mut bench) = Bench::new(Setting::Program) else {
        return;
    };
    bench.bounds.memory_bytes = Some(8 << 30);
    bench.bounds.group = Some(GroupTime {
        cpu: Some(Duration::from_secs(60)),
        asleep: Some(Duration::from_secs(60)),
    });
    for attack in ["fork bomb", "processes"] {
        let most = bench.most_threads(|bench| bench.check(attack, "", By(Ending::Exceeded)));
        assert!(most < 3000, "{attack}: {most}");
    }
    assert_eq!(most_of_all(), before, "that of the system is as it was");
}

#[test]
fn the_memory_of_a_run_is_bounded_in_sum() {
    for setting in [Setting::Program, Setting::Bare, Setting::Compiler] {
        let Some(mut bench) = Bench::new(setting) else {
            return;
        };
        bench.bounds.memory_bytes = Some(300 << 20);
        for attack in ["memory files", "memory of several"] {
            bench.check(attack, "", By(Ending::Exceeded));
        }
        bench.check("shared memory files", "", Done);
    }
}

#[test]
fn how_a_run_ended_and_what_it_used_is_told_through_the_namespace() {
    for setting in [Setting::Program, Setting::Bare] {
        let Some(mut bench) = Bench::new(setting) else {
            return;
        };
        for status in [0, 1, 101, 255] {
            assert_eq!(bench.ending("status", status), Ending::Exited(status));
        }
        for signal in [libc::SIGSEGV, libc::SIGTERM, libc::SIGKILL, 34] {
            assert_eq!(bench.ending("raise", signal), Ending::Signalled(signal));
        }
        bench.bounds.own_cpu = Some(Duration::from_millis(100));
        bench.check("loop", "", By(Ending::TimedOut));
        // The limit is one of its own time, what is told is that of its children too.
        assert!(bench.cpu("loop in child") >= Duration::from_millis(100));
    }
}

#[test]
fn a_program_that_is_not_there_is_told_through_the_namespace() {
    for setting in [Setting::Program, Setting::Bare] {
        let Some(bench) = Bench::new(setting) else {
            return;
        };
        let error = bench.start_nothing().to_string();
        assert!(error.starts_with("failed to start"), "{error}");
        assert_eq!(bench::dead_children(), 0);
    }
}

#[test]
fn what_makes_itself_a_sibling_is_reaped_with_its_group() {
    let Some(bench) = Bench::new(Setting::Program) else {
        return;
    };
    let outcome = bench.run_unconfined("sibling");
    assert_eq!(outcome.ending, Ending::Exited(0), "{outcome:?}");
    bench.assert_nothing_is_left("a sibling");
    assert_eq!(bench::dead_children(), 0);
}

#[test]
fn a_confined_compiler_compiles_and_links() {
    for mode in [SandboxMode::Default, SandboxMode::Strict] {
        compiler_links(mode);
    }
}

#[test]
fn the_warm_compiler_serves_in_the_sandbox_and_its_children_stay_in_their_group() {
    warm_compiler_serves();
}

#[test]
fn the_memory_of_what_a_warm_compiler_runs_is_bounded() {
    warm_compiler_is_bounded();
}

#[test]
fn places_that_do_not_exist_and_relative_ones_are_left_out() {
    let paths = |paths: &[&str]| paths.iter().map(Utf8PathBuf::from).collect();
    let places = Places {
        reads: paths(&["/usr", "/nowhere/at/all", "usr", ""]),
        writes: paths(&["/nowhere/at/all"]),
        closed: vec![],
    };
    let expected = Places {
        reads: paths(&["/usr"]),
        writes: vec![],
        closed: vec![],
    };
    assert_eq!(existing(&places), expected);
    for mode in [SandboxMode::Default, SandboxMode::Off] {
        let confinement = Confinement::of_program(mode, &places);
        if missing(mode).is_empty() {
            assert_eq!(confinement.unwrap().is_none(), mode == SandboxMode::Off);
        }
    }
}

#[test]
fn modes_are_written_in_small_letters() {
    for (mode, text) in [
        (SandboxMode::Strict, "\"strict\""),
        (SandboxMode::Default, "\"default\""),
        (SandboxMode::Off, "\"off\""),
    ] {
        assert_eq!(serde_json::to_string(&mode).unwrap(), text);
        assert_eq!(serde_json::from_str::<SandboxMode>(text).unwrap(), mode);
    }
}
