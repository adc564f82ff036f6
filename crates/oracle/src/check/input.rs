//! Starts a program with a file as its standard input. A shell opens the file for it and becomes the program, so that a
//! process is started in one way only, here and where a launcher takes it.

use crate::error::OracleError;
use crate::system::files;
use camino::{Utf8Path, Utf8PathBuf};

/// The name of the file beside a result that has what a program reads from its standard input.
pub const STANDARD_INPUT: &str = "standard-input.txt";
/// The shell that puts the file on the standard input of the program.
const SHELL: &str = "/bin/sh";
/// The arguments of the shell: a script that is given the file, the program and its arguments.
const BECOME: [&str; 3] = ["-c", "input=$1; shift; exec \"$@\" < \"$input\"", "sh"];

/// Returns the program and the arguments that start a program with this standard input, which is written to a file in `dir`.
///
/// # Errors
/// Where that cannot be written.
pub(crate) fn with_input(
    program: &Utf8Path,
    args: &[String],
    input: Option<&str>,
    dir: &Utf8Path,
) -> Result<(Utf8PathBuf, Vec<String>), OracleError> {
    let Some(input) = input else {
        return Ok((program.to_owned(), args.to_vec()));
    };
    let file = dir.join(STANDARD_INPUT);
    files::write(&file, input)?;
    let words = BECOME.into_iter().chain([file.as_str(), program.as_str()]);
    let words = words.map(str::to_owned).chain(args.iter().cloned());
    Ok((SHELL.into(), words.collect()))
}
