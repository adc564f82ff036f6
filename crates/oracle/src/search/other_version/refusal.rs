//! Why there is no such version.

/// Why there is no such version, or nothing can be had of it; with what to do.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) reason: String,
    pub(super) hint: &'static str,
}
