//! `cargo reduce`: arguments and configuration to a request, a request to the daemon, events to the
//! terminal. The only crate that reads the environment and writes to the terminal.

mod args;
mod command;
mod config;
mod context;
mod display;
mod error;
mod exit;
mod help;
mod project;
mod request;
mod variables;

use context::Context;
use std::process::ExitCode;

fn main() -> ExitCode {
    match task() {
        Task::CaptureCall => reduce_engine::capture::main(),
        Task::KeepGroups => reduce_engine::keeper::main(),
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

/// What this process is for.
enum Task {
    /// What a user typed.
    Command,
    /// cargo started it in place of the compiler, to see how it calls it.
    CaptureCall,
    /// It ends what is left of another process of ours that was killed.
    KeepGroups,
}

#[expect(
    clippy::disallowed_methods,
    reason = "decides what this process is, before all else"
)]
fn task() -> Task {
    if reduce_engine::capture::is_requested(std::env::vars_os()) {
        Task::CaptureCall
    } else if reduce_engine::keeper::is_requested(std::env::vars_os()) {
        Task::KeepGroups
    } else {
        Task::Command
    }
}
