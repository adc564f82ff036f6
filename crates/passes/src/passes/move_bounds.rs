//! `move_bounds`: an item that is nothing but a where clause goes, and its predicates are asked of another item. The compiler
//! checks a predicate without parameters wherever it stands.

use super::generics::predicates;
use super::{Keeps, Pass, Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use crate::visit::{self, At, Node};
use reduce_model::Position;
use reduce_syntax::EditSet;
use syn::spanned::Spanned;
use syn::{Fields, Generics, Ident, Item, ItemStruct};

pub(super) const PASS: Pass = Pass {
    name: "move_bounds",
    about: "Moves the where clause of an item that is nothing else to another item",
    example: (
        "struct A where B<0>: C; struct B<const N: u8>;",
        "struct B<const N: u8> where B<0>: C;",
    ),
    keeps: Keeps::Nothing,
    work: Work::Rewrite(Rewriter(changes)),
};

/// A program with more items that could have the predicates has other passes before it.
const MAX_HOSTS: usize = 8;

fn changes(program: &Program) -> Vec<EditSet> {
    let mut clauses = Vec::new();
    let mut hosts = Vec::new();
    visit::each(program, |at, node| {
        if let Node::Item(item) = node {
            clauses.extend(Clause::of(program, at, item));
            hosts.extend(Host::of(at, item));
        }
    });
    let moved = clauses.iter().flat_map(|clause| {
        let others = hosts.iter().filter(|host| host.whole != clause.whole);
        let others = others.take(MAX_HOSTS);
        others.filter_map(|host| host.with(program, clause))
    });
    simplest_first(program, moved)
}

/// An item that nothing mentions, and that has only predicates.
struct Clause<'p> {
    whole: Place,
    predicates: &'p str,
}

impl<'p> Clause<'p> {
    fn of(program: &'p Program, at: At<'p>, item: &'p Item) -> Option<Self> {
        let Item::Struct(ItemStruct {
            ident,
            generics,
            fields,
            ..
        }) = item
        else {
            return None;
        };
        let is_alone = program.mentions().of(at.position(ident)).is_empty();
        let is_only = generics.params.is_empty() && fields.is_empty();
        let all = &generics.where_clause.as_ref()?.predicates;
        let place = at.between(all.first()?, all.last()?);
        (is_alone && is_only).then(|| Self {
            whole: at.place(item),
            predicates: at.text_at(&place),
        })
    }
}

/// An item that may have a where clause.
struct Host {
    whole: Place,
    /// Where the first predicate begins, if there is one.
    first: Option<Position>,
    /// Where a where clause would begin.
    end: Position,
}

impl Host {
    fn of(at: At<'_>, item: &Item) -> Option<Self> {
        let (generics, end) = match item {
            Item::Struct(one) => (
                &one.generics,
                match &one.fields {
                    Fields::Unnamed(fields) => at.place(fields).end(),
                    _ => end_of_head(at, &one.ident, &one.generics),
                },
            ),
            Item::Enum(one) => (&one.generics, end_of_head(at, &one.ident, &one.generics)),
            Item::Impl(one) => (&one.generics, at.place(&one.self_ty).end()),
            Item::Fn(one) => (&one.sig.generics, at.place(&one.sig).end()),
            Item::Trait(one) => (
                &one.generics,
                match one.supertraits.last() {
                    Some(last) => end_of(at, last),
                    None => end_of_head(at, &one.ident, &one.generics),
                },
            ),
            _ => return None,
        };
        let first = predicates(generics).next();
        let is_possible = generics.where_clause.is_none() || first.is_some();
        is_possible.then(|| Self {
            whole: at.place(item),
            first: first.map(|first| at.place(first).start()),
            end,
        })
    }

    /// The program in which it has the predicates of another item that is gone.
    fn with(&self, program: &Program, clause: &Clause<'_>) -> Option<EditSet> {
        let mut change = program.change();
        change.remove(&clause.whole);
        match self.first {
            Some(first) => change.insert(first, &format!("{}, ", clause.predicates)),
            None => change.insert(self.end, &format!(" where {} ", clause.predicates)),
        };
        change.finish()
    }
}

fn end_of_head(at: At<'_>, name: &Ident, generics: &Generics) -> Position {
    match generics.params.is_empty() {
        true => end_of(at, name),
        false => end_of(at, generics),
    }
}

fn end_of(at: At<'_>, syntax: &impl Spanned) -> Position {
    at.place(syntax).end()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn each_other_item_may_have_the_predicates() {
        check(
            &PASS,
            "struct A where B<0>: C, u8: D; struct B<T>(T); impl<T> B<T> where T: E { fn f() {} } trait F: G {}",
            &[
                "struct B<T>(T) where B<0>: C, u8: D; impl<T> B<T> where T: E { fn f() {} } trait F: G {}",
                "struct B<T>(T); impl<T> B<T> where B<0>: C, u8: D, T: E { fn f() {} } trait F: G {}",
                "struct B<T>(T); impl<T> B<T> where T: E { fn f() {} } trait F: G where B<0>: C, u8: D {}",
            ],
        );
        check(
            &PASS,
            "struct A where [u8; 0]:; fn f() -> u8 { 1 } enum E<T> { X(T) } struct S<T> { a: T } trait T {}",
            &[
                "fn f() -> u8 where [u8; 0]: { 1 } enum E<T> { X(T) } struct S<T> { a: T } trait T {}",
                "fn f() -> u8 { 1 } enum E<T> where [u8; 0]: { X(T) } struct S<T> { a: T } trait T {}",
                "fn f() -> u8 { 1 } enum E<T> { X(T) } struct S<T> where [u8; 0]: { a: T } trait T {}",
                "fn f() -> u8 { 1 } enum E<T> { X(T) } struct S<T> { a: T } trait T where [u8; 0]: {}",
            ],
        );
    }

    #[test]
    fn what_is_mentioned_or_has_more_than_a_clause_stays() {
        check_not_applicable(&PASS, "struct A where u8: B; fn f(_: A) {}");
        check_not_applicable(&PASS, "struct A<T> where T: B; fn f() {}");
        check_not_applicable(&PASS, "struct A(u8) where u8: B; fn f() {}");
        check_not_applicable(&PASS, "struct A where u8: B;");
    }
}
