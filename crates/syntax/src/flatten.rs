//! Modules dissolved into their parent: `mod m { .. }` becomes what is in it, `super::x` in it and
//! `m::x` elsewhere become `x`, and imports that would then import what is there already go.
//!
//! Before: `mod m { use super::T; impl T for u8 {} pub fn f() {} } use m::f; trait T {}`.
//! After: `impl T for u8 {} pub fn f() {} trait T {}`.
//!
//! Names are resolved by spelling; the oracle decides whether it still crashes.

use crate::edit::{Edit, EditSet};
use crate::lexer::{Token, tokens};
use crate::source::{FileId, SourceTree};
use crate::tree::{Category, Node, SyntaxTree};
use std::ops::Range;

/// The next level, from `depth` on, that has inline modules: its depth, and for each module the
/// edits that dissolve it. `None` below the last level.
#[must_use]
pub fn flattenings_at_level(
    sources: &SourceTree,
    tree: &SyntaxTree,
    depth: u32,
) -> Option<(u32, Vec<EditSet>)> {
    let is_module = |node: &Node| node.category == Category::Module && node.depth >= depth;
    let modules = (0..tree.nodes.len()).filter(|&idx| is_module(&tree.nodes[idx]));
    let modules: Vec<usize> = modules.collect();
    let level = modules.iter().map(|&idx| tree.nodes[idx].depth).min()?;
    let edits = modules
        .into_iter()
        .filter(|&idx| tree.nodes[idx].depth == level)
        .filter_map(|idx| flattening(sources, tree, idx))
        .collect();
    Some((level, edits))
}

fn flattening(sources: &SourceTree, tree: &SyntaxTree, idx: usize) -> Option<EditSet> {
    let module = &tree.nodes[idx];
    let contents = tree.nodes.get(idx + 1)?;
    if contents.category != Category::ModuleContents {
        return None;
    }
    let text = sources.text(module.file);
    let name = name_of(&text[module.range.start..contents.range.start])?;
    let mut edits = EditSet::new();
    edits.add(Edit::delete(
        module.file,
        &(module.range.start..contents.range.start),
    ));
    edits.add(Edit::delete(
        module.file,
        &(contents.range.end..module.range.end),
    ));
    let inner: Vec<&Range<usize>> = tree.nodes[idx + 2..module.end]
        .iter()
        .filter(|node| node.category == Category::Module)
        .map(|node| &node.range)
        .collect();
    let is_top = module.file == sources.root() && !is_in_module(tree, idx);
    for (file, _, text) in sources.files() {
        let all = tokens(text);
        let scan = Scan {
            file,
            text,
            all: &all,
        };
        let is_inside = |at: usize| file == module.file && contents.range.contains(&at);
        let is_direct = |at: usize| is_inside(at) && !inner.iter().any(|range| range.contains(&at));
        for (idx, token) in all.iter().enumerate() {
            let leads_out = scan.is(idx, "super") && is_direct(token.range().start);
            let at_top = is_top && scan.is(idx, "crate") && is_direct(token.range().start);
            if leads_out || scan.is(idx, &name) {
                scan.leave_out_prefix(idx, &mut edits);
            } else if at_top && let Some(import) = scan.import_of_names(idx) {
                edits.add(Edit::delete(file, &import));
            }
        }
    }
    Some(edits)
}

/// Whether a module stands in another inline module.
fn is_in_module(tree: &SyntaxTree, idx: usize) -> bool {
    let contains = |node: &Node| node.category == Category::Module && node.end > idx;
    tree.nodes[..idx].iter().any(contains)
}

/// The tokens of a file.
struct Scan<'a> {
    file: FileId,
    text: &'a str,
    all: &'a [Token],
}

impl Scan<'_> {
    fn is(&self, idx: usize, expected: &str) -> bool {
        self.all
            .get(idx)
            .is_some_and(|token| &self.text[token.range()] == expected)
    }

    /// Leaves out `prefix::`, or the whole import if it imports from there by name.
    fn leave_out_prefix(&self, idx: usize, edits: &mut EditSet) {
        if !self.is(idx + 1, "::") {
            return;
        }
        let range = match self.import_of_names(idx) {
            Some(import) => import,
            None => self.all[idx].range().start..self.all[idx + 1].range().end,
        };
        edits.add(Edit::delete(self.file, &range));
    }

    /// The bytes of `use prefix::x;`, `use prefix::*;` or `use prefix::{..};`.
    fn import_of_names(&self, idx: usize) -> Option<Range<usize>> {
        let before = idx.checked_sub(1)?;
        if !self.is(before, "use") {
            return None;
        }
        if !self.is(idx + 1, "::") {
            return None;
        }
        let semicolon = (idx + 2..self.all.len()).find(|&at| self.is(at, ";"))?;
        let is_names = semicolon == idx + 3 || self.is(idx + 2, "{");
        let visible = before.checked_sub(1).filter(|&at| self.is(at, "pub"));
        let start = self.all[visible.unwrap_or(before)].range().start;
        is_names.then(|| start..self.all[semicolon].range().end)
    }
}

/// The identifier after `mod`.
fn name_of(head: &str) -> Option<String> {
    let all = tokens(head);
    let keyword = all
        .iter()
        .rposition(|token| &head[token.range()] == "mod")?;
    let name = &head[all.get(keyword + 1)?.range()];
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::build_tree;
    use camino::Utf8PathBuf;
    use std::sync::Arc;

    #[track_caller]
    fn check(before: &str, after: &str) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(before));
        let tree = build_tree(&sources);
        let (_, found) = flattenings_at_level(&sources, &tree, 0).expect("there is a module");
        let result = found[0].apply(&sources);
        let print = |text: &str| crate::pretty(text).expect("parses");
        assert_eq!(print(result.text(result.root())), print(after));
    }

    #[test]
    fn a_module_becomes_its_items() {
        check("mod m { struct S; } fn f() {}", "struct S; fn f() {}");
    }

    #[test]
    fn imports_from_the_parent_go() {
        check(
            "trait T {} mod m { use super::T; use super::{U, V}; impl T for super::W {} }",
            "trait T {} impl T for W {}",
        );
    }

    #[test]
    fn imports_from_the_root_go_if_that_is_the_parent() {
        check(
            "struct S; mod m { use crate::S; fn f(_: S) {} }",
            "struct S; fn f(_: S) {}",
        );
        check(
            "mod m { mod n { use crate::S; } }",
            "mod n { use crate::S; }",
        );
    }

    #[test]
    fn a_longer_import_from_the_parent_is_shortened() {
        check("mod m { use super::a::B; }", "use a::B;");
    }

    #[test]
    fn paths_into_the_module_are_shortened() {
        check(
            "pub(crate) mod m { pub struct S; } use m::S; pub use m::{A, B}; \
             mod n { use crate::m::S; } fn f(_: m::S, _: crate::m::S) {}",
            "pub struct S; mod n { use crate::S; } fn f(_: S, _: crate::S) {}",
        );
    }

    #[test]
    fn the_parent_of_an_inner_module_stays_its_parent() {
        check(
            "mod m { mod n { use super::S; } struct S; }",
            "mod n { use super::S; } struct S;",
        );
    }

    #[test]
    fn a_crate_without_inline_modules_has_nothing_to_flatten() {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from("mod m;"));
        let tree = build_tree(&sources);
        assert!(flattenings_at_level(&sources, &tree, 0).is_none());
    }
}
