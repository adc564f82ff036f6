//! The passes: what each looks for, in the order in which they are worth trying. A pass names lists
//! to shorten or sites to simplify; which of the many possible edits to try next is the algorithms'
//! business.

use crate::replace::Replacing;
use crate::tree::{Category, ListKind};

/// A pass.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// A verb phrase.
    pub name: &'static str,
    /// What it works on.
    pub work: Work,
}

/// What a pass works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// All elements of all lists of these kinds as one list.
    Everywhere(&'static [ListKind]),
    /// Lists of these kinds, level by level from the root.
    ByLevel(&'static [ListKind]),
    /// Nodes of these categories, level by level from the root.
    Replace(&'static [Category], Replacing),
    /// Inline modules, level by level from the root.
    Flatten,
}

/// All passes. Bodies go first: without them most items have no users.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "empty_bodies",
        work: Work::Everywhere(&[ListKind::Bodies]),
    },
    Pass {
        name: "delete_items",
        work: Work::ByLevel(&[ListKind::Items, ListKind::Members]),
    },
    Pass {
        name: "delete_attributes",
        work: Work::Everywhere(&[ListKind::Attributes]),
    },
    Pass {
        name: "delete_statements",
        work: Work::ByLevel(&[ListKind::Statements, ListKind::Arms]),
    },
    Pass {
        name: "delete_chunks",
        work: Work::ByLevel(&[ListKind::Chunks]),
    },
    Pass {
        name: "hoist_blocks",
        work: Work::Replace(&[Category::Statement, Category::Module], Replacing::Hoist),
    },
    Pass {
        name: "flatten_modules",
        work: Work::Flatten,
    },
    Pass {
        name: "hoist_expressions",
        work: Work::Replace(&[Category::Expression], Replacing::Hoist),
    },
    Pass {
        name: "delete_parts",
        work: Work::Everywhere(&[ListKind::Parts]),
    },
    Pass {
        name: "delete_members_of_lists",
        work: Work::ByLevel(&[
            ListKind::AttributeArguments,
            ListKind::UseTrees,
            ListKind::Fields,
            ListKind::Variants,
            ListKind::GenericParameters,
            ListKind::GenericArguments,
            ListKind::WherePredicates,
            ListKind::Bounds,
            ListKind::Parameters,
            ListKind::Arguments,
            ListKind::Elements,
        ]),
    },
    Pass {
        name: "hoist_types",
        work: Work::Replace(
            &[Category::Type, Category::Pattern, Category::UseTree],
            Replacing::Hoist,
        ),
    },
    Pass {
        name: "simplify",
        work: Work::Replace(
            &[Category::Type, Category::Pattern, Category::Expression],
            Replacing::Smallest,
        ),
    },
];

/// The passes that remove most of a program in few queries: [`PASSES`] up to `delete_statements`.
pub const COARSE_PASSES: &[Pass] = PASSES.split_at(N_COARSE).0;

/// The other passes.
pub const FINE_PASSES: &[Pass] = PASSES.split_at(N_COARSE).1;

const N_COARSE: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn coarse_passes_end_with_statements() {
        let last = COARSE_PASSES.last().map(|pass| pass.name);
        assert_eq!(last, Some("delete_statements"));
        assert_eq!(COARSE_PASSES.len() + FINE_PASSES.len(), PASSES.len());
    }

    #[test]
    fn names_are_unique() {
        let names: BTreeSet<&str> = PASSES.iter().map(|pass| pass.name).collect();
        assert_eq!(names.len(), PASSES.len());
    }
}
