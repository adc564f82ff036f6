//! The graph of linked crates: from a call to the calls that made what it links, and from there on.

use crate::compiler::args;
use crate::compiler::capture::Record;
use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Crates on a command line: their names, and their artifacts where these are named.
pub(super) type Externs = Vec<(String, Option<Utf8PathBuf>)>;

/// An artifact with the call that made it.
#[derive(Debug)]
pub(super) struct Linked {
    pub(super) artifact: Utf8PathBuf,
    pub(super) record: Record,
    pub(super) externs: Externs,
}

impl Linked {
    /// Returns the keys ([`key`]) of the crates that a crate links directly.
    fn inner(&self) -> BTreeSet<Utf8PathBuf> {
        paths(&self.externs).map(|path| key(path)).collect()
    }
}

/// Returns the key that tells an artifact from others: its path without the extension.
pub(super) fn key(artifact: &Utf8Path) -> Utf8PathBuf {
    artifact.with_extension("")
}

/// Returns the crates on a command line, with absolute paths.
pub(super) fn externs(args: &[String], cwd: &Utf8Path) -> Externs {
    let absolute = |path: Utf8PathBuf| normal(&cwd.join(path));
    args::externs_with_files(args)
        .into_iter()
        .map(|(name, path)| (name, path.map(absolute)))
        .collect()
}

/// Returns the crate's name as rustc knows it.
pub(super) fn crate_name(record: &Record) -> String {
    args::value(&record.args, "--crate-name").unwrap_or_default()
}

/// Returns all linked crates, by [`key`]. The nearest come first, so that an artifact has the name
/// by which the crashing call knows it. Where a call is not known, what is behind it is not either.
/// The crates that a procedural macro links are not linked by the crate that it serves.
pub(super) fn linked(
    externs: Externs,
    call_of: &dyn Fn(&Utf8Path) -> Option<Record>,
) -> BTreeMap<Utf8PathBuf, Linked> {
    let mut found = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut artifacts: VecDeque<Utf8PathBuf> = paths(&externs).cloned().collect();
    while let Some(artifact) = artifacts.pop_front() {
        let key = key(&artifact);
        if !seen.insert(key.clone()) {
            continue;
        }
        let Some(record) = call_of(&artifact) else {
            continue;
        };
        let externs = self::externs(&record.args, &record.cwd);
        if !args::is_proc_macro(&record.args) {
            artifacts.extend(paths(&externs).cloned());
        }
        let linked = Linked {
            artifact,
            record,
            externs,
        };
        found.insert(key, linked);
    }
    found
}

fn paths(externs: &Externs) -> impl Iterator<Item = &Utf8PathBuf> {
    externs.iter().filter_map(|(_, path)| path.as_ref())
}

/// Orders the artifacts: each before what it links, else by name. cargo sees to it that there is no
/// cycle; an artifact in one would come last.
pub(super) fn dependents_first(mut linked: BTreeMap<Utf8PathBuf, Linked>) -> Vec<Linked> {
    let mut waiting = dependents(&linked);
    let mut ready: BTreeSet<(String, Utf8PathBuf)> = linked
        .iter()
        .filter(|(key, _)| !waiting.contains_key(*key))
        .map(|(key, linked)| (crate_name(&linked.record), key.clone()))
        .collect();
    let mut ordered = vec![];
    while let Some((_, key)) = ready.pop_first() {
        let Some(next) = linked.remove(&key) else {
            continue;
        };
        for inner in next.inner() {
            if let Some(free) = released(&mut waiting, &inner, &linked) {
                ready.insert((free, inner));
            }
        }
        ordered.push(next);
    }
    ordered.extend(linked.into_values());
    ordered
}

/// Counts, for each linked crate, the crates that link it; crates that nothing links are left out.
fn dependents(linked: &BTreeMap<Utf8PathBuf, Linked>) -> BTreeMap<Utf8PathBuf, usize> {
    let mut waiting = BTreeMap::new();
    for inner in linked.values().flat_map(Linked::inner) {
        *waiting.entry(inner).or_insert(0) += 1;
    }
    waiting
}

/// Notes that one more of the crates that link a crate has its place in the order; returns the crate's name once all have
/// theirs.
fn released(
    waiting: &mut BTreeMap<Utf8PathBuf, usize>,
    key: &Utf8Path,
    linked: &BTreeMap<Utf8PathBuf, Linked>,
) -> Option<String> {
    let left = waiting.get_mut(key)?;
    *left = left.saturating_sub(1);
    let is_free = *left == 0;
    let linked = linked.get(key).filter(|_| is_free)?;
    Some(crate_name(&linked.record))
}
