//! Converts paths that begin at the crate's root in 2015: `use a::b;`, `pub(in a::b)` and `::a::b` become `crate::a::b`.

mod root_names;

use crate::global_paths::begins_global_path;
use crate::macro_definitions::is_in_definition;
use crate::rewriting::{Rewriting, rewrite};
use reduce_syntax::TokenCursor;
use root_names::RootNames;

/// Puts `crate` before the paths that begin at the crate's root.
pub(crate) fn from_crate(text: &str) -> String {
    rewrite(text, |rewriting| {
        let names = RootNames::new(&rewriting.cursor);
        for idx in rewriting.cursor.indices() {
            let cursor = &rewriting.cursor;
            let begins_tree = match cursor.word(idx) {
                "use" => is_import(cursor, idx),
                "in" => is_visibility(cursor, idx),
                "::" if begins_path(cursor, idx) => {
                    names.lead_global(rewriting, idx);
                    false
                }
                _ => false,
            };
            if begins_tree {
                names.lead_imports(rewriting, idx + 1);
            }
        }
    })
}

/// Returns whether a `use` is an import, and not the `use` of `impl T + use<'a>`.
fn is_import(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    !matches!(cursor.word(idx + 1), "<" | "|" | "||")
}

fn is_visibility(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    cursor.before(idx, 1) == "(" && cursor.before(idx, 2) == "pub"
}

/// Returns whether a `::` begins a path of the form `::name` outside of an import.
fn begins_path(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    cursor.is_name(idx + 1) && cursor.before(idx, 1) != "use" && begins_global_path(cursor, idx)
}

impl RootNames<'_> {
    /// Puts `crate` before the paths of an import, or before a single path, that begins at a token.
    fn lead_imports(&self, rewriting: &mut Rewriting<'_>, idx: usize) {
        let mut trees = vec![idx];
        while let Some(at) = trees.pop() {
            match rewriting.cursor.word(at) {
                "::" if matches!(rewriting.cursor.word(at + 1), "{" | "*") => {
                    rewriting.replace(at, "");
                    trees.push(at + 1);
                }
                "::" => self.lead_global(rewriting, at),
                "{" => trees.extend(trees_in(&rewriting.cursor, at)),
                "*" => rewriting.insert(at, "crate::"),
                _ if rewriting.cursor.is_name(at) => self.lead_name(rewriting, at),
                _ => {}
            }
        }
    }

    fn lead_name(&self, rewriting: &mut Rewriting<'_>, idx: usize) {
        let name = rewriting.cursor.word(idx);
        if self.begins(&rewriting.cursor, idx) {
            rewriting.insert(idx, "crate::");
        } else if self.is_ambiguous(name) {
            rewriting.insert(idx, "::");
        }
    }

    fn lead_global(&self, rewriting: &mut Rewriting<'_>, idx: usize) {
        if self.begins(&rewriting.cursor, idx + 1) {
            rewriting.insert(idx, "crate");
        }
    }

    /// Returns whether the first name of a path is defined at the crate's root. In a macro it may be one of the crate that calls
    /// it.
    fn begins(&self, cursor: &TokenCursor<'_>, idx: usize) -> bool {
        let name = cursor.word(idx);
        let is_none = matches!(name, "" | "self" | "super" | "crate" | "Self" | "$");
        let is_free = || !is_in_definition(cursor, idx) && !root_names::is_standard(name);
        !is_none && (self.contains(name) || is_free())
    }
}

/// Finds the first tokens of the parts between the braces of an import: `b` and `c` in `use a::{b, c::d};`.
fn trees_in(cursor: &TokenCursor<'_>, opening: usize) -> Vec<usize> {
    let end = cursor.partner(opening).unwrap_or(opening);
    let parts = cursor.split_by_commas(opening + 1..end.max(opening + 1));
    parts.into_iter().map(|part| part.start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_syntax::spaced;

    #[track_caller]
    fn check(before: &str, after: &str) {
        assert_eq!(spaced(&from_crate(before)), spaced(after));
    }

    #[track_caller]
    fn check_kept(text: &str) {
        check(text, text);
    }

    #[test]
    fn imports_begin_at_the_crate() {
        check("use a;", "use crate::a;");
        check(
            "pub(crate) use a::b as c;",
            "pub(crate) use crate::a::b as c;",
        );
        check("use a::{b, c::*};", "use crate::a::{b, c::*};");
        check(
            "use {a::b, c, self::d, {e}};",
            "use {crate::a::b, crate::c, self::d, {crate::e}};",
        );
        check("use *;", "use crate::*;");
        check("fn f() { use a::b; }", "fn f() { use crate::a::b; }");
        check(
            "extern crate a as b; use b::c;",
            "extern crate a as b; use crate::b::c;",
        );
    }

    #[test]
    fn global_imports_begin_at_the_crate() {
        check("use ::a;", "use crate::a;");
        check("use ::{a, b::c};", "use {crate::a, crate::b::c};");
        check("use {::a, ::std::b};", "use {crate::a, ::std::b};");
        check("use ::*;", "use crate::*;");
    }

    #[test]
    fn imports_with_a_keyword_or_of_the_standard_library_stay() {
        check_kept("use self::a; use super::{b, c}; use crate::d; use {};");
        check_kept("use std::a; use core::{b, c}; use ::std::d; use {std::e}; use alloc::f;");
        check_kept("extern crate std; extern crate core; use std::a;");
        check_kept("fn f() -> impl T + use<'a> {}");
    }

    #[test]
    fn own_items_that_are_named_as_the_standard_library_come_first() {
        check("mod std {} use std::a;", "mod std {} use crate::std::a;");
        check(
            "use core as std; use std::a;",
            "use core as std; use crate::std::a;",
        );
        check(
            "extern crate core as std; use std::a;",
            "extern crate core as std; use crate::std::a;",
        );
        check(
            "extern crate alloc; use alloc::a;",
            "extern crate alloc; use crate::alloc::a;",
        );
        check(
            "mod a { mod core {} use core::b; }",
            "mod a { mod core {} use ::core::b; }",
        );
    }

    #[test]
    fn visibilities_begin_at_the_crate() {
        check("pub(in a::b) fn f() {}", "pub(in crate::a::b) fn f() {}");
        check("pub(in ::a) fn f() {}", "pub(in crate::a) fn f() {}");
        check_kept("pub(in self) fn f() {} pub(in super::a) fn g() {} pub(crate) fn h() {}");
    }

    #[test]
    fn global_paths_begin_at_the_crate() {
        check(
            "fn f(x: ::A, y: &::b::C) -> ::D { ::e(x as ::F) }",
            "fn f(x: crate::A, y: &crate::b::C) -> crate::D { crate::e(x as crate::F) }",
        );
        check(
            "impl<T: A<B>> ::C for ::D<::E> {}",
            "impl<T: A<B>> crate::C for crate::D<crate::E> {}",
        );
        check(
            "x: for<'a> ::C, y: <::D as ::E>::F",
            "x: for<'a> crate::C, y: <crate::D as crate::E>::F",
        );
        check(
            "struct A(pub ::B, pub(crate) ::C);",
            "struct A(pub crate::B, pub(crate) crate::C);",
        );
        check(
            "fn f() { {} ::a(); #[b] ::c!(); return ::d }",
            "fn f() { {} crate::a(); #[b] crate::c!(); return crate::d }",
        );
        check("::a!();", "crate::a!();");
    }

    #[test]
    fn paths_that_go_on_and_those_of_the_standard_library_stay() {
        check_kept("x: ::std::A, y: a::B, z: Vec::<u8>::new(), w: <T>::f(), v: A<B<C>>::f()");
        check_kept("fn f() { self::a(); Self::B; [::core::c(); 2]; x < y::Z }");
    }

    #[test]
    fn in_macros_only_known_names_are_of_the_crate() {
        check(
            "mod a {} macro_rules! m { () => { use a::b; ::a::c() } }",
            "mod a {} macro_rules! m { () => { use crate::a::b; crate::a::c() } }",
        );
        check_kept(
            "macro_rules! m { ($($x:tt)::*) => { use b::c; ::b::d(); use $crate::e; $x::f; ::$x; $(::$x)* } }",
        );
    }
}
