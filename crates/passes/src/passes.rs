//! The registry of passes, each in a file of its own. A pass names lists to shorten, nodes to
//! replace, or whole changes of a program; which of the many possible edits to try next is the
//! algorithms' business.
//!
//! See docs/decisions/edits-and-passes.md.

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

use crate::pass::Pass;
pub use expressions::is_assertion_name;
pub(crate) use expressions::literals::is_made_of_literals;
pub(crate) use expressions::{binding, first_name};
pub(crate) use paths::{Import, ImportKind, imported_names, imports};
pub(crate) use unroll_loops::{Jumps, elements_gone_through};

pub use inline_functions::inlinings;
pub use inline_macros::{expand_items_of_macros, with_items_of_macros};
pub use local_std::{StdItem, std_items, std_names, std_words};

/// All passes, in the order of a round, which is that of what they have brought for each query on
/// crashing crates. Bodies go first: without them most items have no users. Then whole definitions
/// change with all their uses; what is small and numerous comes last, when little is left.
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
];

/// The passes that change little at a time.
pub const FINE_PASSES: &[Pass] = &[
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

/// The pass that expands what macros make besides items.
pub const INLINE_MACROS: &[Pass] = &[inline_macros::PASS];

/// The passes that empty bodies of functions, or cut their ends.
pub const EMPTYING_BODIES: &[Pass] = &[empty_bodies::PASS, end_bodies::PASS];

/// The passes that leave out whole lines of strings.
pub const CUTTING_LINES: &[Pass] = &[delete_lines::PASS];

/// The passes that make lines of strings shorter.
pub const SHORTENING_STRINGS: &[Pass] = &[empty_strings::PASS, shorten_strings::PASS];

/// The passes that make numbers smaller.
pub const SHRINKING_NUMBERS: &[Pass] = &[shrink_literals::PASS, zero_numbers::PASS];

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
    inline_constants::PASS,
    inline_functions::PASS,
    inline_variables::PASS,
    instantiate_generics::PASS,
];

const N_PASSES: usize = COARSE_PASSES.len() + STRUCTURAL_PASSES.len() + FINE_PASSES.len();

/// The three groups as one array.
const fn all_passes() -> [Pass; N_PASSES] {
    let groups = [COARSE_PASSES, STRUCTURAL_PASSES, FINE_PASSES];
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
