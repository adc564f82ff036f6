//! A change alone gives the same text as in the passes on lists and on sites.

use super::*;
use crate::edit::EditSet;
use crate::parse::is_parsable;
use crate::replace::{Replacing, Site, sites_at_level};
use crate::tree::SyntaxTree;

const CATEGORIES: [Category; 6] = [
    Category::Expression,
    Category::Type,
    Category::Pattern,
    Category::UseTree,
    Category::Statement,
    Category::Module,
];

/// The sites of all levels.
fn sites(sources: &SourceTree, tree: &SyntaxTree, replacing: Replacing) -> Vec<(Category, Site)> {
    let mut found = Vec::new();
    for category in CATEGORIES {
        let mut depth = 0;
        while let Some((level, sites)) =
            sites_at_level(sources, tree, &[category], replacing, depth)
        {
            found.extend(sites.into_iter().map(|site| (category, site)));
            depth = level + 1;
        }
    }
    found
}

fn after(sources: &SourceTree, edits: &EditSet) -> SourceTree {
    edits.apply(sources)
}

/// The texts of all files, which tell trees apart.
fn texts(sources: &SourceTree) -> Vec<String> {
    let file = |(_, path, text): (_, &Utf8Path, &Arc<str>)| format!("{path}: {text}");
    sources.files().map(file).collect()
}

/// Returns whether syn can parse each file, unless it could not before.
fn parses(before: &SourceTree, after: &SourceTree) -> bool {
    let mut files = after.files();
    files.all(|(file, _, text)| is_parsable(text) || !is_parsable(before.text(file)))
}

#[test]
fn an_element_goes_as_it_goes_from_its_list() {
    let mut n_elements = 0;
    for sources in crates() {
        let (tree, forest) = (build_tree(&sources), forest(&sources));
        for (list, element) in elements(&tree) {
            let mut expected = EditSet::new();
            tree.lists[list].remove(&[element], &mut expected);
            let node = node_of(&forest, &tree, list, element);
            let found = forest.edits(&[node], &[]);
            assert_eq!(after(&sources, &found), after(&sources, &expected));
            n_elements += 1;
        }
    }
    assert!(n_elements > 400, "only {n_elements} elements");
}

#[test]
fn a_whole_list_goes_as_it_goes_by_itself() {
    for sources in crates() {
        let (tree, forest) = (build_tree(&sources), forest(&sources));
        for (idx, list) in tree.lists.iter().enumerate() {
            let all: Vec<usize> = (0..list.elements.len()).collect();
            let mut expected = EditSet::new();
            list.remove(&all, &mut expected);
            let nodes: Vec<usize> = all
                .iter()
                .map(|&element| node_of(&forest, &tree, idx, element))
                .collect();
            let found = forest.edits(&nodes, &[]);
            assert_eq!(after(&sources, &found), after(&sources, &expected));
        }
    }
}

fn elements(tree: &SyntaxTree) -> Vec<(usize, usize)> {
    let of_list = |list: usize| {
        let n_elements = tree.lists[list].elements.len();
        (0..n_elements).map(move |element| (list, element))
    };
    (0..tree.lists.len()).flat_map(of_list).collect()
}

/// The node of an element. Elements of the same list and range are told apart by what goes along.
fn node_of(forest: &Forest, tree: &SyntaxTree, list: usize, element: usize) -> usize {
    let kind: ListKind = tree.lists[list].kind;
    let element = &tree.lists[list].elements[element];
    let is_meant = |&idx: &usize| {
        let node = &forest.nodes()[idx];
        (node.kind, node.file, &node.range)
            == (ForestKind::Element(kind), element.file, &element.range)
            && node.also.is_some() == element.also.is_some()
    };
    let mut found = (0..forest.nodes().len()).filter(is_meant);
    let node = found.next().expect("every element is a node");
    assert_eq!(found.next(), None);
    node
}

#[test]
fn every_alternative_that_parses_can_be_hoisted_to_the_same_text() {
    let mut n_alternatives = 0;
    for sources in crates() {
        let (tree, forest) = (build_tree(&sources), forest(&sources));
        let hoisted = hoistable(&forest)
            .into_iter()
            .map(|pair| forest.edits(&[], &[pair]));
        let pruned = prunable(&forest)
            .into_iter()
            .map(|node| forest.edits(&[node], &[]));
        let mut reached: Vec<Vec<String>> = hoisted
            .chain(pruned)
            .map(|edits| texts(&after(&sources, &edits)))
            .collect();
        reached.sort_unstable();
        for replacing in [Replacing::Hoist, Replacing::Smallest] {
            for (category, site) in sites(&sources, &tree, replacing) {
                for (edits, text) in site.edits().iter().zip(&site.alternatives) {
                    let expected = after(&sources, edits);
                    let is_reached = reached.binary_search(&texts(&expected)).is_ok();
                    n_alternatives += usize::from(is_reached);
                    let what = &sources.text(site.file)[site.range.clone()];
                    // Only passes put braces around what replaces a block.
                    let is_put_in_braces = text.starts_with("{ ") && what.starts_with('{');
                    assert!(
                        is_reached || is_put_in_braces || !parses(&sources, &expected),
                        "{category:?} `{what}` -> `{text}`"
                    );
                }
            }
        }
    }
    assert!(n_alternatives > 400, "only {n_alternatives} alternatives");
}

/// Returns the text that stands in place of a node, as a site would have it.
fn hoisted_text(sources: &SourceTree, above: &ForestNode, below: &ForestNode) -> String {
    let text = sources.text(below.file)[below.range.clone()].trim();
    match (above.category(), below.category()) {
        (Some(Category::Statement), Some(Category::Expression)) => format!("{text};"),
        _ => text.to_owned(),
    }
}

/// The edits of the alternative `text` of a node's site. Sites look two compatible nodes down each
/// path, and have at most twelve alternatives.
fn at_site(sites: &[(Category, Site)], node: &ForestNode, text: &str) -> Option<EditSet> {
    let (_, site) = sites.iter().find(|(category, site)| {
        let place = (Some(*category), site.file, &site.range);
        place == (node.category(), node.file, &node.range)
    })?;
    let alternative = site.alternatives.iter().position(|one| one == text)?;
    site.edits().into_iter().nth(alternative)
}

#[test]
fn what_is_hoisted_stands_as_it_does_at_its_site() {
    let (mut n_known, mut n_further) = (0, 0);
    for sources in crates() {
        let (tree, forest) = (build_tree(&sources), forest(&sources));
        let sites = sites(&sources, &tree, Replacing::Hoist);
        for (node, descendant) in hoistable(&forest) {
            let (above, below) = (&forest.nodes()[node], &forest.nodes()[descendant]);
            let text = hoisted_text(&sources, above, below);
            if let Some(expected) = at_site(&sites, above, &text) {
                let found = forest.edits(&[], &[(node, descendant)]);
                assert_eq!(after(&sources, &found), after(&sources, &expected));
                n_known += 1;
            } else {
                n_further += 1;
            }
        }
    }
    assert!(
        n_known > n_further,
        "{n_known}, and {n_further} that no site has"
    );
    assert!(n_known > 300, "only {n_known} were compared");
}
