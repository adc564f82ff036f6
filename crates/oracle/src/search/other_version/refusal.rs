//! The reasons why another version cannot be had.

/// The reason why another version does not exist, or nothing can be had of it; with what to do.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) reason: String,
    pub(super) hint: &'static str,
}
