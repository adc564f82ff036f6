//! The retries of calls: how often a call is tried again, and after how long.

use crate::counts::Counting;
use crate::error::Trouble;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The largest number of times that a call is made.
pub(crate) const ATTEMPTS: u32 = 4;
/// The time after which a small call is not tried again, as its caller can go on without the answer.
pub(crate) const SHORT: Duration = Duration::from_secs(10);
/// The patience for a call that is tried again however long it takes.
pub(crate) const LONG: Duration = Duration::MAX;
/// The pause between the first two attempts of a call; each pause is three times as long as the one before.
const PAUSE: Duration = Duration::from_millis(100);

/// Makes a call until it succeeds, fails for good, or was made too often or for too long.
pub(crate) async fn persist<T>(
    patience: Duration,
    counting: &Counting,
    mut call: impl AsyncFnMut() -> Result<T, Trouble>,
) -> Result<T, Trouble> {
    let mut pause = PAUSE;
    let started = Instant::now();
    for _ in 1..ATTEMPTS {
        match call().await {
            Err(Trouble::Again { .. }) if started.elapsed() < patience => {
                counting.retries.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(pause).await;
                pause *= 3;
            }
            answer => return answer,
        }
    }
    call().await
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn attempts(trouble: Trouble, until: u32, patience: Duration) -> (u32, bool, u64) {
        let counting = Counting::default();
        let mut made = 0;
        let answer = persist(patience, &counting, async || {
            made += 1;
            match made >= until {
                true => Ok(()),
                false => Err(trouble.clone()),
            }
        });
        let is_done = answer.await.is_ok();
        (made, is_done, counting.retries.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn a_bad_moment_is_waited_for_but_not_for_ever() {
        let trouble = Trouble::broken("a moment");
        assert_eq!(attempts(trouble.clone(), 3, SHORT).await, (3, true, 2));
        assert_eq!(
            attempts(trouble.clone(), 99, LONG).await,
            (ATTEMPTS, false, 3)
        );
        assert_eq!(attempts(trouble, 2, Duration::ZERO).await, (1, false, 0));
    }

    #[tokio::test]
    async fn what_fails_for_good_is_tried_once() {
        assert_eq!(attempts(Trouble::Late, 2, LONG).await, (1, false, 0));
    }
}
