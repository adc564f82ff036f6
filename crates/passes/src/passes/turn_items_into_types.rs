//! `turn_items_into_types`: replaces an item that nothing mentions, or an empty impl of a trait, by an alias or an
//! empty impl with a type of the item. What the compiler does to a type because of a parameter, a field or a static,
//! it mostly does to it there too.

use super::expressions::types::has_word;
use super::functions::types_of;
use super::generics::{position_of, type_name, types_among};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use crate::visit::{self, At, Node};
use reduce_syntax::EditSet;
use syn::{Generics, Ident, Item, Type};

pub(super) const PASS: Pass = Pass {
    name: "turn_items_into_types",
    about: "Makes an alias or an empty impl of a type in an item that nothing mentions",
    example: ("fn f(x: fn(u8)) { g() }", "type F = fn(u8);"),
    keeps: Keeps::Nothing,
    work: &[Work::Rewrite(Rewriter(changes))],
};

/// The most items that the pass changes in one program; with more, other passes have work to do first.
const MAX_ITEMS: usize = 8;

/// The most types of one item that are tried.
const MAX_TYPES: usize = 3;

fn changes(program: &Program) -> Vec<EditSet> {
    let mut items = Vec::new();
    visit::each(program, |at, node| {
        let one = match node {
            Node::Item(item) => WithTypes::of(at, item),
            _ => None,
        };
        let is_alone = |one: &WithTypes<'_>| {
            let name = one.name.map(|name| at.position(name));
            name.is_none_or(|name| program.mentions().of(name).is_empty())
        };
        items.extend(one.filter(is_alone));
    });
    let items = items.iter().take(MAX_ITEMS);
    simplest_first(program, items.flat_map(|one| one.changes(program)))
}

/// An item with the types in it: those of a signature, a static, fields, or the arguments of an implemented trait.
struct WithTypes<'p> {
    at: At<'p>,
    whole: Place,
    /// The name of the item; an impl has no name.
    name: Option<&'p Ident>,
    generics: Option<&'p Generics>,
    types: Vec<&'p Type>,
}

impl<'p> WithTypes<'p> {
    fn of(at: At<'p>, item: &'p Item) -> Option<Self> {
        let (name, generics, types) = match item {
            Item::Fn(one) => (
                Some(&one.sig.ident),
                Some(&one.sig.generics),
                types_of(&one.sig),
            ),
            Item::Static(one) => (Some(&one.ident), None, vec![&*one.ty]),
            Item::Const(one) => (Some(&one.ident), None, vec![&*one.ty]),
            Item::Struct(one) => {
                let types = one.fields.iter().map(|field| &field.ty);
                (Some(&one.ident), Some(&one.generics), types.collect())
            }
            Item::Impl(one) if one.items.is_empty() => {
                let (path, _) = one.trait_.as_ref()?;
                let arguments = path.segments.iter().flat_map(types_among);
                (None, Some(&one.generics), arguments.collect())
            }
            _ => return None,
        };
        Some(Self {
            at,
            whole: at.place(item),
            name,
            generics: generics.filter(|generics| !generics.params.is_empty()),
            types,
        })
    }

    fn changes(&self, program: &Program) -> Vec<EditSet> {
        let is_written = |ty: &&&Type| {
            let text = self.at.text(**ty);
            !["impl", "_", "Self"]
                .iter()
                .any(|word| has_word(text, word))
        };
        let types = self.types.iter().filter(is_written).take(MAX_TYPES);
        let texts = types.flat_map(|ty| {
            let alias = self.alias(program, ty).into_iter();
            alias.chain(self.implementations(program, ty))
        });
        texts
            .filter_map(|text| program.replaced([&self.whole], &text))
            .collect()
    }

    /// Returns an alias of a type that mentions no generic parameter, such as `type F = fn(u8);`, named after the item.
    fn alias(&self, program: &Program, ty: &Type) -> Option<String> {
        let own = self.name?;
        let name = alias_name(own);
        let is_free = *own == name || program.mentions().spelled(&name).is_empty();
        let text = self.at.text(ty);
        (is_free && !self.is_generic(program, ty)).then(|| format!("type {name} = {text};"))
    }

    /// Returns the empty impls `impl<T> S<T> where T: A {}` of a type of the program; first without parameters that
    /// the type does not mention.
    fn implementations(&self, program: &Program, ty: &Type) -> Vec<String> {
        let name = type_name(ty).map(|name| self.at.position(name));
        let Some(definition) = name.and_then(|name| program.mentions().definition(name)) else {
            return Vec::new();
        };
        let text = self.at.text(ty);
        let is_plain = !self.is_generic(program, ty);
        let plain = is_plain.then(|| format!("impl {text} {{}}"));
        let generic = self.generics.and_then(|generics| {
            let clause = generics.where_clause.as_ref();
            let clause = clause.map_or("", |clause| self.at.text(clause));
            let is_parameter = |one| position_of(self.at.file, one) == definition;
            let is_own = !generics.params.iter().any(is_parameter);
            // Parameters that the type does not mention count only in an impl, for their defaults.
            let is_needed = !is_plain || self.name.is_none();
            (is_own && is_needed)
                .then(|| format!("impl{} {text} {clause} {{}}", self.at.text(generics)))
        });
        plain.into_iter().chain(generic).collect()
    }

    /// Whether a type mentions a parameter of the item.
    fn is_generic(&self, program: &Program, ty: &Type) -> bool {
        let place = self.at.place(ty);
        let parameters = self
            .generics
            .into_iter()
            .flat_map(|generics| &generics.params);
        let mut names = parameters.map(|one| position_of(self.at.file, one));
        names.any(|name| {
            let mentions = program.mentions().of(name);
            mentions.iter().any(|mention| mention.is_in(&place))
        })
    }
}

/// Returns the name of an alias as types are called: `Foo` of `foo`.
fn alias_name(name: &Ident) -> String {
    let name = name.to_string();
    let mut letters = name.trim_start_matches("r#").chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn an_empty_impl_of_a_trait_becomes_one_of_a_type_in_its_arguments() {
        check(
            &PASS,
            "struct S<const N: u8>; impl<const M: u8> PartialEq<S<M>> for u8 {}",
            &["struct S<const N: u8>; impl<const M: u8> S<M> {}"],
        );
        check(
            &PASS,
            "struct S; impl<const M: u8 = { 1 }> PartialEq<S> for u8 {}",
            &[
                "struct S; impl S {}",
                "struct S; impl<const M: u8 = { 1 }> S {}",
            ],
        );
        check_not_applicable(
            &PASS,
            "struct S; impl T<u8> for S {} impl A<S> for u8 { type B = u8; }",
        );
    }

    #[test]
    fn a_function_becomes_an_alias_of_a_type_of_it() {
        check(
            &PASS,
            "fn foo(a: fn(u8), b: u8) -> [u8; 0] { g() }",
            &[
                "type Foo = fn(u8);",
                "type Foo = u8;",
                "type Foo = [u8; 0];",
            ],
        );
        check(
            &PASS,
            "static A: [u8; 1] = [0]; const B: u8 = 2; struct C(u8, u16);",
            &[
                "type A = [u8; 1]; const B: u8 = 2; struct C(u8, u16);",
                "static A: [u8; 1] = [0]; type B = u8; struct C(u8, u16);",
                "static A: [u8; 1] = [0]; const B: u8 = 2; type C = u8;",
                "static A: [u8; 1] = [0]; const B: u8 = 2; type C = u16;",
            ],
        );
    }

    #[test]
    fn own_types_get_an_empty_impl() {
        check(
            &PASS,
            "struct S<T>(S<T>); fn f(x: S<u8>) { g() }",
            &[
                "struct S<T>(S<T>); type F = S<u8>;",
                "struct S<T>(S<T>); impl S<u8> {}",
            ],
        );
    }

    #[test]
    fn parameters_go_along_with_a_type_that_mentions_them() {
        check(
            &PASS,
            "struct S<T>(S<T>); fn f<T, U>(x: S<T>, y: T, z: [u8; 2]) where T: A { g() }",
            &[
                "struct S<T>(S<T>); impl<T, U> S<T> where T: A {}",
                "struct S<T>(S<T>); type F = [u8; 2];",
            ],
        );
    }

    #[test]
    fn what_is_mentioned_or_has_no_type_that_is_written_stays() {
        check_not_applicable(&PASS, "fn f(x: u8) { f(x) }");
        check_not_applicable(&PASS, "fn f(x: impl A, y: [_; 2]) {}");
        check_not_applicable(&PASS, "fn f() {} struct S; enum E { A(u8) }");
    }
}
