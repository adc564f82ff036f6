//! The user whose rights this process has.

use crate::system;
use std::fs::Metadata;

/// The number of the user whose rights this process has. `None` where users have no numbers.
#[must_use]
pub fn user() -> Option<u32> {
    system::user()
}

/// The number of this user, which tells it from others in the name of a file. Where users have no numbers it is `user`: on
/// these systems each user has a place of their own for such files.
#[must_use]
pub fn label() -> String {
    user().map_or_else(|| "user".to_owned(), |number| number.to_string())
}

/// Whether a file belongs to the user whose rights this process has. Where users have no numbers, each file does.
#[must_use]
pub fn is_owner(data: &Metadata) -> bool {
    system::owner(data) == system::user()
}
