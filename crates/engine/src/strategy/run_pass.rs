//! One pass over the program, by the algorithm that its kind of work asks for.

use super::{choices, lists, rewrites};
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_passes::{Pass, Work};

pub(super) fn run_passes(
    session: &mut Session<'_>,
    methods: &Methods,
    passes: impl IntoIterator<Item = &'static Pass>,
    round: u32,
) -> Result<u64, Failure> {
    let mut accepted = 0;
    for pass in passes {
        accepted += run_pass(session, methods, pass, round)?;
    }
    Ok(accepted)
}

fn run_pass(
    session: &mut Session<'_>,
    methods: &Methods,
    pass: &'static Pass,
    round: u32,
) -> Result<u64, Failure> {
    session.in_chosen_stage(methods, Stage::Pass(pass), round, |session| {
        let mut accepted = 0;
        for work in pass.work {
            accepted += run_work(session, methods, *work)?;
        }
        Ok(accepted)
    })
}

fn run_work(session: &mut Session<'_>, methods: &Methods, work: Work) -> Result<u64, Failure> {
    match work {
        // One level alone seldom has as many lists as a wave takes.
        Work::ByLevel(kinds) if session.goes_by_waves() => {
            lists::shorten_everywhere(session, methods, kinds)
        }
        Work::Everywhere(kinds) => lists::shorten_everywhere(session, methods, kinds),
        Work::ByLevel(kinds) => lists::shorten_by_level(session, methods, kinds),
        Work::Replace(categories, replacing) => choices::replace(session, categories, replacing),
        Work::Flatten => choices::flatten(session),
        Work::Rewrite(rewriter) => rewrites::rewrite(session, rewriter),
    }
}
