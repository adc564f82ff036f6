//! Runs the user's editor on a file. It is started as a shell would start it: with our environment and the terminal,
//! and in our process group, so that it gets the keys.

use camino::Utf8Path;
use std::process::{Command, ExitStatus};

/// Runs an editor, given as a program and its arguments, on a file until it ends.
///
/// # Errors
/// When it cannot be started.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the one that starts children"
)]
pub fn edit_in_terminal(
    program: &str,
    args: &[String],
    file: &Utf8Path,
) -> std::io::Result<ExitStatus> {
    Command::new(program).args(args).arg(file).status()
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    #[test]
    fn the_file_is_the_last_argument() {
        let temp = tempfile::tempdir().unwrap();
        let directory = Utf8PathBuf::from_path_buf(temp.path().to_owned()).unwrap();
        let file = directory.join("a file.rs");
        let args = ["-c", "echo edited > \"$1\"", "sh"].map(str::to_owned);
        assert!(edit_in_terminal("sh", &args, &file).unwrap().success());
        assert_eq!(std::fs::read_to_string(file).unwrap(), "edited\n");
    }

    #[test]
    fn an_editor_that_is_not_there_is_an_error() {
        assert!(edit_in_terminal("/no/such/editor", &[], "a.rs".into()).is_err());
    }
}
