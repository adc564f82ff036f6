//! Writes trait objects with `dyn`: `Box<Trait>`, `&(Trait + Send)` and `impl Trait { .. }` become `Box<dyn Trait>`, and so on.
//!
//! A path in the place of a type is taken for a trait by the crate's definitions and imports, and by the
//! other places of the name: what bounds something is a trait.

mod known;
mod names;
mod words;

use crate::rewriting::{Rewriting, rewrite, rewrite_tokens};
use camino::Utf8PathBuf;
use names::TraitNames;
use reduce_model::Model;
use reduce_syntax::{Located, Parsed, SourceTree, byte_range};
use std::sync::Arc;
use syn::visit::{self, Visit};
use syn::{GenericArgument, Macro, Path, PathArguments, Type};

/// Puts `dyn` before the trait objects of a text. Where syn does not understand all of a text, only what is plain from its tokens
/// gets one, as in the arguments and bodies of macros.
pub(crate) fn with_dyn(text: &str) -> String {
    let text = Arc::from(with_dyn_for_closures(text));
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), text);
    let model = Model::new(&sources);
    let parsed = model.parsed().get(&sources.root());
    rewrite(sources.text(sources.root()), |rewriting| {
        let names = TraitNames::new(&model, &rewriting.cursor);
        let understood = parsed.filter(|parsed| parsed.islands().is_empty());
        match understood.and_then(Parsed::file) {
            Some(file) => Visitor { names, rewriting }.visit_file(file),
            None => words::add_dyn(rewriting, rewriting.cursor.indices(), &names),
        }
    })
}

/// Puts `dyn` before closure traits such as `Fn(u8)` where a type is needed: syn reads them as bounds only.
pub(crate) fn with_dyn_for_closures(text: &str) -> String {
    rewrite_tokens(text, words::add_dyn_to_closure)
}

struct Visitor<'r, 't, 'm> {
    names: TraitNames<'m>,
    rewriting: &'r mut Rewriting<'t>,
}

impl Visitor<'_, '_, '_> {
    fn add_dyn(&mut self, before: &impl Located) {
        let start = byte_range(before).start;
        self.rewriting.insert_at(start, "dyn ");
    }

    fn is_trait(&self, path: &Path) -> bool {
        path.segments.last().is_some_and(|last| {
            are_of_a_trait(&last.arguments) || self.names.is_trait(byte_range(&last.ident).start)
        })
    }
}

impl<'ast> Visit<'ast> for Visitor<'_, '_, '_> {
    fn visit_type(&mut self, ty: &'ast Type) {
        match ty {
            Type::Path(path) if path.qself.is_none() && self.is_trait(&path.path) => {
                self.add_dyn(&path.path);
            }
            Type::TraitObject(object) if object.dyn_token.is_none() => {
                if let Some(first) = object.bounds.first() {
                    self.add_dyn(first);
                }
            }
            _ => {}
        }
        visit::visit_type(self, ty);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        let span = mac.delimiter.span();
        let (open, close) = (span.open().byte_range(), span.close().byte_range());
        let cursor = &self.rewriting.cursor;
        let inner = cursor.at_byte(open.end)..cursor.at_byte(close.start);
        words::add_dyn(self.rewriting, inner, &self.names);
        visit::visit_macro(self, mac);
    }
}

/// Returns whether only a trait can have generic arguments of this form: `Fn(u8)`, `Iterator<Item = u8>`.
fn are_of_a_trait(arguments: &PathArguments) -> bool {
    match arguments {
        PathArguments::None => false,
        PathArguments::Parenthesized(_) => true,
        PathArguments::AngleBracketed(list) => list.args.iter().any(|one| {
            matches!(
                one,
                GenericArgument::AssocType(_) | GenericArgument::Constraint(_)
            )
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str) {
        assert_eq!(with_dyn(before), after);
    }

    #[track_caller]
    fn check_kept(text: &str) {
        check(text, text);
    }

    #[test]
    fn traits_of_the_crate_in_the_place_of_types_are_objects() {
        check(
            "trait T {} fn f(a: Box<T>, b: &T, c: &'a mut T) -> *const T {}",
            "trait T {} fn f(a: Box<dyn T>, b: &dyn T, c: &'a mut dyn T) -> *const dyn T {}",
        );
        check(
            "trait T {} impl T {} impl U for T {}",
            "trait T {} impl dyn T {} impl U for dyn T {}",
        );
        check(
            "mod m { pub trait T {} } type A = Vec<Box<m::T>>;",
            "mod m { pub trait T {} } type A = Vec<Box<dyn m::T>>;",
        );
        check(
            "mod m { pub trait T {} } use m::T as U; static A: &'static U = &1;",
            "mod m { pub trait T {} } use m::T as U; static A: &'static dyn U = &1;",
        );
        check(
            "mod m { pub trait T {} } use m::*; fn f(_: &T) {}",
            "mod m { pub trait T {} } use m::*; fn f(_: &dyn T) {}",
        );
    }

    #[test]
    fn nested_objects_and_expressions() {
        check(
            "trait T {} fn f(_: Box<Fn(&T) -> Box<T>>) { <T>::g(x as &T) }",
            "trait T {} fn f(_: Box<dyn Fn(&dyn T) -> Box<dyn T>>) { <dyn T>::g(x as &dyn T) }",
        );
    }

    #[test]
    fn what_has_bounds_of_its_own_or_arguments_of_a_trait_is_an_object() {
        check(
            "type A = Box<a::B + Send>; type C = &'a (D + 'a);",
            "type A = Box<dyn a::B + Send>; type C = &'a (dyn D + 'a);",
        );
        check(
            "type A = Box<for<'a> X<&'a u8>>;",
            "type A = Box<dyn for<'a> X<&'a u8>>;",
        );
        check(
            "type A = Box<X<Item = u8>>; type B = Box<::y::Fn(u8)>;",
            "type A = Box<dyn X<Item = u8>>; type B = Box<dyn ::y::Fn(u8)>;",
        );
    }

    #[test]
    fn well_known_traits_are_objects_where_they_are_imported() {
        check(
            "use std::error::Error; type A = Box<Error>;",
            "use std::error::Error; type A = Box<dyn Error>;",
        );
        check(
            "use std::{fmt, io::{self, Read}}; type A = (Box<Read>, Box<fmt::Write>, Box<io::Write>);",
            "use std::{fmt, io::{self, Read}}; type A = (Box<dyn Read>, Box<dyn fmt::Write>, Box<dyn io::Write>);",
        );
        check(
            "type A = (Box<::std::error::Error>, Box<ToString>);",
            "type A = (Box<dyn ::std::error::Error>, Box<dyn ToString>);",
        );
        check(
            "use std::io::prelude::*; type A = Box<Read>;",
            "use std::io::prelude::*; type A = Box<dyn Read>;",
        );
    }

    #[test]
    fn types_with_the_names_of_traits_stay() {
        check_kept(
            "use std::io::Error; type A = Result<(), Error>; type B = (fmt::Error, io::Error);",
        );
        check_kept(
            "struct Error; type A = Box<Error>; mod m { use super::Error; type A = Box<Error>; }",
        );
        check_kept(
            "mod error { pub struct Error; } use error::Error; type A = Box<error::Error>; type B = Box<Error>;",
        );
        check_kept(
            "fn f<Read>(x: Box<Read>) {} trait T { type Error; fn f() -> Result<(), Self::Error>; }",
        );
        check_kept("trait A { type T; } trait T {} fn f<B: A>(_: &B::T, _: <B as A>::T) {}");
    }

    #[test]
    fn a_type_in_a_function_hides_a_trait() {
        check_kept("use a::T; impl T for u8 {} fn f() { struct T; let x: &T; }");
    }

    #[test]
    fn each_module_has_its_own_names() {
        check(
            "mod a { use std::error::Error; type A = Box<Error>; } mod b { use std::io::Error; type A = Box<Error>; }",
            "mod a { use std::error::Error; type A = Box<dyn Error>; } mod b { use std::io::Error; type A = Box<Error>; }",
        );
    }

    #[test]
    fn a_name_that_bounds_something_is_a_trait() {
        check(
            "use a::T; fn f<A: T>(_: A, _: &T) {}",
            "use a::T; fn f<A: T>(_: A, _: &dyn T) {}",
        );
        check(
            "use a::T; impl T for u8 {} type A = Box<T>;",
            "use a::T; impl T for u8 {} type A = Box<dyn T>;",
        );
        check(
            "use a; impl a::T for u8 {} type A = Box<a::T>;",
            "use a; impl a::T for u8 {} type A = Box<dyn a::T>;",
        );
    }

    #[test]
    fn bounds_and_names_of_traits_stay() {
        check_kept(
            "trait T {} impl T for u8 {} fn f<A: T>(_: A, _: &impl T, _: Box<dyn T>) { T::f(); <u8 as T>::g() }",
        );
    }

    #[test]
    fn in_macros_pointers_to_traits_are_objects() {
        check(
            "trait T {} macro_rules! m { ($x:ty) => { fn f(_: &T, _: Box<T + Send>, _: &'a mut T, _: &T::A, _: $T) {} } }",
            "trait T {} macro_rules! m { ($x:ty) => { fn f(_: &dyn T, _: Box<dyn T + Send>, _: &'a mut dyn T, _: &T::A, _: $T) {} } }",
        );
        check(
            "m! { a(err: Box<::std::error::Error>) b(Box<Fn(u8)>) }",
            "m! { a(err: Box<dyn ::std::error::Error>) b(Box<dyn Fn(u8)>) }",
        );
        check_kept("m! { Box<A>, &B, Box<dyn Fn()>, Vec<Fn> }");
    }

    #[test]
    fn text_that_does_not_parse_has_objects_where_they_are_plain() {
        check(
            "fn fn trait T {} &T, Box<T>, &U",
            "fn fn trait T {} &dyn T, Box<dyn T>, &U",
        );
    }
}
