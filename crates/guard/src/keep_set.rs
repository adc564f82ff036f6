//! The parts of the code under test that a mended program may need although the failing run did not
//! come to them.
//!
//! With `--whole` what did not run goes. But once the bug is mended the test goes on, into code that nobody has seen
//! running. Runs under mutants with which the test passes may have come there. Where they have not, all that may be called
//! from code that matters stays.
//!
//! See docs/decisions/whole-programs.md.

mod mentions;

use crate::marked::MutatedCrate;
use mentions::{FunctionName, Of, is_type_name, names_of_functions, takes_self};
use reduce_mutants::{Mutant, MutantId, by_function};
use reduce_syntax::{is_primitive_type, names};
use std::collections::{BTreeSet, HashMap};

/// The number of successful runs of the test that is enough to show the code after an error or a panic, although they enter
/// nothing that the failing run does not enter.
const ENOUGH_THAT_SUCCEED: usize = 3;

/// The mutants whose places runs of the test come to.
pub(crate) struct PassedMutants<'p> {
    /// The mutants whose places the failing run comes to.
    pub(crate) failing: &'p BTreeSet<MutantId>,
    /// For each run in which the test succeeds, the mutants whose places it comes to.
    pub(crate) success: &'p [BTreeSet<MutantId>],
    /// The mutants that change the outcome of the test.
    pub(crate) matter: &'p BTreeSet<MutantId>,
    pub(crate) end: End,
}

impl PassedMutants<'_> {
    /// Returns the mutants of a function whose places, such as those in an arm or a branch, successful runs come to and the
    /// failing run does not. The mutant of such a run need not be one that the merged program can be asked under.
    fn beyond_the_failing(&self, one: &MutatedFunction) -> impl Iterator<Item = MutantId> {
        let is_new = |id: &&MutantId| {
            let mut runs = self.success.iter();
            !self.failing.contains(id) && runs.any(|run| run.contains(id))
        };
        one.mutants.iter().filter(is_new).copied()
    }
}

/// The place where the failing run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The run ends before the assertion of the test, by an error or by a panic elsewhere: it goes on once
    /// the bug is mended.
    Early,
    /// The run ends at an assertion of the test.
    Assertion,
    /// The run ends with the test, which should have panicked: once the bug is mended it ends
    /// before.
    Whole,
}

/// The points that have to stay in candidates besides those whose mutants change the outcome.
#[derive(Debug, Default)]
pub(crate) struct KeepSet {
    /// The mutants whose points have to stay.
    pub(crate) mutants: BTreeSet<MutantId>,
    /// Whether runs have shown the points that have to stay, so that nothing else is needed.
    pub(crate) is_seen: bool,
}

/// Finds the mutants whose points have to stay although they may not change the outcome: all in functions that run
/// after the bug, and in those that these call by name. Of other functions those that only runs pass in which the
/// test succeeds.
pub(crate) fn keep_set(crates: &[MutatedCrate], passed: &PassedMutants<'_>) -> KeepSet {
    let functions = functions(crates);
    let shown = after_the_bug(&functions, passed);
    let is_all_run = match passed.end {
        End::Early => passed.success.len() >= ENOUGH_THAT_SUCCEED,
        End::Assertion => !passed.success.is_empty(),
        End::Whole => true,
    };
    let is_seen = shown.contains(&true) || is_all_run;
    let first = match is_seen {
        true => shown,
        false => functions.iter().map(|one| one.has(passed.matter)).collect(),
    };
    let stays = with_called(&functions, first);
    let keep_set = functions.iter().zip(stays).filter(|(_, stays)| *stays);
    let mut mutants: BTreeSet<MutantId> =
        keep_set.flat_map(|(one, _)| one.mutants.clone()).collect();
    if is_seen {
        let entered = functions.iter().filter(|one| one.has(passed.failing));
        mutants.extend(entered.flat_map(|one| passed.beyond_the_failing(one)));
    }
    KeepSet { mutants, is_seen }
}

/// A function of the code under test with its mutants.
struct MutatedFunction {
    /// The words of the function's path, such as `units`, `Unit`, `FromStr` and `from_str`; its own name
    /// is the last.
    path: Vec<String>,
    /// Whether the function is called as a method.
    takes_self: bool,
    /// The names in the function that may be names of functions.
    names: BTreeSet<FunctionName>,
    mutants: Vec<MutantId>,
}

impl MutatedFunction {
    fn has(&self, some: &BTreeSet<MutantId>) -> bool {
        self.mutants.iter().any(|id| some.contains(id))
    }

    /// Returns the types and traits in the function's path; none where it is a function of a
    /// module.
    fn types(&self) -> impl Iterator<Item = &str> {
        let before = self.path.iter().rev().skip(1).map(String::as_str);
        before.filter(|word| is_type_name(word))
    }

    fn is_free(&self) -> bool {
        self.types().next().is_none()
    }

    /// Whether both functions belong to the same type or trait.
    fn is_beside(&self, other: &Self) -> bool {
        let mut types = self.types();
        types.any(|one| other.types().any(|other| one == other))
    }
}

fn functions(crates: &[MutatedCrate]) -> Vec<MutatedFunction> {
    let of_crate = |krate: &MutatedCrate| {
        let function = |mutants: Vec<&Mutant>| {
            let first = mutants[0];
            let text = &krate.sources.text(first.file)[first.function_range.clone()];
            MutatedFunction {
                path: names(&first.function).map(str::to_owned).collect(),
                takes_self: takes_self(text),
                names: names_of_functions(text),
                mutants: mutants.iter().map(|one| one.id).collect(),
            }
        };
        let all = by_function(&krate.mutants).into_iter();
        all.map(function).collect::<Vec<_>>()
    };
    crates.iter().flat_map(of_crate).collect()
}

/// Finds the functions in which most successful runs come to places that the failing run does not come to; none
/// where the failing run enters all functions that they enter. Then the test fails in its own text, at the end of
/// what runs.
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

/// Adds to the functions that stay those that they call by name, and those that these call.
fn with_called(functions: &[MutatedFunction], mut stays: Vec<bool>) -> Vec<bool> {
    let by_name = by_name(functions);
    let mut todo: Vec<usize> = (0..stays.len()).filter(|&idx| stays[idx]).collect();
    while let Some(idx) = todo.pop() {
        for name in &functions[idx].names {
            for called in meant(functions, &by_name, (&functions[idx], name)) {
                if !std::mem::replace(&mut stays[called], true) {
                    todo.push(called);
                }
            }
        }
    }
    stays
}

/// Indexes the functions by their names.
fn by_name(functions: &[MutatedFunction]) -> HashMap<&str, Vec<usize>> {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (idx, one) in functions.iter().enumerate() {
        if let Some(name) = one.path.last() {
            by_name.entry(name).or_default().push(idx);
        }
    }
    by_name
}

/// Returns the functions that a name may mean where a function mentions it. Behind a value these are methods, and behind a path
/// those in whose own path the last word of that is. Where there are none such, as behind an alias or a parameter, all of the
/// kind that have the name are; but a primitive type has no functions that the crate does not say it has.
fn meant(
    functions: &[MutatedFunction],
    by_name: &HashMap<&str, Vec<usize>>,
    (caller, name): (&MutatedFunction, &FunctionName),
) -> Vec<usize> {
    let called = by_name.get(name.name.as_str());
    let called = called.map_or(&[][..], Vec::as_slice).iter().copied();
    let those = |is_meant: &dyn Fn(&MutatedFunction) -> bool| -> Vec<usize> {
        let meant = called.clone().filter(|idx| is_meant(&functions[*idx]));
        meant.collect()
    };
    let (first, others) = match &name.of {
        // A function that is defined in a method has the path of its type.
        Of::Nothing => (
            those(&|one| one.is_free() || one.is_beside(caller) && !one.takes_self),
            Vec::new(),
        ),
        // Pointers have methods that are called as those of operators.
        Of::Value => {
            let is_of_pointers = matches!(&*name.name, "add" | "sub");
            let is_method = |one: &MutatedFunction| one.takes_self && !is_of_pointers;
            (those(&is_method), Vec::new())
        }
        Of::Own { is_value } => {
            let may_be = |one: &MutatedFunction| !one.is_free() && (one.takes_self || !is_value);
            let own = those(&|one| may_be(one) && one.is_beside(caller));
            (own, those(&may_be))
        }
        Of::Path(of) => {
            let others = match of {
                of if is_primitive_type(of) => Vec::new(),
                of if is_type_name(of) => those(&|one| !one.is_free()),
                _ => called.clone().collect(),
            };
            (those(&|one| one.path.contains(of)), others)
        }
    };
    match first.is_empty() {
        true => others,
        false => first,
    }
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

    /// Makes a library with its mutants.
    fn mutated(text: &str) -> MutatedCrate {
        let sources = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), text.into());
        MutatedCrate {
            unit: 0,
            base: "/library".into(),
            is_own: false,
            package: "library".to_owned(),
            mutants: instrument(&sources, &Options::default()).mutants().to_vec(),
            plain: sources.clone(),
            sources,
        }
    }

    /// Checks which functions stay, where these mutants were passed by the failing run, and these in each run
    /// that succeeds; mutants are named by their functions, or by what they change.
    #[track_caller]
    fn check(failing: &[&str], success: &[&[&str]], end: End, expected: &[&str]) {
        let krate = mutated(LIBRARY);
        let mutants = krate.mutants.clone();
        let of = |names: &[&str]| {
            let is_named = |one: &&Mutant| {
                names.contains(&one.function.as_str()) || names.contains(&one.original.as_str())
            };
            let named = mutants.iter().filter(is_named);
            named.map(|one| one.id).collect::<BTreeSet<_>>()
        };
        let success: Vec<_> = success.iter().map(|names| of(names)).collect();
        let passed = PassedMutants {
            failing: &of(failing),
            success: &success,
            matter: &of(&["a == 1"]),
            end,
        };
        let keep_set = keep_set(&[krate], &passed).mutants;
        let keep_set = mutants.iter().filter(|one| keep_set.contains(&one.id));
        let mut names: Vec<&str> = keep_set.map(|one| one.function.as_str()).collect();
        names.dedup();
        assert_eq!(names, expected);
    }

    #[test]
    fn what_most_successful_runs_come_to_stays_with_what_it_calls() {
        let mended: &[&str] = &["parse", "unit"];
        let expected = ["parse", "unit", "scale"];
        check(&["a == 1"], &[mended], End::Assertion, &expected);
        check(
            &["a == 1"],
            &[mended, &["print"], mended],
            End::Early,
            &expected,
        );
    }

    #[test]
    fn what_stands_before_a_name_tells_functions_apart() {
        let library = "
            fn parse<F: Fn(u8)>(a: u8) -> bool { a < 3 && Unit::read(a) }
            fn print(a: u8) -> bool { a < 3 }
            impl Unit {
                fn read<'a>(&'a mut self, a: u8) -> bool { a < 1 }
                fn print(a: u8) -> bool { a < 2 }
            }
            impl Date { fn read(a: u8) -> bool { a < 1 } fn print(mut self) -> bool { 1 < 2 } }
            impl Read for u8 { fn read(self) -> bool { 1 < 2 } }
        ";
        let functions = functions(&[mutated(library)]);
        let by_name = by_name(&functions);
        let path = |idx: usize| functions[idx].path.join(" ");
        let n_functions = functions.len();
        let meant = |caller: &str, mention: &str| {
            let caller = (0..n_functions).find(|&idx| path(idx) == caller).unwrap();
            let caller = &functions[caller];
            let names = names_of_functions(mention);
            let is_meant = |name: &&FunctionName| matches!(&*name.name, "read" | "print");
            let name = names.iter().find(is_meant).unwrap();
            let meant = meant(&functions, &by_name, (caller, name));
            meant.into_iter().map(path).collect::<Vec<_>>()
        };
        assert_eq!(meant("parse", "Unit::read(a)"), ["Unit read"]);
        assert_eq!(meant("Unit read", "Self::print(a)"), ["Unit print"]);
        assert_eq!(meant("Date read", "self.print()"), ["Date print"]);
        assert_eq!(meant("u8 as Read read", "self.print()"), ["Date print"]);
        assert_eq!(meant("parse", "x.print()"), ["Date print"]);
        assert_eq!(
            meant("parse", "self.x.read()"),
            ["Unit read", "u8 as Read read"]
        );
        assert_eq!(meant("Unit read", "map(print)"), ["print", "Unit print"]);
        assert_eq!(meant("parse", "map(print)"), ["print"]);
        assert_eq!(meant("parse", "u8::read(1)"), ["u8 as Read read"]);
        assert_eq!(meant("parse", "char::read(1)"), [""; 0]);
        assert_eq!(meant("parse", "T::print(1)"), ["Unit print", "Date print"]);
        assert_eq!(meant("parse", "m::print(1)").len(), 3);
    }

    #[test]
    fn no_function_more_stays_where_successful_runs_enter_the_same_ones() {
        let same: &[&str] = &["a == 1", "unit"];
        check(same, &[same], End::Assertion, &[]);
        // These runs pass more of a function.
        let success: &[&str] = &["parse", "unit"];
        check(same, &[success], End::Assertion, &["parse"]);
    }

    #[test]
    fn what_may_be_called_stays_where_no_run_shows_what_comes_after_the_bug() {
        let expected = ["parse", "unit", "scale"];
        check(&["a == 1"], &[], End::Assertion, &expected);
        check(&["a == 1", "unit"], &[&["parse"]], End::Early, &expected);
    }

    #[test]
    fn nothing_more_stays_where_several_runs_succeed_that_go_on_after_an_error() {
        let success: &[&str] = &["a == 1", "unit"];
        check(&["a == 1", "unit"], &[success; 3], End::Early, &[]);
    }

    #[test]
    fn nothing_comes_after_a_test_that_should_panic() {
        check(&["a == 1"], &[], End::Whole, &[]);
    }
}
