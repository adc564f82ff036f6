//! What is tried again: how often, and after how long.

use crate::counts::Counting;
use crate::error::Trouble;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// So often a call is made at most.
pub(crate) const ATTEMPTS: u32 = 4;
/// Between the first two attempts; each pause is three times as long as the one before.
const PAUSE: Duration = Duration::from_millis(100);

/// Makes a call until it succeeds, fails for good, or was made too often.
pub(crate) async fn persist<T>(
    counting: &Counting,
    mut call: impl AsyncFnMut() -> Result<T, Trouble>,
) -> Result<T, Trouble> {
    let mut pause = PAUSE;
    for _ in 1..ATTEMPTS {
        match call().await {
            Err(Trouble::Again { .. }) => {
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

    async fn attempts(trouble: Trouble, until: u32) -> (u32, bool, u64) {
        let counting = Counting::default();
        let mut made = 0;
        let answer = persist(&counting, async || {
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
        assert_eq!(attempts(trouble.clone(), 3).await, (3, true, 2));
        assert_eq!(attempts(trouble, 99).await, (ATTEMPTS, false, 3));
    }

    #[tokio::test]
    async fn what_fails_for_good_is_tried_once() {
        assert_eq!(attempts(Trouble::Late, 2).await, (1, false, 0));
    }
}
