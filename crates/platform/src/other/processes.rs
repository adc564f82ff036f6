//! Processes on systems where there are no groups and no signals, and nothing is limited. There are
//! no groups and no signals, and nothing is limited.

use crate::processes::{Ended, Limits, Signal};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

pub(crate) const ABORT: Option<i32> = None;
pub(crate) const OF_CRASHES: &[i32] = &[];
pub(crate) const OF_CPU_LIMIT: &[i32] = &[];

/// Does nothing, as programs on such systems inherit no open files but those that they are handed.
pub(crate) fn inherit_nothing(_: &mut Command) {}

pub(crate) fn lead_group(_: &mut Command) {}

pub(crate) fn become_leader() {}

pub(crate) fn limit(_: &mut Command, _: Limits) {}

pub(crate) fn signal_group(leader: &mut Child, signal: Signal) {
    if signal == Signal::Kill {
        let _gone = leader.kill();
    }
}

pub(crate) fn kill_group(_: i32) {}

pub(crate) fn has_ended(child: &mut Child) -> io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

pub(crate) fn reap(child: &mut Child) -> io::Result<Ended> {
    Ok(Ended {
        status: child.wait()?,
        cpu: Duration::ZERO,
        peak_memory_bytes: 0,
    })
}

pub(crate) fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

pub(crate) fn end_by_signal(_: i32) {}

/// Runs the program below this process, which ends as the program ends.
#[expect(
    clippy::disallowed_methods,
    reason = "this process is to be the program, and nothing of it goes on after that"
)]
pub(crate) fn become_program(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

pub(crate) fn work_apart(_: impl FnOnce()) {}

pub(crate) fn print_at_once(_: &[u8]) -> bool {
    false
}

pub(crate) fn is_gone(_: u32) -> bool {
    false
}

pub(crate) fn most_open_files() -> Option<u64> {
    None
}

pub(crate) fn machine_name() -> Option<String> {
    None
}

pub(crate) fn leave_session() {}

pub(crate) fn send_errors_to(_: &File) {}

pub(crate) fn let_go_of_output() {}

pub(crate) fn variables(vars: BTreeMap<String, String>) -> BTreeMap<String, String> {
    match cfg!(windows) {
        true => of_windows(vars),
        false => vars,
    }
}

fn of_windows(vars: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let vars = vars.into_iter();
    let mut vars: BTreeMap<_, _> = vars
        .map(|(name, value)| (name.to_uppercase(), value))
        .collect();
    if let Some(home) = vars.get("USERPROFILE").cloned() {
        vars.entry("HOME".to_owned()).or_insert(home);
    }
    vars
}

pub(crate) fn make_files_private() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_has_a_search_path_and_a_home_by_other_names() {
        let of = |vars: &[(&str, &str)]| {
            let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            of_windows(vars.iter().map(owned).collect())
        };
        let vars = of(&[("Path", "p"), ("UserProfile", "u")]);
        assert_eq!(vars["PATH"], "p");
        assert_eq!(vars["HOME"], "u");
        assert_eq!(of(&[("HOME", "h"), ("USERPROFILE", "u")])["HOME"], "h");
        assert!(!of(&[]).contains_key("HOME"));
    }
}
