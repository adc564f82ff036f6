//! Finds the user's variables that may decide what a reduction does. A query sees few of them, and two requests that
//! differ in the others alone are the same work. Where a build script, a procedural macro or a program that is run
//! could read any, nothing is said.

use super::{BaselineContext, environment, reading};
use crate::compiler::unit::Unit;
use crate::plan::Plan;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// The variable that is set for the crates of packages with a build script.
const OF_BUILD_SCRIPTS: &str = "OUT_DIR";
/// The variable that is set for the crates of packages.
const OF_PACKAGES: &str = "CARGO_MANIFEST_DIR";

/// Returns the names of the variables that decide the result, besides those that
/// [`environment::is_of_tools`] knows. `None` where it may be any.
pub(crate) fn read_by(
    plan: &Plan,
    units: &[Unit],
    context: &BaselineContext<'_>,
) -> Option<BTreeSet<String>> {
    let seen = &context.variables;
    if seen.may_be_any.get() || context.wanted.executes || runs_code(&plan.call.env) {
        return None;
    }
    let mut names = seen.named.borrow().clone();
    names.extend(plan.call.env.keys().cloned());
    if plan.call.env.contains_key(OF_PACKAGES) {
        names.extend(named_by_units(plan, units)?);
    }
    names.retain(|name| !environment::is_of_tools(name) && !environment::is_forced(name));
    Some(names)
}

/// Whether a crate is one of a package whose build script was run.
fn runs_code(env: &BTreeMap<String, String>) -> bool {
    env.contains_key(OF_BUILD_SCRIPTS)
}

/// Returns the variables that the sources of linked crates name. `None` where one of them is not
/// known, or code was run to compile it.
fn named_by_units(plan: &Plan, units: &[Unit]) -> Option<BTreeSet<String>> {
    let own = plan.externs().into_iter();
    let of_units = units.iter().flat_map(|unit| unit.externs.clone());
    let mut linked = own.chain(of_units).filter_map(|(_, path)| path);
    let is_known = |path: Utf8PathBuf| units.iter().any(|unit| unit.is_artifact(&path));
    if !linked.all(is_known) {
        return None;
    }
    let mut names = BTreeSet::new();
    for unit in units {
        if unit.is_proc_macro || runs_code(&unit.env) {
            return None;
        }
        names.extend(named_by(&unit.artifact)?);
    }
    Some(names)
}

/// Returns the variables that the sources of an artifact name. The compiler writes them beside it:
/// `libshop-1.rmeta` has `shop-1.d`.
fn named_by(artifact: &Utf8Path) -> Option<Vec<String>> {
    let name = artifact.file_stem()?.strip_prefix("lib")?;
    let dep_info = artifact.with_file_name(format!("{name}.d"));
    let text = std::fs::read_to_string(dep_info).ok()?;
    Some(reading::parse(&text, Utf8Path::new("/")).vars)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_linked_crate_names_stands_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let directory = Utf8Path::from_path(directory.path()).unwrap();
        let text = "libshop-1.rmeta: lib.rs\n\nlib.rs:\n\n# env-dep:SHOP=1\n";
        std::fs::write(directory.join("shop-1.d"), text).unwrap();
        let named = named_by(&directory.join("libshop-1.rmeta"));
        assert_eq!(named, Some(vec!["SHOP".to_owned()]));
        assert_eq!(named_by(&directory.join("libother-1.rmeta")), None);
    }
}
