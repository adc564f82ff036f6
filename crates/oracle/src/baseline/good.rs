//! Links candidates with a good version of the code under test, with which the program does not fail: that version is
//! compiled once, and a companion links each candidate with that. Of a unit test, the crate itself is that of the
//! version (`own_crate`).

mod own_crate;

use super::elsewhere::Selected;
use super::replay::Replayed;
use super::settled::settled;
use super::{recorded, units};
use crate::compiler::capture::Record;
use crate::demands::Demand;
use crate::error::OracleError;
use crate::plan::Plan;
use crate::plan::companion::{Companion, OwnCrate, VersionName};
use crate::plan::programs::PROGRAM_VARIABLE;
use crate::search::context::BaselineContext;
use crate::search::other_version::{History, OtherVersion, Prepared, newest_that_serves};
use crate::text::output::tail;
use crate::version::Version;
use own_crate::OtherTests;
use std::collections::BTreeMap;

/// The largest number of commits that are compiled to find one that passes.
const MOST_BUILDS: usize = 64;
/// The largest number of commits that are searched for one that passes: doubled steps do not go farther.
const MOST_COMMITS: usize = 1 << 16;

/// Makes the companion that links a good version of the code under test, and checks that it does not fail.
///
/// # Errors
/// [`OracleError::NoVersion`] where there is no such version, [`OracleError::FailsInVersion`] where it fails
/// there too.
pub(super) fn find(
    version: &Version,
    replayed: &Replayed,
    selected: Option<&Selected<'_>>,
    context: &BaselineContext<'_>,
) -> Result<Companion, OracleError> {
    let plan = &replayed.plan;
    let has_versions = |selected: &&Selected<'_>| {
        !plan.extern_files().is_empty() || own_crate::unit_test(plan, selected).is_some()
    };
    let selected = selected.filter(has_versions);
    let selected = selected.ok_or_else(|| links_nothing(version))?;
    match version {
        Version::Auto => newest_commit(replayed, selected, context),
        version => {
            let package = replayed.plan.call.env.get("CARGO_PKG_NAME");
            let package = package.map_or("", String::as_str);
            let other = OtherVersion::find(version, (selected.workspace.root(), package), context)?;
            passing(&other, replayed, selected, context)
        }
    }
}

/// Finds the newest commit that passes, with the one after it.
fn newest_commit(
    replayed: &Replayed,
    selected: &Selected<'_>,
    context: &BaselineContext<'_>,
) -> Result<Companion, OracleError> {
    let history = History::of(selected.workspace.root(), MOST_COMMITS, context)?;
    let found = newest_that_serves(history.len(), MOST_BUILDS, |idx| {
        let passing = history
            .version(idx, context)
            .and_then(|other| passing(&other, replayed, selected, context));
        match passing {
            Ok(_) => Ok(true),
            // The workspace may have stood elsewhere, or did not compile.
            Err(OracleError::FailsInVersion { .. } | OracleError::NoVersion { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    })?;
    let idx = found.ok_or_else(|| none_passes(&history))?;
    // Others were compiled to the same place since.
    let other = history.version(idx, context)?;
    let companion = passing(&other, replayed, selected, context)?;
    let name = history.name(idx).unwrap_or(other.name);
    let next = history.after(idx);
    context.remark(&format!("it passes with `{name}`, and not with `{next}`"));
    let broken_by = Some(next);
    Ok(Companion {
        version: Some(VersionName { name, broken_by }),
        ..companion
    })
}

fn none_passes(history: &History) -> OracleError {
    let last = history
        .len()
        .checked_sub(1)
        .and_then(|last| history.name(last));
    OracleError::NoVersion {
        version: Version::Auto.to_string(),
        reason: match last {
            Some(last) => format!("it passes with no commit that was tried, back to `{last}`"),
            None => "there is no commit before the present state".to_owned(),
        },
        hint: "give a version with which it passes: a revision of git, or a path with a `/` in it"
            .to_owned(),
    }
}

/// Makes the companion that links another version, with which the program must not fail.
fn passing(
    other: &OtherVersion,
    replayed: &Replayed,
    selected: &Selected<'_>,
    context: &BaselineContext<'_>,
) -> Result<Companion, OracleError> {
    (context.note)(&format!("compiling `{}`", other.name));
    let there = other.context(context);
    let found = passing_there(other, replayed, selected, (context, &there));
    context.count(there.runs.get());
    found
}

fn passing_there(
    other: &OtherVersion,
    replayed: &Replayed,
    selected: &Selected<'_>,
    (context, there): (&BaselineContext<'_>, &BaselineContext<'_>),
) -> Result<Companion, OracleError> {
    let plan = &replayed.plan;
    let prepared = other.prepare(selected.input, plan, there)?;
    let compiled = Compiled::new(other, &prepared, plan, selected, there)?;
    let Some(test) = own_crate::unit_test(plan, selected) else {
        let companion = compiled.companion(None, plan, (context, there))?;
        return settled(companion, replayed, context);
    };
    let with = |others| {
        let own = compiled.own_crate(test, others, plan, there)?;
        let companion = compiled.companion(Some(own), plan, (context, there))?;
        settled(companion, replayed, context)
    };
    // The other tests are left out first, so that little is compiled for each candidate.
    match with(OtherTests::LeftOut) {
        Err(OracleError::FailsInVersion { .. }) => with(OtherTests::Kept),
        found => found,
    }
}

/// Another version of the program, with what cargo has compiled in it.
struct Compiled<'a> {
    other: &'a OtherVersion,
    selected: Selected<'a>,
    /// The record of the compiler call for the same crate in the other version.
    record: Record,
}

impl<'a> Compiled<'a> {
    fn new(
        other: &'a OtherVersion,
        prepared: &'a Prepared,
        plan: &Plan,
        selected: &Selected<'a>,
        there: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        let selected = Selected {
            input: &prepared.input,
            snapshot: &prepared.snapshot,
            workspace: &prepared.workspace,
            verb: selected.verb,
        };
        let record = selected.call_of(&prepared.workspace, plan, there);
        let record = record.map_err(|error| fails_too(other, error))?;
        Ok(Self {
            other,
            selected,
            record,
        })
    }

    /// Makes a copy of the crate in the other version that has the failing unit test of the user's version.
    fn own_crate(
        &self,
        test: &str,
        others: OtherTests,
        plan: &Plan,
        there: &BaselineContext<'_>,
    ) -> Result<OwnCrate, OracleError> {
        let call = recorded::plan(self.record.clone(), self.selected.snapshot, there)?;
        let found = own_crate::in_plans_tree(call, (test, others), plan, there)?;
        found.ok_or_else(|| OracleError::NoVersion {
            version: self.other.name.clone(),
            reason: format!("it has no place for the unit test `{test}`"),
            hint: "the module in which the test stands, or the one around it, has to be in both versions"
                .to_owned(),
        })
    }

    /// Makes the companion that links the good version.
    fn companion(
        &self,
        own_crate: Option<OwnCrate>,
        plan: &Plan,
        (context, there): (&BaselineContext<'_>, &BaselineContext<'_>),
    ) -> Result<Companion, OracleError> {
        let env = self.record.env.iter();
        let programs = env.filter(|(name, _)| name.starts_with(PROGRAM_VARIABLE));
        let programs: BTreeMap<_, _> = programs.map(|(n, v)| (n.clone(), v.clone())).collect();
        let companion = Companion {
            version: Some(VersionName::of(&self.other.name)),
            own_crate,
            env: programs,
            replaced: self
                .selected
                .replaced_by(&self.record, plan, (context, there)),
            ..Companion::new(None, Demand::Succeeds, plan)
        };
        let (units, _) = units::find(&companion.plan(plan), there)?;
        Ok(Companion {
            units: units.into(),
            ..companion
        })
    }
}

/// Makes the error that the failing target links no crate of which there could be another version.
fn links_nothing(version: &Version) -> OracleError {
    OracleError::NoVersion {
        version: version.to_string(),
        reason: "what fails links no crate of which there could be another version".to_owned(),
        hint: "`--good` is for a package whose failing target links other crates, such as a test in `tests/`, and for \
               unit tests; `--regression TOOLCHAIN` compares compilers"
            .to_owned(),
    }
}

/// Makes the error that cargo fails in the other version: the user should hear this.
fn fails_too(other: &OtherVersion, error: OracleError) -> OracleError {
    let (command, output) = match error {
        OracleError::NoFailure {
            command, output, ..
        }
        | OracleError::CargoRejected {
            command,
            stderr: output,
            ..
        } => (command, output),
        error => return error,
    };
    OracleError::FailsInVersion {
        version: other.name.clone(),
        command,
        output: tail(&output),
    }
}
