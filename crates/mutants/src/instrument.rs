//! Puts switches into sources: code that turns a mutant on when its number is asked for. All mutants are in one text, of which a
//! variable switches one on when the program runs.
//!
//! A switch is text around the original: with no mutant on, what is evaluated is the original itself,
//! and it stands in its own line. What is evaluated instead is a copy of the original *without* switches,
//! as no other mutant is on at the same time; so nested operators do not multiply.

use crate::changes::{Change, Signatures, Switch, changes_of};
use crate::modules::Modules;
use crate::mutant::{Mutant, MutantId, Operator, by_function};
use crate::reach::{Extent, Reach};
use crate::runtime;
use crate::switched_text::SwitchedText;
use reduce_syntax::{FileId, ParsedFiles, SourceTree, byte_range, parse_files};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// Options of `instrument`.
#[derive(Debug, Clone)]
pub struct Options {
    /// The number that the first mutant gets. Crates of one program need different numbers; 0 is no mutant.
    pub first: MutantId,
    /// The functions that have switches.
    pub reach: Reach,
}

/// For each kind of mutant and name, the name of another field, function or variant that the mutant puts in its place.
pub(crate) type Substitutes = BTreeMap<(Operator, String), String>;

impl Default for Options {
    fn default() -> Self {
        Self {
            first: MutantId(1),
            reach: Reach::default(),
        }
    }
}

/// Sources with switches, and the mutants that can be switched on in them.
#[derive(Debug, Clone)]
pub struct Instrumented {
    base: SourceTree,
    /// The byte at which the crate root's first item begins, before which the attributes for switches are put.
    first_item: Option<usize>,
    numbers: Range<u32>,
    reach: Reach,
    mutants: Vec<Mutant>,
    /// The form of each mutant's switch, in the order of `mutants`.
    switches: Vec<Switch>,
    /// Whether functions have only a switch at their beginning, until it is known which are entered.
    is_at_entries: bool,
    sources: SourceTree,
    pub(crate) texts: BTreeMap<FileId, SwitchedText>,
}

/// Puts switches for all mutants into the functions of a crate.
///
/// The text is meant for a compiler that caps lints (`--cap-lints allow`). Without that it compiles too,
/// unless a module or function forbids or denies warnings on its own. Lines stay where they are; a module
/// is appended to the crate root. Files that syn does not understand stay as they are, as does a crate in
/// which nothing can be changed.
#[must_use]
pub fn instrument(sources: &SourceTree, options: &Options) -> Instrumented {
    let first = options.first.0.max(1);
    let plain = unswitched(sources, first, options.reach.into(), &Substitutes::new());
    let n_mutants = plain.mutants.len();
    let numbers = first..number(first, n_mutants);
    Instrumented { numbers, ..plain }.switched()
}

/// Returns all mutants of a crate that any compiler permits, whether they compile or not.
pub(crate) fn all_mutants(sources: &SourceTree) -> Vec<Mutant> {
    unswitched(sources, 1, Reach::Plain.into(), &Substitutes::new()).mutants
}

/// Puts switches into a crate for those mutants to which `chosen` gives a number. Several mutants may have one number, which then
/// switches all of them. `numbers` are all that there may be, if `chosen` has none beyond them. With `has_blocks` there is a
/// mutant that changes nothing at the beginning of each block too. `substitutes` come before what the definitions tell.
pub(crate) fn instrument_as(
    sources: &SourceTree,
    numbers: Range<u32>,
    (has_blocks, substitutes): (bool, &Substitutes),
    chosen: impl FnOnce(&[Mutant]) -> BTreeMap<MutantId, MutantId>,
) -> Instrumented {
    let reach = Reach::Plain;
    let plain = unswitched(sources, 1, Extent { reach, has_blocks }, substitutes);
    let chosen = chosen(&plain.mutants);
    let both = plain.mutants.into_iter().zip(plain.switches);
    let renumbered = both.filter_map(|(mutant, switch)| {
        let id = *chosen.get(&mutant.id)?;
        Some((Mutant { id, ..mutant }, switch))
    });
    let (mutants, switches): (Vec<Mutant>, _) = renumbered.unzip();
    let last = mutants.iter().map(|one| one.id.0).max().unwrap_or_default();
    Instrumented {
        numbers: numbers.start..numbers.end.max(last + 1),
        mutants,
        switches,
        ..plain
    }
    .switched()
}

/// Finds the mutants of a crate, and puts no switch into it yet.
fn unswitched(
    sources: &SourceTree,
    first: u32,
    extent: Extent,
    substitutes: &Substitutes,
) -> Instrumented {
    let parsed = parse_files(sources);
    let root = parsed[&sources.root()].file();
    let signatures = Signatures::of(sources, &parsed).with(substitutes);
    let (mutants, switches): (Vec<_>, Vec<_>) =
        numbered(sources, &parsed, first, (extent, &signatures))
            .into_iter()
            .unzip();
    let first_item = root.and_then(|root| Some(byte_range(root.items.first()?).start));
    Instrumented {
        base: sources.clone(),
        first_item,
        numbers: 0..0,
        reach: extent.reach,
        mutants,
        switches,
        is_at_entries: false,
        sources: sources.clone(),
        texts: BTreeMap::new(),
    }
}

/// Returns all changes of a crate with their numbers and their switches.
fn numbered(
    sources: &SourceTree,
    parsed: &ParsedFiles,
    first: u32,
    (extent, signatures): (Extent, &Signatures),
) -> Vec<(Mutant, Switch)> {
    let modules = Modules::of(sources, parsed);
    let mut all = Vec::new();
    for (&file, one) in parsed {
        let Some(syntax) = one.file().filter(|_| !modules.is_only_for_tests(file)) else {
            continue;
        };
        let text = sources.text(file);
        let line_starts = line_starts(text);
        for change in changes_of(text, syntax, modules.path(file), (extent, signatures)) {
            let id = MutantId(number(first, all.len()));
            let start = change.range.start;
            let line = line_starts.partition_point(|&line| line <= start);
            all.push(mutant(id, file, text, line, change));
        }
    }
    all
}

fn number(first: u32, n_before: usize) -> u32 {
    let number = u32::try_from(n_before)
        .ok()
        .and_then(|n_before| first.checked_add(n_before));
    number.expect("a program has fewer mutants")
}

/// The key of a change: what it changes in which function, and the number of equal changes before it there.
type NumberedChange<'m> = ((&'m str, Operator, &'m str, &'m str), usize);

/// Pairs the key of each mutant's change with the mutant's number.
fn by_change(mutants: &[Mutant]) -> impl Iterator<Item = (NumberedChange<'_>, MutantId)> {
    let mut counts = BTreeMap::new();
    mutants.iter().map(move |one| {
        let change = (
            one.function.as_str(),
            one.operator,
            one.original.as_str(),
            one.mutated.as_str(),
        );
        let count = counts.entry(change).or_insert(0);
        *count += 1;
        ((change, *count), one.id)
    })
}

/// Returns the bytes at which the lines of a text begin.
fn line_starts(text: &str) -> Vec<usize> {
    let breaks = text.match_indices('\n').map(|(byte, _)| byte + 1);
    std::iter::once(0).chain(breaks).collect()
}

fn mutant(id: MutantId, file: FileId, text: &str, line: usize, change: Change) -> (Mutant, Switch) {
    let mutant = Mutant {
        id,
        file,
        line,
        original: text[change.range.clone()].to_owned(),
        range: change.range,
        function: change.function.path,
        function_range: change.function.range,
        operator: change.operator,
        mutated: change.mutated,
        is_in_macro: change.is_in_macro,
        is_in_unsafe: change.is_in_unsafe,
    };
    (mutant, change.switch)
}

impl Instrumented {
    /// Returns the mutants, in the order of their numbers.
    #[must_use]
    pub fn mutants(&self) -> &[Mutant] {
        &self.mutants
    }

    /// Finds a mutant by its number.
    #[must_use]
    pub fn mutant(&self, id: MutantId) -> Option<&Mutant> {
        let idx = self.mutants.binary_search_by_key(&id, |one| one.id).ok()?;
        Some(&self.mutants[idx])
    }

    /// Returns which functions have switches.
    #[must_use]
    pub const fn reach(&self) -> Reach {
        self.reach
    }

    /// Finds the same mutants in other sources, such as those that also have the tests of the crate, and keeps their numbers. A mutant is the
    /// same if it makes the same change in the function of the same path. Those that are not there are left out.
    #[must_use]
    pub fn in_sources(&self, sources: &SourceTree) -> Self {
        let none = Substitutes::new();
        let known = unswitched(&self.base, self.numbers.start, self.reach.into(), &none);
        let known: BTreeMap<_, _> = by_change(&known.mutants).collect();
        let here = unswitched(sources, 1, self.reach.into(), &none);
        let mut numbers: BTreeMap<MutantId, MutantId> = BTreeMap::new();
        for (change, id) in by_change(&here.mutants) {
            let known = known.get(&change).copied();
            let known = known.filter(|known| self.mutant(*known).is_some());
            numbers.extend(known.map(|known| (id, known)));
        }
        let both = here.mutants.into_iter().zip(here.switches);
        let renumbered = both.filter_map(|(mutant, switch)| {
            let id = *numbers.get(&mutant.id)?;
            Some((Mutant { id, ..mutant }, switch))
        });
        let mut renumbered: Vec<_> = renumbered.collect();
        renumbered.sort_by_key(|(mutant, _)| mutant.id);
        let (mutants, switches) = renumbered.into_iter().unzip();
        let all = Self {
            numbers: self.numbers.clone(),
            mutants,
            switches,
            ..here
        };
        let is_entry = |id| self.mutant(id).is_some_and(|one| !one.is_change());
        all.with_entries_alone(is_entry).switched()
    }

    /// Returns the first number that is free for the mutants of another crate of the same program.
    #[must_use]
    pub fn next(&self) -> MutantId {
        MutantId(self.numbers.end)
    }

    /// Returns the sources without any switch.
    #[must_use]
    pub const fn base(&self) -> &SourceTree {
        &self.base
    }

    /// Returns the sources with switches. The files have the names and the lines of the original.
    #[must_use]
    pub fn sources(&self) -> &SourceTree {
        &self.sources
    }

    /// Returns the sources without the switches of some mutants. The others keep their numbers.
    #[must_use]
    pub fn without(&self, dropped: &BTreeSet<MutantId>) -> Self {
        let both = self.mutants.iter().zip(&self.switches);
        let kept = both.filter(|(mutant, _)| !dropped.contains(&mutant.id));
        let (mutants, switches) = kept.map(|(a, b)| (a.clone(), b.clone())).unzip();
        let fewer = Self {
            mutants,
            switches,
            ..self.clone()
        };
        fewer.switched()
    }

    /// Returns the sources with one switch for each function alone, at its beginning, which changes nothing: they tell which
    /// functions a run enters. A function that can have none there has no switch.
    #[must_use]
    pub fn at_entries(&self) -> Self {
        let at_entries = Self {
            is_at_entries: true,
            ..self.clone()
        };
        let at_entries = at_entries.with_entries_alone(|_| true);
        let others = at_entries.mutants.iter().filter(|one| one.is_change());
        let others = others.map(|one| one.id).collect();
        at_entries.without(&others)
    }

    /// Whether functions have only a switch at their beginning, as those of [`Instrumented::at_entries`] have.
    #[must_use]
    pub const fn is_at_entries(&self) -> bool {
        self.is_at_entries
    }

    /// Returns the sources with all switches, and their numbers, in the functions that a run has entered, where this has those at
    /// their beginnings alone; `passed` are the switches that the run has passed. Where it is unknown whether a function was
    /// entered, as it has no switch at its beginning, it has all.
    #[must_use]
    pub fn in_entered(&self, passed: &BTreeSet<MutantId>) -> Self {
        if !self.is_at_entries {
            return self.clone();
        }
        let first = self.numbers.start;
        let none = Substitutes::new();
        let all = Self {
            numbers: self.numbers.clone(),
            ..unswitched(&self.base, first, self.reach.into(), &none)
        };
        let is_unentered = |id: MutantId| self.mutant(id).is_some() && !passed.contains(&id);
        all.with_entries_alone(is_unentered).switched()
    }

    /// Leaves a function nothing but a switch at its beginning, which changes nothing, if it has one there and `is_left_alone` is
    /// true of that one's number.
    fn with_entries_alone(mut self, is_left_alone: impl Fn(MutantId) -> bool) -> Self {
        let mut entries = BTreeSet::new();
        let mut dropped = BTreeSet::new();
        for function in by_function(&self.mutants) {
            let entry = function.iter().find(|one| one.is_at_entry());
            if let Some(entry) = entry.filter(|one| is_left_alone(one.id)) {
                entries.insert(entry.id);
                let others = function.iter().map(|one| one.id);
                dropped.extend(others.filter(|id| *id != entry.id));
            }
        }
        let both = self.mutants.into_iter().zip(self.switches);
        let left = both.filter(|(mutant, _)| !dropped.contains(&mutant.id));
        let left = left.map(|(mutant, switch)| match entries.contains(&mutant.id) {
            true => (mutant.into_entry(), Switch::Inserted),
            false => (mutant, switch),
        });
        (self.mutants, self.switches) = left.unzip();
        self
    }

    /// Drops mutants that do not compile, until everything compiles or no mutant is left. `errors` compiles the sources that it
    /// is given and says where there are errors; each time at least one mutant goes.
    ///
    /// # Errors
    /// The errors of the function `errors`.
    pub fn drop_broken<E>(
        mut self,
        mut errors: impl FnMut(&SourceTree) -> Result<Vec<ErrorPlace>, E>,
    ) -> Result<Self, E> {
        loop {
            let places = errors(&self.sources)?;
            if places.is_empty() || self.mutants.is_empty() {
                return Ok(self);
            }
            let broken = places.iter().flat_map(|place| self.suspects(place));
            self = self.without(&broken.collect());
        }
    }

    /// Puts the switches of all remaining mutants into the files anew.
    fn switched(mut self) -> Self {
        self.sources = self.base.clone();
        self.texts.clear();
        let mut of_files: BTreeMap<FileId, Vec<(&Mutant, &Switch)>> = BTreeMap::new();
        for both in self.mutants.iter().zip(&self.switches) {
            of_files.entry(both.0.file).or_default().push(both);
        }
        if !of_files.is_empty() {
            of_files.entry(self.base.root()).or_default();
        }
        for (file, mutants) in of_files {
            let mut switched = SwitchedText::new(self.base.text(file), &mutants);
            if file == self.base.root() {
                if let Some(start) = self.first_item {
                    switched.insert(start, &runtime::attributes(self.reach));
                }
                let module = runtime::module(self.numbers.clone(), self.reach);
                switched.text.push_str(&module);
            }
            self.sources
                .set_text(file, Arc::from(switched.text.as_str()));
            self.texts.insert(file, switched);
        }
        self
    }
}

/// The place of an error of the compiler in the sources with switches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorPlace {
    /// The bytes of a file that the error's primary span has.
    At(FileId, Range<usize>),
    /// The error is nowhere in the sources, or its place is unknown.
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions that have switches, with the numbers of these.
    fn numbers_by_function(all: &Instrumented) -> Vec<(&str, Vec<u32>)> {
        let functions = by_function(all.mutants()).into_iter();
        functions
            .map(|all| {
                let numbers = all.iter().map(|one| one.id.0).collect();
                (all[0].function.as_str(), numbers)
            })
            .collect()
    }

    #[test]
    fn functions_that_are_not_entered_have_a_switch_at_their_beginning_alone() {
        let text = "fn f(a: u32) -> u32 { let b = a + 1; b }
            fn g(s: S) -> S { set(&s); s.with(3) }
            const C: fn(u32) -> S = |a| S(a);
            fn h(a: u32) -> S { S(a + 1) }";
        let sources = SourceTree::single("lib.rs".into(), text.into());
        let options = Options {
            first: MutantId(40),
            ..Options::default()
        };
        let all = instrument(&sources, &options);
        let all_numbers = numbers_by_function(&all);
        let [("f", of_f), ("g", of_g), ("h", of_h)] = all_numbers.as_slice() else {
            panic!("{all_numbers:?}");
        };
        let (entry_of_f, entry_of_g) = (of_f[0], of_g[0]);
        let at_entries = all.at_entries();
        // Nothing can say whether `h` is entered.
        let expected = [("f", vec![entry_of_f]), ("g", vec![entry_of_g])];
        assert_eq!(numbers_by_function(&at_entries), expected);
        assert!(!at_entries.mutants().iter().any(Mutant::is_change));
        assert_eq!(at_entries.next(), all.next());
        let check = |passed: &[u32], expected: [&[u32]; 3]| {
            let passed = passed.iter().copied().map(MutantId).collect();
            let found = at_entries.in_entered(&passed);
            let numbers = numbers_by_function(&found).into_iter();
            let numbers: Vec<_> = numbers.map(|(_, numbers)| numbers).collect();
            assert_eq!(numbers, expected);
            assert_eq!(found.next(), all.next());
        };
        check(&[], [&[entry_of_f], &[entry_of_g], of_h]);
        check(&[entry_of_f], [of_f, &[entry_of_g], of_h]);
        check(&[entry_of_g, of_h[0]], [&[entry_of_f], of_g, of_h]);
    }

    #[test]
    fn a_function_whose_first_switch_does_not_compile_has_all() {
        let text = "fn f(a: u32) -> Option { let b = a + 1; Option(b) }";
        let sources = SourceTree::single("lib.rs".into(), text.into());
        let all = instrument(&sources, &Options::default());
        let first = BTreeSet::from([all.at_entries().mutants()[0].id]);
        let found = all.at_entries().without(&first).in_entered(&first);
        assert_eq!(numbers_by_function(&found), numbers_by_function(&all));
    }

    #[test]
    fn other_sources_have_the_same_mutants_under_the_same_numbers() {
        let tree = |text: &str| SourceTree::single("lib.rs".into(), text.into());
        let code = "fn f(a: u32) -> u32 { a + 1 + 1 } fn g(b: u32) -> bool { b < 2 }";
        let options = Options {
            first: MutantId(40),
            ..Options::default()
        };
        let first = instrument(&tree(code), &options);
        let dropped: BTreeSet<_> = first.mutants().iter().map(|one| one.id).take(2).collect();
        let known = first.without(&dropped);
        let more =
            format!("fn e(c: u32) -> u32 {{ c * 3 }} {code} #[cfg(test)] mod t {{ fn h() {{}} }}");
        let there = known.in_sources(&tree(&more));
        let told = |all: &Instrumented| -> Vec<_> {
            let mutants = all.mutants().iter();
            let told = mutants.map(|one| (one.id, one.function.clone(), one.mutated.clone()));
            told.collect()
        };
        assert_eq!(told(&there), told(&known));
        let less = known.in_sources(&tree("fn g(b: u32) -> bool { b < 2 }"));
        let of_g = told(&known)
            .into_iter()
            .filter(|(_, function, _)| function == "g");
        assert_eq!(told(&less), of_g.collect::<Vec<_>>());
        assert!(!less.mutants().is_empty() && less.mutants().len() < known.mutants().len());
    }
}
