//! Cancellation that several threads can see and wait for.

use crate::system;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// A signal that tells work that is under way to stop. Clones share their state.
#[derive(Debug, Clone)]
pub struct Cancel(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    cancelled: AtomicBool,
    bell: system::Bell,
    /// Wakes asynchronous tasks that wait for the cancellation, as they cannot wait for the bell.
    tasks: Notify,
}

impl Cancel {
    /// Makes a signal to stop that was not given yet.
    ///
    /// # Errors
    /// Fails when the system has no file descriptor left.
    pub fn new() -> std::io::Result<Self> {
        Ok(Self(Arc::new(Shared {
            cancelled: AtomicBool::new(false),
            bell: system::Bell::new()?,
            tasks: Notify::new(),
        })))
    }

    /// Tells the work to stop; calling it again changes nothing.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        self.0.bell.ring();
        self.0.tasks.notify_waiters();
    }

    /// Whether [`Cancel::cancel`] was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// Waits until the work is cancelled, but not longer than this time, and returns whether it is.
    #[must_use]
    pub fn wait(&self, time: Duration) -> bool {
        wait_for_any(&[self], Some(time));
        self.is_cancelled()
    }

    /// Waits in a task until the work is cancelled. May be dropped and called again without loss.
    pub async fn cancelled(&self) {
        // The future hears of all cancellations from here on.
        let notified = self.0.tasks.notified();
        if !self.is_cancelled() {
            notified.await;
        }
    }

    /// A descriptor that polls as readable or hung up once cancelled.
    #[cfg(unix)]
    #[must_use]
    pub fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.0.bell.as_fd()
    }
}

/// Waits until one of two signals to stop is given, or until this time has passed, if there is one.
pub fn wait_for_either(first: &Cancel, second: &Cancel, time: Option<Duration>) {
    wait_for_any(&[first, second], time);
}

fn wait_for_any(all: &[&Cancel], time: Option<Duration>) {
    let end = time.and_then(|time| Instant::now().checked_add(time));
    let bells: Vec<_> = all.iter().map(|one| &one.0.bell).collect();
    while !all.iter().any(|one| one.is_cancelled()) {
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return;
        }
        system::Bell::wait_for_any(&bells, left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waits_for_two_is_woken_by_each() {
        for is_first in [true, false] {
            let both = [Cancel::new().unwrap(), Cancel::new().unwrap()];
            let cancelled = both[usize::from(!is_first)].clone();
            std::thread::scope(|scope| {
                let waiting = scope.spawn(|| wait_for_either(&both[0], &both[1], None));
                cancelled.cancel();
                waiting.join().unwrap();
            });
            assert_eq!(both.map(|one| one.is_cancelled()), [is_first, !is_first]);
        }
    }

    #[test]
    fn whoever_waits_for_two_waits_no_longer_than_was_said() {
        let both = [Cancel::new().unwrap(), Cancel::new().unwrap()];
        wait_for_either(&both[0], &both[1], Some(Duration::from_millis(1)));
        assert_eq!(both.map(|one| one.is_cancelled()), [false, false]);
    }

    #[test]
    fn a_task_is_woken() {
        let cancel = Cancel::new().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| runtime.block_on(cancel.cancelled()));
            cancel.cancel();
            waiting.join().unwrap();
        });
        runtime.block_on(cancel.cancelled());
    }

    #[test]
    fn a_wait_ends_when_it_is_cancelled_or_its_time_is_over() {
        let cancel = Cancel::new().unwrap();
        assert!(!cancel.wait(Duration::from_millis(1)));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| cancel.wait(Duration::MAX));
            cancel.cancel();
            assert!(waiting.join().unwrap());
        });
        assert!(cancel.wait(Duration::ZERO));
    }
}
