//! The commands: reduce, triage, those about kept crashes, the daemon's, and those that write completions and man pages.

mod cache;
mod capture;
mod captured;
mod choice;
mod daemon;
mod edit;
mod interrupt;
mod jobs;
mod man;
mod others;
mod reduce;
mod run;
pub(crate) mod simulated;
mod triage;
mod watch;

use crate::args::{ColorWhen, DaemonCommand, Layer, Parsed, ReduceCommand, Shell, parse};
use crate::completion;
use crate::config;
use crate::context::Context;
use crate::display::{self, Printable};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use crate::help;
use crate::project::Subject;
use crate::request;
use crate::variables;
use reduce_engine::{Offer, ReductionRequest};
use std::ffi::OsString;
use tokio::runtime::{Builder, Runtime};

/// Runs the command that the arguments name, to its end.
pub(crate) fn run(words: impl Iterator<Item = OsString>, context: &Context) -> ExitStatus {
    let words: Vec<OsString> = words.collect();
    let parsed = match parse(words.clone(), &Layer::new()) {
        Ok(parsed) => parsed,
        Err(error) => return show_clap(&error, &words, context),
    };
    choose_colors(parsed.args.display.color);
    let ended = match &parsed.args.command {
        Some(ReduceCommand::Daemon(command)) => run_daemon(command, &parsed, context),
        Some(ReduceCommand::Capture(command)) => {
            capture::run(command, context, parsed.args.display.message_format)
        }
        Some(ReduceCommand::Captured { command }) => run_async(captured::run(
            command.as_ref(),
            context,
            parsed.args.display.message_format,
        )),
        Some(ReduceCommand::Jobs(jobs)) => {
            run_async(jobs::run(jobs, context, &parsed.args.display))
        }
        Some(ReduceCommand::Cache(command)) => {
            let format = parsed.args.display.message_format;
            run_async(cache::run(command, context, format))
        }
        Some(ReduceCommand::Triage(triage)) => {
            let display = &parsed.args.display;
            run_async(triage::run((triage, display), &words, context))
        }
        Some(ReduceCommand::Completions { shell }) => Ok(print_script(*shell)),
        Some(ReduceCommand::Man { dir }) => {
            man::run(dir, context, parsed.args.display.message_format)
        }
        None if parsed.args.search.list_passes => Ok(list_passes()),
        None => run_reduce(words, &parsed, context),
    };
    ended.unwrap_or_else(|error| {
        display::failure(parsed.args.display.message_format, &error);
        error.kind
    })
}

fn run_reduce(
    words: Vec<OsString>,
    parsed: &Parsed,
    context: &Context,
) -> Result<ExitStatus, CommandError> {
    let project = request::project(&parsed.args, context)?;
    let layer = config::in_directory(&project.directory, context)?;
    let parsed = match parse(words.clone(), &layer) {
        Ok(parsed) => parsed,
        Err(error) => return Ok(show_clap(&error, &words, context)),
    };
    choose_colors(parsed.args.display.color);
    for message in variables::warnings(context) {
        display::warn(parsed.args.display.message_format, message);
    }
    let project = match project.subject {
        // Standard input can be read only once.
        Subject::StandardInput(_) => project,
        _ => request::project(&parsed.args, context)?,
    };
    let request = request::request(&parsed, &project, context)?;
    let request = request::input::with_piped_input(request, &parsed.args)?;
    let args = &parsed.args;
    if args.run.watch {
        let workspace = &project.target_parent;
        return runtime()?.block_on(watch::run(args, request, workspace, context));
    }
    let chosen = |offer: &Offer, request: &ReductionRequest| {
        request::chosen(offer, request, args, &project, context)
    };
    runtime()?.block_on(run::run(args, request, Some(&chosen), context))
}

fn list_passes() -> ExitStatus {
    display::data(&help::passes());
    ExitStatus::Reduced
}

fn print_script(shell: Shell) -> ExitStatus {
    display::data(&completion::script(shell));
    ExitStatus::Reduced
}

fn run_daemon(
    command: &DaemonCommand,
    parsed: &Parsed,
    context: &Context,
) -> Result<ExitStatus, CommandError> {
    let format = parsed.args.display.message_format;
    match command {
        DaemonCommand::Status => runtime()?.block_on(daemon::status(context, format)),
        DaemonCommand::Stop { force } => runtime()?.block_on(daemon::stop(context, *force)),
        DaemonCommand::Run(args) => daemon::run(context, args),
    }
}

/// Prints help, or what clap says against the arguments, which may quote words and variables.
fn show_clap(error: &clap::Error, words: &[OsString], context: &Context) -> ExitStatus {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let quoted = words.iter().map(AsRef::as_ref);
    let text = Printable::of_clap(error, quoted.chain(variables::values(context)));
    if error.use_stderr() {
        display::talk(&text);
        return ExitStatus::BadInput;
    }
    display::help(&text);
    ExitStatus::Reduced
}

fn choose_colors(when: ColorWhen) {
    let choice = match when {
        ColorWhen::Auto => anstream::ColorChoice::Auto,
        ColorWhen::Always => anstream::ColorChoice::Always,
        ColorWhen::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

fn run_async(
    command: impl Future<Output = Result<ExitStatus, CommandError>>,
) -> Result<ExitStatus, CommandError> {
    runtime()?.block_on(command)
}

fn runtime() -> Result<Runtime, CommandError> {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| CommandError::new(ExitStatus::Environment, error))
}
