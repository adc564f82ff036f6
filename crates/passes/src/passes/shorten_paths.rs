//! `shorten_paths`: makes imports and paths as short as they can be: an import that is mentioned once becomes a path,
//! a path that is mentioned several times an import; imports from the same place are merged; and a path loses what is
//! not needed to find its end.

mod imports;

use super::functions::name_place;
use super::paths::{Import, ImportKind, PathMention, imports, path_mentions};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use crate::visit::{self, Node};
use reduce_model::{Namespace, Position, Resolution, Role, is_in_prelude};
use reduce_syntax::EditSet;
use std::collections::{HashMap, HashSet};
use syn::{Item, UseTree};

pub(super) const PASS: Pass = Pass {
    name: "shorten_paths",
    about: "Turns imports into paths and paths into imports, whichever is shorter",
    example: ("use a::b::C; fn f(_: C) {}", "fn f(_: a::b::C) {}"),
    keeps: Keeps::Behaviour,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let paths = Paths::new(program);
    let imports = paths.imports.iter();
    let mut found: Vec<EditSet> = imports.flat_map(|one| paths.without(one)).collect();
    found.extend(imports::changes(&paths));
    found.extend(heads_of_imports(program));
    let mentions = paths.mentions.iter();
    found.extend(mentions.flat_map(|one| paths.shortened(one)));
    simplest_first(program, found)
}

/// The paths and imports of a program.
struct Paths<'p> {
    program: &'p Program,
    imports: Vec<Import>,
    mentions: Vec<PathMention<'p>>,
    /// The index of each path by the position where it begins.
    by_head: HashMap<Position, usize>,
    /// The position of each module's first item, by the position where the module's inside begins.
    first_items: HashMap<Position, Position>,
}

impl<'p> Paths<'p> {
    fn new(program: &'p Program) -> Self {
        let mentions = path_mentions(program);
        let head = |one: &PathMention<'p>| {
            one.segments
                .first()
                .map(|head| Position::new(one.file, head.at))
        };
        let heads = mentions.iter().enumerate();
        let by_head = heads.filter_map(|(idx, one)| Some((head(one)?, idx)));
        Self {
            program,
            imports: imports(program),
            by_head: by_head.collect(),
            mentions,
            first_items: first_items(program),
        }
    }

    /// Returns the change that makes an import simpler by itself: it loses `as x`, or paths replace a glob import.
    fn without(&self, import: &Import) -> Option<EditSet> {
        match &import.kind {
            _ if import.is_special => None,
            ImportKind::Name | ImportKind::Itself => None,
            ImportKind::Renamed(place) => self.renamed(import, place),
            ImportKind::Glob => self.glob_inlined(import),
        }
    }

    /// Gives an import its own name, and uses that name in all mentions.
    fn renamed(&self, import: &Import, renaming: &Place) -> Option<EditSet> {
        let mut change = self.program.change();
        change.delete(renaming);
        for &mention in self.program.mentions().of(import.name) {
            change.replace(&name_place(self.program, mention), import.path.last()?);
        }
        change.finish()
    }

    /// Puts paths in place of the names that a glob import brings from a module or enum of the
    /// crate.
    fn glob_inlined(&self, import: &Import) -> Option<EditSet> {
        let model = self.program.model();
        let Resolution::Certain(origin) = model.resolve_at(import.name) else {
            return None;
        };
        let members = model
            .definitions()
            .filter(|(_, one)| one.parent == Some(origin));
        let names: HashSet<&str> = members.filter_map(|(def, _)| model.name(def)).collect();
        let home = model.module_around(import.name);
        let is_meant = |at: Position| {
            let word = model.word_at(at)?;
            let is_here = at.is_in(&import.scope) && model.module_around(at) == home;
            let is_mention = model.defined_by(word).is_none() && !at.is_in(&import.item);
            let meaning = model.resolve(word);
            let mut parents = meaning.candidates().iter();
            let is_member = parents.any(|&def| model.definition(def).parent == Some(origin));
            (is_here && is_mention && is_member).then_some(at)
        };
        let mut change = self.program.change();
        change.remove(import.whole());
        for name in names {
            let words = self.program.mentions().spelled(name).iter();
            let words = words.filter(|word| word.role == Role::Plain);
            for at in words.filter_map(|word| is_meant(word.position())) {
                change.insert(at, &format!("{}::", import.text()));
            }
        }
        change.finish()
    }

    /// Shortens a path to its end: from the last segment on that is known where the path stands, or from the second
    /// on if the first says no more than where paths begin.
    fn shortened(&self, path: &PathMention<'_>) -> Vec<EditSet> {
        let head = path.segments.first().map_or("", |head| head.name);
        let n_modules = n_modules(path);
        let known = (1..=n_modules).rev().find(|&idx| self.is_known(path, idx));
        let after_head = match (path.is_external, head) {
            (true, _) => Some(0),
            (false, "crate" | "self") if path.segments.len() > 1 => Some(1),
            _ => None,
        };
        let mut starts: Vec<usize> = known.into_iter().chain(after_head).collect();
        starts.dedup();
        let from = |start: usize| {
            let start = path.segments.get(start)?.at;
            self.program
                .change()
                .delete(&Place::new(path.file, path.range.start..start))
                .finish()
        };
        starts.into_iter().filter_map(from).collect()
    }

    /// Whether a segment's name alone means the same where its path stands.
    fn is_known(&self, path: &PathMention<'_>, idx: usize) -> bool {
        let Some(segment) = path.segments.get(idx) else {
            return false;
        };
        let model = self.program.model();
        let at = Position::new(path.file, path.range.start);
        let meaning = model.resolve_at(Position::new(path.file, segment.at));
        let is_item = match meaning {
            Resolution::Certain(def) => {
                let kind = model.definition(def).kind;
                let mut namespaces = [Namespace::Type, Namespace::Value].into_iter();
                let namespace = namespaces.find(|one| kind.is_in(*one));
                namespace.is_some_and(|one| model.visible(segment.name, at, one) == meaning)
            }
            _ => false,
        };
        let is_import = |one: &Import| {
            at.is_in(&one.scope)
                && one.path.last().is_some_and(|name| name == segment.name)
                && matches!(one.kind, ImportKind::Name | ImportKind::Itself)
                && may_be_same(&meaning, &model.resolve_at(one.name))
        };
        let is_of_prelude = is_in_prelude(segment.name)
            && !matches!(segment.name, "Debug" | "Hash")
            && may_be_same(&meaning, &Resolution::Outside);
        is_of_prelude || is_item || self.imports.iter().any(is_import)
    }
}

/// Whether two names may mean the same.
fn may_be_same(one: &Resolution, other: &Resolution) -> bool {
    let is_sure = |one: &Resolution| matches!(one, Resolution::Certain(_) | Resolution::Outside);
    one == other || !is_sure(one) || !is_sure(other)
}

fn first_items(program: &Program) -> HashMap<Position, Position> {
    let of_files = program.files().filter_map(|file| {
        let first = file.syntax.items.first()?;
        Some((Position::new(file.id, 0), file.place(first).start()))
    });
    let of_modules = visit::collect(program, |at, node| match node {
        Node::Item(Item::Mod(module)) => {
            let (braces, items) = module.content.as_ref()?;
            let first = items.first()?;
            Some((at.inside(braces.span).start(), at.place(first).start()))
        }
        _ => None,
    });
    of_files.chain(of_modules).collect()
}

/// Removes `crate::`, `self::` or `::` from the beginnings of use declarations.
fn heads_of_imports(program: &Program) -> Vec<EditSet> {
    visit::collect(program, |at, node| {
        let Node::Item(Item::Use(item)) = node else {
            return Vec::new();
        };
        let head = match &item.tree {
            UseTree::Path(path) if path.ident == "crate" || path.ident == "self" => {
                Some(at.place(path).before(&at.place(&*path.tree)))
            }
            _ => None,
        };
        let colons = item.leading_colon.as_ref().map(|colons| at.place(colons));
        let heads = colons.into_iter().chain(head);
        heads
            .filter_map(|head| program.change().delete(&head).finish())
            .collect()
    })
}

/// Returns the number of segments of a path that are modules at most: those before the first type.
fn n_modules(path: &PathMention<'_>) -> usize {
    let is_module = |name: &str| name.starts_with(|c: char| c.is_lowercase() || c == '_');
    let first = path.segments.iter().position(|one| !is_module(one.name));
    first.unwrap_or(path.segments.len().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn an_import_that_is_mentioned_once_becomes_a_path() {
        check(
            &PASS,
            "use core::cell::Ref; impl T for Ref<u8> {}",
            &["impl T for core::cell::Ref<u8> {}"],
        );
        check_has(
            &PASS,
            "use a::{b, C}; fn f(_: C) {} fn g(_: b::D) {}",
            "use a::b; fn f(_: a::C) {} fn g(_: b::D) {}",
        );
    }

    #[test]
    fn an_import_in_a_block_is_inlined_there() {
        check_has(
            &PASS,
            "fn f() { use a::b; b(); } fn b() {}",
            "fn f() { a::b(); } fn b() {}",
        );
    }

    #[test]
    fn an_import_that_is_mentioned_often_stays() {
        check_not_applicable(&PASS, "use a::b::C; fn f(_: C, _: C, _: C) {}");
    }

    #[test]
    fn a_longer_import_may_be_shorter() {
        check_has(
            &PASS,
            "use core::ops; trait T where Self: ops::Add { fn f() -> <Self as ops::Add>::Output; }",
            "use core::ops::Add; trait T where Self: Add { fn f() -> <Self as Add>::Output; }",
        );
        check_has(
            &PASS,
            "use a::b; fn f(_: b::C, _: b::D, _: b::C, _: b::D) {}",
            "use a::b::{C, D}; fn f(_: C, _: D, _: C, _: D) {}",
        );
    }

    #[test]
    fn paths_become_an_import() {
        check_has(
            &PASS,
            "#![no_std] fn f(_: core::cell::Cell<core::cell::Cell<u8>>) {}",
            "#![no_std] use core::cell::Cell; fn f(_: Cell<Cell<u8>>) {}",
        );
        check_has(
            &PASS,
            "use a::b::C; mod m { fn f(_: a::b::D, _: a::b::D, _: a::b::D) {} } fn f(_: C) {}",
            "use a::b::C; mod m { use a::b::D; fn f(_: D, _: D, _: D) {} } fn f(_: C) {}",
        );
        check_has(
            &PASS,
            "use a::b::{C, E}; fn f(_: C, _: E, _: C, _: E) { a::b::D::new() }",
            "use a::b::{C, E, D}; fn f(_: C, _: E, _: C, _: E) { D::new() }",
        );
    }

    #[test]
    fn variants_become_an_import() {
        check_has(
            &PASS,
            "enum E { A } fn f() { E::A; E::A; E::A }",
            "use E::A; enum E { A } fn f() { A; A; A }",
        );
    }

    #[test]
    fn imports_are_merged() {
        check_has(
            &PASS,
            "use a::B; use c::D; use a::e::F; fn f(_: B, _: F, _: B, _: F, _: B, _: F) {}",
            "use a::{B, e::F}; use c::D; fn f(_: B, _: F, _: B, _: F, _: B, _: F) {}",
        );
        check_has(
            &PASS,
            "use a::b; use a::b::C as D; use a::b::*;",
            "use a::b::{self, C as D, *};",
        );
    }

    #[test]
    fn what_is_renamed_gets_its_own_name() {
        check_has(
            &PASS,
            "use a::B as C; fn f(_: C, _: C, _: C) {}",
            "use a::B; fn f(_: B, _: B, _: B) {}",
        );
        check(&PASS, "use a::B as _;", &["use a::B;"]);
    }

    #[test]
    fn a_glob_import_becomes_paths() {
        check(
            &PASS,
            "use m::*; mod m { pub struct S; } fn f(_: S) {}",
            &["mod m { pub struct S; } fn f(_: m::S) {}"],
        );
    }

    #[test]
    fn paths_lose_what_says_nothing() {
        check(
            &PASS,
            "fn f(_: core::option::Option<u8>) {}",
            &["fn f(_: Option<u8>) {}"],
        );
        check(
            &PASS,
            "mod m { struct S; fn f(_: crate::m::S) {} }",
            &[
                "mod m { struct S; fn f(_: S) {} }",
                "mod m { struct S; fn f(_: m::S) {} }",
            ],
        );
        check(&PASS, "fn f(_: ::core::A) {}", &["fn f(_: core::A) {}"]);
        check(&PASS, "use crate::m::{A, B};", &["use m::{A, B};"]);
        check(&PASS, "pub use self::m;", &["pub use m;"]);
    }

    #[test]
    fn members_of_types_and_attributes_stay() {
        check_not_applicable(
            &PASS,
            "#[a::b::c] fn f<T: I>(_: T::A, _: T::A, _: T::A) { a.b::<u8>() }",
        );
        check_not_applicable(&PASS, "pub use a::B; fn f(_: B) {}");
    }
}
