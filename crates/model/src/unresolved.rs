//! Candidates that have a name that cannot be resolved, or a call with a wrong number of arguments, found
//! without the compiler.
//!
//! A candidate with an unresolved name takes rustc twice as long as a good one, because it searches all
//! of std for what might have been meant. What is found here is certain for all practical purposes: a
//! path must begin with a name, or lead through modules of the crate to one, that is spelled nowhere
//! where it might be defined, in scope of the path. It must not be a name that comes from elsewhere: in
//! the accepted state every path resolved, so that what seems unresolved there already is excused. In
//! doubt, a candidate is left to the compiler.
//!
//! See docs/decisions/names-and-the-model.md.

mod arguments;
mod attributes;
mod crate_names;
mod file;
mod reader;

use arguments::AcceptedCalls;
use crate_names::CrateNames;
use file::FileNames;
use reduce_syntax::{FileId, Parsed, SourceTree};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The faults of a candidate, as far as they show without the compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inspection {
    /// No fault shows in the candidate.
    Plausible,
    /// A file cannot be parsed that could be before, or has more places that cannot.
    Unparsable,
    /// The compiler will not find this name.
    Unresolved(String),
    /// A call of this name has another number of arguments than its function takes.
    Miscalled(String),
}

/// The facts about a crate that its sources do not tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outside {
    /// Names that exist without a definition in the crate, such as those of dependencies.
    pub names: BTreeSet<String>,
    /// Whether the functions with `#[test]` are compiled.
    pub compiles_tests: bool,
}

/// The names of a state of a crate in which all names are resolved: one that compiles, or would if
/// the compiler did not crash later.
#[derive(Debug)]
pub struct ResolvedNames {
    files: BTreeMap<FileId, KnownFile>,
    /// The names that seem unresolved in this state, so that they must come from elsewhere.
    excused: BTreeSet<String>,
    calls: AcceptedCalls,
    compiles_tests: bool,
}

#[derive(Debug)]
struct KnownFile {
    text: Arc<str>,
    /// The names of the file; `None` where syn does not understand it.
    names: Option<Arc<FileNames>>,
    /// The number of changes that syn needs to understand the file.
    n_repairs: usize,
}

impl ResolvedNames {
    /// Reads a state of a crate in which all names are resolved.
    #[must_use]
    pub fn new(sources: &SourceTree, outside: &Outside) -> Self {
        let compiles_tests = outside.compiles_tests;
        let known = |(file, _, text): (FileId, _, &Arc<str>)| {
            let parsed = Parsed::new(text);
            let names = read(&parsed, compiles_tests).map(Arc::new);
            let known = KnownFile {
                text: text.clone(),
                names,
                n_repairs: parsed.n_repairs(),
            };
            (file, known)
        };
        let mut result = Self {
            files: sources.files().map(known).collect(),
            excused: outside.names.clone(),
            calls: AcceptedCalls::default(),
            compiles_tests,
        };
        let names = result.files.values().map(|file| file.names.as_deref());
        if let Some(names) = names.collect::<Option<Vec<_>>>() {
            let crate_names = CrateNames::new(&names);
            let excused = names.iter().flat_map(|file| crate_names.external(file));
            let excused: Vec<String> = excused.map(str::to_owned).collect();
            result.excused.extend(excused);
            result.calls = AcceptedCalls::new(&names, &crate_names);
        }
        result
    }

    /// Looks for faults in a candidate that was made from this state. Parses the files that are not
    /// the same, each once, and those only: this takes the time of `is_parsable` and a fifth more.
    #[must_use]
    pub fn inspect(&self, candidate: &SourceTree) -> Inspection {
        let mut all = Vec::new();
        let mut is_understood = true;
        for (file, _, text) in candidate.files() {
            let known = self.files.get(&file);
            let names = match known.filter(|known| Arc::ptr_eq(&known.text, text)) {
                Some(known) => known.names.clone(),
                None => {
                    let at_most = known.map_or(0, |known| known.n_repairs);
                    let parsed = Parsed::with_repairs(text, at_most);
                    read(&parsed, self.compiles_tests).map(Arc::new)
                }
            };
            if names.is_none() && known.is_none_or(|known| known.names.is_some()) {
                return Inspection::Unparsable;
            }
            is_understood &= names.is_some();
            all.extend(names.map(|names| (file, names)));
        }
        match is_understood {
            true => self.resolve(candidate.root(), &all),
            false => Inspection::Plausible,
        }
    }

    /// Looks for names of a candidate that cannot be resolved; only its root is certainly compiled:
    /// what includes another file may have gone.
    fn resolve(&self, root: FileId, files: &[(FileId, Arc<FileNames>)]) -> Inspection {
        let all: Vec<&FileNames> = files.iter().map(|(_, names)| names.as_ref()).collect();
        let crate_names = CrateNames::new(&all);
        let root = files.iter().find(|(file, _)| *file == root);
        let Some((_, root)) = root.filter(|_| !crate_names.is_uncertain()) else {
            return Inspection::Plausible;
        };
        let mut unresolved = crate_names.unresolved(root);
        let found = unresolved.find(|&name| !self.excused.contains(name));
        if let Some(name) = found {
            return Inspection::Unresolved(name.to_owned());
        }
        let miscalled = self.calls.miscalled(root, &all, &crate_names);
        miscalled.map_or(Inspection::Plausible, |name| {
            Inspection::Miscalled(name.to_owned())
        })
    }
}

fn read(parsed: &Parsed, compiles_tests: bool) -> Option<FileNames> {
    let file = parsed.file()?;
    Some(reader::read(file, compiles_tests))
}

#[cfg(test)]
mod tests;
