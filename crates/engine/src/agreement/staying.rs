//! What a mended program may need of the code under test although the failing run did not come to it.
//!
//! With `--whole` what did not run goes. But once the bug is mended the test goes on, into code that nobody has seen
//! running. Runs under mutants with which the test passes may have come there. Where they have not, all that may be called
//! from code that matters stays.

use crate::marked::MutatedCrate;
use reduce_mutants::{Mutant, MutantId, by_function};
use reduce_syntax::tokens;
use std::collections::BTreeSet;

/// The mutants that runs of the test pass.
pub(super) struct PassedMutants<'p> {
    /// Those that the failing run passes.
    pub(super) failing: &'p BTreeSet<MutantId>,
    /// Those that each run passes in which the test succeeds.
    pub(super) success: &'p [BTreeSet<MutantId>],
    /// Those that change the outcome.
    pub(super) matter: &'p BTreeSet<MutantId>,
    /// Whether the test ends before what it asserts, by an error or by a panic elsewhere: then it goes on once the bug is
    /// mended.
    pub(super) ends_early: bool,
}

/// What has to stay beside what changes the outcome.
#[derive(Debug, Default)]
pub(super) struct Staying {
    /// The mutants whose points have to stay.
    pub(super) mutants: BTreeSet<MutantId>,
    /// Whether runs have shown them, so that nothing else is needed.
    pub(super) is_seen: bool,
}

/// The mutants whose points have to stay although they may not change the outcome: all in functions that come after the
/// bug, and in what these call by name.
pub(super) fn staying(crates: &[MutatedCrate], passed: &PassedMutants<'_>) -> Staying {
    let functions = functions(crates);
    let shown = after_the_bug(&functions, passed);
    let is_seen = shown.contains(&true) || !(passed.success.is_empty() || passed.ends_early);
    let mut stays = match is_seen {
        true => shown,
        false => functions.iter().map(|one| one.has(passed.matter)).collect(),
    };
    while let Some(next) = called(&functions, &stays) {
        stays[next] = true;
    }
    let staying = functions.iter().zip(stays).filter(|(_, stays)| *stays);
    Staying {
        mutants: staying.flat_map(|(one, _)| one.mutants.clone()).collect(),
        is_seen,
    }
}

/// A function with mutants.
struct MutatedFunction {
    /// Its name, without the path to it.
    name: String,
    /// The names in it that functions may have.
    names: BTreeSet<String>,
    mutants: Vec<MutantId>,
}

impl MutatedFunction {
    fn has(&self, some: &BTreeSet<MutantId>) -> bool {
        self.mutants.iter().any(|id| some.contains(id))
    }
}

fn functions(crates: &[MutatedCrate]) -> Vec<MutatedFunction> {
    let of_crate = |krate: &MutatedCrate| {
        let function = |mutants: Vec<&Mutant>| {
            let first = mutants[0];
            let text = &krate.sources.text(first.file)[first.function_range.clone()];
            let name = first.function.as_str();
            MutatedFunction {
                name: name.rsplit("::").next().unwrap_or(name).to_owned(),
                names: names_of_functions(text),
                mutants: mutants.iter().map(|one| one.id).collect(),
            }
        };
        let all = by_function(&krate.mutants).into_iter();
        all.map(function).collect::<Vec<_>>()
    };
    crates.iter().flat_map(of_crate).collect()
}

/// The names in a text that functions may have: no module or type is meant, of which a path goes on.
fn names_of_functions(text: &str) -> BTreeSet<String> {
    let all: Vec<&str> = tokens(text)
        .into_iter()
        .map(|token| &text[token.range()])
        .collect();
    let may_be_called = |idx: &usize| {
        let next = |n: usize| all.get(idx + n).copied();
        next(1) != Some("::") || next(2) == Some("<")
    };
    let named = (0..all.len()).filter(may_be_called);
    named.map(|idx| all[idx].to_owned()).collect()
}

/// The functions in which most successful runs pass what the failing one does not; none where all that they enter is
/// entered by the failing run too. Then the test fails in its own text, at the end of what runs.
fn after_the_bug(functions: &[MutatedFunction], passed: &PassedMutants<'_>) -> Vec<bool> {
    let is_usual = |id: &&MutantId| {
        let runs = passed.success.iter().filter(|run| run.contains(id));
        runs.count() * 2 > passed.success.len()
    };
    let goes_on = |one: &MutatedFunction| {
        let mut usual = one.mutants.iter().filter(is_usual);
        usual.any(|id| !passed.failing.contains(id))
    };
    let is_new = |one: &&MutatedFunction| !one.has(passed.failing) && goes_on(one);
    let is_early = functions.iter().any(|one| is_new(&one));
    functions
        .iter()
        .map(|one| is_early && goes_on(one))
        .collect()
}

/// A function that does not stay yet, and is named by one that does.
fn called(functions: &[MutatedFunction], stays: &[bool]) -> Option<usize> {
    let staying = functions.iter().zip(stays).filter(|(_, stays)| **stays);
    let names: BTreeSet<&String> = staying.flat_map(|(one, _)| &one.names).collect();
    let mut all = functions.iter().zip(stays);
    all.position(|(one, stays)| !stays && names.contains(&one.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_mutants::{Options, instrument};
    use reduce_syntax::SourceTree;

    const LIBRARY: &str = "
        fn parse(a: u8) -> bool { if a == 1 { return false; } unit::<print::A>(a + 2) }
        fn unit<T>(a: u8) -> bool { a < 3 && scale(a) }
        fn scale(a: u8) -> bool { a > 4 }
        fn print(a: u8) -> bool { a >= 5 }
    ";

    /// The functions that stay, where these mutants were passed by the failing run, and these in each run that
    /// succeeds; mutants are named by their functions, or by what they change.
    #[track_caller]
    fn check(failing: &[&str], success: &[&[&str]], ends_early: bool, expected: &[&str]) {
        let sources = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), LIBRARY.into());
        let mutants = instrument(&sources, &Options::default()).mutants().to_vec();
        let of = |names: &[&str]| {
            let is_named = |one: &&Mutant| {
                names.contains(&one.function.as_str()) || names.contains(&one.original.as_str())
            };
            let named = mutants.iter().filter(is_named);
            named.map(|one| one.id).collect::<BTreeSet<_>>()
        };
        let krate = MutatedCrate {
            unit: 0,
            base: "/library".into(),
            is_own: false,
            package: "library".to_owned(),
            sources: sources.clone(),
            mutants: mutants.clone(),
        };
        let success: Vec<_> = success.iter().map(|names| of(names)).collect();
        let passed = PassedMutants {
            failing: &of(failing),
            success: &success,
            matter: &of(&["a == 1"]),
            ends_early,
        };
        let staying = staying(&[krate], &passed).mutants;
        let staying = mutants.iter().filter(|one| staying.contains(&one.id));
        let mut names: Vec<&str> = staying.map(|one| one.function.as_str()).collect();
        names.dedup();
        assert_eq!(names, expected);
    }

    #[test]
    fn what_most_successful_runs_come_to_stays_with_what_it_calls() {
        let mended: &[&str] = &["parse", "unit"];
        let expected = ["parse", "unit", "scale"];
        check(&["a == 1"], &[mended], false, &expected);
        check(&["a == 1"], &[mended, &["print"], mended], true, &expected);
    }

    #[test]
    fn nothing_more_stays_where_successful_runs_enter_the_same_functions() {
        check(&["a == 1", "unit"], &[&["parse", "unit"]], false, &[]);
    }

    #[test]
    fn what_may_be_called_stays_where_no_run_shows_what_comes_after_the_bug() {
        let expected = ["parse", "unit", "scale"];
        check(&["a == 1"], &[], false, &expected);
        check(&["a == 1", "unit"], &[&["parse"]], true, &expected);
    }
}
