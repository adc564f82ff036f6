//! Measures now and then what a run uses while it goes on: it counts its processes and looks at their memory, all
//! together, and, if it is confined, at what it takes away from the system.
//!
//! The kernel limits each process, and all processes of a user who is not root. A program that starts
//! many processes, or writes many files, or is root's, is stopped by this. What others take from the
//! system in the meantime counts too: there is no better figure without control groups.

use super::group::Group;
use super::memory;
use crate::system::process::invocation::Invocation;
use crate::system::sandbox::{Allowance, Confinement};
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::time::{Duration, Instant};

/// The time before it is first checked how much a run uses: a run that ends before pays for one reading only.
const TICK: Duration = Duration::from_millis(20);
/// The largest number of bytes that a run is assumed to fill in a second: the next look at its memory comes before it
/// can have used all that it may, but after [`LONGEST_TICK`] at the latest.
const FILLED_IN_A_SECOND: u64 = 8 << 30;
/// The longest pause between two checks of a run's memory, unless checks cost too much.
const LONGEST_TICK: Duration = Duration::from_millis(200);
/// The part of all time, one in so many, that checks of a run may cost at most: with thousands of processes on the
/// system it is looked less often.
const LOOK_PARTS: u32 = 50;
/// The reciprocal of the share of all memory that runs must leave to other programs, such as 20 for a twentieth.
const MEMORY_PARTS: u64 = 20;
/// The reciprocal of the share of all disk space that runs must leave to other programs, such as 50 for a fiftieth.
const DISK_PARTS: u64 = 50;

/// The most processes that a run may have at a time. The kernel does not limit those of root, and to look at many takes so
/// long that many more are started meanwhile.
const MOST_PROCESSES: usize = 1000;

/// A meter that checks now and then how much one run uses.
#[derive(Debug)]
pub(super) struct Meter {
    system: Option<System>,
    members: Option<Members>,
    next: Instant,
}

/// The part of the meter that checks the processes of a run: their number and their memory.
#[derive(Debug)]
struct Members {
    group: Group,
    most_bytes: u64,
    next: Instant,
}

/// The part of the meter that checks how much memory, disk space and processes a run leaves to other programs.
#[derive(Debug)]
struct System {
    allowance: Allowance,
    scratch: Option<Utf8PathBuf>,
    threads: u64,
    least_disk: u64,
    /// The memory that must be left free, in bytes; not known before the first check.
    least_memory: Option<u64>,
}

impl Meter {
    /// Makes the meter of a run. To be called before the run starts.
    pub(super) fn new(invocation: &Invocation<'_>) -> Self {
        Self {
            system: invocation.confinement.map(System::new),
            members: None,
            next: Instant::now() + TICK,
        }
    }

    /// Makes a meter that never checks anything.
    #[cfg(test)]
    pub(super) fn idle() -> Self {
        Self {
            system: None,
            members: None,
            next: Instant::now(),
        }
    }

    /// Returns the meter, which now also checks the processes of this group if there is a limit for their memory.
    pub(super) fn with(self, group: Group, most_bytes: Option<u64>) -> Self {
        let members = most_bytes.map(|most_bytes| Members {
            group,
            most_bytes,
            next: self.next,
        });
        Self { members, ..self }
    }

    /// Returns the time of the next check, if there is one.
    pub(super) fn next(&self) -> Option<Instant> {
        let looks = self.system.is_some() || self.members.is_some();
        looks.then_some(self.next)
    }

    /// Checks the run if it is time for that. Returns whether the run uses too much, or too little is left.
    pub(super) fn is_exceeded(&mut self) -> bool {
        if Instant::now() < self.next {
            return false;
        }
        self.next = Instant::now() + TICK;
        let system = self.system.as_mut();
        system.is_some_and(System::is_exceeded)
            || self.members.as_mut().is_some_and(Members::is_exceeded)
    }
}

impl Members {
    fn is_exceeded(&mut self) -> bool {
        let now = Instant::now();
        if now < self.next {
            return false;
        }
        let processes = self.group.processes();
        if processes.len() > MOST_PROCESSES {
            return true;
        }
        let used = memory::used_by(&processes, self.most_bytes);
        let left = self.most_bytes.saturating_sub(used);
        self.next = now + until_filled(left).max(now.elapsed() * LOOK_PARTS);
        used > self.most_bytes
    }
}

/// Returns the least time in which a run can fill so many bytes, kept between the shortest and the longest pause.
fn until_filled(bytes: u64) -> Duration {
    let milliseconds = bytes.saturating_mul(1000) / FILLED_IN_A_SECOND;
    Duration::from_millis(milliseconds).clamp(TICK, LONGEST_TICK)
}

impl System {
    fn new(confinement: &Confinement) -> Self {
        let allowance = confinement.allowance();
        let scratch = confinement.scratch().cloned();
        let disk = scratch.as_deref().and_then(disk);
        Self {
            allowance,
            threads: threads().unwrap_or(u64::MAX),
            least_disk: disk.map_or(0, |disk| disk.least(allowance.disk_bytes, DISK_PARTS)),
            scratch,
            least_memory: None,
        }
    }

    fn is_exceeded(&mut self) -> bool {
        self.has_many_threads() || self.has_little_memory() || self.has_little_disk()
    }

    /// Whether there are many more threads on the system than at the start of the run. A process that was ended
    /// shortly before may still have been counted at the start.
    fn has_many_threads(&mut self) -> bool {
        let Some(now) = threads() else { return false };
        self.threads = self.threads.min(now);
        now > self.threads.saturating_add(self.allowance.threads)
    }

    fn has_little_memory(&mut self) -> bool {
        let Some(memory) = memory() else { return false };
        let allowed = self.allowance.memory_bytes;
        let least = *self
            .least_memory
            .get_or_insert_with(|| memory.least(allowed, MEMORY_PARTS));
        memory.free < least
    }

    fn has_little_disk(&self) -> bool {
        let disk = self.scratch.as_deref().and_then(disk);
        disk.is_some_and(|disk| disk.free < self.least_disk)
    }
}

/// An amount of memory or disk space, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stock {
    total: u64,
    free: u64,
}

impl Stock {
    /// Returns the number of bytes that must be left free: all but what is allowed, and a part of the total. Where
    /// there is less than that part already, half of what there is.
    fn least(self, allowed: u64, parts: u64) -> u64 {
        let part = (self.total / parts).min(self.free / 2);
        part.max(self.free.saturating_sub(allowed))
    }
}

/// Returns the number of processes and threads of the system.
pub(crate) fn threads() -> Option<u64> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    let (_running, all) = load.split_ascii_whitespace().nth(3)?.split_once('/')?;
    all.parse().ok()
}

fn memory() -> Option<Stock> {
    stock_of_memory(&fs::read_to_string("/proc/meminfo").ok()?)
}

fn stock_of_memory(info: &str) -> Option<Stock> {
    let bytes = |name| memory::bytes_of_line(info, name);
    Some(Stock {
        total: bytes("MemTotal:")?,
        free: bytes("MemAvailable:")?,
    })
}

fn disk(path: &Utf8Path) -> Option<Stock> {
    let known = rustix::fs::statvfs(path.as_std_path()).ok()?;
    Some(Stock {
        total: known.f_blocks.saturating_mul(known.f_frsize),
        free: known.f_bavail.saturating_mul(known.f_frsize),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(total: u64, free: u64, allowed: u64, expected: u64) {
        assert_eq!(Stock { total, free }.least(allowed, 20), expected);
    }

    #[test]
    fn what_must_be_left_is_a_part_of_all_and_what_is_not_allowed() {
        check(1000, 500, u64::MAX, 50);
        check(1000, 500, 100, 400);
        check(1000, 60, u64::MAX, 30);
        check(1000, 0, 10, 0);
        check(0, 0, 0, 0);
    }

    #[test]
    fn the_less_is_left_the_sooner_is_the_next_look() {
        assert_eq!(until_filled(0), TICK);
        assert_eq!(until_filled(1 << 30), Duration::from_millis(125));
        assert_eq!(until_filled(u64::MAX), LONGEST_TICK);
    }

    #[test]
    fn this_system_tells_its_threads_memory_and_disk() {
        assert!(threads().unwrap() >= 2);
        let memory = memory().unwrap();
        assert!(memory.free > 0 && memory.free <= memory.total);
        let disk = disk("/".as_ref()).unwrap();
        assert!(disk.total > 0 && disk.free <= disk.total);
    }

    #[test]
    fn what_is_no_table_of_memory_tells_nothing() {
        for text in [
            "",
            "MemTotal:",
            "MemTotal: 1 kB",
            "MemTotal: x kB\nMemAvailable: 1 kB",
        ] {
            assert_eq!(stock_of_memory(text), None);
        }
        let stock = Stock {
            total: 2048,
            free: 1024,
        };
        let text = "MemTotal:  2 kB\nMemFree: 0 kB\nMemAvailable: 1 kB\n";
        assert_eq!(stock_of_memory(text), Some(stock));
    }
}
