//! Runs cargo on a copy of the user's workspace, and finds which of its compiler calls crashes.
//!
//! - `command`: the arguments with which cargo is called on the copy, with our wrapper. `direct`: a command as it was typed.
//! - `configuration`: cargo's configuration for the copy.
//! - `choice`: the target of a workspace that is reduced where no compiler call says so.
//! - `broken`: targets that are to be run and do not compile, and the command that reduces this failure.
//! - `libraries`: the library that a file belongs to, and new tests of it.
//! - `ending`: the ending of a run of cargo, and what it says of the calls that cargo made.
//! - `wrappers`: the user's own compiler wrappers.
//! - `progress`, `network`: the lines that cargo prints while it runs, and the sign that it lacks a network.

mod broken;
mod choice;
mod command;
pub(crate) mod configuration;
mod direct;
mod ending;
pub(crate) mod libraries;
mod network;
mod progress;
pub(crate) mod wrappers;

pub use broken::first_error_flag;
pub(crate) use command::as_typed;
pub(crate) use command::selection;

use crate::compiler::capture::{self, Record};
use crate::compiler::target::PackageInput;
use crate::compiler::toolchain::run_quickly;
use crate::compiler::unit::calls;
use crate::error::OracleError;
use crate::search::context::{BaselineContext, environment};
use crate::system::files;
use crate::system::process::{Ending, Invocation, Outcome};
use crate::system::snapshot::Snapshot;
use crate::text::path::normal;
use crate::text::paths::relocate;
use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{Package, TargetKind};
use ending::{
    check_end, crash_among, has_failed, names_another_executable, needs_network, rejected,
};
use std::collections::BTreeSet;

/// The largest number of times that cargo is run for a flaky failure, as each run compiles all of the workspace.
const MOST_ATTEMPTS: u32 = 20;
/// The format of a kept directory of compiled dependencies; one of another format is not used. 2: with
/// the calls that compiled them. 3: with those of programs.
const BUILDS_FORMAT: u32 = 3;

/// The demand on selected crates: one that does not compile is an error or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compiling {
    /// A selected crate may fail to compile: that may be the failure that is looked for.
    MayFail,
    /// A selected crate must compile, as it is to be run.
    MustSucceed,
}

/// The user's workspace, and the cargo program that is run on it.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    cargo: Utf8PathBuf,
    manifest: Utf8PathBuf,
    metadata: cargo_metadata::Metadata,
}

/// A target of a workspace, with the package that has it.
pub(crate) struct TargetAt<'w> {
    pub(crate) package: &'w str,
    pub(crate) target: &'w cargo_metadata::Target,
    /// Whether the target's package is the only one of the workspace.
    pub(crate) is_only_package: bool,
}

impl Workspace {
    /// Finds the workspace by asking cargo, which writes nothing for this.
    pub(crate) fn find(
        input: &PackageInput,
        context: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        let manifest = manifest(input, context)?;
        let cargo = context.toolchain.cargo(context.user, context.cancel)?;
        let args = [
            "metadata",
            "--no-deps",
            "--format-version=1",
            "--manifest-path",
            manifest.as_str(),
        ];
        let args = args.map(str::to_owned);
        let env = environment::of_cargo(&context.user.vars, &context.toolchain);
        let outcome = run_quickly(&cargo, &args, &env, &context.user.cwd, context.cancel)?;
        context.count(1);
        if outcome.ending != Ending::Exited(0) {
            return Err(rejected(&args, &context.user.cwd, &outcome));
        }
        let metadata = cargo_metadata::MetadataCommand::parse(outcome.stdout).map_err(|error| {
            OracleError::Format {
                what: "what `cargo metadata` prints".to_owned(),
                source: error.into(),
            }
        })?;
        Ok(Self {
            cargo,
            manifest,
            metadata,
        })
    }

    /// Whether a build script of a member runs, which may read any variable, or a configuration file
    /// says something of variables, which depends on whether they are set.
    pub(crate) fn may_read_any_variable(&self, context: &BaselineContext<'_>) -> bool {
        let packages = self.metadata.workspace_packages();
        let mut targets = packages.iter().flat_map(|package| &package.targets);
        let has_script = targets.any(|target| target.is_kind(TargetKind::CustomBuild));
        has_script || configuration::of_user(context).says_something_of("env")
    }

    /// Returns whether cargo looks for doc tests in the selected targets.
    pub(crate) fn has_doc_tests(&self, input: &PackageInput) -> bool {
        let packages = self.metadata.workspace_packages();
        let is_selected = |package: &&&Package| {
            let name = input.package.as_deref();
            name.is_none_or(|name| package.name == choice::package_name(name))
        };
        let selected = packages.iter().filter(is_selected);
        let mut targets = selected.flat_map(|package| &package.targets);
        targets.any(|target| target.doctest)
    }

    /// Whether the workspace has more than one package.
    pub(crate) fn has_several_packages(&self) -> bool {
        self.metadata.workspace_packages().len() > 1
    }

    /// Returns the directory of the workspace, absolute.
    pub(crate) fn root(&self) -> &Utf8Path {
        &self.metadata.workspace_root
    }

    /// Returns the member of this name, or the names of all members where there is none.
    pub(crate) fn member(&self, name: &str) -> Result<&Package, Vec<String>> {
        let all = self.metadata.workspace_packages();
        let found = all.iter().find(|package| package.name == name);
        let known = || all.iter().map(|package| package.name.to_string()).collect();
        found.copied().ok_or_else(known)
    }

    /// Copies the workspace, members outside its root included.
    pub(crate) fn copy(&self, context: &BaselineContext<'_>) -> Result<Snapshot, OracleError> {
        (context.note)("copying the workspace");
        let mut roots = vec![self.metadata.workspace_root.clone()];
        for package in self.metadata.workspace_packages() {
            let dir = package
                .manifest_path
                .parent()
                .unwrap_or(&package.manifest_path);
            if !roots.iter().any(|root| dir.starts_with(root)) {
                roots.push(dir.to_owned());
            }
        }
        let mut left_out = BTreeSet::from([
            self.metadata.target_directory.clone(),
            context.scratch.clone(),
            context.builds.clone(),
        ]);
        // Candidates read the copy.
        left_out.extend(
            roots
                .iter()
                .flat_map(|root| context.private.hidden_in(root)),
        );
        let snapshot = Snapshot::take(roots, context.snapshot(), &left_out)?;
        configuration::settle(&snapshot, context)?;
        wrappers::note_left_out(context);
        Ok(snapshot)
    }

    /// Returns the target with this crate root and its package, and whether that is the only package of the
    /// workspace.
    pub(crate) fn target_at(&self, root: &Utf8Path) -> Option<TargetAt<'_>> {
        let packages = self.metadata.workspace_packages();
        let is_only_package = packages.len() == 1;
        packages.into_iter().find_map(|package| {
            let mut targets = package.targets.iter();
            Some(TargetAt {
                package: package.name.as_str(),
                target: targets.find(|target| target.src_path == root)?,
                is_only_package,
            })
        })
    }

    /// Runs `cargo check`, and `cargo build` if that does not crash the compiler, and returns the call that crashes.
    /// Where an earlier run has left everything compiled, so that there is nothing to see, or a crash need not show
    /// each time, the workspace's own crates are compiled again.
    pub(crate) fn find_crash(
        &self,
        input: &PackageInput,
        snapshot: &Snapshot,
        context: &BaselineContext<'_>,
    ) -> Result<Record, OracleError> {
        let target = self.target_dir(input, context);
        calls::forget_unfinished(&target)?;
        let is_new = !target.exists();
        let mut found = self.check_and_build(input, snapshot, &target, context);
        for _ in 1..attempts(is_new, context) {
            let may_differ = context.options.repeat.expects_passes();
            match &found {
                Err(OracleError::NoFailure { compiles, .. }) if *compiles || may_differ => {}
                _ => break,
            }
            self.forget_members(&target)?;
            found = self.check_and_build(input, snapshot, &target, context);
        }
        found
    }

    /// Runs cargo, and returns the compiler calls for the selected targets: those that failed first, then the last.
    pub(crate) fn calls(
        &self,
        verb: &[&str],
        compiling: Compiling,
        input: &PackageInput,
        snapshot: &Snapshot,
        context: &BaselineContext<'_>,
    ) -> Result<Vec<Record>, OracleError> {
        let target = self.target_dir(input, context);
        calls::forget_unfinished(&target)?;
        let is_new = !target.exists();
        let calls = || self.primary_calls(verb, compiling, input, snapshot, &target, context);
        let (mut found, mut lacks_some) = calls()?;
        lacks_some |= found.is_empty();
        if lacks_some && !is_new {
            self.forget_members(&target)?;
            (found, _) = calls()?;
        }
        match found.is_empty() {
            false => Ok(found),
            true => Err(OracleError::NoFailure {
                wanted: context.wanted.words.clone(),
                command: format!("cargo {}", command::as_typed(verb[0], input).join(" ")),
                output: "cargo compiles nothing of what is selected".to_owned(),
                compiles: true,
            }),
        }
    }

    /// Runs cargo, and returns the compiler calls for the selected targets, and whether cargo has found some of them
    /// compiled already.
    fn primary_calls(
        &self,
        verb: &[&str],
        compiling: Compiling,
        input: &PackageInput,
        snapshot: &Snapshot,
        target: &Utf8Path,
        context: &BaselineContext<'_>,
    ) -> Result<(Vec<Record>, bool), OracleError> {
        let (outcome, records) = self.call_with_network(verb, input, snapshot, target, context)?;
        if outcome.ending == Ending::Cancelled {
            return Err(OracleError::Cancelled);
        }
        if outcome.ending != Ending::Exited(0) && !has_failed(&records) {
            let typed = command::as_typed(verb[0], input);
            return Err(rejected(&typed, &context.user.cwd, &outcome));
        }
        if outcome.ending != Ending::Exited(0) && compiling == Compiling::MustSucceed {
            let said = (&outcome, records.as_slice());
            return Err(self.not_compiled(verb, input, said, context));
        }
        let mut found: Vec<_> = records.into_iter().filter(Record::is_selected).collect();
        found.reverse();
        found.sort_by_key(|record| record.code == Some(0));
        let lacks_some = names_another_executable(&outcome.stderr, &found);
        Ok((found, lacks_some))
    }

    fn check_and_build(
        &self,
        input: &PackageInput,
        snapshot: &Snapshot,
        target: &Utf8Path,
        context: &BaselineContext<'_>,
    ) -> Result<Record, OracleError> {
        match self.run_cargo("check", input, snapshot, target, context) {
            Err(OracleError::NoFailure { compiles: true, .. }) => {
                self.run_cargo("build", input, snapshot, target, context)
            }
            found => found,
        }
    }

    /// Runs cargo as the user would, and looks for a compiler call that crashed.
    fn run_cargo(
        &self,
        verb: &str,
        input: &PackageInput,
        snapshot: &Snapshot,
        target: &Utf8Path,
        context: &BaselineContext<'_>,
    ) -> Result<Record, OracleError> {
        let (outcome, records) =
            self.call_with_network(&[verb], input, snapshot, target, context)?;
        crash_among(records, &outcome, &command::as_typed(verb, input), context)
    }

    /// Runs cargo, and runs it again without the network if there is none.
    fn call_with_network(
        &self,
        verb: &[&str],
        input: &PackageInput,
        snapshot: &Snapshot,
        target: &Utf8Path,
        context: &BaselineContext<'_>,
    ) -> Result<(Outcome, Vec<Record>), OracleError> {
        let shown = verb.join(" ");
        (context.note)(&format!("running `cargo {shown}`"));
        let args = command::args(verb, &self.manifest, input, snapshot, context);
        let call = |args: &[String]| self.call_cargo(args, input, snapshot, target, context);
        let (mut outcome, mut records) = call(&args)?;
        if needs_network(&outcome, &records) {
            (context.note)(&format!("running `cargo {shown} --offline`"));
            let offline = call(&[args, vec!["--offline".to_owned()]].concat())?;
            // The first error says more where `--offline` does not get further.
            if offline.0.ending == Ending::Exited(0) || has_failed(&offline.1) {
                (outcome, records) = offline;
            }
        }
        Ok((outcome, records))
    }

    /// Runs cargo once; returns also the compiler calls that it made. Those that succeeded are
    /// kept.
    fn call_cargo(
        &self,
        args: &[String],
        input: &PackageInput,
        snapshot: &Snapshot,
        target: &Utf8Path,
        context: &BaselineContext<'_>,
    ) -> Result<(Outcome, Vec<Record>), OracleError> {
        let calls = context.scratch.join("calls");
        files::make_empty(&calls)?;
        let wrappers = wrappers::in_copy(wrappers::of_user(context), snapshot);
        let mut env = command::env(target, &calls, &wrappers, input, context);
        for (name, value) in configuration::write_outer(snapshot, context)? {
            env.entry(name).or_insert(value);
        }
        let invocation = Invocation {
            program: &self.cargo,
            args,
            env: &env,
            dir: &snapshot
                .place_of(&context.user.cwd)
                .unwrap_or_else(|| context.user.cwd.clone()),
            bounds: context.bounds_of_cargo(),
            confinement: None,
        };
        calls::begin(target)?;
        let mut outcome = context.reminding("cargo", || {
            progress::run_shown(&invocation, snapshot, context)
        })?;
        // The user knows the original, not the copy.
        outcome.stderr = relocate(&outcome.stderr, &snapshot.tree, snapshot.base.as_str());
        let records = capture::records(&calls)?.into_iter();
        let records = records.map(|record| wrappers::as_compiler(record, context));
        let records: Vec<Record> = records.collect::<Result<_, _>>()?;
        context.count(1 + records.len() as u64);
        for record in &records {
            // The user may have secrets in variables.
            let env = environment::of_call(&record.env, &context.user.vars);
            let record = record.clone();
            calls::keep(&Record { env, ..record }, target, &snapshot.tree)?;
        }
        calls::finish(target)?;
        check_end(&outcome, &records, args, context)?;
        Ok((outcome, records))
    }

    /// Returns the directory to which cargo compiles: one per workspace, compiler and whatever cargo
    /// does not watch.
    pub(crate) fn target_dir(
        &self,
        input: &PackageInput,
        context: &BaselineContext<'_>,
    ) -> Utf8PathBuf {
        let root = self.metadata.workspace_root.as_str();
        let key = (
            BUILDS_FORMAT,
            context.stand_in.map_or(root, |stand_in| &stand_in.key),
            context.toolchain.compiler.identity,
            &input.rustc_args,
            environment::decides_builds(&context.user.vars),
            wrappers::key(&wrappers::of_user(context), context),
        );
        let key = serde_json::to_vec(&key).expect("strings and numbers have a JSON form");
        let name = &blake3::hash(&key).to_hex()[..20];
        context.builds.join(name)
    }

    /// Makes cargo compile the members of the workspace again.
    fn forget_members(&self, target: &Utf8Path) -> Result<(), OracleError> {
        let names: Vec<_> = self
            .metadata
            .workspace_packages()
            .iter()
            .map(|p| format!("{}-", p.name))
            .collect();
        for profile in dirs_with_fingerprints(target)? {
            for entry in files::entries(&profile)? {
                if names.iter().any(|name| entry.file_name().starts_with(name)) {
                    files::remove_all(entry.path())?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the number of times that cargo is run to see a crash: once more than usual where it had nothing to do.
fn attempts(is_new: bool, context: &BaselineContext<'_>) -> u32 {
    let attempts = context.options.repeat.attempts().min(MOST_ATTEMPTS);
    attempts.max(if is_new { 1 } else { 2 })
}

/// Returns the directories `target/debug/.fingerprint`, `target/TRIPLE/release/.fingerprint` and so on.
fn dirs_with_fingerprints(target: &Utf8Path) -> Result<Vec<Utf8PathBuf>, OracleError> {
    let mut found = vec![];
    let mut dirs = vec![(target.to_owned(), 0)];
    while let Some((dir, depth)) = dirs.pop() {
        let fingerprints = dir.join(".fingerprint");
        if fingerprints.is_dir() {
            found.push(fingerprints);
        } else if depth < 2 {
            let inner = files::entries(&dir)?
                .into_iter()
                .map(camino::Utf8DirEntry::into_path);
            dirs.extend(
                inner
                    .filter(|path| path.is_dir())
                    .map(|path| (path, depth + 1)),
            );
        }
    }
    Ok(found)
}

fn manifest(
    input: &PackageInput,
    context: &BaselineContext<'_>,
) -> Result<Utf8PathBuf, OracleError> {
    let cwd = &context.user.cwd;
    if let Some(path) = &input.manifest_path {
        let path = normal(&cwd.join(path));
        return match path.is_file() {
            true => Ok(path),
            false => Err(OracleError::NoManifest {
                searched_from: path,
            }),
        };
    }
    let mut candidates = cwd.ancestors().map(|dir| dir.join("Cargo.toml"));
    let found = candidates.find(|path| path.is_file());
    found.ok_or_else(|| OracleError::NoManifest {
        searched_from: cwd.clone(),
    })
}
