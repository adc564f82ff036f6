//! Calls with another number of arguments than their function takes.
//!
//! A compiler that crashes before it checks a call does not say so, and a program with such a call is
//! no good report of its crash. A function of the crate is known by its name alone, one from elsewhere by
//! the calls of it in the accepted state. In doubt, a candidate is left to the compiler.

use super::crate_names::CrateNames;
use super::file::{Callee, FileNames};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The calls in an accepted state of a crate, with their numbers of arguments.
#[derive(Debug, Default)]
pub(super) struct AcceptedCalls {
    by_callee: BTreeMap<Callee<String>, BTreeSet<usize>>,
    /// The callees whose calls in the accepted state seem wrong although they compile.
    excused: BTreeSet<Callee<String>>,
}

impl AcceptedCalls {
    pub(super) fn new(files: &[&FileNames], names: &CrateNames<'_>) -> Self {
        let mut result = Self::default();
        let functions = Functions::new(files, names);
        for (callee, n_arguments) in calls(files) {
            let owned = callee.map(str::to_owned);
            if functions.agree_with(callee, n_arguments) == Some(false) {
                result.excused.insert(owned.clone());
            }
            let numbers = result.by_callee.entry(owned).or_default();
            numbers.insert(n_arguments);
        }
        result
    }

    /// Finds a function that a file calls with a wrong number of arguments, although no call of it was
    /// wrong before. `files` are those of the whole crate, with this one, and `names` what they have.
    pub(super) fn miscalled<'f>(
        &self,
        file: &'f FileNames,
        files: &[&'f FileNames],
        names: &CrateNames<'f>,
    ) -> Option<&'f str> {
        let functions = Functions::new(files, names);
        let is_wrong = |&(callee, n_arguments): &(Callee<&str>, usize)| {
            let agrees = functions.agree_with(callee, n_arguments);
            if agrees == Some(true) || functions.is_unknown(callee.name()) {
                return false;
            }
            let owned = callee.map(str::to_owned);
            let is_as_before = || {
                let before = self.by_callee.get(&owned);
                before.is_none_or(|numbers| numbers.contains(&n_arguments))
                    || functions.take(callee.name(), n_arguments)
            };
            !self.excused.contains(&owned) && (agrees.is_some() || !is_as_before())
        };
        let found = calls(&[file]).find(is_wrong);
        found.map(|(callee, _)| callee.name())
    }
}

/// The functions of a crate.
struct Functions<'n, 'f> {
    takes: HashMap<&'f str, BTreeSet<usize>>,
    unknown: BTreeSet<&'f str>,
    names: &'n CrateNames<'f>,
}

impl<'n, 'f> Functions<'n, 'f> {
    fn new(files: &[&'f FileNames], names: &'n CrateNames<'f>) -> Self {
        let mut takes: HashMap<&str, BTreeSet<usize>> = HashMap::new();
        for file in files {
            for &(name, number) in &file.arguments.takes {
                takes.entry(file.text(name)).or_default().insert(number);
            }
        }
        let unknown = files.iter().flat_map(|file| {
            let names = file.arguments.unknown.iter();
            names.map(|&name| file.text(name))
        });
        Self {
            takes,
            unknown: unknown.collect(),
            names,
        }
    }

    fn is_unknown(&self, name: &str) -> bool {
        self.unknown.contains(name)
    }

    fn take(&self, name: &str, n_arguments: usize) -> bool {
        let numbers = self.takes.get(name);
        numbers.is_some_and(|numbers| numbers.contains(&n_arguments))
    }

    /// Returns whether a call has as many arguments as functions of its name take. None if it may be one
    /// of a function of another crate.
    fn agree_with(&self, callee: Callee<&str>, n_arguments: usize) -> Option<bool> {
        let numbers = self.takes.get(callee.name())?;
        let is_own = match callee {
            Callee::Function(_) | Callee::Method(_) => true,
            Callee::Qualified(before, _) => {
                matches!(before, "Self" | "self" | "crate" | "super") || self.names.has_own(before)
            }
        };
        is_own.then(|| numbers.contains(&n_arguments))
    }
}

fn calls<'f>(files: &[&'f FileNames]) -> impl Iterator<Item = (Callee<&'f str>, usize)> {
    let of_file = |file: &&'f FileNames| {
        let file = *file;
        let calls = file.arguments.calls.iter();
        calls.map(move |call| (call.callee.map(|name| file.text(name)), call.n_arguments))
    };
    files.iter().flat_map(of_file)
}
