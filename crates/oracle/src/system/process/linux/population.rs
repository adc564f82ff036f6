//! Computes the limit of processes and threads for a query. The kernel counts all of a user's, so that the limit has
//! to be above those that run already.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::OnceLock;

/// The number of processes that all queries together may have more than the user had at the start of the first query.
const MOST_NEW: u64 = 4096;

/// Returns the limit of processes for a query, which is computed once for all queries of this process. `None` for
/// root, whom the kernel does not limit.
pub(crate) fn most_processes() -> Option<u64> {
    static COUNTED: OnceLock<Option<u64>> = OnceLock::new();
    *COUNTED.get_or_init(|| {
        let user = rustix::process::geteuid();
        (!user.is_root()).then(|| threads_of(user.as_raw()) + MOST_NEW)
    })
}

/// Returns the number of threads of all processes of a user; a process that ends meanwhile is not
/// counted.
fn threads_of(user: u32) -> u64 {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let of_user = processes.filter(|entry| {
        let is_users = |data: fs::Metadata| data.uid() == user;
        entry.metadata().is_ok_and(is_users)
    });
    of_user
        .filter_map(|entry| fs::read_dir(entry.path().join("task")).ok())
        .map(|tasks| tasks.count() as u64)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threads_of_this_process_count() {
        let user = rustix::process::geteuid().as_raw();
        assert!(
            threads_of(user) >= 2,
            "the test and the thread that started it"
        );
    }
}
