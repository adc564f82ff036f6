//! The calls that made compiled dependencies, kept beside these: in a later run cargo takes what is
//! compiled already, and there is no call to be seen.
//!
//! The call that made `TARGET/debug/deps/libx-1.rlib` is in `TARGET/.calls/debug/deps/libx-1.json`, and that of the program
//! `TARGET/debug/deps/y-2` in `TARGET/.calls/debug/deps/y-2.json`;
//! it goes when the directory goes. Members of the workspace are compiled in a copy of it, which has
//! another place in each run; so the copy's place is kept too, and replaced by the present one.
//!
//! Calls are kept when cargo is done. If we are killed before, nobody knows what is compiled
//! without one: `TARGET.unfinished` says so, and all is compiled anew.

use crate::compiler::args;
use crate::compiler::capture::Record;
use crate::error::OracleError;
use crate::system::files;
use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

/// The name of the directory of calls, in that to which cargo compiles.
const DIRECTORY: &str = ".calls";

/// A kept compiler call, and the directory in which the copy of the workspace was then.
#[derive(Serialize, Deserialize)]
struct Kept {
    tree: Utf8PathBuf,
    record: Record,
}

/// The calls that were kept in all the directories to which cargo compiles for us.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Calls<'a> {
    /// The directory that has the directories to which cargo compiles.
    pub(crate) builds: &'a Utf8Path,
    /// The directory in which the copy of the workspace is now.
    pub(crate) tree: &'a Utf8Path,
}

impl Calls<'_> {
    /// Returns the call that made an artifact. `None` where nobody knows, or not any more.
    pub(crate) fn of(&self, artifact: &Utf8Path) -> Option<Record> {
        let text = files::read(&place(artifact, &self.target(artifact)?)?).ok()?;
        let kept: Kept = serde_json::from_str(&text).ok()?;
        Some(kept.record.moved(&kept.tree, self.tree))
    }

    /// Returns the artifacts in a directory whose calls were kept, in order and without their extensions; none where the
    /// directory is not one to which cargo compiled for us.
    ///
    /// # Errors
    /// Where the directory of the calls cannot be read.
    pub(crate) fn artifacts_in(
        &self,
        directory: &Utf8Path,
    ) -> Result<Vec<Utf8PathBuf>, OracleError> {
        let calls = self.target(directory).and_then(|target| {
            let inner = directory.strip_prefix(&target).ok()?;
            Some(target.join(DIRECTORY).join(inner))
        });
        let Some(calls) = calls.filter(|calls| calls.is_dir()) else {
            return Ok(Vec::new());
        };
        let names = files::entries(&calls)?.into_iter().filter_map(|entry| {
            let name = entry.file_name().strip_suffix(".json")?;
            Some(directory.join(name))
        });
        Ok(names.collect())
    }

    /// Returns the target directory of cargo in which an artifact lies.
    fn target(&self, artifact: &Utf8Path) -> Option<Utf8PathBuf> {
        let inner = artifact.strip_prefix(self.builds).ok()?;
        Some(self.builds.join(inner.components().next()?))
    }
}

/// Notes that cargo is about to compile to a directory.
pub(crate) fn begin(target: &Utf8Path) -> Result<(), OracleError> {
    files::write(&unfinished(target), "")
}

/// Notes that all calls of cargo are kept.
pub(crate) fn finish(target: &Utf8Path) -> Result<(), OracleError> {
    files::remove(&unfinished(target))
}

/// Removes a directory to which cargo compiled, if not all calls were kept.
pub(crate) fn forget_unfinished(target: &Utf8Path) -> Result<(), OracleError> {
    if unfinished(target).is_file() && target.is_dir() {
        files::remove_all(target)?;
    }
    finish(target)
}

/// Returns the path of the mark of a directory whose calls are not all kept. The mark lies beside the
/// directory, as cargo marks that for others when cargo makes it itself.
fn unfinished(target: &Utf8Path) -> Utf8PathBuf {
    target.with_extension("unfinished")
}

/// Keeps a call in the directory to which cargo compiles, if it made something that can be linked, or a program.
/// The environment is kept as it is: what is the user's own should have been left out.
pub(crate) fn keep(record: &Record, target: &Utf8Path, tree: &Utf8Path) -> Result<(), OracleError> {
    let made = artifact(record).or_else(|| program(record));
    let made = made.and_then(|made| place(&made, target));
    let Some(place) = made else {
        return Ok(());
    };
    let kept = Kept {
        tree: tree.to_owned(),
        record: record.clone(),
    };
    let text = serde_json::to_string(&kept).expect("strings and numbers have a JSON form");
    // It is there as a whole or not at all, and never a mixture of an old and a new one.
    files::put(&place, |part| files::write(part, &text))
}

/// Returns the path of the file that a call made, without an extension. Nothing links a binary or a
/// test, and a call that says nothing of where its output goes was a question about the compiler.
pub(crate) fn artifact(record: &Record) -> Option<Utf8PathBuf> {
    let groups = args::groups(&record.args);
    let is_executable =
        args::is_test(&record.args) || args::has_value(&record.args, "--crate-type", "bin");
    let name = args::value(&record.args, "--crate-name")?;
    let directory = args::value(&record.args, "--out-dir")?;
    let extra = groups
        .iter()
        .rfind(|group| group.is_codegen("extra-filename"))
        .and_then(|group| group.value.split_once('='))
        .map_or("", |(_, extra)| extra);
    let made = record.cwd.join(directory).join(format!("lib{name}{extra}"));
    (record.code == Some(0) && !is_executable).then(|| normal(&made))
}

/// Returns the path of the program that a call made, if it made one. A test is none.
pub(crate) fn program(record: &Record) -> Option<Utf8PathBuf> {
    let made = args::executable(&record.args, &record.cwd)?;
    (record.code == Some(0) && !args::is_test(&record.args)).then(|| normal(&made))
}

/// Returns the file in which the call that made an artifact is kept; `None` for an artifact that lies
/// elsewhere.
fn place(artifact: &Utf8Path, target: &Utf8Path) -> Option<Utf8PathBuf> {
    let inner = artifact.strip_prefix(target).ok()?;
    (!inner.as_str().is_empty()).then(|| target.join(DIRECTORY).join(inner).with_extension("json"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn record(args: &str, code: i32) -> Record {
        Record {
            program: "rustc".to_owned(),
            args: shlex::split(args).unwrap(),
            env: BTreeMap::from([("CARGO_MANIFEST_DIR".to_owned(), "/one/a".to_owned())]),
            cwd: "/one".into(),
            code: Some(code),
            signal: None,
            timed_out: false,
            wrappers: vec![],
        }
    }

    #[test]
    fn libraries_and_macros_have_an_artifact_and_nothing_else_has() {
        let check = |args: &str, code: i32, expected: Option<&str>| {
            let made = artifact(&record(args, code));
            assert_eq!(made.as_deref(), expected.map(Utf8Path::new), "{args}");
        };
        let lib = "--crate-name a a.rs --crate-type lib --out-dir /t/deps";
        check(lib, 0, Some("/t/deps/liba"));
        check(lib, 101, None);
        let hashed = format!("{lib} -C metadata=1 -C extra-filename=-2");
        check(&hashed, 0, Some("/t/deps/liba-2"));
        let hashed = lib.replace("lib", "proc-macro") + " -Cextra_filename=-3";
        check(&hashed, 0, Some("/t/deps/liba-3"));
        let relative = "--crate-name=a a.rs --out-dir=../t/./deps";
        check(relative, 0, Some("/t/deps/liba"));
        check(&lib.replace("lib", "bin"), 0, None);
        check(&format!("{lib} --test"), 0, None);
        check("--crate-name ___ - --print=cfg", 0, None);
        check("-vV", 0, None);
    }

    #[test]
    fn a_binary_is_a_program_and_a_test_of_one_is_none() {
        let check = |args: &str, code: i32, expected: Option<&str>| {
            let made = program(&record(args, code));
            assert_eq!(made.as_deref(), expected.map(Utf8Path::new), "{args}");
        };
        let bin = "--crate-name a a.rs --crate-type bin --emit=dep-info,link -Cextra-filename=-4 --out-dir /t/deps";
        check(bin, 0, Some("/t/deps/a-4"));
        check(bin, 101, None);
        check(&format!("{bin} --test"), 0, None);
        check(&bin.replace("bin", "lib"), 0, None);
    }

    #[test]
    fn a_call_that_was_kept_is_found_for_metadata_and_library_in_another_copy() {
        let dir = tempfile::tempdir().unwrap();
        let builds = Utf8Path::from_path(dir.path()).unwrap();
        let target = builds.join("key");
        let deps = target.join("debug/deps");
        let line = format!("--crate-name a a/lib.rs -L /one/x --out-dir {deps}");
        keep(
            &record("--crate-name a --out-dir /t", 0),
            &target,
            "/".into(),
        )
        .unwrap();
        keep(&record(&line, 0), &target, "/zero".into()).unwrap();
        keep(&record(&line, 0), &target, "/one".into()).unwrap();
        let calls = Calls {
            builds,
            tree: "/two".into(),
        };
        let found = calls.of(&deps.join("liba.rmeta")).unwrap();
        assert_eq!(calls.of(&deps.join("liba.rlib")).unwrap(), found);
        assert_eq!(found.args[4], "/two/x");
        assert_eq!(found.cwd, "/two");
        assert_eq!(found.env["CARGO_MANIFEST_DIR"], "/two/a");
        for other in [
            "key/debug/liba.rlib",
            "other/debug/deps/liba.rlib",
            "",
            "key",
        ] {
            assert_eq!(calls.of(&builds.join(other)), None, "{other}");
        }
        assert_eq!(calls.of("/t/liba.rlib".into()), None);
    }

    #[test]
    fn what_was_not_finished_is_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let target = Utf8Path::from_path(dir.path()).unwrap().join("key");
        let made = target.join("debug/liba.rlib");
        files::write(&made, "").unwrap();
        forget_unfinished(&target).unwrap();
        begin(&target).unwrap();
        finish(&target).unwrap();
        forget_unfinished(&target).unwrap();
        assert!(made.is_file());
        begin(&target).unwrap();
        forget_unfinished(&target).unwrap();
        assert!(!target.exists());
        begin(&target).unwrap();
        forget_unfinished(&target).unwrap();
        assert_eq!(files::entries(target.parent().unwrap()).unwrap().len(), 0);
    }

    #[test]
    fn what_is_not_understood_is_not_known() {
        let dir = tempfile::tempdir().unwrap();
        let builds = Utf8Path::from_path(dir.path()).unwrap();
        files::write(&builds.join("key/.calls/liba.json"), "{").unwrap();
        let calls = Calls {
            builds,
            tree: builds,
        };
        assert_eq!(calls.of(&builds.join("key/liba.rlib")), None);
    }
}
