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

use context::Context;
use std::process::ExitCode;

fn main() -> ExitCode {
    if is_compiler_wrapper() {
        return reduce_engine::capture::main();
    }
    match Context::read() {
        Ok(context) => command::run(std::env::args_os(), &context).into(),
        Err(error) => {
            display::talk(&error.render());
            error.kind.into()
        }
    }
}

/// Whether cargo started this process in place of the compiler, to see how it calls it.
#[expect(
    clippy::disallowed_methods,
    reason = "decides what this process is, before all else"
)]
fn is_compiler_wrapper() -> bool {
    reduce_engine::capture::is_requested(std::env::vars_os())
}
