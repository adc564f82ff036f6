//! `cargo reduce`, the command line. It makes a request of arguments and configuration, hands the
//! request to the daemon, and shows the events that come back. No other crate reads the environment or
//! writes to the terminal.
//!
//! # Modules
//!
//! - `main` decides what this process is: a command, what answers a shell that completes one, the wrapper
//!   that keeps crashes of the user's own builds, the one that records compiler calls, what a launcher starts on another machine, or the
//!   keeper that ends what a killed process has left.
//! - `command` runs a command. `command/reduce` reduces, `command/watch` does so again and again,
//!   `command/triage` says which of many crashes are one bug, `command/capture` has crashes kept in the user's builds (`command/capture/config` edits cargo's configuration
//!   for that), `command/captured` is about the kept ones, `command/daemon` talks to the daemon, `command/jobs` asks it about jobs, `command/cache` looks after what is kept, `command/man` writes man pages, `command/edit` opens the user's editor, `command/choice` asks which of several failures is meant, and `command/interrupt` turns
//!   Ctrl-C into requests to stop.
//! - `completion` completes the command line in a shell. `completion/script` has the scripts for the shells,
//!   and `completion/values` what can be named in the user's surroundings.
//! - `args` defines the command line. `args/program` says which program, `args/goal` which failure, `args/property` what must hold besides and `args/search` how to
//!   search, `args/captured` has the commands about kept crashes, `args/triage` the flags of a triage, `args/jobs` those about jobs and what is kept; `args/parse` puts flags, variables and files into one order of precedence.
//! - `config` reads configuration files, `variables` warns of variables that only look like ours, and
//!   `help` is what `--help` says after the flags.
//! - `context` reads the surroundings and standard input, once. `project` finds out where the user
//!   stands.
//! - `request` makes the request. `request/captured` finds a kept crash, `request/goal` says which failure is asked
//!   for, `request/input` what is piped in for a program, `request/launcher` who starts queries and where, `request/programs` where programs are, and `request/place` where the result goes by default.
//! - `display` consumes the events. `display/bar` is the progress line of a terminal, `display/activity`
//!   is what it says, with its clock, and `display/progress` formats the figures in it. `display/plain`
//!   prints plain lines, `display/live` is the live view of a terminal: `live/view` knows what is shown and what keys mean, `live/draw`
//!   draws it, `live/code` the code in it and `live/paint` its colours, and `live/screen` takes the terminal and gives it back.
//!   `display/json` prints lines of JSON, and `display/summary` prints the end of a
//!   reduction. `display/printable` is the only type that may be written to a terminal: everything but
//!   our own colours is escaped when it becomes part of it. The live view escapes by the same function.
//! - `documents` tests what people read: the commands, links and options that pages show.
//! - `error` is what the user is told when a command fails, and `exit` is the table of exit codes.

mod args;
mod command;
mod completion;
mod config;
mod context;
mod display;
#[cfg(test)]
mod documents;
mod error;
mod exit;
mod help;
mod project;
mod request;
mod script;
#[cfg(test)]
mod testing;
mod variables;

use context::Context;
use std::process::ExitCode;

fn main() -> ExitCode {
    match task() {
        Task::StandBeforeCompiler => {
            reduce_engine::captured::wrapper::main(reduce_engine::digest_of_tokens)
        }
        Task::CaptureCall => reduce_engine::capture::main(),
        Task::KeepGroups => reduce_engine::keeper::main(),
        Task::Launched => reduce_engine::launched::main(std::env::args_os()),
        Task::Complete => complete(),
        Task::Command => run(),
    }
}

fn run() -> ExitCode {
    match Context::read() {
        Ok(context) => command::run(std::env::args_os(), &context).into(),
        Err(error) => {
            display::talk(&error.render());
            error.kind.into()
        }
    }
}

/// Prints the candidates for the word that a shell completes. Where something fails, nothing is printed.
fn complete() -> ExitCode {
    if let Ok(context) = Context::read() {
        display::data(&completion::answer(std::env::args_os(), &context));
    }
    ExitCode::SUCCESS
}

/// The task of this process.
enum Task {
    /// The process carries out a command that a user typed.
    Command,
    /// The process tells a shell's completion script the candidates for a word.
    Complete,
    /// The process keeps crashes of the user's own build, in which cargo started it before the compiler.
    StandBeforeCompiler,
    /// The process records how cargo calls the compiler, in whose place cargo started it.
    CaptureCall,
    /// The process runs a process of a query on this machine, for which a launcher has started it.
    Launched,
    /// The process ends the processes that another process of ours has left when it was killed.
    KeepGroups,
}

#[expect(
    clippy::disallowed_methods,
    reason = "decides what this process is, before all else"
)]
fn task() -> Task {
    if reduce_engine::captured::wrapper::is_requested(std::env::args_os().next().as_deref()) {
        Task::StandBeforeCompiler
    } else if reduce_engine::capture::is_requested(std::env::vars_os()) {
        Task::CaptureCall
    } else if reduce_engine::launched::is_requested(std::env::args_os()) {
        Task::Launched
    } else if reduce_engine::keeper::is_requested(std::env::vars_os()) {
        Task::KeepGroups
    } else if completion::is_requested(std::env::vars_os()) {
        Task::Complete
    } else {
        Task::Command
    }
}
