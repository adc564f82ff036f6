//! A kept crash as the input of a reduction: `--captured N`, or `--captured ARCHIVE`, which is kept first.

use super::PACKAGE_FLAGS;
use crate::args::{Parsed, Rank};
use crate::context::Context;
use crate::error::CommandError;
use crate::exit::ExitStatus;
use reduce_engine::captured::{Captured, CapturedStore, DEFAULT_LIMIT_BYTES};
use reduce_engine::{CapturedInput, Goal};

/// Flags that say how a single file is compiled.
const FILE_FLAGS: [&str; 3] = ["edition", "revision", "target"];

/// The number of the crash that is named.
///
/// # Errors
/// Where there is none, or the archive cannot be kept.
pub(super) fn number(named: &str, context: &Context) -> Result<u64, CommandError> {
    let store = CapturedStore::in_home(&context.base()?);
    let number = named.trim_start_matches('#').parse::<u64>();
    match number {
        Ok(number) if store.directory_of(number).is_dir() => Ok(number),
        Ok(number) => Err(unknown(number)),
        Err(_) => {
            let archive = context.absolute(named.into());
            let kept = store.import(&archive, DEFAULT_LIMIT_BYTES);
            kept.map_err(|error| {
                CommandError::new(ExitStatus::BadInput, error)
                    .hint("give the number of a kept crash, or a file that `cargo reduce captured export` wrote")
            })
        }
    }
}

/// Makes the error for a user who names a kept crash that is not there.
pub(crate) fn unknown(number: u64) -> CommandError {
    CommandError::bad_input(format!("no crash is kept as #{number}"))
        .hint("`cargo reduce captured` lists the crashes that are kept")
}

/// Makes the input of a kept crash.
///
/// # Errors
/// As of [`number`], or where flags select something of a package.
pub(super) fn input(
    parsed: &Parsed,
    named: &str,
    context: &Context,
) -> Result<CapturedInput, CommandError> {
    let is_given = |id: &&&str| parsed.rank(id) == Some(Rank::CommandLine);
    if let Some(id) = PACKAGE_FLAGS.iter().chain(&FILE_FLAGS).find(is_given) {
        let flag = id.replace('_', "-");
        let message =
            format!("`--{flag}` says what is compiled, and a kept crash has its own call");
        return Err(CommandError::bad_input(message).hint("flags for rustc go after `--`"));
    }
    let number = number(named, context)?;
    let store = CapturedStore::in_home(&context.base()?);
    Ok(CapturedInput {
        directory: store.directory_of(number),
        name: format!("#{number}"),
        rustc_args: parsed.args.program.rustc_args(),
    })
}

/// Returns the goal for a kept crash, where the user names none.
///
/// # Errors
/// Where there is no such crash.
pub(super) fn goal(named: &str, context: &Context) -> Result<Goal, CommandError> {
    let store = CapturedStore::in_home(&context.base()?);
    let number = number(named, context)?;
    let captured = Captured::read(&store.directory_of(number));
    let captured = captured.map_err(|error| CommandError::new(ExitStatus::BadInput, error))?;
    Ok(match captured.compiler.is_clippy() {
        true => Goal::Clippy,
        false => Goal::Ice,
    })
}
