//! `delete_fields`: a field of a struct, union or variant goes, together with the values and patterns
//! that stand for it and, in another alternative, with what reads it.

use super::data::{Data, Definition, Shape};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Change, Program};
use reduce_syntax::{EditSet, TokenKind, single_token};

pub(super) const PASS: Pass = Pass {
    name: "delete_fields",
    about: "Deletes fields, with the values and patterns that stand for them",
    example: (
        "struct S { a: u8, b: u8 } fn f(x: u8) { S { a: x, b: x }; }",
        "struct S { a: u8 } fn f(x: u8) { S { a: x }; }",
    ),
    keeps: Keeps::Types,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let of_one = |of| deletions(program, of);
    data.definitions.iter().flat_map(of_one).collect()
}

/// Returns changes that each delete one field of a type. A read of the field that is known becomes the value that the
/// field begins with, or an endless loop; where none is known, the compiler decides.
fn deletions(program: &Program, of: &Definition<'_>) -> Vec<EditSet> {
    let alternatives = |idx: usize| match of.fields[idx].reads.is_empty() {
        true => vec![None],
        false => {
            let initial = initial_value(program, of, idx);
            initial.into_iter().chain(["loop {}"]).map(Some).collect()
        }
    };
    let change = |idx| {
        let all = alternatives(idx).into_iter();
        all.filter_map(move |text| deletion(program, of, idx, text))
    };
    (0..of.fields.len()).flat_map(change).collect()
}

fn deletion(
    program: &Program,
    of: &Definition<'_>,
    idx: usize,
    instead: Option<&str>,
) -> Option<EditSet> {
    let field = &of.fields[idx];
    let mut change = program.change();
    change.remove(&field.whole);
    for (_, part) in of.parts(idx) {
        change.remove(&part.whole);
    }
    if let Some(text) = instead {
        let reads = field.reads.iter();
        reads.for_each(|read| read.become_text(text, &mut change));
    }
    renumber(of, idx, &mut change);
    change.finish()
}

/// Lowers by one the numbers by which a tuple's fields after a deleted one are read.
fn renumber(of: &Definition<'_>, gone: usize, change: &mut Change<'_>) {
    if !matches!(of.shape, Shape::Tuple(_)) {
        return;
    }
    for (idx, field) in of.fields.iter().enumerate().skip(gone + 1) {
        for read in &field.reads {
            change.replace(&read.member, &(idx - 1).to_string());
        }
    }
}

/// Returns the text that initialises a field, if it is always the same literal.
fn initial_value<'p>(program: &'p Program, of: &Definition<'_>, idx: usize) -> Option<&'p str> {
    let values = of.parts(idx).filter(|(one, _)| !one.is_pattern);
    let mut texts = values.map(|(_, part)| program.text(&part.value));
    let first = texts.next().filter(|text| is_literal(text))?;
    texts.all(|text| text == first).then_some(first)
}

/// Whether a text is a number, a boolean, a character or a string.
fn is_literal(text: &str) -> bool {
    let is_word = matches!(text, "()" | "true" | "false");
    is_word
        || matches!(
            single_token(text),
            Some(TokenKind::Integer | TokenKind::Float | TokenKind::Char | TokenKind::Str)
        )
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn what_reads_a_field_is_known_by_its_type() {
        check_has(
            &PASS,
            "struct S { a: u8 } struct T { a: u8 } fn f(s: &S, t: &T) { s.a; t.a; }",
            "struct S {} struct T { a: u8 } fn f(s: &S, t: &T) { loop {}; t.a; }",
        );
    }

    #[test]
    fn a_field_goes_with_its_values_and_patterns() {
        check(
            &PASS,
            "struct S<'a> { a: &'a u8, b: u8 } fn f(S { a, b: c, .. }: S, a: &u8) -> S { S { a, b: 1 } }",
            &[
                "struct S<'a> { b: u8 } fn f(S { b: c, .. }: S, a: &u8) -> S { S { b: 1 } }",
                "struct S<'a> { a: &'a u8 } fn f(S { a, .. }: S, a: &u8) -> S { S { a } }",
            ],
        );
    }

    #[test]
    fn a_field_of_a_tuple_goes_by_its_position() {
        check(
            &PASS,
            "struct S(u8, bool); fn f(S(_, y): S, S(.., z): S) { S(1, true); S::<>(2, false); }",
            &[
                "struct S(bool); fn f(S(y): S, S(.., z): S) { S(true); S::<>(false); }",
                "struct S(u8); fn f(S(_): S, S(..): S) { S(1); S::<>(2); }",
            ],
        );
    }

    #[test]
    fn later_fields_of_a_tuple_get_other_numbers() {
        check_has(
            &PASS,
            "struct S(u8, u8); fn f(s: S) -> u8 { s.1 }",
            "struct S(u8); fn f(s: S) -> u8 { s.0 }",
        );
        check_has(
            &PASS,
            "struct S(u8, u8); fn f(s: S, t: (u8, u8)) -> u8 { s.1 }",
            "struct S(u8); fn f(s: S, t: (u8, u8)) -> u8 { s.0 }",
        );
    }

    #[test]
    fn a_number_is_read_of_the_struct_that_the_value_has() {
        check_has(
            &PASS,
            "struct S<'a>((), &'a T); struct T(u8, u8); fn f(s: S<'_>) { s.1.1; g!(s.1); }",
            "struct S<'a>(&'a T); struct T(u8, u8); fn f(s: S<'_>) { s.0.1; g!(s.0); }",
        );
        check_has(
            &PASS,
            "struct S<'a>((), &'a T); struct T(u8, u8); fn f(s: S<'_>) { (s.1).1; }",
            "struct S<'a>((), &'a T); struct T(u8); fn f(s: S<'_>) { (s.1).0; }",
        );
    }

    #[test]
    fn a_field_of_a_variant_goes_with_its_values_and_patterns() {
        check(
            &PASS,
            "enum E { V(u8), W } impl E { fn f(&self) { match self { Self::V(x) => {} E::W => {} } E::V(1); } }",
            &[
                "enum E { V(), W } impl E { fn f(&self) { match self { Self::V() => {} E::W => {} } E::V(); } }",
            ],
        );
    }

    #[test]
    fn what_reads_a_field_becomes_its_only_value() {
        check(
            &PASS,
            "struct S { a: u8 } fn f() -> u8 { let s = S { a: 1 }; s.a }",
            &[
                "struct S {} fn f() -> u8 { let s = S {}; 1 }",
                "struct S {} fn f() -> u8 { let s = S {}; loop {} }",
            ],
        );
    }

    #[test]
    fn what_assigns_to_a_field_goes() {
        check(
            &PASS,
            "struct S { a: u8 } fn f(s: S) { s.a = 1; s.a += 2; s.a.g(); let x = s.a; }",
            &["struct S {} fn f(s: S) { loop {}.g(); let x = loop {}; }"],
        );
    }

    #[test]
    fn fields_of_two_structs_with_one_name_are_told_apart_by_their_paths() {
        check_has(
            &PASS,
            "struct S { a: u8 } struct T { a: u8 } fn f() { S { a: 1 }; T { a: 2 }; }",
            "struct S {} struct T { a: u8 } fn f() { S {}; T { a: 2 }; }",
        );
    }

    #[test]
    fn values_in_macro_calls_go_too() {
        check(
            &PASS,
            "struct S { a: u8 } fn f() { vec![S { a: 1 }]; }",
            &["struct S {} fn f() { vec![S {}]; }"],
        );
    }

    #[test]
    fn types_without_fields_stay() {
        check_not_applicable(&PASS, "struct S; enum E { V } fn f(x: (u8, u8)) { x.0; }");
    }
}
