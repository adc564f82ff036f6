//! A result as it is delivered, of which the files beside it are made.

use super::delivery::Delivery;
use crate::context::Context;
use crate::output::{OutputDirectory, Place};
use crate::summary::Summary;
use reduce_syntax::SourceTree;

/// A result, with what is known of it to the functions that write files beside it.
pub(super) struct Delivered<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) output: &'a OutputDirectory,
    /// The failure of the result as the compiler showed it, and the call that shows it.
    pub(super) delivery: &'a Delivery,
    pub(super) reduced: &'a SourceTree,
    pub(super) summary: &'a Summary,
    pub(super) place: &'a Place,
}
