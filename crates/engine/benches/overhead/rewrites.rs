//! The cost of the changes of rewriting passes: finding them, and making the text of each. A state
//! is parsed once for all passes; for comparison, once for each.

use reduce_passes::{PASSES, Program, Rewriter, Work};
use reduce_syntax::{EditSet, SourceTree};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The largest number of changes of each pass of which texts are made.
const MOST_TEXTS: usize = 50;

/// The way in which a state is handed to the passes: parsed once for all, or once for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parsing {
    ForAll,
    ForEach,
}

/// Measures a row of the table: changes, and microseconds for each to find it and to make its text.
pub(crate) fn row(sources: &SourceTree, parsing: Parsing) -> String {
    let (mut n_changes, mut n_texts) = (0, 0);
    let (mut finding, mut applying) = (Duration::ZERO, Duration::ZERO);
    let start = Instant::now();
    let shared = Program::new(sources);
    finding += start.elapsed();
    for rewriter in rewriters() {
        let start = Instant::now();
        let changes: Vec<EditSet> = match parsing {
            Parsing::ForAll => rewriter.changes(&shared),
            Parsing::ForEach => rewriter.changes(&Program::new(sources)),
        };
        finding += start.elapsed();
        n_changes += changes.len();
        let start = Instant::now();
        for change in changes.iter().take(MOST_TEXTS) {
            black_box(change.apply(sources));
            n_texts += 1;
        }
        applying += start.elapsed();
    }
    let each = |time: Duration, n: usize| time.as_secs_f64() * 1e6 / n.max(1) as f64;
    let (find, apply) = (each(finding, n_changes), each(applying, n_texts));
    format!(
        "{n_changes} | {find:.1} | {apply:.1} | {:.1} |",
        find + apply
    )
}

fn rewriters() -> impl Iterator<Item = Rewriter> {
    let works = PASSES.iter().flat_map(|pass| pass.work);
    works.filter_map(|work| match work {
        Work::Rewrite(rewriter) => Some(*rewriter),
        _ => None,
    })
}
