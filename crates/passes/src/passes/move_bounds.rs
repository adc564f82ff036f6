//! `move_bounds`: removes an item that is nothing but a where clause, and moves its predicates to another item. The
//! compiler checks a predicate without parameters wherever it stands. Of an empty impl of a trait, the predicate is
//! that the type has it. What is nothing but a field becomes that of a struct that has none.

use super::generics::predicates;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use crate::visit::{self, At, Node};
use reduce_model::Position;
use reduce_syntax::{EditSet, Located};
use std::borrow::Cow;
use syn::{Fields, Generics, Ident, Item, ItemImpl, ItemStruct, WherePredicate};

pub(super) const PASS: Pass = Pass {
    name: "move_bounds",
    about: "Moves the where clause or the field of an item that is nothing else, or an empty impl, to another item",
    example: (
        "struct A where B<0>: C; struct B<const N: u8>;",
        "struct B<const N: u8> where B<0>: C;",
    ),
    keeps: Keeps::Nothing,
    work: &[Work::Rewrite(Rewriter(changes))],
};

/// The most items to which the pass tries to move predicates; with more, other passes have work to do first.
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
    let mut moved = Vec::new();
    for clause in &clauses {
        let others = hosts.iter().filter(|host| host.whole != clause.whole);
        for host in others.take(MAX_HOSTS) {
            moved.extend(host.with(program, clause));
            moved.extend(host.with_bounds(program, clause));
        }
    }
    moved.extend(moved_fields(program));
    simplest_first(program, moved)
}

/// Removes a struct with a single field that nothing mentions, and gives the field to a struct that has none.
fn moved_fields(program: &Program) -> Vec<EditSet> {
    let mut fields = Vec::new();
    let mut empty = Vec::new();
    visit::each(program, |at, node| {
        let Node::Item(Item::Struct(one)) = node else {
            return;
        };
        let is_alone = || program.mentions().of(at.position(&one.ident)).is_empty();
        match &one.fields {
            Fields::Unit => empty.push(end_of_head(at, &one.ident, &one.generics)),
            Fields::Unnamed(list)
                if list.unnamed.len() == 1 && one.generics.params.is_empty() && is_alone() =>
            {
                fields.push((at.place(one), at.text(list)));
            }
            _ => {}
        }
    });
    let pairs = fields.iter().take(MAX_HOSTS).flat_map(|field| {
        let hosts = empty.iter().take(MAX_HOSTS);
        hosts.map(move |host| (field, *host))
    });
    let moved = pairs.filter_map(|((whole, field), host)| {
        let mut change = program.change();
        change.remove(whole).insert(host, field).finish()
    });
    moved.collect()
}

/// An item that nothing mentions, and that consists of predicates alone.
struct Clause<'p> {
    whole: Place,
    predicates: Cow<'p, str>,
    /// The trait, if the item is an impl of one.
    bound: Option<&'p str>,
}

impl<'p> Clause<'p> {
    fn of(program: &'p Program, at: At<'p>, item: &'p Item) -> Option<Self> {
        if let Item::Impl(block) = item {
            return Self::of_impl(at, block, at.place(item));
        }
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
            predicates: at.text_at(&place).into(),
            bound: None,
        })
    }

    fn of_impl(at: At<'p>, block: &'p ItemImpl, whole: Place) -> Option<Self> {
        let (path, _) = block.trait_.as_ref()?;
        let generics = &block.generics;
        let is_plain = generics.params.is_empty() && generics.where_clause.is_none();
        let is_positive = block.modifiers.polarity.is_none();
        let bound = at.text(path);
        (block.items.is_empty() && is_plain && is_positive).then(|| Self {
            whole,
            predicates: format!("{}: {bound}", at.text(&block.self_ty)).into(),
            bound: Some(bound),
        })
    }
}

/// An item to which predicates may be moved.
struct Host {
    whole: Place,
    /// The position where the item's first predicate begins, if there is one.
    first: Option<Position>,
    /// The position where a where clause of the item would begin.
    end: Position,
    /// The ends of the item's predicates that demand nothing of a type, such as `S<T>:`.
    without_bounds: Vec<Position>,
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
            without_bounds: predicates(generics)
                .filter_map(|predicate| match predicate {
                    WherePredicate::Type(one) if one.bounds.is_empty() => Some(end_of(at, one)),
                    _ => None,
                })
                .collect(),
        })
    }

    /// Removes an impl, and adds its trait to a predicate of this item that has no bounds; one change for each such predicate.
    fn with_bounds(&self, program: &Program, clause: &Clause<'_>) -> Vec<EditSet> {
        let Some(bound) = clause.bound else {
            return Vec::new();
        };
        let with_bound = |&end: &Position| {
            let mut change = program.change();
            change.remove(&clause.whole);
            change.insert(end, &format!(" {bound}"));
            change.finish()
        };
        self.without_bounds.iter().filter_map(with_bound).collect()
    }

    /// Removes an item that is nothing but a where clause, and adds its predicates to this item.
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

fn end_of(at: At<'_>, syntax: &impl Located) -> Position {
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
    fn an_empty_impl_becomes_a_predicate_or_a_bound() {
        check(
            &PASS,
            "trait A<const N: u8> where [u8; N]: {} impl A<0> for u8 {}",
            &[
                "trait A<const N: u8> where [u8; N]: A<0> {}",
                "trait A<const N: u8> where u8: A<0>, [u8; N]: {}",
            ],
        );
        check_not_applicable(
            &PASS,
            "trait A {} impl<T> A for T {} impl !A for u8 {} struct B;",
        );
    }

    #[test]
    fn a_struct_without_fields_gets_that_of_another() {
        check(
            &PASS,
            "struct A<T = [u8; 1]>; struct B(A<u8>); struct C(A, A); struct D(u8); fn f(_: D) {}",
            &["struct A<T = [u8; 1]>(A<u8>); struct C(A, A); struct D(u8); fn f(_: D) {}"],
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
