//! `cargo-reduce-remote`: the client of the Remote Execution API that `cargo reduce --remote` starts.

use reduce_remote_protocol::PROGRAM;
use std::io::{BufReader, Write};
use std::process::ExitCode;

/// The exit status if the program is called with unknown arguments.
const MISUSED: u8 = 2;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        None => served(),
        Some("--version" | "-V") => {
            let said = writeln!(std::io::stdout(), "{PROGRAM} {}", env!("CARGO_PKG_VERSION"));
            exit_code(&said)
        }
        Some(_) => {
            let usage = "`cargo reduce --remote ADDRESS` starts this program, and tells it on standard input what to run; it has no arguments but `--version`";
            let _unread = writeln!(std::io::stderr(), "{PROGRAM}: {usage}");
            ExitCode::from(MISUSED)
        }
    }
}

fn served() -> ExitCode {
    let served = cargo_reduce_remote::serve(BufReader::new(std::io::stdin()), std::io::stdout());
    if let Err(error) = &served {
        let _unread = writeln!(std::io::stderr(), "{PROGRAM}: {error}");
    }
    exit_code(&served)
}

fn exit_code(done: &std::io::Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
