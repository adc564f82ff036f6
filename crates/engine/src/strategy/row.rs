//! A row of the table of stages: what is done, and on which condition.

use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::{Part, Stage};
use crate::session::Session;
use reduce_passes::Pass;

/// Rows that belong together, in the order in which they are done.
pub(crate) struct Phase {
    /// The time at which the phase comes, in the words of a list.
    pub(super) when: &'static str,
    /// The part of the search to which the phase's cost belongs.
    pub(super) part: Part,
    pub(super) rows: &'static [Row],
}

/// A thing that is done, if its condition holds.
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
    /// A larger program, whose reduction by these rows stays if that ends smaller.
    OnTrial(Stage, Trial, &'static [Row]),
    /// Passes, one after the other.
    Passes(&'static [Pass]),
    /// Passes, whose edits come together where there are many workers.
    AtOnce(&'static [Pass]),
    /// All passes, or the search of the whole tree that the user has chosen.
    Strategy,
    /// Other rows of the table.
    Rows(&'static [Row]),
    /// Rounds until one of everything brings nothing.
    Rounds,
}

/// A function that does the work of a stage in a round, and returns how many candidates were accepted.
pub(super) type Work = fn(&mut Session<'_>, &Methods, u32) -> Result<u64, Failure>;

/// A function that does the work of a stage with what follows on its trial.
pub(super) type Trial = fn(&mut Session<'_>, &Methods, u32, &Then<'_>) -> Result<u64, Failure>;

/// The rows that follow on a trial, as work of a round.
pub(super) type Then<'a> = dyn Fn(&mut Session<'_>, u32) -> Result<u64, Failure> + 'a;

/// A condition with a name.
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

    /// The same row on a condition.
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

/// Makes a row of a stage and of what follows on its trial.
pub(super) const fn on_trial(stage: Stage, trial: Trial, then: &'static [Row]) -> Row {
    Row::new(Does::OnTrial(stage, trial, then))
}

/// Makes a row of passes that follow one another.
pub(super) const fn passes(passes: &'static [Pass]) -> Row {
    Row::new(Does::Passes(passes))
}

/// Makes a row of passes whose edits may come together.
pub(super) const fn at_once(passes: &'static [Pass]) -> Row {
    Row::new(Does::AtOnce(passes))
}

/// Makes a row of other rows.
pub(super) const fn rows(rows: &'static [Row]) -> Row {
    Row::new(Does::Rows(rows))
}

/// All passes, as the user's strategy makes them.
pub(super) const STRATEGY: Row = Row::new(Does::Strategy);
/// Rounds until nothing goes.
pub(super) const ROUNDS: Row = Row::new(Does::Rounds);
