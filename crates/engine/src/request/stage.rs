//! The stages of a reduction: the passes of `reduce_passes`, and what is done besides them.

use super::choices::Strategy;
use reduce_passes::{Keeps, PASSES, Pass};
use std::fmt;

/// A stage of a reduction: a pass, or another kind of work. Each candidate is the work of one
/// stage.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stage {
    /// Keeps what is reachable from the definitions that the crash names.
    KeepSlice,
    /// Puts in place what `cfg`, `env!` and `include!` stand for.
    EmbedInputs,
    /// With `--as-main`: makes the `main` of a program of the test, and does without the harness.
    RunAsMain,
    /// Puts the files of modules into one.
    MergeFiles,
    /// Deletes what the compiler calls unused, where the program is run.
    DeleteUnused,
    /// Puts literals in place of expressions, where a test is guarded.
    FoldValues,
    /// Puts numbers that an error names in place of expressions.
    PutValues,
    /// Tries the edits of several passes in one wave, with `--width`.
    AtOnce,
    /// A pass over the program.
    Pass(&'static Pass),
    /// Leaves out parts of the difference between two versions.
    NarrowDifference,
    /// Leaves out linked crates that the program does not name.
    DropCrates,
    /// Puts what procedural macros make in place of their calls.
    ExpandProcedural,
    /// Makes modules of the crates that are linked.
    MergeCrates,
    /// Deletes what the compiler calls dead, where the program is run.
    DeleteDeadCode,
    /// Puts the items in place that calls of the program's own macros stand for, where the end is smaller.
    ExpandItems,
    /// Goes through the program as one tree, in the order of this strategy.
    Tree(Strategy),
    /// Deletes what cannot go alone together with all that uses it.
    DeleteWithUsers,
    /// Deletes two or three neighbours that cannot go alone.
    DeleteNeighbours,
    /// Shortens lists and simplifies expressions, with the expected value written anew.
    RecomputeExpected,
    /// Puts bodies of functions in place of all their calls, where the end is smaller.
    InlineCalls,
    /// Reduces linked crates that cannot become modules beside the program.
    OpenCrates,
    /// Expands macro calls and derives by the compiler, where the end is smaller.
    ExpandMacros,
    /// With `--replace-std`: puts local items in place of those of the standard library.
    ReplaceStd,
    /// Removes the errors that the program had beside the crash.
    CleanErrors,
    /// Leaves out flags of the compiler call.
    DeleteFlags,
    /// Gives definitions short names, such as `Foo`, `T`, `foo`, `x`.
    RenameDefinitions,
    /// Puts items in the usual order.
    OrderItems,
    /// Lays the result out as rustfmt does.
    Print,
    /// Asks once more, with more time, about candidates that ran out of it.
    AskAgain,
    /// Asks about what a person has made of the result.
    HandEdit,
    /// Tries all single edits on the finished result.
    VerifyMinimal,
}

/// The stages before the passes that a user may leave out, in the order in which they first run.
const BEFORE_PASSES: [Stage; 7] = [
    Stage::KeepSlice,
    Stage::EmbedInputs,
    Stage::RunAsMain,
    Stage::MergeFiles,
    Stage::DeleteUnused,
    Stage::FoldValues,
    Stage::PutValues,
];

/// The stages after the passes that a user may leave out, in the order in which they first run.
const AFTER_PASSES: [Stage; 20] = [
    Stage::AtOnce,
    Stage::RecomputeExpected,
    Stage::NarrowDifference,
    Stage::DropCrates,
    Stage::ExpandProcedural,
    Stage::MergeCrates,
    Stage::DeleteDeadCode,
    Stage::ExpandItems,
    Stage::Tree(Strategy::Worklist),
    Stage::DeleteWithUsers,
    Stage::DeleteNeighbours,
    Stage::InlineCalls,
    Stage::OpenCrates,
    Stage::ExpandMacros,
    Stage::ReplaceStd,
    Stage::CleanErrors,
    Stage::DeleteFlags,
    Stage::RenameDefinitions,
    Stage::OrderItems,
    Stage::Print,
];

impl Stage {
    /// Returns all stages that a user may leave out, in the order in which they first run.
    pub(super) fn choosable() -> impl Iterator<Item = Self> {
        let passes = PASSES.iter().map(Self::Pass);
        BEFORE_PASSES.into_iter().chain(passes).chain(AFTER_PASSES)
    }

    /// Returns the stage's name on the command line, in events and in figures.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pass(pass) => pass.name,
            Self::Tree(strategy) => strategy.name(),
            Self::KeepSlice => "keep_slice",
            Self::EmbedInputs => "embed_inputs",
            Self::RunAsMain => "run_as_main",
            Self::MergeFiles => "merge_files",
            Self::DeleteUnused => "delete_unused",
            Self::FoldValues => "fold_values",
            Self::PutValues => "put_values",
            Self::AtOnce => "at_once",
            Self::DropCrates => "drop_crates",
            Self::ExpandProcedural => "expand_procedural",
            Self::MergeCrates => "merge_crates",
            Self::DeleteDeadCode => "delete_dead_code",
            Self::ExpandItems => "expand_items",
            Self::DeleteWithUsers => "delete_with_users",
            Self::DeleteNeighbours => "delete_neighbours",
            Self::InlineCalls => "inline_calls",
            Self::RecomputeExpected => "recompute_expected",
            Self::NarrowDifference => "narrow_difference",
            Self::OpenCrates => "open_crates",
            Self::ExpandMacros => "expand_macros",
            Self::ReplaceStd => "replace_std",
            Self::CleanErrors => "clean_errors",
            Self::DeleteFlags => "delete_flags",
            Self::RenameDefinitions => "rename_definitions",
            Self::OrderItems => "order_items",
            Self::Print => "print",
            Self::AskAgain => "ask_again",
            Self::HandEdit => "hand_edit",
            Self::VerifyMinimal => "verify_minimal",
        }
    }

    /// Describes the stage in a line.
    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Pass(pass) => pass.about,
            Self::KeepSlice => "Keeps what is reachable from the definitions that the crash names",
            Self::EmbedInputs => "Puts in place what `cfg`, `env!` and `include!` stand for",
            Self::RunAsMain => {
                "With `--as-main`: makes a program of the test, which needs no harness"
            }
            Self::MergeFiles => "Puts the files of modules into one",
            Self::DeleteUnused => {
                "Deletes imports and the like that the compiler calls unused, where programs are run"
            }
            Self::FoldValues => {
                "Replaces expressions of a test by the values that they have when it runs, and loops by their rounds"
            }
            Self::PutValues => {
                "Puts numbers that an error names in place of expressions, where no programs are run"
            }
            Self::AtOnce => "With `--width`: makes edits of several passes in one wave",
            Self::DropCrates => "Leaves out linked crates that the program does not name",
            Self::ExpandProcedural => "Puts what procedural macros make in place of their calls",
            Self::MergeCrates => "Makes modules of the crates that are linked",
            Self::DeleteDeadCode => {
                "Deletes items that the compiler calls dead, and visibilities, where programs are run"
            }
            Self::ExpandItems => {
                "Puts in place what own macros make of merged crates, where the end is smaller and programs are run"
            }
            Self::Tree(_) => "Goes through the program as one tree, heaviest node first",
            Self::DeleteWithUsers => "Deletes what cannot go alone together with all that uses it",
            Self::RecomputeExpected => {
                "With `--good`: deletes parts, and writes the expected value anew as it is there"
            }
            Self::NarrowDifference => {
                "With `--good` and `--whole`: leaves out parts of the difference between the versions"
            }
            Self::DeleteNeighbours => "Deletes two or three neighbours that cannot go alone",
            Self::InlineCalls => {
                "Puts functions of a test in place of all their calls, where the end is smaller"
            }
            Self::OpenCrates => {
                "Reduces linked crates that cannot become modules beside the program"
            }
            Self::ExpandMacros => {
                "Expands macro calls and derives by the compiler, where the end is smaller"
            }
            Self::ReplaceStd => {
                "With `--replace-std`: puts local items in place of those of the standard library"
            }
            Self::CleanErrors => "Removes the errors that the program had beside the crash",
            Self::DeleteFlags => "Leaves out flags of the compiler call",
            Self::RenameDefinitions => {
                "Gives definitions short names, such as `Foo`, `T`, `foo`, `x`"
            }
            Self::OrderItems => "Puts items in the usual order",
            Self::Print => "Lays the result out as rustfmt does",
            Self::AskAgain => "Asks once more about candidates that ran out of time",
            Self::HandEdit => "Asks about what a person has made of the result",
            Self::VerifyMinimal => "Tries all single edits on the finished result",
        }
    }

    /// Returns the properties of a program that the stage keeps.
    pub(crate) fn keeps(self) -> Keeps {
        match self {
            Self::Pass(pass) => pass.keeps,
            Self::EmbedInputs
            | Self::RunAsMain
            | Self::MergeFiles
            | Self::DeleteUnused
            | Self::AtOnce
            | Self::DropCrates
            | Self::ExpandProcedural
            | Self::MergeCrates
            | Self::DeleteDeadCode
            | Self::ExpandItems
            | Self::OpenCrates
            | Self::ExpandMacros
            | Self::RenameDefinitions
            | Self::OrderItems
            | Self::Print => Keeps::Behaviour,
            // A slice also empties bodies, and another value is computed. What is folded may
            // have done something besides, and what is inlined is evaluated elsewhere.
            Self::KeepSlice
            | Self::FoldValues
            | Self::PutValues
            | Self::RecomputeExpected
            | Self::InlineCalls => Keeps::Types,
            Self::Tree(_)
            | Self::DeleteWithUsers
            | Self::DeleteNeighbours
            | Self::NarrowDifference
            | Self::ReplaceStd
            | Self::CleanErrors
            | Self::DeleteFlags
            | Self::AskAgain
            | Self::HandEdit
            | Self::VerifyMinimal => Keeps::Nothing,
        }
    }

    /// Returns whether a program may compute something else after this stage. Several edits at once are those of other stages.
    pub(crate) fn changes_values(self) -> bool {
        self.keeps() != Keeps::Behaviour || matches!(self, Self::AtOnce)
    }

    /// Returns an example of a pass: a program, and what one edit of the pass may make of it.
    pub(super) fn example(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Pass(pass) => Some(pass.example),
            _ => None,
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A part of the search whose cost is told by itself. It is made of several stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The slice of definitions that are reachable from the failure, by name.
    Slice,
    /// The first passes over the crashing crate.
    Items,
    /// Linked crates, which become modules.
    Crates,
    /// The first passes over what has become a module.
    TheirItems,
    /// All passes, round after round.
    FinePasses,
    /// Flags of the compiler call.
    Flags,
    /// Names and layout, which make the result readable.
    NamesAndLayout,
}

impl Part {
    /// Returns the part's name in figures.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Slice => "slice",
            Self::Items => "items",
            Self::Crates => "crates",
            Self::TheirItems => "their items",
            Self::FinePasses => "fine passes",
            Self::Flags => "flags",
            Self::NamesAndLayout => "names and layout",
        }
    }
}
