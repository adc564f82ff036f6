//! Holds a file with a test of another kind than `#[test]`, and the change that writes a plain test into it.

use std::ops::Range;
use syn::{Attribute, Item};

/// A change of a file that writes a plain test into it.
pub(super) struct Change {
    pub(super) edits: Vec<(Range<usize>, String)>,
    /// The name of the plain test's function.
    pub(super) name: String,
}

/// A file that contains the test which is to be written as a plain one.
#[derive(Clone, Copy)]
pub(super) struct TestFile<'a> {
    pub(super) text: &'a str,
    pub(super) items: &'a [Item],
}

/// Returns whether the last name in an attribute's path is `name`.
pub(super) fn is_attribute(attribute: &Attribute, name: &str) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|segment| segment.ident == name)
}
