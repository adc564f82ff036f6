//! Programs that a request names: where they are.

use crate::context::Context;
use crate::error::CommandError;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_engine::{REMOTE_CLIENT, how_to_install_remote_client};
use reduce_platform::files;
use reduce_platform::processes::places_of_program;
use std::env::consts::EXE_SUFFIX;

/// Finds a program by its path or, as a shell does, on the `PATH`.
pub(super) fn find(program: &str, context: &Context) -> Option<Utf8PathBuf> {
    if program.contains(std::path::is_separator) {
        let path = context.absolute(program.into());
        return is_executable(&path).then_some(path);
    }
    let path = context.vars.get("PATH")?;
    let places = places_of_program(program, path);
    let places = places.filter_map(|place| Utf8PathBuf::from_path_buf(place).ok());
    let has_directory = |place: &Utf8PathBuf| place.parent().is_some_and(|dir| dir != "");
    let mut paths = places
        .filter(has_directory)
        .map(|place| context.absolute(&place));
    paths.find(|path| is_executable(path))
}

fn is_executable(path: &Utf8Path) -> bool {
    path.metadata()
        .is_ok_and(|file| file.is_file() && files::is_executable(&file))
}

/// Finds the program that is the client for `--remote`: the program beside this one, or the one on the `PATH`, as cargo
/// finds its subcommands.
///
/// # Errors
/// Where there is none.
pub(super) fn remote_client(context: &Context) -> Result<Utf8PathBuf, CommandError> {
    let beside = context
        .program
        .with_file_name(format!("{REMOTE_CLIENT}{EXE_SUFFIX}"));
    let found = Some(beside).filter(|path| is_executable(path));
    found.or_else(|| find(REMOTE_CLIENT, context)).ok_or_else(|| {
        let message = format!(
            "failed to find `{REMOTE_CLIENT}`, which `--remote` needs, beside `{}` and on the `PATH`",
            context.program
        );
        CommandError::bad_input(message)
            .hint(how_to_install_remote_client())
            .hint("leave out `--remote` to reduce on this machine alone")
    })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::exit::ExitStatus;

    /// Two directories, in which the client may be.
    struct Bench {
        guard: tempfile::TempDir,
        context: Context,
    }

    impl Bench {
        fn new() -> Self {
            let guard = tempfile::tempdir().unwrap();
            let dir = Utf8Path::from_path(guard.path()).unwrap().to_owned();
            let context = Context {
                cwd: "/".into(),
                vars: [("PATH".to_owned(), dir.join("path").into_string())].into(),
                program: dir.join("own/cargo-reduce"),
                user_home: None,
            };
            Self { guard, context }
        }

        fn put(&self, dir: &str) {
            let dir = self.guard.path().join(dir);
            std::fs::create_dir_all(&dir).unwrap();
            let file = std::fs::File::create(dir.join(REMOTE_CLIENT)).unwrap();
            files::make_executable(&file).unwrap();
        }
    }

    #[test]
    fn the_client_beside_this_program_comes_before_one_on_the_path() {
        let bench = Bench::new();
        for dir in ["path", "own"] {
            bench.put(dir);
            let found = remote_client(&bench.context).unwrap();
            assert!(found.ends_with(format!("{dir}/{REMOTE_CLIENT}")), "{found}");
        }
    }

    #[test]
    fn a_client_that_is_not_there_is_an_error_that_says_how_to_install_it() {
        let error = remote_client(&Bench::new().context).unwrap_err();
        assert_eq!(error.kind, ExitStatus::BadInput);
        let install = "cargo install --locked cargo-reduce-remote@";
        assert!(error.hints[0].contains(install), "{:?}", error.hints);
    }
}
