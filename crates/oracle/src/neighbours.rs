//! Neighbouring compilers: the user's other toolchains. Where the compiler that is asked crashes, one of them may not, and
//! says whether the program is valid. That is told in the report alone, and no candidate is refused for it.

use crate::compiler::target::Surroundings;
use crate::compiler::toolchain::{Compiler, Other, release};
use crate::demands::Demand;
use crate::error::OracleError;
use crate::observed::crash::Observation;
use crate::plan::companion::Companion;
use crate::plan::{Plan, Sources};
use crate::system::files;
use crate::system::process::Ending;
use crate::worker::Worker;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// So many are asked at most.
const MOST_ASKED: usize = 4;
/// `#![feature]` is not allowed: the compiler is too stable for the program, which says nothing of the rest of it.
const FEATURE_REFUSED: &str = "E0554";
/// How an error begins that is about a flag of the call.
const FLAG_REFUSED: &str = "unknown ";

/// What a compiler that does not crash says of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbour {
    /// How a person calls it, such as `rustc +nightly`.
    pub command: String,
    /// The first line of its version.
    pub version: String,
    /// The code or the message of the first error that it reports; `None` where the program compiles.
    pub error: Option<String>,
}

/// What the newest of the user's other compilers that does not crash says of a program, and how many of them were asked.
/// Nothing where the program links compiled crates, which another compiler cannot read. `dir` is emptied.
///
/// # Errors
/// When files cannot be written, or on cancellation.
pub fn ask_neighbours(
    dir: &Utf8Path,
    plan: &Plan,
    sources: &Sources,
    user: &Surroundings,
    cancel: &Cancel,
) -> Result<(Option<Neighbour>, u64), OracleError> {
    let mut n_asked = 0;
    if !plan.extern_files().is_empty() {
        return Ok((None, n_asked));
    }
    let others = installed(&plan.call.compiler, user, cancel);
    for compiler in others.into_iter().take(MOST_ASKED) {
        n_asked += 1;
        let (command, version) = (compiler.command.clone(), compiler.version().to_owned());
        let seen = see(dir, plan, compiler, sources, cancel)?;
        if let Some(error) = judgement(&seen) {
            let neighbour = Neighbour {
                command,
                version,
                error,
            };
            return Ok((Some(neighbour), n_asked));
        }
    }
    Ok((None, n_asked))
}

/// The user's other compilers, the newest first.
fn installed(asked: &Compiler, user: &Surroundings, cancel: &Cancel) -> Vec<Compiler> {
    let found = toolchains(user).into_iter().filter_map(|directory| {
        let other = Other::find(directory.as_str(), user, cancel).ok()?;
        Some(other.toolchain.compiler)
    });
    let mut all: Vec<Compiler> = found.collect();
    all.sort_by_key(|one| {
        std::cmp::Reverse((release_numbers(&one.verbose_version), one.command.clone()))
    });
    all.dedup_by(|one, other| one.verbose_version == other.verbose_version);
    all.retain(|one| one.verbose_version != asked.verbose_version);
    all
}

/// The directories of rustup's toolchains.
pub(crate) fn toolchains(user: &Surroundings) -> Vec<Utf8PathBuf> {
    let named = user.vars.get("RUSTUP_HOME").map(Utf8PathBuf::from);
    let home = || Some(Utf8Path::new(user.vars.get("HOME")?).join(".rustup"));
    let directory = named.or_else(home).map(|home| home.join("toolchains"));
    let entries = directory.and_then(|directory| files::entries(&directory).ok());
    let paths = entries.unwrap_or_default().into_iter();
    paths.map(camino::Utf8DirEntry::into_path).collect()
}

/// The numbers of a release such as `1.97.0-nightly`, as `rustc -vV` prints it.
fn release_numbers(verbose_version: &str) -> Vec<u32> {
    let release = release(verbose_version).unwrap_or_default();
    let numbers = release.split(['.', '-']);
    numbers.map_while(|number| number.parse().ok()).collect()
}

/// What another compiler shows of a program.
fn see(
    dir: &Utf8Path,
    plan: &Plan,
    compiler: Compiler,
    sources: &Sources,
    cancel: &Cancel,
) -> Result<Observation, OracleError> {
    let mut plan = plan.with_companions(Vec::new());
    let companion = Companion::new(Some(compiler), Demand::Compiles, &plan);
    plan.add_companion(companion);
    let edited: BTreeSet<Utf8PathBuf> = sources.keys().cloned().collect();
    let mut worker = Worker::new(dir.to_owned(), &plan, &edited)?;
    let seen = worker.see_companion_of(&plan, 0, sources, cancel)?;
    match seen.outcome.ending {
        Ending::Cancelled => Err(OracleError::Cancelled),
        _ => Ok(Observation::of(&seen.outcome)),
    }
}

/// The first error within, or none within where the program compiles; none at all where the compiler crashes too, does not
/// come to an end, or does not take such a program.
fn judgement(seen: &Observation) -> Option<Option<String>> {
    let is_refused = |error: &String| error == FEATURE_REFUSED || error.starts_with(FLAG_REFUSED);
    if !seen.crashes.is_empty() || seen.errors.iter().any(is_refused) {
        return None;
    }
    match (seen.errors.first(), seen.ending) {
        (Some(error), _) => Some(Some(error.clone())),
        (None, Ending::Exited(0)) => Some(None),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    fn observation(ending: Ending, errors: &[&str]) -> Observation {
        Observation {
            ending,
            crashes: Vec::new(),
            errors: errors.iter().map(|&error| error.to_owned()).collect(),
            duration: Duration::ZERO,
        }
    }

    #[test]
    fn errors_are_told_and_what_says_nothing_is_not() {
        let says = |ending, errors: &[&str]| judgement(&observation(ending, errors));
        assert_eq!(says(Ending::Exited(0), &[]), Some(None));
        let error = Some(Some("E0308".to_owned()));
        assert_eq!(says(Ending::Decided, &["E0308", "E0425"]), error);
        assert_eq!(says(Ending::Exited(1), &["E0554", "E0308"]), None);
        let flag = ["unknown unstable option: `next-solver`"];
        assert_eq!(says(Ending::Exited(1), &flag), None);
        assert_eq!(says(Ending::TimedOut, &[]), None);
    }

    #[test]
    fn a_later_release_is_newer_whatever_it_is_called() {
        let of =
            |release_: &str| release_numbers(&format!("rustc\nhost: x\nrelease: {release_}\n"));
        assert!(of("1.97.0-nightly") > of("1.95.1"));
        assert!(of("1.100.0") > of("1.97.0-nightly"));
        assert_eq!(release_numbers("no compiler"), Vec::<u32>::new());
    }

    /// A toolchain whose compiler has this version.
    fn toolchain(home: &Utf8Path, name: &str, version: &str) {
        let bin = home.join("toolchains").join(name).join("bin");
        files::make_dir(&bin).unwrap();
        let script = format!("#!/bin/sh\nprintf 'rustc {version}\\nrelease: {version}\\n'\n");
        let compiler = bin.join("rustc");
        std::fs::write(&compiler, script).unwrap();
        std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn compilers_come_with_the_newest_first_and_without_the_one_that_crashes() {
        let home = tempfile::tempdir().unwrap();
        let home = Utf8Path::from_path(home.path()).unwrap();
        for (name, version) in [("a", "1.90.0"), ("b", "1.97.0-nightly"), ("c", "1.95.0")] {
            toolchain(home, name, version);
        }
        let mut user = Surroundings::of_tests();
        user.vars.insert("RUSTUP_HOME".to_owned(), home.to_string());
        let cancel = Cancel::new().unwrap();
        let asked = home.join("toolchains/c/bin/rustc");
        let asked = Compiler::find(&asked, &user, &cancel).unwrap();
        let all = installed(&asked, &user, &cancel);
        let versions: Vec<&str> = all.iter().map(Compiler::version).collect();
        assert_eq!(versions, ["rustc 1.97.0-nightly", "rustc 1.90.0"]);
    }
}
