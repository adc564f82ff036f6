//! Defines sources with probes: code that writes down what a program does when it runs. A probe that does not compile is left
//! out.

use crate::program::Place;
use reduce_syntax::{FileId, SourceTree};
use std::collections::BTreeSet;
use std::ops::Range;

/// Sources with probes.
#[derive(Debug)]
pub struct ProbedSources {
    /// The sources with the probes in them.
    pub sources: SourceTree,
    /// The number of each probe, and the place of its code in the sources.
    pub(crate) places: Vec<(usize, Place)>,
}

/// The probes of a program.
pub trait ProbeSet {
    /// Whether there is no probe left that compiles.
    fn is_empty(&self) -> bool;

    /// Returns the program with its probes.
    fn sources(&self) -> ProbedSources;

    /// Returns the numbers of the probes that do not compile.
    fn broken(&mut self) -> &mut BTreeSet<usize>;

    /// Drops the probes that may have caused an error of the compiler: the innermost around it, unless that is much larger, else those in it, else the
    /// innermost whatever its size, all of the file, or all. Returns whether there were any.
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

    /// Returns the probes that may have caused an error.
    fn suspects(&self, error: Option<(FileId, Range<usize>)>) -> Vec<usize> {
        let all = self.places.iter();
        let Some((file, bytes)) = error else {
            return all.map(|(idx, _)| *idx).collect();
        };
        let error = Place::new(file, bytes);
        let around = all.clone().filter(|(_, place)| error.is_within(place));
        let innermost = around.min_by_key(|(_, place)| place.range.len());
        // What is much larger than the error is rather a branch or a function than its cause.
        let is_close =
            |place: &Place| place.range.len() < error.range.len().saturating_mul(4).max(400);
        let close = innermost.filter(|(_, place)| is_close(place));
        let within = all.clone().filter(|(_, place)| place.is_within(&error));
        let of_file = all.filter(|(_, place)| place.file == error.file);
        let groups: [Vec<usize>; 4] = [
            close.map(|(idx, _)| *idx).into_iter().collect(),
            within.map(|(idx, _)| *idx).collect(),
            innermost.map(|(idx, _)| *idx).into_iter().collect(),
            of_file.map(|(idx, _)| *idx).collect(),
        ];
        let first = groups.into_iter().find(|group| !group.is_empty());
        first.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use std::sync::Arc;

    #[test]
    fn a_function_keeps_its_probe_where_an_expression_in_it_does_not_compile() {
        let path = Utf8PathBuf::from("a.rs");
        let sources = SourceTree::single(path, Arc::from(""));
        let file = sources.root();
        let place = |range| Place::new(file, range);
        let places = vec![
            (1, place(0..5_000)),
            (2, place(120..130)),
            (3, place(90..100)),
        ];
        let probed = ProbedSources::new(sources, places);
        assert_eq!(probed.suspects(Some((file, 110..140))), [2]);
        assert_eq!(probed.suspects(Some((file, 122..124))), [2]);
        assert_eq!(probed.suspects(Some((file, 200..210))), [1]);
    }
}
