//! The search methods that the user chose, in the form that the algorithms take.

use crate::request::{Algorithm, Closure, Prior, SearchOptions, Strategy};
use reduce_algorithms::tree::{TreeOptions, TreeStrategy};
use reduce_algorithms::{DdminOptions, List, ListAlgorithm, ProbabilityOptions, Ties};
use reduce_model::{Model, Place, Relations, Seed, nested_parts};
use reduce_passes::{Program, named_values};
use reduce_syntax::{Element, SourceTree};
use std::collections::HashMap;
use std::ops::Range;

/// The methods by which the lists and trees of a session are searched.
#[derive(Debug, Clone)]
pub(crate) struct Methods {
    pub(crate) options: SearchOptions,
    /// Whether no function body is emptied, because it may run in the mended program.
    pub(crate) keeps_bodies: bool,
    /// The definitions that the crash names, in a form that lasts when lines move.
    seeds: Vec<Seed>,
    /// The functions in which the crash marks a place, in a form that lasts when lines move.
    pointed_at: Vec<Seed>,
    /// The numbers that the compiler's error names.
    pub(crate) values: Vec<String>,
    /// Whether items are deleted before function bodies are emptied, as functions that did not run
    /// have empty bodies already.
    pub(crate) bodies_come_last: bool,
    /// Whether the search ends with the first round that brings nothing, as another search of the program follows.
    pub(crate) is_rough: bool,
    /// The number of decided candidates after which no stage begins any more; `None` where all
    /// stages are made.
    pub(crate) most_decided: Option<u64>,
    /// The names in the failure's message, and the program in which they were found; `None` in a search that begins
    /// with a later program.
    pub(crate) beginning: Option<(Named, SourceTree)>,
    /// The flags of the compiler call that may go once nothing else can.
    pub(crate) flags: RemovableFlags,
    /// The program that is sliced once linked crates have become a part of it; `None` where they do
    /// not.
    pub(crate) merged: Option<MergedProgram>,
}

/// The definitions and places that a crash names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Named {
    /// The definitions that the crash names.
    pub(crate) seeds: Vec<Seed>,
    /// The places in the source that the compiler points at, without those of its notes.
    pub(crate) pointed_at: Vec<Seed>,
    /// The functions of which the compiler was making code; nothing if it crashed before that.
    pub(crate) made: Vec<Seed>,
    /// The compiler's output about the program.
    pub(crate) raw_message: String,
}

/// The compiler flags that may be left out of all calls, and those of only one of two calls that
/// may be given to both.
#[derive(Debug, Clone, Default)]
pub(crate) struct RemovableFlags {
    /// The number of groups of flags that may be left out.
    pub(crate) groups: usize,
    /// For each group that one of two calls has alone, its index among the groups that may be left out,
    /// if it is one of them.
    pub(crate) of_one_call: Vec<Option<usize>>,
}

/// A program of which crates have become a part.
#[derive(Debug, Clone)]
pub(crate) struct MergedProgram {
    /// The names with which the slice of the program begins.
    pub(crate) entry: Vec<Seed>,
    /// Whether a guard demands that marked points of the merged crates stay, so that other implementations may go if
    /// the rest compiles without them.
    pub(crate) is_guarded: bool,
}

/// The elements of a list in a program: what each weighs, and where it is.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) weights: Vec<u64>,
    pub(crate) places: Vec<Place>,
    /// The range that is deleted with a part although it lies elsewhere: the expression at a
    /// function's end, with the type that it returns.
    pub(crate) also: Vec<Option<Range<usize>>>,
}

impl<'e> FromIterator<&'e Element> for Parts {
    fn from_iter<I: IntoIterator<Item = &'e Element>>(elements: I) -> Self {
        let mut parts = Self::default();
        for element in elements {
            parts.weights.push(element.weight);
            parts.places.push(Place::from(element));
            parts.also.push(element.also.clone());
        }
        parts
    }
}

/// The greatest distance in levels between a node and the descendant that a worklist puts in its
/// place, as in Perses.
const WORKLIST_DISTANCE: u32 = 8;

/// The options for one round of ddmin, which does not end 1-minimal: the next round of passes tries the rest again,
/// until nothing can go.
const ONE_ROUND: DdminOptions = DdminOptions {
    ensure_one_minimal: false,
    from_the_end: true,
    try_empty: true,
    ..DdminOptions::ONE_PASS
};

impl Methods {
    pub(crate) fn new(options: SearchOptions) -> Self {
        Self {
            options,
            keeps_bodies: false,
            seeds: Vec::new(),
            pointed_at: Vec::new(),
            values: Vec::new(),
            bodies_come_last: false,
            is_rough: false,
            most_decided: None,
            beginning: None,
            flags: RemovableFlags::default(),
            merged: None,
        }
    }

    /// Makes the search end with the first round that brings nothing, for a program that is
    /// searched again once it has grown.
    pub(crate) fn roughly(self) -> Self {
        Self {
            is_rough: true,
            ..self
        }
    }

    /// Makes the search begin no stage once `n_decided` candidates have been decided.
    pub(crate) fn ending_after(self, n_decided: u64) -> Self {
        Self {
            most_decided: Some(n_decided),
            ..self
        }
    }

    /// Makes the search keep function bodies if `keeps_bodies`, for a test that must show its bug:
    /// a body that does not run may run once the bug is mended.
    pub(crate) fn keeping_bodies(self, keeps_bodies: bool) -> Self {
        Self {
            keeps_bodies,
            ..self
        }
    }

    /// Makes the search delete items before it empties bodies, for a program in which functions
    /// that did not run have empty bodies.
    pub(crate) fn with_bodies_last(self) -> Self {
        Self {
            bodies_come_last: true,
            ..self
        }
    }

    /// Makes the search slice the program once crates have become a part of it, beginning with the
    /// names `entry`.
    pub(crate) fn slicing_merged(self, entry: &[Seed], is_guarded: bool) -> Self {
        let lasts = |seed: &&Seed| matches!(seed, Seed::Name(_));
        let entry: Vec<Seed> = entry.iter().filter(lasts).cloned().collect();
        let merged = MergedProgram { entry, is_guarded };
        Self {
            merged: Some(merged).filter(|merged| !merged.entry.is_empty()),
            ..self
        }
    }

    /// Adds the definitions and places that the failure names in the `program` with which the
    /// search begins.
    pub(crate) fn beginning_with(self, named: Named, program: SourceTree) -> Self {
        let beginning = Some((named, program));
        Self { beginning, ..self }
    }

    /// Adds the flags that may be left out of the compiler call.
    pub(crate) fn with_flags(self, flags: RemovableFlags) -> Self {
        Self { flags, ..self }
    }

    /// Makes the search delete parts one by one, and not together with what seems to use them.
    pub(crate) fn without_users(mut self) -> Self {
        self.options.closure = Closure::Alone;
        self
    }

    /// Adds the numbers that the compiler's error has named.
    pub(crate) fn with_values(self, raw_message: &str) -> Self {
        let values = named_values(raw_message);
        Self { values, ..self }
    }

    /// Adds the definitions in `sources` that the crash names.
    pub(crate) fn with_seeds(self, sources: &SourceTree, seeds: &[Seed]) -> Self {
        if self.options.prior == Prior::Uniform {
            return self;
        }
        Self {
            seeds: Relations::of(&Model::new(sources)).lasting(seeds),
            ..self
        }
    }

    /// Adds the functions in `sources` in which a crash marks these places.
    pub(crate) fn with_pointed_at(self, sources: &SourceTree, places: &[Seed]) -> Self {
        Self {
            pointed_at: Relations::of(&Model::new(sources)).lasting(places),
            ..self
        }
    }

    /// Returns the parts whose deletion, with all their users, would delete a function in which the crash marks a
    /// place. None where parts go without their users.
    pub(crate) fn needed_by_pointed_at(&self, program: &Program, parts: &Parts) -> Vec<usize> {
        if self.pointed_at.is_empty() || self.options.closure != Closure::WithUsers {
            return Vec::new();
        }
        let relations = program.relations();
        let distances = relations.distances(&self.pointed_at, &parts.places);
        let there = (0..distances.len()).filter(|&idx| distances[idx] == Some(0));
        users(relations, parts).kept_with(there)
    }

    /// Adapts the methods to an interrupted job that goes on: most of it was in its last stage, and the questions of
    /// that have answers in the store.
    pub(crate) fn resumed(mut self) -> Self {
        if self.options.strategy == Strategy::Staged {
            self.options.strategy = Strategy::Passes;
        }
        self.without_users()
    }

    /// Makes the list of a crate's parts for the algorithm, with the users of each part or the
    /// probability that it is needed, if the user's options ask for these.
    pub(crate) fn list(&self, program: &Program, parts: &Parts) -> List {
        let list = List::weighted(parts.weights.as_slice());
        let has_prior = self.options.prior == Prior::Reachable && !self.seeds.is_empty();
        let has_closure = self.options.closure == Closure::WithUsers;
        if parts.weights.len() < 2 || !(has_prior || has_closure) {
            return list;
        }
        let relations = program.relations();
        let list = match has_prior {
            true => list.with_probabilities(self.probabilities(relations, parts)),
            false => list,
        };
        match has_closure {
            true => list.with_closure(users(relations, parts)),
            false => list,
        }
    }

    /// Estimates the probability that each part is needed. What the crash names is at the heart of
    /// it; what it cannot reach by any name mostly goes.
    fn probabilities(&self, relations: Relations<'_>, parts: &Parts) -> Vec<f64> {
        let usual = self.initial_probability();
        let of_distance = |distance: Option<usize>| match distance {
            Some(0) => usual.max(0.5),
            Some(1) => usual.max(0.25),
            Some(_) => usual,
            None => usual / 4.0,
        };
        let distances = relations.distances(&self.seeds, &parts.places);
        distances.into_iter().map(of_distance).collect()
    }

    fn initial_probability(&self) -> f64 {
        let default = ProbabilityOptions::default().initial_probability;
        let given = self.options.initial_probability;
        given.map_or(default, |given| given.get())
    }

    /// Returns the algorithm for lists that are searched in a fixpoint, which makes the result of any
    /// of them 1-minimal. It tries the empty list first and goes from the end backwards, as users
    /// mostly come after what they use.
    pub(crate) fn list_algorithm(&self) -> ListAlgorithm {
        let probability = ProbabilityOptions {
            initial_probability: self.initial_probability(),
            ties: match self.options.seed {
                0 => Ties::FromTheEnd,
                seed => Ties::Shuffled(seed),
            },
            ..ProbabilityOptions::default()
        };
        match self.options.algorithm {
            Algorithm::Ddmin => ListAlgorithm::Ddmin(ONE_ROUND),
            Algorithm::Wddmin => ListAlgorithm::WeightedDdmin(ONE_ROUND),
            Algorithm::Probdd => ListAlgorithm::ProbDd(probability),
            Algorithm::Wprobdd => ListAlgorithm::WeightedProbDd(probability),
            // CDD has no chance in it.
            Algorithm::Cdd => ListAlgorithm::Cdd(ProbabilityOptions {
                ties: Ties::FromTheEnd,
                ..probability
            }),
        }
    }

    /// Returns the options for a search of the whole tree; `None` where passes search its lists and
    /// nodes by kind.
    pub(crate) fn tree_options(&self) -> Option<TreeOptions> {
        let strategy = match self.options.strategy {
            Strategy::Staged | Strategy::Passes => return None,
            Strategy::Hdd => TreeStrategy::Hdd,
            Strategy::Hddr => TreeStrategy::HddRecursive,
            Strategy::Hddh => TreeStrategy::Hddh,
            Strategy::HoistHdd => TreeStrategy::HoistThenHdd,
            Strategy::HoistHddh => TreeStrategy::HoistThenHddh,
            Strategy::Worklist => TreeStrategy::Worklist,
        };
        Some(options_of(strategy))
    }

    /// Whether the search begins with what removes most and a worklist over the whole tree, and
    /// makes rounds of passes only then.
    pub(crate) fn is_staged(&self) -> bool {
        self.options.strategy == Strategy::Staged
    }

    /// Returns the options of the worklist that comes between the first passes and the rounds; it
    /// need not reach a fixpoint, as the rounds do.
    pub(crate) fn worklist_before_passes() -> TreeOptions {
        TreeOptions {
            fixpoint: false,
            ..options_of(TreeStrategy::Worklist)
        }
    }
}

fn options_of(strategy: TreeStrategy) -> TreeOptions {
    let max_distance = (strategy == TreeStrategy::Worklist).then_some(WORKLIST_DISTANCE);
    TreeOptions {
        strategy,
        max_distance,
        ..TreeOptions::default()
    }
}

/// Returns the parts that go along with each part: the users of what it defines, the parts in it,
/// and the type that a function returns with the expression that is returned.
pub(crate) fn users(relations: Relations<'_>, parts: &Parts) -> reduce_algorithms::Closure {
    let users = relations.users(&parts.places);
    let used = users.iter().enumerate();
    let pairs = used.flat_map(|(part, users)| users.iter().map(move |user| (part, *user)));
    let pairs = pairs
        .chain(nested_parts(&parts.places))
        .chain(returned(parts));
    reduce_algorithms::Closure::new(parts.places.len(), pairs)
}

/// Returns pairs of an expression at a function's end and the type that the function returns.
fn returned(parts: &Parts) -> Vec<(usize, usize)> {
    let by_place = parts.places.iter().enumerate();
    let by_place: HashMap<_, _> = by_place
        .map(|(part, place)| (place.clone(), part))
        .collect();
    let all = parts.places.iter().zip(&parts.also).enumerate();
    let pair = |(part, (place, also)): (usize, (&Place, &Option<_>))| {
        let expression = by_place.get(&Place::new(place.file, also.clone()?))?;
        Some((*expression, part))
    };
    all.filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::{ListKind, build_tree};
    use std::sync::Arc;

    fn sources(text: &str) -> SourceTree {
        SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text))
    }

    /// Returns the elements of all lists of a program, in the order of the source, with their
    /// texts.
    fn parts_of(sources: &SourceTree) -> (Parts, Vec<String>) {
        parts_of_lists(sources, |_| true)
    }

    /// Returns the items of a program, in the order of the source, with their texts.
    fn items_of(sources: &SourceTree) -> (Parts, Vec<String>) {
        parts_of_lists(sources, |kind| kind == ListKind::Items)
    }

    fn parts_of_lists(
        sources: &SourceTree,
        is_wanted: fn(ListKind) -> bool,
    ) -> (Parts, Vec<String>) {
        let lists = build_tree(sources).lists;
        let lists = lists.iter().filter(|list| is_wanted(list.kind));
        let mut elements: Vec<&Element> = lists.flat_map(|list| &list.elements).collect();
        elements.sort_by_key(|element| (element.range.start, element.range.end));
        let text = |one: &&Element| sources.text(one.file)[one.range.clone()].to_owned();
        let texts = elements.iter().map(text).collect();
        (elements.into_iter().collect(), texts)
    }

    /// Checks the pairs of parts that belong together: what lies in what, and which type is
    /// returned by which expression.
    #[track_caller]
    fn check(
        program: &str,
        pairs: impl Fn(&Parts) -> Vec<(usize, usize)>,
        expected: &[(&str, &str)],
    ) {
        let sources = sources(program);
        let (parts, texts) = parts_of(&sources);
        let pairs = pairs(&parts);
        let pairs = pairs
            .iter()
            .map(|(one, other)| (&*texts[*one], &*texts[*other]));
        assert_eq!(pairs.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn parts_go_with_what_they_lie_in() {
        check(
            "fn f(a: u8) { g(1); }",
            |parts| nested_parts(&parts.places),
            &[
                ("fn f(a: u8) { g(1); }", "a: u8"),
                ("fn f(a: u8) { g(1); }", "{ g(1); }"),
                ("{ g(1); }", "g(1);"),
                ("g(1);", "1"),
            ],
        );
    }

    #[test]
    fn the_type_that_is_returned_goes_with_the_expression() {
        let expected = [("a", "-> u8")];
        check("fn f(a: u8) -> u8 { a }", returned, &expected);
        let diverging = [("loop {}", "-> u8")];
        check("fn f(a: u8) -> u8 { a; loop {} }", returned, &diverging);
        check("fn f(a: u8) -> u8 { return a; }", returned, &[]);
    }

    #[test]
    fn what_the_crash_cannot_reach_is_less_probably_needed() {
        let sources = sources("fn seed() { near() } fn near() { far() } fn far() {} fn other() {}");
        let options = SearchOptions {
            prior: Prior::Reachable,
            ..SearchOptions::default()
        };
        let seeds = [Seed::Name("seed".to_owned())];
        let methods = Methods::new(options).with_seeds(&sources, &seeds);
        let (parts, _) = items_of(&sources);
        let found = methods.probabilities(Relations::of(&Model::new(&sources)), &parts);
        assert_eq!(found, [0.5, 0.25, 0.1, 0.025]);
    }

    #[test]
    fn what_a_function_that_is_pointed_at_needs_can_only_go_with_it() {
        let sources =
            sources("struct A; struct B(A); fn f(b: B) { g() } fn g() {} fn h() { f(B(A)) }");
        let places = [Seed::Position(sources.root(), 1, 37)];
        let methods = Methods::new(SearchOptions::default()).with_pointed_at(&sources, &places);
        let (parts, texts) = items_of(&sources);
        let program = Program::new(&sources);
        let needed = methods.needed_by_pointed_at(&program, &parts).into_iter();
        let names: Vec<&str> = needed.map(|idx| &texts[idx][..8]).collect();
        assert_eq!(names, ["struct A", "struct B", "fn f(b: ", "fn g() {"]);
        let alone = methods.resumed();
        assert!(alone.needed_by_pointed_at(&program, &parts).is_empty());
    }
}
