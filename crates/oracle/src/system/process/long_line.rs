//! Writes command lines that are too long for the system to files: compilers read the lines of `FILE` in place of
//! `@FILE`, and cargo calls them so, too.

use super::Invocation;
use camino::{Utf8Path, Utf8PathBuf};
use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

/// The longest argument that Linux takes, with its end.
const LONGEST_ARGUMENT: usize = 128 << 10;
/// The longest command line, with some room for the environment: systems take two MiB by default.
const LONGEST_LINE: usize = 1 << 20;

/// Arguments that are short enough for the system, with those that are too long in a file.
pub(super) struct ShortLine<'a> {
    args: Cow<'a, [String]>,
    /// The file with the arguments, which is removed when it has been read.
    file: Option<Utf8PathBuf>,
}

impl<'a> ShortLine<'a> {
    /// Makes the arguments of an invocation short enough for the system. Those that are too long are written to a
    /// file in its directory for temporary files, or where it starts.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub(super) fn of(invocation: &Invocation<'a>) -> std::io::Result<Self> {
        let args = invocation.args;
        let length: usize = args.iter().map(|arg| arg.len() + 1).sum();
        let is_short = args.iter().all(|arg| arg.len() < LONGEST_ARGUMENT - 1);
        // A line break would end an argument.
        let is_listed = args.iter().all(|arg| !arg.contains('\n'));
        if is_short && length <= LONGEST_LINE || !is_listed {
            return Ok(Self {
                args: Cow::Borrowed(args),
                file: None,
            });
        }
        static FILES: AtomicU64 = AtomicU64::new(0);
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let temporary = invocation.env.get("TMPDIR").map(Utf8Path::new);
        let directory = temporary
            .filter(|dir| dir.is_dir())
            .unwrap_or(invocation.dir);
        let file = directory.join(format!(".arguments-{}-{number}", std::process::id()));
        std::fs::write(&file, args.join("\n"))?;
        Ok(Self {
            args: Cow::Owned(vec![format!("@{file}")]),
            file: Some(file),
        })
    }

    /// Returns the invocation with these shortened arguments.
    pub(super) fn of_invocation<'b>(&'b self, invocation: &Invocation<'b>) -> Invocation<'b> {
        Invocation {
            args: &self.args,
            bounds: invocation.bounds.clone(),
            ..*invocation
        }
    }
}

impl Drop for ShortLine<'_> {
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            // Its directory is emptied some time, too.
            let _gone = std::fs::remove_file(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::process::{Bounds, run};
    use reduce_platform::Cancel;
    use std::collections::BTreeMap;
    use std::time::Duration;

    #[test]
    fn arguments_that_are_too_long_are_handed_over_in_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let check = |args: &[String], expected: &str| {
            // It prints how much it is given, and the file if it is given one.
            let script = "#!/bin/sh\necho $#; case \"$1\" in @*) cat \"${1#@}\" | wc -c;; esac";
            let program = dir.join("program");
            std::fs::write(&program, script).unwrap();
            let data = std::fs::File::open(&program).unwrap();
            reduce_platform::files::make_executable(&data).unwrap();
            drop(data);
            let invocation = Invocation {
                program: &program,
                args,
                env: &BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
                dir,
                bounds: Bounds::of_time(Duration::from_secs(60), 1 << 10),
                confinement: None,
            };
            let outcome = run(&invocation, &Cancel::new().unwrap()).unwrap();
            let words: Vec<&str> = outcome.stdout.split_whitespace().collect();
            assert_eq!(words.join(" "), expected);
            assert_eq!(dir.read_dir_utf8().unwrap().count(), 1);
        };
        check(&["a".to_owned(), "b".to_owned()], "2");
        check(&["a".to_owned(), "b".repeat(200_000)], "1 200002");
        check(&vec!["c".repeat(9); 200_000], "1 1999999");
    }
}
