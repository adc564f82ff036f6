//! What is wrong with an input before anything is compiled.

use crate::failure::{Failure, FailureKind};
use crate::request::directives;
use reduce_oracle::Input;

pub(super) fn check_input(input: &Input) -> Result<(), Failure> {
    let path = match input {
        Input::File(file) if file.text.is_some() => None,
        Input::File(file) => Some(&file.path),
        Input::Package(package) => package.manifest_path.as_ref(),
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

/// What a single file says of how it is compiled, and nobody obeys.
pub(super) fn ignored_lines(input: &Input) -> Vec<String> {
    let Input::File(file) = input else {
        return Vec::new();
    };
    let text = match &file.text {
        Some(text) => Some(text.clone()),
        None => std::fs::read_to_string(&file.path).ok(),
    };
    text.map_or_else(Vec::new, |text| directives::unread(file, &text))
}
