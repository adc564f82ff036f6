//! A version of what is linked with which the program does not fail: it is compiled once, and a companion
//! links each candidate with that.

use super::elsewhere::Selected;
use crate::demands::Demand;
use crate::error::OracleError;
use crate::plan::companion::Companion;
use crate::plan::{Plan, takes_unstable};
use crate::search::other_version::OtherVersion;
use crate::search::setting::Setting;
use crate::text::output::tail;
use crate::version::Version;
use std::collections::BTreeMap;

/// What names the programs of a package in its tests.
const PROGRAM: &str = "CARGO_BIN_EXE_";

/// The companion that links the version, whatever it shows.
///
/// # Errors
/// [`OracleError::NoVersion`] where there is no such version, [`OracleError::FailsInVersion`] where it cannot
/// be compiled.
pub(super) fn find(
    version: &Version,
    plan: &Plan,
    selected: Option<&Selected<'_>>,
    setting: &Setting<'_>,
) -> Result<Companion, OracleError> {
    let selected = selected.filter(|_| !plan.extern_files().is_empty());
    let selected = selected.ok_or_else(|| links_nothing(version))?;
    let other = OtherVersion::find(version, selected.root, setting)?;
    (setting.note)(&format!("compiling {}", other.name));
    linked_with(&other, plan, selected, setting)
}

fn linked_with(
    other: &OtherVersion,
    plan: &Plan,
    selected: &Selected<'_>,
    setting: &Setting<'_>,
) -> Result<Companion, OracleError> {
    let there = other.setting(setting);
    let prepared = other.prepare(selected.input, plan, &there)?;
    let selected = Selected {
        input: &prepared.input,
        snapshot: &prepared.snapshot,
        root: prepared.workspace.root(),
        verb: selected.verb,
    };
    let record = selected.call_of(&prepared.workspace, plan, &there);
    setting.count(there.runs.get());
    let record = record.map_err(|error| fails_too(other, error))?;
    let programs = record
        .env
        .iter()
        .filter(|(name, _)| name.starts_with(PROGRAM));
    let programs: BTreeMap<_, _> = programs.map(|(n, v)| (n.clone(), v.clone())).collect();
    Ok(Companion {
        toolchain: None,
        version: Some(other.name.clone()),
        flags: Vec::new(),
        env: programs,
        replaced: selected.replaced_by(&record, plan, setting),
        demand: Demand::Succeeds,
        is_stable: !takes_unstable(&plan.call.compiler.verbose_version, &plan.call.env),
        is_cheaper: false,
        usual: None,
    })
}

/// Only what is linked can be that of another version.
fn links_nothing(version: &Version) -> OracleError {
    OracleError::NoVersion {
        version: version.to_string(),
        reason: "what fails links no crate of which there could be another version".to_owned(),
        hint: "`--good` is for a package whose failing target links other crates, such as a test in `tests/`; \
               `--regression TOOLCHAIN` compares compilers"
            .to_owned(),
    }
}

/// That cargo fails there is what the user should hear.
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
