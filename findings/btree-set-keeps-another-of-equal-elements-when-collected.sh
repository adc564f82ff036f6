#!/usr/bin/env bash
# One would expect a set that is collected from an iterator to hold what it holds when the same elements are inserted one by one, in the same order: the
# documentation of `insert` says that an equal element which is there already stays, and `HashSet` keeps the first one on each of its ways.
#
# Instead, `collect` and `from` of `BTreeSet` keep the last of several elements that compare as equal, and `insert` and `extend` the first. The keys of a
# `BTreeMap` are treated in the same way, so that a map from `collect` has the last key with the last value, and one from `insert` the first key with the last
# value. Whoever compares by a part (messages by their place, files by their name without case) gets another element by the way that a set was made, and by
# its kind; `|`, `&` and `append` take the left set's.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `DedupSortedIter` in library/alloc/src/collections/btree/dedup_sorted_iter.rs, which passes over an
# element whose successor is equal; `from_iter` sorts, and builds the tree from it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
cat > main.rs <<'RUST'
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};

#[derive(Clone, Debug)]
struct Name(&'static str);

impl Name {
    fn key(&self) -> String {
        self.0.to_lowercase()
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Name) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Name) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

fn main() {
    let names = [Name("first"), Name("FIRST")];
    let [first, second] = names.clone();

    let mut tree = BTreeSet::new();
    let mut hash = HashSet::new();
    for name in names.clone() {
        tree.insert(name.clone());
        hash.insert(name);
    }
    println!("insert: {tree:?}, hash {hash:?}");

    let mut tree = BTreeSet::new();
    tree.extend(names.clone());
    let mut hash = HashSet::new();
    hash.extend(names.clone());
    println!("extend: {tree:?}, hash {hash:?}");

    let tree: BTreeSet<_> = names.iter().cloned().collect();
    let hash: HashSet<_> = names.iter().cloned().collect();
    println!("collect: {tree:?}, hash {hash:?}");
    println!("from: {:?}, hash {:?}", BTreeSet::from(names.clone()), HashSet::from(names.clone()));

    let left = BTreeSet::from([first.clone()]);
    let mut right = BTreeSet::from([second.clone()]);
    println!("or: {:?}, and: {:?}", &left | &right, &left & &right);
    let mut both = left.clone();
    both.append(&mut right);
    println!("append: {both:?}");

    let pairs = [(first, 1), (second, 2)];
    let mut tree = BTreeMap::new();
    let mut hash = HashMap::new();
    for (name, number) in pairs.clone() {
        tree.insert(name.clone(), number);
        hash.insert(name, number);
    }
    println!("map, insert: {tree:?}, hash {hash:?}");
    let tree: BTreeMap<_, _> = pairs.iter().cloned().collect();
    let hash: HashMap<_, _> = pairs.iter().cloned().collect();
    println!("map, collect: {tree:?}, hash {hash:?}");
}
RUST
rustc +1.95.0 --edition 2024 main.rs -o main
./main > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other elements are kept' >&2; exit 1; }
insert: {Name("first")}, hash {Name("first")}
extend: {Name("first")}, hash {Name("first")}
collect: {Name("FIRST")}, hash {Name("first")}
from: {Name("FIRST")}, hash {Name("first")}
or: {Name("first")}, and: {Name("first")}
append: {Name("first")}
map, insert: {Name("first"): 2}, hash {Name("first"): 2}
map, collect: {Name("FIRST"): 2}, hash {Name("first"): 2}
SEEN
