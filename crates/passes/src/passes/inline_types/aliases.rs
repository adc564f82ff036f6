//! Replaces a type alias by its type where it is used, with the arguments put in for its parameters.

use super::super::data::{Data, Definition, Kind, PathRole, Segment, substituted};
use crate::pass::{Rewriter, Work};
use crate::program::Program;
use reduce_syntax::{EditSet, count_tokens};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let mut found = Vec::new();
    for one in &data.definitions {
        if let Kind::Alias(ty) = one.kind {
            let value = one.file.text(ty);
            found.extend(everywhere(program, one, value));
            let others = one.segments.iter().filter(|_| one.segments.len() > 1);
            found.extend(others.filter_map(|mention| alone(program, one, value, mention)));
        }
    }
    found
}

/// Puts the type of an alias in place of all its mentions, and removes the alias. `None` if one cannot.
fn everywhere(program: &Program, alias: &Definition<'_>, value: &str) -> Option<EditSet> {
    let mut change = program.change();
    alias.remove(&mut change);
    for mention in &alias.segments {
        change.replace_type(&mention.prefix, &text(alias, value, mention)?);
    }
    change.finish()
}

/// Puts the alias's type in place of one mention of the alias, where that is shorter; the other mentions keep the alias.
fn alone(
    program: &Program,
    alias: &Definition<'_>,
    value: &str,
    mention: &Segment<'_>,
) -> Option<EditSet> {
    let size = |text: &str| (count_tokens(text), text.len());
    let text = text(alias, value, mention)?;
    let is_smaller = size(&text) < size(program.text(&mention.prefix));
    let mut change = program.change();
    change.replace_type(&mention.prefix, &text);
    change.finish().filter(|_| is_smaller)
}

fn text(alias: &Definition<'_>, value: &str, mention: &Segment<'_>) -> Option<String> {
    match (mention.role, mention.is_last) {
        (PathRole::Type, true) => substituted(value, alias, mention),
        // A constructor infers its arguments.
        (PathRole::Value, true) => {
            let name = value.split('<').next()?.trim_end();
            is_plain(name).then(|| name.to_owned())
        }
        _ => {
            let ty = substituted(value, alias, mention)?;
            let text = if is_plain(&ty) { ty } else { format!("<{ty}>") };
            Some(text)
        }
    }
}

/// Whether a type is a path without arguments.
fn is_plain(ty: &str) -> bool {
    !ty.is_empty() && ty.chars().all(|c| c.is_alphanumeric() || "_:".contains(c))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn an_alias_is_inlined_everywhere() {
        check(
            &WORK,
            "struct S { a: u8 } type A = S; impl A { fn f(x: A) -> Vec<A> { A::f(A { a: 1 }) } }",
            &["struct S { a: u8 } impl S { fn f(x: S) -> Vec<S> { S::f(S { a: 1 }) } }"],
        );
    }

    #[test]
    fn arguments_stand_for_parameters() {
        check_has(
            &WORK,
            "type A<'a, T> = &'a [T]; fn f<'b>(x: A<'b, u8>) {}",
            "fn f<'b>(x: &'b [u8]) {}",
        );
        check_has(
            &WORK,
            "type A<'a> = &'a [u8]; fn f(x: A) { A::len(x); }",
            "fn f(x: &'_ [u8]) { <&'_ [u8]>::len(x); }",
        );
    }

    #[test]
    fn several_bounds_behind_a_reference_have_parentheses() {
        check(
            &WORK,
            "type A<'a> = dyn F<'a> + 'a; fn f<'a>(x: &'a A<'a>, y: Box<A<'a>>) {}",
            &["fn f<'a>(x: &'a (dyn F<'a> + 'a), y: Box<dyn F<'a> + 'a>) {}"],
        );
    }

    #[test]
    fn a_mention_is_inlined_alone_where_that_is_shorter() {
        check_has(
            &WORK,
            "type A<T> = T; fn f(x: A<A<u8>>, y: A<u16>) {}",
            "type A<T> = T; fn f(x: A<A<u8>>, y: u16) {}",
        );
    }

    #[test]
    fn an_alias_in_a_module_goes_with_its_import() {
        check(
            &WORK,
            "mod m { pub type A = u8; } use m::A; fn f(x: A, y: m::A) {}",
            &[
                "mod m { } fn f(x: u8, y: u8) {}",
                "mod m { pub type A = u8; } use m::A; fn f(x: A, y: u8) {}",
            ],
        );
    }

    #[test]
    fn long_values_of_many_mentions_and_missing_arguments_stay() {
        check_not_applicable(
            &WORK,
            "type A = Vec<Vec<Vec<u8>>>; fn f(a: A, b: A, c: A, d: A) {}",
        );
        check_not_applicable(&WORK, "type A<T> = Vec<T>; fn f() { let x: A; }");
    }

    #[test]
    fn an_alias_is_the_type_that_it_stands_for() {
        check_has(
            &WORK,
            "type A<T> = Option<T>; fn f(x: A<u8>) {}",
            "fn f(x: Option<u8>) {}",
        );
    }
}
