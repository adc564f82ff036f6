//! A failing test as a program: `main` in place of the test harness, which takes time to link and is
//! nothing that a report is about.

use super::alternatives::Alternatives;
use crate::failure::Failure;
use crate::methods::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_passes::test_as_main;

/// Makes a `main` of the test. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn run_as_main(session: &mut Session<'_>, methods: &Methods) -> Result<u64, Failure> {
    let is_main = session.best().terms.is_main;
    let Some(test) = session.tools.oracle.test().filter(|_| !is_main) else {
        return Ok(0);
    };
    let Some(tree) = test_as_main(&session.best().tree, &test) else {
        return Ok(0);
    };
    let mut candidate = session.best().with_tree(tree);
    candidate.terms.is_main = true;
    session.in_chosen_stage(methods, Stage::RunAsMain, 1, |session| {
        let (candidates, kind) = (vec![candidate], "main");
        let alternatives = Alternatives { candidates, kind };
        session.of_any_size(|session| alternatives.try_in(session))
    })
}
