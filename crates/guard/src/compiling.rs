//! Puts switches for mutants into a crate, as many as compile.

use crate::error::GuardError;
use reduce_mutants::{
    ErrorPlace, Instrumented, MutantId, Options, Reach, instrument, without_const,
};
use reduce_oracle::{Compiled, ErrorPlace as Place};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;

/// The number of mutants of a crate that are few. More take longer to compile than to find out first which functions are entered.
const FEW: usize = 2000;

/// The set of switches that crates get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SwitchSet {
    /// One at the beginning of each function, to see which are entered; all in a crate with few mutants.
    Entries,
    /// Those of all mutants.
    All,
}

/// The switches that a crate gets.
pub(crate) enum Chosen {
    /// New ones from a number on, of no larger reach.
    New(SwitchSet, MutantId, Reach),
    /// Those that were found before.
    Known(Instrumented),
}

/// The way in which a crate is compiled with switches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompileMode {
    pub(crate) reach: Reach,
    /// Whether it is compiled first with a switch at the beginning of each function, and then with others too.
    pub(crate) in_two_steps: bool,
}

/// Puts switches for mutants into a crate, as many as `compile` accepts; `None` where none of them compiles. Where
/// the compiler does not permit what so many new ones need, there are fewer. Where there are new ones, only those functions stay
/// `const` that the names `in_constants` lead to, if these are known.
pub(crate) fn with_switches(
    chosen: Chosen,
    (sources, in_constants): (&SourceTree, Option<&BTreeSet<String>>),
    mut compile: impl FnMut(&SourceTree, CompileMode) -> Result<Compiled, GuardError>,
) -> Result<Option<Instrumented>, GuardError> {
    let mode = |reach: Reach, in_two_steps: bool| CompileMode {
        reach,
        in_two_steps,
    };
    let (set, first, most) = match chosen {
        Chosen::New(set, first, most) => (set, first, most),
        Chosen::Known(known) => {
            let mode = mode(known.reach(), true);
            return compiling(known, |switched| compile(switched, mode));
        }
    };
    let sources = fewer_const(sources, in_constants, |plain| {
        compile(plain, mode(Reach::Plain, false))
    })?;
    for reach in Reach::ALL.into_iter().filter(|reach| *reach <= most) {
        let all = instrument(&sources, &Options { first, reach });
        let instrumented = match set {
            SwitchSet::Entries if all.mutants().len() > FEW => all.at_entries(),
            SwitchSet::Entries | SwitchSet::All => all,
        };
        let mode = mode(reach, instrumented.is_at_entries());
        let compiled = compiling(instrumented, |switched| compile(switched, mode))?;
        if compiled.is_some() {
            return Ok(compiled);
        }
    }
    Ok(None)
}

/// Removes `const` from the functions of a crate but those that the names in constants lead to, if `compile` accepts
/// the crate then. As it is, if these names are not known.
fn fewer_const(
    sources: &SourceTree,
    in_constants: Option<&BTreeSet<String>>,
    compile: impl FnOnce(&SourceTree) -> Result<Compiled, GuardError>,
) -> Result<SourceTree, GuardError> {
    if let Some(in_constants) = in_constants {
        let plain = without_const(sources, in_constants.clone());
        if plain.digest() != sources.digest() && compile(&plain)?.is_yes() {
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
        compiles = compiled.is_yes();
        Ok::<_, GuardError>(match compiled {
            Compiled::Yes(_) => Vec::new(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_oracle::TimeSpent;

    const ALL: (SwitchSet, MutantId, Reach) = (SwitchSet::All, MutantId(1), Reach::Plain);

    /// Makes a crate with so many functions, of ten mutants or more each.
    fn of_functions(n_functions: usize) -> SourceTree {
        let functions = (0..n_functions).map(|number| {
            format!("fn f{number}(a: u32) -> u32 {{ let b = a + 1 + 2; if b < 3 {{ b * 4 }} else {{ b - 5 }} }}\n")
        });
        SourceTree::single("lib.rs".into(), functions.collect::<String>().into())
    }

    /// Puts switches into a crate, all of which compile, and returns them with the modes in which they were compiled.
    fn switches_of(chosen: Chosen, sources: &SourceTree) -> (Instrumented, Vec<bool>) {
        let mut modes = Vec::new();
        let found = with_switches(chosen, (sources, None), |_, mode| {
            modes.push(mode.in_two_steps);
            Ok(Compiled::Yes(TimeSpent::default()))
        });
        (found.unwrap().unwrap(), modes)
    }

    #[test]
    fn a_small_crate_has_all_switches_at_once() {
        let sources = of_functions(3);
        let (all, _) = switches_of(Chosen::New(ALL.0, ALL.1, ALL.2), &sources);
        let entries = Chosen::New(SwitchSet::Entries, ALL.1, ALL.2);
        let (found, modes) = switches_of(entries, &sources);
        assert_eq!(found.mutants(), all.mutants());
        assert_eq!((found.is_at_entries(), modes), (false, vec![false]));
    }

    #[test]
    fn a_large_crate_has_switches_in_entered_functions_in_a_second_step() {
        let n_functions = FEW / 10;
        let sources = of_functions(n_functions);
        let entries = Chosen::New(SwitchSet::Entries, ALL.1, ALL.2);
        let (first, modes) = switches_of(entries, &sources);
        assert_eq!((first.is_at_entries(), modes), (true, vec![true]));
        assert_eq!(first.mutants().len(), n_functions);
        let passed = BTreeSet::from([first.mutants()[7].id]);
        let (second, modes) = switches_of(Chosen::Known(first.in_entered(&passed)), &sources);
        assert_eq!((second.is_at_entries(), modes), (false, vec![true]));
        let changes = second.mutants().iter().filter(|one| one.is_change());
        let changed: BTreeSet<&str> = changes.map(|one| one.function.as_str()).collect();
        assert_eq!(changed, BTreeSet::from(["f7"]));
        assert!(second.mutants().len() >= n_functions + 9);
    }
}
