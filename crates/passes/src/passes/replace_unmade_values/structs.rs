//! Replaces a type that nothing makes a value of by `String`, which is not `Copy` either and needs no definition.
//! Where `()` or `u8` will do, another pass finds that.

use super::super::data::{Data, Definition, Kind, PathRole};
use crate::pass::{Rewriter, Work};
use crate::program::Program;
use reduce_syntax::EditSet;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

const INSTEAD: &str = "String";

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let types = data.definitions.iter();
    let types = types.filter(|one| !matches!(one.kind, Kind::Variant(_) | Kind::Alias(_)));
    let never_made = types.filter(|one| !is_made(&data, one));
    never_made.filter_map(|one| change(program, one)).collect()
}

/// Replaces all mentions of a type, and removes its definition and its impls.
fn change(program: &Program, of: &Definition<'_>) -> Option<EditSet> {
    let mut change = program.change();
    of.remove(&mut change);
    for one in &of.impls {
        change.remove(&one.place());
    }
    for segment in of.segments.iter().filter(|one| one.name != "Self") {
        match (segment.role, segment.is_last) {
            (PathRole::Type, true) => change.replace(&segment.prefix, INSTEAD),
            _ => return None,
        };
    }
    change.finish()
}

/// Whether an expression makes a value of the type, or a pattern takes one apart.
fn is_made(data: &Data<'_>, of: &Definition<'_>) -> bool {
    let mut all = data.variants_of(of).iter().chain([of]);
    all.any(|one| !one.uses.is_empty()) || !of.strays.is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn a_type_goes_with_its_impls() {
        check(
            &WORK,
            "struct S<T>(T); impl<T> D for S<T> { fn d(x: S<T>) {} } fn f(x: &S<u8>, y: [S<u8>; 2]) {}",
            &["fn f(x: &String, y: [String; 2]) {}"],
        );
    }

    #[test]
    fn a_type_of_which_there_are_values_stays() {
        check_not_applicable(&WORK, "struct S; fn f() -> S { S }");
        check_not_applicable(&WORK, "struct S(u8); fn f(S(x): S) {}");
        check_not_applicable(&WORK, "enum E { A } fn f(x: E) { match x { E::A => {} } }");
        check_not_applicable(&WORK, "struct S; impl S { fn n() {} } fn f() { S::n() }");
    }

    #[test]
    fn a_type_of_which_no_value_is_made_is_a_string() {
        check_has(
            &WORK,
            "struct S; fn f(x: S) { g(x); g(x); }",
            "fn f(x: String) { g(x); g(x); }",
        );
    }
}
