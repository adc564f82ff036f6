//! Reads the launcher that starts the queries of the search, and the place where they work.

use super::programs::find;
use crate::context::Context;
use crate::error::CommandError;
use camino::{Utf8Path, Utf8PathBuf};

/// Splits the value of `--launcher` into words, the first of which becomes the path of a program; without that option,
/// there are none.
///
/// # Errors
/// Where it is no command, or its program is not there.
pub(super) fn words(
    launcher: Option<&str>,
    context: &Context,
) -> Result<Vec<String>, CommandError> {
    let Some(line) = launcher else {
        return Ok(vec![]);
    };
    let mut words = shlex::split(line).unwrap_or_default();
    let Some(program) = words.first_mut() else {
        let message = format!("`--launcher {line:?}` is no command");
        return Err(CommandError::bad_input(message)
            .hint("give a program and its arguments in one word, as a shell would read them"));
    };
    let found = find(program, context).ok_or_else(|| {
        let message = format!("failed to find the launcher `{program}`");
        CommandError::bad_input(message)
            .hint("name a program that is on the `PATH`, or its path, such as `/usr/bin/srun`")
    })?;
    *program = found.into_string();
    Ok(words)
}

/// Returns the directory that `--scratch` names, as an absolute path.
///
/// # Errors
/// Where it is not there.
pub(super) fn scratch(
    scratch: Option<&Utf8Path>,
    context: &Context,
) -> Result<Option<Utf8PathBuf>, CommandError> {
    let Some(scratch) = scratch.map(|path| context.absolute(path)) else {
        return Ok(None);
    };
    match scratch.is_dir() {
        true => Ok(Some(scratch)),
        false => Err(
            CommandError::bad_input(format!("`--scratch {scratch}` is no directory"))
                .hint("make it first, on a file system that has room"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::ExitStatus;

    fn context() -> Context {
        Context {
            cwd: "/bin".into(),
            vars: [("PATH".to_owned(), "/no/such:/bin".to_owned())].into(),
            program: "/bin/cargo-reduce".into(),
            user_home: None,
        }
    }

    #[track_caller]
    fn check_refused(line: &str, expected: &str) {
        let error = words(Some(line), &context()).unwrap_err();
        assert_eq!(error.kind, ExitStatus::BadInput);
        assert!(error.source.to_string().contains(expected), "{line}");
    }

    #[test]
    fn a_launcher_is_read_as_a_shell_would_and_its_program_is_found() {
        let check = |line, expected: &[&str]| {
            assert_eq!(words(Some(line), &context()).unwrap(), expected, "{line}");
        };
        check("sh -c 'a b'", &["/bin/sh", "-c", "a b"]);
        check("/bin/sh", &["/bin/sh"]);
        check("./sh -x", &["/bin/sh", "-x"]);
        assert!(words(None, &context()).unwrap().is_empty());
    }

    #[test]
    fn what_is_no_command_or_is_not_there_is_refused() {
        check_refused("", "is no command");
        check_refused("sh 'a", "is no command");
        check_refused(
            "no-such-launcher -n1",
            "failed to find the launcher `no-such-launcher`",
        );
        check_refused("/etc/passwd", "failed to find the launcher `/etc/passwd`");
    }

    #[test]
    fn scratch_is_a_directory() {
        let context = context();
        assert_eq!(scratch(None, &context).unwrap(), None);
        let there = scratch(Some("/tmp".into()), &context).unwrap();
        assert_eq!(there.as_deref(), Some(Utf8Path::new("/tmp")));
        let error = scratch(Some("no-such".into()), &context).unwrap_err();
        assert!(error.source.to_string().contains("/bin/no-such"));
    }
}
