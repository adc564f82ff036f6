//! The user's choice of passes, by their names.

use super::choices::Strategy;
use super::stage::Stage;
use reduce_passes::{
    CUTTING_LINES, EMPTYING_BODIES, KEEPING_CAUSE, Keeps, Pass, SHORTENING_STRINGS,
    SHRINKING_NUMBERS,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A choice of passes and stages, stored as those that are left out.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(into = "Vec<String>", try_from = "Vec<String>")]
pub struct PassChoice {
    /// A bit for each name in the order of [`PassChoice::names`].
    left_out: u128,
}

/// The names of former passes, grouped by the pass that makes their edits now.
const MERGED: [(&str, &[&str]); 18] = [
    ("delete_members_of_lists", &["delete_range_ends"]),
    ("delete_variants", &["number_variants"]),
    (
        "drop_calls",
        &["borrow_receivers", "drop_callees", "forward_values"],
    ),
    (
        "hoist_parts",
        &[
            "hoist_items",
            "hoist_blocks",
            "hoist_expressions",
            "hoist_elements",
        ],
    ),
    (
        "inline_types",
        &["inline_newtypes", "inline_type_aliases", "inline_self"],
    ),
    ("inline_values", &["inline_constants", "inline_variables"]),
    ("merge_definitions", &["merge_callers"]),
    ("merge_traits", &["dissolve_traits"]),
    ("publish_functions", &["define_foreign_functions"]),
    (
        "replace_unmade_values",
        &["replace_parameters", "replace_structs"],
    ),
    ("shorten_strings", &["empty_strings"]),
    ("shrink_numbers", &["zero_numbers", "shrink_literals"]),
    (
        "simplify_lists",
        &["look_up_keys", "shift_indices", "simplify_arrays"],
    ),
    ("simplify_macros", &["simplify_cfgs"]),
    (
        "simplify_return_types",
        &["drop_return_values", "unwrap_return_types"],
    ),
    ("simplify_typed_values", &["return_arguments"]),
    ("simplify_types", &["hoist_types"]),
    (
        "use_prelude_names",
        &["replace_traits", "replace_std_paths"],
    ),
];

/// The error of a name that no pass has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no pass `{0}`; {hint}", hint = hint(.0))]
pub struct UnknownPass(pub String);

/// Returns the end of the error's message, which says where to find the pass that is meant.
fn hint(name: &str) -> String {
    let family = MERGED.iter().find(|(_, former)| former.contains(&name));
    match family {
        Some((family, _)) => format!("`{family}` does what it did"),
        None => "`--list-passes` shows all".to_owned(),
    }
}

impl PassChoice {
    /// Chooses these passes alone.
    ///
    /// # Errors
    /// [`UnknownPass`].
    pub fn only<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Self, UnknownPass> {
        let mut left_out = Self::default().without_names(Self::names()).left_out;
        for name in names {
            left_out &= !known_bit(name)?;
        }
        Ok(Self { left_out })
    }

    /// Leaves out the pass or stage of this name.
    ///
    /// # Errors
    /// [`UnknownPass`].
    pub fn without(self, name: &str) -> Result<Self, UnknownPass> {
        let left_out = self.left_out | known_bit(name)?;
        Ok(Self { left_out })
    }

    /// Leaves out the passes that change the crates that a test is linked with, or how it is compiled: for a test
    /// whose code under test stays as it is. A worklist over the whole tree is for programs of which much goes at
    /// once, which is none of what a slice has left of a test: of 300 tokens it took 440 queries and brought 2
    /// tokens.
    #[must_use]
    pub(crate) fn of_test_alone(self) -> Self {
        let stages = [
            Stage::EmbedInputs,
            Stage::DropCrates,
            Stage::ExpandProcedural,
            Stage::MergeCrates,
            Stage::OpenCrates,
            Stage::DeleteFlags,
            Stage::Tree(Strategy::Worklist),
        ];
        self.keeping_bodies().without_stages(stages)
    }

    /// Leaves out the passes that put `loop {}` in place of bodies: a function that does not run may run once the bug is
    /// mended, and would not end then.
    #[must_use]
    pub(crate) fn keeping_bodies(self) -> Self {
        self.without_passes(EMPTYING_BODIES)
    }

    /// Leaves out the passes that cut strings: a string that was refused may not have been read to
    /// its end.
    #[must_use]
    pub(crate) fn keeping_strings(self) -> Self {
        self.keeping_lines().without_passes(CUTTING_LINES)
    }

    /// Leaves out the passes that make lines of strings shorter. Whole lines may go.
    #[must_use]
    pub(crate) fn keeping_lines(self) -> Self {
        self.without_passes(SHORTENING_STRINGS)
    }

    /// Leaves out the passes that make numbers smaller and lines of strings shorter: the value that a test
    /// expects may depend on them.
    #[must_use]
    pub(crate) fn keeping_values(self) -> Self {
        self.keeping_lines().without_passes(SHRINKING_NUMBERS)
    }

    /// Leaves out the passes that change a crate as a whole, or how it and its dependencies are
    /// compiled.
    #[must_use]
    pub(crate) fn for_part_of_crate(self) -> Self {
        let stages = [Stage::RunAsMain, Stage::ExpandMacros, Stage::ReplaceStd];
        self.of_test_alone().without_stages(stages)
    }

    /// Leaves out the passes that may change what the program computes: for a test that nothing guards. A slice
    /// stays, of which the failure itself says that what it leaves out does not run, and so does a test that is written anew, of which
    /// only those forms are made that keep each branch.
    #[must_use]
    pub(crate) fn keeping_behaviour(self) -> Self {
        let is_kept = |stage: &Stage| {
            stage.keeps() == Keeps::Behaviour || matches!(stage, Stage::KeepSlice | Stage::Carve)
        };
        self.without_stages(Stage::choosable().filter(|stage| !is_kept(stage)))
    }

    /// Leaves out the stage that puts items in place of the macros that make them. Where no run shows what a mended program
    /// may call, what a macro makes and nothing calls stays with the rest of it.
    #[must_use]
    pub(crate) fn keeping_macros(self) -> Self {
        self.without_stages([Stage::ExpandItems])
    }

    /// Keeps only the passes that cannot make a guarded test fail for another cause as long as the
    /// points that matter stay: passes that keep behaviour, and passes that only delete.
    #[must_use]
    pub(crate) fn that_keep_the_cause(self) -> Self {
        let keeps_cause = |stage: &Stage| match stage {
            Stage::Pass(pass) if pass.is_one_of(KEEPING_CAUSE) => true,
            // They only delete.
            Stage::KeepSlice | Stage::DeleteFlags => true,
            // They make a text that has no points which have to stay, or one at whose points nobody looks.
            Stage::ExpandMacros | Stage::OpenCrates => false,
            stage => stage.keeps() == Keeps::Behaviour,
        };
        self.without_stages(Stage::choosable().filter(|stage| !keeps_cause(stage)))
    }

    /// Leaves out some passes.
    fn without_passes(self, passes: &'static [Pass]) -> Self {
        self.without_stages(passes.iter().map(Stage::Pass))
    }

    /// Leaves out some stages.
    fn without_stages(self, stages: impl IntoIterator<Item = Stage>) -> Self {
        self.without_names(stages.into_iter().map(Stage::name))
    }

    fn without_names(self, names: impl IntoIterator<Item = &'static str>) -> Self {
        let bits = names.into_iter().map(bit);
        Self {
            left_out: bits.fold(self.left_out, |left_out, bit| left_out | bit),
        }
    }

    /// Whether the choice contains a stage.
    #[must_use]
    pub(crate) fn contains(self, stage: Stage) -> bool {
        self.contains_name(stage.name())
    }

    /// Whether the choice contains a pass or stage of this name.
    fn contains_name(self, name: &str) -> bool {
        self.left_out & bit(name) == 0
    }

    /// Returns the names of all passes and stages, in the order in which they are listed.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Stage::choosable().map(Stage::name)
    }

    /// Returns all passes and stages, each with its name, a sentence about it, and the properties
    /// of a program that it keeps.
    pub fn all() -> impl Iterator<Item = (&'static str, &'static str, Keeps)> {
        Stage::choosable().map(|stage| (stage.name(), stage.facts().about, stage.keeps()))
    }

    /// Returns an example of the pass with this name: a program, and what one edit of the pass may
    /// make of it; a stage has none.
    #[must_use]
    pub fn example(name: &str) -> Option<(&'static str, &'static str)> {
        let is_named = |stage: &Stage| stage.name() == name;
        Stage::choosable().find(is_named)?.example()
    }
}

fn bit(name: &str) -> u128 {
    let idx = PassChoice::names().position(|known| known == name);
    idx.map_or(0, |idx| 1 << idx)
}

fn known_bit(name: &str) -> Result<u128, UnknownPass> {
    match bit(name) {
        0 => Err(UnknownPass(name.to_owned())),
        bit => Ok(bit),
    }
}

impl From<PassChoice> for Vec<String> {
    fn from(choice: PassChoice) -> Self {
        let left_out = PassChoice::names().filter(|name| !choice.contains_name(name));
        left_out.map(str::to_owned).collect()
    }
}

impl TryFrom<Vec<String>> for PassChoice {
    type Error = UnknownPass;

    fn try_from(left_out: Vec<String>) -> Result<Self, UnknownPass> {
        let all = Self::default();
        left_out
            .iter()
            .try_fold(all, |choice, name| choice.without(name))
    }
}

/// Formats the choice as the flags by which a user would ask for it.
impl fmt::Display for PassChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left_out = Self::names().filter(|name| !self.contains_name(name));
        let words: Vec<String> = left_out.map(|name| format!("--skip-pass {name}")).collect();
        formatter.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_have_a_bit_each() {
        let names: BTreeSet<&str> = PassChoice::names().collect();
        assert_eq!(names.len(), PassChoice::names().count());
        assert!(names.len() < 128);
    }

    #[test]
    fn a_choice_is_what_is_asked_for_without_what_is_skipped() {
        let only = PassChoice::only(["delete_items", "print"]).unwrap();
        assert!(only.contains_name("delete_items") && only.contains_name("print"));
        assert!(!only.contains_name("keep_slice") && !only.contains_name("empty_bodies"));
        let fewer = only.without("print").unwrap();
        assert!(fewer.contains_name("delete_items") && !fewer.contains_name("print"));
        let default = PassChoice::default();
        assert!(PassChoice::names().all(|name| default.contains_name(name)));
    }

    #[test]
    fn what_puts_other_values_in_place_does_not_keep_the_cause() {
        let choice = PassChoice::default().that_keep_the_cause();
        let deleting = ["keep_slice", "empty_bodies", "delete_parts", "delete_flags"];
        assert!(deleting.iter().all(|name| choice.contains_name(name)));
        assert!(choice.contains(Stage::MergeCrates) && choice.contains(Stage::RenameDefinitions));
        let others = [
            "replace_expressions",
            "hoist_parts",
            "expand_macros",
            "open_crates",
        ];
        assert!(!others.iter().any(|name| choice.contains_name(name)));
        assert!(choice.contains(Stage::ExpandItems));
        assert!(!choice.keeping_macros().contains(Stage::ExpandItems));
        let fewer = PassChoice::default().without("delete_parts").unwrap();
        assert!(!fewer.that_keep_the_cause().contains_name("delete_parts"));
    }

    #[test]
    fn strings_that_are_kept_are_not_cut() {
        let choice = PassChoice::default().keeping_strings();
        let cutting = ["delete_lines", "shorten_strings"];
        assert!(!cutting.iter().any(|name| choice.contains_name(name)));
        assert!(choice.contains_name("shrink_numbers"));
        let choice = PassChoice::default().keeping_values();
        let changing = ["shrink_numbers", "shorten_strings"];
        assert!(!changing.iter().any(|name| choice.contains_name(name)));
        assert!(choice.contains_name("delete_lines") && choice.contains_name("simplify"));
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        let unknown = UnknownPass("delete_bugs".to_owned());
        assert_eq!(PassChoice::only(["delete_bugs"]), Err(unknown.clone()));
        assert_eq!(PassChoice::default().without("delete_bugs"), Err(unknown));
    }

    #[test]
    fn the_name_of_a_pass_that_was_merged_leads_to_its_family() {
        for (family, former) in MERGED {
            assert!(PassChoice::names().any(|name| name == family), "{family}");
            for name in former {
                let error = PassChoice::only([*name]).unwrap_err().to_string();
                assert!(error.ends_with(&format!("`{family}` does what it did")));
            }
        }
        let error = UnknownPass("delete_bugs".to_owned()).to_string();
        assert_eq!(
            error,
            "there is no pass `delete_bugs`; `--list-passes` shows all"
        );
    }

    #[test]
    fn a_choice_survives_being_written() {
        let choice = PassChoice::default().without("worklist").unwrap();
        let json = serde_json::to_string(&choice).unwrap();
        assert_eq!(json, r#"["worklist"]"#);
        assert_eq!(serde_json::from_str::<PassChoice>(&json).unwrap(), choice);
        assert!(serde_json::from_str::<PassChoice>(r#"["nothing"]"#).is_err());
        assert_eq!(choice.to_string(), "--skip-pass worklist");
    }
}
