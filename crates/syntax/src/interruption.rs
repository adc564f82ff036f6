//! The interruption of long work on a program: whoever starts the work says when it is over, and the loops of the work
//! ask. Work that is over unwinds to where it was started, so that no function between has to pass an error on.
//!
//! Each loop over files, tokens, items, names or edits calls [`poll_interruption`]; outside of [`interruptible`] that does
//! nothing.
//!
//! See docs/decisions/time.md.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

/// The number of polls for each time that is asked whether the work is over, as asking may read a clock.
const POLLS_PER_QUESTION: u32 = 32;

type IsOver = Rc<dyn Fn() -> bool>;

thread_local! {
    /// The function that says whether the work of this thread is over; `None` where nothing interrupts it.
    static IS_OVER: RefCell<Option<IsOver>> = const { RefCell::new(None) };
    /// The number of polls since it was last asked whether the work is over.
    static POLLS: Cell<u32> = const { Cell::new(0) };
}

/// The payload with which interrupted work unwinds.
struct Interrupted;

/// A guard that puts an earlier function back, however the work ends.
struct Before(Option<IsOver>);

impl Drop for Before {
    fn drop(&mut self) {
        IS_OVER.set(self.0.take());
    }
}

/// Does some work in this thread, and returns what it gives; `None` if it was interrupted because `is_over` has said so.
///
/// Interrupted work leaves its own values half done: nothing that outlives it may be changed in it but by
/// [`uninterrupted`].
pub fn interruptible<T>(
    is_over: impl Fn() -> bool + 'static,
    work: impl FnOnce() -> T,
) -> Option<T> {
    let _before = Before(IS_OVER.replace(Some(Rc::new(is_over))));
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Some(done),
        Err(payload) if is_interruption(&*payload) => None,
        Err(payload) => resume_unwind(payload),
    }
}

/// Does some work that must not be left half done: nothing in it is interrupted.
pub fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let _before = Before(IS_OVER.take());
    work()
}

/// Interrupts the work of this thread if it is over. A loop that may last longer than a moment calls this in each round.
#[inline]
pub fn poll_interruption() {
    let polls = POLLS.get() + 1;
    if polls < POLLS_PER_QUESTION {
        POLLS.set(polls);
    } else {
        POLLS.set(0);
        interrupt_if_over();
    }
}

/// Interrupts the work of this thread if it is over, for what does not come back soon, such as a parser.
#[cold]
pub(crate) fn interrupt_if_over() {
    let is_over = IS_OVER.with_borrow(Clone::clone);
    // A value that is dropped while a thread unwinds must not unwind once more.
    if is_over.is_some_and(|is_over| is_over()) && !std::thread::panicking() {
        resume_unwind(Box::new(Interrupted));
    }
}

/// Returns whether a caught panic is an interruption, which whoever has caught it passes on.
pub(crate) fn is_interruption(payload: &(dyn std::any::Any + Send)) -> bool {
    payload.is::<Interrupted>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Polls until it is interrupted, and notes how often.
    fn poll_for_ever(polls: &Rc<Cell<u64>>) {
        loop {
            polls.set(polls.get() + 1);
            poll_interruption();
        }
    }

    #[test]
    fn work_that_is_over_ends_soon() {
        let polls = Rc::<Cell<u64>>::default();
        let (counted, asked) = (polls.clone(), polls.clone());
        let done = interruptible(move || asked.get() > 1000, || poll_for_ever(&counted));
        assert!(done.is_none());
        let most = 1001 + u64::from(POLLS_PER_QUESTION);
        assert!(polls.get() <= most, "{} polls", polls.get());
    }

    #[test]
    fn nothing_is_interrupted_that_nobody_may_interrupt() {
        let poll = || (0..1000).for_each(|_| poll_interruption());
        poll();
        assert_eq!(interruptible(|| true, || uninterrupted(poll)), Some(()));
        assert_eq!(interruptible(|| false, poll), Some(()));
        assert_eq!(interruptible(|| true, poll), None);
        poll();
    }

    #[test]
    fn another_panic_is_passed_on() {
        let work = || interruptible(|| false, || resume_unwind(Box::new("other")));
        let caught = catch_unwind(|| work().is_none()).unwrap_err();
        assert_eq!(caught.downcast_ref::<&str>(), Some(&"other"));
    }

    #[test]
    fn what_is_dropped_meanwhile_does_not_unwind_again() {
        struct Polls;
        impl Drop for Polls {
            fn drop(&mut self) {
                (0..1000).for_each(|_| poll_interruption());
            }
        }
        let done = interruptible(
            || true,
            || {
                let _polls = Polls;
                poll_for_ever(&Rc::default());
            },
        );
        assert!(done.is_none());
    }
}
