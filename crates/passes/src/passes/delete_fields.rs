//! `delete_fields`: a field of a struct, union or variant goes, together with the values and patterns
//! that stand for it and, in another alternative, with what reads it.

use super::data::{Data, Definition, Field, Kind, Part, Read, Shape};
use super::{Pass, Rewriter, Work};
use crate::program::{Change, Program};
use reduce_syntax::EditSet;

pub(super) const PASS: Pass = Pass {
    name: "delete_fields",
    about: "Deletes fields, with the values and patterns that stand for them",
    example: (
        "struct S { a: u8, b: u8 } fn f(x: u8) { S { a: x, b: x }; }",
        "struct S { a: u8 } fn f(x: u8) { S { a: x }; }",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let mut found = Vec::new();
    for definition in 0..data.definitions.len() {
        let n = data.definitions[definition].fields.len();
        for idx in 0..n {
            let deletion = Deletion::new(program, &data, definition, idx);
            found.extend(deletion.iter().flat_map(Deletion::changes));
        }
    }
    found
}

/// A field that is to go.
struct Deletion<'d> {
    program: &'d Program,
    data: &'d Data,
    definition: usize,
    one: &'d Definition,
    idx: usize,
    field: &'d Field,
}

/// What becomes of the expressions that read the field.
#[derive(Clone, Copy)]
enum Reads<'t> {
    /// They stay, and the compiler decides.
    Stay,
    Become(&'t str),
}

impl<'d> Deletion<'d> {
    fn new(program: &'d Program, data: &'d Data, definition: usize, idx: usize) -> Option<Self> {
        let one = data.definitions.get(definition)?;
        Some(Self {
            program,
            data,
            definition,
            one,
            idx,
            field: one.fields.get(idx)?,
        })
    }

    fn changes(&self) -> Vec<EditSet> {
        let is_read = self.reads(self.idx).next().is_some();
        if !is_read {
            return self.change(Reads::Stay).into_iter().collect();
        }
        let initial = self.initial_value();
        let alternatives = initial.into_iter().chain(["loop {}"]);
        let changes = alternatives.filter_map(|text| self.change(Reads::Become(text)));
        changes.collect()
    }

    fn change(&self, reads: Reads<'_>) -> Option<EditSet> {
        let mut change = self.program.change();
        change.remove(&self.field.whole);
        for (_, part) in self.parts() {
            change.remove(&part.whole);
        }
        if let Reads::Become(text) = reads {
            for read in self.reads(self.idx) {
                read.become_text(text, &mut change);
            }
        }
        self.renumber(&mut change);
        change.finish()
    }

    /// The fields of a tuple that come after are one less each.
    fn renumber(&self, change: &mut Change<'_>) {
        if !matches!(self.one.shape, Shape::Tuple(_)) || matches!(self.one.kind, Kind::Variant(_)) {
            return;
        }
        for idx in self.idx + 1..self.one.fields.len() {
            for read in self.reads(idx) {
                change.replace(&read.member_place, &(idx - 1).to_string());
            }
        }
    }

    fn reads(&self, idx: usize) -> impl Iterator<Item = &'d Read> {
        let name = self.one.member(idx);
        let is_variant = matches!(self.one.kind, Kind::Variant(_));
        let reads = (!is_variant).then(|| self.data.reads_of(self.definition, name));
        reads.into_iter().flatten()
    }

    /// What stands for the field, with whether that is a pattern.
    fn parts(&self) -> impl Iterator<Item = (bool, &'d Part)> {
        let (idx, n) = (self.idx, self.one.fields.len());
        let name = self.field.name.as_deref();
        let uses = self.data.uses_of(self.definition);
        uses.filter_map(move |one| Some((one.is_pattern, one.part(idx, name, n)?)))
    }

    /// The text that initialises the field, if it is always the same literal.
    fn initial_value(&self) -> Option<&'d str> {
        let values = self.parts().filter(|(is_pattern, _)| !is_pattern);
        let mut texts = values.map(|(_, part)| self.program.text(&part.value));
        let first = texts.next()?;
        let is_literal = syn_literal(first);
        (is_literal && texts.all(|text| text == first)).then_some(first)
    }
}

/// Whether a text is a number, a boolean, a character or a short string.
fn syn_literal(text: &str) -> bool {
    let is_number = text.starts_with(|first: char| first.is_ascii_digit());
    let is_plain = text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    let is_quoted = text.len() > 1
        && ['\'', '"']
            .iter()
            .any(|&quote| text.starts_with(quote) && text.ends_with(quote))
        && reduce_syntax::count_tokens(text) == 1;
    text == "()" || text == "true" || text == "false" || is_quoted || (is_number && is_plain)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

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
            "struct S(u8); fn f(s: S, t: (u8, u8)) -> u8 { s.1 }",
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
