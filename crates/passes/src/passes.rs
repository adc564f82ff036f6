//! The registry of passes, each in a file of its own. A pass names lists to shorten, nodes to
//! replace, or whole changes of a program; which of the many possible edits to try next is the
//! algorithms' business.
//!
//! See docs/decisions/edits-and-passes.md.

mod data;
mod default_trait_methods;
mod delete_attributes;
mod delete_chunks;
mod delete_fields;
mod delete_items;
mod delete_lines;
mod delete_members_of_lists;
mod delete_parameters;
mod delete_parts;
mod delete_statements;
mod delete_traits;
mod delete_unmade_variants;
mod delete_variants;
mod drop_calls;
mod empty_bodies;
mod empty_structs;
mod end_bodies;
mod expressions;
mod flatten_modules;
mod free_functions;
mod free_generic_functions;
mod functions;
mod generics;
mod hoist_parts;
mod inline_bounds;
mod inline_formats;
mod inline_functions;
mod inline_macros;
mod inline_types;
mod inline_values;
mod instantiate_generics;
mod literals;
mod local_std;
mod merge_attributes;
mod merge_definitions;
mod merge_impls;
mod merge_traits;
mod move_bounds;
mod pass_by_value;
mod paths;
mod project_literals;
mod publish_functions;
mod replace_calls;
mod replace_expressions;
mod replace_members;
mod replace_types;
mod replace_unmade_values;
mod resolve_associated_types;
mod resolve_opaque_types;
mod roll_statements;
mod shorten_paths;
mod shorten_strings;
mod shrink_numbers;
mod simplify;
mod simplify_lists;
mod simplify_macros;
mod simplify_return_types;
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
mod use_prelude_names;
mod write_lists;

use crate::pass::Pass;
pub use expressions::is_assertion_name;
pub(crate) use expressions::literals::is_made_of_literals;
pub(crate) use expressions::{binding, first_name};
pub(crate) use paths::{Import, ImportKind, imported_names, imports};
pub(crate) use unroll_loops::{Jumps, elements_gone_through};

pub use inline_functions::inlinings;
pub use inline_macros::{expand_items_of_macros, with_items_of_macros, with_macros_inlined};
pub use local_std::{StdItem, std_items, std_names, std_words};

/// All passes, in the order in which a round makes them: by what they have brought for each query on crashing crates. Bodies go
/// first: without them most items have no users. Then whole definitions change with all their uses; what is small and numerous
/// comes last, when little is left.
pub const PASSES: &[Pass] = &all_passes();

/// The passes that remove most of a program in few queries.
pub const COARSE_PASSES: &[Pass] = &[
    empty_bodies::PASS,
    delete_items::PASS,
    delete_attributes::PASS,
    delete_statements::PASS,
];

/// The passes that change a definition with all its uses.
pub const STRUCTURAL_PASSES: &[Pass] = &[
    flatten_modules::PASS,
    instantiate_generics::PASS,
    delete_parameters::PASS,
    simplify_return_types::PASS,
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
    merge_traits::PASS,
    delete_traits::PASS,
    simplify_structs::PASS,
    delete_fields::PASS,
    delete_unmade_variants::PASS,
    delete_variants::PASS,
    empty_structs::PASS,
    split_structs::PASS,
    inline_types::PASS,
    inline_values::PASS,
    project_literals::PASS,
    pass_by_value::PASS,
    shorten_paths::PASS,
];

/// The passes that change little at a time.
pub const FINE_PASSES: &[Pass] = &[
    delete_members_of_lists::PASS,
    delete_parts::PASS,
    hoist_parts::PASS,
    unroll_loops::PASS,
    unwrap_blocks::PASS,
    unwrap_control_flow::PASS,
    drop_calls::PASS,
    write_lists::PASS,
    inline_formats::PASS,
    simplify_lists::PASS,
    simplify_types::PASS,
    replace_members::PASS,
    replace_expressions::PASS,
    shrink_numbers::PASS,
    shorten_strings::PASS,
    simplify::PASS,
    turn_variables_into_parameters::PASS,
    simplify_typed_values::PASS,
    turn_items_into_types::PASS,
    move_bounds::PASS,
    publish_functions::PASS,
    use_prelude_names::PASS,
    replace_unmade_values::PASS,
    end_bodies::PASS,
    merge_attributes::PASS,
    merge_definitions::PASS,
    unqualify_paths::PASS,
    inline_macros::PASS,
    simplify_macros::PASS,
    delete_chunks::PASS,
    delete_lines::PASS,
];

/// The passes of the end, when nothing else goes: a loop holds together what could go alone before.
pub const LAST_PASSES: &[Pass] = &[roll_statements::PASS];

/// The passes of each round: all but those of the end.
pub const ROUND_PASSES: &[Pass] = PASSES.split_at(N_PASSES - LAST_PASSES.len()).0;

/// The pass that expands macro calls that do not make items.
pub const INLINE_MACROS: &[Pass] = &[inline_macros::PASS];

/// The passes that empty bodies of functions, or cut their ends.
pub const EMPTYING_BODIES: &[Pass] = &[empty_bodies::PASS, end_bodies::PASS];

/// The passes that leave out whole lines of strings.
pub const CUTTING_LINES: &[Pass] = &[delete_lines::PASS];

/// The passes that make lines of strings shorter.
pub const SHORTENING_STRINGS: &[Pass] = &[shorten_strings::PASS];

/// The passes that make numbers smaller.
pub const SHRINKING_NUMBERS: &[Pass] = &[shrink_numbers::PASS];

/// The passes with which a test fails for the same cause as before, although they do not keep its behaviour. The first ones delete
/// and put no other value in place of what was there; a `loop {}` in place of a body ends a run. The others put the same value in
/// place, or a type that is meant anyway, and may change when something is evaluated: a guard tells of that.
/// A parameter that nothing reads stays: it may be what the bug has forgotten.
pub const KEEPING_CAUSE: &[Pass] = &[
    empty_bodies::PASS,
    delete_attributes::PASS,
    delete_statements::PASS,
    delete_parts::PASS,
    delete_unmade_variants::PASS,
    unqualify_paths::PASS,
    inline_functions::PASS,
    inline_values::PASS,
    instantiate_generics::PASS,
];

const N_PASSES: usize =
    COARSE_PASSES.len() + STRUCTURAL_PASSES.len() + FINE_PASSES.len() + LAST_PASSES.len();

/// Returns the four groups of passes as one array.
const fn all_passes() -> [Pass; N_PASSES] {
    let groups = [COARSE_PASSES, STRUCTURAL_PASSES, FINE_PASSES, LAST_PASSES];
    let mut all = [COARSE_PASSES[0]; N_PASSES];
    let (mut group, mut idx, mut n_before) = (0, 0, 0);
    while group < groups.len() {
        while idx < groups[group].len() {
            all[n_before + idx] = groups[group][idx];
            idx += 1;
        }
        n_before += idx;
        (group, idx) = (group + 1, 0);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::testing::{apply, normalized, single};
    use super::*;
    use crate::keeps::Keeps;
    use std::collections::BTreeSet;

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
        insta::assert_snapshot!(keeping(Keeps::Behaviour), @"delete_items flatten_modules merge_impls free_functions resolve_associated_types inline_bounds merge_traits empty_structs inline_types project_literals shorten_paths unroll_loops unwrap_blocks inline_formats merge_attributes inline_macros roll_statements");
        insta::assert_snapshot!(keeping(Keeps::Types), @"empty_bodies default_trait_methods inline_functions replace_calls delete_traits delete_fields delete_unmade_variants delete_variants split_structs inline_values write_lists replace_expressions shrink_numbers shorten_strings turn_variables_into_parameters replace_unmade_values unqualify_paths delete_lines");
        insta::assert_snapshot!(keeping(Keeps::Nothing), @"delete_attributes delete_statements instantiate_generics delete_parameters simplify_return_types replace_types turn_calls_into_bounds free_generic_functions resolve_opaque_types simplify_structs pass_by_value delete_members_of_lists delete_parts hoist_parts unwrap_control_flow drop_calls simplify_lists simplify_types replace_members simplify simplify_typed_values turn_items_into_types move_bounds publish_functions use_prelude_names end_bodies merge_definitions simplify_macros delete_chunks");
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
