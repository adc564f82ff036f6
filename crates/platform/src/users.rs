//! Users.

use crate::system;
use std::fs::Metadata;

/// The number of the user whose rights this process has. `None` where users have no numbers.
#[must_use]
pub fn user() -> Option<u32> {
    system::user()
}

/// Whether a file belongs to the user whose rights this process has. Where users have no numbers, each file does.
#[must_use]
pub fn is_owner(data: &Metadata) -> bool {
    system::owner(data) == system::user()
}
