//! The standard input of a program that is run: what is piped into `cargo reduce --run`, as `cargo run` would hand it on.

use crate::args::ReduceArgs;
use crate::display;
use crate::error::CommandError;
use reduce_engine::{Goal, ReductionRequest};
use std::io::{IsTerminal, Read};
use std::path::Path;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// The time within which piped input has to end.
const MOMENT: Duration = Duration::from_secs(2);
/// The largest piped input in bytes, as each candidate reads all of it.
const LONGEST: u64 = 2 << 20;
/// The hint that says how to give an empty standard input.
const NONE: &str = "for an empty one: `cargo reduce --run < /dev/null`";
/// The shell that opens the file for a program.
const SHELL: &str = "/bin/sh";

/// Adds to the request for a program that is run the input that is piped into this command.
///
/// # Errors
/// Where it cannot be handed on.
pub(crate) fn with_piped_input(
    mut request: ReductionRequest,
    args: &ReduceArgs,
) -> Result<ReductionRequest, CommandError> {
    let is_program_itself = args.program.is_standard_input();
    let Goal::Run { input, .. } = &mut request.property.goal else {
        return Ok(request);
    };
    if is_program_itself || std::io::stdin().is_terminal() {
        return Ok(request);
    }
    match piped() {
        Some(bytes) => *input = text_of(bytes?)?,
        None => display::warn(
            args.display.message_format,
            format!(
                "the program gets no standard input, because the pipe did not end within {} s: write the input to a file and use `< FILE`",
                MOMENT.as_secs()
            ),
        ),
    }
    let reason = match request.remote.is_some() {
        _ if input.is_none() => None,
        true => Some("a server of `--remote` cannot pass it on".to_owned()),
        false if !Path::new(SHELL).exists() => Some(format!("there is no `{SHELL}`")),
        false => None,
    };
    match reason {
        None => Ok(request),
        Some(reason) => {
            let message = format!("failed to pass standard input on to the program: {reason}");
            Err(CommandError::bad_input(message).hint(NONE))
        }
    }
}

/// Reads all of the piped input, or returns `None` if it does not end in time.
fn piped() -> Option<Result<Vec<u8>, CommandError>> {
    let (sender, receiver) = channel();
    // The thread ends with this process where the piped input does not end.
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = std::io::stdin().take(LONGEST + 1).read_to_end(&mut bytes);
        // Nobody listens any more who has waited for too long.
        let _ = sender.send(read.map(|_| bytes));
    });
    let read = receiver.recv_timeout(MOMENT).ok()?;
    Some(read.map_err(|error| {
        CommandError::bad_input(format!("failed to read standard input: {error}")).hint(NONE)
    }))
}

/// Checks that piped input is UTF-8 and not too long, and returns it as text, or `None` if it is empty.
fn text_of(bytes: Vec<u8>) -> Result<Option<String>, CommandError> {
    if bytes.len() as u64 > LONGEST {
        let message = format!(
            "the program's standard input has more than {} MiB",
            LONGEST >> 20
        );
        return Err(CommandError::bad_input(message).hint("pipe in the part that it fails for"));
    }
    match String::from_utf8(bytes) {
        Ok(text) if text.is_empty() => Ok(None),
        Ok(text) => Ok(Some(text)),
        Err(_) => {
            Err(CommandError::bad_input("the program's standard input is not UTF-8").hint(NONE))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_piped_in_is_a_text_that_is_not_too_long() {
        assert_eq!(text_of(vec![]).unwrap(), None);
        assert_eq!(text_of(b"a\n".to_vec()).unwrap().as_deref(), Some("a\n"));
        assert!(text_of(vec![0xff]).is_err());
        let longest = usize::try_from(LONGEST).unwrap();
        assert!(text_of(vec![b'a'; longest]).is_ok());
        assert!(text_of(vec![b'a'; longest + 1]).is_err());
    }
}
