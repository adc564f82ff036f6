//! Work that may go on for a moment after a person has stopped the search.
//!
//! How long that is depends on the size of the program: the work on one that a person reads is over in a tenth of a second as a
//! rule, and in several times that on a busy machine. With a large one a person would wait for seconds.

use crate::failure::Failure;
use reduce_oracle::Cancel;
use reduce_platform::cancel::wait_for_either;
use std::time::Duration;

/// The number of tokens above which nobody reads a program, and each look at it takes seconds.
pub(crate) const MOST_TOKENS: u64 = 20_000;

/// The time that the work on a small program may take.
pub(crate) const WITH_SMALL: Duration = Duration::from_secs(3);
/// The time that the work on a large program may take.
const WITH_LARGE: Duration = Duration::from_millis(300);

/// Returns the time that work on a program of so many tokens may take.
pub(crate) fn moment(n_tokens: u64) -> Duration {
    match n_tokens > MOST_TOKENS {
        true => WITH_LARGE,
        false => WITH_SMALL,
    }
}

/// Does some work, and cancels it a `moment` after the user has cancelled the reduction. `None` if it did not end in time.
///
/// # Errors
/// Those of the work, unless it was out of time.
pub(crate) fn for_a_moment<T>(
    user: &Cancel,
    moment: Duration,
    work: impl FnOnce(&Cancel) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    let cancel = || Cancel::new().map_err(|error| Failure::io("make a pipe", &error));
    let (patient, done) = (cancel()?, cancel()?);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            wait_for_either(user, &done, None);
            if !done.wait(moment) {
                patient.cancel();
            }
        });
        let _ends = CancelsAtEnd(&done);
        match work(&patient) {
            Err(_) if patient.is_cancelled() => Ok(None),
            worked => worked.map(Some),
        }
    })
}

/// A guard that cancels what waits for some work to end, however it ends.
struct CancelsAtEnd<'a>(&'a Cancel);

impl Drop for CancelsAtEnd<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::FailureKind;

    const SHORT: Duration = Duration::from_millis(1);

    fn wait_until(cancel: &Cancel) -> Result<(), Failure> {
        assert!(cancel.wait(Duration::MAX));
        Err(Failure::new(FailureKind::NoCrash, "cancelled"))
    }

    #[test]
    fn work_that_is_not_stopped_ends_by_itself() {
        let user = Cancel::new().unwrap();
        let done = for_a_moment(&user, SHORT, |patient| Ok(patient.is_cancelled()));
        assert_eq!(done.ok(), Some(Some(false)));
    }

    #[test]
    fn work_goes_on_for_a_moment_only() {
        let user = Cancel::new().unwrap();
        user.cancel();
        assert_eq!(for_a_moment(&user, SHORT, wait_until).ok(), Some(None));
        let work = |_: &Cancel| Ok(1);
        assert_eq!(for_a_moment(&user, Duration::MAX, work).ok(), Some(Some(1)));
    }

    #[test]
    fn work_is_stopped_that_the_user_stops_later() {
        let user = Cancel::new().unwrap();
        std::thread::scope(|scope| {
            let working = scope.spawn(|| for_a_moment(&user, SHORT, wait_until).ok());
            user.cancel();
            assert_eq!(working.join().unwrap(), Some(None));
        });
    }

    #[test]
    fn a_failure_of_the_work_is_passed_on() {
        let user = Cancel::new().unwrap();
        let fail = |_: &Cancel| Err::<(), _>(Failure::new(FailureKind::NoCrash, "none"));
        assert!(for_a_moment(&user, SHORT, fail).is_err());
    }
}
