//! The check that an input exists, before anything is compiled.

use crate::failure::{Failure, FailureKind};
use reduce_oracle::{CapturedInput, Input};

/// Checks that the input exists, before any work is done for it.
///
/// # Errors
/// A [`Failure`] as a reduction would end with.
pub fn check_input(input: &Input) -> Result<(), Failure> {
    let path = match input {
        Input::File(file) if file.text.is_some() => None,
        Input::File(file) => Some(&file.path),
        Input::Package(package) => package.manifest_path.as_ref(),
        Input::Captured(captured) => return check_captured(captured),
    };
    match path {
        Some(path) if !path.is_file() => Err(Failure::new(
            FailureKind::BadInput,
            format!("failed to read `{path}`: there is no such file"),
        )
        .hint("name a Rust source file, or a `Cargo.toml` with `--manifest-path PATH`")),
        _ => Ok(()),
    }
}

fn check_captured(captured: &CapturedInput) -> Result<(), Failure> {
    let CapturedInput {
        directory, name, ..
    } = captured;
    match directory.is_dir() {
        true => Ok(()),
        false => Err(Failure::new(
            FailureKind::BadInput,
            format!("failed to find the kept crash {name}: there is no `{directory}`"),
        )
        .hint("`cargo reduce captured` lists the crashes that are kept")),
    }
}
