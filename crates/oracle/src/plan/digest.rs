//! The digest of all on which a verdict depends.

use super::Plan;
use super::parts::Digest;
use crate::check::{AnyCheck, Started};
use crate::compiler::unit::Unit;
use crate::error::OracleError;
use crate::plan::companion::{Companion, OwnCrate};
use crate::system::stamp::Stamp;
use crate::text::paths::relocate;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the digest, which is raised when the same plan may lead to another verdict than before.
const VERSION: u32 = 5;
/// Environment variables that say where things are, and so do not count for the digest.
const PLACES: [&str; 6] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "HOME",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "TMPDIR",
];

impl Plan {
    /// Returns a digest of everything that a verdict depends on, but for the files in `edited`:
    /// compiler, arguments, environment, other files, dependencies. It does not change with the
    /// place of the tree, so that verdicts outlive a run. The deadline does not count: do not keep
    /// [`crate::Verdict::TimedOut`].
    #[must_use]
    pub fn digest(&self, edited: &BTreeSet<Utf8PathBuf>) -> Digest {
        of_plan(self, edited)
    }

    /// Stores the digests of the plan's files and dependencies in it, for [`Plan::digest`].
    pub(crate) fn take_digests(&mut self) -> Result<(), OracleError> {
        let files = self
            .inputs
            .files
            .iter()
            .map(|path| (path, self.inputs.tree.join(path)));
        let files: Result<_, _> = files
            .map(|(path, at)| Ok((path.clone(), of_file(&at)?)))
            .collect();
        self.inputs.contents = files?;
        self.add_dependency_digests(self.extern_files())?;
        let programs = self.inputs.programs.values().cloned();
        for program in programs.collect::<Vec<_>>() {
            // They are large, and seldom changed.
            if Stamp::of(&program).as_ref() != self.inputs.stamps.get(&program) {
                self.add_dependency_digest(program)?;
            }
        }
        Ok(())
    }

    /// Stores the digests of the units in the plan, for when the program is linked with them.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub fn take_unit_digests(&mut self, units: &[Unit]) -> Result<(), OracleError> {
        self.add_dependency_digests(units.iter().map(|unit| unit.artifact.clone()))
    }

    fn add_dependency_digests(
        &mut self,
        paths: impl IntoIterator<Item = Utf8PathBuf>,
    ) -> Result<(), OracleError> {
        for path in paths {
            self.add_dependency_digest(path.clone())?;
            for there in beside(&path, &self.run_policy.companions) {
                // No verdict depends on a crate that is not there.
                let _ = self.add_dependency_digest(there);
            }
        }
        Ok(())
    }

    /// Adds the digest of a dependency. The stamp comes first: what is written after it is seen.
    fn add_dependency_digest(&mut self, path: Utf8PathBuf) -> Result<(), OracleError> {
        let stamp = Stamp::of(&path);
        let digest = of_file(&path)?;
        let stamp = stamp.map(|stamp| (path.clone(), stamp));
        self.inputs.stamps.extend(stamp);
        self.inputs.dependencies.insert(path, digest);
        Ok(())
    }
}

fn of_plan(plan: &Plan, edited: &BTreeSet<Utf8PathBuf>) -> Digest {
    let in_place = |text: &String| relocate(text, &plan.inputs.tree, "TREE");
    let args: Vec<_> = plan.call.args.iter().map(in_place).collect();
    let env = plan
        .call
        .env
        .iter()
        .filter(|(name, _)| !PLACES.contains(&name.as_str()));
    let env: Vec<_> = env.map(|(name, value)| (name, in_place(value))).collect();
    let auxiliaries = plan.inputs.auxiliaries.iter();
    let auxiliaries: Vec<Vec<String>> = auxiliaries
        .map(|call| call.args.iter().map(in_place).collect())
        .collect();
    let check = without_places(&plan.run_policy.check);
    let contents: Vec<_> = plan
        .inputs
        .contents
        .iter()
        .filter(|(path, _)| !edited.contains(*path))
        .collect();
    let linked = plan.extern_files();
    let linked = linked
        .iter()
        .map(|path| (path, plan.inputs.dependencies.get(path)));
    let started = plan.inputs.programs.values();
    let started = started.map(|path| (path, plan.inputs.dependencies.get(path)));
    let linked: BTreeMap<_, _> = linked.chain(started).collect();
    let all = (
        (VERSION, &plan.call.compiler.identity, args, env),
        (&plan.call.cwd, &plan.call.root, contents, linked),
        (
            plan.call.error_format,
            plan.run_policy.limits.memory_bytes,
            plan.run_policy.repeat,
        ),
        (
            plan.run_policy.cheapest_call,
            auxiliaries,
            plan.run_policy.at_least,
            plan.access.sandbox,
        ),
        (companions(plan), opened(plan)),
        in_place(&check.form()),
    );
    let json = serde_json::to_vec(&all).expect("strings and numbers have a JSON form");
    *blake3::hash(&json).as_bytes()
}

/// Returns the paths that the user has opened by `--read`, with the digests of files. Of a directory only the name counts.
fn opened(plan: &Plan) -> Vec<(&Utf8PathBuf, Option<Digest>)> {
    let paths = plan.access.user_reads.iter();
    paths.map(|path| (path, of_file(path).ok())).collect()
}

/// Returns the plan's companions, and what they link in place of what the plan does.
fn companions(plan: &Plan) -> Vec<impl serde::Serialize> {
    let linked = plan.extern_files();
    let all = plan.run_policy.companions.iter().map(|companion| {
        let linked = linked.iter().flat_map(|path| replacement(path, companion));
        let linked = linked.map(|path| (plan.inputs.dependencies.get(&path).copied(), path));
        let compiler = companion
            .toolchain
            .as_ref()
            .map(|compiler| compiler.identity);
        let linked: Vec<_> = linked.collect();
        (
            compiler,
            (flags(companion, &plan.inputs.tree), &companion.env),
            companion.demand,
            companion.is_stable,
            linked,
        )
    });
    all.collect()
}

/// Returns the flags in which a companion's call and the plan's differ.
fn flags(companion: &Companion, tree: &Utf8Path) -> Vec<String> {
    let unset = companion.unset.iter().map(|name| format!("unset {name}"));
    let own = companion.own_crate.iter().flat_map(|own| of_own(own, tree));
    companion
        .flags
        .iter()
        .cloned()
        .chain(unset)
        .chain(own)
        .collect()
}

/// Returns the words by which the digest knows how a companion compiles its own version of the crate. Its files count as
/// those of the plan.
fn of_own(own: &OwnCrate, tree: &Utf8Path) -> Vec<String> {
    let in_place = |text: &String| relocate(text, tree, "TREE");
    let env = own.env.iter();
    let env = env.filter(|(name, _)| !PLACES.contains(&name.as_str()));
    let env = env.map(|(name, value)| format!("env {name}={}", in_place(value)));
    let place = [format!("own {} {}", own.cwd, own.root)];
    place
        .into_iter()
        .chain(own.args.iter().map(in_place))
        .chain(env)
        .collect()
}

/// Returns the crates that companions link in place of a compiled dependency of the plan.
fn beside(path: &Utf8Path, companions: &[Companion]) -> Vec<Utf8PathBuf> {
    let all = companions.iter();
    all.flat_map(|companion| replacement(path, companion))
        .collect()
}

fn replacement(path: &Utf8Path, companion: &Companion) -> Option<Utf8PathBuf> {
    let there = companion.replaced.get(&path.with_extension(""))?;
    Some(format!("{there}.{}", path.extension()?).into())
}

/// Returns the check without the environment variables that say where things are.
fn without_places(check: &AnyCheck) -> AnyCheck {
    let adapted = check.adapted(&mut |mut started| {
        let env = started.env();
        env.retain(|name, _| !PLACES.contains(&name.as_str()));
        if let Started::Command(call) = started {
            call.builds = None;
            call.reads.clear();
        }
    });
    adapted.unwrap_or_else(|| check.clone())
}

pub(crate) fn of_file(path: &Utf8Path) -> Result<Digest, OracleError> {
    let bytes = std::fs::read(path).map_err(OracleError::io("read", path))?;
    Ok(*blake3::hash(&bytes).as_bytes())
}
