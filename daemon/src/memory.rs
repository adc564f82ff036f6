//! Memory: how many jobs there is room for, and what the daemon itself has.

use std::path::Path;

/// What a job is taken to need besides its queries, which are bounded by themselves: its program in all
/// forms, warm compilers, its files in memory. The largest crates that were measured need as much.
const BYTES_OF_JOB: u64 = 256 << 20;

/// More jobs than this have too small a share of the workers.
const MOST_RUNNING: u64 = 64;

/// Where nothing is known.
const USUAL_RUNNING: usize = 8;

/// How many jobs may run at once: as many as half of the memory of the machine, or of the container, is enough for.
#[must_use]
pub fn most_running() -> usize {
    let total = ["/proc/meminfo", "/sys/fs/cgroup/memory.max"].map(read);
    match (
        bytes_after(&total[0], "MemTotal:"),
        total[1].trim().parse().ok(),
    ) {
        (Some(machine), limit) => jobs_in(machine.min(limit.unwrap_or(u64::MAX))),
        (None, Some(limit)) => jobs_in(limit),
        (None, None) => USUAL_RUNNING,
    }
}

/// What this process has of the memory; `None` where the system does not say.
pub(crate) fn resident_bytes() -> Option<u64> {
    bytes_after(&read("/proc/self/status"), "VmRSS:")
}

fn jobs_in(bytes: u64) -> usize {
    let jobs = (bytes / 2 / BYTES_OF_JOB).clamp(1, MOST_RUNNING);
    usize::try_from(jobs).unwrap_or(USUAL_RUNNING)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(path)).unwrap_or_default()
}

/// The number of kB in the line that begins so, in bytes.
fn bytes_after(text: &str, begin: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(begin))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_jobs_run_as_there_is_memory_for() {
        assert_eq!(jobs_in(8 << 30), 16);
        assert_eq!(jobs_in(100 << 20), 1);
        assert_eq!(jobs_in(1 << 50), 64);
    }

    #[test]
    fn a_line_of_kilobytes_is_read() {
        let text = "MemFree: 1 kB\nMemTotal:       2048 kB\n";
        assert_eq!(bytes_after(text, "MemTotal:"), Some(2 << 20));
        assert_eq!(bytes_after(text, "MemAvailable:"), None);
    }
}
