//! What a verdict depends on, as a digest.

use super::{Digest, Plan, relocate};
use crate::check::Check;
use crate::companion::Companion;
use crate::error::OracleError;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// Raised when the same plan may lead to another verdict than before.
const VERSION: u32 = 5;
/// Variables that say where things are, not what they are.
const PLACES: [&str; 6] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "HOME",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "TMPDIR",
];

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
    let check = without_places(&plan.check);
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
        (plan.rung, auxiliaries, plan.at_least, plan.sandbox),
        (companions(plan), opened(plan)),
        in_place(&serde_json::to_string(&check).expect("strings and numbers have a JSON form")),
    );
    let json = serde_json::to_vec(&all).expect("strings and numbers have a JSON form");
    *blake3::hash(&json).as_bytes()
}

/// What the user has opened to it. Of a directory only the name counts.
fn opened(plan: &Plan) -> Vec<(&Utf8PathBuf, Option<Digest>)> {
    let paths = plan.user_reads.iter();
    paths.map(|path| (path, of_file(path).ok())).collect()
}

/// What its companions are, and what they link in place of what the plan does.
fn companions(plan: &Plan) -> Vec<impl serde::Serialize> {
    let linked = plan.extern_files();
    let all = plan.companions.iter().map(|companion| {
        let linked = linked.iter().flat_map(|path| replacement(path, companion));
        let linked = linked.map(|path| (plan.dependencies.get(&path).copied(), path));
        let compiler = companion
            .toolchain
            .as_ref()
            .map(|compiler| compiler.identity);
        let linked: Vec<_> = linked.collect();
        (
            compiler,
            &companion.flags,
            companion.demand,
            companion.is_stable,
            linked,
        )
    });
    all.collect()
}

/// What companions link in place of a compiled dependency.
pub(super) fn beside(path: &Utf8Path, companions: &[Companion]) -> Vec<Utf8PathBuf> {
    let all = companions.iter();
    all.flat_map(|companion| replacement(path, companion))
        .collect()
}

fn replacement(path: &Utf8Path, companion: &Companion) -> Option<Utf8PathBuf> {
    let there = companion.replaced.get(&path.with_extension(""))?;
    Some(format!("{there}.{}", path.extension()?).into())
}

/// What is done with a candidate, without variables that say where things are.
fn without_places(check: &Check) -> Check {
    let mut check = check.clone();
    if let Some(env) = check.env_mut() {
        env.retain(|name, _| !PLACES.contains(&name.as_str()));
    }
    if let Check::Command(call) = &mut check {
        call.builds = None;
        call.reads.clear();
    }
    check
}

pub(super) fn of_file(path: &Utf8Path) -> Result<Digest, OracleError> {
    let bytes = std::fs::read(path).map_err(OracleError::io("read", path))?;
    Ok(*blake3::hash(&bytes).as_bytes())
}
