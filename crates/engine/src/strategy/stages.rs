//! The order of a reduction's stages, as a table: each phase of the search has a row for each thing that is done, with the
//! condition on which it is. Rows are done from the first to the last, where a phase does not say otherwise. `course` reads
//! the table, and `request::stage` says of each stage what it is for, what it keeps and what it needs. A stage that the user
//! has left out, or that lacks what it needs, is passed over wherever it stands.

use super::carve::carve;
use super::clean::{clean_errors, forbid_errors};
use super::crates::{
    drop_unnamed, embed_inputs, expand_procedural_macros, merge_if_changed, merge_if_smaller,
    open_crate,
};
use super::difference::narrow_difference;
use super::expand::expand_macros;
use super::expand_items::expand_items;
use super::flags::delete_flags;
use super::fold_values::fold_values;
use super::inline_calls::inline_calls;
use super::lists::delete_with_users;
use super::mains::run_as_main;
use super::merge_files::merge_files;
use super::neighbours::delete_neighbours;
use super::put_values::put_values;
use super::readable::{order_items, print, rename};
use super::recompute::{recompute_with_all, recompute_with_coarse};
use super::replace_std::replace_std;
use super::row::{
    Condition, Phase, ROUNDS, Row, STRATEGY, at_once, on_trial, own_stage, passes, rows, stage,
};
use super::slices::{keep_first_slice, keep_reached};
use super::tidy::TidyRow;
use super::trees::worklist;
use super::unused::{delete_dead_code, delete_unused};
use crate::request::{Part, Stage, Strategy};
use reduce_passes::{COARSE_PASSES, FINE_PASSES, INLINE_MACROS, LAST_PASSES, STRUCTURAL_PASSES};

/// The phase before the slices: its cuts are certain, or nearly so, and what a slice may name is in place. What the failure
/// names is read anew if it brings something.
pub(crate) const BEFORE_SLICES: Phase = Phase {
    when: "before the slices",
    part: Part::Slice,
    rows: &[NARROW_DIFFERENCE, EMBED_INPUTS],
};

/// The phase in which a search begins; a job that goes on from a checkpoint has done it already.
pub(crate) const BEGINNING: Phase = Phase {
    when: "at the beginning",
    part: Part::Slice,
    rows: &[KEEP_SLICE, RUN_AS_MAIN],
};

pub(crate) const ERRORS: Phase = Phase {
    when: "after the beginning",
    part: Part::Items,
    rows: &[FORBID_ERRORS],
};

/// The phase before a whole program (`--whole`) is searched, when the test alone has been searched
/// roughly.
pub(crate) const BEFORE_WHOLE: Phase = Phase {
    when: "with `--whole`, once the test is small",
    part: Part::FinePasses,
    rows: &[EMBED_INPUTS],
};

/// The phase that removes most of a program, before the rounds. Another strategy than the default
/// begins with the rounds.
pub(super) const FIRST: Phase = Phase {
    when: "first of all",
    part: Part::Items,
    rows: &[
        MERGE_FILES,
        DELETE_UNUSED,
        // A run says at once which functions and branches the failure does not need.
        DELETE_DEAD_CODE.when(CAUSE_MAY_CHANGE),
        FOLD_VALUES.when(CAUSE_MAY_CHANGE),
        CARVE,
        passes(COARSE_PASSES).when(IS_AS_WRITTEN),
        PUT_VALUES,
        // Code that computes values is large, and its values are known while crates are linked.
        FOLD_VALUES.when(TEST_COMES_ALONE),
        at_once(STRUCTURAL_PASSES),
        DELETE_UNUSED,
        RECOMPUTE_WITH_COARSE.when(IS_AS_WRITTEN),
        // A carved test asks for what the good version computes: little of it can go otherwise.
        RECOMPUTE_WITH_ALL.when(ENDS_BY_GOOD_VERSION),
        // A crate whose names go, or become simpler ones, need not become a module.
        at_once(FINE_PASSES).when(LINKS_CRATES),
    ],
};

/// The phase in which linked crates become modules of the program: it is repeated as long as it
/// brings something, each time followed by the next phase.
pub(super) const CRATES: Phase = Phase {
    when: "as long as crates become modules",
    part: Part::Crates,
    rows: MERGE_IF_SMALLER,
};

pub(super) const EACH_CRATE: Phase = Phase {
    when: "for each crate that has become a module",
    part: Part::TheirItems,
    rows: &[
        NARROW_DIFFERENCE,
        rows(SHORTEN_ITEMS),
        on_trial(
            Stage::ExpandItems,
            expand_items,
            &[passes(INLINE_MACROS), rows(SHORTEN_ITEMS)],
        ),
        at_once(STRUCTURAL_PASSES),
    ],
};

/// The phase before the rounds once no more crates become modules: only the first row whose
/// condition holds is done.
pub(super) const REST: Phase = Phase {
    when: "once no more crates become modules, one of these",
    part: Part::FinePasses,
    rows: &[WORKLIST.when(IS_LARGE), at_once(FINE_PASSES)],
};

pub(super) const BEFORE_ROUND: Phase = Phase {
    when: "before each round",
    part: Part::FinePasses,
    rows: &[
        MERGE_FILES,
        rows(MERGE_IF_SMALLER),
        DELETE_DEAD_CODE,
        DELETE_UNUSED,
        FOLD_VALUES,
        PUT_VALUES,
    ],
};

/// The phase of a usual round, which leaves out the edits that have failed before.
pub(super) const ROUND: Phase = Phase {
    when: "in each round",
    part: Part::FinePasses,
    rows: &[NARROW_DIFFERENCE, STRATEGY],
};

/// The phase after a round that has brought little: inlining makes another program, of which fewer edits are known to
/// fail.
pub(super) const ROUND_OF_LITTLE: Phase = Phase {
    when: "when a round has brought little",
    part: Part::FinePasses,
    rows: &[
        // Its functions and structs may be such by now that it can be.
        CARVE,
        on_trial(Stage::InlineCalls, inline_calls, &[FOLD_VALUES, STRATEGY]),
    ],
};

/// The phase after a round that has brought nothing: one row after the other until one brings something, with the edits
/// that have failed before.
pub(super) const ROUND_OF_EVERYTHING: Phase = Phase {
    when: "when a round has brought nothing",
    part: Part::FinePasses,
    rows: &[
        STRATEGY,
        RECOMPUTE_WITH_ALL,
        rows(MERGE_IF_CHANGED),
        OPEN_CRATES,
        DELETE_WITH_USERS,
        DELETE_NEIGHBOURS,
        passes(LAST_PASSES),
        CLEAN_ERRORS,
    ],
};

/// The phase after the last round: each row is repeated as often as it brings something, with rounds after it. The
/// modules around a test may be gone, or what needed the harness; macros that are expanded make a larger program, whose
/// reduction may end below this one.
pub(super) const AFTER_ROUNDS: Phase = Phase {
    when: "after the last round",
    part: Part::FinePasses,
    rows: &[
        RUN_AS_MAIN,
        on_trial(Stage::ExpandMacros, expand_macros, &[ROUNDS]),
    ],
};

/// The phase with local items in place of those of std, repeated as often as it brings something.
pub(super) const LOCAL_STD: Phase = Phase {
    when: "after all rounds",
    part: Part::FinePasses,
    rows: &[on_trial(Stage::ReplaceStd, replace_std, &[ROUNDS]).when(WANTS_LOCAL_STD)],
};

pub(super) const FLAGS: Phase = Phase {
    when: "once nothing more can go",
    part: Part::Flags,
    rows: &[DELETE_FLAGS],
};

/// The phase that makes the result readable, when the marks at points of the code under test are gone. No interrupted
/// job goes on from what is accepted here.
pub(super) const READABLE: Phase = Phase {
    when: "at the end",
    part: Part::NamesAndLayout,
    rows: &[RENAME_DEFINITIONS, ORDER_ITEMS, PRINT],
};

/// The changes that are tried, by a few calls of the compiler, on the result of a search that was
/// stopped, before its layout.
pub(super) const TIDY: &[TidyRow] = &[
    (
        Stage::DeleteUnused,
        Some(PROGRAMS_RUN),
        |tidying, session, _| tidying.leave_unused_out(session),
    ),
    (Stage::DeleteDeadCode, None, |tidying, session, _| {
        tidying.leave_visibilities_out(session)
    }),
    (Stage::DeleteFlags, None, |tidying, session, methods| {
        tidying.leave_flags_out(session, methods)
    }),
    (Stage::RenameDefinitions, None, |tidying, session, _| {
        tidying.rename(session)
    }),
    (Stage::OrderItems, None, |tidying, session, _| {
        tidying.order(session)
    }),
];

/// All phases of a search, in the order in which they first come. A stopped search has its tidying
/// besides.
pub(super) const PHASES: [&Phase; 16] = [
    &BEFORE_SLICES,
    &BEGINNING,
    &ERRORS,
    &BEFORE_WHOLE,
    &FIRST,
    &CRATES,
    &EACH_CRATE,
    &REST,
    &BEFORE_ROUND,
    &ROUND,
    &ROUND_OF_LITTLE,
    &ROUND_OF_EVERYTHING,
    &AFTER_ROUNDS,
    &LOCAL_STD,
    &FLAGS,
    &READABLE,
];

// Rows that stand in several phases.

/// The rows that shorten a merged crate: they delete what is dead or unused, and then other items.
const SHORTEN_ITEMS: &[Row] = &[
    DELETE_DEAD_CODE,
    KEEP_REACHED.when(CRATES_ARE_MERGED),
    DELETE_UNUSED,
    passes(COARSE_PASSES),
    DELETE_DEAD_CODE,
];

const MERGE_IF_SMALLER: &[Row] = &[DROP_CRATES, EXPAND_PROCEDURAL, MERGE_CRATES_IF_SMALLER];
const MERGE_IF_CHANGED: &[Row] = &[DROP_CRATES, EXPAND_PROCEDURAL, MERGE_CRATES_IF_CHANGED];

// The single rows, each with its stage and the function that does it.

const KEEP_SLICE: Row = own_stage(Stage::KeepSlice, keep_first_slice);
const KEEP_REACHED: Row = stage(Stage::KeepSlice, keep_reached);
const EMBED_INPUTS: Row = own_stage(Stage::EmbedInputs, embed_inputs);
const RUN_AS_MAIN: Row = own_stage(Stage::RunAsMain, run_as_main);
const CARVE: Row = on_trial(Stage::Carve, carve, &[DELETE_UNUSED, passes(COARSE_PASSES)]);
const MERGE_FILES: Row = own_stage(Stage::MergeFiles, merge_files);
const NARROW_DIFFERENCE: Row = stage(Stage::NarrowDifference, narrow_difference);
const DELETE_UNUSED: Row = own_stage(Stage::DeleteUnused, delete_unused);
const DELETE_DEAD_CODE: Row = stage(Stage::DeleteDeadCode, delete_dead_code);
const FOLD_VALUES: Row = stage(Stage::FoldValues, fold_values);
const PUT_VALUES: Row = stage(Stage::PutValues, put_values).when(ERROR_NAMES_NUMBERS);
const RECOMPUTE_WITH_COARSE: Row = stage(Stage::RecomputeExpected, recompute_with_coarse);
const RECOMPUTE_WITH_ALL: Row = stage(Stage::RecomputeExpected, recompute_with_all);
const DROP_CRATES: Row = own_stage(Stage::DropCrates, drop_unnamed);
const EXPAND_PROCEDURAL: Row = own_stage(Stage::ExpandProcedural, expand_procedural_macros);
const MERGE_CRATES_IF_SMALLER: Row = stage(Stage::MergeCrates, merge_if_smaller);
const MERGE_CRATES_IF_CHANGED: Row = stage(Stage::MergeCrates, merge_if_changed);
const WORKLIST: Row = stage(Stage::Tree(Strategy::Worklist), worklist);
const OPEN_CRATES: Row = stage(Stage::OpenCrates, open_crate);
const DELETE_WITH_USERS: Row = stage(Stage::DeleteWithUsers, delete_with_users);
const DELETE_NEIGHBOURS: Row = stage(Stage::DeleteNeighbours, delete_neighbours);
const FORBID_ERRORS: Row = own_stage(Stage::CleanErrors, forbid_errors);
const CLEAN_ERRORS: Row = own_stage(Stage::CleanErrors, clean_errors);
const DELETE_FLAGS: Row = own_stage(Stage::DeleteFlags, delete_flags);
const RENAME_DEFINITIONS: Row = own_stage(Stage::RenameDefinitions, rename);
const ORDER_ITEMS: Row = own_stage(Stage::OrderItems, order_items);
const PRINT: Row = own_stage(Stage::Print, print);

// Conditions.

/// The number of tokens below which a search takes no more queries if no worklist over the whole
/// tree comes before the passes.
const FEWEST_TOKENS_FOR_WORKLIST: u64 = 100;

const PROGRAMS_RUN: Condition = Condition::new("where programs are run", |session, _| {
    session.tools.oracle.runs_programs()
});

const ERROR_NAMES_NUMBERS: Condition =
    Condition::new("where the error names numbers", |_, methods| {
        !methods.values.is_empty()
    });

/// The trial of a carved test has made the coarse passes.
const IS_AS_WRITTEN: Condition = Condition::new("unless the test was carved", |session, _| {
    session.ledger.carved_calls == 0
});

/// Under mends less is right, so that it is found out once more is known of the edits.
const ENDS_BY_GOOD_VERSION: Condition =
    Condition::new("with `--good`, if the test was carved", |session, _| {
        session.ledger.carved_calls > 0 && session.tools.oracle.has_good_version()
    });

const LINKS_CRATES: Condition = Condition::new(
    "where crates are linked and nothing is run",
    |session, _| {
        let externs = &session.best().compile_options.linkage.externs;
        !externs.is_empty() && !session.tools.oracle.runs_programs()
    },
);

const TEST_COMES_ALONE: Condition =
    Condition::new("with `--whole`, for the test alone", |_, methods| {
        methods.is_rough
    });

const CAUSE_MAY_CHANGE: Condition = Condition::new(
    "where a program may fail for another cause",
    |session, _| session.tools.oracle.permits_other_causes(),
);

const CRATES_ARE_MERGED: Condition =
    Condition::new("with `--whole`", |_, methods| methods.merged.is_some());

/// The condition of the worklist, which asks about one candidate after the other, so that it is no
/// use to a search by waves.
const IS_LARGE: Condition = Condition::new(
    "for 100 tokens and more, where a search does not go on by waves",
    |session, _| {
        session.best().tree.count_tokens() >= FEWEST_TOKENS_FOR_WORKLIST && !session.goes_by_waves()
    },
);

const WANTS_LOCAL_STD: Condition = Condition::new("with `--replace-std`", |_, methods| {
    methods.options.replace_std
});
