//! The single edits that passes may make of a program.

use crate::request::{PassChoice, Stage};
use reduce_passes::{PASSES, Program};
use reduce_syntax::{EditSet, SourceTree, pretty};
use std::sync::Arc;

/// Returns all single edits of some passes that make the program simpler, but for those that only undo its layout,
/// such as the comma after the last of several lines.
pub(crate) fn single_edits(program: &Program, passes: PassChoice) -> Vec<EditSet> {
    let sources = program.sources();
    let wanted = PASSES
        .iter()
        .filter(|pass| passes.contains(Stage::Pass(pass)));
    let mut edits: Vec<EditSet> = wanted.flat_map(|pass| pass.single_edits(program)).collect();
    edits.retain(|edits| {
        let left = edits.apply(sources);
        left.is_simpler_than(sources) && laid_out(left).is_simpler_than(sources)
    });
    edits
}

fn laid_out(mut sources: SourceTree) -> SourceTree {
    let printed: Vec<_> = sources
        .files()
        .filter_map(|(file, _, text)| Some((file, pretty(text)?)))
        .collect();
    for (file, text) in printed {
        sources.set_text(file, Arc::from(text));
    }
    sources
}
