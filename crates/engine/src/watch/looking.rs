//! The search's questions about changes on disk.

/// A watch that tells a search of changes on disk. A trait, so that tests need neither time nor a
/// system that tells.
pub(crate) trait Watch {
    /// Whether the result may have been touched since the last call. Nothing is lost where that is
    /// not noticed: before the result is written anew it is looked at in any case.
    fn result_was_touched(&self) -> bool;

    /// Returns the user's sources that have changed since they were copied, each of them once.
    fn changed_sources(&self, looking: Looking) -> Vec<String>;
}

/// The files that are looked at for changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looking {
    /// Only files that the system has reported are looked at, once nothing has happened for a
    /// moment.
    WhereTold,
    /// All files are looked at, now.
    Everywhere,
}

/// A watch that reports no changes.
#[cfg(test)]
pub(crate) struct Blind;

#[cfg(test)]
impl Watch for Blind {
    fn result_was_touched(&self) -> bool {
        false
    }

    fn changed_sources(&self, _looking: Looking) -> Vec<String> {
        Vec::new()
    }
}
