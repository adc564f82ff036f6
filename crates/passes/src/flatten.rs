//! Dissolves modules into their parents: the contents of `mod m { .. }` take its place, `super::x` in it and `m::x` elsewhere
//! become `x`, and imports go that would import what is there already.
//!
//! Before: `mod m { use super::T; impl T for u8 {} pub fn f() {} } use m::f; trait T {}`.
//! After: `impl T for u8 {} pub fn f() {} trait T {}`.
//!
//! What may be a name of the module is taken for one; the oracle decides whether it still crashes.

use crate::program::{Place, Program};
use reduce_model::{DefId, DefKind, Definition, Model, Position, Resolution};
use reduce_syntax::{Category, Edit, EditSet, FileId, Node, TokenCursor};
use std::ops::Range;

/// Finds the next level, from `depth` on, that has inline modules, and returns its depth, and for each module the edits that
/// dissolve it. `None` below the last level.
#[must_use]
pub fn flattenings_at_level(program: &Program, depth: u32) -> Option<(u32, Vec<EditSet>)> {
    let nodes = &program.tree().nodes;
    let is_module = |node: &Node| node.category == Category::Module && node.depth >= depth;
    let modules = (0..nodes.len()).filter(|&idx| is_module(&nodes[idx]));
    let level = modules.clone().map(|idx| nodes[idx].depth).min()?;
    let of_level = modules.filter(|&idx| nodes[idx].depth == level);
    let edits = of_level.filter_map(|idx| flattening(program, idx));
    Some((level, edits.collect()))
}

fn flattening(program: &Program, idx: usize) -> Option<EditSet> {
    let (model, nodes) = (program.model(), &program.tree().nodes);
    let module = &nodes[idx];
    let contents = nodes.get(idx + 1)?;
    if contents.category != Category::ModuleContents {
        return None;
    }
    let whole = Place::new(module.file, module.range.clone());
    let mut named = model
        .definitions()
        .filter_map(|(def, one)| Some((def, one, model.name(def)?)));
    let is_it = |one: &Definition| one.kind == DefKind::Module && one.whole == whole;
    let (def, _, name) = named.find(|(_, one, _)| is_it(one))?;
    let mut edits = EditSet::new();
    for range in [
        module.range.start..contents.range.start,
        contents.range.end..module.range.end,
    ] {
        edits.add(Edit::delete(module.file, &range));
    }
    let inner = nodes[idx + 2..module.end].iter();
    let inner = inner.filter(|node| node.category == Category::Module);
    let inner: Vec<&Range<usize>> = inner.map(|node| &node.range).collect();
    let is_top = module.file == program.sources().root() && is_in_root(model, def);
    for (file, _, text) in program.sources().files() {
        let cursor = TokenCursor::new(text);
        let tokens = FileTokens { file, cursor };
        let cursor = &tokens.cursor;
        let is_inside = |at: usize| file == module.file && contents.range.contains(&at);
        let is_direct = |at: usize| is_inside(at) && !inner.iter().any(|range| range.contains(&at));
        for idx in cursor.indices() {
            let start = cursor.range(idx).start;
            let leads_out = cursor.is(idx, "super") && is_direct(start);
            let at_top = is_top && cursor.is(idx, "crate") && is_direct(start);
            let is_meant = cursor.is(idx, name) && may_mean(model, Position::new(file, start), def);
            if leads_out && let Some(visibility) = tokens.visibility_in(idx) {
                // An import from the parent needs no visibility there: the parent sees what stands
                // in it.
                edits.add(Edit::delete(file, &visibility));
            } else if leads_out || is_meant {
                tokens.leave_out_prefix(idx, &mut edits);
            } else if at_top && let Some(import) = tokens.import_of_names(idx) {
                edits.add(Edit::delete(file, &import));
            }
        }
    }
    Some(edits)
}

/// Whether a module is at the crate root, in no other module.
fn is_in_root(model: &Model, module: DefId) -> bool {
    let parent = |def: &DefId| model.definition(*def).parent;
    let mut around = std::iter::successors(parent(&module), parent);
    let root = around.find(|def| model.definition(*def).kind == DefKind::Module);
    root.is_some_and(|root| parent(&root).is_none())
}

/// Whether the name at a position may mean this definition.
fn may_mean(model: &Model, at: Position, def: DefId) -> bool {
    match model.resolve_at(at) {
        Resolution::Certain(meant) => meant == def,
        Resolution::Maybe(all) => all.contains(&def),
        Resolution::Outside => false,
        Resolution::Unknown => true,
    }
}

/// A file and its tokens.
struct FileTokens<'a> {
    file: FileId,
    cursor: TokenCursor<'a>,
}

impl FileTokens<'_> {
    /// Removes the `prefix::` whose name is at a token, or the whole import of names from that module.
    fn leave_out_prefix(&self, idx: usize, edits: &mut EditSet) {
        if self.cursor.is(idx + 1, "::") {
            let import = self.import_of_names(idx);
            let range = import.unwrap_or_else(|| self.cursor.bytes(idx, idx + 1));
            edits.add(Edit::delete(self.file, &range));
        }
    }

    /// Returns the bytes of the `pub(super)` or `pub(in super)` around a `super`.
    fn visibility_in(&self, idx: usize) -> Option<Range<usize>> {
        let cursor = &self.cursor;
        let open = idx.checked_sub(1 + usize::from(cursor.before(idx, 1) == "in"))?;
        let is_visibility = cursor.is(open, "(") && cursor.before(open, 1) == "pub";
        (is_visibility && cursor.is(idx + 1, ")")).then(|| cursor.bytes(open - 1, idx + 1))
    }

    /// Returns the bytes of an import from the module whose name is at a token: `use prefix::x;`, `use prefix::*;`, `use
    /// prefix::{..};`, or one of these with `self::`.
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
    use reduce_syntax::SourceTree;
    use std::sync::Arc;

    #[track_caller]
    fn check(before: &str, after: &str) {
        check_at(before, 0, 0, after);
    }

    /// Checks the flattening of a module that is not the first, or deeper.
    #[track_caller]
    fn check_at(before: &str, depth: u32, number: usize, after: &str) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(before));
        let program = Program::new(&sources);
        let (_, found) = flattenings_at_level(&program, depth).expect("there is a module");
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
    fn what_the_parent_sees_is_private_in_it() {
        check(
            "mod m { pub(super) fn f() {} pub(in super) struct S(pub(super) u8); mod n { pub(super) fn g() {} } }",
            "fn f() {} struct S(u8); mod n { pub(super) fn g() {} }",
        );
        check_at(
            "mod p { mod m { pub(in super::super) fn f() {} } }",
            2,
            0,
            "mod p { pub(in super) fn f() {} }",
        );
    }

    #[test]
    fn modules_of_other_crates_stay() {
        check(
            "mod sync { pub struct S; } use std::sync::Arc; fn f(_: sync::S, _: Arc<u8>) {}",
            "pub struct S; use std::sync::Arc; fn f(_: S, _: Arc<u8>) {}",
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
        assert!(flattenings_at_level(&Program::new(&sources), 0).is_none());
    }
}
