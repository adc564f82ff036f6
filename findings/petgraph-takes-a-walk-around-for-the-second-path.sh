#!/usr/bin/env bash
# One would expect the second shortest path between two nodes of a graph, as petgraph's `k_shortest_path` gives its length, to be the shortest way but one
# that visits no node twice, as `all_simple_paths` of the same crate lists them; and the second path from a node to itself not to exist.
#
# Instead, it counts every walk: what goes around a circle once more is another path. In an undirected graph each edge may be walked there and back, so the
# second length may be the first one and twice the shortest edge that touches the way, before all true detours, and there is a second and a third length where
# there is but one path. In a graph without circles, where no walk returns, a node with fewer paths than asked for is missing in the answer, so that a missing
# node may be one that cannot be reached or one that has too few paths. A tool that looks for a second route (or for how much worse it would be) gets the cost
# of turning back.
#
# Version: petgraph 0.8.3 and rustc 1.95.0. Source: `k_shortest_path` in src/algo/k_shortest_path.rs, which counts how often each node leaves the heap.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "routes"
version = "0.0.0"
edition = "2024"
[dependencies]
petgraph = "=0.8.3"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use petgraph::algo::{all_simple_paths, k_shortest_path};
use petgraph::graph::{Graph, NodeIndex};
use petgraph::{Directed, EdgeType, Undirected};
use std::hash::RandomState;

fn shown<Way: EdgeType>(name: &str, edges: &[(u32, u32, u32)], goal: usize) {
    let graph = Graph::<(), u32, Way>::from_edges(edges);
    let (start, goal) = (NodeIndex::new(0), NodeIndex::new(goal));
    let walked: Vec<_> = (1..=4).map(|k| k_shortest_path(&graph, start, Some(goal), k, |edge| *edge.weight()).get(&goal).copied()).collect();
    let mut simple: Vec<u32> = all_simple_paths::<Vec<_>, _, RandomState>(&graph, start, goal, 0, None)
        .map(|path| path.windows(2).map(|pair| graph[graph.find_edge(pair[0], pair[1]).unwrap()]).sum())
        .collect();
    simple.sort();
    println!("{name}: k_shortest_path {walked:?}, all_simple_paths {simple:?}");
}

fn main() {
    let routes = [(0, 1, 10), (1, 2, 10), (0, 2, 25), (2, 3, 1), (0, 3, 40)];
    shown::<Directed>("directed, no circle", &routes, 3);
    shown::<Undirected>("undirected", &routes, 3);
    shown::<Undirected>("undirected, one edge", &[(0, 1, 7)], 1);
    shown::<Directed>("directed, there and back", &[(0, 1, 7), (1, 0, 2)], 1);
    shown::<Directed>("directed, to the start", &[(0, 1, 7), (1, 0, 2)], 0);
    shown::<Directed>("directed, not to be reached", &[(1, 0, 7)], 1);
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other lengths' >&2; exit 1; }
directed, no circle: k_shortest_path [Some(21), Some(26), Some(40), None], all_simple_paths [21, 26, 40]
undirected: k_shortest_path [Some(21), Some(23), Some(25), Some(26)], all_simple_paths [21, 26, 40]
undirected, one edge: k_shortest_path [Some(7), Some(21), Some(35), Some(49)], all_simple_paths [7]
directed, there and back: k_shortest_path [Some(7), Some(16), Some(25), Some(34)], all_simple_paths [7]
directed, to the start: k_shortest_path [Some(0), Some(9), Some(18), Some(27)], all_simple_paths []
directed, not to be reached: k_shortest_path [None, None, None, None], all_simple_paths []
SEEN
