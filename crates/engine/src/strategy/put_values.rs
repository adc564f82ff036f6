//! The stage that puts numbers which an error names in place of the expressions that compute them.

use super::rewrites::first_of_each_state;
use crate::failure::Failure;
use crate::propose::Methods;
use crate::session::Session;
use reduce_passes::values_in_place;

/// Puts the numbers that an error names in place of long expressions, one after the other. Returns how many programs
/// were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn put_values(
    session: &mut Session<'_>,
    methods: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    first_of_each_state(session, |program| values_in_place(program, &methods.values))
}
