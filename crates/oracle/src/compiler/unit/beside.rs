//! The programs that a test may start, with the crates that only they link.

use super::calls::{self, Calls};
use super::{Linked, Unit, graph, linked_by};
use crate::compiler::args;
use crate::compiler::capture::Record;
use crate::error::OracleError;
use crate::plan::Plan;
use crate::plan::digest::of_file;
use crate::plan::programs::{DEPS, EXAMPLES};
use crate::text::path::with_extension_of;
use camino::{Utf8Path, Utf8PathBuf};

/// The variable in which cargo tells the compiler the name of the program that it makes.
const NAME_VARIABLE: &str = "CARGO_BIN_NAME";

impl Unit {
    /// Whether the unit is a program, which nothing links.
    #[must_use]
    pub fn is_program(&self) -> bool {
        args::has_value(&self.args, "--crate-type", "bin")
    }

    /// Returns the name that cargo gives to a unit that is a program; `None` for a crate that is linked.
    pub(crate) fn program_name(&self) -> Option<&str> {
        self.env.get(NAME_VARIABLE).map(String::as_str)
    }
}

/// Finds the programs that cargo has put beside a test, and the crates that they link and the test does not, those that depend on
/// others first. `units` are the crates that the test links, and `builds` is the directory of all that cargo has compiled for us. A
/// program whose call is not known is left out.
///
/// # Errors
/// Where the directory of a program cannot be read.
pub fn units_of_programs(
    plan: &Plan,
    units: &[Unit],
    builds: &Utf8Path,
) -> Result<Vec<Unit>, OracleError> {
    let builds = builds
        .canonicalize_utf8()
        .map_err(OracleError::io("find", builds))?;
    let calls = Calls {
        builds: &builds,
        tree: &plan.inputs.tree,
    };
    let (mut programs, mut others) = (Vec::new(), Vec::<Unit>::new());
    for program in plan.inputs.programs.values() {
        let Some((artifact, record)) = call_of(&calls, program)? else {
            continue;
        };
        let linked = linked_by(
            &record.args,
            &record.cwd,
            &|artifact| calls.of(artifact),
            // Nobody asks for the `cfg`s of what is compiled as it was.
            &mut |_| Ok(Vec::new()),
        )?;
        let is_known = |one: &Unit| {
            let mut known = units.iter().chain(&others);
            known.any(|other| other.is_artifact(&one.artifact))
        };
        let more: Vec<Unit> = linked.into_iter().filter(|one| !is_known(one)).collect();
        let externs = graph::externs(&record.args, &record.cwd);
        let program = Linked {
            artifact,
            record,
            externs,
        };
        programs.extend(Unit::of(program, Vec::new()));
        // They may link those of the programs before, and none of those links one of them.
        others.splice(0..0, more);
    }
    Ok([programs, others].concat())
}

/// Returns the call that made a program, with the path of what it made: cargo gives it another name where the user finds it.
fn call_of(
    calls: &Calls<'_>,
    program: &Utf8Path,
) -> Result<Option<(Utf8PathBuf, Record)>, OracleError> {
    let Some(dir) = program.parent() else {
        return Ok(None);
    };
    let made_in = match dir.file_name() {
        Some(EXAMPLES) => dir.to_owned(),
        _ => dir.join(DEPS),
    };
    let name = program.file_stem().unwrap_or_default();
    let crate_name = name.replace('-', "_");
    let mut digest = None;
    for artifact in calls.artifacts_in(&made_in)? {
        let is_named = artifact
            .file_name()
            .is_some_and(|file| file.starts_with(&crate_name));
        let record = is_named.then(|| calls.of(&artifact)).flatten();
        let Some(record) = record else {
            continue;
        };
        let is_of_it = record.env.get(NAME_VARIABLE).is_some_and(|of| of == name);
        let made = with_extension_of(&artifact, program);
        if calls::program(&record).is_none() || !is_of_it || !made.is_file() {
            continue;
        }
        // Several features make several programs of one name.
        let wanted = match digest {
            Some(known) => known,
            None => *digest.insert(of_file(program)?),
        };
        if of_file(&made)? == wanted {
            return Ok(Some((artifact, record)));
        }
    }
    Ok(None)
}
