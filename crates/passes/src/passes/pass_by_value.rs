//! `pass_by_value`: a parameter that is a reference becomes a value, with the arguments of all
//! calls; so does a receiver.

use super::functions::{By, Family, Functions};
use super::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program};
use reduce_model::Position;
use reduce_syntax::{EditSet, is_name_part};

pub(super) const PASS: Pass = Pass {
    name: "pass_by_value",
    about: "Makes a reference that is passed a value, with the arguments of all calls",
    example: (
        "fn f(a: &S) {} fn g(b: S) { f(&b); }",
        "fn f(a: S) {} fn g(b: S) { f(b); }",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let of_family = |family: &Family| {
        let n_parameters = functions.first(family).parameters.len();
        let parameters = (0..n_parameters)
            .filter_map(|idx| parameter_by_value(program, &functions, family, idx));
        let receiver = receiver_by_value(program, &functions, family);
        receiver.into_iter().chain(parameters).collect::<Vec<_>>()
    };
    functions.families.iter().flat_map(of_family).collect()
}

/// All that is passed at an index loses its `&`; an argument without one is left to the compiler.
fn parameter_by_value(
    program: &Program,
    functions: &Functions,
    family: &Family,
    idx: usize,
) -> Option<EditSet> {
    let mut change = program.change();
    for function in functions.functions_of(family) {
        let parameter = function.parameters.get(idx)?;
        let borrow = borrow(program, parameter.ty.as_ref()?)?;
        let is_mutable = program.text(&borrow).trim_end().ends_with("mut");
        change.delete(&borrow);
        if is_mutable && parameter.is_name && !parameter.is_mutable && function.body.is_some() {
            let Place {
                file,
                range: pattern,
            } = &parameter.pattern;
            change.insert(Position::new(*file, pattern.start), "mut ");
        }
        for mention in parameter.mentions(program) {
            change_dereference(program, &mut change, *mention);
        }
    }
    let first = functions.first(family);
    let calls = functions.calls_of(family);
    for argument in calls.filter_map(|call| call.argument(first, idx)) {
        if let Some(borrow) = borrow(program, &argument.place) {
            change.delete(&borrow);
        }
    }
    change.finish()
}

/// Deletes the `*` before a mention: what it led to is there by itself.
fn change_dereference(program: &Program, change: &mut Change<'_>, Position { file, at }: Position) {
    let before = program.sources().text(file)[..at].trim_end();
    let Some(outer) = before.strip_suffix('*') else {
        return;
    };
    // After an operand it would be a product.
    if outer
        .trim_end()
        .ends_with(|c: char| "({[;,=&|!<>+-/*".contains(c))
    {
        change.delete(&Place::new(file, outer.len()..at));
    }
}

fn receiver_by_value(program: &Program, functions: &Functions, family: &Family) -> Option<EditSet> {
    let mut change = program.change();
    for function in functions.functions_of(family) {
        let receiver = function.receiver.as_ref()?;
        let text = match receiver.by {
            By::Reference => "self",
            By::MutReference if function.body.is_some() => "mut self",
            By::MutReference => "self",
            By::Value | By::Other => return None,
        };
        change.replace(&receiver.whole, text);
    }
    change.finish()
}

/// `&`, `&mut`, `&'a mut` at the beginning of a place.
fn borrow(program: &Program, place: &Place) -> Option<Place> {
    let text = program.text(place);
    let after = text.strip_prefix('&')?.trim_start();
    let after = match after.strip_prefix('\'') {
        Some(lifetime) => lifetime.trim_start_matches(is_name_part),
        None => after,
    };
    let after = after.trim_start();
    let is_mut = |rest: &&str| rest.starts_with(char::is_whitespace);
    let after = after.strip_prefix("mut").filter(is_mut).unwrap_or(after);
    let start = place.range.start;
    Some(Place::new(
        place.file,
        start..start + text.len() - after.trim_start().len(),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn each_argument_loses_its_borrow() {
        check(
            &PASS,
            "fn f<'a>(a: &'a mut S, b: u8) {} fn g() { f(&mut x, 1); f(y, 2); f(&(z + 1), 3); }",
            &["fn f<'a>(mut a: S, b: u8) {} fn g() { f(x, 1); f(y, 2); f((z + 1), 3); }"],
        );
    }

    #[test]
    fn a_method_of_a_trait_changes_with_its_impls() {
        check(
            &PASS,
            "trait T { fn f(&self, a: &u8); } impl T for S { fn f(&self, b: &u8) {} }",
            &[
                "trait T { fn f(self, a: &u8); } impl T for S { fn f(self, b: &u8) {} }",
                "trait T { fn f(&self, a: u8); } impl T for S { fn f(&self, b: u8) {} }",
            ],
        );
    }

    #[test]
    fn what_a_mutable_reference_led_to_is_mutable() {
        check(
            &PASS,
            "struct S; impl S { fn f(&mut self, a: &mut u8) { *a = 1 * *a; } }",
            &[
                "struct S; impl S { fn f(mut self, a: &mut u8) { *a = 1 * *a; } }",
                "struct S; impl S { fn f(&mut self, mut a: u8) { a = 1 * a; } }",
            ],
        );
    }

    #[test]
    fn a_name_that_begins_with_mut_is_a_type() {
        check(&PASS, "fn f(a: &mutual::S) {}", &["fn f(a: mutual::S) {}"]);
    }

    #[test]
    fn values_and_methods_of_foreign_traits_stay() {
        check_not_applicable(
            &PASS,
            "fn f(a: S) {} impl Clone for S { fn clone(&self) -> S { loop {} } }",
        );
    }
}
