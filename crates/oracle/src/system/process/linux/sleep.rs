//! Measures whether all processes of a run are asleep, and how much CPU time they have used together; the meter looks
//! now and then while the run goes on.
//!
//! A process that waits for a CPU is runnable, not asleep. So the time that a run is asleep does not
//! grow with the load of the machine, as its wall time does. `/proc` tells; where it does not, nothing
//! is asleep.

use rustix::process::Pid;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::{Duration, Instant};

/// The time before the processes of a run are first checked: most runs end before.
const TICK: Duration = Duration::from_millis(100);

/// A meter of the sleep and the CPU time of one run.
#[derive(Debug)]
pub(super) struct SleepMeter {
    leader: i32,
    /// The longest time for which all processes may be asleep.
    most_asleep: Option<Duration>,
    /// The most CPU time that all processes may use together.
    most_cpu: Option<Duration>,
    /// The CPU time that the leader had used for others before the run.
    earlier_cpu: Duration,
    asleep: Duration,
    last: Instant,
}

/// The state of all processes of a run at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    /// Whether no process of the run computes or is about to.
    is_asleep: bool,
    /// CPU time of all processes, and of their children that have ended.
    cpu: Duration,
}

/// The limit that a run was found to have passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TooLong {
    Asleep,
    Cpu,
}

impl SleepMeter {
    /// Makes a meter for the group of `leader` and all that descends from it.
    pub(super) fn new(
        leader: Pid,
        most_asleep: Option<Duration>,
        most_cpu: Option<Duration>,
    ) -> Self {
        Self {
            leader: leader.as_raw_nonzero().get(),
            most_asleep,
            most_cpu,
            earlier_cpu: Duration::ZERO,
            asleep: Duration::ZERO,
            last: Instant::now(),
        }
    }

    /// Leaves out the CPU time that the leader and its children have used until now, at which it has no child.
    pub(super) fn without_earlier(self) -> Self {
        let stat = self
            .most_cpu
            .and_then(|_| parse(&fs::read_to_string(format!("/proc/{}/stat", self.leader)).ok()?));
        Self {
            earlier_cpu: stat.map_or(Duration::ZERO, |leader| of_ticks(leader.cpu)),
            ..self
        }
    }

    /// Returns the time of the next check of the processes.
    pub(super) fn next(&self) -> Instant {
        self.last + TICK
    }

    /// Returns the time for which all processes of the run were asleep until now.
    pub(super) fn asleep(&self) -> Duration {
        self.asleep
    }

    /// Checks the processes if it is time for that, and returns the limit that they have passed.
    pub(super) fn look(&mut self) -> Option<TooLong> {
        if Instant::now() < self.next() {
            return None;
        }
        // A pause is counted for at most two ticks: where the machine does not get to us either,
        // nobody knows what the processes did meanwhile.
        let since = self.last.elapsed().min(TICK * 2);
        self.last = Instant::now();
        let look = look(self.leader)?;
        if look.is_asleep {
            self.asleep += since;
        }
        let is_over = |most: Option<Duration>, used: Duration| most.is_some_and(|most| used > most);
        if is_over(self.most_asleep, self.asleep) {
            return Some(TooLong::Asleep);
        }
        let cpu = look.cpu.saturating_sub(self.earlier_cpu);
        is_over(self.most_cpu, cpu).then_some(TooLong::Cpu)
    }
}

/// The fields of `/proc/PID/stat` that are read of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stat {
    pid: i32,
    is_asleep: bool,
    parent: i32,
    group: i32,
    /// CPU time of the process in clock ticks.
    cpu: u64,
    threads: u64,
}

/// Reads the state of all processes of a run; `None` where `/proc` shows none of them.
fn look(leader: i32) -> Option<Look> {
    let members = members(leader, &all_processes());
    if members.is_empty() {
        return None;
    }
    let ticks = members.iter().map(|process| process.cpu).sum::<u64>();
    Some(Look {
        is_asleep: members.iter().all(|process| is_asleep(*process)),
        cpu: of_ticks(ticks),
    })
}

fn all_processes() -> Vec<Stat> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_process = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let names = names.filter(|name| is_process(name));
    names
        .filter_map(|name| parse(&fs::read_to_string(format!("/proc/{name}/stat")).ok()?))
        .collect()
}

/// Returns the processes in the leader's group, and those that descend from it. Takes time in proportion to their number.
fn members(leader: i32, all: &[Stat]) -> Vec<Stat> {
    let mut children: BTreeMap<i32, Vec<Stat>> = BTreeMap::new();
    for process in all {
        children.entry(process.parent).or_default().push(*process);
    }
    let is_first = |process: &&Stat| process.pid == leader || process.group == leader;
    let mut members: Vec<Stat> = all.iter().filter(is_first).copied().collect();
    let mut known: BTreeSet<i32> = members.iter().map(|process| process.pid).collect();
    let mut idx = 0;
    while let Some(parent) = members.get(idx).map(|process| process.pid) {
        let children = children.remove(&parent).unwrap_or_default();
        let new = children.into_iter().filter(|child| known.insert(child.pid));
        members.extend(new);
        idx += 1;
    }
    members
}

/// Whether no thread of a process computes, waits for a CPU, or for a disk.
fn is_asleep(process: Stat) -> bool {
    if process.threads <= 1 || !process.is_asleep {
        return process.is_asleep;
    }
    let Ok(threads) = fs::read_dir(format!("/proc/{}/task", process.pid)) else {
        return true;
    };
    let stats = threads.flatten();
    let mut stats = stats.filter_map(|thread| fs::read_to_string(thread.path().join("stat")).ok());
    stats.all(|stat| parse(&stat).is_none_or(|thread| thread.is_asleep))
}

/// Reads the fields of a process from a line of `/proc/PID/stat`. The command's name, in brackets, may have anything
/// in it.
fn parse(stat: &str) -> Option<Stat> {
    let pid = stat.split(' ').next()?.parse().ok()?;
    let (_, rest) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |idx: usize| fields.get(idx)?.parse::<i64>().ok();
    let ticks = (11..15).map(|idx| number(idx).and_then(|ticks| u64::try_from(ticks).ok()));
    Some(Stat {
        pid,
        // Interruptible, stopped, traced, or ended.
        is_asleep: matches!(*fields.first()?, "S" | "T" | "t" | "Z" | "X" | "I"),
        parent: number(1)?.try_into().ok()?,
        group: number(2)?.try_into().ok()?,
        cpu: ticks.sum::<Option<u64>>()?,
        threads: number(17)?.try_into().ok()?,
    })
}

fn of_ticks(ticks: u64) -> Duration {
    Duration::from_millis(ticks.saturating_mul(1000) / ticks_per_second())
}

fn ticks_per_second() -> u64 {
    rustix::param::clock_ticks_per_second().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "42 (a) b) S 7 40 40 0 -1 4194304 1 2 3 4 10 20 30 40 20 0 3 0 99 1 2";

    #[test]
    fn a_line_of_the_process_table_is_understood_whatever_the_command_is_called() {
        let expected = Stat {
            pid: 42,
            is_asleep: true,
            parent: 7,
            group: 40,
            cpu: 100,
            threads: 3,
        };
        assert_eq!(parse(LINE), Some(expected));
        assert!(!parse(&LINE.replace(") S ", ") R ")).unwrap().is_asleep);
        assert!(!parse(&LINE.replace(") S ", ") D ")).unwrap().is_asleep);
        assert_eq!(parse("42 (a"), None);
    }

    #[test]
    fn the_group_and_all_descendants_belong_to_a_run() {
        let process = |pid, parent, group| Stat {
            pid,
            parent,
            group,
            is_asleep: true,
            cpu: 0,
            threads: 1,
        };
        let all = [
            process(1, 0, 1),
            process(5, 1, 5),
            process(6, 5, 6),
            process(7, 6, 6),
            process(8, 1, 5),
            process(9, 1, 9),
        ];
        let mut members: Vec<i32> = members(5, &all).iter().map(|process| process.pid).collect();
        members.sort_unstable();
        assert_eq!(members, [5, 6, 7, 8]);
    }

    #[test]
    fn a_process_that_looks_is_not_asleep() {
        let own = i32::try_from(std::process::id()).unwrap();
        let look = look(own).unwrap();
        assert!(!look.is_asleep);
    }

    #[test]
    fn nothing_is_known_of_a_run_that_is_gone() {
        assert_eq!(look(i32::MAX), None);
    }
}
