//! Replaces `Self` in an impl by the impl's type, or the type by `Self`, whichever is simpler.

use super::super::generics::{Implementation, Implementations};
use crate::pass::{Rewriter, Work};
use crate::program::{Place, Program, SyntaxFile, simplest_first};
use reduce_syntax::EditSet;
use syn::visit::{self, Visit};
use syn::{Ident, Path, Type};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

const SELF: &str = "Self";

fn changes(program: &Program) -> Vec<EditSet> {
    let implementations = Implementations::new(program);
    let of_one = |one: &Implementation<'_>| {
        let mentions = Mentions::of(*one);
        [
            program.replaced(&mentions.of_self, mentions.ty),
            program.replaced(&mentions.of_type, SELF),
        ]
    };
    let all = implementations.all.iter().flat_map(of_one);
    simplest_first(program, all.flatten())
}

/// The mentions of `Self` and of the type in an impl where both mean the same.
struct Mentions<'p> {
    file: SyntaxFile<'p>,
    ty: &'p str,
    /// The name of the impl's type, if the type is nothing but a name.
    name: Option<&'p Ident>,
    of_self: Vec<Place>,
    of_type: Vec<Place>,
}

impl<'p> Mentions<'p> {
    fn of(one: Implementation<'p>) -> Self {
        let Implementation { file, block } = one;
        let mut mentions = Self {
            file,
            ty: one.self_ty(),
            name: super::super::generics::plain_name(&block.self_ty),
            of_self: Vec::new(),
            of_type: Vec::new(),
        };
        if let Some((path, _)) = &block.trait_ {
            mentions.visit_path(path);
        }
        for item in &block.items {
            mentions.visit_impl_item(item);
        }
        mentions
    }
}

impl<'p> Visit<'p> for Mentions<'p> {
    fn visit_attribute(&mut self, _attribute: &'p syn::Attribute) {}

    /// Skips an item inside of a function, which does not know `Self`.
    fn visit_item(&mut self, _item: &'p syn::Item) {}

    fn visit_type(&mut self, ty: &'p Type) {
        let place = self.file.place(ty);
        if self.name.is_none() && self.file.text(ty) == self.ty {
            self.of_type.push(place);
        }
        visit::visit_type(self, ty);
    }

    fn visit_path(&mut self, path: &'p Path) {
        if let Some(first) = path
            .segments
            .first()
            .filter(|_| path.leading_colon.is_none())
        {
            let place = self.file.place_of(first.ident.span());
            if first.ident == SELF {
                self.of_self.push(place);
            } else if first.arguments.is_none() && Some(&first.ident) == self.name {
                self.of_type.push(place);
            }
        }
        visit::visit_path(self, path);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn a_short_name_comes_in_place_of_self() {
        check(
            &WORK,
            "impl A<Self> for S { fn f(x: Self) -> S { match x { Self { .. } => Self::new() } } }",
            &["impl A<S> for S { fn f(x: S) -> S { match x { S { .. } => S::new() } } }"],
        );
    }

    #[test]
    fn self_comes_in_place_of_a_long_name() {
        check(
            &WORK,
            "impl Longer { fn f(x: Longer) -> Option<Longer> { Longer { a: 0 } } } fn f(x: Longer) {}",
            &["impl Longer { fn f(x: Self) -> Option<Self> { Self { a: 0 } } } fn f(x: Longer) {}"],
        );
    }

    #[test]
    fn items_inside_of_functions_stay() {
        check_not_applicable(&WORK, "impl Longer { fn f() { fn g(x: Longer) {} } }");
    }

    #[test]
    fn self_stays_for_a_type_of_the_same_length() {
        check_not_applicable(&WORK, "impl Tbcd { fn f(x: Self) {} } impl A for S {}");
        check_not_applicable(&WORK, "impl S<u8> { fn f(x: Self, y: S<u16>) {} }");
    }

    #[test]
    fn the_type_of_an_impl_is_self() {
        check_has(
            &WORK,
            "impl S<u8> { fn f(self) -> S<u8> { self } }",
            "impl S<u8> { fn f(self) -> Self { self } }",
        );
    }
}
