//! Runs programs for no longer than a given time, and keeps what they print.

use anyhow::{Context, Result};
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A program that is about to run.
pub struct Run {
    command: Command,
}

/// What became of it.
#[derive(Debug)]
pub struct Ended {
    /// Whether it ended by itself, with status 0.
    pub is_success: bool,
    /// Whether it was interrupted, as it took too long.
    pub is_late: bool,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// CPU time of it and of all that it has waited for. Right if nothing else is run at the same time.
    pub cpu: Duration,
    /// The CPU time and memory of the program itself, without what it has started.
    pub own: OwnUse,
}

/// The CPU time and memory that a process used by itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnUse {
    /// User and system time, nearly until its end.
    pub cpu: Duration,
    /// The largest resident set, in bytes.
    pub peak: u64,
}

/// How long a program that was interrupted may take to write its result.
const GRACE: Duration = Duration::from_secs(60);

impl Run {
    /// cargo in a directory. Compiled crates are in `target`, which several packages may share.
    pub fn cargo(directory: &Path, target: &Path) -> Self {
        let mut run = Self::program(Path::new("cargo"), directory);
        run.command.env("CARGO_TARGET_DIR", target);
        run
    }

    /// A program in a directory.
    #[expect(
        clippy::disallowed_methods,
        reason = "this file starts the runner's children"
    )]
    pub fn program(program: &Path, directory: &Path) -> Self {
        let mut command = Command::new(program);
        command.current_dir(directory);
        command.env("CARGO_TERM_COLOR", "never");
        command.env_remove("RUST_BACKTRACE");
        Run { command }
    }

    /// With these arguments.
    pub fn arguments<S: AsRef<OsStr>>(mut self, arguments: &[S]) -> Self {
        self.command.args(arguments);
        self
    }

    /// With this variable.
    pub fn variable(mut self, name: &str, value: &Path) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs it. After `longest` it is interrupted, and ended if that does not help.
    pub fn run(mut self, longest: Duration) -> Result<Ended> {
        let command = self.command.stdin(Stdio::null()).process_group(0);
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let before = cpu_of_children()?;
        let mut child = command
            .spawn()
            .with_context(|| format!("failed to start `{:?}`", command.get_program()))?;
        let stdout = drain(child.stdout.take().context("standard output is piped")?);
        let stderr = drain(child.stderr.take().context("standard error is piped")?);
        let mut own = OwnUse::default();
        let (status, is_late) = wait(&mut child, longest, &mut own)?;
        // What it has left behind may hold the pipes open.
        signal(child.id(), Signal::KILL);
        Ok(Ended {
            is_success: status.success() && !is_late,
            is_late,
            stdout: stdout.join().unwrap_or_default(),
            stderr: stderr.join().unwrap_or_default(),
            cpu: cpu_of_children()?.saturating_sub(before),
            own,
        })
    }
}

/// User and system time of all children that have ended, with those that they have waited for.
fn cpu_of_children() -> Result<Duration> {
    let text = fs::read_to_string("/proc/self/stat")?;
    cpu_in(&text).with_context(|| format!("`/proc/self/stat` is `{text}`"))
}

/// `cutime` and `cstime` of proc(5), which follow the name of the program in parentheses.
fn cpu_in(stat: &str) -> Option<Duration> {
    ticks_in(stat, 13)
}

/// `utime` and `stime` of proc(5).
fn own_cpu_in(stat: &str) -> Option<Duration> {
    ticks_in(stat, 11)
}

/// The sum of two fields of proc(5), of which so many come before them after the name of the program.
fn ticks_in(stat: &str, before: usize) -> Option<Duration> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(before);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    let ticks = Duration::from_secs(user + system);
    Some(ticks / u32::try_from(clock_ticks_per_second()).ok()?)
}

fn drain(mut stream: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).ok();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child, longest: Duration, own: &mut OwnUse) -> Result<(ExitStatus, bool)> {
    if let Some(status) = wait_for(child, longest, own)? {
        return Ok((status, false));
    }
    signal(child.id(), Signal::INT);
    if let Some(status) = wait_for(child, GRACE, own)? {
        return Ok((status, true));
    }
    signal(child.id(), Signal::KILL);
    Ok((child.wait()?, true))
}

fn wait_for(child: &mut Child, longest: Duration, own: &mut OwnUse) -> Result<Option<ExitStatus>> {
    let started = Instant::now();
    while started.elapsed() < longest {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        *own = own_use(child.id()).unwrap_or(*own);
        thread::sleep(Duration::from_millis(20));
    }
    Ok(None)
}

/// Reads the CPU time and memory that a running process has used so far.
fn own_use(process: u32) -> Option<OwnUse> {
    let read = |file: &str| fs::read_to_string(format!("/proc/{process}/{file}")).ok();
    Some(OwnUse {
        cpu: own_cpu_in(&read("stat")?)?,
        peak: peak_in(&read("status")?)?,
    })
}

/// `VmHWM` of proc(5).
fn peak_in(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

fn signal(leader: u32, signal: Signal) {
    let group = i32::try_from(leader).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        kill_process_group(group, signal).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_follows_the_name_of_the_program() {
        let ticks = clock_ticks_per_second();
        let stat = format!("7 (a ) b) S 1 2 3 4 5 6 7 8 9 10 11 12 {ticks} {ticks} 15");
        assert_eq!(cpu_in(&stat), Some(Duration::from_secs(2)));
        let stat = format!("7 (a) S 1 2 3 4 5 6 7 8 9 10 {ticks} {ticks} 13 14 15");
        assert_eq!(own_cpu_in(&stat), Some(Duration::from_secs(2)));
        assert_eq!(cpu_in("7 (a) S 1"), None);
    }

    #[test]
    fn the_peak_of_a_process_is_in_kibibytes() {
        assert_eq!(peak_in("Name:\ta\nVmHWM:\t     12 kB\n"), Some(12288));
        assert_eq!(peak_in("Name:\ta\n"), None);
    }

    #[test]
    fn the_time_of_a_child_is_counted() {
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done";
        let run = Run::program(Path::new("sh"), Path::new("/")).arguments(&["-c", busy]);
        assert!(run.run(Duration::from_secs(60)).unwrap().cpu > Duration::ZERO);
    }
}
