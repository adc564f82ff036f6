//! Memory: how many jobs there is room for, and what the daemon itself has.

use std::path::Path;

/// What a job is taken to need besides its queries, which are bounded by themselves: its program in all
/// forms, its files in memory.
const BYTES_OF_JOB: u64 = 64 << 20;

/// What it is taken to need for each worker: two warm compilers of 50 MB.
const BYTES_OF_WORKER: u64 = 100 << 20;

/// More jobs than this have too small a share of the workers.
const MOST_RUNNING: u64 = 64;

/// Where nothing is known.
const USUAL_RUNNING: usize = 8;

/// How many jobs with so many workers each may run at once: as many as half of the memory of the machine, or of the
/// container, is enough for.
#[must_use]
pub fn most_running(workers: usize) -> usize {
    let of_workers = BYTES_OF_WORKER.saturating_mul(workers as u64);
    let of_job = BYTES_OF_JOB.saturating_add(of_workers);
    let total = ["/proc/meminfo", "/sys/fs/cgroup/memory.max"].map(read);
    match (
        bytes_after(&total[0], "MemTotal:"),
        total[1].trim().parse().ok(),
    ) {
        (Some(machine), limit) => jobs_in(machine.min(limit.unwrap_or(u64::MAX)), of_job),
        (None, Some(limit)) => jobs_in(limit, of_job),
        (None, None) => USUAL_RUNNING,
    }
}

/// What this process has of the memory; `None` where the system does not say.
pub(crate) fn resident_bytes() -> Option<u64> {
    bytes_after(&read("/proc/self/status"), "VmRSS:")
}

fn jobs_in(bytes: u64, of_job: u64) -> usize {
    let jobs = (bytes / 2 / of_job).clamp(1, MOST_RUNNING);
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
        assert_eq!(jobs_in(8 << 30, 256 << 20), 16);
        assert_eq!(jobs_in(100 << 20, 256 << 20), 1);
        assert_eq!(jobs_in(1 << 50, 256 << 20), 64);
    }

    #[test]
    fn a_line_of_kilobytes_is_read() {
        let text = "MemFree: 1 kB\nMemTotal:       2048 kB\n";
        assert_eq!(bytes_after(text, "MemTotal:"), Some(2 << 20));
        assert_eq!(bytes_after(text, "MemAvailable:"), None);
    }
}
