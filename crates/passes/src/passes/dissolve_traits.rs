//! `dissolve_traits`: a trait with one impl, which nothing else mentions, goes, and what is in the impl
//! stays: as members of the type, or as functions of nobody.

use super::functions::{Functions, keywords};
use super::generics::last_name;
use super::{Keeps, Pass, Rewriter, Work};
use crate::program::{Change, Program, SyntaxFile};
use crate::visit::{self, Home, Node};
use reduce_syntax::EditSet;
use syn::{ImplItem, Item, ItemImpl, ItemTrait, Path};

pub(super) const PASS: Pass = Pass {
    name: "dissolve_traits",
    about: "Makes functions or members of a type of the only impl of a trait",
    example: (
        "trait T { fn f(); } impl T for u8 { fn f() { g(); } }",
        "fn f() { g(); }",
    ),
    keeps: Keeps::Behaviour,
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let (mut traits, mut impls) = (Vec::new(), Vec::new());
    visit::each(program, |at, node| match node {
        Node::Item(Item::Trait(one)) => traits.push((at.file, one)),
        Node::Item(Item::Impl(block)) if block.unsafety.is_none() && block.attrs.is_empty() => {
            let of_trait = block.trait_.iter();
            impls.extend(of_trait.map(|(path, _)| (at.file, path, block)));
        }
        _ => {}
    });
    let functions = Functions::of(program);
    let mut found = Vec::new();
    for declared in traits {
        // Its definition, and the head of the impl.
        let is_alone = program
            .mentions()
            .spelled(&declared.1.ident.to_string())
            .len()
            == 2;
        let mentions = program
            .mentions()
            .of(declared.0.position(&declared.1.ident));
        let is_only = |(file, path, _): &&(SyntaxFile<'_>, &Path, _)| {
            last_name(path).is_some_and(|name| mentions == [file.position(name)])
        };
        if let Some(&(file, path, block)) = impls.iter().find(is_only).filter(|_| is_alone) {
            let dissolving = Dissolving {
                program,
                functions: &functions,
                declared,
                file,
                path,
                block,
            };
            found.extend(dissolving.as_functions());
            found.extend(dissolving.as_members());
        }
    }
    found
}

/// A trait, and its only impl.
struct Dissolving<'f, 'p> {
    program: &'p Program,
    functions: &'f Functions<'p>,
    declared: (SyntaxFile<'p>, &'p ItemTrait),
    file: SyntaxFile<'p>,
    path: &'p Path,
    block: &'p ItemImpl,
}

impl<'p> Dissolving<'_, 'p> {
    fn without_trait(&self) -> Change<'p> {
        let mut change = self.program.change();
        change.remove(&self.declared.0.place(self.declared.1));
        change
    }

    /// `impl S` of `impl T for S`.
    fn as_members(&self) -> Option<EditSet> {
        let ty = self.file.place(&self.block.self_ty);
        let named = self.file.between(self.path, &self.block.self_ty);
        self.without_trait().delete(&named.before(&ty)).finish()
    }

    /// The functions by themselves, if they know nothing of the type.
    fn as_functions(&self) -> Option<EditSet> {
        let items = &self.block.items;
        let is_free = |item: &ImplItem| {
            let is_function = matches!(item, ImplItem::Fn(one) if one.sig.receiver().is_none());
            is_function && keywords(self.program, &self.file.place(item), "Self").is_empty()
        };
        if !self.block.generics.params.is_empty() || !items.iter().all(is_free) {
            return None;
        }
        let own = self.file.between(items.first()?, items.last()?);
        let whole = self.file.place(self.block);
        let mut change = self.without_trait();
        change
            .delete(&whole.before(&own))
            .delete(&whole.after(&own));
        self.calls(&mut change);
        change.finish()
    }

    /// `f(..)` of `S::f(..)`.
    fn calls(&self, change: &mut Change<'_>) {
        for family in &self.functions.families {
            let home = family.first().at.home;
            if matches!(home, Home::Trait(one) if std::ptr::eq(one, self.declared.1)) {
                for call in &family.calls {
                    change.replace(&call.head(), call.at.text(call.name));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn functions_that_know_nothing_of_the_type_stand_alone() {
        check(
            &PASS,
            "trait T { fn f(a: u8); } impl T for S { fn f(a: u8) { h(a); } } fn g() { S::f(1); }",
            &[
                "fn f(a: u8) { h(a); } fn g() { f(1); }",
                "impl S { fn f(a: u8) { h(a); } } fn g() { S::f(1); }",
            ],
        );
    }

    #[test]
    fn methods_become_those_of_the_type() {
        check(
            &PASS,
            "trait T { type A; fn f(&self); } impl<X> T for S<X> { type A = u8; fn f(&self) {} }",
            &["impl<X> S<X> { type A = u8; fn f(&self) {} }"],
        );
    }

    #[test]
    fn traits_that_are_mentioned_or_have_several_impls_stay() {
        check_not_applicable(
            &PASS,
            "trait A { fn f(); } impl A for u8 { fn f() {} } fn g<X: A>() {} \
             trait B {} impl B for u8 {} impl B for u16 {} impl Clone for S {}",
        );
    }
}
