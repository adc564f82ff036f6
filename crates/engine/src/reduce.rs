//! A reduction from the request to the written result.

mod baseline;
mod course;
mod fidelity;
mod input;
mod job;
mod search;
mod setting;
mod split;

use crate::context::Context;
use crate::event::Event;
use crate::failure::{Failure, FailureKind};
use crate::output::OutputDirectory;
use crate::request::ReductionRequest;
use crate::site::Site;
use crate::store::Store;
use crate::summary::Summary;
use input::{check_input, ignored_lines};
use reduce_oracle::{Cancel, keeper};
use search::search;
use std::time::Instant;

/// Reduces. Returns when nothing more can go, or soon after `cancel`; the result is then on disk.
///
/// # Errors
/// A [`Failure`] when there is no result.
pub fn reduce(
    request: &ReductionRequest,
    site: &Site,
    store: &dyn Store,
    emit: &(dyn Fn(Event) + Sync),
    cancel: &Cancel,
) -> Result<Summary, Failure> {
    let context = Context {
        request,
        site,
        store,
        emit,
        cancel,
        started: Instant::now(),
    };
    check_input(&request.input)?;
    OutputDirectory::check(&request.output, request.existing_output, None)?;
    if !keeper::start(&site.capture_program) {
        let message = "what a compiler starts may outlive this process if it is killed".to_owned();
        emit(Event::Warning { message });
    }
    let ignored = ignored_lines(&request.input);
    let baseline = match baseline::baseline(&context) {
        Err(failure) if failure.kind == FailureKind::NoCrash => {
            return Err(ignored.into_iter().fold(failure, Failure::hint));
        }
        baseline => baseline?,
    };
    for message in ignored {
        emit(Event::Warning { message });
    }
    let input = split::split(&context, baseline::whole(baseline)?)?;
    baseline::announce(&context, &input);
    search(&context, input)
}
