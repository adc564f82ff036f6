//! Finds the values that a program's expressions have when it runs, so that literals may replace computations (constant folding,
//! with values that a run has shown).
//!
//! A `Probe` is put around each expression that may be folded; when that was evaluated it writes its value to a file,
//! as a literal. An expression with one value in all runs can be replaced by this. Whether the program then still does the
//! same is left to who runs it.
//!
//! Probes in loops say which value belongs to which round, so that the rounds may stand in place of a loop.
//!
//! - `sites` finds the expressions; `loops` and `branches` say what there is to know of a loop and what is in it.
//! - `runtime` is what writes the values, with `own_types` those of the program's types, and `record` reads them. Values that the failure shows (`shown`) may be left out.
//! - `unrolled` makes statements of the rounds of a loop, and `cuts` ends those in which the loop is left or continued.
//!
//! See docs/decisions/values-in-runs.md.

mod branches;
mod cuts;
mod loops;
mod own_types;
mod record;
pub(super) mod runtime;
mod shown;
pub(super) mod sites;
mod unrolled;

use crate::failing_test::probes::{ProbeSet, ProbedSources};
use crate::failing_test::taint::Taint;
use crate::program::{Place, Program};
pub(crate) use loops::BoundNames;
pub use record::RunValues;
use reduce_syntax::{EditSet, FileId, tokens};
pub use runtime::VALUES_VARIABLE;
use sites::{Site, SiteKind, Sites, sites};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use unrolled::Unroller;
pub use unrolled::Unrolling;

/// A program in which expressions write down their values.
pub struct Probes<'p> {
    program: &'p Program,
    sites: Sites<'p>,
    /// The values that must not be folded, though they may be the same in all runs, as they come from the code under test.
    taint: Taint,
    /// The indices of the sites whose probe does not compile.
    broken: BTreeSet<usize>,
}

/// The changes of a program that its observed values allow.
#[derive(Debug, Clone, Default)]
pub struct ChangesByValues {
    /// Changes that each put a literal in place of one expression, those of outer expressions first.
    pub foldings: Vec<EditSet>,
    /// Loops with the texts of the rounds that they made, the last loop first.
    pub unrollings: Vec<Unrolling>,
}

impl ProbeSet for Probes<'_> {
    fn is_empty(&self) -> bool {
        self.broken.len() == self.sites.all.len()
    }

    fn sources(&self) -> ProbedSources {
        with_probes(
            self.program,
            &self.sites.all,
            &self.broken,
            &runtime::module(),
        )
    }

    fn broken(&mut self) -> &mut BTreeSet<usize> {
        &mut self.broken
    }
}

impl<'p> Probes<'p> {
    /// Makes probes for all expressions of a program that may be folded, except values from the code under test.
    #[must_use]
    pub fn of(program: &'p Program) -> Self {
        Self {
            taint: Taint::of(program),
            ..Self::of_all_values(program)
        }
    }

    /// Makes probes for a program in which every value that is the same in all runs may be folded, wherever it comes from.
    #[must_use]
    pub fn of_all_values(program: &'p Program) -> Self {
        Self {
            program,
            sites: sites(program),
            taint: Taint::none(),
            broken: BTreeSet::new(),
        }
    }

    /// Returns the changes that the values of a program's runs allow.
    #[must_use]
    pub fn changes(&self, observed: &RunValues) -> ChangesByValues {
        ChangesByValues {
            foldings: self.foldings(observed),
            unrollings: self.unrollings(observed),
        }
    }

    fn foldings(&self, observed: &RunValues) -> Vec<EditSet> {
        let values = observed.values.iter();
        let known =
            values.filter_map(|(idx, value)| Some((self.sites.all.get(*idx)?, value.as_ref()?)));
        // A walk comes to the outer ones first.
        let foldings = known.filter_map(|(site, literal)| self.folding(site, literal));
        foldings.collect()
    }

    fn unrollings(&self, observed: &RunValues) -> Vec<Unrolling> {
        // The last loop goes first: then what comes before it is needed for less.
        let unrolled = self.sites.loops.iter().rev().filter_map(|one| {
            let rounds = observed.loops.get(&one.idx)?.as_ref();
            let is_clean = !self.taint.is_in(&one.looping.header_place());
            let rounds = rounds.filter(|rounds| is_clean && !rounds.is_cut)?;
            let unroller = Unroller {
                program: self.program,
                sites: &self.sites,
                one,
            };
            Some(unroller.unrolled(&rounds.values))
        });
        unrolled.filter(|one| one.n_rounds() > 0).collect()
    }

    fn folding(&self, site: &Site, literal: &str) -> Option<EditSet> {
        let is_literal = is_same(self.program.text(&site.place), literal);
        if !site.kind.is_expression() || is_literal || self.taint.is_in(&site.place) {
            return None;
        }
        let mut change = self.program.change();
        change.replace_expr(&site.place, literal);
        change.finish()
    }
}

/// Returns the program with a probe at each site that is not broken, and with the module that writes the values down.
pub(super) fn with_probes(
    program: &Program,
    sites: &[Site],
    broken: &BTreeSet<usize>,
    module: &str,
) -> ProbedSources {
    let mut sources = program.sources().clone();
    let mut places = Vec::new();
    let mut of_files: BTreeMap<FileId, Vec<(usize, &Site)>> = BTreeMap::new();
    let all = sites.iter().enumerate();
    for (idx, site) in all.filter(|(idx, _)| !broken.contains(idx)) {
        of_files
            .entry(site.place.file)
            .or_default()
            .push((idx, site));
    }
    for (file, sites) in of_files {
        let (mut text, mut in_file) = probed(program.sources().text(file), &sites);
        text.push_str(module);
        write_own_types(&mut text, &mut in_file, &sites);
        let in_file = in_file.into_iter();
        places.extend(in_file.map(|(idx, range)| (idx, Place::new(file, range))));
        sources.set_text(file, Arc::from(text));
    }
    ProbedSources::new(sources, places)
}

/// Whether two texts have equal tokens, when only the last names of paths count.
fn is_same(one: &str, other: &str) -> bool {
    let texts = |text: &str| -> Vec<String> {
        let all = tokens(text).into_iter();
        let all: Vec<&str> = all.map(|token| &text[token.range()]).collect();
        let is_path = |idx: usize| all[idx] == "::" || all.get(idx + 1) == Some(&"::");
        let last = (0..all.len()).filter(|idx| !is_path(*idx));
        last.map(|idx| all[idx].to_owned()).collect()
    };
    texts(one) == texts(other)
}

/// Adds to a file with probes the code that writes values of the program's own types. That is where an error about them is.
fn write_own_types(
    text: &mut String,
    places: &mut [(usize, Range<usize>)],
    sites: &[(usize, &Site)],
) {
    text.push_str(runtime::OWN_TYPES);
    for ((_, place), (_, site)) in places.iter_mut().zip(sites) {
        if let SiteKind::Type(written) = &site.kind {
            *place = text.len()..text.len() + written.len();
            text.push_str(written);
        }
    }
    text.push_str("}\n");
}

/// Puts probes into a file, and returns the text with the range of each probe.
fn probed(text: &str, sites: &[(usize, &Site)]) -> (String, Vec<(usize, Range<usize>)>) {
    // At one position inner ends come first, and then outer beginnings. Of two probes of one place the first is around the
    // other.
    let ends = sites.iter().enumerate().flat_map(|(nth, (_, site))| {
        let Range { start, end } = site.place.range;
        // The frame of a closure is around the value of its body.
        let is_frame = matches!(
            site.kind,
            SiteKind::Closure | SiteKind::Round | SiteKind::Bound(_)
        );
        let around = if is_frame { sites.len() } else { 0 };
        let order = nth.cast_signed() - around.cast_signed();
        [
            (start, true, Reverse(end), order, nth),
            (end, false, Reverse(start), -order, nth),
        ]
    });
    let mut ends: Vec<_> = ends.collect();
    ends.sort_unstable();
    let mut result = String::new();
    let mut ranges = vec![0..0; sites.len()];
    let mut done = 0;
    for (at, begins, _, _, nth) in ends {
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
    (result, indices.into_iter().zip(ranges).collect())
}

#[cfg(test)]
mod tests;
