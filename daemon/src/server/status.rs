//! The status of the daemon.

use super::Shared;
use crate::capacity;
use reduce_protocol::Status;

/// Returns the status of the daemon at the moment. Looks at every file that jobs have.
pub(super) fn status(shared: &Shared) -> Status {
    let overview = shared.jobs.overview();
    Status {
        pid: std::process::id(),
        version: shared.options.hello.version.clone(),
        uptime_seconds: shared.began.elapsed().as_secs(),
        clients: *shared.clients.borrow() as u64,
        workers_in_use: shared.turns.taken() as u64,
        workers: shared.options.workers as u64,
        most_running: shared.options.most_running as u64,
        warm_compilers: reduce_engine::warm_compilers(),
        memory_bytes: capacity::resident_bytes(),
        disk_bytes: shared.disk.used_bytes(),
        disk_limit_bytes: shared.disk.limit_bytes(),
        queries: overview.asked.queries,
        cache_hits: overview.asked.cache_hits,
        jobs: overview.active,
        ended: overview.ended,
        errors: overview.errors,
    }
}
