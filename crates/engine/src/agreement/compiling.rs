//! Switches in a crate, as many as compile.

use crate::failure::Failure;
use reduce_mutants::{ErrorPlace, Instrumented, MutantId, Options, instrument};
use reduce_oracle::{Compiled, ErrorPlace as Place};
use reduce_syntax::SourceTree;

/// A crate with switches that `compile` has compiled; `None` where it has none.
pub(super) fn with_switches(
    sources: &SourceTree,
    first: MutantId,
    mut compile: impl FnMut(&SourceTree) -> Result<Compiled, Failure>,
) -> Result<Option<Instrumented>, Failure> {
    let mut compiles = false;
    let instrumented = instrument(sources, &Options { first });
    let instrumented = instrumented.drop_broken(|switched: &SourceTree| {
        let compiled = compile(switched)?;
        compiles = compiled == Compiled::Yes;
        Ok::<_, Failure>(match compiled {
            Compiled::Yes => Vec::new(),
            Compiled::No(places) => places
                .iter()
                .map(|one| place(one.as_ref(), switched))
                .collect(),
        })
    })?;
    let has_mutants = compiles && !instrumented.mutants().is_empty();
    Ok(has_mutants.then_some(instrumented))
}

fn place(place: Option<&Place>, sources: &SourceTree) -> ErrorPlace {
    let found = place.and_then(|place| Some((sources.find(&place.file)?, place.bytes.clone())));
    found.map_or(ErrorPlace::Unknown, |(file, bytes)| {
        ErrorPlace::At(file, bytes)
    })
}
