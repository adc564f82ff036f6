//! Finds the places in the sources where smaller syntax may stand, and which, in order of preference.

use crate::edit::{Edit, EditSet};
use crate::forest::Form;
use crate::lexer::{count_tokens, tokens};
use crate::source::{FileId, SourceTree};
use crate::token::Token;
use crate::tree::{Category, Node, SyntaxTree};
use std::ops::Range;

/// The kind of text that stands in place of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replacing {
    /// A compatible descendant (HOIST, Fig. 7 and 8).
    Hoist,
    /// The smallest text of the node's category: `()`, `_`, `loop {}`.
    Smallest,
}

/// A node and what may stand in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The file of the site.
    pub file: FileId,
    /// The bytes of the site.
    pub range: Range<usize>,
    /// The number of tokens of the site.
    pub weight: u64,
    /// The texts that may stand at the site, each smaller than the one there, the preferred one first.
    pub alternatives: Vec<String>,
}

/// The largest number of descendants that are tried in the place of one node.
const MOST_ALTERNATIVES: usize = 12;

impl Site {
    /// Returns for each alternative the edits that put it in place.
    #[must_use]
    pub fn edits(&self) -> Vec<EditSet> {
        let put = |text: &String| {
            let mut edits = EditSet::new();
            edits.add(Edit::replace(self.file, &self.range, text));
            edits
        };
        self.alternatives.iter().map(put).collect()
    }
}

/// Finds the next level of the tree, from `depth` on, on which nodes of these categories can be replaced by something
/// smaller: its depth and its sites, heaviest first. `None` below the last level.
#[must_use]
pub fn sites_at_level(
    sources: &SourceTree,
    tree: &SyntaxTree,
    categories: &[Category],
    replacing: Replacing,
    depth: u32,
) -> Option<(u32, Vec<Site>)> {
    let of_category = |node: &&Node| categories.contains(&node.category) && node.depth >= depth;
    let mut depths: Vec<u32> = tree
        .nodes
        .iter()
        .filter(of_category)
        .map(|node| node.depth)
        .collect();
    depths.sort_unstable();
    depths.dedup();
    depths.into_iter().find_map(|depth| {
        let indices = (0..tree.nodes.len()).filter(|&idx| {
            let node = &tree.nodes[idx];
            node.depth == depth && categories.contains(&node.category)
        });
        let mut sites: Vec<Site> = indices
            .map(|idx| site(sources, tree, idx, replacing))
            .filter(|site| !site.alternatives.is_empty())
            .collect();
        sites.sort_by_key(|site| std::cmp::Reverse(site.weight));
        (!sites.is_empty()).then_some((depth, sites))
    })
}

fn site(sources: &SourceTree, tree: &SyntaxTree, idx: usize, replacing: Replacing) -> Site {
    let node = &tree.nodes[idx];
    let mut alternatives = match replacing {
        Replacing::Hoist if node.category == Category::UseTree => {
            let text = &sources.text(node.file)[node.range.clone()];
            let without_self = without_group_of_self(text).map(str::to_owned);
            let hoisted = hoistable_texts(sources, tree, idx);
            without_self.into_iter().chain(hoisted).collect()
        }
        Replacing::Hoist => hoistable_texts(sources, tree, idx),
        Replacing::Smallest => smallest(node.category)
            .into_iter()
            .map(str::to_owned)
            .collect(),
    };
    if Form::of(tree, idx) == Form::Block {
        alternatives.iter_mut().for_each(put_in_braces);
    }
    alternatives.retain(|text| count_tokens(text) < node.weight);
    let mut seen = Vec::new();
    alternatives.retain(|text| {
        !seen.contains(text) && {
            seen.push(text.clone());
            true
        }
    });
    Site {
        file: node.file,
        range: node.range.clone(),
        weight: node.weight,
        alternatives,
    }
}

fn put_in_braces(text: &mut String) {
    if !text.starts_with('{') {
        *text = format!("{{ {text} }}");
    }
}

/// Removes the group from a path of imports with nothing but `self` in it: `a` for `a::{self}`.
pub(crate) fn without_group_of_self(tree: &str) -> Option<&str> {
    let all = tokens(tree);
    let is = |text: &'static str| move |token: &&Token| &tree[token.range()] == text;
    let mut from_the_end = all.iter().rev().peekable();
    from_the_end.next_if(is("}"))?;
    let _ = from_the_end.next_if(is(","));
    from_the_end.next_if(is("self"))?;
    from_the_end.next_if(is("{"))?;
    let colons = from_the_end.next_if(is("::"))?;
    Some(tree[..colons.range().start].trim_end())
}

fn hoistable_texts(sources: &SourceTree, tree: &SyntaxTree, idx: usize) -> Vec<String> {
    let category = tree.nodes[idx].category;
    let text_of = |below: usize| {
        let node = &tree.nodes[below];
        let text = sources.text(node.file)[node.range.clone()]
            .trim()
            .to_owned();
        match (category, node.category) {
            // The contents of a block are hoisted in place of the block.
            (Category::Statement, Category::Expression) if text.starts_with('{') => None,
            (Category::Statement, Category::Expression) => Some(text + ";"),
            _ => Some(text),
        }
    };
    tree.hoistable(idx, MOST_ALTERNATIVES)
        .into_iter()
        .filter_map(text_of)
        .collect()
}

/// The smallest text of a category, if it has one.
pub(crate) fn smallest(category: Category) -> Option<&'static str> {
    match category {
        Category::Expression => Some("loop {}"),
        Category::Type => Some("()"),
        Category::Pattern => Some("_"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::build_tree;
    use camino::Utf8PathBuf;
    use std::sync::Arc;

    /// All alternatives, level by level, as `node -> alternative`.
    #[track_caller]
    fn check(text: &str, category: Category, replacing: Replacing, expected: &[&str]) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let tree = build_tree(&sources);
        let mut found = Vec::new();
        let mut depth = 0;
        while let Some((level, sites)) =
            sites_at_level(&sources, &tree, &[category], replacing, depth)
        {
            for site in sites {
                for alternative in &site.alternatives {
                    found.push(format!("{} -> {alternative}", &text[site.range.clone()]));
                }
            }
            depth = level + 1;
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn an_expression_is_replaced_by_its_furthest_parts_first() {
        check(
            "const C: u8 = f(g(1), 2);",
            Category::Expression,
            Replacing::Hoist,
            &[
                "f(g(1), 2) -> g",
                "f(g(1), 2) -> 1",
                "f(g(1), 2) -> f",
                "f(g(1), 2) -> g(1)",
                "f(g(1), 2) -> 2",
                "g(1) -> g",
                "g(1) -> 1",
            ],
        );
    }

    #[test]
    fn a_type_is_replaced_by_its_arguments() {
        check(
            "type A = Vec<Box<u8>>;",
            Category::Type,
            Replacing::Hoist,
            &[
                "Vec<Box<u8>> -> u8",
                "Vec<Box<u8>> -> Box<u8>",
                "Box<u8> -> u8",
            ],
        );
    }

    #[test]
    fn a_loop_is_replaced_by_what_is_in_it() {
        check(
            "fn f() { while a { b(); c(); } }",
            Category::Statement,
            Replacing::Hoist,
            &[
                "while a { b(); c(); } -> b(); c();",
                "while a { b(); c(); } -> a;",
                "b(); -> b;",
                "c(); -> c;",
            ],
        );
    }

    #[test]
    fn what_replaces_a_body_is_in_braces() {
        check(
            "fn f() { g(h()); }",
            Category::Expression,
            Replacing::Smallest,
            &["{ g(h()); } -> { loop {} }", "g(h()) -> loop {}"],
        );
        check(
            "fn f() { if a { b } }",
            Category::Expression,
            Replacing::Hoist,
            &[
                "{ if a { b } } -> { a }",
                "{ if a { b } } -> { b }",
                "if a { b } -> b",
                "if a { b } -> a",
                "if a { b } -> { b }",
            ],
        );
    }

    #[test]
    fn a_group_of_self_alone_is_not_needed() {
        check(
            "use a::b::{self};",
            Category::UseTree,
            Replacing::Hoist,
            &[
                "a::b::{self} -> a::b",
                "a::b::{self} -> {self}",
                "a::b::{self} -> b::{self}",
                "b::{self} -> b",
                "b::{self} -> self",
                "b::{self} -> {self}",
                "{self} -> self",
            ],
        );
    }

    #[test]
    fn a_group_of_self_is_seen_in_any_layout() {
        assert_eq!(without_group_of_self("a :: {\n self, }"), Some("a"));
        assert_eq!(without_group_of_self("a::{self, b}"), None);
    }

    #[test]
    fn a_module_is_replaced_by_its_items() {
        check(
            "mod m { struct S; }",
            Category::Module,
            Replacing::Hoist,
            &["mod m { struct S; } -> struct S;"],
        );
    }

    #[test]
    fn the_smallest_type_is_the_empty_tuple() {
        check(
            "type A = Vec<u8>;",
            Category::Type,
            Replacing::Smallest,
            &["Vec<u8> -> ()"],
        );
    }

    #[test]
    fn a_node_without_smaller_parts_is_no_site() {
        check(
            "const C: u8 = 1;",
            Category::Expression,
            Replacing::Hoist,
            &[],
        );
    }
}
