//! The values that expressions of a program have where it runs, so that a literal may stand in place of what is computed
//! (constant folding, with values that were observed).
//!
//! A `Probe` is put around each expression that may be folded; when that was evaluated it writes its value to a file,
//! as a literal. An expression with one value in all runs can be replaced by this. Whether the program then still does the
//! same is left to who runs it.
//!
//! - `sites` finds the expressions.
//! - `runtime` is what writes the values.

mod runtime;
mod sites;

use crate::program::{Place, Program};
use reduce_syntax::{EditSet, FileId, SourceTree, tokens};
pub use runtime::VALUES_VARIABLE;
use sites::{Site, sites};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// A program in which expressions write down their values.
pub struct Probes<'p> {
    program: &'p Program,
    sites: Vec<Site>,
    /// Those of which the probe does not compile.
    broken: BTreeSet<usize>,
}

/// Sources with probes.
#[derive(Debug)]
pub struct ProbedSources {
    /// The sources.
    pub sources: SourceTree,
    /// Where each probe stands in them, from the beginning of what was put in to its end.
    places: Vec<(usize, Place)>,
}

/// What the runs of a program with probes have shown.
#[derive(Debug, Clone, Default)]
pub struct ObservedValues {
    /// The value at each site, as a literal; `None` where it was not always the same, or is none that can be written.
    values: BTreeMap<usize, Option<String>>,
}

impl<'p> Probes<'p> {
    /// Probes at all expressions of a program that may be folded.
    #[must_use]
    pub fn of(program: &'p Program) -> Self {
        Self {
            program,
            sites: sites(program),
            broken: BTreeSet::new(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.broken.len() == self.sites.len()
    }

    /// The program with its probes.
    #[must_use]
    pub fn sources(&self) -> ProbedSources {
        let mut sources = self.program.sources().clone();
        let mut places = Vec::new();
        let mut of_files: BTreeMap<FileId, Vec<(usize, &Site)>> = BTreeMap::new();
        let all = self.sites.iter().enumerate();
        for (idx, site) in all.filter(|(idx, _)| !self.broken.contains(idx)) {
            of_files
                .entry(site.place.file)
                .or_default()
                .push((idx, site));
        }
        for (file, sites) in of_files {
            let (mut text, in_file) = probed(self.program.sources().text(file), &sites);
            text.push_str(runtime::MODULE);
            places.extend(in_file.map(|(idx, range)| (idx, Place::new(file, range))));
            sources.set_text(file, Arc::from(text));
        }
        ProbedSources { sources, places }
    }

    /// Leaves out the probes that an error of the compiler may be about: the innermost around it, else those in it, else
    /// all of the file, or all. Returns whether there were any.
    pub fn drop_broken(
        &mut self,
        probed: &ProbedSources,
        error: Option<(FileId, Range<usize>)>,
    ) -> bool {
        let n_before = self.broken.len();
        let all = probed.places.iter();
        let suspects: Vec<usize> = match error.map(|(file, bytes)| Place::new(file, bytes)) {
            None => all.map(|(idx, _)| *idx).collect(),
            Some(error) => {
                let around = all.clone().filter(|(_, place)| error.is_within(place));
                let innermost = around.min_by_key(|(_, place)| place.range.len());
                let within = all.clone().filter(|(_, place)| place.is_within(&error));
                let of_file = all.filter(|(_, place)| place.file == error.file);
                let groups: [Vec<usize>; 3] = [
                    innermost.map(|(idx, _)| *idx).into_iter().collect(),
                    within.map(|(idx, _)| *idx).collect(),
                    of_file.map(|(idx, _)| *idx).collect(),
                ];
                let first = groups.into_iter().find(|group| !group.is_empty());
                first.unwrap_or_default()
            }
        };
        self.broken.extend(suspects);
        self.broken.len() > n_before
    }

    /// The changes that put a literal in place of an expression, each by itself, those of outer expressions first.
    #[must_use]
    pub fn foldings(&self, observed: &ObservedValues) -> Vec<EditSet> {
        let values = observed.values.iter();
        let known =
            values.filter_map(|(idx, value)| Some((self.sites.get(*idx)?, value.as_ref()?)));
        // A walk comes to the outer ones first.
        let foldings = known.filter_map(|(site, literal)| self.folding(site, literal));
        foldings.collect()
    }

    fn folding(&self, site: &Site, literal: &str) -> Option<EditSet> {
        if is_same(self.program.text(&site.place), literal) {
            return None;
        }
        let mut change = self.program.change();
        change.replace_expr(&site.place, literal);
        change.finish()
    }
}

impl ObservedValues {
    /// What a run has written.
    #[must_use]
    pub fn read(record: &[u8]) -> Self {
        let mut observed = Self::default();
        for line in String::from_utf8_lossy(record).lines() {
            let Some((number, value)) = line.split_once(' ') else {
                continue;
            };
            if let Ok(idx) = number.parse() {
                let value = (value != runtime::NO_LITERAL).then(|| value.to_owned());
                observed.note(idx, value);
            }
        }
        observed
    }

    /// Adds what another run has shown. What was not evaluated there stays as it is.
    pub fn merge(&mut self, other: Self) {
        for (idx, value) in other.values {
            // What only another version of the code under test evaluates says nothing of this one.
            if self.values.contains_key(&idx) {
                self.note(idx, value);
            }
        }
    }

    fn note(&mut self, idx: usize, value: Option<String>) {
        let known = self.values.entry(idx).or_insert_with(|| value.clone());
        if *known != value {
            *known = None;
        }
    }
}

/// Whether two texts have the same tokens.
fn is_same(one: &str, other: &str) -> bool {
    let texts = |text: &str| -> Vec<String> {
        let all = tokens(text).into_iter();
        all.map(|token| text[token.range()].to_owned()).collect()
    };
    texts(one) == texts(other)
}

/// A file with probes, and where each is in it.
fn probed<'s>(
    text: &str,
    sites: &[(usize, &'s Site)],
) -> (
    String,
    impl Iterator<Item = (usize, Range<usize>)> + use<'s>,
) {
    // At one position inner ends come first, and then outer beginnings.
    let ends = sites.iter().enumerate().flat_map(|(nth, (_, site))| {
        let Range { start, end } = site.place.range;
        [
            (start, true, Reverse(end), nth),
            (end, false, Reverse(start), nth),
        ]
    });
    let mut ends: Vec<_> = ends.collect();
    ends.sort_unstable();
    let mut result = String::new();
    let mut ranges = vec![0..0; sites.len()];
    let mut done = 0;
    for (at, begins, _, nth) in ends {
        result.push_str(&text[done..at]);
        done = at;
        let (idx, site) = sites[nth];
        let (before, after) = runtime::around(idx, site);
        if begins {
            ranges[nth].start = result.len();
            result.push_str(&before);
        } else {
            result.push_str(&after);
            ranges[nth].end = result.len();
        }
    }
    result.push_str(&text[done..]);
    let indices: Vec<usize> = sites.iter().map(|(idx, _)| *idx).collect();
    (result, indices.into_iter().zip(ranges))
}

#[cfg(test)]
mod tests;
