//! Modules dissolved into their parent: `mod m { .. }` becomes what is in it, `super::x` in it and
//! `m::x` elsewhere become `x`, and imports that would then import what is there already go.
//!
//! Before: `mod m { use super::T; impl T for u8 {} pub fn f() {} } use m::f; trait T {}`.
//! After: `impl T for u8 {} pub fn f() {} trait T {}`.
//!
//! Names are resolved by spelling; the oracle decides whether it still crashes.

use reduce_syntax::{Category, Edit, EditSet, FileId, Node, SourceTree, SyntaxTree, TokenCursor};
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
    let name = name_of(sources, tree, idx)?;
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
    let is_top = module.file == sources.root() && parent_of(tree, idx).is_none();
    let namesakes = Namesakes::of(sources, tree, idx, name);
    for (file, _, text) in sources.files() {
        let cursor = TokenCursor::new(text);
        let tokens = FileTokens { file, cursor };
        let cursor = &tokens.cursor;
        let is_meant = |at: usize| cursor.is(at, name) && namesakes.leave(&tokens, at);
        let is_inside = |at: usize| file == module.file && contents.range.contains(&at);
        let is_direct = |at: usize| is_inside(at) && !inner.iter().any(|range| range.contains(&at));
        for idx in cursor.indices() {
            let start = cursor.range(idx).start;
            let leads_out = cursor.is(idx, "super") && is_direct(start);
            let at_top = is_top && cursor.is(idx, "crate") && is_direct(start);
            if leads_out || is_meant(idx) {
                tokens.leave_out_prefix(idx, &mut edits);
            } else if at_top && let Some(import) = tokens.import_of_names(idx) {
                edits.add(Edit::delete(file, &import));
            }
        }
    }
    Some(edits)
}

/// The inline module that another stands in.
fn parent_of(tree: &SyntaxTree, idx: usize) -> Option<usize> {
    let contains = |at: &usize| {
        let node = &tree.nodes[*at];
        node.category == Category::Module && node.end > idx
    };
    (0..idx).rev().find(contains)
}

/// Where other modules have the name of one: which mentions mean that one.
struct Namesakes<'t> {
    file: FileId,
    /// The parent's name; `crate` for the root.
    parent: &'t str,
    /// What is in the parent, and which modules are in it in turn; nothing if there is no other module
    /// of the name.
    around: Option<(Range<usize>, Vec<Range<usize>>)>,
}

impl<'t> Namesakes<'t> {
    fn of(sources: &'t SourceTree, tree: &SyntaxTree, idx: usize, name: &str) -> Self {
        let file = tree.nodes[idx].file;
        let parent = parent_of(tree, idx);
        let is_module = |at: &usize| tree.nodes[*at].category == Category::Module;
        let modules: Vec<usize> = (0..tree.nodes.len()).filter(is_module).collect();
        let is_namesake = |at: &&usize| name_of(sources, tree, **at) == Some(name);
        let has_others = modules.iter().filter(is_namesake).count() > 1;
        let around = || {
            let whole = 0..sources.text(file).len();
            let range = parent.map_or(whole, |at| tree.nodes[at].range.clone());
            let ranges = modules.iter().filter(|&&at| Some(at) != parent);
            let ranges = ranges.map(|&at| &tree.nodes[at]).filter(|node| {
                let is_inside = range.start <= node.range.start && node.range.end <= range.end;
                node.file == file && is_inside
            });
            let inner = ranges.map(|node| node.range.clone()).collect();
            (range, inner)
        };
        Self {
            file,
            parent: parent
                .and_then(|at| name_of(sources, tree, at))
                .unwrap_or("crate"),
            around: has_others.then(around),
        }
    }

    /// Whether a mention of the name may mean the module.
    fn leave(&self, tokens: &FileTokens<'_>, at: usize) -> bool {
        let Some((range, inner)) = &self.around else {
            return true;
        };
        let cursor = &tokens.cursor;
        let position = cursor.range(at).start;
        let is_beside = tokens.file == self.file
            && range.contains(&position)
            && !inner.iter().any(|one| one.contains(&position));
        match (cursor.before(at, 1), cursor.before(at, 2)) {
            ("::", before) => before == self.parent || is_beside && before == "self",
            _ => is_beside,
        }
    }
}

/// The name of a module: the identifier after `mod`.
fn name_of<'t>(sources: &'t SourceTree, tree: &SyntaxTree, idx: usize) -> Option<&'t str> {
    let module = &tree.nodes[idx];
    let contents = tree.nodes.get(idx + 1);
    let contents = contents.filter(|node| node.category == Category::ModuleContents);
    let end = contents.map_or(module.range.end, |node| node.range.start);
    let head = &sources.text(module.file)[module.range.start..end];
    let cursor = TokenCursor::new(head);
    let keyword = cursor.indices().rev().find(|&idx| cursor.is(idx, "mod"))?;
    Some(cursor.word(keyword + 1))
}

/// The tokens of a file.
struct FileTokens<'a> {
    file: FileId,
    cursor: TokenCursor<'a>,
}

impl FileTokens<'_> {
    /// Leaves out `prefix::`, or the whole import if it imports from there by name.
    fn leave_out_prefix(&self, idx: usize, edits: &mut EditSet) {
        if self.cursor.is(idx + 1, "::") {
            let import = self.import_of_names(idx);
            let range = import.unwrap_or_else(|| self.cursor.bytes(idx, idx + 1));
            edits.add(Edit::delete(self.file, &range));
        }
    }

    /// The bytes of `use prefix::x;`, `use prefix::*;` or `use prefix::{..};`, and of the same with
    /// `self::` before the prefix.
    fn import_of_names(&self, idx: usize) -> Option<Range<usize>> {
        let cursor = &self.cursor;
        let mut keyword = idx.checked_sub(1)?;
        if keyword > 1 && cursor.are(keyword - 1, &["self", "::"]) {
            keyword -= 2;
        }
        if !cursor.is(keyword, "use") || !cursor.is(idx + 1, "::") {
            return None;
        }
        let semicolon = (idx + 2..cursor.len()).find(|&at| cursor.is(at, ";"))?;
        let is_names = semicolon == idx + 3 || cursor.is(idx + 2, "{");
        let start = keyword - usize::from(cursor.before(keyword, 1) == "pub");
        is_names.then(|| cursor.bytes(start, semicolon))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::build_tree;
    use std::sync::Arc;

    #[track_caller]
    fn check(before: &str, after: &str) {
        check_at(before, 0, 0, after);
    }

    /// Of a module that is not the first, or deeper.
    #[track_caller]
    fn check_at(before: &str, depth: u32, number: usize, after: &str) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(before));
        let tree = build_tree(&sources);
        let (_, found) = flattenings_at_level(&sources, &tree, depth).expect("there is a module");
        let result = found[number].apply(&sources);
        let print = |text: &str| reduce_syntax::pretty(text).expect("parses");
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
    fn modules_of_one_name_are_told_apart_by_what_they_stand_in() {
        check_at(
            "mod m { pub use n::A; pub use self::n::B; mod n { pub struct A; pub struct B; } } \
             mod n { use super::m::A; } fn f(_: m::n::A, _: p::n::A, _: n::X) {} \
             mod p { pub use n::A; pub mod n { pub struct A; } }",
            0,
            1,
            "mod m { pub use n::A; pub use self::n::B; mod n { pub struct A; pub struct B; } } \
             use m::A; fn f(_: m::n::A, _: p::n::A, _: X) {} \
             mod p { pub use n::A; pub mod n { pub struct A; } }",
        );
        check_at(
            "mod m { pub mod n { pub struct A; } pub use n::A; pub use self::n::B; } \
             fn f(_: m::n::A, _: p::n::A) {} mod p { pub use n::A; pub mod n { pub struct A; } }",
            2,
            0,
            "mod m { pub struct A; } \
             fn f(_: m::A, _: p::n::A) {} mod p { pub use n::A; pub mod n { pub struct A; } }",
        );
    }

    #[test]
    fn a_crate_without_inline_modules_has_nothing_to_flatten() {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from("mod m;"));
        let tree = build_tree(&sources);
        assert!(flattenings_at_level(&sources, &tree, 0).is_none());
    }
}
