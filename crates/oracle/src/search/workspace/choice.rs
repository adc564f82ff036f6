//! Chooses the target of a workspace that is reduced, where no compiler call says so: the one that the user has
//! selected, that the command names, that its output names, and else what there is.

use super::command::selection as selection_words;
use super::{TargetAt, Workspace};
use crate::compiler::target::{PackageInput, TargetSelection};
use crate::error::OracleError;
use crate::search::original::CargoTarget;
use crate::system::snapshot::Snapshot;
use crate::test_name::BinaryId;
use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{Package, Target, TargetKind};

/// The target of the workspace that was chosen to be reduced.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) name: String,
    pub(crate) edition: String,
    /// The crate root, absolute.
    pub(crate) root: Utf8PathBuf,
    /// The package's directory, absolute.
    pub(crate) directory: Utf8PathBuf,
}

/// The package and target that a command or an output names, where it names them.
#[derive(Debug, Default, PartialEq, Eq)]
struct Named {
    package: Option<String>,
    target: TargetSelection,
}

impl Workspace {
    /// Chooses the target to reduce; `args` are those of a cargo command, and `output` is what cargo printed when it
    /// failed.
    ///
    /// # Errors
    /// [`OracleError::NoTarget`].
    pub(crate) fn choose(
        &self,
        input: &PackageInput,
        args: &[String],
        output: &str,
    ) -> Result<Chosen, OracleError> {
        let given = Named {
            package: input.package.clone(),
            target: input.target.clone(),
        };
        let named = given.or(Named::of_args(args)).or(Named::of_output(output));
        let package = self.package(named.package.as_deref())?;
        let target = target(package, &named.target)?;
        let manifest = &package.manifest_path;
        Ok(Chosen {
            name: target.name.replace('-', "_"),
            edition: target.edition.to_string(),
            root: target.src_path.clone(),
            directory: manifest.parent().unwrap_or(manifest).to_owned(),
        })
    }

    /// Returns the target with this crate root, as the user selects it; `input` has the user's other choices. `None`
    /// where there is none.
    pub(crate) fn cargo_target(
        &self,
        root: &Utf8Path,
        input: &PackageInput,
    ) -> Option<CargoTarget> {
        let TargetAt {
            package, target, ..
        } = self.target_at(root)?;
        let name = target.name.clone();
        let (selection, part) = match target.kind.first()? {
            TargetKind::Bin => (TargetSelection::Bin(name.clone()), format!("bin/{name}")),
            TargetKind::Test => (TargetSelection::Test(name.clone()), name),
            TargetKind::Example => (
                TargetSelection::Example(name.clone()),
                format!("example/{name}"),
            ),
            TargetKind::Bench => (
                TargetSelection::Bench(name.clone()),
                format!("bench/{name}"),
            ),
            _ => (TargetSelection::Lib, String::new()),
        };
        let id = match part.is_empty() {
            true => package.to_owned(),
            false => format!("{package}::{part}"),
        };
        let selected = self.selecting(package, selection, input)?;
        let mut words = selection_words(&selected);
        if let Some(manifest) = &input.manifest_path {
            words.extend(["--manifest-path".to_owned(), manifest.to_string()]);
        }
        Some(CargoTarget {
            id: BinaryId(id),
            words,
            rustc_args: input.rustc_args.clone(),
        })
    }

    /// Returns the input with nothing selected but this target of a workspace member, whose package is named only
    /// where it has to be.
    pub(super) fn selecting(
        &self,
        package: &str,
        target: TargetSelection,
        input: &PackageInput,
    ) -> Option<PackageInput> {
        let members = self.metadata.workspace_packages();
        let member = members.iter().find(|one| one.name == package)?;
        let is_named = input.package.is_some() || member.manifest_path != self.manifest;
        Some(PackageInput {
            package: is_named.then(|| package.to_owned()),
            target,
            ..input.clone()
        })
    }

    /// Returns the directory of the selected package in the copy of the workspace.
    ///
    /// # Errors
    /// [`OracleError::NoTarget`].
    pub(crate) fn directory(
        &self,
        input: &PackageInput,
        snapshot: &Snapshot,
    ) -> Result<Utf8PathBuf, OracleError> {
        let manifest = &self.package(input.package.as_deref())?.manifest_path;
        let directory = manifest.parent().unwrap_or(manifest);
        Ok(snapshot
            .place_of(directory)
            .unwrap_or_else(|| directory.to_owned()))
    }

    /// Returns the package of this name, else that of the manifest, else the only one.
    fn package(&self, name: Option<&str>) -> Result<&Package, OracleError> {
        let all = self.metadata.workspace_packages();
        let own = |package: &&&Package| package.manifest_path == self.manifest;
        let found = match name {
            Some(name) => all
                .iter()
                .find(|package| package.name == package_name(name)),
            None => all
                .iter()
                .find(own)
                .or(all.first().filter(|_| all.len() == 1)),
        };
        found.copied().ok_or_else(|| OracleError::NoTarget {
            what: "a package",
            known: all.iter().map(|package| package.name.to_string()).collect(),
        })
    }
}

/// Returns the name of a package, which may be named with its version, `NAME@1.0`.
pub(super) fn package_name(spec: &str) -> &str {
    spec.split(['@', ':']).next().unwrap_or(spec)
}

/// Returns the selected target of a package, else its library, else its only program.
fn target<'p>(package: &'p Package, named: &TargetSelection) -> Result<&'p Target, OracleError> {
    let of_kind = |kind: TargetKind| {
        package
            .targets
            .iter()
            .filter(move |one| one.is_kind(kind.clone()))
    };
    let called = |kind: TargetKind, name: &str| of_kind(kind).find(|one| one.name == name);
    let library = || package.targets.iter().find(|one| is_library(one));
    let only_program = || {
        let mut programs = of_kind(TargetKind::Bin);
        programs.next().filter(|_| programs.next().is_none())
    };
    let found = match named {
        TargetSelection::Default => library().or_else(only_program),
        TargetSelection::Lib | TargetSelection::Doc => library(),
        TargetSelection::Bin(name) => called(TargetKind::Bin, name),
        TargetSelection::Test(name) => called(TargetKind::Test, name),
        TargetSelection::Example(name) => called(TargetKind::Example, name),
        TargetSelection::Bench(name) => called(TargetKind::Bench, name),
        TargetSelection::Fuzz { .. }
        | TargetSelection::Tests
        | TargetSelection::Benches
        | TargetSelection::AllTargets => None,
    };
    found.ok_or_else(|| OracleError::NoTarget {
        what: "a target",
        known: package.targets.iter().map(|one| one.name.clone()).collect(),
    })
}

fn is_library(target: &Target) -> bool {
    let others = [
        TargetKind::Bin,
        TargetKind::Test,
        TargetKind::Example,
        TargetKind::Bench,
        TargetKind::CustomBuild,
    ];
    !target.kind.iter().any(|kind| others.contains(kind))
}

impl Named {
    /// Returns these names, with those of `other` in place of what this one does not name.
    fn or(self, other: Self) -> Self {
        Self {
            package: self.package.or(other.package),
            target: match self.target {
                TargetSelection::Default => other.target,
                target => target,
            },
        }
    }

    fn of_args(args: &[String]) -> Self {
        let mut named = Self::default();
        let own = args.iter().take_while(|arg| *arg != "--");
        let mut words = own.flat_map(|arg| match arg.split_once('=') {
            Some((flag, value)) if arg.starts_with("--") => vec![flag, value],
            _ => vec![arg.as_str()],
        });
        while let Some(word) = words.next() {
            let target: fn(String) -> TargetSelection = match word {
                "--lib" | "--doc" => {
                    named.target = TargetSelection::Lib;
                    continue;
                }
                "-p" | "--package" => {
                    named.package = words.next().map(str::to_owned);
                    continue;
                }
                "--bin" => TargetSelection::Bin,
                "--test" => TargetSelection::Test,
                "--example" => TargetSelection::Example,
                "--bench" => TargetSelection::Bench,
                _ => continue,
            };
            named.target = words
                .next()
                .map_or(TargetSelection::Default, |name| target(name.to_owned()));
        }
        named
    }

    /// Returns the target that cargo's output says to run again, or that cargo could not compile.
    fn of_output(output: &str) -> Self {
        let named = output
            .lines()
            .filter_map(|line| of_rerun(line).or_else(|| of_compilation(line)));
        named.fold(Self::default(), Self::or)
    }
}

/// Reads a package and a target from a line such as ``error: test failed, to rerun pass `-p a --test b` ``.
fn of_rerun(line: &str) -> Option<Named> {
    let (_, rest) = line.split_once(", to rerun pass `")?;
    let (flags, _) = rest.rsplit_once('`')?;
    let words: Vec<String> = flags.split(' ').map(str::to_owned).collect();
    line.starts_with("error: ").then(|| Named::of_args(&words))
}

/// A target that cargo could not compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotCompiled {
    pub(crate) package: String,
    /// The target as the user selects it; `None` for a build script.
    pub(crate) target: Option<TargetSelection>,
    /// Whether the target was compiled with its own tests: a library, a program or an example.
    pub(crate) is_unit_test: bool,
}

impl NotCompiled {
    /// Returns the first target that cargo's output says could not be compiled: one for which the compiler crashes,
    /// or one that has errors. cargo counts errors alone.
    pub(crate) fn of_output(output: &str, crashes: bool) -> Option<Self> {
        let lines = output.lines();
        let mut fitting = lines.filter(|line| line.contains(" due to ") != crashes);
        fitting.find_map(Self::of_line)
    }

    /// Reads a target that does not compile from a line such as ``error: could not compile `a` (bin "b" test) due to
    /// ..``.
    fn of_line(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("error: could not compile `")?;
        let (package, rest) = rest.split_once('`')?;
        let described = rest.trim_start().strip_prefix('(').unwrap_or_default();
        let described = described.split(')').next().unwrap_or_default();
        let name = described.split('"').nth(1).unwrap_or_default().to_owned();
        let target = match described.split(' ').next() {
            Some("lib") => Some(TargetSelection::Lib),
            Some("bin") => Some(TargetSelection::Bin(name)),
            Some("test") => Some(TargetSelection::Test(name)),
            Some("example") => Some(TargetSelection::Example(name)),
            Some("bench") => Some(TargetSelection::Bench(name)),
            _ => None,
        };
        Some(Self {
            package: package.to_owned(),
            target,
            is_unit_test: described.ends_with(" test"),
        })
    }
}

fn of_compilation(line: &str) -> Option<Named> {
    let broken = NotCompiled::of_line(line)?;
    Some(Named {
        package: Some(broken.package),
        target: broken.target.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(package: &str, target: TargetSelection) -> Named {
        let package = Some(package.to_owned()).filter(|name| !name.is_empty());
        Named { package, target }
    }

    #[track_caller]
    fn check_args(line: &str, package: &str, target: TargetSelection) {
        let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
        assert_eq!(Named::of_args(&args), named(package, target), "{line}");
    }

    #[track_caller]
    fn check_output(line: &str, package: &str, target: TargetSelection) {
        assert_eq!(Named::of_output(line), named(package, target), "{line}");
    }

    #[test]
    fn a_command_names_its_target() {
        use TargetSelection::{Bench, Bin, Default, Example, Lib, Test};
        check_args("test --doc", "", Lib);
        check_args("test -p a --lib", "a", Lib);
        check_args("run --example=e --package=a", "a", Example("e".to_owned()));
        check_args("run --bin b -- --example e", "", Bin("b".to_owned()));
        check_args("nextest run --test t", "", Test("t".to_owned()));
        check_args("bench --bench b", "", Bench("b".to_owned()));
        check_args("build", "", Default);
        check_args("build --bin", "", Default);
    }

    #[test]
    fn a_failing_command_says_what_failed() {
        use TargetSelection::{Bench, Bin, Default, Lib, Test};
        let rerun = "error: test failed, to rerun pass `-p a --test t`";
        check_output(rerun, "a", Test("t".to_owned()));
        check_output("error: doctest failed, to rerun pass `--doc`", "", Lib);
        let compile = "error: could not compile `a` (bin \"b\" test) due to 1 previous error";
        check_output(compile, "a", Bin("b".to_owned()));
        let bench = "error: bench failed, to rerun pass `--bench b`";
        check_output(bench, "", Bench("b".to_owned()));
        check_output("error: could not compile `a` (lib test) due to", "a", Lib);
        check_output("error: could not compile `a` (build script)", "a", Default);
        check_output("error: could not compile `a`.", "a", Default);
        check_output("thread 'main' panicked", "", Default);
    }

    #[test]
    fn what_was_not_compiled_is_known_with_its_tests_or_without() {
        use TargetSelection::{Lib, Test};
        let table = [
            ("`a` (lib) due to 1 error", Some(Lib), false),
            ("`a` (lib test) due to 1 error", Some(Lib), true),
            (
                "`a` (test \"t\") due to 2 errors",
                Some(Test("t".to_owned())),
                false,
            ),
            ("`a` (build script)", None, false),
            ("`a`.", None, false),
        ];
        for (rest, target, is_unit_test) in table {
            let output = format!("   Compiling a\nerror: could not compile {rest}\n");
            let crashes = !rest.contains(" due to ");
            let broken = NotCompiled::of_output(&output, crashes).expect("it says so");
            assert_eq!(NotCompiled::of_output(&output, !crashes), None);
            assert_eq!(broken.package, "a");
            assert_eq!((broken.target, broken.is_unit_test), (target, is_unit_test));
        }
        assert_eq!(NotCompiled::of_output("error: none", true), None);
    }

    #[test]
    fn what_was_said_first_counts() {
        let first = named("", TargetSelection::Lib);
        let second = named("a", TargetSelection::Test("t".to_owned()));
        assert_eq!(first.or(second), named("a", TargetSelection::Lib));
    }

    #[test]
    fn a_package_may_be_named_with_its_version() {
        assert_eq!(package_name("a@1.0.2"), "a");
        assert_eq!(package_name("a:1.0"), "a");
        assert_eq!(package_name("a-b"), "a-b");
    }
}
