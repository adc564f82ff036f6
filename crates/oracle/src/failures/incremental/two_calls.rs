//! Two compiler calls for each candidate: the second one goes on from what the first one has left behind.

use crate::check::program::both;
use crate::check::{AnyCheck, Bench, Check, Seen, form};
use crate::compiler::args;
use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::plain_tests::BothVersions;
use crate::plan::companion::TwoVersions;
use crate::plan::one_call::FlagsOfOneCall;
use crate::system::files;
use crate::system::process::{Ending, Outcome};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

/// The name of the directory that is kept from one call to the next, below that of the compiled files.
const DIRECTORY: &str = "incremental";

/// The check that compiles a candidate twice with the same incremental directory, which is empty at first.
#[derive(Debug, Clone, Serialize)]
pub(super) struct TwoCalls {
    /// The names of the two versions; absent where the same program is compiled twice.
    pub(super) versions: Option<Names>,
    /// The way in which the first call has to end.
    pub(super) first: First,
    /// The crates that the first call links in place of those of the second.
    pub(super) dependencies: Option<Dependencies>,
    /// The flags that only one of the two compiler calls has.
    #[serde(skip_serializing_if = "FlagsOfOneCall::is_empty")]
    pub(super) flags: FlagsOfOneCall,
    /// The files of the two versions, where each is compiled by itself; absent where both calls read the
    /// same text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) apart: Option<Apart>,
}

/// The function by which each call reads a text of its own, without the attributes of the two versions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Apart(pub(super) BothVersions);

impl Serialize for Apart {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("two files")
    }
}

/// A file that differs between the two versions, with the text of each.
struct Divided {
    path: Utf8PathBuf,
    whole: String,
    before: String,
    after: String,
}

impl Apart {
    /// Returns the files of a candidate that are not the same in both versions.
    fn divided(self, bench: &dyn Bench) -> Result<Vec<Divided>, OracleError> {
        let files = bench.files().into_iter();
        // A module that was put into another file is not there any more.
        let is_there = |path: &Utf8PathBuf| bench.tree().join(path).is_file();
        let sources = files.filter(|path| path.extension() == Some("rs") && is_there(path));
        let divided = sources.map(|path| {
            let whole = files::read(&bench.tree().join(path))?;
            let [before, after] = (self.0)(&whole);
            Ok((before != after).then(|| Divided {
                path: path.clone(),
                whole,
                before,
                after,
            }))
        });
        divided.filter_map(Result::transpose).collect()
    }
}

/// Writes one text of each file that differs between the two versions.
fn lay_out(
    bench: &dyn Bench,
    divided: &[Divided],
    form: impl Fn(&Divided) -> &str,
) -> Result<(), OracleError> {
    divided
        .iter()
        .try_for_each(|file| files::write_below(bench.tree(), &file.path, form(file)))
}

/// The names that `--cfg` sets to choose the one or the other version of a text.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Names {
    before: String,
    after: String,
}

impl From<TwoVersions<'_>> for Names {
    fn from(names: TwoVersions<'_>) -> Self {
        Self {
            before: names.before.to_owned(),
            after: names.after.to_owned(),
        }
    }
}

/// The way in which the first of two compiler calls must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) enum First {
    Compiles,
    HasErrors,
}

impl First {
    fn is_of(self, outcome: &Outcome, seen: &Observation) -> bool {
        let is_success = outcome.ending == Ending::Exited(0);
        match self {
            Self::Compiles => is_success,
            Self::HasErrors => {
                let has_ended = matches!(outcome.ending, Ending::Exited(_));
                has_ended && !is_success && seen.crashes.is_empty()
            }
        }
    }
}

/// Compiled dependencies that are not the same in both versions.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Dependencies {
    /// The directory of the first call's dependencies.
    pub(super) before: Utf8PathBuf,
    /// The directory of the second call's dependencies.
    pub(super) after: Utf8PathBuf,
    /// The digest of the first call's dependencies.
    pub(super) digest: String,
}

impl Dependencies {
    /// Returns the path of the first call's dependencies that stands for a path of the second call's.
    fn before(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let inner = path.strip_prefix(&self.after).ok()?;
        Some(match inner.as_str().is_empty() {
            true => self.before.clone(),
            false => self.before.join(inner),
        })
    }
}

impl TwoCalls {
    /// Returns the arguments of the first call, which compiles the version before, without an incremental directory.
    pub(super) fn args_before(&self, args: &[String]) -> Vec<String> {
        let mut args = self.without_version(&self.flags.first_args(args));
        if let (Some(names), None) = (&self.versions, self.apart) {
            args.extend(["--cfg".to_owned(), names.before.clone()]);
        }
        if let Some(dependencies) = &self.dependencies {
            args = args::with_dependencies(&args, &|path| dependencies.before(path));
        }
        args
    }

    /// Returns the arguments of the second call, which compiles the version after.
    fn args_after(&self, args: &[String]) -> Vec<String> {
        match self.apart {
            Some(_) => self.without_version(args),
            None => args.to_vec(),
        }
    }

    /// Removes the argument that chooses the version after.
    fn without_version(&self, args: &[String]) -> Vec<String> {
        let Some(names) = &self.versions else {
            return args.to_vec();
        };
        let groups = args::groups(args).into_iter();
        let is_after = |group: &args::ArgGroup| group.name == "--cfg" && group.value == names.after;
        args::without(args, &groups.filter(is_after).collect::<Vec<_>>())
    }

    /// Makes both compiler calls, and calls `between` after the first one.
    fn run_both(
        &self,
        bench: &mut dyn Bench,
        args: &[String],
        between: impl FnOnce(&dyn Bench) -> Result<(), OracleError>,
    ) -> Result<Seen, OracleError> {
        let (first, seen) = self.run_first(bench, args)?;
        if !self.first.is_of(&first, &seen) {
            bench.clean_up()?;
            // A crash of this call is another one.
            let seen = Observation {
                crashes: vec![],
                ..seen
            };
            return Ok((first, seen));
        }
        between(bench)?;
        let second = bench.compile(&keeping(bench, self.args_after(args)))?;
        bench.clean_up()?;
        let seen = Observation::of(&second);
        Ok((both(&first, second), seen))
    }

    /// Makes the first of the two compiler calls alone, which reads the same files as in [`TwoCalls::run_both`].
    fn run_first_alone(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        let divided = self.divided(bench)?;
        lay_out(bench, &divided, |file| &file.before)?;
        let seen = self.run_first(bench, args);
        lay_out(bench, &divided, |file| &file.whole)?;
        bench.clean_up()?;
        seen
    }

    fn divided(&self, bench: &dyn Bench) -> Result<Vec<Divided>, OracleError> {
        self.apart
            .map_or(Ok(Vec::new()), |apart| apart.divided(bench))
    }

    /// Makes the first of the two compiler calls, which leaves an incremental directory for the second.
    fn run_first(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        let args = keeping(bench, self.args_before(args));
        let outcome = bench.compile_first(&args)?;
        let seen = Observation::of(&outcome);
        Ok((outcome, seen))
    }
}

/// Adds to the arguments the incremental directory that both calls use.
fn keeping(bench: &dyn Bench, mut args: Vec<String>) -> Vec<String> {
    args.push(format!("-Cincremental={}", bench.out().join(DIRECTORY)));
    args
}

impl Check for TwoCalls {
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        let divided = self.divided(bench)?;
        lay_out(bench, &divided, |file| &file.before)?;
        let ran = self.run_both(bench, args, |bench| {
            lay_out(bench, &divided, |file| &file.after)
        });
        // The next candidate is compared with what was written.
        lay_out(bench, &divided, |file| &file.whole)?;
        ran
    }

    fn form(&self) -> String {
        form(&["incremental"], self)
    }

    fn may_stop_early(&self) -> bool {
        true
    }

    fn is_crash(&self) -> bool {
        true
    }

    fn first_call(&self, args: &[String]) -> Option<Vec<String>> {
        Some(self.args_before(args))
    }

    fn second_call(&self, args: &[String]) -> Option<Vec<String>> {
        Some(self.args_after(args))
    }

    fn linked_first(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        self.dependencies.as_ref()?.before(path)
    }

    fn linking_first_from(&self, before: &Utf8Path, after: &Utf8Path) -> Option<AnyCheck> {
        let mut check = self.clone();
        let dependencies = check.dependencies.as_mut()?;
        dependencies.before = before.to_owned();
        dependencies.after = after.to_owned();
        Some(AnyCheck::new(check))
    }

    fn has_versions_apart(&self) -> bool {
        self.apart.is_some()
    }

    fn with_versions(&self, names: TwoVersions<'_>) -> Option<AnyCheck> {
        let mut check = self.clone();
        check.versions.as_mut()?.clone_from(&Names::from(names));
        Some(AnyCheck::new(check))
    }

    fn has_errors_first(&self) -> bool {
        self.first == First::HasErrors
    }

    fn flags_of_one_call(&self) -> Option<&FlagsOfOneCall> {
        Some(&self.flags)
    }

    fn with_flags_of_one_call(&self, flags: FlagsOfOneCall) -> Option<AnyCheck> {
        let check = self.clone();
        Some(AnyCheck::new(Self { flags, ..check }))
    }

    fn versions(&self) -> Option<TwoVersions<'_>> {
        let names = self.versions.as_ref()?;
        Some(TwoVersions {
            before: &names.before,
            after: &names.after,
        })
    }
}

/// The check that makes the first of two calls, to see how it ends.
#[derive(Debug)]
pub(super) struct FirstCall(pub(super) TwoCalls);

impl Check for FirstCall {
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        self.0.run_first_alone(bench, args)
    }

    fn form(&self) -> String {
        form(&["first of"], &self.0)
    }

    fn is_crash(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::scripted::{Scripted, ended};

    const CRASH: &str = "thread 'rustc' (7) panicked at compiler/a.rs:1:2:\nodd\n";

    fn twice(first: First) -> TwoCalls {
        let names = TwoVersions {
            before: "before",
            after: "after",
        };
        TwoCalls {
            versions: Some(Names::from(names)),
            first,
            dependencies: None,
            flags: FlagsOfOneCall::default(),
            apart: None,
        }
    }

    fn crashed() -> Outcome {
        Outcome {
            stderr: CRASH.to_owned(),
            ..ended(Ending::Exited(101))
        }
    }

    /// Whether a crash is seen where the first call ends like this, and the second one crashes.
    fn shows(first: First, outcome: Outcome) -> bool {
        let mut bench = Scripted {
            compiled_first: outcome,
            ..Scripted::compiling(crashed())
        };
        let (_, seen) = twice(first).run(&mut bench, &[]).unwrap();
        !seen.crashes.is_empty()
    }

    #[test]
    fn the_first_call_ends_as_that_of_the_original() {
        assert!(shows(First::Compiles, ended(Ending::Exited(0))));
        assert!(!shows(First::Compiles, ended(Ending::Exited(1))));
        assert!(!shows(First::Compiles, crashed()));
        assert!(shows(First::HasErrors, ended(Ending::Exited(1))));
        assert!(!shows(First::HasErrors, ended(Ending::Exited(0))));
        assert!(!shows(First::HasErrors, crashed()));
        assert!(!shows(First::HasErrors, ended(Ending::TimedOut)));
    }

    #[test]
    fn the_calls_may_differ_in_flags() {
        let check = TwoCalls {
            flags: FlagsOfOneCall {
                before: vec!["-g".to_owned()],
                after: vec!["-Csave-temps".to_owned()],
            },
            ..twice(First::Compiles)
        };
        let mut bench = Scripted::compiling(crashed());
        let args = "lib.rs --cfg after -O -Csave-temps";
        let args: Vec<String> = args.split(' ').map(str::to_owned).collect();
        check.run(&mut bench, &args).unwrap();
        assert_eq!(
            bench.first_args.join(" "),
            "lib.rs -O -g --cfg before -Cincremental=/out/incremental"
        );
        assert!(check.form().contains("save-temps"));
        assert!(!twice(First::Compiles).form().contains("flags"));
    }

    #[test]
    fn the_calls_differ_in_the_version_and_what_that_links() {
        let check = TwoCalls {
            dependencies: Some(Dependencies {
                before: "/old/deps".into(),
                after: "/new/deps".into(),
                digest: String::new(),
            }),
            ..twice(First::Compiles)
        };
        let mut bench = Scripted::compiling(crashed());
        let args =
            "lib.rs --cfg after --cfg x --extern a=/new/deps/liba.rmeta -Ldependency=/new/deps";
        let args: Vec<String> = args.split(' ').map(str::to_owned).collect();
        check.run(&mut bench, &args).unwrap();
        assert_eq!(
            bench.first_args.join(" "),
            "lib.rs --cfg x --extern a=/old/deps/liba.rmeta -Ldependency=/old/deps --cfg before \
             -Cincremental=/out/incremental"
        );
        let (before, after) = ("deps-before".into(), "deps".into());
        let check = check.linking_first_from(before, after).unwrap();
        let args = ["lib.rs", "--cfg=deps", "-Ldependency=deps"].map(str::to_owned);
        let first = check.first_call(&args).unwrap();
        assert_eq!(
            first.join(" "),
            "lib.rs --cfg=deps -Ldependency=deps-before --cfg before"
        );
    }
}
