//! The stages of a reduction: the passes of `reduce_passes`, and other kinds of work. In which order they run is a table of
//! its own, `strategy::stages`.

use super::choices::Strategy;
use reduce_passes::{Keeps, PASSES, Pass};
use std::fmt;

/// A stage of a reduction: a pass, or another kind of work. Each candidate is the work of one stage. [`Stage::facts`] says of each
/// what it is for; when it runs stands in the table of `strategy::stages`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stage {
    KeepSlice,
    EmbedInputs,
    RunAsMain,
    MergeFiles,
    Carve,
    DeleteUnused,
    FoldValues,
    PutValues,
    AtOnce,
    Pass(&'static Pass),
    NarrowDifference,
    DropCrates,
    ExpandProcedural,
    MergeCrates,
    DeleteDeadCode,
    ExpandItems,
    Tree(Strategy),
    DeleteWithUsers,
    DeleteNeighbours,
    RecomputeExpected,
    InlineCalls,
    OpenCrates,
    ExpandMacros,
    ReplaceStd,
    CleanErrors,
    DeleteFlags,
    RenameDefinitions,
    OrderItems,
    Print,
    AskAgain,
    HandEdit,
    VerifyMinimal,
}

/// The fixed facts about a stage, such as its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    /// The stage's name on the command line, in events and in figures.
    pub(crate) name: &'static str,
    /// A line that says what the stage does.
    pub(crate) about: &'static str,
    /// The properties of a program that the stage keeps.
    pub(crate) keeps: Keeps,
    /// The condition without which the stage never runs.
    pub(crate) needs: Needs,
}

/// A condition on the failure that is reduced, without which a stage has nothing to work with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Needs {
    Nothing,
    /// The stage needs a program that is run: only such a program tells what in it is unused, dead or always of one value;
    /// without that, it is not worth it to put in place what macros make.
    ProgramsRun,
    NoProgramsRun,
    /// The stage needs a version of the code under test, or changes to it, with which the test passes.
    RightValues,
    TwoVersions,
}

/// The stages that a user may leave out and that are listed before the passes.
const BEFORE_PASSES: [Stage; 8] = [
    Stage::KeepSlice,
    Stage::EmbedInputs,
    Stage::RunAsMain,
    Stage::MergeFiles,
    Stage::Carve,
    Stage::DeleteUnused,
    Stage::FoldValues,
    Stage::PutValues,
];

/// The stages that a user may leave out and that are listed after the passes.
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
    /// Returns all stages that a user may leave out, in the order in which they are listed.
    pub(super) fn choosable() -> impl Iterator<Item = Self> {
        let passes = PASSES.iter().map(Self::Pass);
        BEFORE_PASSES.into_iter().chain(passes).chain(AFTER_PASSES)
    }

    /// Returns the fixed facts about the stage.
    #[rustfmt::skip]
    pub(crate) fn facts(self) -> Facts {
        use Keeps::{Behaviour, Nothing, Types};
        match self {
            Self::Pass(pass) => facts(pass.name, pass.keeps, pass.about),
            // A slice also empties bodies.
            Self::KeepSlice => facts("keep_slice", Types, "Keeps what is reachable from the definitions that the crash names"),
            Self::EmbedInputs => facts("embed_inputs", Behaviour, "Puts in place what `cfg`, `env!` and `include!` stand for"),
            Self::RunAsMain => facts("run_as_main", Behaviour, "With `--as-main`: makes a program of the test, which needs no harness"),
            Self::MergeFiles => facts("merge_files", Behaviour, "Puts the files of modules into one"),
            // What only the test does is not done any more.
            Self::Carve => facts("carve", Types, "Writes a test anew as the calls into the code under test that it made, where the end is smaller").needing(Needs::ProgramsRun),
            Self::DeleteUnused => facts("delete_unused", Behaviour, "Deletes imports and the like that the compiler calls unused, where programs are run").needing(Needs::ProgramsRun),
            // What is folded may have done something besides.
            Self::FoldValues => facts("fold_values", Types, "Replaces expressions of a test by the values that they have when it runs, and loops by their rounds").needing(Needs::ProgramsRun),
            Self::PutValues => facts("put_values", Types, "Puts numbers that an error names in place of expressions, where no programs are run").needing(Needs::NoProgramsRun),
            Self::AtOnce => facts("at_once", Behaviour, "Makes edits of several passes in one wave: with `--width`, and where tests are compiled together"),
            Self::NarrowDifference => facts("narrow_difference", Nothing, "With `--good` and `--whole`: leaves out parts of the difference between the versions").needing(Needs::TwoVersions),
            Self::DropCrates => facts("drop_crates", Behaviour, "Leaves out linked crates that the program does not name"),
            Self::ExpandProcedural => facts("expand_procedural", Behaviour, "Puts what procedural macros make in place of their calls"),
            Self::MergeCrates => facts("merge_crates", Behaviour, "Makes modules of the crates that are linked"),
            Self::DeleteDeadCode => facts("delete_dead_code", Behaviour, "Deletes items that the compiler calls dead, and visibilities, where programs are run").needing(Needs::ProgramsRun),
            Self::ExpandItems => facts("expand_items", Behaviour, "Puts in place what own macros make of merged crates, where the end is smaller and programs are run").needing(Needs::ProgramsRun),
            Self::Tree(strategy) => facts(strategy.name(), Nothing, "Goes through the program as one tree, heaviest node first"),
            Self::DeleteWithUsers => facts("delete_with_users", Nothing, "Deletes what cannot go alone together with all that uses it"),
            Self::DeleteNeighbours => facts("delete_neighbours", Nothing, "Deletes what cannot go alone: two or three neighbours, or a part with steps of the walk through it"),
            Self::RecomputeExpected => facts("recompute_expected", Types, "Deletes parts of a failing test, and writes the expected value anew as it is with `--good`, or with changes that mend the test").needing(Needs::RightValues),
            // What is inlined is evaluated elsewhere.
            Self::InlineCalls => facts("inline_calls", Types, "Puts functions of a test in place of all their calls, where the end is smaller").needing(Needs::ProgramsRun),
            Self::OpenCrates => facts("open_crates", Behaviour, "Reduces linked crates that cannot become modules beside the program"),
            Self::ExpandMacros => facts("expand_macros", Behaviour, "Expands macro calls and derives by the compiler, where the end is smaller"),
            Self::ReplaceStd => facts("replace_std", Nothing, "With `--replace-std`: puts local items in place of those of the standard library"),
            Self::CleanErrors => facts("clean_errors", Nothing, "Removes the errors that the program had beside the crash"),
            Self::DeleteFlags => facts("delete_flags", Nothing, "Leaves out flags of the compiler call"),
            Self::RenameDefinitions => facts("rename_definitions", Behaviour, "Gives definitions short names, such as `Foo`, `T`, `foo`, `x`"),
            Self::OrderItems => facts("order_items", Behaviour, "Puts items in the usual order"),
            Self::Print => facts("print", Behaviour, "Lays the result out as rustfmt does"),
            Self::AskAgain => facts("ask_again", Nothing, "Asks once more about candidates that ran out of time"),
            Self::HandEdit => facts("hand_edit", Nothing, "Asks about what a person has made of the result"),
            Self::VerifyMinimal => facts("verify_minimal", Nothing, "Tries all single edits on the finished result"),
        }
    }

    /// Returns the stage's name on the command line, in events and in figures.
    pub(crate) fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns the properties of a program that the stage keeps.
    pub(crate) fn keeps(self) -> Keeps {
        self.facts().keeps
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

const fn facts(name: &'static str, keeps: Keeps, about: &'static str) -> Facts {
    Facts {
        name,
        about,
        keeps,
        needs: Needs::Nothing,
    }
}

impl Facts {
    const fn needing(self, needs: Needs) -> Self {
        Self { needs, ..self }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A part of the search whose cost is reported separately. It is made of several stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The search for a slice of the definitions that are reachable from the failure, by name.
    Slice,
    /// The first passes over the crashing crate, which delete items.
    Items,
    /// The linked crates become modules of the crashing crate.
    Crates,
    /// The first passes over linked crates that have become modules.
    TheirItems,
    /// All passes, round after round.
    FinePasses,
    /// The removal of flags from the compiler call.
    Flags,
    /// The work on names and layout, which makes the result readable.
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
