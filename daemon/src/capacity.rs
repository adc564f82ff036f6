//! Computes how many jobs there is room for, and the memory that the daemon itself has.

use std::path::Path;

/// The memory that a job is taken to need besides its queries, which are bounded by themselves: its program in all
/// forms, its files in memory.
const BYTES_OF_JOB: u64 = 64 << 20;

/// The memory that a job is taken to need for each worker: two warm compilers of 50 MB.
const BYTES_OF_WORKER: u64 = 100 << 20;

/// The largest number of jobs that run at once, as more would have too small a share of the workers.
const MOST_RUNNING: u64 = 64;

/// The number of jobs that may run where nothing is known of the machine.
const USUAL_RUNNING: u64 = 8;

/// The number of files that a job has open for each worker, and as many more for itself; it was 19 with two workers.
const FILES_OF_WORKER: u64 = 8;
/// The number of files that are left for clients, the store and logs.
const OTHER_FILES: u64 = 320;

/// Returns the number of jobs with so many workers each that may run at once: as many as half of the memory of the
/// machine, or of the container, is enough for, and as many as may have their files open.
#[must_use]
pub fn most_running(workers: usize) -> usize {
    let open = reduce_platform::processes::most_open_files();
    let jobs = jobs_in_memory(memory(), workers).min(jobs_with_files(open, workers));
    usize::try_from(jobs.clamp(1, MOST_RUNNING)).unwrap_or(1)
}

/// The memory of the machine, or of the container, in bytes.
fn memory() -> Option<u64> {
    let machine = bytes_after(&read("/proc/meminfo"), "MemTotal:");
    let container = read("/sys/fs/cgroup/memory.max").trim().parse().ok();
    machine.into_iter().chain(container).min()
}

fn jobs_in_memory(bytes: Option<u64>, workers: usize) -> u64 {
    let of_workers = BYTES_OF_WORKER.saturating_mul(workers as u64);
    let of_job = BYTES_OF_JOB.saturating_add(of_workers);
    bytes.map_or(USUAL_RUNNING, |bytes| bytes / 2 / of_job)
}

/// Returns the number of jobs that may have their files open at once, if this process may have `open` files open; without
/// that, there is no bound.
fn jobs_with_files(open: Option<u64>, workers: usize) -> u64 {
    let of_job = FILES_OF_WORKER.saturating_mul((workers as u64).saturating_add(1));
    open.map_or(u64::MAX, |open| open.saturating_sub(OTHER_FILES) / of_job)
}

/// Returns the memory of this process; `None` where the system does not say.
pub(crate) fn resident_bytes() -> Option<u64> {
    bytes_after(&read("/proc/self/status"), "VmRSS:")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(path)).unwrap_or_default()
}

/// Returns the size, in bytes, in a line such as `MemTotal: 16 kB`, given the beginning of the line.
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
        assert_eq!(jobs_in_memory(Some(8 << 30), 2), 15);
        assert_eq!(jobs_in_memory(Some(8 << 30), 16), 2);
        assert_eq!(jobs_in_memory(None, 2), USUAL_RUNNING);
    }

    #[test]
    fn so_many_jobs_run_as_may_have_their_files_open() {
        assert_eq!(jobs_with_files(Some(1024), 2), 29);
        assert_eq!(jobs_with_files(Some(1024), 16), 5);
        assert_eq!(jobs_with_files(Some(100), 2), 0);
        assert_eq!(jobs_with_files(None, 2), u64::MAX);
        assert_eq!(most_running(usize::MAX), 1);
    }

    #[test]
    fn a_line_of_kilobytes_is_read() {
        let text = "MemFree: 1 kB\nMemTotal:       2048 kB\n";
        assert_eq!(bytes_after(text, "MemTotal:"), Some(2 << 20));
        assert_eq!(bytes_after(text, "MemAvailable:"), None);
    }
}
