//! Compiles the package with another toolchain or in another version, and finds what its dependencies are compiled to
//! there.

use crate::compiler::args;
use crate::compiler::capture::Record;
use crate::compiler::target::PackageInput;
use crate::compiler::unit::calls::Calls;
use crate::error::OracleError;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::workspace::{Compiling, Workspace, as_typed};
use crate::system::snapshot::Snapshot;
use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The packages and targets that cargo was asked to compile when the failing call was found.
pub(in crate::baseline) struct Selected<'a> {
    pub(super) input: &'a PackageInput,
    pub(super) snapshot: &'a Snapshot,
    /// The user's workspace.
    pub(super) workspace: &'a Workspace,
    /// The cargo verb with its options.
    pub(super) verb: &'a [&'a str],
}

impl Selected<'_> {
    /// Returns the arguments of cargo, as a user would type them.
    pub(in crate::baseline) fn typed(&self) -> Vec<String> {
        let verb = self.verb.first().copied().unwrap_or_default();
        as_typed(verb, self.input)
    }

    /// Compiles the plan's dependencies with the toolchain of `there`, and returns the new path of each dependency by
    /// its old one. cargo compiles them in another directory, as compilers do not share one.
    pub(in crate::baseline) fn replaced(
        &self,
        plan: &Plan,
        there: &BaselineContext<'_>,
    ) -> Result<BTreeMap<Utf8PathBuf, Utf8PathBuf>, OracleError> {
        // The user's flags are for what fails, and the plan has them.
        let input = PackageInput {
            rustc_args: Vec::new(),
            ..self.input.clone()
        };
        let workspace = Workspace::find(&input, there)?;
        let selected = Selected {
            input: &input,
            ..*self
        };
        let record = selected.call_of(&workspace, plan, there)?;
        Ok(self.replaced_by(&record, plan, (there, there)))
    }

    /// Returns the call that cargo makes in a workspace for the crate that fails, whether the call succeeds
    /// or not.
    pub(in crate::baseline) fn call_of(
        &self,
        workspace: &Workspace,
        plan: &Plan,
        there: &BaselineContext<'_>,
    ) -> Result<Record, OracleError> {
        let may_fail = Compiling::MayFail;
        let records = workspace.calls(self.verb, may_fail, self.input, self.snapshot, there)?;
        let mut records = records.into_iter();
        let record = records.find(|record| is_same_crate(record, plan));
        record.ok_or_else(|| OracleError::NoFailure {
            wanted: "the same crate".to_owned(),
            command: self.typed().join(" "),
            output: format!("`{}` is not compiled there", plan.call.crate_name),
            compiles: false,
        })
    }

    /// Returns, for each compiled dependency of the plan, the one that another call for the same crate links in its
    /// place.
    pub(in crate::baseline) fn replaced_by(
        &self,
        record: &Record,
        plan: &Plan,
        (here, there): (&BaselineContext<'_>, &BaselineContext<'_>),
    ) -> BTreeMap<Utf8PathBuf, Utf8PathBuf> {
        let calls = |builds| Calls {
            builds,
            tree: &self.snapshot.tree,
        };
        let (here, there) = (calls(&here.builds), calls(&there.builds));
        // A path is one of here or of there.
        let links = |artifact: &Utf8Path| match links(&there, artifact) {
            found if found.is_empty() => links(&here, artifact),
            found => found,
        };
        let here = externs(&plan.call.args, &plan.inputs.tree.join(&plan.call.cwd));
        let linked_there = externs(&record.args, &record.cwd);
        matched(here, linked_there, &links)
    }
}

/// Whether a call is for the crate that fails: names alone do not tell a library from its tests.
fn is_same_crate(record: &Record, plan: &Plan) -> bool {
    let package = |env: &BTreeMap<String, String>| env.get("CARGO_PKG_NAME").cloned();
    let of = |args: &[String]| {
        let name = args::value(args, "--crate-name");
        let kind = args::value(args, "--crate-type").unwrap_or_else(|| "bin".to_owned());
        (name, kind, args::is_test(args))
    };
    package(&record.env) == package(&plan.call.env) && of(&record.args) == of(&plan.call.args)
}

/// Returns the direct dependencies of a compiled crate; none where it is a macro, which brings its own.
fn links(calls: &Calls<'_>, artifact: &Utf8Path) -> Vec<(String, Utf8PathBuf)> {
    let record = calls.of(artifact);
    let record = record.filter(|record| !args::is_proc_macro(&record.args));
    record.map_or_else(Vec::new, |record| externs(&record.args, &record.cwd))
}

fn externs(args: &[String], cwd: &Utf8Path) -> Vec<(String, Utf8PathBuf)> {
    let all = args::externs_with_files(args).into_iter();
    all.filter_map(|(name, path)| Some((name, normal(&cwd.join(path?)))))
        .collect()
}

/// Matches the dependencies of the plan, direct or not, with those that another compiler made of the same crates;
/// both by their paths without extensions. `links` are the crates that one was linked with, by the names that it has
/// for them.
fn matched(
    here: Vec<(String, Utf8PathBuf)>,
    there: Vec<(String, Utf8PathBuf)>,
    links: &dyn Fn(&Utf8Path) -> Vec<(String, Utf8PathBuf)>,
) -> BTreeMap<Utf8PathBuf, Utf8PathBuf> {
    let mut found = BTreeMap::new();
    let mut pending = pairs(here, there);
    while let Some((here, there)) = pending.pop() {
        if let Entry::Vacant(place) = found.entry(here.with_extension("")) {
            place.insert(there.with_extension(""));
            pending.extend(pairs(links(&here), links(&there)));
        }
    }
    found
}

fn pairs(
    here: Vec<(String, Utf8PathBuf)>,
    there: Vec<(String, Utf8PathBuf)>,
) -> Vec<(Utf8PathBuf, Utf8PathBuf)> {
    let there: BTreeMap<_, _> = there.into_iter().collect();
    let both = here.into_iter();
    both.filter_map(|(name, path)| Some((path, there.get(&name)?.clone())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn externs(line: &str) -> Vec<(String, Utf8PathBuf)> {
        let words = line.split_whitespace();
        let pairs = words.filter_map(|word| word.split_once('='));
        pairs
            .map(|(name, path)| (name.to_owned(), path.into()))
            .collect()
    }

    #[test]
    fn crates_are_matched_by_the_names_that_their_users_have_for_them() {
        let links = |path: &Utf8Path| {
            externs(match path.as_str() {
                "/h/liba-1.rmeta" => "base=/h/libb-2.rmeta lost=/h/libl-4.rmeta",
                "/o/liba-7.rmeta" => "base=/o/libb-8.rmeta",
                // In a circle, as no cargo would have it.
                "/h/libb-2.rmeta" => "a=/h/liba-1.rmeta",
                "/o/libb-8.rmeta" => "a=/o/liba-7.rmeta",
                _ => "",
            })
        };
        let here = externs("renamed=/h/liba-1.rmeta m=/h/libm-3.so x=/h/libx-5.rlib");
        let there = externs("m=/o/libm-9.so renamed=/o/liba-7.rmeta y=/o/liby-5.rlib");
        let found: Vec<_> = matched(here, there, &links)
            .into_iter()
            .map(|(here, there)| format!("{here} {there}"))
            .collect();
        let expected = [
            "/h/liba-1 /o/liba-7",
            "/h/libb-2 /o/libb-8",
            "/h/libm-3 /o/libm-9",
        ];
        assert_eq!(found, expected);
        assert_eq!(matched(vec![], vec![], &links), BTreeMap::new());
    }
}
