//! `cargo reduce` from the request to the exit status: what was left open is chosen, and other crashes are reduced too.

use super::reduce::{Waited, end, launch, reduce};
use super::{choice, others};
use crate::args::{MessageFormat, ReduceArgs};
use crate::context::Context;
use crate::display::{self, Display};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use reduce_daemon::Update;
use reduce_engine::{Offer, ReductionRequest, Summary};

/// A function that makes the request for the failure that the user has chosen, from the request for which several were found.
pub(crate) type Chosen<'a> =
    dyn Fn(&Offer, &ReductionRequest) -> Result<ReductionRequest, CommandError> + 'a;

/// Reduces, and shows it. Where the request leaves a choice, what is chosen is reduced.
pub(crate) async fn run(
    args: &ReduceArgs,
    mut request: ReductionRequest,
    chosen: Option<&Chosen<'_>>,
    context: &Context,
) -> Result<ExitStatus, CommandError> {
    if args.run.detach {
        return detach(args, &request, context).await;
    }
    let mut has_chosen = false;
    loop {
        let asked = request.clone();
        let mut display = Display::new(&args.display, context);
        let waited = reduce(args, request, context, &mut display).await;
        let last = choice::last(args, &waited).filter(|_| !has_chosen);
        if let Some((offer, chosen)) = last.zip(chosen) {
            display.close();
            display.note("Taking", &format!("the last failure: {}", offer.command()));
            request = chosen(&offer, &asked)?;
            has_chosen = true;
            continue;
        }
        let status = end(&waited, &mut display);
        if let Some(chosen) = chosen
            && let Some(offer) = choice::asked(args, &waited).await?
        {
            request = chosen(&offer, &asked)?;
            continue;
        }
        let Ok(Waited::Finished(first)) = waited else {
            return Ok(status);
        };
        display.code(&first);
        if args.result.open {
            open_page(args.display.message_format, &first);
        }
        if status != ExitStatus::Reduced {
            return Ok(status);
        }
        if args.run.others {
            return others::run(args, &asked, &first, context).await;
        }
        others::advise(args, &asked.property.goal, &first);
        return Ok(status);
    }
}

/// Opens the report (`report.html`) of a result in the user's browser, if there is one. The result is there even where no
/// program can show it.
fn open_page(format: MessageFormat, summary: &Summary) {
    let Some(page) = summary.page() else { return };
    if let Err(error) = open::that_detached(&page) {
        display::warn(format, format!("failed to open `{page}`: {error}"));
    }
}

/// Hands a reduction to the daemon, prints the number of its job, and returns without waiting for the result.
async fn detach(
    args: &ReduceArgs,
    request: &ReductionRequest,
    context: &Context,
) -> Result<ExitStatus, CommandError> {
    let home = context.home()?;
    let launch = launch(context, &home, args);
    let submitted = reduce_daemon::submit(&home, &context.hello(), &launch, request).await;
    let (_, accepted) = submitted?;
    let Update::Accepted { job, joined, .. } = accepted else {
        let message = "the daemon did not say which job it is";
        return Err(CommandError::new(ExitStatus::Daemon, message));
    };
    let output = &request.output;
    display::data(&match args.display.message_format {
        MessageFormat::Json => display::json_detached(job, joined, output),
        MessageFormat::Human => format!("{job}\n"),
    });
    display::say(
        args.display.message_format,
        "Detached",
        &format!(
            "job {job}; its result goes to `{output}`. `cargo reduce jobs show {job}` says how it is, \
             and `cargo reduce jobs attach {job}` shows it"
        ),
    );
    Ok(ExitStatus::Reduced)
}
