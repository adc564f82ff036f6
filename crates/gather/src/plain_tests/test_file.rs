//! A file with a failing test of another kind, and the change that writes a plain test into it.

use std::ops::Range;
use syn::{Attribute, Item};

/// The change that writes a plain test.
pub(super) struct Change {
    pub(super) edits: Vec<(Range<usize>, String)>,
    /// The name of the function.
    pub(super) name: String,
}

/// A file with a test in it.
#[derive(Clone, Copy)]
pub(super) struct TestFile<'a> {
    pub(super) text: &'a str,
    pub(super) items: &'a [Item],
}

/// Returns whether an attribute has this as its last name.
pub(super) fn is_attribute(attribute: &Attribute, name: &str) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|segment| segment.ident == name)
}
