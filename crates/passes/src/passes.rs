//! The registry of passes, one file each: what each looks for, with an example. A pass names lists
//! to shorten, nodes to replace, or whole changes of a program; which of the many possible edits to
//! try next is the algorithms' business.

mod borrow_receivers;
mod data;
mod default_trait_methods;
mod define_foreign_functions;
mod delete_attributes;
mod delete_chunks;
mod delete_fields;
mod delete_items;
mod delete_lines;
mod delete_members_of_lists;
mod delete_parameters;
mod delete_parts;
mod delete_range_ends;
mod delete_statements;
mod delete_traits;
mod delete_unmade_variants;
mod delete_variants;
mod dissolve_traits;
mod drop_callees;
mod drop_return_values;
mod empty_bodies;
mod empty_strings;
mod empty_structs;
mod end_bodies;
mod expressions;
mod flatten_modules;
mod forward_values;
mod free_functions;
mod free_generic_functions;
mod functions;
mod generics;
mod hoist_blocks;
mod hoist_elements;
mod hoist_expressions;
mod hoist_items;
mod hoist_types;
mod inline_bounds;
mod inline_constants;
mod inline_formats;
mod inline_functions;
mod inline_macros;
mod inline_newtypes;
mod inline_self;
mod inline_type_aliases;
mod inline_variables;
mod instantiate_generics;
mod literals;
mod local_std;
mod look_up_keys;
mod merge_attributes;
mod merge_callers;
mod merge_definitions;
mod merge_impls;
mod merge_traits;
mod move_bounds;
mod number_variants;
mod pass_by_value;
mod paths;
mod project_literals;
mod publish_functions;
mod replace_calls;
mod replace_expressions;
mod replace_members;
mod replace_parameters;
mod replace_std_paths;
mod replace_structs;
mod replace_traits;
mod replace_types;
mod resolve_associated_types;
mod resolve_opaque_types;
mod return_arguments;
mod shift_indices;
mod shorten_paths;
mod shorten_strings;
mod shrink_literals;
mod simplify;
mod simplify_arrays;
mod simplify_cfgs;
mod simplify_macros;
mod simplify_structs;
mod simplify_typed_values;
mod simplify_types;
mod split_structs;
#[cfg(test)]
mod testing;
mod turn_calls_into_bounds;
mod turn_items_into_types;
mod turn_variables_into_parameters;
mod unqualify_paths;
mod unroll_loops;
mod unwrap_blocks;
mod unwrap_control_flow;
mod unwrap_return_types;
mod write_lists;
mod zero_numbers;

use crate::flatten::flattenings_at_level;
use crate::keeps::Keeps;
use crate::program::Program;
pub(crate) use expressions::literals::is_made_of_literals;
pub(crate) use expressions::{binding, first_name};
pub(crate) use paths::{Import, ImportKind, imported_names, imports};
use reduce_syntax::{
    Category, EditSet, List, ListKind, Replacing, Site, SyntaxTree, sites_at_level,
};
use std::collections::HashSet;
use std::fmt;
pub(crate) use unroll_loops::{Jumps, elements_gone_through};

pub use inline_functions::inlinings;
pub use inline_macros::{expand_items_of_macros, with_items_of_macros};
pub use local_std::{StdItem, std_items, std_names, std_words};

/// A pass.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// A verb phrase.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// A program, and what one edit of the pass may make of it.
    pub example: (&'static str, &'static str),
    /// What it leaves as it was.
    pub keeps: Keeps,
    /// What it works on.
    pub work: Work,
}

/// What a pass works on.
#[derive(Debug, Clone, Copy)]
pub enum Work {
    /// All elements of all lists of these kinds as one list.
    Everywhere(&'static [ListKind]),
    /// Lists of these kinds, level by level from the root.
    ByLevel(&'static [ListKind]),
    /// Nodes of these categories, level by level from the root.
    Replace(&'static [Category], Replacing),
    /// Inline modules, level by level from the root.
    Flatten,
    /// Changes of which each may be in several places, and which are found anew once one is made.
    Rewrite(Rewriter),
}

/// Finds all changes of one sort that a program may undergo, the most promising first.
#[derive(Clone, Copy)]
pub struct Rewriter(fn(&Program) -> Vec<EditSet>);

impl Rewriter {
    /// The changes of a program, each of which alone makes a candidate that is simpler.
    #[must_use]
    pub fn changes(self, program: &Program) -> Vec<EditSet> {
        self.changes_that(program, |is_simpler| is_simpler)
    }

    /// The changes of a program that do not make it simpler.
    #[must_use]
    pub fn larger_changes(self, program: &Program) -> Vec<EditSet> {
        self.changes_that(program, |is_simpler| !is_simpler)
    }

    /// Those changes, each once, for which it is right that they make the program simpler or do not.
    fn changes_that(self, program: &Program, is_right: impl Fn(bool) -> bool) -> Vec<EditSet> {
        let mut changes = self.0(program);
        let mut seen = HashSet::new();
        changes.retain(|edits| {
            is_right(program.is_made_simpler_by(edits))
                && seen.insert(edits.fingerprint_of_places())
        });
        changes
    }
}

impl fmt::Debug for Rewriter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Rewriter")
    }
}

/// All passes, in the order of a round, which is that of what they have brought for each query on
/// crashing crates. Bodies go first: without them most items have no users. Then whole definitions
/// change with all their uses; what is small and numerous comes last, when little is left.
pub const PASSES: &[Pass] = &[
    empty_bodies::PASS,
    delete_items::PASS,
    delete_attributes::PASS,
    delete_statements::PASS,
    flatten_modules::PASS,
    instantiate_generics::PASS,
    delete_parameters::PASS,
    drop_return_values::PASS,
    unwrap_return_types::PASS,
    replace_types::PASS,
    merge_impls::PASS,
    default_trait_methods::PASS,
    turn_calls_into_bounds::PASS,
    free_functions::PASS,
    free_generic_functions::PASS,
    inline_functions::PASS,
    replace_calls::PASS,
    resolve_associated_types::PASS,
    resolve_opaque_types::PASS,
    inline_bounds::PASS,
    dissolve_traits::PASS,
    delete_traits::PASS,
    merge_traits::PASS,
    simplify_structs::PASS,
    delete_fields::PASS,
    delete_unmade_variants::PASS,
    delete_variants::PASS,
    number_variants::PASS,
    empty_structs::PASS,
    inline_newtypes::PASS,
    split_structs::PASS,
    inline_type_aliases::PASS,
    inline_constants::PASS,
    inline_variables::PASS,
    project_literals::PASS,
    inline_self::PASS,
    pass_by_value::PASS,
    shorten_paths::PASS,
    delete_members_of_lists::PASS,
    delete_parts::PASS,
    delete_range_ends::PASS,
    hoist_items::PASS,
    hoist_blocks::PASS,
    hoist_expressions::PASS,
    hoist_elements::PASS,
    unroll_loops::PASS,
    unwrap_blocks::PASS,
    unwrap_control_flow::PASS,
    borrow_receivers::PASS,
    drop_callees::PASS,
    forward_values::PASS,
    write_lists::PASS,
    inline_formats::PASS,
    look_up_keys::PASS,
    shift_indices::PASS,
    hoist_types::PASS,
    simplify_arrays::PASS,
    simplify_types::PASS,
    replace_members::PASS,
    replace_expressions::PASS,
    zero_numbers::PASS,
    empty_strings::PASS,
    simplify::PASS,
    turn_variables_into_parameters::PASS,
    return_arguments::PASS,
    simplify_typed_values::PASS,
    turn_items_into_types::PASS,
    move_bounds::PASS,
    define_foreign_functions::PASS,
    publish_functions::PASS,
    replace_traits::PASS,
    replace_std_paths::PASS,
    replace_parameters::PASS,
    end_bodies::PASS,
    replace_structs::PASS,
    merge_attributes::PASS,
    simplify_cfgs::PASS,
    merge_definitions::PASS,
    merge_callers::PASS,
    unqualify_paths::PASS,
    inline_macros::PASS,
    simplify_macros::PASS,
    delete_chunks::PASS,
    delete_lines::PASS,
    shrink_literals::PASS,
    shorten_strings::PASS,
];

/// The passes that remove most of a program in few queries: [`PASSES`] up to `delete_statements`.
pub const COARSE_PASSES: &[Pass] = PASSES.split_at(N_COARSE).0;

/// Passes that change a definition with all its uses.
pub const STRUCTURAL_PASSES: &[Pass] = PASSES.split_at(N_COARSE).1.split_at(N_STRUCTURAL).0;

/// The other passes.
pub const FINE_PASSES: &[Pass] = PASSES.split_at(N_COARSE + N_STRUCTURAL).1;

const N_COARSE: usize = 4;
const N_STRUCTURAL: usize = 34;

impl Pass {
    /// All that the pass may do to a program in one edit, the smallest for which its verdict can
    /// say whether the result is 1-minimal.
    #[must_use]
    pub fn single_edits(&self, program: &Program) -> Vec<EditSet> {
        let (sources, tree) = (program.sources(), program.tree());
        match self.work {
            Work::Everywhere(kinds) | Work::ByLevel(kinds) => single_removals(tree, kinds),
            Work::Replace(categories, replacing) => all_levels(|depth| {
                let (level, sites) = sites_at_level(sources, tree, categories, replacing, depth)?;
                Some((level, sites.iter().flat_map(Site::edits).collect()))
            }),
            Work::Flatten => all_levels(|depth| flattenings_at_level(program, depth)),
            Work::Rewrite(rewriter) => rewriter.changes(program),
        }
    }
}

fn single_removals(tree: &SyntaxTree, kinds: &[ListKind]) -> Vec<EditSet> {
    let removals = |list: &List| {
        let removal = |idx: usize| {
            let mut edits = EditSet::new();
            list.remove(&[idx], &mut edits);
            edits
        };
        (0..list.elements.len()).map(removal).collect::<Vec<_>>()
    };
    let wanted = tree.lists.iter().filter(|list| kinds.contains(&list.kind));
    wanted.flat_map(removals).collect()
}

fn all_levels(next: impl Fn(u32) -> Option<(u32, Vec<EditSet>)>) -> Vec<EditSet> {
    let mut found = Vec::new();
    let mut depth = 0;
    while let Some((level, edits)) = next(depth) {
        found.extend(edits);
        depth = level + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::testing::{apply, normalized, single};
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_groups_are_of_what_they_say() {
        let last = |passes: &[Pass]| passes.last().map(|pass| pass.name);
        assert_eq!(last(COARSE_PASSES), Some("delete_statements"));
        assert_eq!(last(STRUCTURAL_PASSES), Some("shorten_paths"));
        let n_in_groups = COARSE_PASSES.len() + STRUCTURAL_PASSES.len() + FINE_PASSES.len();
        assert_eq!(n_in_groups, PASSES.len());
    }

    #[test]
    fn names_are_unique() {
        let names: BTreeSet<&str> = PASSES.iter().map(|pass| pass.name).collect();
        assert_eq!(names.len(), PASSES.len());
    }

    #[test]
    fn what_a_pass_keeps_is_decided_for_each() {
        let keeping = |keeps: Keeps| {
            let passes = PASSES.iter().filter(|pass| pass.keeps == keeps);
            passes.map(|pass| pass.name).collect::<Vec<_>>().join(" ")
        };
        insta::assert_snapshot!(keeping(Keeps::Behaviour), @"delete_items flatten_modules merge_impls free_functions resolve_associated_types inline_bounds dissolve_traits merge_traits empty_structs inline_newtypes inline_type_aliases project_literals inline_self shorten_paths unroll_loops unwrap_blocks inline_formats merge_attributes inline_macros");
        insta::assert_snapshot!(keeping(Keeps::Types), @"empty_bodies default_trait_methods inline_functions replace_calls delete_traits delete_fields delete_unmade_variants delete_variants number_variants split_structs inline_constants inline_variables write_lists replace_expressions zero_numbers empty_strings turn_variables_into_parameters replace_parameters replace_structs unqualify_paths delete_lines shrink_literals shorten_strings");
        insta::assert_snapshot!(keeping(Keeps::Nothing), @"delete_attributes delete_statements instantiate_generics delete_parameters drop_return_values unwrap_return_types replace_types turn_calls_into_bounds free_generic_functions resolve_opaque_types simplify_structs pass_by_value delete_members_of_lists delete_parts delete_range_ends hoist_items hoist_blocks hoist_expressions hoist_elements unwrap_control_flow borrow_receivers drop_callees forward_values look_up_keys shift_indices hoist_types simplify_arrays simplify_types replace_members simplify return_arguments simplify_typed_values turn_items_into_types move_bounds define_foreign_functions publish_functions replace_traits replace_std_paths end_bodies simplify_cfgs merge_definitions merge_callers simplify_macros delete_chunks");
    }

    #[test]
    fn each_pass_does_what_its_example_says() {
        for pass in PASSES {
            let (before, after) = pass.example;
            let sources = single(before);
            let results: Vec<String> = apply(pass, &sources);
            let is_there = results.contains(&normalized(after));
            assert!(is_there, "{}: {results:#?}", pass.name);
        }
    }
}
