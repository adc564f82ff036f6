//! What a verdict depends on, as a digest.

use super::{Digest, Plan, relocate};
use crate::error::OracleError;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// Raised when the same plan may lead to another verdict than before.
const VERSION: u32 = 3;
/// Variables that say where things are, not what they are.
const PLACES: [&str; 5] = ["PATH", "LD_LIBRARY_PATH", "HOME", "CARGO_HOME", "TMPDIR"];

pub(super) fn of_plan(plan: &Plan, edited: &BTreeSet<Utf8PathBuf>) -> Digest {
    let in_place = |text: &String| relocate(text, &plan.tree, "TREE");
    let args: Vec<_> = plan.args.iter().map(in_place).collect();
    let env = plan
        .env
        .iter()
        .filter(|(name, _)| !PLACES.contains(&name.as_str()));
    let env: Vec<_> = env.map(|(name, value)| (name, in_place(value))).collect();
    let auxiliaries = plan.auxiliaries.iter();
    let auxiliaries: Vec<Vec<String>> = auxiliaries
        .map(|call| call.args.iter().map(in_place).collect())
        .collect();
    let contents: Vec<_> = plan
        .contents
        .iter()
        .filter(|(path, _)| !edited.contains(*path))
        .collect();
    let linked = plan.extern_files();
    let linked = linked
        .iter()
        .map(|path| (path, plan.dependencies.get(path)));
    let linked: BTreeMap<_, _> = linked.collect();
    let all = (
        (VERSION, &plan.compiler.identity, args, env),
        (&plan.cwd, &plan.root, contents, linked),
        (plan.error_format, plan.limits.memory_bytes, plan.repeat),
        (plan.rung, auxiliaries),
    );
    let json = serde_json::to_vec(&all).expect("strings and numbers have a JSON form");
    *blake3::hash(&json).as_bytes()
}

pub(super) fn of_file(path: &Utf8Path) -> Result<Digest, OracleError> {
    let bytes = std::fs::read(path).map_err(OracleError::io("read", path))?;
    Ok(*blake3::hash(&bytes).as_bytes())
}
