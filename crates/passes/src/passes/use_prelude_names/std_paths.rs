//! Replaces what is imported from std, or named by a path into it, by names of the prelude: `Vec` for a type,
//! `Vec::new` for a function of one, and `Send` for a trait. Where a crash needs some type of std, it seldom needs
//! the one.

use super::super::paths::{Import, ImportKind, PathMention, imports, path_mentions};
use crate::pass::{Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use reduce_syntax::EditSet;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The most imports, and the most paths, that the pass replaces in one program; with more, other passes have work to do first.
const MAX_SITES: usize = 8;

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    let all = imports(program);
    let from_std = all.iter().filter(|import| is_simple(import));
    for import in from_std.take(MAX_SITES) {
        found.extend(Stand::ALL.map(|stand| without(program, import, stand)));
    }
    let paths = path_mentions(program);
    let into_std = paths.iter().filter_map(|path| head(program, path));
    for named in into_std.take(MAX_SITES) {
        found.extend(Stand::ALL.map(|stand| program.replaced([&named.place], named.text(stand)?)));
    }
    simplest_first(program, found.into_iter().flatten())
}

/// The sort of name of the prelude that replaces a name of std: a type or a trait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    Type,
    Trait,
}

impl Stand {
    const ALL: [Self; 2] = [Self::Type, Self::Trait];
}

/// A name of std in the program, alone or in a path into std.
struct Named {
    /// The place of the name of std, with the path before it, and with the function after it if one follows.
    place: Place,
    is_function: bool,
    /// Whether the name of std is certainly one of a type.
    is_of_type: bool,
}

impl Named {
    /// Reads a name of std that begins at a byte, with the function that follows.
    fn of(program: &Program, name: Place) -> Self {
        let rest = &program.sources().text(name.file)[name.range.end..];
        let next = rest.trim_start();
        let is_of_type = next.starts_with("::") || next.starts_with('<');
        let member = next.strip_prefix("::").map_or("", str::trim_start);
        let is_end = |one: char| !one.is_alphanumeric() && one != '_';
        let is_function = member.starts_with(|first: char| first.is_ascii_lowercase());
        let end = match is_function {
            true => rest.len() - member.len() + member.find(is_end).unwrap_or(member.len()),
            false => 0,
        };
        let range = name.range.start..name.range.end + end;
        Self {
            place: Place::new(name.file, range),
            is_function,
            is_of_type,
        }
    }

    fn text(&self, stand: Stand) -> Option<&'static str> {
        match stand {
            Stand::Type if self.is_function => Some("Vec::new"),
            Stand::Type => Some("Vec"),
            Stand::Trait if self.is_of_type => None,
            Stand::Trait => Some("Send"),
        }
    }
}

/// Whether an import is a plain one of a single name of std, such as `use std::fmt::Debug;`.
fn is_simple(import: &Import) -> bool {
    let is_of_std = import.path.first().is_some_and(|root| is_std(root));
    is_of_std && !import.is_special && import.kind == ImportKind::Name
}

fn is_std(root: &str) -> bool {
    ["std", "core", "alloc"].contains(&root)
}

/// Whether a name is one of a type or trait.
fn is_type(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

/// Removes an import, and puts something else in place of each word of its name.
fn without(program: &Program, import: &Import, stand: Stand) -> Option<EditSet> {
    let imported = import.path.last().filter(|one| is_type(one))?;
    let mut change = program.change();
    change.remove(import.whole());
    for word in program.mentions().spelled(imported) {
        let place = Place::new(word.file, word.at..word.at + imported.len());
        if !place.is_within(&import.item) {
            let named = Named::of(program, place);
            change.replace(&named.place, named.text(stand)?);
        }
    }
    change.finish()
}

/// Returns the part of a path into std up to a type or trait, or to a function of it.
fn head(program: &Program, path: &PathMention<'_>) -> Option<Named> {
    path.segments.first().filter(|root| is_std(root.name))?;
    let name = path.segments.iter().find(|segment| is_type(segment.name))?;
    let place = Place::new(path.file, name.at..name.at + name.name.len());
    let named = Named::of(program, place);
    let range = path.range.start..named.place.range.end;
    Some(Named {
        place: Place::new(path.file, range),
        ..named
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn names_of_the_prelude_take_the_place_of_imports() {
        check(
            &WORK,
            "use std::sync::{Arc, mpsc}; fn f(x: Arc<u8>) { Arc::clone(&x); }",
            &["use std::sync::{mpsc}; fn f(x: Vec<u8>) { Vec::new(&x); }"],
        );
        check(
            &WORK,
            "use std::mem::MaybeUninit; const C = MaybeUninit::uninit;",
            &["const C = Vec::new;"],
        );
    }

    #[test]
    fn they_take_the_place_of_paths() {
        check(
            &WORK,
            "static C: A = std::sync::OnceLock::new; fn f(x: &dyn ::core::any::Any) {}",
            &[
                "static C: A = Vec::new; fn f(x: &dyn ::core::any::Any) {}",
                "static C: A = std::sync::OnceLock::new; fn f(x: &dyn Vec) {}",
                "static C: A = std::sync::OnceLock::new; fn f(x: &dyn Send) {}",
            ],
        );
    }

    #[test]
    fn functions_modules_and_own_names_stay() {
        check_not_applicable(
            &WORK,
            "use std::mem::take; use a::B; use std::io::Read as R; fn f() { take(&mut g); std::mem::drop(B); }",
        );
    }

    #[test]
    fn a_prelude_name_stands_for_an_import_from_std() {
        check_has(
            &WORK,
            "use std::cell::Cell; static S: fn(u8) -> A = Cell::new;",
            "static S: fn(u8) -> A = Vec::new;",
        );
    }
}
