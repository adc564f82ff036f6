//! Starts, limits, signals and reaps processes, and changes this process.

use crate::system::processes as system;
use std::collections::BTreeMap;
use std::env::consts::EXE_EXTENSION;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

#[cfg(unix)]
pub use system::{close_from, close_on_exec, set_limits, wait4, whole_seconds};

/// The most attempts to start a program that another process has open for writing.
const MOST_TRIES: u32 = 100;

/// The resources that a process may use, as the system limits them. What the system cannot limit is not limited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// CPU time of each process, rounded up to seconds. See [`is_of_cpu_limit`].
    pub cpu: Option<Duration>,
    /// The number of processes and threads of the user, all together.
    pub processes: Option<u64>,
    /// Address space of each process.
    pub memory_bytes: Option<u64>,
    /// Size of each file that a process writes.
    pub file_bytes: Option<u64>,
    /// The number of files, sockets and the like that each process has open.
    pub open_files: Option<u64>,
}

/// The end of a process, and the resources that it has used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// The exit status of the process.
    pub status: ExitStatus,
    /// User and system time of the process and the children that it reaped; zero where the system does not say.
    pub cpu: Duration,
    /// Largest resident set; zero where the system does not say.
    pub peak_memory_bytes: u64,
}

/// The way in which a process is told to end: by a request, or by force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// The process may do something before it ends, or not end.
    Ask,
    /// The process ends at once.
    Kill,
}

/// Starts a program, again and again while it is open for writing: a program that was written a moment ago may still be open in a
/// child that another thread is about to start.
///
/// # Errors
/// Where it cannot be started for another reason, or not at all.
pub fn start_when_free<T>(mut start: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for _ in 0..MOST_TRIES {
        match start() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(5));
            }
            started => return started,
        }
    }
    start()
}

/// Starts a program without the files that this process has open, except for its standard streams.
pub fn inherit_nothing(command: &mut Command) {
    system::inherit_nothing(command);
}

/// Makes a program the leader of a process group of its own, to which all processes belong that the program starts. Where the
/// system has no groups, nothing happens.
pub fn lead_group(command: &mut Command) {
    system::lead_group(command);
}

/// Makes this process the leader of a process group of its own, if it is none yet, and if the system has groups.
pub fn become_leader() {
    system::become_leader();
}

/// Limits the resources that a program may use once it is started.
pub fn limit(command: &mut Command, limits: Limits) {
    system::limit(command, limits);
}

/// Signals all processes of the group that a child of ours leads. Where the system has no groups, it is the child alone that
/// is killed, and nothing else is told anything. That it is gone already is no error.
pub fn signal_group(leader: &mut Child, signal: Signal) {
    system::signal_group(leader, signal);
}

/// Kills all processes of a group that is not ours, by the number of its leader. Nothing happens where the system has no
/// groups.
pub fn kill_group(leader: i32) {
    system::kill_group(leader);
}

/// Whether a child has ended. It stays to be reaped where the system can tell without.
///
/// # Errors
/// When the system does not say.
pub fn has_ended(child: &mut Child) -> io::Result<bool> {
    system::has_ended(child)
}

/// Waits until a child process ends, and returns its status and the resources that it used.
///
/// # Errors
/// When there is no such child.
pub fn reap(child: &mut Child) -> io::Result<Ended> {
    system::reap(child)
}

/// The signal by which a process was ended, if it was.
#[must_use]
pub fn signal_of(status: ExitStatus) -> Option<i32> {
    system::signal_of(status)
}

/// Whether a signal is the one by which a program ends itself (`abort`).
#[must_use]
pub fn is_abort(signal: i32) -> bool {
    system::ABORT == Some(signal)
}

/// Whether a signal is one by which the system ends a program that has done something wrong.
#[must_use]
pub fn is_of_crash(signal: i32) -> bool {
    system::OF_CRASHES.contains(&signal)
}

/// Whether a signal is one by which the system ends a program that has used up its CPU time.
#[must_use]
pub fn is_of_cpu_limit(signal: i32) -> bool {
    system::OF_CPU_LIMIT.contains(&signal)
}

/// Ends this process by a signal, if the number is one. Returns where it is none.
pub fn end_by_signal(signal: i32) {
    system::end_by_signal(signal);
}

/// Replaces this process by the program. Returns only where that is not possible.
pub fn become_program(command: &mut Command) -> io::Error {
    system::become_program(command)
}

/// Does some work in a process of its own that nobody waits for, and that has none of our streams. Where there is no such
/// process, it is not done. To be called by a process that has one thread.
pub fn work_apart(work: impl FnOnce()) {
    system::work_apart(work);
}

/// Whether there is no process with this number. Where the system does not say, there may be one.
#[must_use]
pub fn is_gone(id: u32) -> bool {
    system::is_gone(id)
}

/// The number of files that this process may have open. `None` where there is no limit, or the system does not say.
#[must_use]
pub fn most_open_files() -> Option<u64> {
    system::most_open_files()
}

/// The name of this machine in its network. `None` where the system does not say.
#[must_use]
pub fn machine_name() -> Option<String> {
    system::machine_name()
}

/// Leaves the session of the terminal, so that its signals do not reach this process. It is no error where there is none
/// to leave.
pub fn leave_session() {
    system::leave_session();
}

/// Sends standard error to a file, messages of panics included. Where the system cannot, standard error stays what it was.
pub fn send_errors_to(file: &File) {
    system::send_errors_to(file);
}

/// Closes this process's standard output, so that its reader sees the end. What is written to it later is lost. Where the
/// system cannot, its end is that of this process.
pub fn let_go_of_output() {
    system::let_go_of_output();
}

/// Returns whether the system starts a text as a program whose first line names the shell for it.
#[must_use]
pub const fn starts_scripts() -> bool {
    cfg!(unix)
}

/// The places where a program with this name is looked for, from the directories of a search path (`PATH`), in their order. A
/// name without a suffix gets that of programs, if the system has one. An empty directory stands for the one of the process.
pub fn places_of_program(name: &str, search_path: &str) -> impl Iterator<Item = PathBuf> {
    let mut file = PathBuf::from(name);
    if file.extension().is_none() && !EXE_EXTENSION.is_empty() {
        file.set_extension(EXE_EXTENSION);
    }
    std::env::split_paths(search_path).map(move |directory| directory.join(&file))
}

/// A search path that begins with one more directory. It stays what it was where the system cannot have that directory in one.
#[must_use]
pub fn with_first_directory(first: &Path, search_path: &str) -> String {
    let directories = std::iter::once(first.to_owned()).chain(std::env::split_paths(search_path));
    let joined = std::env::join_paths(directories);
    let text = joined.ok().and_then(|path| path.into_string().ok());
    text.unwrap_or_else(|| search_path.to_owned())
}

/// Returns the variables of an environment by the names that they have on this system: where case does not matter, such
/// as in `Path` on Windows, in capitals, and with `HOME` if another variable has the user's home.
#[must_use]
pub fn variables(vars: BTreeMap<String, String>) -> BTreeMap<String, String> {
    system::variables(vars)
}

/// Keeps the files that this process makes from now on for their owner alone.
pub fn make_files_private() {
    system::make_files_private();
}

/// Writes to our standard error unless that would have to wait, or the system does not say whether it would. Returns whether
/// all of it was written. A pipe takes at most 512 bytes as a whole everywhere.
#[must_use]
pub fn print_at_once(bytes: &[u8]) -> bool {
    system::print_at_once(bytes)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Stdio;

    #[expect(
        clippy::disallowed_methods,
        reason = "the test is about processes that are started here"
    )]
    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).stdout(Stdio::piped());
        command
    }

    #[test]
    fn a_process_that_is_there_is_not_gone() {
        assert!(!is_gone(std::process::id()));
        assert!(!is_gone(0));
        // The number is larger than any that a system gives to a process.
        assert!(is_gone(2_000_000_000));
    }

    #[test]
    fn a_program_is_looked_for_in_each_directory_of_a_search_path() {
        let path = with_first_directory(Path::new("/first"), "/usr/bin:/bin");
        let places: Vec<PathBuf> = places_of_program("rustc", &path).collect();
        let expected = ["/first/rustc", "/usr/bin/rustc", "/bin/rustc"];
        assert_eq!(places, expected.map(PathBuf::from));
        let unusable = with_first_directory(Path::new("/with:colon"), "/bin");
        assert_eq!(unusable, "/bin");
    }

    #[test]
    fn a_child_that_has_ended_is_there_until_it_is_reaped() {
        let mut child = shell("exit 3").spawn().unwrap();
        while !has_ended(&mut child).unwrap() {
            std::thread::yield_now();
        }
        assert!(has_ended(&mut child).unwrap());
        let ended = reap(&mut child).unwrap();
        assert_eq!(ended.status.code(), Some(3));
        assert!(ended.peak_memory_bytes > 100_000);
        assert!(reap(&mut child).is_err(), "it was reaped");
    }

    #[test]
    fn a_group_is_killed_with_all_that_its_leader_has_started() {
        let mut command = shell("sleep 1000 & sleep 1000");
        lead_group(&mut command);
        let mut child = command.spawn().unwrap();
        signal_group(&mut child, Signal::Kill);
        let ended = reap(&mut child).unwrap();
        assert_eq!(signal_of(ended.status), Some(9));
        // The pipe ends only when both processes that held it open are gone.
        let mut text = String::new();
        let mut stdout = child.stdout.take().unwrap();
        std::io::Read::read_to_string(&mut stdout, &mut text).unwrap();
    }

    #[test]
    fn cpu_time_is_limited_by_a_signal_that_is_known() {
        let mut command = shell("while :; do :; done");
        let cpu = Some(Duration::from_millis(500));
        limit(
            &mut command,
            Limits {
                cpu,
                ..Limits::default()
            },
        );
        let ended = reap(&mut command.spawn().unwrap()).unwrap();
        assert!(signal_of(ended.status).is_some_and(is_of_cpu_limit));
        assert!(ended.cpu > Duration::ZERO);
    }
}
