//! Tests of what holds for every source file of this repository: real code has what nobody thinks of
//! in small cases.

#[path = "real_sources/configuration.rs"]
mod configuration;
#[path = "real_sources/passes.rs"]
mod passes;

use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::{
    EditSet, Element, List, ListKind, SourceTree, SyntaxTree, build_tree, is_parsable, tokens,
};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

/// The most removals that are tried in a file. Several hundred files make thousands of them.
const MOST_REMOVALS: usize = 12;

/// The variable with which `.ci/run --slow` asks for another number of removals.
const REMOVALS_VARIABLE: &str = "REDUCE_TEST_REMOVALS";

/// A file of this repository that syn can parse.
struct Source {
    path: Utf8PathBuf,
    tree: SourceTree,
    /// Made for the test that asks for it first.
    syntax: OnceLock<SyntaxTree>,
}

/// The most removals that this run tries in a file.
static REMOVALS: LazyLock<usize> = LazyLock::new(removals);

#[expect(
    clippy::disallowed_methods,
    reason = "the gate says how thorough a test is by a variable"
)]
fn removals() -> usize {
    let given = std::env::var(REMOVALS_VARIABLE).ok();
    given.map_or(MOST_REMOVALS, |number| {
        number.parse().expect("the variable is a number")
    })
}

/// All source files of this repository, read once.
static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(sources);

fn sources() -> Vec<Source> {
    let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = BTreeSet::new();
    for part in ["crates", "daemon", "cargo-reduce", "fixtures", "tests"] {
        rust_files(&root.join(part), &mut paths);
    }
    let source = |path: Utf8PathBuf| {
        let text: Arc<str> = std::fs::read_to_string(&path).ok()?.into();
        let tree = SourceTree::single(Utf8PathBuf::from("lib.rs"), text);
        Some(Source {
            path,
            tree,
            syntax: OnceLock::new(),
        })
    };
    let found: Vec<Source> = paths.into_iter().filter_map(source).collect();
    let is_rust = |source: &Source| is_parsable(source.text());
    found.into_iter().filter(is_rust).collect()
}

/// Adds the files below a directory; none if there is no such directory.
fn rust_files(directory: &Utf8Path, found: &mut BTreeSet<Utf8PathBuf>) {
    let Ok(entries) = directory.read_dir_utf8() else {
        return;
    };
    for entry in entries {
        let path = entry.expect("the directory can be read").into_path();
        if path.is_dir() && path.file_name() != Some("target") {
            rust_files(&path, found);
        } else if path.extension() == Some("rs") {
            found.insert(path);
        }
    }
}

impl Source {
    fn text(&self) -> &str {
        self.tree.text(self.tree.root())
    }

    fn syntax(&self) -> &SyntaxTree {
        self.syntax.get_or_init(|| build_tree(&self.tree))
    }

    fn without(&self, list: &List, idx: usize) -> String {
        let mut edits = EditSet::new();
        list.remove(&[idx], &mut edits);
        let left = edits.apply(&self.tree);
        left.text(left.root()).to_owned()
    }

    #[track_caller]
    fn check_range(&self, range: &Range<usize>) {
        let text = self.text();
        let is_inside = range.start < range.end
            && text.is_char_boundary(range.start)
            && text.is_char_boundary(range.end);
        assert!(is_inside, "{range:?} is not in `{}`", self.path);
    }

    /// Some of the elements, evenly spread.
    fn sample<'s>(&'s self) -> Vec<(&'s List, usize)> {
        let all_of = |list: &'s List| (0..list.elements.len()).map(move |idx| (list, idx));
        let all: Vec<_> = self.syntax().lists.iter().flat_map(all_of).collect();
        let step = all.len().div_ceil(*REMOVALS).max(1);
        let first = self.text().len() % step;
        all.into_iter().skip(first).step_by(step).collect()
    }

    /// Whether an element may be one without which the text is not Rust, although its kind of list
    /// is there for good reason. Such a candidate is rejected without a query.
    ///
    /// - A bound of `impl A` or `dyn A`, which need one trait; those of `where T: A` do not, and have
    ///   no wrapper either.
    /// - The end of `a..=b`.
    fn may_be_needed(&self, list: &List, idx: usize) -> bool {
        let before = &self.text()[..list.elements[idx].range.start];
        match list.kind {
            ListKind::Bounds => list.wrapper.is_none(),
            ListKind::RangeEnds => before.trim_end().ends_with("..="),
            _ => false,
        }
    }
}

fn ranges(element: &Element) -> impl Iterator<Item = &Range<usize>> {
    let rest = element.separator.iter().chain(&element.also);
    std::iter::once(&element.range).chain(rest)
}

#[test]
fn this_repository_has_sources() {
    assert!(SOURCES.len() > 50);
}

#[test]
fn every_range_lies_in_its_file_on_characters() {
    for source in SOURCES.iter() {
        let tree = source.syntax();
        assert!(tree.fallbacks.is_empty());
        for list in &tree.lists {
            list.elements
                .iter()
                .flat_map(ranges)
                .for_each(|range| source.check_range(range));
            if let Some((_, range)) = &list.wrapper {
                source.check_range(range);
            }
        }
        for node in tree.nodes.iter().filter(|node| !node.range.is_empty()) {
            source.check_range(&node.range);
        }
    }
}

#[test]
fn elements_of_a_list_do_not_overlap_unless_it_is_of_the_whole_crate() {
    for source in SOURCES.iter() {
        let tree = source.syntax();
        for list in tree
            .lists
            .iter()
            .filter(|list| !list.kind.is_of_the_crate())
        {
            let in_order = list
                .elements
                .windows(2)
                .all(|pair| pair[0].range.end <= pair[1].range.start);
            assert!(in_order, "{:?} in `{}`", list.kind, source.path);
        }
    }
}

#[test]
fn descendants_lie_in_their_ancestors() {
    for source in SOURCES.iter() {
        let tree = source.syntax();
        for (idx, node) in tree.nodes.iter().enumerate() {
            for below in &tree.nodes[idx + 1..node.end] {
                let is_inside =
                    node.range.start <= below.range.start && below.range.end <= node.range.end;
                assert!(is_inside && below.depth > node.depth, "`{}`", source.path);
                assert!(below.weight <= node.weight, "`{}`", source.path);
            }
        }
    }
}

#[test]
fn a_file_without_an_element_has_fewer_tokens_and_still_parses() {
    let (mut n_tried, mut broken) = (0, Vec::new());
    for source in SOURCES.iter() {
        let before = tokens(source.text()).len();
        for (list, idx) in source.sample() {
            n_tried += 1;
            let left = source.without(list, idx);
            let text = &source.text()[list.elements[idx].range.clone()];
            let removed = || format!("{:?} of `{text}` in `{}`", list.kind, source.path);
            assert!(tokens(&left).len() < before, "{}", removed());
            if !is_parsable(&left) && !source.may_be_needed(list, idx) {
                broken.push(removed());
            }
        }
    }
    assert!(n_tried > 1000, "only {n_tried} removals were tried");
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn no_edit_leaves_the_same_text() {
    for source in SOURCES.iter() {
        let same = EditSet::new().apply(&source.tree);
        assert!(same == source.tree, "`{}`", source.path);
        assert_eq!(same.digest(), source.tree.digest());
    }
}

#[test]
fn the_digest_does_not_depend_on_the_layout() {
    for source in SOURCES.iter() {
        let text = source.text();
        let words: Vec<&str> = tokens(text)
            .iter()
            .map(|token| &text[token.range()])
            .collect();
        let spread = words.join("\n/* layout */ // é\n\t");
        let other = SourceTree::single(Utf8PathBuf::from("lib.rs"), spread.into());
        assert_eq!(other.digest(), source.tree.digest(), "`{}`", source.path);
        assert_eq!(other.count_tokens(), source.tree.count_tokens());
    }
}
