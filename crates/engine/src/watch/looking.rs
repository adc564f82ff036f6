//! The search's questions about changes on disk.

/// The changes on disk that a search is told of. A trait, so that tests need neither time nor a
/// system that tells.
pub(crate) trait Watch {
    /// Whether the result may have been touched since the last call. Nothing is lost where that is
    /// not noticed: before the result is written anew it is looked at in any case.
    fn result_was_touched(&self) -> bool;

    /// Sources of the user's that are not any more as they were copied; each is named once.
    fn changed_sources(&self, looking: Looking) -> Vec<String>;
}

/// The files that are looked at for changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looking {
    /// The files are looked at of which the system told something, once nothing has happened for a
    /// moment.
    WhereTold,
    /// All files are looked at, now.
    Everywhere,
}

/// A watch that notices nothing.
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
