//! The searches that are measured, and the time of each part of a candidate.

use crate::BUDGET;
use camino::Utf8PathBuf;
use reduce_algorithms::tree::{
    Class, Node, NodeId, Removal, Tree, TreeChange, TreeOptions, TreeSearch, TreeStrategy,
};
use reduce_algorithms::{DdminOptions, List as Weights, ListAlgorithm, Search, Subset};
use reduce_engine::{MemoryStore, Store};
use reduce_syntax::{
    EditSet, EditedTree, Forest, ForestNode, HoistClass, ListKind, Pruning, SourceTree, build_tree,
    remove_elements,
};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of elements of a list of which one is needed.
const SPACING_IN_LISTS: usize = 20;
/// The number of nodes of a tree of which one is needed.
const SPACING_IN_TREES: usize = 1_000;

/// The times of the [`PARTS`] of each candidate.
pub(crate) struct Times(Vec<[Duration; PARTS.len()]>);

/// The parts of a candidate's work that are measured.
pub(crate) const PARTS: [&str; 6] = [
    "choose",
    "edits",
    "text",
    "count + hash",
    "look up",
    "write",
];

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The first candidate of a base pays for what the others share.
        let (first, others) = self.0.split_first().expect("something is proposed");
        write!(f, "| {} ", self.0.len())?;
        for part in 0..PARTS.len() {
            let of_part = others.iter().map(|times| times[part]);
            write!(f, "| {:.1} ", mean_micros(of_part))?;
        }
        let sum = |times: &[Duration; PARTS.len()]| times.iter().sum::<Duration>();
        let last_tenth = &others[others.len() * 9 / 10..];
        let mut sums: Vec<Duration> = others.iter().map(sum).collect();
        let last = mean_micros(last_tenth.iter().map(sum));
        let (all, first) = (mean_micros(sums.iter().copied()), mean_micros([sum(first)]));
        sums.sort();
        let late = mean_micros(sums.get(sums.len() * 95 / 100).copied());
        write!(f, "| {all:.1} | {late:.1} | {last:.1} | {first:.0} |")
    }
}

fn mean_micros(times: impl IntoIterator<Item = Duration>) -> f64 {
    let times: Vec<Duration> = times.into_iter().collect();
    let sum: Duration = times.iter().sum();
    sum.as_secs_f64() * 1e6 / times.len().max(1) as f64
}

/// Measures W-ddmin on all lists of a kind.
pub(crate) fn search_lists(program: &SourceTree, kind: ListKind) -> Times {
    let mut lists = build_tree(program).lists;
    lists.retain(|list| list.kind == kind);
    let elements: Vec<(usize, usize)> = (0..lists.len())
        .flat_map(|list| (0..lists[list].elements.len()).map(move |element| (list, element)))
        .collect();
    let weight = |&(list, element): &(usize, usize)| lists[list].elements[element].weight;
    let weights: Vec<u64> = elements.iter().map(weight).collect();
    let search =
        ListAlgorithm::WeightedDdmin(DdminOptions::ONE_PASS).search(Weights::weighted(weights));
    let edits = |(): &(), proposal: &Subset| {
        let mut edits = EditSet::new();
        let removed = proposal.removed().map(|idx| elements[idx]);
        remove_elements(&lists, removed, &mut edits);
        edits
    };
    let is_interesting = |proposal: &Subset| {
        let mut needed = (0..elements.len()).step_by(SPACING_IN_LISTS);
        needed.all(|element| proposal.keeps(element))
    };
    measure(program, search, edits, is_interesting)
}

/// Measures a worklist on the crate as one tree.
pub(crate) fn search_tree(program: &SourceTree) -> Times {
    let forest = Forest::new(program, build_tree(program));
    let options = TreeOptions {
        strategy: TreeStrategy::Worklist,
        max_distance: Some(8),
        fixpoint: false,
        ..TreeOptions::default()
    };
    let algorithm = ListAlgorithm::WeightedDdmin(DdminOptions::ONE_PASS);
    let search = TreeSearch::new(
        abstract_tree(&forest),
        options,
        move |_: &[NodeId], weights: &[u64]| algorithm.search(Weights::weighted(weights)),
    );
    let edits = |accepted: &Accepted, change: &TreeChange| {
        let mut all = accepted.clone();
        all.add(change);
        forest.edits(&all.pruned, &all.hoisted)
    };
    let is_needed =
        |nodes: std::ops::Range<usize>| nodes.start.next_multiple_of(SPACING_IN_TREES) < nodes.end;
    let end = |node: usize| forest.nodes()[node].end;
    let is_interesting = |change: &TreeChange| match change {
        TreeChange::Prune(nodes) => {
            let mut nodes = nodes.nodes().map(NodeId::index);
            !nodes.any(|node| is_needed(node..end(node)))
        }
        TreeChange::Hoist { node, descendant } => {
            let (node, descendant) = (node.index(), descendant.index());
            !is_needed(node..descendant) && !is_needed(end(descendant)..end(node))
        }
    };
    measure(program, search, edits, is_interesting)
}

fn measure<S: Search, A: Accept<S::Candidate>>(
    program: &SourceTree,
    mut search: S,
    make_edits: impl Fn(&A, &S::Candidate) -> EditSet,
    is_interesting: impl Fn(&S::Candidate) -> bool,
) -> Times {
    let mut files = Files::new();
    files.write(program);
    let store = MemoryStore::default();
    let mut edited = EditedTree::new(program.clone());
    let (mut times, mut accepted) = (Vec::new(), A::default());
    let begun = Instant::now();
    while begun.elapsed() < BUDGET {
        let mut clock = Clock(Instant::now());
        let Some((ticket, proposal)) = search.propose() else {
            break;
        };
        let choose = clock.lap();
        let edits = make_edits(&accepted, &proposal);
        let edit = clock.lap();
        let candidate = edited.candidate(&edits);
        let text = clock.lap();
        std::hint::black_box((candidate.count_tokens(), candidate.count_bytes()));
        let key = candidate.digest();
        let hash = clock.lap();
        std::hint::black_box(store.verdict(&key).expect("it is in memory"));
        let look_up = clock.lap();
        files.write(&candidate);
        times.push([choose, edit, text, hash, look_up, clock.lap()]);
        let is_interesting = is_interesting(&proposal);
        if search.answer(ticket, is_interesting).accepted.is_some() {
            edited.accept(&edits, &candidate);
            accepted.accept(&proposal);
        }
    }
    Times(times)
}

/// A search's memory of its accepted candidates.
trait Accept<C>: Default {
    fn accept(&mut self, candidate: &C);
}

impl Accept<Subset> for () {
    /// Remembers nothing, as a subset says all that is removed.
    fn accept(&mut self, _: &Subset) {}
}

#[derive(Clone, Default)]
struct Accepted {
    pruned: Vec<usize>,
    hoisted: Vec<(usize, usize)>,
}

impl Accepted {
    fn add(&mut self, change: &TreeChange) {
        match change {
            TreeChange::Prune(nodes) => self.pruned.extend(nodes.nodes().map(NodeId::index)),
            TreeChange::Hoist { node, descendant } => {
                self.hoisted.push((node.index(), descendant.index()));
            }
        }
    }
}

impl Accept<TreeChange> for Accepted {
    fn accept(&mut self, change: &TreeChange) {
        self.add(change);
        self.pruned.sort();
    }
}

struct Clock(Instant);

impl Clock {
    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.0, now)
    }
}

/// A directory with the files of the last candidate; those that did not change are not written.
struct Files {
    dir: tempfile::TempDir,
    written: BTreeMap<Utf8PathBuf, Arc<str>>,
}

impl Files {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("there is a directory for temporary files");
        std::fs::create_dir(dir.path().join("src")).expect("it is empty");
        let written = BTreeMap::new();
        Self { dir, written }
    }

    fn write(&mut self, tree: &SourceTree) {
        for (_, path, text) in tree.files() {
            let there = self.written.get(path);
            if there.is_none_or(|there| !Arc::ptr_eq(there, text) && there != text) {
                std::fs::write(self.dir.path().join(path), &**text).expect("it can be written");
                self.written.insert(path.to_owned(), text.clone());
            }
        }
    }
}

fn abstract_tree(forest: &Forest) -> Tree {
    let mut tree = Tree::new();
    for node in forest.nodes() {
        tree.push(node.parent.map(NodeId::from_index), abstract_node(node));
    }
    tree
}

fn abstract_node(node: &ForestNode) -> Node {
    let class = |class: HoistClass| Class::new(class.index());
    Node {
        weight: node.own_weight,
        class: node.class.map(class),
        accepts: node.accepts.iter().copied().map(class).collect(),
        removal: match node.pruning {
            Pruning::Never => Removal::Never,
            Pruning::Removes => Removal::Remove,
            Pruning::Leaves(weight) => Removal::Smallest { weight },
        },
        is_list: node.is_list(),
    }
}
