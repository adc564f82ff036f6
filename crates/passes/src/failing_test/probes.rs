//! Sources with probes: code that writes down what a program does where it runs. A probe that does not compile is left out.

use crate::program::Place;
use reduce_syntax::{FileId, SourceTree};
use std::collections::BTreeSet;
use std::ops::Range;

/// Sources with probes.
#[derive(Debug)]
pub struct ProbedSources {
    /// The sources with the probes in them.
    pub sources: SourceTree,
    /// The number of each probe, and its place in the sources, from the beginning of what was put in to its end.
    pub(crate) places: Vec<(usize, Place)>,
}

/// The probes of a program.
pub trait ProbeSet {
    /// Whether there is no probe that compiles.
    fn is_empty(&self) -> bool;

    /// The program with its probes.
    fn sources(&self) -> ProbedSources;

    /// The numbers of the probes that do not compile.
    fn broken(&mut self) -> &mut BTreeSet<usize>;

    /// Leaves out the probes that an error of the compiler may be about: the innermost around it, else those in it, else
    /// all of the file, or all. Returns whether there were any.
    fn drop_broken(
        &mut self,
        probed: &ProbedSources,
        error: Option<(FileId, Range<usize>)>,
    ) -> bool {
        let broken = self.broken();
        let n_before = broken.len();
        broken.extend(probed.suspects(error));
        broken.len() > n_before
    }
}

impl ProbedSources {
    pub(crate) fn new(sources: SourceTree, places: Vec<(usize, Place)>) -> Self {
        Self { sources, places }
    }

    /// The probes that an error may be about.
    fn suspects(&self, error: Option<(FileId, Range<usize>)>) -> Vec<usize> {
        let all = self.places.iter();
        let Some((file, bytes)) = error else {
            return all.map(|(idx, _)| *idx).collect();
        };
        let error = Place::new(file, bytes);
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
}
