//! Other forms of the best so far, tried as they are: laid out otherwise, with other names, or as the
//! start of a detour.

use super::alternatives::Alternatives;
use crate::Failure;
use crate::request::Stage;
use crate::session::Session;
use reduce_syntax::SourceTree;

/// Puts a tree in place of the best so far if it is as interesting: one in another form, not
/// necessarily smaller. Returns whether it did.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn try_instead(
    session: &mut Session<'_>,
    stage: Stage,
    tree: SourceTree,
) -> Result<bool, Failure> {
    try_one_of(session, stage, vec![tree])
}

/// Puts the first of some trees that is as interesting in place of the best so far. Returns whether
/// there was one.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn try_one_of(
    session: &mut Session<'_>,
    stage: Stage,
    mut trees: Vec<SourceTree>,
) -> Result<bool, Failure> {
    trees.retain(|tree| *tree != session.best().tree);
    if trees.is_empty() || session.is_cancelled() {
        return Ok(false);
    }
    let instead = |tree| session.best().with_tree(tree);
    let alternatives = Alternatives {
        candidates: trees.into_iter().map(instead).collect(),
        kind: "other form",
    };
    session.in_stage(stage, 1, |session| {
        session.of_any_size(|session| Ok(alternatives.try_in(session)? > 0))
    })
}

/// Takes the first of `starts` that is interesting, whatever its size, reduces it by `work`, and goes back unless that
/// ends with something simpler than before. What is accepted on the way is neither kept nor counted as a step. Returns
/// whether it paid.
///
/// # Errors
/// Those of the work.
pub(super) fn detour<'r>(
    session: &mut Session<'r>,
    stage: Stage,
    starts: Vec<SourceTree>,
    work: impl FnOnce(&mut Session<'r>) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let go = |session: &mut Session<'r>| {
        let before = session.best().clone();
        for start in starts {
            if *session.best() == before {
                try_instead(session, stage, start)?;
            }
        }
        match *session.best() == before {
            true => Ok(()),
            false => work(session),
        }
    };
    session.on_trial(stage, go, |session, end| session.best.is_beaten_by(end))
}
