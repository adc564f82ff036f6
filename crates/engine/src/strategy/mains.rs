//! The stage that makes a program of a failing test with `--as-main`: `main` in place of the test
//! harness. Without it the result stays a `#[test]` function, which goes into `tests/` of the package.

use super::alternatives::Alternatives;
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_passes::test_as_main;

/// Puts `main` in place of the test harness, where the user asks for that (`--as-main`). Returns
/// how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn run_as_main(
    session: &mut Session<'_>,
    methods: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    let is_to_be_main = methods.options.as_main && !session.best().compile_options.is_main;
    let Some(test) = session.tools.oracle.test().filter(|_| is_to_be_main) else {
        return Ok(0);
    };
    let Some(tree) = test_as_main(&session.best().tree, &test) else {
        return Ok(0);
    };
    let mut candidate = session.best().with_tree(tree);
    candidate.compile_options.is_main = true;
    session.in_chosen_stage(methods, Stage::RunAsMain, 1, |session| {
        let (candidates, kind) = (vec![candidate], "main");
        let alternatives = Alternatives { candidates, kind };
        session.of_any_size(|session| alternatives.try_in(session))
    })
}
