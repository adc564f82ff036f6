//! A reduction from the request to the written result.

mod attempts;
mod baseline;
mod earlier;
mod emptied;
mod fidelity;
mod input;
mod job;
mod search;
mod setup;
mod split;

use crate::clock::Clock;
use crate::context::Context;
use crate::control::Control;
use crate::event::Event;
use crate::failure::Failure;
use crate::output::OutputDirectory;
use crate::request::ReductionRequest;
use crate::site::Site;
use crate::store::Store;
use crate::summary::Summary;
use crate::turns::Work;
use attempts::{attempts, first_that_fails};
pub use input::check_input;
use reduce_oracle::keeper;
use search::search;

/// Reduces a program as a request asks for it. Returns when nothing more can go, or soon after `control`
/// says so; the result is then on disk.
///
/// # Errors
/// A [`Failure`] when there is no result.
pub fn reduce(
    request: &ReductionRequest,
    site: &Site,
    store: &dyn Store,
    emit: &(dyn Fn(Event) + Sync),
    control: &Control,
) -> Result<Summary, Failure> {
    let (started, cancel) = (&Clock::start(&control.pauses), &control.cancel);
    check_input(&request.input)?;
    let attempts = attempts(request)?;
    OutputDirectory::check(&request.output, request.existing_output, None)?;
    if !keeper::start(&site.capture_program) {
        let message = "what a compiler starts may outlive this process if it is killed".to_owned();
        emit(Event::Warning { message });
    }
    let beginning = control.turns.wait(Work::Beginning, cancel);
    let (context, baseline) = first_that_fails(&attempts, |request| Context {
        request,
        site,
        store,
        emit,
        control,
        cancel,
        started,
    })?;
    let input = context.interruptibly(|| {
        let input = split::split(&context, baseline::whole(baseline)?)?;
        baseline::announce(&context, &input);
        Ok(input)
    })?;
    search(&context, input, beginning)
}
