//! A row of the table of stages: a thing that the search does, and on which condition.

use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::{Part, Stage};
use crate::session::Session;
use reduce_passes::Pass;

/// A phase of the search: rows of the table of stages, in the order in which they are done.
pub(crate) struct Phase {
    /// The time at which the phase comes, in the words of a list.
    pub(super) when: &'static str,
    /// The part of the search to which the phase's cost belongs.
    pub(super) part: Part,
    pub(super) rows: &'static [Row],
}

/// A row of the table of stages: a thing that the search does, if its condition holds.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) does: Does,
    pub(super) condition: Option<Condition>,
}

/// The thing that a row does.
#[derive(Clone, Copy)]
pub(super) enum Does {
    /// The work of a stage.
    Stage(Stage, Work),
    /// Work that begins its stage itself, once it has found something to try.
    OwnStage(Stage, Work),
    /// A stage that takes a larger program on trial; it stays if its reduction by these rows ends
    /// smaller.
    OnTrial(Stage, Trial, &'static [Row]),
    /// Passes, one after the other.
    Passes(&'static [Pass]),
    /// Passes whose edits are tried together where there are many workers.
    AtOnce(&'static [Pass]),
    /// All passes, or the search of the whole tree that the user has chosen.
    Strategy,
    /// Other rows of the table.
    Rows(&'static [Row]),
    /// Rounds of the search, until a round of all edits brings nothing.
    Rounds,
}

/// A function that does the work of a stage in a round, and returns how many candidates were accepted.
pub(super) type Work = fn(&mut Session<'_>, &Methods, u32) -> Result<u64, Failure>;

/// A function that takes a larger program on trial, and reduces it by the rows in its last
/// argument.
pub(super) type Trial = fn(&mut Session<'_>, &Methods, u32, &Then<'_>) -> Result<u64, Failure>;

/// A function that does the rows which follow on a trial, in a round.
pub(super) type Then<'a> = dyn Fn(&mut Session<'_>, u32) -> Result<u64, Failure> + 'a;

/// A condition for a row of the table of stages, with its name in lists.
#[derive(Clone, Copy)]
pub(super) struct Condition {
    /// The condition's name in lists, which follows on what is done.
    pub(super) name: &'static str,
    pub(super) holds: fn(&Session<'_>, &Methods) -> bool,
}

impl Condition {
    pub(super) const fn new(name: &'static str, holds: fn(&Session<'_>, &Methods) -> bool) -> Self {
        Self { name, holds }
    }
}

impl Row {
    const fn new(does: Does) -> Self {
        let condition = None;
        Self { does, condition }
    }

    /// Returns the row with a condition, without which it is not done.
    pub(super) const fn when(self, condition: Condition) -> Self {
        let condition = Some(condition);
        Self { condition, ..self }
    }

    /// Whether the row's condition holds.
    pub(super) fn is_due(&self, session: &Session<'_>, methods: &Methods) -> bool {
        let holds = |condition: Condition| (condition.holds)(session, methods);
        self.condition.is_none_or(holds)
    }
}

/// Makes a row of the work of a stage.
pub(super) const fn stage(stage: Stage, work: Work) -> Row {
    Row::new(Does::Stage(stage, work))
}

/// Makes a row of work that begins its stage itself.
pub(super) const fn own_stage(stage: Stage, work: Work) -> Row {
    Row::new(Does::OwnStage(stage, work))
}

/// Makes a row of a stage that takes a larger program on trial, and of the rows that reduce it.
pub(super) const fn on_trial(stage: Stage, trial: Trial, then: &'static [Row]) -> Row {
    Row::new(Does::OnTrial(stage, trial, then))
}

/// Makes a row of passes that follow one another.
pub(super) const fn passes(passes: &'static [Pass]) -> Row {
    Row::new(Does::Passes(passes))
}

/// Makes a row of passes whose edits may be tried together.
pub(super) const fn at_once(passes: &'static [Pass]) -> Row {
    Row::new(Does::AtOnce(passes))
}

/// Makes a row of other rows.
pub(super) const fn rows(rows: &'static [Row]) -> Row {
    Row::new(Does::Rows(rows))
}

/// The row for all passes, or the search of the whole tree that the user has chosen.
pub(super) const STRATEGY: Row = Row::new(Does::Strategy);
/// The row for rounds of the search until nothing more can go.
pub(super) const ROUNDS: Row = Row::new(Does::Rounds);
