//! Trees that are written as text, and changes of them.

use crate::harness::run;
use crate::problem::Replay;
use reduce_algorithms::tree::{
    Class, Classes, Node, NodeId, Removal, Tree, TreeChange, TreeOptions, TreeSearch,
};
use reduce_algorithms::{Ddmin, Search};

/// A tree whose nodes have names of one letter.
pub(crate) struct Sample {
    pub(crate) tree: Tree,
    names: Vec<char>,
}

/// The outcome of a search in a sample.
pub(crate) struct Outcome {
    /// All candidates, in order: `-ab` prunes, `a<b` puts `b` in the place of `a`.
    pub(crate) tried: String,
    pub(crate) accepted: String,
    /// The nodes that are left, in preorder.
    pub(crate) left: String,
}

impl Sample {
    /// Reads a tree such as `R(-a(b c1) ~d)`. Each node weighs 1. Before its name it has `-` if it
    /// may be removed, `~` if a fragment of weight 1 may take its place, and `*` if its children are
    /// a list; after it the number of its class, which is also what may take its place.
    pub(crate) fn new(text: &str) -> Self {
        let mut sample = Self {
            tree: Tree::new(),
            names: vec![],
        };
        let mut above: Vec<Option<NodeId>> = vec![];
        let mut node = one();
        let mut chars = text.chars().peekable();
        while let Some(char) = chars.next() {
            match char {
                '-' => node.removal = Removal::Remove,
                '~' => node.removal = Removal::Smallest { weight: 1 },
                '*' => node.is_list = true,
                '(' => above.push(Some(NodeId::from_index(sample.names.len() - 1))),
                ')' => assert!(above.pop().is_some()),
                ' ' => {}
                name => {
                    let digit = chars.next_if(char::is_ascii_digit);
                    node.class = digit.map(|digit| Class::new(digit as u8 - b'0'));
                    node.accepts = node.class.map_or(Classes::NONE, Classes::from);
                    sample.tree.push(above.last().copied().flatten(), node);
                    sample.names.push(name);
                    node = one();
                }
            }
        }
        sample
    }

    pub(crate) fn named(&self, name: char) -> NodeId {
        let position = self.names.iter().position(|one| *one == name);
        NodeId::from_index(position.expect("the text has this name"))
    }

    pub(crate) fn text(&self, change: &TreeChange) -> String {
        let name = |node: NodeId| self.names[node.index()];
        match change {
            TreeChange::Prune(pruned) => std::iter::once('-')
                .chain(pruned.nodes().map(name))
                .collect(),
            TreeChange::Hoist { node, descendant } => {
                format!("{}<{}", name(*node), name(*descendant))
            }
        }
    }

    /// Searches with ddmin, one candidate at a time. What is interesting is said of the names of the
    /// nodes that are left.
    pub(crate) fn search(
        &self,
        options: TreeOptions,
        is_interesting: impl Fn(&str) -> bool,
    ) -> Outcome {
        self.search_with(options, Ddmin::new, is_interesting)
    }

    pub(crate) fn search_with(
        &self,
        options: TreeOptions,
        ddmin: fn(usize) -> Ddmin,
        is_interesting: impl Fn(&str) -> bool,
    ) -> Outcome {
        let list_search =
            move |nodes: &[NodeId], _: &[u64]| -> Box<dyn Search<Candidate = _> + Send> {
                Box::new(ddmin(nodes.len()))
            };
        let mut search = TreeSearch::new(self.tree.clone(), options, list_search);
        let mut replay = Replay::new(&self.tree);
        let run = run(&mut search, |accepted, change| {
            is_interesting(&self.left(&replay.with(accepted, change)))
        });
        let tried = run.tested.iter().map(|(change, _)| self.text(change));
        let accepted = run.accepted.iter().map(|change| self.text(change));
        Outcome {
            tried: tried.collect::<Vec<_>>().join(" "),
            accepted: accepted.collect::<Vec<_>>().join(" "),
            left: self.left(search.tree()),
        }
    }

    pub(crate) fn left(&self, tree: &Tree) -> String {
        tree.left().map(|node| self.names[node.index()]).collect()
    }
}

fn one() -> Node {
    Node {
        weight: 1,
        ..Node::default()
    }
}
