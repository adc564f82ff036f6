//! Replaces a struct of one field by the type of that field, wherever the struct is mentioned, made, matched or read.

use super::super::data::{Data, Definition, Kind, PathRole, Read, Use};
use crate::pass::{Rewriter, Work};
use crate::program::{Change, Program, simplest_first};
use reduce_syntax::{EditSet, TokenCursor};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The most references through which a field is read: a closure that is asked about elements of an iterator is given two.
const DEEPEST: usize = 2;

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let of_one = |one| {
        let may_be_reference = reads(one).any(|read| read.is_of_variable(program));
        let deepest = if may_be_reference { DEEPEST } else { 0 };
        (0..=deepest).filter_map(move |depth| change(program, one, depth))
    };
    let all = data.definitions.iter().flat_map(of_one);
    simplest_first(program, all)
}

/// The reads of the field of a struct of one field.
fn reads<'d>(of: &'d Definition<'_>) -> impl Iterator<Item = &'d Read> {
    of.fields.iter().flat_map(|field| &field.reads)
}

/// Replaces the struct. A variable whose field is read is read through this number of references (`depth`): the syntax does not say how
/// many there are, as in a closure.
fn change(program: &Program, of: &Definition<'_>, depth: usize) -> Option<EditSet> {
    let [field] = of.fields.as_slice() else {
        return None;
    };
    let is_plain = matches!(of.kind, Kind::Struct) && of.parameters().next().is_none();
    let has_own_members = of.impls.iter().any(|one| one.is_inherent());
    if !is_plain || has_own_members || !of.strays.is_empty() {
        return None;
    }
    let ty = program.text(&field.ty);
    let mut change = program.change();
    of.remove(&mut change);
    for one in &of.uses {
        unwrap(program, one, ty, &mut change)?;
    }
    for read in reads(of) {
        match depth > 0 && read.is_of_variable(program) {
            true => read.dereference(program, depth, &mut change),
            false => read.unwrap(&mut change),
        }
    }
    name_the_type(of, ty, &mut change)?;
    change.finish()
}

/// Puts `e` in place of an expression or pattern `S(e)` of a struct with one field. What must become a trait object
/// is made one.
fn unwrap(program: &Program, one: &Use, ty: &str, change: &mut Change<'_>) -> Option<()> {
    let [part] = one.parts.as_slice() else {
        return None;
    };
    if one.rest.is_some() {
        return None;
    }
    let is_coerced = !one.is_pattern && has_object(ty);
    let context = program.expression_context(&one.whole);
    let is_loose = !one.is_pattern && context.needs_parentheses(program.text(&part.value));
    let (before, after) = match (is_coerced, is_loose) {
        (true, _) => ("(", format!(" as {ty})")),
        (false, true) => ("(", ")".to_owned()),
        (false, false) => ("", String::new()),
    };
    one.leave(part, (before, &after), change);
    Some(())
}

/// Returns whether there is a trait object in a type, with `dyn` or, as in editions before 2021, without.
fn has_object(ty: &str) -> bool {
    let cursor = TokenCursor::new(ty);
    let is_closure = |idx: usize| matches!(cursor.word(idx), "Fn" | "FnMut" | "FnOnce");
    let mut words = cursor.indices();
    words.any(|idx| cursor.is(idx, "dyn") || is_closure(idx) && cursor.is(idx + 1, "("))
}

/// Puts the type of the only field in place of the struct's name, wherever the struct is mentioned as a type.
fn name_the_type(of: &Definition<'_>, ty: &str, change: &mut Change<'_>) -> Option<()> {
    for (idx, segment) in of.segments.iter().enumerate() {
        let is_used = of.uses.iter().any(|one| one.segment == idx);
        if segment.name == "Self" || is_used {
            continue;
        }
        if segment.at.is_in(&of.whole) {
            return None;
        }
        match (segment.role, segment.is_last) {
            (PathRole::Type, true) => change.replace(&segment.prefix, ty),
            // An associated item that stands after the type can be named only with a trait.
            (PathRole::Value, false) => change.replace(&segment.prefix, &format!("<{ty}>")),
            _ => return None,
        };
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn values_and_patterns_are_what_was_in_them() {
        check(
            &WORK,
            "struct S { a: u8 } fn f(S { a }: S) -> S { let S { a: b } = S { a }; S { a: g(S { a: b }.a) } }",
            &["fn f(a: u8) -> u8 { let b = a; g(b) }"],
        );
    }

    #[test]
    fn a_field_is_read_through_references() {
        check(
            &WORK,
            "struct S(u8); fn f(x: &[S]) { g(x.iter().filter(|y| y.0 < 3)) }",
            &[
                "fn f(x: &[u8]) { g(x.iter().filter(|y| y < 3)) }",
                "fn f(x: &[u8]) { g(x.iter().filter(|y| *y < 3)) }",
                "fn f(x: &[u8]) { g(x.iter().filter(|y| **y < 3)) }",
            ],
        );
        check_has(
            &WORK,
            "struct S(u8); fn f(x: &S) { x.0.g() }",
            "fn f(x: &u8) { (*x).g() }",
        );
    }

    #[test]
    fn impls_of_traits_stay() {
        check(
            &WORK,
            "struct S(Vec<u8>); impl A for S { fn f(self) -> Self { Self(self.0) } }",
            &["impl A for Vec<u8> { fn f(self) -> Self { self } }"],
        );
    }

    #[test]
    fn a_value_is_coerced_where_the_field_did() {
        check(
            &WORK,
            "struct S(Box<dyn A>); fn f(x: u8) { S(Box::new(x)); }",
            &["fn f(x: u8) { (Box::new(x) as Box<dyn A>); }"],
        );
        check(
            &WORK,
            "struct S(Box<Fn(u8)>); fn f() { S(Box::new(|x| {})); }",
            &["fn f() { (Box::new(|x| {}) as Box<Fn(u8)>); }"],
        );
    }

    #[test]
    fn what_a_trait_makes_is_made_of_the_type() {
        check_has(
            &WORK,
            "#[derive(Default)] struct S(Vec<u8>); fn f() { let x = S::default(); g(x.0, S::from(y).0); }",
            "fn f() { let x = <Vec<u8>>::default(); g(x, <Vec<u8>>::from(y)); }",
        );
    }

    #[test]
    fn structs_with_other_uses_stay() {
        check_not_applicable(&WORK, "struct S(u8); impl S { fn f() {} }");
        check_not_applicable(&WORK, "struct S(u8); fn f() { g(S) }");
        check_not_applicable(&WORK, "struct S(Option<Box<S>>);");
        check_not_applicable(&WORK, "struct S<T>(T); struct U(u8, u8); struct V;");
    }

    #[test]
    fn a_struct_of_one_field_is_the_type_of_the_field() {
        check_has(
            &WORK,
            "struct S(u8); fn f(x: S) -> S { S(x.0) }",
            "fn f(x: u8) -> u8 { x }",
        );
    }
}
