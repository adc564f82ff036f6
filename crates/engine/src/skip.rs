//! A user's wish to skip a pass. It is asked for by the pass's name, so that a wish that comes too late skips nothing
//! else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A user's wish to end the pass that is under way. Clones share their state.
#[derive(Debug, Clone, Default)]
pub struct Skip(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// The pass under way, if it can be skipped.
    pass: Mutex<Option<String>>,
    is_asked: AtomicBool,
    is_used: AtomicBool,
}

impl Skip {
    /// Ends the pass of this name, if it is the one under way. Returns whether it is.
    pub fn ask(&self, pass: &str) -> bool {
        let under_way = self.pass();
        let is_this = under_way.as_deref() == Some(pass);
        if is_this {
            self.0.is_asked.store(true, Ordering::Relaxed);
            self.0.is_used.store(true, Ordering::Relaxed);
        }
        is_this
    }

    /// Ends the pass under way, whichever it is. Returns whether there is one that can be skipped.
    pub fn ask_any(&self) -> bool {
        let pass = self.under_way();
        pass.is_some_and(|pass| self.ask(&pass))
    }

    /// Returns the name of the pass that is about to end, as the user wants it skipped.
    #[must_use]
    pub fn asked(&self) -> Option<String> {
        self.under_way().filter(|_| self.is_asked())
    }

    /// Whether the user has skipped a pass, so that the result is not the one that the request alone
    /// leads to.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.0.is_used.load(Ordering::Relaxed)
    }

    /// Notes that a pass was skipped before the job was interrupted.
    pub(crate) fn note_earlier_use(&self) {
        self.0.is_used.store(true, Ordering::Relaxed);
    }

    /// Notes that a pass begins that can be skipped.
    pub(crate) fn begin(&self, pass: &str) {
        *self.pass() = Some(pass.to_owned());
    }

    /// Returns the name of the pass under way, if it can be skipped.
    pub(crate) fn under_way(&self) -> Option<String> {
        self.pass().clone()
    }

    /// Notes that the pass under way ends. Returns whether it was skipped.
    pub(crate) fn end(&self) -> bool {
        *self.pass() = None;
        self.0.is_asked.swap(false, Ordering::Relaxed)
    }

    /// Whether the user wants the pass under way to end.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.is_asked.load(Ordering::Relaxed)
    }

    fn pass(&self) -> MutexGuard<'_, Option<String>> {
        self.0.pass.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_name_the_pass_under_way_is_skipped() {
        let skip = Skip::default();
        assert!(!skip.ask_any(), "nothing is under way");
        assert!(!skip.is_used());
        skip.begin("delete_items");
        assert_eq!(skip.asked(), None);
        assert!(skip.ask_any());
        assert_eq!(skip.asked().as_deref(), Some("delete_items"));
        assert!(skip.end());
        assert_eq!(skip.asked(), None);
    }

    #[test]
    fn only_the_pass_that_is_under_way_is_skipped() {
        let skip = Skip::default();
        assert!(!skip.ask("delete_items"), "nothing is under way");
        skip.begin("delete_items");
        assert!(!skip.ask("flatten_modules"));
        assert!(!skip.is_asked() && !skip.is_used());
        assert!(skip.ask("delete_items"));
        assert!(skip.is_asked());
        assert!(skip.end());
        assert!(!skip.is_asked() && skip.is_used());
        skip.begin("delete_items");
        assert!(!skip.end(), "the next run of it is another one");
    }
}
