//! Puts switches for mutants into a crate, as many as compile.

use crate::error::GuardError;
use reduce_mutants::{
    ErrorPlace, Instrumented, MutantId, Options, Reach, instrument, without_const,
};
use reduce_oracle::{Compiled, ErrorPlace as Place};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;

/// Puts switches for mutants into a crate, as many as `compile` accepts; `None` where none of them compiles. Where
/// the compiler does not permit what so many of them need, there are fewer.
pub(crate) fn with_switches(
    sources: &SourceTree,
    (first, most): (MutantId, Reach),
    mut compile: impl FnMut(&SourceTree, Reach) -> Result<Compiled, GuardError>,
) -> Result<Option<Instrumented>, GuardError> {
    for reach in Reach::ALL.into_iter().filter(|reach| *reach <= most) {
        let instrumented = instrument(sources, &Options { first, reach });
        let compiled = compiling(instrumented, |switched| compile(switched, reach))?;
        if compiled.is_some() {
            return Ok(compiled);
        }
    }
    Ok(None)
}

/// Removes `const` from the functions of a crate but those that the names in constants lead to, if `compile` accepts
/// the crate then. As it is, if these names are not known.
pub(crate) fn fewer_const(
    sources: &SourceTree,
    in_constants: Option<&BTreeSet<String>>,
    compile: impl FnOnce(&SourceTree) -> Result<Compiled, GuardError>,
) -> Result<SourceTree, GuardError> {
    if let Some(in_constants) = in_constants {
        let plain = without_const(sources, in_constants.clone());
        if plain.digest() != sources.digest() && compile(&plain)? == Compiled::Yes {
            return Ok(plain);
        }
    }
    Ok(sources.clone())
}

/// Removes the mutants in which `compile` finds errors; `None` where none is left.
pub(crate) fn compiling(
    instrumented: Instrumented,
    mut compile: impl FnMut(&SourceTree) -> Result<Compiled, GuardError>,
) -> Result<Option<Instrumented>, GuardError> {
    let mut compiles = false;
    if instrumented.mutants().is_empty() {
        return Ok(None);
    }
    let instrumented = instrumented.drop_broken(|switched: &SourceTree| {
        let compiled = compile(switched)?;
        compiles = compiled == Compiled::Yes;
        Ok::<_, GuardError>(match compiled {
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

/// Finds the innermost place of an error in a crate: in the definition of a macro, if the error is
/// there.
fn place(place: Option<&Place>, sources: &SourceTree) -> ErrorPlace {
    let Some(place) = place else {
        return ErrorPlace::Unknown;
    };
    let in_macros = place.in_macros.iter().map(|(file, bytes)| (file, bytes));
    let places = in_macros.chain([(&place.file, &place.bytes)]);
    let mut found = places.filter_map(|(file, bytes)| Some((sources.find(file)?, bytes.clone())));
    found.next().map_or(ErrorPlace::Unknown, |(file, bytes)| {
        ErrorPlace::At(file, bytes)
    })
}
